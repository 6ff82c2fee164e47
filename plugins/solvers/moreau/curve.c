/* curve.c - rotating rows and changing forces within a step of a smooth motion
 *
 * Impulses of reactions and forces S = f + G^T lambda follow Simpson's rule, h/6 (S0 + 4 Sm + S1), in place of h Sm; ways follow
 * Hermite's, h/2 (v0 + v1) - h^2/12 (a1 - a0), in place of the trapezoidal rule. What is known of both ends without solving for
 * anything: G and f at the end as predicted, reactions by those of the steps before. So motions are of fourth order, but for
 * what forces solved for do. Joints then stand still at the end of steps: reactions do no work, to fourth order, and nothing alternates. */
#include "moreau.h"

#define SOFT 0.1 /* the largest h^2 K relative to M of forces that are treated so */

bool tn_moreau_make_curve(moreau_work *work)
{
    const tn_system *system = work->system;
    const size_t entries = work->o->row_start[system->rows] + (size_t)1;
    work->G0 = system->host->allocate(system->host, entries * sizeof *work->G0);
    work->G1 = system->host->allocate(system->host, entries * sizeof *work->G1);
    return work->G0 && work->G1;
}

/* ---- reactions -------------------------------------------------------------------------------------------------- */

double tn_moreau_extrapolate(uint32_t known, const double *last, double *const *past, uint32_t k)
{
    static const double weight[][1 + PAST] = {{1, 0, 0, 0}, {2, -1, 0, 0}, {3, -3, 1, 0}, {4, -6, 4, -1}};
    const double *w = weight[known < 1 ? 0 : known > PAST ? PAST : known - 1];
    return w[0] * last[k] + w[1] * past[0][k] + w[2] * past[1][k] + w[3] * past[2][k];
}

/* Predicts mean reactions of the step and their change in it from those of the steps before. */
static void foresee_reactions(moreau_work *work)
{
    static const double weight[][1 + PAST] = {{0, 0, 0, 0},
                                              {1, -1, 0, 0},
                                              {5.0 / 2.0, -4, 3.0 / 2.0, 0},
                                              {13.0 / 3.0, -19.0 / 2.0, 7, -11.0 / 6.0}};
    const uint32_t known = work->past > PAST ? PAST : work->past < 1 ? 0 : work->past - 1;
    const double *w = weight[known];
    double *const *past = work->lambda_past;
    for (uint32_t r = 0; r < work->system->rows; r++) {
        work->mean[r] = tn_moreau_extrapolate(work->past, work->lambda0, past, r);
        work->turn[r] = w[0] * work->lambda0[r] + w[1] * past[0][r] + w[2] * past[1][r] + w[3] * past[2][r];
    }
}

/* The same, with the impulses of the step. */
static void take_reactions(moreau_work *work)
{
    static const double weight[][3] = {{-1, 0, 0}, {-2, 0.5, 0}, {-3, 1.5, -1.0 / 3.0}};
    const moreau_problem *main = &work->main;
    const uint32_t known = work->past > PAST ? PAST : work->past;
    const double *w = weight[known ? known - 1 : 0];
    const double apart = work->past ? 2.0 * work->h / (work->h + work->stand.last_length) : 2.0;
    for (uint32_t k = 0; k < main->table.rows; k++) {
        const uint32_t r = main->source[k];
        if (r >= work->system->rows) continue;
        const double mean = main->impulse[k] / work->h;
        const double turn = w[0] * work->lambda0[r] + w[1] * work->lambda_past[0][r] +
                            w[2] * work->lambda_past[1][r] - (w[0] + w[1] + w[2]) * mean;
        work->mean[r] = mean;
        work->turn[r] = known > 1 ? turn : apart * turn;
    }
}

