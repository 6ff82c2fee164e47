/* kinematics.c - q' = N(q) v, block by block: which coordinates follow which velocities, and N where it is wanted
 *
 * Nobody tells the pattern of N: columns are read once, at a state that is nothing special, one by one, or in large models many at a
 * time that stand far from each other. Blocks share no velocity, so later all of them are read side by side. */
#include "ida.h"

#define LEAST_ENTRY 1e-12
enum {
    WIDEST = 8,   /* velocities of one block, */
    LONGEST = 32, /* and coordinates */
    STRIDE = 64,  /* between velocities whose columns are read together, */
    LARGE = 1024  /* from so many on */
};

/* ---- blocks ---------------------------------------------------------------------------------------------- */

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* A state away from all symmetries: increments of all coordinates. */
static tn_status leave_symmetries(ida_work *work)
{
    tn_system *system = work->system;
    for (uint32_t i = 0; i < system->nv; i++)
        work->z[i] = 0.3 * sin(1.7 * i + 0.4) * (system->scale[i] > 0.0 ? system->scale[i] : 1.0);
    const tn_status status = system->retract(system, system->q, work->z, system->q);
    memset(work->z, 0, system->nv * sizeof(double));
    return status;
}

/* The velocity that a coordinate answers to among those that are 1, j = first (mod STRIDE): the one nearest to where its element
 * stands. */
static uint32_t nearest_of(const ida_work *work, uint32_t first, uint32_t coordinate)
{
    const int64_t place = work->report->velocity_of(work->system, coordinate), nv = work->system->nv;
    int64_t nearest = first + (place - first + STRIDE / 2) / STRIDE * STRIDE;
    if (place + STRIDE / 2 < first) nearest = first;
    return nearest < nv ? (uint32_t)nearest : (uint32_t)(nearest - STRIDE);
}

/* Coordinates and velocities, 0 ... nq - 1 and nq ... nq + nv - 1, joined where one moves the other; columns `stride` apart are read
 * together, 0 for one by one. */
static tn_status join(ida_work *work, uint32_t *parent, uint32_t stride)
{
    tn_system *system = work->system;
    const uint32_t nq = system->nq, nv = system->nv;
    double *rate = work->kinematics.normal;
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < nq + nv; i++)
        parent[i] = i;
    for (uint32_t j = 0; j < (stride ? stride : nv) && status == TN_OK; j++) {
        memset(system->v, 0, nv * sizeof(double));
        for (uint32_t k = j; k < nv; k = stride ? k + stride : nv)
            system->v[k] = 1.0;
        status = system->rate(system, rate);
        for (uint32_t i = 0; i < nq && status == TN_OK; i++)
            if (fabs(rate[i]) > LEAST_ENTRY)
                parent[root_of(parent, i)] = root_of(parent, nq + (stride ? nearest_of(work, j, i) : j));
    }
    return status;
}

/* The blocks in the order of their roots; entries of N of all of them. */
static size_t list_blocks(ida_work *work, uint32_t *parent, uint32_t *number)
{
    const tn_system *system = work->system;
    ida_kinematics *k = &work->kinematics;
    const uint32_t nq = system->nq, all = nq + system->nv;
    uint32_t first_q = 0, first_v = 0;
    size_t entries = 0;
    k->count = k->widest = 0;
    for (uint32_t i = 0; i < all; i++)
        if (root_of(parent, i) == i) {
            number[i] = k->count;
            k->block[k->count++] = (ida_block){0};
        }
    for (uint32_t i = 0; i < all; i++) {
        ida_block *block = &k->block[number[root_of(parent, i)]];
        if (i < nq)
            block->nq++;
        else
            block->nv++;
    }
    for (uint32_t b = 0; b < k->count; b++) {
        ida_block *block = &k->block[b];
        block->first_q = first_q;
        block->first_v = first_v;
        block->entry = entries;
        first_q += block->nq;
        first_v += block->nv;
        entries += (size_t)block->nq * block->nv;
        k->widest = block->nv > k->widest ? block->nv : k->widest;
        block->nq = block->nv = 0;
    }
    for (uint32_t i = 0; i < all; i++) {
        ida_block *block = &k->block[number[root_of(parent, i)]];
        if (i < nq)
            k->q[block->first_q + block->nq++] = i;
        else
            k->v[block->first_v + block->nv++] = i - nq;
    }
    return entries;
}

