/* node_rows.c - a constraint between a frame and two nodes: position rows that bend and depend on time, and a velocity row */
#include <tenon/author.h>

#define NODE_ROWS(P) P(REAL, ratio, "", 0, 0.7, -TN_UNBOUNDED, TN_UNBOUNDED, "of the products")
TN_PARAMETERS(node_rows, NODE_ROWS)

TN_CONSTRAINT(node_rows)
{
    const tn_real *left = marker[1].coordinates, *right = marker[2].coordinates;
    const tn_vec3 axis = tn_rotate(marker[0].rotation, tn_vector(0.0, 1.0, 0.0));
    row[0] = left[0] * right[4] + tn_sin(left[2]) - self->ratio * axis.e[0] * right[5];
    row[1] = right[1] * right[1] - marker[0].position.e[2] * left[1] + tn_sin(2.0 * tn_time(context));
    row[2] = marker[1].rates[0] * right[3] + self->ratio * marker[2].rates[5] * axis.e[2] +
             marker[0].angular_velocity.e[1] * left[1];
    return TN_OK;
}

#if TN_VALUES

static tn_status node_rows_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->position_rows = 2;
    layout->velocity_rows = 1;
    return TN_OK;
}

TN_PORTS(node_rows, {"frame", "whose axes count", TN_FRAME, 1, 1, 0},
         {"left", "a small node", TN_NODE_OF(3), 1, 1, 0}, {"right", "a large one", TN_NODE_OF(6), 1, 1, 0})
TN_ELEMENT(node_rows, .summary = "rows on nodes", .formula = "0 = q1 q2 + ...", .ports = node_rows_ports,
           .layout = node_rows_layout, TN_CAPABILITIES(TN_HAS_CONSTRAINT(node_rows)))
TN_LIBRARY("node_rows", "1.0.0", "Apache-2.0", "rows on nodes", {TN_ELEMENT_KIND, &node_rows_type})

#endif
