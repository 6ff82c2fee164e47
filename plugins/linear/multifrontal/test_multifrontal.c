/* test_multifrontal.c - multifrontal against dense on random matrices, and what is particular to fronts: columns that wait for their
 * parents, parts that join, and large structures. */
#include "multifrontal.c"

#include "components.c"
#include "dense_front.c"
#define solve_upper substitute_upper
#define lanes wide_lanes
#undef LANES
#include "factors.c"
#undef solve_upper
#undef lanes
#include "fronts.c"
#include "graph.c"
#include "order.c"

#include "../../solvers/test_host.h"
#include "../../solvers/test_state.h"
#include "../test_lattice.h"
#include "../test_matrix.h"
