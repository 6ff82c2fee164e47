/* weakness.c - how far the rows are from leaving a motion free
 *
 * With as many independent rows as coordinates, the smallest singular value of G S, S being the scales of coordinates, is zero at
 * dead points and where reach ends. Its direction y follows from state to state by one step of inverse iteration each,
 *
 *     w = (G S)^-T y,   y <- (G S)^-1 w,
 *
 * by two solutions with the matrix of masses and rows
 *
 *     M   -G^T     x           b
 *     G    E       lambda  =   c
 *
 * In exact singular positions these solutions would only show E. But there the masses take up what the rows do not: M x is the
 * share of b that no multiplier balances, which is zero elsewhere. And a singular position that lies between two states turns one of
 * the singular vectors around, as the determinant changes its sign. */
#include "kinematic.h"

#define FREE_SHARE 0.01 /* of a push along the weak direction, that the masses take up */
#define FOLLOWED 0.7    /* cosine between two weak directions that are the same one */
#define SLOWEST 0.95    /* of the share, that a refinement must leave less of */
#define AT_ZERO 1e-4    /* of the singular value against the largest so far, where its vectors are blurred */
enum { FIRST_ITERATIONS = 12, REFINEMENTS = 20 };

static double product(const double *a, const double *b, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The length that it had. */
static double normalise(double *a, size_t count)
{
    const double length = sqrt(product(a, a, count));
    for (size_t i = 0; i < count && length > 0.0; i++)
        a[i] /= length;
    return length;
}

/* The share of the push y/S that the masses take up in the solution. */
static tn_status find_share(kinematic_work *work, const double *direction, double *share)
{
    tn_system *system = work->system;
    double *taken = work->weak_now;
    const tn_status status = system->residual(system, work->solution, taken); // M x - force
    *share = 0.0;
    for (uint32_t i = 0; i < system->nv && status == TN_OK; i++)
        *share += direction[i] * system->scale[i] * (taken[i] + system->force[i]);
    return status;
}

/* What E has left of G x = 0. */
static tn_status refine_push(kinematic_work *work)
{
    tn_system *system = work->system;
    double *change = work->correction;
    memset(change, 0, system->nv * sizeof *change);
    system->constraint_product(system, work->solution, change + system->nv);
    for (uint32_t r = 0; r < system->rows; r++)
        change[system->nv + r] *= -1.0;
    const tn_status status = system->solve(system, change);
    for (size_t i = 0; i < (size_t)system->nv + system->rows && status == TN_OK; i++)
        work->solution[i] += change[i];
    return status;
}

/* The push y/S: the share of it that the masses take up; its multipliers stand in the solution. Between light and heavy masses E is
 * large for the latter. */
static tn_status push(kinematic_work *work, const double *direction, double *share)
{
    tn_system *system = work->system;
    double *x = work->solution;
    memset(x + system->nv, 0, system->rows * sizeof *x);
    for (uint32_t i = 0; i < system->nv; i++)
        x[i] = direction[i] / system->scale[i];
    tn_status status = system->solve(system, x);
    if (status == TN_OK) status = find_share(work, direction, share);
    double before = HUGE_VAL;
    for (int k = 0; k < REFINEMENTS && status == TN_OK && *share >= FREE_SHARE && *share < SLOWEST * before;
         k++) {
        before = *share;
        status = refine_push(work);
        if (status == TN_OK) status = find_share(work, direction, share);
    }
    return status;
}

/* The direction that the multipliers of the push belong to, what the rows make of it, and the singular value. */
static tn_status pull(kinematic_work *work)
{
    tn_system *system = work->system;
    double *x = work->solution;
    normalise(x + system->nv, system->rows);
    memset(x, 0, system->nv * sizeof *x);
    const tn_status status = system->solve(system, x);
    if (status != TN_OK) return status;
    system->constraint_product(system, x, work->image_now);
    for (uint32_t i = 0; i < system->nv; i++)
        work->weak_now[i] = x[i] / system->scale[i];
    const double length = normalise(work->weak_now, system->nv),
                 image = normalise(work->image_now, system->rows);
    work->smallest_now = length > 0.0 ? image / length : 0.0;
    return TN_OK;
}

static tn_status prepare_matrix(kinematic_work *work)
{
    tn_system *system = work->system;
    system->row_factor = 1.0;
    const tn_status status = system->matrix(system, 1.0, 0.0, 0.0);
    return status == TN_OK ? system->factor(system) : status;
}

static tn_status iterate(kinematic_work *work, const double *from, kinematic_trouble *trouble)
{
    double share = 0.0;
    tn_status status = push(work, from, &share);
    if (status == TN_OK && !(share < FREE_SHARE)) {
        memcpy(work->weak_now, from, work->system->nv * sizeof *from);
        work->smallest_now = 0.0;
        *trouble = KINEMATIC_SINGULAR;
        return TN_RETRY;
    }
    return status == TN_OK ? pull(work) : status;
}

tn_status kinematic_begin_weakness(kinematic_work *work, kinematic_trouble *trouble)
{
    const tn_system *system = work->system;
    uint64_t draw = 0x9e3779b97f4a7c15u;
    if (!system->nv) return TN_OK;
    for (uint32_t i = 0; i < system->nv; i++) {
        draw = draw * 6364136223846793005u + 1442695040888963407u;
        work->weak[i] = (double)(draw >> 11) * 0x1p-52 - 1.0;
    }
    normalise(work->weak, system->nv);
    tn_status status = prepare_matrix(work);
    for (int k = 0; k < FIRST_ITERATIONS && status == TN_OK; k++) {
        status = iterate(work, work->weak, trouble);
        memcpy(work->weak, work->weak_now, system->nv * sizeof *work->weak);
    }
    work->stand.largest = 0.0;
    kinematic_keep_weakness(work);
    return status;
}

tn_status kinematic_follow_weakness(kinematic_work *work, kinematic_trouble *trouble)
{
    const tn_system *system = work->system;
    if (!system->nv) return TN_OK;
    tn_status status = prepare_matrix(work);
    if (status == TN_OK) status = iterate(work, work->weak, trouble);
    if (status != TN_OK) return status;
    const double same = product(work->weak, work->weak_now, system->nv),
                 image = product(work->weak_image, work->image_now, system->rows);
    if (fabs(image) <= FOLLOWED && work->smallest_now < AT_ZERO * work->stand.largest) {
        *trouble = KINEMATIC_SINGULAR; // so near that E blurs the image
        return TN_RETRY;
    }
    if (!(same * image < 0.0 && fabs(same) > FOLLOWED && fabs(image) > FOLLOWED)) return TN_OK;
    *trouble = KINEMATIC_CROSSING;
    return TN_RETRY;
}

void kinematic_keep_weakness(kinematic_work *work)
{
    const tn_system *system = work->system;
    memcpy(work->weak, work->weak_now, system->nv * sizeof *work->weak);
    memcpy(work->weak_image, work->image_now, system->rows * sizeof *work->weak_image);
    work->stand.smallest = work->smallest_now;
    work->stand.largest = fmax(work->stand.largest, work->smallest_now);
}