static bool fits(const ida_kinematics *k)
{
    for (uint32_t b = 0; b < k->count; b++)
        if (k->block[b].nv > k->block[b].nq || k->block[b].nq > LONGEST) return false;
    return k->widest <= WIDEST;
}

/* Whether the blocks hold all of N: one more product. */
static tn_status compare(ida_work *work, bool *same)
{
    tn_system *system = work->system;
    double *rate = work->q_residual, *numbers = work->q_jacobian;
    tn_status status = tn_ida_read_kinematics(work);
    for (uint32_t i = 0; i < system->nv; i++)
        system->v[i] = 1.0 + 0.5 * sin(0.7 * i);
    if (status == TN_OK) status = system->rate(system, rate);
    tn_ida_numbers(work, system->v, 0.0, numbers);
    for (uint32_t i = 0; i < system->nq && status == TN_OK; i++)
        *same = *same && fabs(rate[i] - numbers[i]) <= LEAST_ENTRY * fmax(1.0, fabs(rate[i]));
    return status;
}

/* The blocks, of columns that are read in this way; not `same`: some were taken for others. */
static tn_status find_blocks(ida_work *work, uint32_t *parent, uint32_t stride, bool *same)
{
    const tn_system *system = work->system;
    ida_kinematics *k = &work->kinematics;
    const size_t all = (size_t)system->nq + system->nv + 1;
    tn_status status = join(work, parent, stride);
    if (status != TN_OK) return status;
    k->entry = tn_ida_array(system, list_blocks(work, parent, parent + all));
    if (!k->entry) return TN_OUT_OF_MEMORY;
    *same = true;
    return stride && fits(k) ? compare(work, same) : TN_OK;
}

static tn_status refuse_coordinates(const ida_work *work)
{
    tn_say(work->system->host, TN_ERROR,
           "ida needs velocities that each move coordinates of their own, at most %d together, and %d "
           "coordinates: a "
           "type in this model has others",
           WIDEST, LONGEST);
    return TN_UNSUPPORTED;
}

tn_status tn_ida_make_kinematics(ida_work *work)
{
    tn_system *system = work->system;
    const tn_host *host = system->host;
    ida_kinematics *k = &work->kinematics;
    const size_t all = (size_t)system->nq + system->nv + 1;
    *k = (ida_kinematics){.normal = tn_ida_array(system, system->nq)};
    if (!k->normal) return TN_OUT_OF_MEMORY;
    if (system->vector_space || !system->nv) return TN_OK;
    k->block = host->allocate(host, all * sizeof *k->block);
    k->q = host->allocate(host, all * sizeof *k->q);
    k->v = host->allocate(host, all * sizeof *k->v);
    uint32_t *const parent = host->allocate(host, 2 * all * sizeof *parent);
    if (!k->block || !k->q || !k->v || !parent) return TN_OUT_OF_MEMORY;

    tn_status status = leave_symmetries(work);
    bool same = false;
    const bool together = system->nv >= LARGE && work->report;
    if (status == TN_OK && together) status = find_blocks(work, parent, STRIDE, &same);
    if (status == TN_OK && !(same && fits(k))) status = find_blocks(work, parent, 0, &same);
    memcpy(system->q, work->q0, system->nq * sizeof(double));
    memcpy(system->v, work->v0, system->nv * sizeof(double));
    if (status != TN_OK) return status;
    return fits(k) ? TN_OK : refuse_coordinates(work);
}

/* ---- N --------------------------------------------------------------------------------------------------- */

/* Column `j` of all blocks. */
static void take_column(ida_kinematics *k, uint32_t j, const double *rate)
{
    for (uint32_t b = 0; b < k->count; b++) {
        const ida_block *block = &k->block[b];
        if (j >= block->nv) continue;
        for (uint32_t i = 0; i < block->nq; i++)
            k->entry[block->entry + (size_t)i * block->nv + j] = rate[k->q[block->first_q + i]];
    }
}

