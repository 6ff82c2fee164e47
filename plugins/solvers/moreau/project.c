/* project.c - projects positions at the end of a step onto the rows by the smallest change in the metric of A
 *
 * What the rows are there is known from the predicted end, up to the square of the small difference that is left of it; one-sided rows
 * may only be pushed open, but for those of an impact, which are taken to where its rebound has come. Velocities stay as they are. */
#include "moreau.h"

#define LEFT_OVER 1e-10 /* of the size of the model: remaining residuals of rows */
#define ROUND_OFF 1e-13 /* of that size: smaller residuals are not corrected */
#define OVERLAP 1e-6    /* of that size, at the start */
#define LOST 1e-3       /* of that size: the step was too long */
enum { REPETITIONS = 4 };

static double size_of_model(const tn_system *system)
{
    double size = 0.0;
    for (uint32_t j = 0; j < system->nv; j++)
        if (!system->angular[j]) size = fmax(size, system->scale[j]);
    return size > 0.0 ? size : 1.0;
}

static bool is_joint(const moreau_work *work, uint32_t source)
{
    return source < work->system->rows && work->o->row_kind[source] == TN_BILATERAL;
}

/* The position rows of the problem of velocities: joints, and normals of closed contacts. */
static bool copy_rows(moreau_work *work, uint32_t b, const double *residual)
{
    const tn_system *system = work->system;
    const moreau_problem *main = &work->main;
    const tn_impulse_block *block = &main->table.block[b];
    const bool joint = block->law == TN_JOINT_LAW;
    uint32_t count = 0;
    for (uint32_t i = 0; i < (joint ? block->rows : 1); i++) {
        const uint32_t source = main->source[block->first + i];
        count += !joint || system->row_level[source] == TN_POSITION_ROW;
    }
    if (!count) return true;
    const uint32_t normal = block->first;
    const bool aimed = !joint && main->aim[normal] >= 0.0 && main->impulse[normal] > 0.0;
    work->aims = work->aims || aimed;
    if (!tn_moreau_add_block(&work->projection, joint || aimed ? TN_JOINT_LAW : TN_UNILATERAL_LAW, count,
                             block->owner, 0.0))
        return false;
    for (uint32_t i = 0; i < (joint ? block->rows : 1); i++) {
        const uint32_t r = block->first + i, first = main->row_start[r];
        if (joint && system->row_level[main->source[r]] != TN_POSITION_ROW) continue;
        if (!tn_moreau_add_row(&work->projection, main->source[r], main->column + first, main->value + first,
                               main->row_start[r + 1] - first,
                               residual[r] - (aimed ? main->aim[normal] : 0.0), 0.0))
            return false;
    }
    return true;
}

static tn_status move(moreau_work *work, double *residual)
{
    tn_system *system = work->system;
    double *x = work->z;
    memset(x, 0, system->nv * sizeof *x);
    tn_moreau_add_impulses(&work->projection, x);
    const tn_status status = tn_moreau_divide(work, x);
    const moreau_problem *main = &work->main;
    for (uint32_t r = 0; r < main->table.rows; r++)
        for (uint32_t e = main->row_start[r]; e < main->row_start[r + 1]; e++)
            residual[r] += main->value[e] * x[main->column[e]];
    for (uint32_t j = 0; j < system->nv; j++)
        work->shift[j] += work->aims ? x[j] : 0.0;
    return status == TN_OK ? system->retract(system, work->q1, x, work->q1) : status;
}

/* The residual to correct: of joints with either sign, of one-sided rows where they overlap. */
static double largest_violation(const tn_impulse_problem *problem)
{
    double largest = 0.0;
    for (uint32_t b = 0; b < problem->blocks; b++)
        for (uint32_t r = problem->block[b].first; r < problem->block[b].first + problem->block[b].rows;
             r++) {
            const double residual = problem->free_rate[r];
            largest =
                tn_moreau_larger(largest, problem->block[b].law == TN_JOINT_LAW ? fabs(residual) : -residual);
        }
    return largest;
}

/* With the residuals of the rows of the main problem, which become what is left of them. */
static tn_status project(moreau_work *work, double *residual)
{
    moreau_problem *projection = &work->projection;
    tn_moreau_open_problem(work, projection);
    for (uint32_t b = 0; b < work->main.table.blocks; b++)
        if (!copy_rows(work, b, residual)) return TN_OUT_OF_MEMORY;
    tn_moreau_close_problem(work, projection);
    if (largest_violation(&projection->table) <= ROUND_OFF * size_of_model(work->system)) return TN_OK;
    const tn_impulse_outcome outcome = work->outcome;
    void *const own = projection->self;
    const uint64_t taken = projection->matrix_taken;
    /* the same rows and the same A: factors for velocities are used again */
    const bool serves = work->all_positions && work->only_joints;
    if (serves) projection->self = work->main.self;
    if (serves) projection->table.same_matrix = work->main.matrix_taken == work->matrices;
    const tn_status status = tn_moreau_solve(work, projection);
    projection->self = own;
    if (serves) {
        work->main.matrix_taken = projection->matrix_taken;
        projection->matrix_taken = taken;
    }
    work->outcome = outcome;
    return status == TN_OK || status == TN_RETRY ? move(work, residual) : status;
}

