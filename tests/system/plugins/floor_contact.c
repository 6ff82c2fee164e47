/* floor_contact.c - a floor with Coulomb friction: one cone of rows (tenon/draft/operators.h) */
#include <tenon/author.h>
#include <tenon/draft/operators.h>

#define FLOOR(P)                                                                        \
    P(REAL, friction, "", 0, 0, -TN_UNBOUNDED, TN_UNBOUNDED, "coefficient of friction") \
    P(REAL, restitution, "", 0, 0, -TN_UNBOUNDED, TN_UNBOUNDED, "coefficient of restitution")

TN_PARAMETERS(floor_contact, FLOOR)

TN_CONSTRAINT(floor_contact)
{
    const tn_vec3 offset = tn_subtract(marker[1].position, marker[0].position);
    /* against the floor's own point there */
    const tn_vec3 velocity = tn_subtract(tn_subtract(marker[1].velocity, marker[0].velocity),
                                         tn_cross(marker[0].angular_velocity, offset));
    row[0] = tn_dot(tn_axis(marker[0].rotation, 2), offset);
    row[1] = tn_dot(tn_axis(marker[0].rotation, 0), velocity);
    row[2] = tn_dot(tn_axis(marker[0].rotation, 1), velocity);
    return TN_OK;
}

#if TN_VALUES

static tn_status floor_contact_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                                      tn_layout *layout)
{
    layout->position_rows = 1;
    layout->velocity_rows = 2;
    return TN_OK;
}

static tn_status floor_contact_kinds(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                                     uint32_t *kind)
{
    kind[0] = TN_CONE_NORMAL;
    kind[1] = kind[2] = TN_CONE_TANGENT;
    return TN_OK;
}

static tn_status floor_contact_law(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const floor_contact *self = tn_instance(batch, i);
        batch->value[2 * i] = self->friction;
        batch->value[2 * i + 1] = self->restitution;
    }
    return TN_OK;
}

static const tn_row_kinds_capability floor_contact_rows = {.struct_size = sizeof floor_contact_rows,
                                                           .row_kinds = floor_contact_kinds,
                                                           .contact_law = floor_contact_law};

TN_PORTS(floor_contact, {"floor", "its z axis points up", TN_FRAME, 1, 1, 0},
         {"point", "what stays above it", TN_POINT, 1, 1, 0})
TN_ELEMENT(floor_contact, .summary = "a floor with friction", .formula = "g = n . (r2 - r1) >= 0",
           TN_CAPABILITIES(TN_HAS_CONSTRAINT(floor_contact), {TN_ROW_KINDS_KEY, &floor_contact_rows}),
           .ports = floor_contact_ports, .layout = floor_contact_layout)

TN_LIBRARY("floor_contact", "1.0.0", "Apache-2.0", "a floor", {TN_ELEMENT_KIND, &floor_contact_type})

#endif
