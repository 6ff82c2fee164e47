/* rope.c - two points are at most so far from each other: a unilateral row (tenon/draft/operators.h) */
#include <tenon/author.h>
#include <tenon/draft/operators.h>

#define ROPE(P) P(REAL, length, "m", TN_REQUIRED, 0, 0, TN_UNBOUNDED, "the longest distance")

TN_PARAMETERS(rope, ROPE)

TN_CONSTRAINT(rope)
{
    row[0] = self->length - tn_norm(tn_subtract(marker[1].position, marker[0].position));
    return TN_OK;
}

#if TN_VALUES

static tn_status rope_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance, tn_layout *layout)
{
    layout->position_rows = 1;
    return TN_OK;
}

static tn_status rope_kinds(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance, uint32_t *kind)
{
    kind[0] = TN_UNILATERAL;
    return TN_OK;
}

static const tn_row_kinds_capability rope_rows = {.struct_size = sizeof rope_rows, .row_kinds = rope_kinds};

TN_PORTS(rope, {"markers", "the two ends", TN_POINT, 2, 2, 0})
TN_ELEMENT(rope, .summary = "a rope", .formula = "g = length - |r2 - r1| >= 0",
           TN_CAPABILITIES(TN_HAS_CONSTRAINT(rope), {TN_ROW_KINDS_KEY, &rope_rows}), .ports = rope_ports,
           .layout = rope_layout)

TN_LIBRARY("rope", "1.0.0", "Apache-2.0", "a rope", {TN_ELEMENT_KIND, &rope_type})

#endif
