/* matrix.c - the matrix of the equations of an equilibrium, solutions with it, and the count of its negative eigenvalues (static.h) */
#include "static.h"

#include <lapacke.h>

#define SHARE_OF_ROWS 1e-11    /* that stands against dependent rows, of the largest entry of the matrix */
#define SHARE_OF_STATES 1e-12  /* of derivatives of a rate: what holds its state */
#define LEAST_SHIFT 1e-11      /* of the stiffest motion */
#define SLOWEST 1e-3           /* s^-2: where nothing acts */
#define NO_MASS 1e-200         /* factor of masses that do not matter: zero would divide by zero */
#define ROUND_OFF 1e-15        /* of the forces that stiffnesses would make at the size of the model */
#define STATE_STEP 1e-7        /* differences by states, relative */
#define SHARE_OF_SYMMETRY 1e-8 /* of the largest entry: differences up to it are round-off */

/* ---- the matrix --------------------------------------------------------------------------------------------- */

/* Rows get the size of the stiffnesses; what stands against those that depend on each other replaces E of the kernel, which is
 * measured against masses. */
static void scale_rows(static_work *work)
{
    const tn_system *system = work->system;
    const tn_matrix *A = work->matrix;
    double stiffness = 0.0, rows = 0.0;
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            const bool of_rows = (uint32_t)A->row[e] >= work->nv;
            if (j < work->nv && of_rows)
                rows = fmax(rows, fabs(A->value[e]));
            else if (j < work->nv)
                stiffness = fmax(stiffness, fabs(A->value[e]));
        }
    const double factor = stiffness > 0.0 && rows > 0.0 ? stiffness / rows : 1.0;
    work->row_scale = factor;
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            if ((j < work->nv) != ((uint32_t)A->row[e] < work->nv)) A->value[e] *= factor;
    for (uint32_t r = 0; r < work->rows; r++) {
        const uint32_t place = work->diagonal[work->nv + r];
        const bool counts = system->regularisation[r] > 0.0 && place != UINT32_MAX;
        work->rest[r] = counts && system->dependent_rows ? SHARE_OF_ROWS * fmax(stiffness, factor) : 0.0;
        if (counts) A->value[place] = work->rest[r];
    }
}

/* Derivatives by the states that are found, and of their rates, by differences; the state is evaluated again. */
static tn_status differentiate_states(static_work *work)
{
    tn_system *system = work->system;
    const uint32_t n = work->size, first = work->nv + work->rows;
    memcpy(work->product, work->residual, n * sizeof *work->product);
    tn_status status = TN_OK;
    for (uint32_t c = 0; c < work->nv + work->states && status == TN_OK; c++) {
        const bool motion = c < work->nv;
        double *x = motion ? NULL : &system->x[work->state[c - work->nv]];
        const double before = motion ? 0.0 : *x,
                     step = STATE_STEP * (motion ? work->system->scale[c] : fmax(fabs(before), 1.0));
        if (motion) {
            memset(work->trial, 0, work->nv * sizeof *work->trial);
            work->trial[c] = step;
            memcpy(work->trial_point.q, system->q, system->nq * sizeof *system->q);
            status = system->retract(system, system->q, work->trial, system->q);
        } else {
            *x = before + step;
        }
        if (status == TN_OK) status = tn_static_evaluate(work);
        double *column = work->full + (size_t)(motion ? c : first + c - work->nv) * n;
        for (uint32_t r = motion ? first : 0; r < n; r++)
            if (r < work->nv || r >= first) column[r] = -(work->residual[r] - work->product[r]) / step;
        if (motion)
            memcpy(system->q, work->trial_point.q, system->nq * sizeof *system->q);
        else
            *x = before;
    }
    const tn_status again = tn_static_evaluate(work);
    return status == TN_OK ? again : status;
}

