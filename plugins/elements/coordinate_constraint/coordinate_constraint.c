/* coordinate_constraint.c - a linear equation between coordinates */
#include <tenon/kit/coordinate_row.h>
#include <tenon/kit/drawing.h>

enum { MOST_COORDINATES = 8 };

#define COORDINATE_CONSTRAINT(P)                                                              \
    P(LIST, factors, TN_ANY_UNIT, TN_REQUIRED, "c_i, one for every coordinate, not all zero") \
    P(REAL, offset, TN_ANY_UNIT, 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "constant value of the sum")

TN_PARAMETERS(coordinate_constraint, COORDINATE_CONSTRAINT)

#if TN_VALUES

static tn_coordinate_row coordinate_constraint_row_of(const tn_batch *batch, uint32_t i)
{
    const coordinate_constraint *self = tn_instance(batch, i);
    return (tn_coordinate_row){self->factors.value, self->offset};
}
TN_COORDINATE_ROW(coordinate_constraint)

static tn_status coordinate_constraint_prepare(const tn_host *host, void *instance)
{
    const coordinate_constraint *self = instance;
    for (uint64_t k = 0; k < self->factors.count; k++)
        if (self->factors.value[k] != 0.0) return TN_OK;
    return tn_refuse(host, "factors", "all factors are zero: there is no constraint");
}

static tn_status coordinate_constraint_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    const coordinate_constraint *self = instance;
    layout->position_rows = 1;
    if (self->factors.count == layout->marker_count) return TN_OK;
    return tn_refuse(host, "factors", "%llu factors for %u coordinates",
                     (unsigned long long)self->factors.count, layout->marker_count);
}

TN_PORTS(coordinate_constraint, {"markers", "the coordinates", TN_COORDINATE, 1, MOST_COORDINATES, 0})
TN_OUTPUTS(coordinate_constraint, TN_COORDINATE_ROW_OUTPUTS)

TN_DRAWS_NOTHING(coordinate_constraint)

TN_SYNONYMS(coordinate_constraint, {"connector_coordinate", NULL, NULL},
            {"object_connector_coordinate", NULL, NULL}, {"equality", NULL, NULL},
            {"constant coordinate", NULL, NULL})
TN_ELEMENT(
    coordinate_constraint, .summary = "a linear equation between coordinates",
    .formula = "sum(c_i q_i) = offset",
    .literature = "Haug: Computer Aided Kinematics and Dynamics of Mechanical Systems, Allyn and Bacon, "
                  "1989, chapter 3",
    .synonyms = coordinate_constraint_synonyms, .flags = TN_CONSTANT_ROWS,
    TN_CAPABILITIES(TN_HAS_COORDINATE_ROW(coordinate_constraint), TN_HAS_DRAWING(coordinate_constraint)),
    .ports = coordinate_constraint_ports, .outputs = coordinate_constraint_outputs,
    .prepare = coordinate_constraint_prepare, .layout = coordinate_constraint_layout,
    .output = coordinate_constraint_output)

TN_LIBRARY("coordinate_constraint", "1.0.0", "Apache-2.0", "linear equation between coordinates",
           {TN_ELEMENT_KIND, &coordinate_constraint_type})

#endif
