/* scene.h - a batch of random instances of a connector on random markers */
#ifndef TENON_TESTS_SCENE_H
#define TENON_TESTS_SCENE_H

#include "harness.h"

enum { TN_MOST_PORTS = 8, TN_MOST_MARKERS = 16, TN_MOST_PER_PORT = 3 };

/* How many markers of which kind are plugged into the ports. */
typedef struct tn_combination {
    uint32_t ports, count;
    uint32_t kind[TN_MOST_MARKERS];
    uint32_t port_first[TN_MOST_PORTS + 1];
} tn_combination;

typedef struct tn_scene {
    tn_trial *trial;
    const tn_loaded_element *type;
    bool callables;       /* the instances have user's functions */
    uint32_t count;       /* instances */
    uint32_t wrench_size; /* W, doubles of the wrenches of one instance */
    const tn_combination *ports;
    tn_dynamics dynamics;
    tn_layout layout;
    tn_instances instances;
    const tn_marker_place *places; /* [count][markers] */
    size_t poses, twists;          /* doubles of the arrays, gaps included */
    double *pose, *twist;          /* markers stand apart with NaN between them */
    const uint8_t *active;
    tn_column_block columns[5];
    double *x, *s, *lambda, *d;
    double gravity[3], time;
} tn_scene;

typedef void (*tn_scene_check)(tn_trial *trial, const tn_scene *scene);
/* Runs a check on TN_SAMPLES random instances for every combination of markers that the type accepts, with
 * and without callables, and with `choices` first ways to choose dynamic parameters. */
void tn_for_each_scene(tn_trial *trial, int choices, tn_scene_check check);

/* Calls into the type; a failing call is a failure of the trial. */
bool tn_scene_force(const tn_scene *scene, double *wrench);
bool tn_scene_force_tangent(const tn_scene *scene, double *wrench, double *tangent);
bool tn_scene_potential(const tn_scene *scene, double *value);
bool tn_scene_dissipation(const tn_scene *scene, double *value);
/* The discrete data become what an accepted step at this state leaves. */
bool tn_scene_accept(const tn_scene *scene);
/* `wrench` is what stands on the markers. */
bool tn_scene_output(const tn_scene *scene, uint32_t output, uint32_t first, uint32_t count, double *wrench,
                     double *value);
/* Of a constraint: [count][rows], [count][rows][W], [count][W][W] with the multipliers of the scene. */
bool tn_scene_constraint(const tn_scene *scene, double *residual);
bool tn_scene_constraint_rate(const tn_scene *scene, double *residual);
bool tn_scene_constraint_bias(const tn_scene *scene, double *residual);
bool tn_scene_constraint_rows(const tn_scene *scene, double *rows);
bool tn_scene_constraint_stiffness(const tn_scene *scene, double *stiffness);
static inline uint32_t tn_scene_rows(const tn_scene *scene)
{
    return scene->layout.position_rows + scene->layout.velocity_rows;
}
/* Value and rate of a coordinate, [count][2], and the derivatives of the rate, [count][2 W]. */
bool tn_scene_coordinate(const tn_scene *scene, uint32_t coordinate, double *value);
bool tn_scene_coordinate_tangent(const tn_scene *scene, uint32_t coordinate, double *tangent);
/* Of a marker type. */
bool tn_scene_kinematics(const tn_scene *scene, double *value);
bool tn_scene_kinematics_tangent(const tn_scene *scene, double *tangent);
/* `force` (or `kinematics`) where its law may have no value: that is no failure of the trial. */
tn_status tn_scene_try_force(const tn_scene *scene, double *wrench);

