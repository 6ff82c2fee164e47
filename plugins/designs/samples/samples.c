/* samples.c - the types of this library */
#include "sample.h"

TN_ELSEWHERE(tn_design_type, list)
TN_ELSEWHERE(tn_design_type, grid)
TN_ELSEWHERE(tn_design_type, random)
TN_ELSEWHERE(tn_design_type, latin_hypercube)
TN_ELSEWHERE(tn_design_type, sobol)
TN_ELSEWHERE(tn_design_type, morris)
TN_ELSEWHERE(tn_design_type, saltelli)
TN_ELSEWHERE(tn_design_type, tolerances)

TN_LIBRARY("samples", "1.0.0", "Apache-2.0 AND BSD-3-Clause",
           "grids, lists, samples, sensitivities, comparisons of solvers; direction numbers of Sobol "
           "sequences by Joe and Kuo (BSD)",
           {TN_DESIGN_KIND, &grid_type}, {TN_DESIGN_KIND, &list_type}, {TN_DESIGN_KIND, &random_type},
           {TN_DESIGN_KIND, &latin_hypercube_type}, {TN_DESIGN_KIND, &sobol_type},
           {TN_DESIGN_KIND, &morris_type}, {TN_DESIGN_KIND, &saltelli_type},
           {TN_DESIGN_KIND, &tolerances_type})
