/* statics.c - what solvers that seek an equilibrium ask for (see statics.h)
 *
 * The potential is that of all types that tell one. Motions are described body by body: the rigid motion that is nearest to what a
 * body does along a direction, by least squares, is a translation or a turn about an axis. */
#include "extensions/statics.h"

#include <tenon/text.h>

#include <math.h>
#include <stdarg.h>
#include <string.h>

static inline struct tn_statics_memory *kept(const tn_assembly *assembly)
{
    return assembly->extension[TN_STATICS_EXTENSION];
}

#define SHARE_NAMED 0.2      /* of the largest motion: bodies that move less are left out */
#define SHARE_OF_TURN 1e-6   /* of a motion: less of it is round-off of a translation */
#define SHARE_OF_SHIFT 1e-6  /* along an axis, of the motion: likewise */
#define SMALLEST_PIVOT 1e-12 /* of normal equations, relative */

enum { MOST_BODIES = 2 };

struct tn_statics_memory {
    tn_statics table;
    double gravity[3]; /* of the model, m/s^2 */
};

/* ---- potential, gravity ---------------------------------------------------------------------------------- */

static tn_status find_potential(tn_system *system, double *potential)
{
    const tn_assembly *assembly = (const tn_assembly *)system;
    double value[TN_CHUNK], sum = 0.0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t first = 0; group->type->potential && first < group->batch.count; first += TN_CHUNK) {
            tn_batch batch = tn_chunk_from(group, first);
            batch.time = system->time;
            batch.value = value;
            const tn_status status = tn_call(group->type, potential, &batch);
            if (status != TN_OK) return status;
            for (uint32_t i = 0; i < batch.count; i++)
                sum += value[i];
        }
    }
    *potential = sum;
    return isfinite(sum) ? TN_OK : TN_RETRY;
}

static void scale_gravity(tn_system *system, double factor)
{
    tn_assembly *assembly = (tn_assembly *)system;
    for (int c = 0; c < 3; c++)
        assembly->model->gravity[c] = factor * kept(assembly)->gravity[c];
}

/* ---- motions of bodies ------------------------------------------------------------------------------------- */

/* Text that is added to, as far as it fits. */
typedef struct words {
    char *text;
    size_t size, used;
} words;

static void add_words(words *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (to->used + 1 < to->size)
        to->used += tn_print_cut_list(to->text + to->used, to->size - to->used, format, arguments);
    va_end(arguments);
}

static double clean(double x) { return fabs(x) < 5e-7 ? 0.0 : x; }

static void add_vector(words *to, const double *x, double factor)
{
    add_words(to, "(%.6g, %.6g, %.6g)", clean(factor * x[0]), clean(factor * x[1]), clean(factor * x[2]));
}

static double length_of(const double *x) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

/* Least squares |R u - d| by normal equations, of which unknowns without a pivot stay 0; n of the six are unknown. */
static void fit_rigid_motion(const double *R, const double *d, uint32_t nv, size_t n, double u[6])
{
    double N[6][7] = {{0.0}}, largest = 0.0;
    for (uint32_t i = 0; i < nv; i++)
        for (size_t r = 0; r < n; r++) {
            for (size_t c = 0; c < n; c++)
                N[r][c] += R[6 * i + r] * R[6 * i + c];
            N[r][6] += R[6 * i + r] * d[i];
        }
    for (size_t r = 0; r < n; r++)
        largest = fmax(largest, N[r][r]);
    bool known[6] = {false};
    for (size_t pass = 0; pass < n; pass++) {
        size_t p = n;
        for (size_t r = 0; r < n; r++)
            if (!known[r] && N[r][r] > SMALLEST_PIVOT * largest && (p == n || N[r][r] > N[p][p])) p = r;
        if (p == n) break;
        known[p] = true;
        for (size_t r = 0; r < n; r++) {
            const double share = r == p ? 0.0 : N[r][p] / N[p][p];
            for (size_t c = 0; c < 7; c++)
                N[r][c] -= share * N[p][c];
        }
    }
    for (size_t r = 0; r < 6; r++)
        u[r] = r < n && known[r] ? N[r][6] / N[r][r] : 0.0;
}

/* A rigid motion, u = velocity of the ground origin and angular velocity, in words. */
static void add_rigid_motion(words *to, const double u[6], double length)
{
    const double *v = u, *w = u + 3, turn = length_of(w), shift = length_of(v);
    if (turn * length <= SHARE_OF_TURN * shift) {
        add_words(to, "translates along ");
        add_vector(to, v, shift > 0.0 ? 1.0 / shift : 0.0);
        return;
    }
    const double square = turn * turn,
                 point[3] = {(w[1] * v[2] - w[2] * v[1]) / square, (w[2] * v[0] - w[0] * v[2]) / square,
                             (w[0] * v[1] - w[1] * v[0]) / square},
                 along = (v[0] * w[0] + v[1] * w[1] + v[2] * w[2]) / turn;
    add_words(to, "turns about ");
    add_vector(to, w, 1.0 / turn);
    add_words(to, " through ");
    add_vector(to, point, 1.0);
    if (fabs(along) > SHARE_OF_SHIFT * turn * length)
        add_words(to, " and slides along it by %.4g m/rad", along / turn);
}

static bool turns_only(const tn_group *group, uint32_t instance)
{
    const char *unit = tn_velocity_unit(group->type, tn_instance(&group->batch, instance), 0);
    return strcmp(unit, "rad") == 0;
}