/* Rates of the states, [count][nx], and with them their derivatives, [count][nx][columns]. */
bool tn_scene_rates(const tn_scene *scene, double *rate);
bool tn_scene_rates_tangent(const tn_scene *scene, double *rate, double *tangent);
/* Residuals of the algebraic equations, [count][ns], and with them their derivatives, [count][ns][columns]. */
bool tn_scene_equations(const tn_scene *scene, double *residual);
bool tn_scene_equations_tangent(const tn_scene *scene, double *residual, double *tangent);
/* Columns of tangents: poses, twists, dynamic parameters, states, algebraic unknowns. */
static inline uint32_t tn_scene_columns(const tn_scene *scene)
{
    return 2 * scene->wrench_size + scene->dynamics.columns + scene->layout.nx + scene->layout.ns;
}
/* The tangent's block of columns that this one belongs to. */
tn_column_block tn_scene_block(const tn_scene *scene, uint32_t column);
/* Instances first ... first + count - 1 of the same memory. */
tn_scene tn_scene_part(const tn_scene *scene, uint32_t first, uint32_t count);
/* Instances in another order. */
tn_scene tn_scene_reordered(const tn_scene *scene, const uint32_t *order);
/* A copy whose instances, poses, twists, states and unknowns can be changed; and the way back to the original's. */
tn_scene tn_scene_copy(const tn_scene *scene);
void tn_scene_reset(tn_scene *copy, const tn_scene *original);
/* Moves all markers by step * direction, [count][W]: displacement and rotation vector in ground axes. */
void tn_scene_move(tn_scene *scene, const double *direction, double step);
void tn_scene_accelerate(tn_scene *scene, const double *direction, double step);
/* Of a constraint whose rows read algebraic unknowns: the unknowns become those of the markers where they are now, from where
 * they were before; NaN where none are found. Nothing changes for other types. */
bool tn_scene_has_followers(const tn_scene *scene);
void tn_scene_follow(const tn_scene *scene);
/* Those of a single instance, from anywhere; false where none are found that are far from where the equations are singular. */
bool tn_scene_find_unknowns(const tn_scene *one);
/* Another observer's view of the same scene: all turned by Q and moved by `shift`. */
void tn_scene_turn(tn_scene *scene, tn_mat3 Q, tn_vec3 shift);
/* Checksum of all that a plugin must not write. */
uint64_t tn_scene_checksum(const tn_scene *scene);

static inline double *tn_scene_pose(const tn_scene *scene, uint32_t i, uint32_t k)
{
    return scene->pose + scene->places[i * scene->ports->count + k].pose;
}
static inline double *tn_scene_twist(const tn_scene *scene, uint32_t i, uint32_t k)
{
    return scene->twist + scene->places[i * scene->ports->count + k].twist;
}
/* The twists of all markers as one direction, [count][W]. */
double *tn_scene_twists(const tn_scene *scene);
/* Whether all markers are points and frames. */
static inline bool tn_all_in_space(const tn_scene *scene)
{
    bool all = true;
    for (uint32_t k = 0; k < scene->ports->count; k++)
        all = all && (scene->ports->kind[k] == TN_POINT || scene->ports->kind[k] == TN_FRAME);
    return all;
}
/* Numbers of a pose that increments are added to; those of a frame's rotation matrix are not. */
static inline uint32_t tn_added(uint32_t kind) { return kind == TN_FRAME ? 3 : tn_pose_size(kind); }
/* Number of markers in a port. */
static inline uint32_t tn_markers_in(const tn_scene *scene, uint32_t port)
{
    return scene->ports->port_first[port + 1] - scene->ports->port_first[port];
}

/* Whether an instance has a direction in ground axes (TN_TURNS), which ties it to them. */
static inline bool tn_has_ground_direction(const tn_scene *scene, uint32_t i)
{
    const unsigned char *instance = tn_instance_at(scene->instances, i);
    for (const tn_parameter *p = scene->type->parameters; p && p->name; p++)
        for (uint32_t k = 0; p->flags & TN_TURNS && k < p->count; k++)
            if (((const double *)(const void *)(instance + p->offset))[k] != 0.0) return true;
    return false;
}

#endif
