/* corrections.c - tells what the start, or a change of the model, has moved to meet the constraints */
#include "analysis/culprit.h"
#include "values/value_graph.h"

#include <math.h>
#include <string.h>

#define NOTICED 1e-9        /* of the size of the model, or rad, and likewise of speeds */
#define WORTH_A_WARNING 0.1 /* of the size of the model, or rad */
enum { MOST_NOTES = 8 };

static double distance(const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* Angle between two rotations, from what their axes have moved. */
static double angle_between(const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < 9; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return 2.0 * asin(fmin(1.0, sqrt(sum / 8.0)));
}

/* Of a coordinate that stands in the state of its body; others are those of a position. */
static bool is_angle(const tn_assembly *assembly, uint32_t marker)
{
    const char *unit = tn_coordinate_unit(assembly->model, marker);
    return unit && strcmp(unit, "rad") == 0;
}

/* How far a marker has moved (m, rad) and how much its velocity has changed (m/s, rad/s). */
static void compare_marker(const tn_assembly *assembly, uint32_t marker, const double *configuration,
                           const double *motion, double moved[4])
{
    const tn_marker_place place = assembly->station[marker].place;
    const double *pose = assembly->configuration + place.pose, *twist = assembly->motion + place.twist;
    const double *old_pose = configuration + place.pose, *old_twist = motion + place.twist;
    const uint32_t kind = assembly->model->marker[marker].kind;
    const uint32_t numbers = tn_is_node(kind) ? tn_pose_size(kind) : kind == TN_COORDINATE;
    for (uint32_t k = 0; k < numbers; k++) {
        const size_t v = place.twist + k;
        const int angle = kind == TN_COORDINATE ? is_angle(assembly, marker)
                                                : v < assembly->system.nv && assembly->system.angular[v];
        moved[angle] = fmax(moved[angle], fabs(pose[k] - old_pose[k]));
        moved[2 + angle] = fmax(moved[2 + angle], fabs(twist[k] - old_twist[k]));
    }
    if (numbers) return;
    moved[0] = fmax(moved[0], distance(pose, old_pose));
    moved[2] = fmax(moved[2], distance(twist, old_twist));
    if (kind != TN_FRAME) return;
    moved[1] = fmax(moved[1], angle_between(pose + 3, old_pose + 3));
    moved[3] = fmax(moved[3], distance(twist + 3, old_twist + 3));
}

/* The largest one of a number of `compare`, and the body that it belongs to. */
typedef struct largest {
    double by;
    const char *name;
} largest;

typedef struct corrections {
    const tn_assembly *assembly;
    double (*moved)[4]; /* [items] */
    double size[4];     /* what they are measured against */
} corrections;

/* True when the constraints changed one of the numbers first ... last - 1 of an item by more than a share of its size. */
static bool exceeds(const corrections *all, uint32_t item, int first, int last, double share)
{
    bool any = false;
    for (int c = first; c < last; c++)
        any = any || all->moved[item][c] > share * all->size[c];
    return any;
}

/* Degrees of importance of a correction; velocities alone are told of all bodies together. */
typedef enum importance { UNNOTICED, NEW_VELOCITY, MOVED, MOVED_FAR } importance;

static importance importance_of(const corrections *all, uint32_t item)
{
    if (exceeds(all, item, 0, 2, WORTH_A_WARNING)) return MOVED_FAR;
    if (exceeds(all, item, 0, 2, NOTICED)) return MOVED;
    return exceeds(all, item, 2, 4, NOTICED) ? NEW_VELOCITY : UNNOTICED;
}

static size_t count_of(const corrections *all, importance least, importance most)
{
    size_t count = 0;
    for (uint32_t item = 0; item < all->assembly->model->names.count; item++)
        count += importance_of(all, item) >= least && importance_of(all, item) <= most;
    return count;
}

static void tell_body(const corrections *all, uint32_t item, tn_severity severity)
{
    const tn_model *model = all->assembly->model;
    const double *moved = all->moved[item];
    tn_model_tell(
        model, severity, model->item[item].origin->at->place,
        "the constraints moved `%s` by %.3g m and %.3g rad, and changed its velocity by %.3g m/s and %.3g "
        "rad/s, at %.9g s",
        tn_item_name(model, item), moved[0], moved[1], moved[2], moved[3], all->assembly->system.time);
}

/* A line for each body, up to MOST_NOTES. */
static void tell_bodies(const corrections *all, importance wanted, tn_severity severity)
{
    const tn_model *model = all->assembly->model;
    size_t notes = 0;
    for (uint32_t item = 0; item < model->names.count; item++)
        if (importance_of(all, item) == wanted && ++notes <= MOST_NOTES) tell_body(all, item, severity);
    if (notes > MOST_NOTES)
        tn_model_tell(model, severity, (tn_place){0}, "the constraints moved %zu other bodies likewise",
                      notes - MOST_NOTES);
}

/* The largest changes among bodies from the least of two importances to the most. */
static void find_largest(const corrections *all, importance least, importance most, largest found[4])
{
    const tn_model *model = all->assembly->model;
    for (int c = 0; c < 4; c++)
        found[c] = (largest){0.0, "-"};
    for (uint32_t item = 0; item < model->names.count; item++) {
        const importance own = importance_of(all, item);
        for (int c = 0; c < 4 && own >= least && own <= most; c++)
            if (all->moved[item][c] > found[c].by)
                found[c] = (largest){all->moved[item][c], tn_item_name(model, item)};
    }
}

static void tell_velocities(const corrections *all, size_t count)
{
    largest most[4];
    find_largest(all, NEW_VELOCITY, NEW_VELOCITY, most);
    tn_model_tell(
        all->assembly->model, TN_SEVERITY_NOTE, (tn_place){0},
        "the constraints changed the velocities of %zu bodies by up to %.3g m/s (`%s`) and %.3g rad/s "
        "(`%s`), at %.9g s",
        count, most[2].by, most[2].name, most[3].by, most[3].name, all->assembly->system.time);
}

static void tell_all(const corrections *all, size_t count, bool far)
{
    largest most[4];
    find_largest(all, NEW_VELOCITY, MOVED_FAR, most);
    tn_model_tell(
        all->assembly->model, far ? TN_SEVERITY_WARNING : TN_SEVERITY_NOTE, (tn_place){0},
        "all %zu bodies follow motions: these moved them by up to %.3g m (`%s`) and %.3g rad (`%s`), and "
        "changed their velocities by up to %.3g m/s (`%s`) and %.3g rad/s (`%s`), at %.9g s",
        count, most[0].by, most[0].name, most[1].by, most[1].name, most[2].by, most[2].name, most[3].by,
        most[3].name, all->assembly->system.time);
}

/* Where something is driven and every body is where the constraints took it. */
static bool all_follow_motions(const corrections *all, size_t told)
{
    const tn_assembly *assembly = all->assembly;
    bool driven = false;
    size_t bodies = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        driven = driven || (group->rows && group->type->flags & TN_DRIVEN);
        if (group->batch.layout->nv) bodies += group->batch.count;
    }
    return driven && told == bodies;
}

void tn_corrections_tell(const tn_assembly *assembly, const double *configuration, const double *motion)
{
    const tn_model *model = assembly->model;
    const double length = assembly->length;
    const corrections all = {
        assembly, tn_new(model->names.count, sizeof *all.moved), {length, 1.0, length, 1.0}};
    for (uint32_t k = 0; k < model->marker_count; k++)
        if (assembly->station[k].group != TN_NONE)
            compare_marker(assembly, k, configuration, motion, all.moved[model->marker[k].body]);
    const size_t told = count_of(&all, NEW_VELOCITY, MOVED_FAR);
    const size_t far = count_of(&all, MOVED_FAR, MOVED_FAR),
                 fast = count_of(&all, NEW_VELOCITY, NEW_VELOCITY);
    if (told > 1 && all_follow_motions(&all, told)) {
        tell_all(&all, told, far > 0);
    } else {
        tell_bodies(&all, MOVED_FAR, TN_SEVERITY_WARNING);
        tell_bodies(&all, MOVED, TN_SEVERITY_NOTE);
        if (fast == 1) tell_bodies(&all, NEW_VELOCITY, TN_SEVERITY_NOTE);
        if (fast > 1) tell_velocities(&all, fast);
    }
    tn_free(all.moved);
}