/* sum += G^T (mean + share turn) of the joints, with these values of G. */
static void add_joints(const moreau_work *work, const double *G, double share, double *sum)
{
    const tn_operators *o = work->o;
    for (uint32_t r = 0; r < work->system->rows; r++) {
        if (o->row_kind[r] != TN_BILATERAL) continue;
        const double lambda = work->mean[r] + share * work->turn[r];
        for (uint32_t e = o->row_start[r]; e < o->row_start[r + 1]; e++)
            sum[o->column[e]] += G[e] * lambda;
    }
}

/* ---- a step ----------------------------------------------------------------------------------------------------- */

static bool applies(const moreau_work *work) { return work->settings->law == BY_POSITION && work->joints; }

void tn_moreau_open_curve(moreau_work *work)
{
    const moreau_stand *stand = &work->stand;
    const bool start = stand->fresh, same = work->h == stand->last_length;
    const uint32_t nv = work->system->nv;
    work->past = start ? 0 : same ? stand->foreseen : stand->foreseen ? 1 : 0;
    work->smooth = applies(work) && stand->knows_rows && (start || work->past) && !work->plain &&
                   work->theta == 0.5 &&
                   (!stand->implicit || work->stiffness_share == tn_moreau_row_share(work));
    work->soft = work->smooth && (!stand->implicit || stand->stiffness < SOFT);
    for (uint32_t j = 0; j < nv; j++)
        work->bent[j] = !work->smooth || !same ? 0.0
                        : work->past > 2       ? 2.0 * work->curve[j] - work->curve_before[j]
                                               : work->curve[j];
    memcpy(work->curve_before, work->curve, nv * sizeof *work->curve);
    memset(work->curve, 0, nv * sizeof *work->curve);
    if (work->smooth) foresee_reactions(work);
}

void tn_moreau_keep_end(moreau_work *work)
{
    const tn_system *system = work->system;
    memcpy(work->G1, work->o->value, work->o->row_start[system->rows] * sizeof *work->G1);
    memcpy(work->f1, system->force, system->nv * sizeof *work->f1);
}

/* sum += share h^2 v0 x v1 of angular velocities */
static void add_turning_of_way(const moreau_work *work, double share, double *sum)
{
    const double *v = work->v0, *w = work->v1, by = share * work->h * work->h;
    for (uint32_t k = 0; !work->plain && k < work->triples; k++) {
        const uint32_t a = work->triple[k], b = a + 1, c = a + 2;
        sum[a] += by * (v[b] * w[c] - v[c] * w[b]);
        sum[b] += by * (v[c] * w[a] - v[a] * w[c]);
        sum[c] += by * (v[a] * w[b] - v[b] * w[a]);
    }
}

void tn_moreau_bend_to_middle(moreau_work *work)
{
    if (!work->smooth) return;
    for (uint32_t j = 0; j < work->system->nv; j++)
        work->way_f[j] += 0.5 * work->bent[j];
    add_turning_of_way(work, 1.0 / 32.0, work->way_f);
}

/* S at an end of the step, in the axes of the middle. */
static tn_status find_end_forces(moreau_work *work, bool last, double *S)
{
    tn_system *system = work->system;
    tn_status status = TN_OK;
    memset(S, 0, system->nv * sizeof *S);
    if (work->soft) {
        memcpy(S, last ? work->f1 : work->f0, system->nv * sizeof *S);
        status = tn_moreau_add_turning(work, last ? work->v1 : work->v0, S);
    }
    add_joints(work, last ? work->G1 : work->G0, last ? 0.5 : -0.5, S);
    if (work->turns) system->transport(system, last ? work->q1 : work->q0, work->q_f, S, S, NULL, NULL);
    return status;
}

