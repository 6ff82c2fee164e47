/* columns.c - what the impulses of a block do to the velocities
 *
 * Where A has no entries between bodies, they reach the bodies of the block, by the dense inverse of each. Else, and where joints are
 * eliminated, they reach all coordinates, by the sparse factors. */
#include "gauss_seidel.h"

static bool is_swept(const solver *s, const tn_impulse_block *block)
{
    return block->rows && s->swept[block->first];
}

static tn_status find_places(solver *s, const tn_impulse_problem *p)
{
    size_t count = 0, columns = 0;
    if (!tn_grow_array(&s->place, &s->place_room, p->blocks + (size_t)1, sizeof *s->place))
        return TN_OUT_OF_MEMORY;
    for (uint32_t b = 0; b < p->blocks; b++) {
        const size_t n = is_swept(s, &p->block[b]) ? p->block[b].rows : 0;
        s->place[b] = (struct block_place){count, columns};
        count += n * n;
        columns += s->kind == BY_SYSTEM ? n * p->nv : 0;
    }
    const bool good = tn_grow_array(&s->W, &s->W_room, count + 1, sizeof *s->W) &&
                      tn_grow_array(&s->column, &s->column_room, columns + 1, sizeof *s->column);
    return good ? TN_OK : TN_OUT_OF_MEMORY;
}

/* Column by column. */
static tn_status divide(solver *s, const tn_impulse_problem *p, uint32_t b)
{
    tn_status status = TN_OK;
    for (uint32_t i = 0; status == TN_OK && i < p->block[b].rows; i++) {
        const uint32_t r = p->block[b].first + i;
        double *x = s->column + s->place[b].column + (size_t)i * p->nv;
        memset(x, 0, p->nv * sizeof *x);
        for (uint32_t e = p->row_start[r]; e < p->row_start[r + 1]; e++)
            x[p->column[e]] = p->value[e];
        status = tn_saddle_spread(&s->saddle, x);
    }
    return status;
}

void add_columns(const solver *s, const tn_impulse_problem *p, uint32_t b, const double *change, double *z)
{
    const tn_impulse_block *block = &p->block[b];
    if (s->kind == BY_BODIES) {
        for (uint32_t k = s->blocks.leg_start[b]; k < s->blocks.leg_start[b + 1]; k++)
            tn_leg_add(&s->blocks.leg[k], s->blocks.spread, change, z);
        return;
    }
    for (uint32_t i = 0; i < block->rows; i++) {
        const double *x = s->column + s->place[b].column + (size_t)i * p->nv;
        for (uint32_t j = 0; change[i] != 0.0 && j < p->nv; j++)
            z[j] += change[i] * x[j];
    }
}

static double product_of_row(const tn_impulse_problem *p, uint32_t r, const double *z)
{
    double sum = 0.0;
    for (uint32_t e = p->row_start[r]; e < p->row_start[r + 1]; e++)
        sum += p->value[e] * z[p->column[e]];
    return sum;
}

void find_rates(const solver *s, const tn_impulse_problem *p, uint32_t b, const double *z, double *rate)
{
    const tn_impulse_block *block = &p->block[b];
    memcpy(rate, p->free_rate + block->first, block->rows * sizeof *rate);
    if (s->kind == BY_BODIES)
        for (uint32_t k = s->blocks.leg_start[b]; k < s->blocks.leg_start[b + 1]; k++)
            tn_leg_dot(&s->blocks.leg[k], s->blocks.panel, z, rate);
    else
        for (uint32_t i = 0; i < block->rows; i++)
            rate[i] += product_of_row(p, block->first + i, z);
}

/* ---- W of each block ----------------------------------------------------------------------------------------------- */

static void couple_by_bodies(const solver *s, uint32_t b, double *W)
{
    const tn_impulse_blocks *blocks = &s->blocks;
    for (uint32_t k = blocks->leg_start[b]; k < blocks->leg_start[b + 1]; k++)
        tn_step_add_share(blocks, &blocks->leg[k], &blocks->leg[k], W);
}

static void couple_by_system(const solver *s, const tn_impulse_problem *p, uint32_t b, double *W)
{
    const uint32_t first = p->block[b].first, n = p->block[b].rows;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            W[i * n + j] = product_of_row(p, first + i, s->column + s->place[b].column + (size_t)j * p->nv);
}

tn_status find_columns(solver *s, const tn_impulse_problem *p, const tn_impulse_problem *own)
{
    tn_status status = find_places(s, p);
    if (status == TN_OK && s->kind == BY_SYSTEM) status = tn_saddle_renew(&s->saddle, own);
    for (uint32_t b = 0; status == TN_OK && b < p->blocks; b++) {
        double *W = s->W + s->place[b].W;
        if (!is_swept(s, &p->block[b])) continue;
        memset(W, 0, (size_t)p->block[b].rows * p->block[b].rows * sizeof *W);
        if (s->kind == BY_SYSTEM) status = divide(s, p, b);
        if (s->kind == BY_BODIES)
            couple_by_bodies(s, b, W);
        else if (status == TN_OK)
            couple_by_system(s, p, b, W);
    }
    return status;
}
