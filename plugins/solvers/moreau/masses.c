/* masses.c - A = M + theta h D + (theta h)^2 K, with D and K the derivatives of the forces by v and q where they are solved for
 *
 * D is that of f + w x P, the force in space: the turning of axes, which bodies count among their forces, is no damping. */
#include "moreau.h"

#define NOTHING 1e-12 /* of the largest mass: smaller derivatives count as zero */
#define DISPLACEMENT \
    0.05 /* of a coordinate, relative to its scale: a law may have no slope exactly at the start */

static bool is_implicit(const moreau_work *work) { return work->stand.implicit; }

static uint32_t body_of(const moreau_work *work, uint32_t coordinate)
{
    uint32_t low = 0, high = work->o->bodies;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (work->o->body_start[middle] <= coordinate)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The part of the system's pattern that A has: all of the first nv rows and columns, or what lies within bodies. */
static int32_t list_entries(moreau_work *work, const tn_matrix *whole, bool fill)
{
    const uint32_t nv = work->system->nv;
    const bool within = !is_implicit(work);
    int32_t count = 0;
    for (uint32_t j = 0; j < nv; j++) {
        const uint32_t body = within ? body_of(work, j) : 0;
        for (int32_t e = whole->column_start[j]; e < whole->column_start[j + 1]; e++) {
            const uint32_t i = (uint32_t)whole->row[e];
            if (i >= nv || (within && body_of(work, i) != body)) continue;
            if (fill) {
                work->A_row[count] = whole->row[e];
                work->A_place[count] = e;
            }
            count++;
        }
        work->A_start[j + 1] = count;
    }
    return count;
}

bool tn_moreau_make_matrix(moreau_work *work)
{
    const tn_host *host = work->system->host;
    const tn_matrix *whole = work->system->pattern(work->system);
    if (!whole) return false;
    work->A_known = false;
    work->A_start = host->allocate(host, (work->system->nv + 2u) * sizeof *work->A_start);
    if (!work->A_start) return false;
    const size_t count = (size_t)list_entries(work, whole, false) + 1;
    work->A_row = host->allocate(host, count * sizeof *work->A_row);
    work->A_place = host->allocate(host, count * sizeof *work->A_place);
    work->A_value = host->allocate(host, count * sizeof *work->A_value);
    work->M_value = host->allocate(host, count * sizeof *work->M_value);
    if (!work->A_row || !work->A_place || !work->A_value || !work->M_value) return false;
    (void)list_entries(work, whole, true);
    work->A = (tn_matrix){.struct_size = sizeof work->A,
                          .size = work->system->nv,
                          .column_start = work->A_start,
                          .row = work->A_row,
                          .value = work->A_value};
    return true;
}

static tn_status fill(moreau_work *work, double damping, double stiffness, double *value)
{
    tn_system *system = work->system;
    memset(system->lambda, 0, system->rows * sizeof *system->lambda);
    system->row_factor = 1.0;
    const tn_status status = system->matrix(system, 1.0, damping, stiffness);
    const tn_matrix *whole = system->pattern(system);
    for (int32_t e = 0; status == TN_OK && e < work->A_start[system->nv]; e++)
        value[e] = whole->value[work->A_place[e]];
    return status;
}

/* Takes the derivative of w x (M v) by v, times `factor`, from A: column by column, the three rows of an angular vector. */
static void subtract_turning(moreau_work *work, const double *v, double factor)
{
    double *P = work->number;
    (void)work->o->mass_multiply(work->system, v, P);
    for (uint32_t k = 0; k < work->triples; k++) {
        const uint32_t first = work->triple[k], body = body_of(work, first);
        const double *w = v + first, *p = P + first;
        for (uint32_t j = work->o->body_start[body]; j < work->o->body_start[body + 1]; j++) {
            double m[3] = {0.0, 0.0, 0.0};
            int32_t place[3] = {-1, -1, -1};
            for (int32_t e = work->A_start[j]; e < work->A_start[j + 1]; e++) {
                const uint32_t i = (uint32_t)work->A_row[e] - first;
                if (i >= 3) continue;
                m[i] = work->M_value[e];
                place[i] = e;
            }
            double change[3] = {w[1] * m[2] - w[2] * m[1], w[2] * m[0] - w[0] * m[2],
                                w[0] * m[1] - w[1] * m[0]};
            if (j >= first && j < first + 3) {
                const uint32_t a = j - first, b = (a + 1) % 3, c = (a + 2) % 3; /* e_a x p */
                change[c] += p[b];
                change[b] -= p[c];
            }
            for (int i = 0; i < 3; i++)
                if (place[i] >= 0) work->A_value[place[i]] -= factor * change[i];
        }
    }
}

static void look_at_blocks(moreau_work *work)
{
    work->A_block_diagonal = true;
    for (uint32_t j = 0; is_implicit(work) && j < work->system->nv; j++) {
        const uint32_t body = body_of(work, j);
        for (int32_t e = work->A_start[j]; e < work->A_start[j + 1]; e++)
            if (work->A_value[e] != 0.0 && body_of(work, (uint32_t)work->A_row[e]) != body)
                work->A_block_diagonal = false;
    }
}

/* The largest h^2 K, and h D, against the masses on the diagonal: of a mode no more than about twice that. */
static void measure_stiffness(moreau_work *work)
{
    double largest = 0.0;
    for (uint32_t j = 0; j < work->system->nv; j++)
        for (int32_t e = work->A_start[j]; e < work->A_start[j + 1]; e++)
            if (work->A_row[e] == (int32_t)j && work->M_value[e] > 0.0)
                largest = fmax(largest, fabs(work->A_value[e] - work->M_value[e]) / work->M_value[e]);
    const double share = work->stiffness_share > 0.0 ? work->stiffness_share : 1.0;
    work->stand.stiffness = work->plain ? HUGE_VAL : 2.0 * largest / share;
}

static tn_status factor(moreau_work *work)
{
    const tn_own_matrices *linear = work->chosen->linear;
    tn_status status = TN_OK;
    if (!work->A_system) status = linear->open(linear, &work->A, 0, &work->A_system);
    return status == TN_OK ? linear->factor(linear, work->A_system, work->A_value) : status;
}

tn_status tn_moreau_renew_matrix(moreau_work *work)
{
    const double h = work->h, theta = work->theta;
    if (!is_implicit(work)) {
        if (work->A_known && !work->plain) return TN_OK;
        work->A_known = true;
        work->matrices++;
        look_at_blocks(work);
        return fill(work, 0.0, 0.0, work->A_value);
    }
    tn_status status = TN_OK;
    if (!work->A_known && !work->plain) status = fill(work, 0.0, 0.0, work->M_value);
    work->A_known = true;
    work->matrices++;
    if (status == TN_OK) status = fill(work, theta * h, work->stiffness_share * h * h, work->A_value);
    if (status != TN_OK) return status;
    if (!work->plain) subtract_turning(work, work->v_f, theta * h);
    measure_stiffness(work);
    look_at_blocks(work);
    return factor(work);
}

tn_status tn_moreau_divide(moreau_work *work, double *x)
{
    if (!is_implicit(work)) return work->o->mass_solve(work->system, x);
    const tn_own_matrices *linear = work->chosen->linear;
    return linear->solve(linear, work->A_system, x);
}

/* ---- derivatives of forces -------------------------------------------------------------------------------------- */

/* The same small displacement in every run. */
static tn_status displace(moreau_work *work, double share)
{
    tn_system *system = work->system;
    uint64_t draw = 0x9e3779b97f4a7c15u;
    for (uint32_t j = 0; j < system->nv; j++) {
        draw = draw * 6364136223846793005u + 1442695040888963407u;
        const double side = (double)(draw >> 11) * 0x1p-52 - 1.0,
                     size = system->scale[j] > 0.0 ? system->scale[j] : 1.0;
        work->number[j] = share * size * side;
        system->v[j] = work->v0[j] + work->number[j];
    }
    const tn_status status = system->retract(system, work->q0, work->number, system->q);
    return status == TN_OK ? work->o->begin_step(system) : status;
}

static tn_status find_slopes(moreau_work *work, double share, bool *any)
{
    const int32_t entries = work->A_start[work->system->nv];
    double largest = 0.0, slope = 0.0;
    tn_status status = displace(work, share);
    if (status == TN_OK) status = fill(work, 0.0, 0.0, work->M_value);
    if (status == TN_OK) status = fill(work, 1.0, 1.0, work->A_value);
    if (status != TN_OK) return status;
    if (!work->plain) subtract_turning(work, work->system->v, 1.0);
    for (int32_t e = 0; e < entries; e++) {
        largest = fmax(largest, fabs(work->M_value[e]));
        slope = fmax(slope, fabs(work->A_value[e] - work->M_value[e]));
    }
    *any = slope > NOTHING * largest;
    return TN_OK;
}

tn_status tn_moreau_choose_forces(moreau_work *work)
{
    tn_system *system = work->system;
    work->stand.implicit = work->settings->forces != EXPLICIT;
    if (!tn_moreau_make_matrix(work)) return TN_OUT_OF_MEMORY;
    /* forces that switch, or are changed later, may have derivatives then */
    if (work->settings->forces != AUTOMATIC || system->events || system->next_change < HUGE_VAL) return TN_OK;
    tn_moreau_keep_start(work);
    bool any = true;
    tn_status status = find_slopes(work, DISPLACEMENT, &any);
    if (status == TN_RETRY) status = find_slopes(work, 0.0, &any);
    tn_moreau_restore_start(work);
    if (status != TN_OK) return status;
    work->stand.implicit = any;
    return any || tn_moreau_make_matrix(work) ? system->evaluate(system) : TN_OUT_OF_MEMORY;
}