tn_status tn_moreau_add_ends(moreau_work *work)
{
    tn_system *system = work->system;
    double *first = work->first, *last = work->last, *middle = work->z;
    if (!work->smooth) return TN_OK;
    tn_status status = find_end_forces(work, false, first);
    if (status == TN_OK) status = find_end_forces(work, true, last);
    if (status != TN_OK) return status;
    for (uint32_t j = 0; j < system->nv; j++)
        middle[j] = work->soft ? (work->c[j] + work->Pp[j] - work->P0_m[j]) / work->h : 0.0;
    add_joints(work, work->o->value, 0.0, middle);
    for (uint32_t j = 0; j < system->nv; j++) {
        first[j] = work->h / 6.0 * (first[j] + last[j] - 2.0 * middle[j]);
        work->c[j] += first[j];
    }
    status = tn_moreau_divide(work, first);
    for (uint32_t j = 0; j < system->nv; j++)
        work->y[j] += first[j];
    return status;
}

/* The deviation of the path from a straight line by the present reactions. */
static tn_status find_curve(moreau_work *work)
{
    tn_system *system = work->system;
    const uint32_t nv = system->nv;
    double *first = work->first, *last = work->last;
    for (uint32_t j = 0; j < nv; j++) {
        first[j] = work->soft ? work->f0[j] : 0.0;
        last[j] = work->soft ? work->f1[j] : 0.0;
    }
    add_joints(work, work->G0, work->smooth ? -0.5 : 0.0, first);
    add_joints(work, work->G1, work->smooth ? 0.5 : 0.0, last);
    for (uint32_t j = 0; j < nv; j++)
        work->curve[j] = work->h * work->h / 12.0 * (first[j] - last[j]);
    const tn_status status = work->o->mass_solve(system, work->curve);
    add_turning_of_way(work, -1.0 / 24.0, work->curve);
    return status;
}

/* q_m after half of the step, with this deviation. */
static tn_status bend_first_part(moreau_work *work)
{
    tn_system *system = work->system;
    for (uint32_t j = 0; j < system->nv; j++)
        work->number[j] = 0.5 * work->h * work->v0[j];
    const tn_status status = system->retract(system, work->q0, work->number, work->q_m);
    return status == TN_OK ? system->retract(system, work->q_m, work->bent, work->q_m) : status;
}

tn_status tn_moreau_improve_curve(moreau_work *work)
{
    tn_system *system = work->system;
    if (!work->smooth) return TN_OK;
    take_reactions(work);
    tn_status status = find_curve(work);
    memcpy(work->bent, work->curve, system->nv * sizeof *work->bent);
    if (status == TN_OK) status = bend_first_part(work);
    return status == TN_OK ? tn_moreau_find_end(work, work->P1) : status;
}

tn_status tn_moreau_drop_curve(moreau_work *work)
{
    if (!work->smooth) return TN_OK;
    work->smooth = work->soft = false;
    memset(work->bent, 0, work->system->nv * sizeof *work->bent);
    return bend_first_part(work);
}

tn_status tn_moreau_follow_curve(moreau_work *work)
{
    tn_system *system = work->system;
    if (!applies(work) || !work->stand.knows_rows || !work->foreseen) return TN_OK;
    take_reactions(work);
    const tn_status status = find_curve(work);
    for (uint32_t j = 0; j < system->nv; j++)
        work->first[j] = work->curve[j] - work->bent[j];
    if (work->turns) system->transport(system, work->q_m, work->q1, work->first, work->first, NULL, NULL);
    return status == TN_OK ? system->retract(system, work->q1, work->first, work->q1) : status;
}

static void push(double *const *past, const double *last, size_t count)
{
    memcpy(past[2], past[1], count * sizeof(double));
    memcpy(past[1], past[0], count * sizeof(double));
    memcpy(past[0], last, count * sizeof(double));
}

void tn_moreau_remember(moreau_work *work)
{
    tn_moreau_keep_rows(work);
    push(work->a_past, work->a_kept, work->system->nv);
    push(work->lambda_past, work->lambda0, work->system->rows);
}

void tn_moreau_keep_rows(moreau_work *work)
{
    const tn_system *system = work->system;
    if (!applies(work)) return;
    memcpy(work->G0, work->G1, work->o->row_start[system->rows] * sizeof *work->G0);
    memcpy(work->f0, work->f1, system->nv * sizeof *work->f0);
    work->stand.knows_rows = 1;
}
