/* gear.c - a fixed ratio between two coordinates */
#include <tenon/kit/coordinate_row.h>
#include <tenon/kit/drawing.h>

/* 1 and -ratio, as `prepare` leaves them. */
typedef double gear_factors[2];

#define GEAR(P)                                                                                       \
    P(REAL, ratio, TN_ANY_UNIT, TN_REQUIRED, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,                        \
      "i, the rate of the first coordinate over that of the last; negative if they turn in opposite " \
      "directions")                                                                                   \
    P(REAL, offset, TN_ANY_UNIT, TN_OPTIONAL, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,                       \
      "c; default: q0 - i q1 at the start")                                                           \
    P(PRIVATE, gear_factors, factor)

TN_PARAMETERS(gear, GEAR)

#if TN_VALUES

/* The offset that is found at the start, and whether it was: after the first accepted step. */
enum { FOUND_OFFSET, IS_FOUND, DATA };

static tn_coordinate_row gear_row_of(const tn_batch *batch, uint32_t i)
{
    const gear *self = tn_instance(batch, i);
    const double *data = batch->d + DATA * (size_t)i;
    const bool found = isnan(self->offset) && data[IS_FOUND] != 0.0;
    return (tn_coordinate_row){self->factor, found ? data[FOUND_OFFSET] : self->offset};
}
TN_COORDINATE_ROW(gear)

static tn_status gear_prepare(const tn_host *host, void *instance)
{
    gear *self = instance;
    if (self->ratio == 0.0)
        return tn_refuse(host, "ratio",
                         "a ratio of zero would fix the first coordinate and free the last one");
    self->factor[0] = 1.0;
    self->factor[1] = -self->ratio;
    return TN_OK;
}

static tn_status gear_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host;
    layout->position_rows = 1;
    layout->nd = isnan(((const gear *)instance)->offset) ? DATA : 0;
    return TN_OK;
}

static tn_status gear_accepted(tn_batch *batch)
{
    for (uint32_t i = 0; batch->layout->nd && i < batch->count; i++) {
        double *data = batch->d + DATA * (size_t)i;
        if (data[IS_FOUND] != 0.0) continue;
        data[FOUND_OFFSET] = tn_coordinate_sum(batch, i, gear_row_of(batch, i).factor);
        data[IS_FOUND] = 1.0;
    }
    return TN_OK;
}

TN_PORTS(gear, {"markers", "the two coordinates", TN_COORDINATE, 2, 2, 0})
TN_OUTPUTS(gear, TN_COORDINATE_ROW_OUTPUTS)

TN_DRAWS_NOTHING(gear)

TN_SYNONYMS(gear, {"gear joint", NULL, NULL}, {"coupler", NULL, NULL}, {"coordinate coupler", NULL, NULL})
TN_ELEMENT(gear, .summary = "a fixed ratio between two coordinates", .formula = "q0 - i q1 = c",
           .literature =
               "Haug: Computer Aided Kinematics and Dynamics of Mechanical Systems, Allyn and Bacon, "
               "1989, section 3.4 (gears)",
           .synonyms = gear_synonyms, .flags = TN_CONSTANT_ROWS,
           TN_CAPABILITIES(TN_HAS_COORDINATE_ROW(gear), TN_HAS(data, .accepted = gear_accepted),
                           TN_HAS_DRAWING(gear)),
           .ports = gear_ports, .outputs = gear_outputs, .prepare = gear_prepare, .layout = gear_layout,
           .output = gear_output)

TN_LIBRARY("gear", "1.0.0", "Apache-2.0", "gear between two coordinates", {TN_ELEMENT_KIND, &gear_type})

#endif
