/* contact.h - the instance of a contact: pairs of shapes and their laws. Setup (setup.c) makes lists of pairs and of their possible points,
 * geometry.h computes these, for both laws: penalty (law.h, contact.c) and impulse (points.c). */
#ifndef TENON_CONTACT_H
#define TENON_CONTACT_H

#include <tenon/author.h>
#include <tenon/draft/contacts.h>
#include <tenon/draft/shapes.h>

#define CONTACT_SHAPES 10000      /* at most, of one element by impulses */
#define CONTACT_TEXT 512          /* bytes of a list of pairs */
#define CONTACT_PENALTY_SHAPES 32 /* at most, by penalty, whose tangents are dense */

#define CONTACT_EXPONENT 1.5           /* where none is given */
#define CONTACT_LEAST_RESTITUTION 5e-4 /* by penalty: replaces smaller ones */

#define CONTACT(P)                                                                                          \
    P(CHOICE, law, "impulse|penalty", TN_REQUIRED, 0,                                                       \
      "impulse: hard, for solvers by impulses; penalty: forces, for all solvers")                           \
    P(CHOICE, start, "error|resolve", 0, 0, "what overlaps at the start: an error, or left to the solver")  \
    P(REAL, friction, "", TN_OPTIONAL | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,                              \
      "mu; this and the next six in place of those of `[[material_pair]]`")                                 \
    P(REAL, static_friction, "", TN_OPTIONAL | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,                       \
      "mu_s at rest (penalty); default mu")                                                                 \
    P(REAL, restitution, "", TN_OPTIONAL | TN_CHANGEABLE, 0.0, 0.0, 1.0, "e; by penalty at least 5e-4")     \
    P(REAL, restitution_threshold, "m/s", TN_OPTIONAL | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,              \
      "v_e: slower impacts do not bounce (impulse), or are damped like one at v_e (penalty); default 0.01") \
    P(REAL, stiffness, "N/m^exponent", TN_OPTIONAL | TN_CHANGEABLE | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED,  \
      "k, with its `exponent` (penalty)")                                                                   \
    P(REAL, damping, "s/m", TN_OPTIONAL | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,                            \
      "c, in place of `restitution` (penalty)")                                                             \
    P(REAL, exponent, "", TN_OPTIONAL | TN_CHANGEABLE, CONTACT_EXPONENT, 1.0, TN_UNBOUNDED,                 \
      "n of this stiffness (penalty); default 1.5")                                                         \
    P(CHOICE, friction_law, "regularised|bristle", 0, 0, "of penalty")                                      \
    P(REAL, slip_speed, "m/s", TN_CHANGEABLE | TN_ABOVE_LOW, 1e-3, 0.0, TN_UNBOUNDED,                       \
      "v_s, slip at which regularised friction is nearly full")                                             \
    P(REAL, stribeck_speed, "m/s", TN_CHANGEABLE | TN_ABOVE_LOW, 1e-2, 0.0, TN_UNBOUNDED,                   \
      "v_0, slip over which mu_s falls to mu")                                                              \
    P(REAL, bristle_length, "m", TN_CHANGEABLE | TN_ABOVE_LOW, 1e-4, 0.0, TN_UNBOUNDED,                     \
      "z_0, way of a bristle until it slips")                                                               \
    P(REAL, bristle_time, "s", TN_CHANGEABLE, 5e-3, 0.0, TN_UNBOUNDED, "t_0, damping of bristles")          \
    P(PRIVATE, contact_setup *, setup)

/* The law of a pair of materials. */
typedef struct contact_law {
    double friction, static_friction, restitution, threshold;
    double stiffness, exponent;
    double loss;    /* c v_i, which follows from the restitution; NaN where c itself is given: */
    double damping; /* c */
} contact_law;

/* Two shapes that may touch, and their possible points. */
typedef struct contact_pair {
    uint32_t first, second; /* markers, the first one with the lower number */
    uint32_t from, to;      /* points from, ..., to - 1 */
    const contact_law *law;
} contact_pair;

