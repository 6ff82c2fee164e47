/* arc_length.c - the path of equilibria beyond limit points: the load factor is an unknown, and the length of the step in the scaled
 * coordinates is given (Crisfield: A fast incremental/iterative solution procedure that handles "snap-through", Computers & Structures
 * 13 (1981) 55-62)
 *
 * With d_r = J^-1 r and t = J^-1 dr/ds a correction is d = d_r + ds t, where |increment + d| = length. Along the path ds/dL has the
 * sign of t along the step and the size 1/|t|: where it crosses zero is a limit point, which is searched for by the length of the
 * step. */
#include "static.h"

#define FIRST_LENGTH 0.02 /* scaled; or what a fiftieth of the load moves */
#define LONGEST_LENGTH 0.05
#define SHORTEST_LENGTH 1e-9
#define ACCURACY 1e-12  /* of increments, and of the load factor, */
#define LEAST_LOAD 1e-3 /* against this at least */
#define ENOUGH 1e-8     /* where they no longer shrink: at limit points round-off moves along the path */

enum { CORRECTIONS = 25, MOST_POINTS = 5000, WANTED = 5, SEARCHES = 60 };

typedef struct arc {
    static_work *work;
    static_point from;    /* the last point of the path */
    double *along;        /* [size] the last step, */
    double *increment;    /* [nv] this one, */
    double *rest, *slope; /* [size] d_r, t */
    double *by_load;      /* [size] */
    double length;
    double rate; /* ds/dL at the end of the step */
    int corrections;
} arc;

static bool make_arc(arc *a, static_work *work)
{
    const tn_host *host = work->system->host;
    const tn_system *system = work->system;
    *a = (arc){.work = work};
    double **const arrays[] = {&a->along, &a->increment, &a->rest, &a->slope, &a->by_load};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (!(*arrays[k] = host->allocate(host, (work->size + 1) * sizeof(double)))) return false;
    a->from.q = host->allocate(host, (system->nq + 1) * sizeof(double));
    a->from.lambda = host->allocate(host, (system->rows + 1) * sizeof(double));
    a->from.x = host->allocate(host, (system->nx + 1) * sizeof(double));
    return a->from.q && a->from.lambda && a->from.x;
}

/* d_r and t at the current state; exactly at a limit point a small shift makes the matrix regular. */
static tn_status find_corrections(arc *a)
{
    static_work *work = a->work;
    tn_status status = tn_static_load_vector(work, a->by_load);
    if (status == TN_OK && !work->gravity) status = tn_static_evaluate(work);
    for (double shift = 0.0; status == TN_OK; shift = shift > 0.0 ? 10.0 * shift : work->least_shift) {
        if (shift > work->stiffest) return TN_RETRY;
        status = tn_static_matrix(work, shift);
        if (status == TN_OK) status = tn_static_factor(work);
        if (status == TN_OK) status = tn_static_solve(work, work->residual, a->rest);
        if (status == TN_OK) status = tn_static_solve(work, a->by_load, a->slope);
        if (status != TN_RETRY) return status;
        status = TN_OK;
    }
    return status;
}

/* The change of the load factor that keeps the length; false: there is none. */
static bool choose_load(const arc *a, double length, double *change)
{
    const static_work *work = a->work;
    double *moved = work->trial;
    for (uint32_t i = 0; i < work->nv; i++)
        moved[i] = a->increment[i] + a->rest[i];
    const double A = tn_static_dot(work, a->slope, a->slope), B = tn_static_dot(work, moved, a->slope),
                 C = tn_static_dot(work, moved, moved) - length * length, square = B * B - A * C;
    if (!(square >= 0.0) || !(A > 0.0)) return false;
    const double root = sqrt(square), first = (-B + root) / A, second = (-B - root) / A;
    // the one that goes on: its increment is nearer to that of before
    const double of_slope = tn_static_dot(work, a->slope, a->increment);
    *change = of_slope * (first - second) >= 0.0 ? first : second;
    return true;
}

