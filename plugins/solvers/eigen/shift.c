/* shift.c - solutions of the equations of one shift, with the linear solver of the study (shift.h)
 *
 *     s^2 M + s D + K    -f G^T        f scales rows to the size of stiffnesses; E, which the kernel adds against rows that depend
 *     f G                  E           on each other, is taken out again by iterative refinement
 */
#include "shift.h"

#define REFINED 1e-14 /* of the terms: nothing is left to be refined */

enum { MOST_TURNS = 8 };

static double largest_of(const tn_sparse *A)
{
    double largest = 0.0;
    for (int32_t e = 0; e < A->column_start[A->columns]; e++)
        largest = fmax(largest, fabs(A->value[e]));
    return largest;
}

bool tn_shift_open(const eigen_work *work, eigen_shift *shift)
{
    const size_t size = (size_t)work->nv + work->rows;
    *shift = (eigen_shift){.work = work};
    shift->equations = work->system->extension(work->system, TN_COMPLEX_EQUATIONS_KEY);
    shift->right = work->host->allocate(work->host, (size + 1) * sizeof *shift->right);
    shift->left = work->host->allocate(work->host, (size + 1) * sizeof *shift->left);
    shift->numbers = tn_eigen_numbers(work->host, size);
    const double rows = largest_of(&work->linear->rows), stiffness = largest_of(&work->linear->stiffness);
    shift->row_factor = rows > 0.0 && stiffness > 0.0 ? stiffness / rows : 1.0;
    return shift->equations && shift->right && shift->left && shift->numbers;
}

tn_status tn_shift_factor(eigen_shift *shift, double _Complex mass, double _Complex damping)
{
    tn_system *system = shift->work->system;
    const tn_coefficients c = {{creal(mass), cimag(mass)}, {creal(damping), cimag(damping)}, {1.0, 0.0}};
    shift->mass = mass;
    shift->damping = damping;
    shift->is_real = cimag(mass) == 0.0 && cimag(damping) == 0.0;
    return shift->is_real ? shift->equations->factor_real(system, &c, shift->row_factor)
                          : shift->equations->factor_complex(system, &c, shift->row_factor);
}

/* ---- products ------------------------------------------------------------------------------------------------- */

void tn_shift_add(const tn_sparse *A, double _Complex factor, const double _Complex *x, double _Complex *sum)
{
    if (factor == 0.0) return;
    for (uint32_t j = 0; j < A->columns; j++) {
        const double _Complex own = factor * x[j];
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            sum[A->row[e]] += A->value[e] * own;
    }
}

/* What a solution leaves of the right-hand side: b less the product; its size, against that of the terms. */
static double find_rest(eigen_shift *shift, const double _Complex *b, const double _Complex *x)
{
    const eigen_work *work = shift->work;
    const tn_linearisation *linear = work->linear;
    const double f = shift->row_factor;
    double _Complex *rest = shift->left, *below = rest + work->nv;
    memcpy(rest, b, ((size_t)work->nv + work->rows) * sizeof *rest);
    tn_shift_add(&linear->mass, -shift->mass, x, rest);
    tn_shift_add(&linear->damping, -shift->damping, x, rest);
    tn_shift_add(&linear->stiffness, -1.0, x, rest);
    tn_shift_add(&linear->reactions, f, x + work->nv, rest);
    tn_shift_add(&linear->rows, -f, x, below);
    for (uint32_t r = 0; r < work->rows; r++)
        if (!(shift->equations->regularisation[r] > 0.0)) below[r] = 0.0; // it stands alone
    double size = 0.0, given = 0.0;
    for (size_t i = 0; i < (size_t)work->nv + work->rows; i++) {
        size = fmax(size, cabs(rest[i]));
        given = fmax(given, cabs(b[i]));
    }
    return given > 0.0 ? size / given : 0.0;
}

static tn_status solve_once(eigen_shift *shift, double _Complex *x)
{
    const size_t size = (size_t)shift->work->nv + shift->work->rows;
    tn_system *system = shift->work->system;
    if (!shift->is_real) return shift->equations->solve_complex(system, (double *)x);
    tn_status status = TN_OK;
    for (int part = 0; part < 2 && status == TN_OK; part++) {
        double *number = (double *)x + part;
        bool any = false;
        for (size_t i = 0; i < size; i++) {
            shift->numbers[i] = number[2 * i];
            any = any || number[2 * i] != 0.0;
        }
        if (any) status = shift->equations->solve_real(system, shift->numbers);
        for (size_t i = 0; i < size && any; i++)
            number[2 * i] = shift->numbers[i];
    }
    return status;
}

tn_status tn_shift_solve(eigen_shift *shift, double _Complex *b)
{
    const size_t nv = shift->work->nv, size = nv + shift->work->rows;
    double _Complex *x = shift->right;
    memcpy(x, b, nv * sizeof *x);
    memset(x + nv, 0, (size - nv) * sizeof *x);
    memset(b + nv, 0, (size - nv) * sizeof *b);
    tn_status status = solve_once(shift, x);
    double before = HUGE_VAL;
    for (int turn = 0; turn < MOST_TURNS && status == TN_OK; turn++) {
        const double rest = find_rest(shift, b, x);
        if (rest <= REFINED || !(rest < 0.5 * before)) break;
        before = rest;
        status = solve_once(shift, shift->left);
        for (size_t i = 0; i < size && status == TN_OK; i++)
            x[i] += shift->left[i];
    }
    memcpy(b, x, size * sizeof *b);
    return status;
}
