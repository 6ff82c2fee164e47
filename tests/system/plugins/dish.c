/* dish.c - a point on a bent surface, whose place there is two algebraic unknowns: the foot of the point */
#include <tenon/author.h>

#define DISH(P)                                                                                       \
    P(REAL, along, "1/m", 0, 0.6, -TN_UNBOUNDED, TN_UNBOUNDED, "curvature at the lowest place, by x") \
    P(REAL, across, "1/m", 0, -0.4, -TN_UNBOUNDED, TN_UNBOUNDED, "by y")                              \
    P(REAL, twist, "1/m", 0, 0.8, -TN_UNBOUNDED, TN_UNBOUNDED, "by x and y")

TN_PARAMETERS(dish, DISH)

/* From the place s on the surface to the point, axes of the frame; the slopes there. */
static inline tn_vec3 dish_view(const dish *self, const tn_marker_state *marker, const tn_real *s,
                                tn_real *slope)
{
    tn_vec3 view = tn_rotate_back(marker[0].rotation, tn_subtract(marker[1].position, marker[0].position));
    slope[0] = self->along * s[0] + self->twist * s[1];
    slope[1] = self->across * s[1] + self->twist * s[0];
    view.e[0] = view.e[0] - s[0];
    view.e[1] = view.e[1] - s[1];
    view.e[2] = view.e[2] - 0.5 * (slope[0] * s[0] + slope[1] * s[1]);
    return view;
}

TN_ALGEBRAIC(dish, TN_ANY, 2)
{
    tn_real slope[2];
    const tn_vec3 view = dish_view(self, marker, s, slope);
    residual[0] = view.e[1] + slope[1] * view.e[2]; /* the largest derivatives are not on the diagonal */
    residual[1] = view.e[0] + slope[0] * view.e[2];
    return TN_OK;
}

TN_CONSTRAINT_WITH_UNKNOWNS(dish)
{
    tn_real slope[2];
    const tn_vec3 view = dish_view(self, marker, tn_unknowns(context), slope);
    const tn_real size = tn_sqrt(1.0 + slope[0] * slope[0] + slope[1] * slope[1]);
    row[0] = (view.e[2] - slope[0] * view.e[0] - slope[1] * view.e[1]) / size;
    return TN_OK;
}

#if TN_VALUES

static tn_status dish_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->position_rows = 1;
    layout->ns = 2;
    return TN_OK;
}

TN_PORTS(dish, {"frame", "its lowest place; z is normal to it there", TN_FRAME, 1, 1, 0},
         {"bead", "the point on it", TN_POINT, 1, 1, 0})
TN_ELEMENT(dish, .summary = "point on a surface", .formula = "0 = (point - place(s)) x normal(s)",
           TN_CAPABILITIES(TN_HAS_ALGEBRAIC(dish), TN_HAS_CONSTRAINT(dish)), .ports = dish_ports,
           .layout = dish_layout)
TN_LIBRARY("dish", "1.0.0", "Apache-2.0", "point on a surface", {TN_ELEMENT_KIND, &dish_type})

#endif