/* Where rows are at the end: joints from the predicted one, by v1 - v1p; others from the middle. */
static void find_residuals(moreau_work *work, double *residual)
{
    tn_system *system = work->system;
    const moreau_problem *main = &work->main;
    const double h = work->h, theta = work->theta, rest = work->time0 + h - work->time_f;
    double *way = work->number;
    for (uint32_t j = 0; j < system->nv; j++)
        way[j] = theta * h * work->z[j] + work->curve[j] - work->bent[j];
    work->o->rows_multiply(system, way, work->row_number);
    for (uint32_t j = 0; j < system->nv; j++) {
        const double v1 = work->Vp[j] + work->z[j];
        way[j] = h * ((1.0 - theta) * work->V0[j] + theta * v1) - work->way_f[j] + work->curve[j];
    }
    for (uint32_t r = 0; r < main->table.rows; r++) {
        const uint32_t source = main->source[r];
        const bool own = source < system->rows;
        if (is_joint(work, source)) {
            residual[r] = work->end_gap[source] + work->row_number[source];
            continue;
        }
        residual[r] = own ? work->gap[source] + rest * work->drift[source]
                          : work->contacts->point[(source - system->rows) / 3].gap;
        for (uint32_t e = main->row_start[r]; e < main->row_start[r + 1]; e++)
            residual[r] += main->value[e] * way[main->column[e]];
    }
}

/* law = "velocity" does not correct positions: overlaps at the start persist. */
static void tell_of_overlap(const moreau_work *work)
{
    const tn_contact_rows *contacts = work->contacts;
    double depth = 0.0;
    uint32_t deepest = 0;
    for (uint32_t k = 0; contacts && work->stand.accepted == 1 && k < contacts->count; k++) {
        if (!(-contacts->point[k].gap > depth)) continue;
        depth = -contacts->point[k].gap;
        deepest = k;
    }
    if (depth > OVERLAP * size_of_model(work->system))
        tn_say(work->system->host, TN_WARNING,
               "law = \"velocity\" leaves overlaps as they are, such as that of `%s`, %.3g m: law = "
               "\"position\" "
               "removes them",
               work->o->owner_name(work->system, contacts->owner[deepest]), depth);
}

tn_status tn_moreau_project(moreau_work *work)
{
    work->aims = false;
    memset(work->shift, 0, work->system->nv * sizeof *work->shift);
    if (work->settings->law != BY_POSITION) tell_of_overlap(work);
    if (work->settings->law != BY_POSITION || !work->main.table.rows) return TN_OK;
    double *residual = tn_moreau_row_numbers(work);
    if (!residual) return TN_OUT_OF_MEMORY;
    find_residuals(work, residual);
    return project(work, residual);
}

tn_status tn_moreau_refine(moreau_work *work)
{
    tn_system *system = work->system;
    const double size = size_of_model(system);
    if (work->settings->law != BY_POSITION || !system->position_rows) return TN_OK;
    double before = HUGE_VAL;
    for (int k = 0;; k++) {
        tn_status status = system->constraint(system, work->row_number);
        double largest = 0.0;
        if (status != TN_OK) return status;
        for (uint32_t r = 0; r < system->rows; r++)
            if (system->row_level[r] == TN_POSITION_ROW) largest = fmax(largest, fabs(work->row_number[r]));
        work->failed = "positions cannot be taken to the joints from there";
        if (!(largest <= LOST * size) && k) return TN_RETRY;
        if (k == REPETITIONS || largest <= LEFT_OVER * size || largest > 0.5 * before)
            return largest <= LOST * size ? TN_OK : TN_RETRY;
        before = largest;
        double *residual = tn_moreau_row_numbers(work);
        if (!residual) return TN_OUT_OF_MEMORY;
        for (uint32_t r = 0; r < work->main.table.rows; r++)
            if (is_joint(work, work->main.source[r])) residual[r] = work->row_number[work->main.source[r]];
        status = project(work, residual);
        if (status != TN_OK) return status;
        memcpy(system->q, work->q1, system->nq * sizeof *system->q);
        status = system->normalise(system, system->q);
        if (status == TN_OK) status = system->evaluate(system);
        if (status != TN_OK) return status;
    }
}
