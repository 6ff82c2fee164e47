/* motions.c - motions of bodies in words (see motions.h)
 *
 * Motions are described body by body: the rigid motion that is nearest to what a body does along the direction, by least squares,
 * is a translation or a turn about an axis. */
#include "extensions/motions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHARE_NAMED 0.2      /* of the largest motion: bodies that move less are left out */
#define SHARE_OF_TURN 1e-6   /* of a motion: less of it is round-off of a translation */
#define SHARE_OF_SHIFT 1e-6  /* along an axis, of the motion: likewise */
#define SMALLEST_PIVOT 1e-12 /* of normal equations, relative */

enum { MOST_BODIES = 2 };

/* A body, and what it does along the direction. */
typedef struct body {
    const tn_group *group;
    uint32_t instance;
    const double *moves; /* [nv] */
    double size;         /* of the largest component, against its scale */
} body;

/* ---- rigid motions ----------------------------------------------------------------------------------------- */

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

static double clean(double x) { return fabs(x) < 5e-7 ? 0.0 : x; }

static void add_vector(tn_text *text, const double *x, double factor)
{
    tn_text_add(text, "(%.6g, %.6g, %.6g)", clean(factor * x[0]), clean(factor * x[1]), clean(factor * x[2]));
}

static double length_of(const double *x) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

/* u: velocity of the ground origin and angular velocity. */
static void add_rigid_motion(tn_text *text, const double u[6], double length)
{
    const double *v = u, *w = u + 3, turn = length_of(w), shift = length_of(v);
    if (turn * length <= SHARE_OF_TURN * shift) {
        tn_text_add(text, "translates along ");
        add_vector(text, v, shift > 0.0 ? 1.0 / shift : 0.0);
        return;
    }
    const double square = turn * turn,
                 point[3] = {(w[1] * v[2] - w[2] * v[1]) / square, (w[2] * v[0] - w[0] * v[2]) / square,
                             (w[0] * v[1] - w[1] * v[0]) / square},
                 along = (v[0] * w[0] + v[1] * w[1] + v[2] * w[2]) / turn;
    tn_text_add(text, "turns about ");
    add_vector(text, w, 1.0 / turn);
    tn_text_add(text, " through ");
    add_vector(text, point, 1.0);
    if (fabs(along) > SHARE_OF_SHIFT * turn * length)
        tn_text_add(text, " and slides along it by %.4g m/rad", along / turn);
}

/* ---- bodies ------------------------------------------------------------------------------------------------ */

static bool has_unit(const body *b, uint32_t coordinate, const char *unit)
{
    const void *instance = tn_instance(&b->group->batch, b->instance);
    return strcmp(tn_velocity_unit(b->group->type, instance, coordinate), unit) == 0;
}

static bool translates_only(const body *b)
{
    for (uint32_t k = 0; k < b->group->batch.layout->nv; k++)
        if (!has_unit(b, k, "m")) return false;
    return true;
}

static void add_own_motion(tn_text *text, const tn_assembly *assembly, const body *b)
{
    const uint32_t nv = b->group->batch.layout->nv;
    tn_batch batch = tn_sub_batch(b->group, b->instance, 1);
    double *R = batch.rigid_motion = tn_new((size_t)nv * 6, sizeof *R), u[6];
    if (b->group->type->rigid_motion && nv > 1 && tn_call(b->group->type, rigid_motion, &batch) == TN_OK) {
        fit_rigid_motion(R, b->moves, nv, translates_only(b) ? 3 : 6, u);
        add_rigid_motion(text, u, assembly->length);
    } else {
        tn_text_add(text, has_unit(b, 0, "rad") ? "turns" : "moves");
    }
    tn_free(R);
}

/* The larger motion first; of equal ones that of the earlier body. */
static int compare_sizes(const void *a, const void *b)
{
    const body *x = a, *y = b;
    return x->size != y->size ? (x->size < y->size ? 1 : -1) : (x->moves > y->moves) - (x->moves < y->moves);
}

/* The bodies that move, largest motion first. */
static body *list_bodies(const tn_assembly *assembly, const double *direction, size_t *count)
{
    body *list = tn_new(assembly->system.nv, sizeof *list);
    *count = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const uint32_t nv = group->batch.layout->nv;
        for (uint32_t i = 0; nv && i < group->batch.count; i++) {
            const uint32_t start = group->v_start + i * nv;
            body b = {group, i, direction + start, 0.0};
            for (uint32_t c = 0; c < nv; c++)
                b.size = fmax(b.size, fabs(b.moves[c]) / assembly->scale[start + c]);
            if (b.size > 0.0) list[(*count)++] = b;
        }
    }
    qsort(list, *count, sizeof *list, compare_sizes);
    return list;
}

static void add_name(tn_text *text, const tn_assembly *assembly, const body *b, bool with_place)
{
    const uint32_t item = b->group->item[b->instance];
    const tn_place place = assembly->model->item[item].origin->at->place;
    const char *name = tn_item_name(assembly->model, item);
    if (with_place)
        tn_text_add(text, "%s `%s` (%s:%u:%u) ", b->group->type->name, name, place.file, place.line,
                    place.column);
    else
        tn_text_add(text, "`%s` ", name);
}

void tn_add_motion(tn_text *text, const tn_assembly *assembly, const double *direction, bool with_place)
{
    size_t count = 0, named = 0;
    body *list = list_bodies(assembly, direction, &count);
    while (count && !(list[count - 1].size > SHARE_NAMED * list[0].size))
        count--;
    for (; named < count && named < MOST_BODIES; named++) {
        if (named) tn_text_add(text, ", ");
        add_name(text, assembly, &list[named], with_place && named == 0);
        add_own_motion(text, assembly, &list[named]);
    }
    if (count > named) tn_text_add(text, " and %zu more", count - named);
    tn_free(list);
}
