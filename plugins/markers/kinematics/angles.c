/* angles.c - AX, AY, AZ, also called AXU, AYU, AZU, PSI, THETA, PHI, YAW, PITCH, ROLL: how I is turned against J */
#include "kinematics.h"

/* Below this sine two axes count as parallel: what is left of an angle about them is rounding. */
static const double parallel = 1e-12;

/* The two frames, and the angular velocity of I against J. */
typedef struct pair {
    tn_mat3 i, j;
    tn_vec3 turning;
} pair;

static inline pair pair_of(const tn_marker_state *marker, const tn_context *context)
{
    pair p;
    p.i = marker_in(marker, context, 0).rotation;
    p.j = marker_in(marker, context, 1).rotation;
    p.turning = turning_of(marker, context);
    return p;
}

/* An axis of I times an axis of J, and its rate: d(a . b)/dt = (wI - wJ) . (a x b). */
typedef struct product {
    tn_real value, rate;
} product;

enum { X, Y, Z };
static inline product product_of(const pair *p, int of_i, int of_j)
{
    const tn_vec3 a = tn_axis(p->i, of_i), b = tn_axis(p->j, of_j);
    product r;
    r.value = tn_dot(a, b);
    r.rate = tn_dot(p->turning, tn_cross(a, b));
    return r;
}

static inline product negative(product a)
{
    a.value = -a.value;
    a.rate = -a.rate;
    return a;
}

/* The angle whose sine and cosine are in the proportion of two products. */
static inline tn_status angle(product sine, product cosine, tn_context *context, tn_marker_state *out)
{
    const tn_real square = sine.value * sine.value + cosine.value * cosine.value;
    if (tn_value(square) <= parallel * parallel)
        return tn_retry(context, "this angle has no value here: two of its axes are parallel");
    out->position.e[0] = tn_atan2(sine.value, cosine.value);
    out->velocity.e[0] = (cosine.value * sine.rate - sine.value * cosine.rate) / square;
    return TN_OK;
}

/* From axis `a` to axis `b`, 0 to pi, `b` turning with `turning` against `a`; or what is missing to a right angle.
 * The rate jumps where the axes are parallel: it is 0 there. */
static inline tn_status inclination(tn_vec3 a, tn_vec3 b, bool from_normal, tn_vec3 turning,
                                    tn_marker_state *out)
{
    const tn_vec3 normal = tn_cross(a, b);
    const tn_real sine = length_of(normal), cosine = tn_dot(a, b);
    const tn_real rate = part_along(turning, normal, parallel);
    out->position.e[0] = from_normal ? tn_atan2(cosine, sine) : tn_atan2(sine, cosine);
    out->velocity.e[0] = from_normal ? -rate : rate;
    return TN_OK;
}

TN_PORTS(frames, MARKER_I(TN_FRAME), MARKER_J(TN_FRAME))

#define TURN(sine, cosine)                   \
    const pair p = pair_of(marker, context); \
    return angle(sine, cosine, context, out)
#define AXES(of_i, of_j) product_of(&p, of_i, of_j)
#define ANGLE(name, sine, cosine, about, law) \
    FUNCTION(name, TURN(sine, cosine), frames, "rad", TN_COUNTS_TURNS, EULER_ANGLES, about, "c = " law)

ANGLE(ax, AXES(Y, Z), AXES(Y, Y), "angle about x, without rotation about y and z", "atan2(yI . zJ, yI . yJ)")
ANGLE(ay, AXES(Z, X), AXES(Z, Z), "angle about y, without rotation about x and z", "atan2(zI . xJ, zI . zJ)")
ANGLE(az, AXES(X, Y), AXES(X, X), "angle about z, without rotation about x and y", "atan2(xI . yJ, xI . xJ)")

/* Programs that count no turns in `ax` have another name where they do. */
SAME_FUNCTION(axu, ax, frames, "rad", TN_COUNTS_TURNS, EULER_ANGLES, "synonym of `ax`",
              "c = atan2(yI . zJ, yI . yJ)")
SAME_FUNCTION(ayu, ay, frames, "rad", TN_COUNTS_TURNS, EULER_ANGLES, "synonym of `ay`",
              "c = atan2(zI . xJ, zI . zJ)")
SAME_FUNCTION(azu, az, frames, "rad", TN_COUNTS_TURNS, EULER_ANGLES, "synonym of `az`",
              "c = atan2(xI . yJ, xI . xJ)")

ANGLE(psi, AXES(Z, X), negative(AXES(Z, Y)), "first of the 3-1-3 angles, about z", "atan2(zI . xJ, -zI . yJ)")
ANGLE(phi, AXES(X, Z), AXES(Y, Z), "last of the 3-1-3 angles, about z", "atan2(xI . zJ, yI . zJ)")
ANGLE(yaw, AXES(X, Y), AXES(X, X), "first of the 3-2-1 angles, about z", "atan2(xI . yJ, xI . xJ)")
ANGLE(roll, AXES(Y, Z), AXES(Z, Z), "last of the 3-2-1 angles, about x", "atan2(yI . zJ, zI . zJ)")

#define LEAN(of_i, from_normal)              \
    const pair p = pair_of(marker, context); \
    return inclination(tn_axis(p.j, Z), tn_axis(p.i, of_i), from_normal, p.turning, out)
#define INCLINATION(name, of_i, from_normal, about, law) \
    FUNCTION(name, LEAN(of_i, from_normal), frames, "rad", 0, EULER_ANGLES, about, law)

INCLINATION(theta, Z, false, "second of the 3-1-3 angles, about x; 0 to pi",
            "c = acos(zI . zJ),  dc/dt = (wI - wJ) . (zJ x zI)/|zJ x zI|")
INCLINATION(pitch, X, true, "second of the 3-2-1 angles, about -y; -pi/2 to pi/2",
            "c = asin(xI . zJ),  dc/dt = (wI - wJ) . (xI x zJ)/|xI x zJ|")
