/* share.c - reactions of contacts that are not unique: those of least norm
 *
 * A body on four corners moves in the same way however these share its weight. Of all impulses p with the same G^T p, those of the
 * smallest sum of squares are
 *
 *     p = S G y,   G^T S G y = G^T p
 *
 * where S keeps directions of contacts that slide, and all of those that stick. Where such a p would leave a cone, the way to it ends
 * there, and goes on without what has come to its limit. Joints keep their impulses. */
#include "moreau.h"

#include "tenon/kit/growing.h"

#define STILL 1e-6  /* of velocities at a contact: slower slip counts as sticking */
#define FOUND 1e-13 /* residual, relative to the right-hand side, at which the iteration ends */
#define GOOD 1e-9   /* residual above which y is not used */
#define OTHER 1e-6  /* distance of a random p from that of least norm above which reactions are not unique */
enum { MOST_ROWS = 150, ROUNDS = 8 };

enum { OUT, ALONG, FREE }; /* unknowns of a block: none, one along its impulse, all */

static bool make_room(moreau_work *work)
{
    const size_t rows = work->main.table.rows, nv = work->system->nv;
    return tn_grow_array(&work->share.kind, &work->share.kind_room, work->main.table.blocks + (size_t)1, 1) &&
           tn_grow_array(&work->share.row, &work->share.row_room, 3 * rows + 1, sizeof(double)) &&
           tn_grow_array(&work->share.v, &work->share.v_room, 4 * nv + 1, sizeof(double));
}

/* ---- S, G ------------------------------------------------------------------------------------------------------- */

static double *direction_of(const moreau_work *work) { return work->share.row; }

/* Whether a contact slips at the end of the step, by more than the error of impulses. */
static bool slips(const moreau_work *work, const tn_impulse_block *block)
{
    const tn_impulse_problem *p = &work->main.table;
    double slip = 0.0, size = work->fall;
    for (uint32_t r = block->first + 1; r < block->first + block->rows; r++) {
        const uint32_t source = work->main.source[r];
        double rate = source < work->system->rows ? work->drift[source] : 0.0;
        for (uint32_t e = p->row_start[r]; e < p->row_start[r + 1]; e++) {
            const double part = p->value[e] * (work->Vp[p->column[e]] + work->z[p->column[e]]);
            rate += part;
            size += fabs(part);
        }
        slip = fmax(slip, fabs(rate));
    }
    return slip > STILL * size;
}

/* Chooses the unknowns of a block by its impulse; returns their number. */
static uint32_t choose_kind(moreau_work *work, uint32_t b)
{
    const tn_impulse_block *block = &work->main.table.block[b];
    const double *p = work->main.impulse + block->first;
    double *along = direction_of(work) + block->first;
    uint8_t *kind = &work->share.kind[b];
    *kind = OUT;
    if (block->law == TN_JOINT_LAW || !(p[0] > 0.0)) return 0;
    const double across = block->rows == 3 ? hypot(p[1], p[2]) : 0.0;
    *kind = block->rows == 3 && block->friction > 0.0 && !slips(work, block) ? FREE : ALONG;
    const double size = hypot(p[0], across);
    for (uint32_t i = 0; i < block->rows; i++)
        along[i] = p[i] / size;
    return *kind == FREE ? 3 : 1;
}

static void multiply_by_S(const moreau_work *work, double *p)
{
    const tn_impulse_problem *problem = &work->main.table;
    for (uint32_t b = 0; b < problem->blocks; b++) {
        const tn_impulse_block *block = &problem->block[b];
        const double *along = direction_of(work) + block->first;
        double sum = 0.0;
        if (work->share.kind[b] == FREE) continue;
        for (uint32_t i = 0; i < block->rows; i++)
            sum += along[i] * p[block->first + i];
        for (uint32_t i = 0; i < block->rows; i++)
            p[block->first + i] = work->share.kind[b] == ALONG ? sum * along[i] : 0.0;
    }
}