static bool translates_only(const tn_group *group, uint32_t instance)
{
    for (uint32_t k = 0; k < group->batch.layout->nv; k++)
        if (strcmp(tn_velocity_unit(group->type, tn_instance(&group->batch, instance), k), "m") != 0)
            return false;
    return true;
}

static void add_body(const tn_assembly *assembly, words *to, const tn_group *group, uint32_t instance,
                     const double *d)
{
    const uint32_t nv = group->batch.layout->nv;
    tn_batch batch = tn_sub_batch(group, instance, 1);
    double *R = tn_new((size_t)nv * 6, sizeof *R), u[6];
    batch.rigid_motion = R;
    add_words(to, "`%s` ", tn_item_name(assembly->model, group->item[instance]));
    if (group->type->rigid_motion && nv > 1 && tn_call(group->type, rigid_motion, &batch) == TN_OK) {
        fit_rigid_motion(R, d, nv, translates_only(group, instance) ? 3 : 6, u);
        add_rigid_motion(to, u, assembly->length);
    } else {
        add_words(to, turns_only(group, instance) ? "turns" : "moves");
    }
    tn_free(R);
}

/* The largest component of a body's motion against its scale. */
static double size_of_motion(const tn_assembly *assembly, const double *direction, size_t first, size_t nv)
{
    double size = 0.0;
    for (size_t i = first; i < first + nv; i++)
        size = fmax(size, fabs(direction[i]) / (assembly->scale[i] > 0.0 ? assembly->scale[i] : 1.0));
    return size;
}

/* A body, by its group and its number there. */
typedef struct body {
    const tn_group *group;
    uint32_t instance;
} body;

static bool is_among(const body *list, uint32_t count, const tn_group *group, uint32_t instance)
{
    for (uint32_t k = 0; k < count; k++)
        if (list[k].group == group && list[k].instance == instance) return true;
    return false;
}

/* The body that moves most of those that are not listed; how many move more than `least`. */
static body find_fastest(const tn_assembly *assembly, const double *direction, const body *list,
                         uint32_t listed, double least, double *size, uint32_t *count)
{
    body fastest = {NULL, 0};
    *size = 0.0;
    *count = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const size_t nv = group->batch.layout->nv;
        for (uint32_t i = 0; nv && i < group->batch.count; i++) {
            const double own = size_of_motion(assembly, direction, group->v_start + i * nv, nv);
            if (!(own > least) || is_among(list, listed, group, i)) continue;
            *count += 1;
            if (own > *size) {
                *size = own;
                fastest = (body){group, i};
            }
        }
    }
    return fastest;
}

/* Bodies by the size of their motions, the largest first; those that there is no place for are counted. */
static void describe_motion(const tn_assembly *assembly, const double *direction, words *to)
{
    body list[MOST_BODIES];
    double least = 0.0, size = 0.0;
    uint32_t listed = 0, left = 0;
    body next = find_fastest(assembly, direction, list, listed, least, &size, &left);
    least = SHARE_NAMED * size;
    while (next.group && listed < MOST_BODIES) {
        if (listed) add_words(to, ", ");
        add_body(assembly, to, next.group, next.instance,
                 direction + next.group->v_start + next.instance * next.group->batch.layout->nv);
        list[listed++] = next;
        next = find_fastest(assembly, direction, list, listed, least, &size, &left);
    }
    if (left) add_words(to, " and %u more", left);
}

static void describe(tn_system *system, const double *direction, char *text, size_t size)
{
    words to = {text, size, 0};
    text[0] = '\0';
    (void)tn_attempt(tn_memory_now(), describe_motion((const tn_assembly *)system, direction, &to));
}

/* ---- names ---------------------------------------------------------------------------------------------------- */

static const char *name_owner(tn_system *system, uint32_t coordinate, uint32_t *first, uint32_t *count)
{
    const tn_assembly *assembly = (const tn_assembly *)system;
    const tn_group *group = assembly->group;
    while (coordinate - group->v_start >= group->batch.layout->nv * group->batch.count)
        group++;
    const uint32_t nv = group->batch.layout->nv, instance = (coordinate - group->v_start) / nv;
    *first = group->v_start + instance * nv;
    *count = nv;
    return tn_item_name(assembly->model, group->item[instance]);
}

static const char *name_switching(tn_system *system)
{
    const tn_assembly *assembly = (const tn_assembly *)system;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t i = 0; group->type->update && i < group->batch.count; i++)
            if (!group->batch.active || group->batch.active[i])
                return tn_item_name(assembly->model, group->item[i]);
    }
    return NULL;
}

/* ---- the table ------------------------------------------------------------------------------------------------ */

static void make_statics(tn_assembly *assembly)
{
    struct tn_statics_memory *m = tn_assembly_new(assembly, 1, sizeof *m);
    const double *gravity = assembly->model->gravity;
    memcpy(m->gravity, gravity, sizeof m->gravity);
    m->table = (tn_statics){.struct_size = sizeof m->table,
                            .has_gravity = gravity[0] != 0.0 || gravity[1] != 0.0 || gravity[2] != 0.0,
                            .potential = find_potential,
                            .scale_gravity = scale_gravity,
                            .describe = describe,
                            .owner = name_owner,
                            .switching = name_switching};
    assembly->extension[TN_STATICS_EXTENSION] = m;
}

const tn_statics *tn_statics_of(tn_assembly *assembly)
{
    if (!kept(assembly)) (void)tn_attempt(tn_memory_now(), make_statics(assembly));
    return kept(assembly) ? &kept(assembly)->table : NULL;
}