tn_status tn_ida_read_kinematics(ida_work *work)
{
    tn_system *system = work->system;
    ida_kinematics *k = &work->kinematics;
    tn_status status = TN_OK;
    if (!k->count) return TN_OK;
    for (uint32_t j = 0; j < k->widest && status == TN_OK; j++) {
        memset(system->v, 0, system->nv * sizeof(double));
        for (uint32_t b = 0; b < k->count; b++)
            if (j < k->block[b].nv) system->v[k->v[k->block[b].first_v + j]] = 1.0;
        status = system->rate(system, k->normal);
        if (status == TN_OK) take_column(k, j, k->normal);
    }
    return status;
}

/* N^T N y = N^T r of one block, by Cholesky's factors. */
static void solve_normal(const double *n, uint32_t nq, uint32_t nv, const double *r, double *y)
{
    double a[WIDEST][WIDEST];
    for (uint32_t i = 0; i < nv; i++) {
        y[i] = 0.0;
        for (uint32_t m = 0; m < nq; m++)
            y[i] += n[(size_t)m * nv + i] * r[m];
        for (uint32_t j = 0; j <= i; j++) {
            a[i][j] = 0.0;
            for (uint32_t m = 0; m < nq; m++)
                a[i][j] += n[(size_t)m * nv + i] * n[(size_t)m * nv + j];
            for (uint32_t m = 0; m < j; m++)
                a[i][j] -= a[i][m] * a[j][m];
            a[i][j] = i == j ? sqrt(fmax(a[i][j], 1e-300)) : a[i][j] / a[j][j];
        }
        for (uint32_t m = 0; m < i; m++)
            y[i] -= a[i][m] * y[m];
        y[i] /= a[i][i];
    }
    for (uint32_t i = nv; i-- > 0;) {
        for (uint32_t m = i + 1; m < nv; m++)
            y[i] -= a[m][i] * y[m];
        y[i] /= a[i][i];
    }
}

static void take_block(const ida_kinematics *k, const ida_block *block, const double *numbers, double *rate)
{
    const double *n = k->entry + block->entry;
    const uint32_t *q = k->q + block->first_q, *v = k->v + block->first_v;
    if (block->nq == 1 && block->nv == 1) {
        rate[*v] = numbers[*q] / *n;
        k->normal[*q] = 0.0;
        return;
    }
    double y[WIDEST], r[LONGEST];
    const uint32_t nq = block->nq;
    for (uint32_t i = 0; i < nq; i++)
        r[i] = numbers[q[i]];
    solve_normal(n, nq, block->nv, r, y);
    for (uint32_t j = 0; j < block->nv; j++)
        rate[v[j]] = y[j];
    for (uint32_t i = 0; i < nq; i++) {
        k->normal[q[i]] = r[i];
        for (uint32_t j = 0; j < block->nv; j++)
            k->normal[q[i]] -= n[(size_t)i * block->nv + j] * y[j];
    }
}

void tn_ida_tangential(const ida_work *work, const double *numbers, double *rate)
{
    const ida_kinematics *k = &work->kinematics;
    if (!k->count) memcpy(rate, numbers, work->system->nv * sizeof(double));
    for (uint32_t b = 0; b < k->count; b++)
        take_block(k, &k->block[b], numbers, rate);
}

void tn_ida_numbers(const ida_work *work, const double *rate, double factor, double *numbers)
{
    const ida_kinematics *k = &work->kinematics;
    if (!k->count) memcpy(numbers, rate, work->system->nv * sizeof(double));
    for (uint32_t b = 0; b < k->count; b++) {
        const ida_block *block = &k->block[b];
        const double *n = k->entry + block->entry;
        for (uint32_t i = 0; i < block->nq; i++) {
            double sum = factor * k->normal[k->q[block->first_q + i]];
            for (uint32_t j = 0; j < block->nv; j++)
                sum += n[(size_t)i * block->nv + j] * rate[k->v[block->first_v + j]];
            numbers[k->q[block->first_q + i]] = sum;
        }
    }
}