/* p = S G y */
static void to_rows(const moreau_work *work, const double *y, double *p)
{
    const tn_impulse_problem *problem = &work->main.table;
    for (uint32_t r = 0; r < problem->rows; r++) {
        p[r] = 0.0;
        for (uint32_t e = problem->row_start[r]; e < problem->row_start[r + 1]; e++)
            p[r] += problem->value[e] * y[problem->column[e]];
    }
    multiply_by_S(work, p);
}

/* w = G^T p of the rows with unknowns */
static void to_bodies(const moreau_work *work, const double *p, double *w)
{
    const tn_impulse_problem *problem = &work->main.table;
    memset(w, 0, problem->nv * sizeof *w);
    for (uint32_t b = 0; b < problem->blocks; b++)
        for (uint32_t i = 0; work->share.kind[b] != OUT && i < problem->block[b].rows; i++) {
            const uint32_t r = problem->block[b].first + i;
            for (uint32_t e = problem->row_start[r]; e < problem->row_start[r + 1]; e++)
                w[problem->column[e]] += problem->value[e] * p[r];
        }
}

static double product(const double *a, const double *b, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* ---- least norm --------------------------------------------------------------------------------------------------- */

/* The p of least norm with the same G^T p, by conjugate gradients; false where they do not find it. */
static bool find_least(const moreau_work *work, const double *p, double *least)
{
    const uint32_t nv = work->system->nv;
    double *y = work->share.v, *rest = y + nv, *way = rest + nv, *image = way + nv;
    to_bodies(work, p, rest);
    memset(y, 0, nv * sizeof *y);
    memcpy(way, rest, nv * sizeof *way);
    double square = product(rest, rest, nv);
    const double first = square;
    for (uint32_t k = 0; k < 2 * nv + 20 && square > FOUND * FOUND * first; k++) {
        to_rows(work, way, least);
        to_bodies(work, least, image);
        const double curvature = product(way, image, nv);
        if (!(curvature > 0.0)) break;
        const double step = square / curvature;
        for (uint32_t j = 0; j < nv; j++) {
            y[j] += step * way[j];
            rest[j] -= step * image[j];
        }
        const double before = square;
        square = product(rest, rest, nv);
        for (uint32_t j = 0; j < nv; j++)
            way[j] = rest[j] + square / before * way[j];
    }
    to_rows(work, y, least);
    return square <= GOOD * GOOD * first;
}

/* The share, 0 to 1, of the line from p to `least` that is in the cone of a block. */
static double way_in_cone(const moreau_work *work, uint32_t b, const double *p, const double *least)
{
    const tn_impulse_block *block = &work->main.table.block[b];
    const double *from = p + block->first, *to = least + block->first;
    const double normal = to[0] - from[0];
    double most = normal < 0.0 && from[0] + normal < 0.0 ? from[0] / -normal : 1.0;
    if (work->share.kind[b] != FREE) return most;
    const double mu = block->friction, x = to[1] - from[1], y = to[2] - from[2];
    const double a = x * x + y * y - mu * mu * normal * normal;
    const double c = from[1] * from[1] + from[2] * from[2] - mu * mu * from[0] * from[0]; /* below 0 */
    const double half = x * from[1] + y * from[2] - mu * mu * normal * from[0];
    if (a + 2.0 * half + c <= 0.0 && to[0] >= 0.0) return most;
    const double root = sqrt(fmax(half * half - a * c, 0.0));
    if (half > 0.0) return fmin(fmax(-c, 0.0) / (half + root), most);
    return a > 0.0 ? fmin((root - half) / a, most) : 0.0;
}

/* Moves towards `least` as far as all cones allow, and fixes blocks at their limit; returns whether it reached `least`. */
static bool go_to(moreau_work *work, const double *least)
{
    const tn_impulse_problem *problem = &work->main.table;
    double *p = work->main.impulse, most = 1.0;
    uint32_t first = problem->blocks;
    for (uint32_t b = 0; b < problem->blocks; b++) {
        const double way = work->share.kind[b] == OUT ? 1.0 : way_in_cone(work, b, p, least);
        if (way >= most) continue;
        most = way;
        first = b;
    }
    for (uint32_t b = 0; b < problem->blocks; b++)
        for (uint32_t i = 0; work->share.kind[b] != OUT && i < problem->block[b].rows; i++) {
            const uint32_t r = problem->block[b].first + i;
            p[r] += most * (least[r] - p[r]);
        }
    if (first == problem->blocks) return true;
    const tn_impulse_block *block = &problem->block[first];
    if (!(p[block->first] > 1e-12 * fabs(least[block->first])))
        memset(p + block->first, 0, block->rows * sizeof *p);
    (void)choose_kind(work, first);
    if (work->share.kind[first] == FREE) work->share.kind[first] = ALONG; /* it is at its limit */
    return false;
}

/* Whether G^T has a null space: nearly all p have a component in it. */
static bool has_others(const moreau_work *work, double *number, double *least)
{
    const uint32_t rows = work->main.table.rows;
    uint32_t random = 1;
    for (uint32_t r = 0; r < rows; r++) {
        random = random * 1664525u + 1013904223u;
        number[r] = (double)(random >> 8) * 0x1p-24 - 0.5;
    }
    multiply_by_S(work, number);
    if (!find_least(work, number, least)) return false;
    const double all = product(number, number, rows);
    for (uint32_t r = 0; r < rows; r++)
        number[r] -= least[r];
    return product(number, number, rows) > OTHER * OTHER * all;
}

static uint32_t first_owner(const moreau_work *work)
{
    uint32_t b = 0;
    while (b + 1 < work->main.table.blocks && work->share.kind[b] == OUT)
        b++;
    return work->main.table.block[b].owner;
}

/* A hash of the acting contacts and their states. */
static uint32_t sum_up(const moreau_work *work)
{
    uint32_t sum = 2166136261u;
    for (uint32_t b = 0; b < work->main.table.blocks; b++)
        if (work->share.kind[b] != OUT)
            sum = (sum ^ (4 * work->main.source[work->main.table.block[b].first] + work->share.kind[b])) *
                  16777619u;
    return sum;
}

/* Counts steps whose reactions are not unique; checked again where other contacts act. */
static void count_step(moreau_work *work, double *number, double *least)
{
    moreau_stand *stand = &work->stand;
    const uint32_t acting = sum_up(work);
    if (acting != stand->acting) stand->not_unique = has_others(work, number, least);
    stand->acting = acting;
    if (stand->not_unique && !stand->shared++) stand->shared_owner = first_owner(work);
}

tn_status tn_moreau_share(moreau_work *work)
{
    const tn_impulse_problem *problem = &work->main.table;
    uint32_t unknowns = 0;
    if (!work->contacts && work->only_joints) return TN_OK;
    if (problem->rows > MOST_ROWS) work->stand.large++;
    if (!problem->rows || problem->rows > MOST_ROWS) return TN_OK;
    if (!make_room(work)) return TN_OUT_OF_MEMORY;
    for (uint32_t b = 0; b < problem->blocks; b++)
        unknowns += choose_kind(work, b);
    if (!unknowns) return TN_OK;
    double *least = work->share.row + problem->rows, *number = least + problem->rows;
    count_step(work, number, least);
    if (!work->stand.not_unique) return TN_OK;
    for (int k = 0; k < ROUNDS && find_least(work, work->main.impulse, least); k++)
        if (go_to(work, least)) break;
    return TN_OK;
}

void tn_moreau_tell_shared(const moreau_work *work)
{
    const tn_host *host = work->system->host;
    if (work->stand.shared)
        tn_say(host, TN_NOTE,
               "reactions of contacts are not unique in %llu steps, first at `%s`: of those with the same "
               "motion, "
               "the ones of least norm are shown",
               (unsigned long long)work->stand.shared,
               work->o->owner_name(work->system, work->stand.shared_owner));
    if (work->stand.large)
        tn_say(
            host, TN_NOTE,
            "reactions of contacts may not be unique in %llu steps with more than %d rows: those near to the "
            "step before are shown",
            (unsigned long long)work->stand.large, MOST_ROWS);
}