/* What a ball (a sphere, an end of a capsule, or a corner, of radius 0) may touch. */
typedef enum contact_kind { CONTACT_PLANE, CONTACT_BALL, CONTACT_BOX, CONTACT_CAPSULE } contact_kind;

typedef struct contact_point {
    uint32_t pair;
    uint32_t kind;        /* contact_kind */
    uint32_t ball_second; /* 1: the ball is of the second shape of the pair, else of the first one */
    uint32_t feature;     /* the number of the corner or end */
    uint32_t state;       /* of its bristle, among those of the element */
    uint32_t states;      /* 2 on planes, along x and y; else 3, in the axes of the shape that is no ball */
    double centre[3], radius;     /* of the ball, in the axes of its shape */
    double half[3], other_radius; /* of what it touches: half lengths; of a capsule along z, and its radius */
} contact_point;

typedef struct contact_setup {
    uint32_t shapes;
    const tn_shape *const *shape; /* [shapes] */
    char *text;                   /* [CONTACT_TEXT] the message on overlaps at the start */
    uint32_t *material;           /* [shapes] the number of its material */
    uint32_t materials;
    contact_law *law;       /* [materials][materials] in both orders */
    uint8_t *known;         /* [materials][materials] whether the law is there */
    bool noted_restitution; /* the user knows of the least one */

    /* of law penalty, which evaluates all of them in all steps */
    uint32_t pairs, points, states;
    contact_pair *pair;   /* [pairs], by their first and second markers */
    contact_point *point; /* [points], pair by pair */

    /* of law impulse, which finds those that are near */
    double *bound; /* [shapes] radius about the marker; HUGE_VAL of a plane */
    double widest; /* shapes with a larger bound are wide: */
    uint32_t *wide, wide_count;
} contact_setup;

TN_PARAMETERS(contact, CONTACT)

/* Discrete data: first these, then, by penalty, for each point that is closed the speed of its impact, m/s, and for those that are open
 * the speed by which they close, below 0, or 0; then the place of each point at the last accepted state (passage.h). */
enum {
    CONTACT_STARTED,  /* 1 behind the first accepted step */
    CONTACT_NORMAL,   /* of the last step by impulses: N, */
    CONTACT_TANGENT,  /* N, */
    CONTACT_COUNT,    /* number of points, */
    CONTACT_SLIP,     /* m/s, */
    CONTACT_POSITION, /* m [3] */
    CONTACT_PLACED =
        CONTACT_POSITION + 3, /* 1: places are known, 2: and the user of shapes that have passed; */
    CONTACT_TIME,             /* s, when they were kept */
    CONTACT_DATA
};

enum { CONTACT_BY_IMPULSE, CONTACT_BY_PENALTY };

#if TN_VALUES

/* setup.c */
tn_status contact_prepare(const tn_host *host, void *instance);
tn_status contact_shapes(const tn_host *host, void *instance, uint32_t count, const tn_shape *const *shape);
tn_status contact_layout(const tn_host *host, const void *instance, tn_layout *layout);
bool contact_may_touch(const tn_shape *one, const tn_shape *other);
const contact_law *contact_law_of(const contact_setup *setup, uint32_t one, uint32_t other);
uint32_t contact_count_points(const tn_shape *one, const tn_shape *other);
/* A possible point of two shapes, 0 to their count; of its pair and bristle it says nothing. */
contact_point contact_make_point(const tn_shape *one, const tn_shape *other, uint32_t feature);

/* points.c */
uint32_t contact_has_points(const void *instance);
tn_status contact_points(tn_batch *batch, uint32_t instance, double margin, tn_contact_list *list);
tn_status contact_settled(tn_batch *batch, uint32_t instance, uint32_t count, const tn_contact_point *point,
                          const double *impulse, const double *slip, double length);
/* The smallest length of two shapes, m. */
double contact_size_of(const tn_shape *one, const tn_shape *other);
/* The smallest gap, and where it is. */
double contact_smallest_gap(const tn_batch *batch, uint32_t instance, tn_vec3 *position);
/* Refuses points that overlap at the start, or warns of them. */
tn_status contact_check_start(const tn_batch *batch, uint32_t instance);

#endif

#endif