/* The dense matrix: [K, -G^T, -f_x; G, E, 0; -h_q, 0, -h_x]. */
static tn_status fill_full(static_work *work)
{
    const tn_system *system = work->system;
    const tn_matrix *A = work->matrix;
    const size_t n = work->size, first = work->nv + work->rows, all = system->nx - system->quadratures;
    memset(work->full, 0, n * n * sizeof *work->full);
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            work->full[j * n + (size_t)A->row[e]] = A->value[e];
    if (!work->force_by_state) return differentiate_states(work);
    const tn_status status =
        system->state_tangent(work->system, work->force_by_state, work->rate_by_motion, work->rate_by_state);
    for (uint32_t k = 0; k < work->states; k++) {
        const size_t own = work->state[k];
        for (uint32_t i = 0; i < work->nv; i++) {
            work->full[(first + k) * n + i] = -work->force_by_state[i * all + own];
            work->full[i * n + first + k] = -work->rate_by_motion[own * 2 * work->nv + i];
        }
        for (uint32_t l = 0; l < work->states; l++)
            work->full[(first + l) * n + first + k] = -work->rate_by_state[own * all + work->state[l]];
    }
    return status;
}

/* States whose rates nothing changes stay as they are. */
static void hold_neutral_states(static_work *work)
{
    const size_t n = work->size, first = work->nv + work->rows;
    for (size_t k = first; k < n; k++) {
        double largest = 0.0;
        for (size_t j = 0; j < n; j++)
            largest = fmax(largest, fabs(work->full[j * n + k]));
        work->full[k * n + k] += SHARE_OF_STATES * (largest > 0.0 ? largest : 1.0);
    }
}

tn_status tn_static_matrix(static_work *work, double shift)
{
    tn_system *system = work->system;
    system->row_factor = 1.0;
    system->state_factor = 0.0;
    const tn_status status = system->matrix(system, fmax(shift, NO_MASS), 0.0, 1.0);
    if (status != TN_OK) return status;
    scale_rows(work);
    if (!work->states) return TN_OK;
    const tn_status filled = fill_full(work);
    hold_neutral_states(work);
    return filled;
}

tn_status tn_static_factor(static_work *work)
{
    if (!work->states) return work->system->factor(work->system);
    const lapack_int n = (lapack_int)work->size;
    memcpy(work->factors, work->full, (size_t)work->size * work->size * sizeof *work->full);
    const lapack_int info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, work->factors, n, work->pivot);
    work->system->statistics->factorisations++;
    return info == 0 ? TN_OK : info > 0 ? TN_RETRY : TN_FATAL;
}

tn_status tn_static_solve(static_work *work, const double *right_hand_side, double *solution)
{
    const uint32_t nv = work->nv, rows = work->rows;
    memcpy(solution, right_hand_side, work->size * sizeof *solution);
    for (uint32_t r = nv; r < nv + rows; r++)
        solution[r] *= work->row_scale;
    tn_status status = TN_OK;
    if (!work->states) {
        status = work->system->solve(work->system, solution);
    } else {
        const lapack_int n = (lapack_int)work->size;
        if (LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, work->factors, n, work->pivot, solution, n) != 0)
            status = TN_FATAL;
    }
    for (uint32_t r = nv; r < nv + rows; r++)
        solution[r] *= work->row_scale;
    return status;
}

void tn_static_multiply(const static_work *work, const double *x, double *product)
{
    const tn_matrix *A = work->matrix;
    memset(product, 0, work->size * sizeof *product);
    if (work->states) {
        for (size_t j = 0; j < work->size; j++)
            for (size_t i = 0; i < work->size; i++)
                product[i] += work->full[j * work->size + i] * x[j];
        return;
    }
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            product[A->row[e]] += A->value[e] * x[j];
}

void tn_static_multiply_transposed(const static_work *work, const double *x, double *product)
{
    const tn_matrix *A = work->matrix;
    memset(product, 0, work->size * sizeof *product);
    if (work->states) {
        for (size_t j = 0; j < work->size; j++)
            for (size_t i = 0; i < work->size; i++)
                product[j] += work->full[j * work->size + i] * x[i];
        return;
    }
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            product[j] += A->value[e] * x[A->row[e]];
}

/* ---- sizes -------------------------------------------------------------------------------------------------- */

static double diagonal_of(const static_work *work, uint32_t i)
{
    return work->diagonal[i] == UINT32_MAX ? 0.0 : work->matrix->value[work->diagonal[i]];
}