/* From the last point by `length`; the first move goes along the tangent, as the last step did. TN_RETRY: no such point. */
static tn_status go(arc *a, double length)
{
    static_work *work = a->work;
    const uint32_t nv = work->nv;
    tn_static_return(work, &a->from);
    memset(a->increment, 0, work->size * sizeof *a->increment);
    double previous = HUGE_VAL;
    for (int k = 0; k <= CORRECTIONS; k++) {
        tn_status status = tn_static_evaluate(work);
        if (status == TN_OK) status = find_corrections(a);
        if (status != TN_OK) return status;
        double change = 0.0;
        if (k == 0) {
            const double turn = tn_static_dot(work, a->slope, a->along) >= 0.0 ? 1.0 : -1.0;
            change = turn * length / sqrt(tn_static_dot(work, a->slope, a->slope));
            memset(a->rest, 0, work->size * sizeof *a->rest);
        } else if (!choose_load(a, length, &change)) {
            return TN_RETRY;
        }
        for (uint32_t i = 0; i < work->size; i++)
            work->direction[i] = a->rest[i] + change * a->slope[i];
        const double size = sqrt(tn_static_dot(work, work->direction, work->direction));
        if (!isfinite(size)) return TN_RETRY;
        const double way = tn_static_dot(work, a->slope, k ? a->increment : work->direction);
        a->rate = copysign(1.0 / sqrt(tn_static_dot(work, a->slope, a->slope)), way);
        a->corrections = k;
        const double relative = fmax(size / length, fabs(change) / fmax(fabs(work->load), LEAST_LOAD));
        const bool stands = k > 1 && relative > 0.3 * previous && relative <= ENOUGH;
        if (k > 0 && (relative <= ACCURACY || stands)) return TN_OK;
        if (k > 2 && relative > 2.0 * previous) return TN_RETRY;
        previous = relative;
        tn_static_keep(work, &work->trial_point);
        status = tn_static_apply(work, &work->trial_point, work->direction, 1.0);
        tn_static_set_load(work, work->load + change);
        for (uint32_t i = 0; i < nv; i++)
            a->increment[i] += work->direction[i];
        work->system->statistics->newton_iterations++;
        work->iterations++;
        if (status != TN_OK) return status;
    }
    return TN_RETRY;
}

/* ---- limit points ------------------------------------------------------------------------------------------- */

/* What the load is there, in words: the largest part of it on one element. */
static void tell_limit(arc *a)
{
    static_work *work = a->work;
    tn_system *system = work->system;
    uint32_t largest = 0, first = 0, count = 0;
    if (tn_static_load_vector(work, a->by_load) != TN_OK) return;
    for (uint32_t i = 0; i < work->nv; i++)
        if (fabs(a->by_load[i]) * system->scale[i] > fabs(a->by_load[largest]) * system->scale[largest])
            largest = i;
    const char *name = work->statics->owner(system, largest, &first, &count);
    double square = 0.0;
    for (uint32_t i = first; i < first + count; i++)
        if (work->kinds->kind[i] == work->kinds->kind[largest]) square += a->by_load[i] * a->by_load[i];
    const char *unit = work->kinds->kind[largest] == TN_MOTION_TRANSLATION ? "N"
                       : work->kinds->kind[largest] == TN_MOTION_ROTATION  ? "N m"
                                                                           : "";
    char motion[STATIC_NAMES];
    work->statics->describe(system, a->along, motion, sizeof motion);
    tn_say(system->host, TN_NOTE, "limit point at load factor %.11g: the load on `%s` is %.11g %s there; %s",
           work->load, name, fabs(work->load) * sqrt(square), unit, motion);
}

/* A row of the results, and the load factor that belongs to it. */
static tn_status record(static_work *work)
{
    if (!work->settings->path) return TN_OK;
    tn_say(work->system->host, TN_NOTE, "row %u of the path is at load factor %.11g", ++work->path_rows,
           work->load);
    memset(work->system->v, 0, work->nv * sizeof(double));
    memset(work->system->a, 0, work->nv * sizeof(double));
    return work->system->accept(work->system);
}

/* Between the last point, with the rate `before`, and the one at a length with the rate `behind`, of another sign: the length where it
 * vanishes, by the regula falsi (Illinois). The state is that of the limit point then. */
static tn_status find_limit(arc *a, double before, double length, double behind)
{
    static_work *work = a->work;
    double low = 0.0, of_low = before, high = length, of_high = behind;
    tn_static_keep(work, &work->kept);
    for (int k = 0; k < SEARCHES && high - low > 1e-12 * length; k++) {
        const double middle = low - of_low * (high - low) / (of_high - of_low), edge = 1e-3 * (high - low);
        const tn_status status = go(a, fmin(fmax(middle, low + edge), high - edge));
        if (status == TN_RETRY) break;
        if (status != TN_OK) return status;
        tn_static_keep(work, &work->kept);
        memcpy(a->along, a->increment, work->nv * sizeof *a->along);
        const double at = sqrt(tn_static_dot(work, a->increment, a->increment));
        if (a->rate * of_high > 0.0) {
            high = at;
            of_high = a->rate;
            of_low *= 0.5;
        } else {
            low = at;
            of_low = a->rate;
            of_high *= 0.5;
        }
        if (fabs(a->rate) <= 1e-7 * fmax(fabs(before), fabs(behind))) break;
    }
    tn_static_return(work, &work->kept);
    const tn_status status = tn_static_evaluate(work);
    if (status != TN_OK) return status;
    tell_limit(a);
    return record(a->work);
}

/* ---- the path ------------------------------------------------------------------------------------------------- */

/* The length of the first step, and its direction: more load. */
static tn_status choose_first(arc *a)
{
    static_work *work = a->work;
    tn_status status = tn_static_evaluate(work);
    if (status == TN_OK) status = find_corrections(a);
    if (status != TN_OK) return status;
    memcpy(a->along, a->slope, work->size * sizeof *a->along);
    const double rate = sqrt(tn_static_dot(work, a->slope, a->slope));
    if (!(rate > 0.0) || !isfinite(rate)) return TN_RETRY;
    a->length = fmin(FIRST_LENGTH, 0.02 * rate);
    a->rate = 1.0 / rate;
    return TN_OK;
}

tn_status tn_static_arc_length(static_work *work, bool *found)
{
    arc a;
    *found = false;
    if (!make_arc(&a, work)) return TN_OUT_OF_MEMORY;
    tn_static_set_load(work, 0.0);
    tn_status status = tn_static_newton(work, work->settings->iterations, found);
    if (status != TN_OK || !*found) return status;
    *found = false;
    status = choose_first(&a);
    if (status == TN_OK) status = record(work);
    tn_static_keep(work, &a.from);
    uint32_t points = 0;
    for (; points < MOST_POINTS && status == TN_OK && work->load < 1.0; points++) {
        const double rate = a.rate;
        status = go(&a, a.length);
        if (status == TN_RETRY && a.length > SHORTEST_LENGTH) {
            a.length *= 0.25;
            a.rate = rate;
            tn_static_return(work, &a.from);
            status = TN_OK;
            continue;
        }
        if (status != TN_OK) break;
        const double length = a.length, behind = a.rate;
        const int corrections = a.corrections;
        if (rate * behind < 0.0) {
            status = find_limit(&a, rate, length, behind);
            if (status == TN_OK) status = go(&a, length);
            if (status != TN_OK) break;
        }
        a.rate = behind;
        a.length = fmin(LONGEST_LENGTH, length * fmin(2.0, sqrt((double)WANTED / fmax(corrections, 1))));
        memcpy(a.along, a.increment, work->size * sizeof *a.along);
        tn_static_keep(work, &a.from);
        if (work->load < 1.0) status = record(work);
    }
    if (status != TN_OK) return status;
    if (work->load < 1.0) return TN_RETRY;
    tn_say(work->system->host, TN_NOTE, "arc length: %u points from no load to all of it", points);
    tn_static_set_load(work, 1.0);
    return tn_static_newton(work, work->settings->iterations, found);
}