tn_status tn_static_measure(static_work *work)
{
    tn_system *system = work->system;
    double *by_load = work->trial;
    tn_status status = system->matrix(system, 1.0, 0.0, 0.0);
    for (uint32_t i = 0; i < work->nv; i++)
        work->product[i] = diagonal_of(work, i);
    memcpy(work->direction, work->product, work->nv * sizeof *work->product);
    if (status == TN_OK) status = system->matrix(system, NO_MASS, 0.0, 1.0);
    for (uint32_t i = 0; i < work->nv; i++) {
        const double stiffness = fmax(fabs(diagonal_of(work, i)), SLOWEST * work->direction[i]);
        work->noise = fmax(work->noise, ROUND_OFF * stiffness * system->scale[i] * system->scale[i]);
    }
    work->energy = work->noise;
    for (uint32_t i = 0; i < work->nv; i++)
        if (work->direction[i] > 0.0)
            work->stiffest = fmax(work->stiffest, fabs(diagonal_of(work, i)) / work->direction[i]);
    if (status == TN_OK) status = work->operators->begin_step(system); // forces without reactions
    memcpy(work->product, system->force, work->nv * sizeof *work->product);
    if (status == TN_OK) status = tn_static_evaluate(work);
    const bool gravity = work->gravity;
    work->gravity = work->statics->has_gravity;
    if (status == TN_OK && work->gravity) status = tn_static_load_vector(work, by_load);
    for (uint32_t i = 0; i < work->nv; i++) {
        const double weight = work->gravity ? fabs(by_load[i]) : 0.0, scale = system->scale[i],
                     force = fmax(fabs(work->product[i]),
                                  fmax(weight, fabs(system->force[i] - work->product[i])));
        work->energy = fmax(work->energy, force * scale);
        if (work->direction[i] > 0.0 && scale > 0.0)
            work->stiffest = fmax(work->stiffest, force / work->direction[i] / scale);
    }
    work->gravity = gravity;
    work->stiffest = fmax(work->stiffest, SLOWEST);
    work->least_shift = LEAST_SHIFT * work->stiffest;
    return status;
}

int tn_static_negative(static_work *work)
{
    const tn_matrix *A = work->matrix;
    const size_t n = work->nv + work->rows;
    if (!work->symmetric) return -1;
    double *S = work->symmetric, *size = work->product, moment = 0.0, difference = 0.0;
    memset(S, 0, n * n * sizeof *S);
    memset(size, 0, n * sizeof *size);
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            const size_t i = (size_t)A->row[e];
            S[j * n + i] = i >= work->nv ? -A->value[e] : A->value[e];
            size[i] = fmax(size[i], fabs(A->value[e]));
        }
    // away from an equilibrium turns do not commute: the moments that are left make the tangent unsymmetric
    for (uint32_t i = 0; i < work->nv; i++)
        if (work->kinds->kind[i] != TN_MOTION_TRANSLATION) moment = fmax(moment, fabs(work->residual[i]));
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i <= j; i++) {
            const double scale = sqrt((size[i] > 0.0 ? size[i] : 1.0) * (size[j] > 0.0 ? size[j] : 1.0)),
                         a = S[j * n + i] / scale, b = S[i * n + j] / scale;
            difference = fmax(difference, fabs(a - b) - moment / scale);
            S[j * n + i] = 0.5 * (a + b);
        }
    work->symmetry = difference <= SHARE_OF_SYMMETRY;
    const lapack_int order = (lapack_int)n;
    const lapack_int info = LAPACKE_dsytrf_work(LAPACK_COL_MAJOR, 'U', order, S, order, work->exchange,
                                                work->block, work->block_size);
    if (info < 0) return -1;
    int negative = 0;
    for (size_t k = 0; k < n; k++) {
        const double own = S[k * n + k];
        if (work->exchange[k] > 0) {
            negative += own < 0.0;
            continue;
        }
        const double next = S[(k + 1) * n + k + 1], beside = S[(k + 1) * n + k];
        negative += own * next - beside * beside < 0.0 ? 1 : own < 0.0 ? 2 : 0;
        k++;
    }
    return negative - (int)work->rows;
}
