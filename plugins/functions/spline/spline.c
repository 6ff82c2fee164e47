/* spline.c - curves through tabulated points, called in expressions as spline(name, x, order), or with a method of their
 * own as cubspl(x, 0, name, order), akispl, linspl and quispl.
 *
 * Every method gives a polynomial between two points. They are read off once, as the derivatives at the left
 * point, into memory of the model: nothing of GSL outlives `prepare`, and an evaluation is a search and a Taylor
 * sum without any state, which gives the derivatives of all orders as well. */
#include <tenon/author.h>

#if TN_VALUES

#include "collocation.h"

#include <tenon/kit/gsl_errors.h>

#include <gsl/gsl_interp.h>
#include <stdlib.h>

/* From `start` on: derivatives 0 (the value) to 5 at `start`. */
typedef struct polynomial {
    double start, derivative[SPLINE_DERIVATIVES];
} polynomial;

enum { LINEAR, AKIMA, CUBIC, STEFFEN, NOT_A_KNOT, QUINTIC };
enum { OUTSIDE_ERROR, OUTSIDE_CONSTANT, OUTSIDE_LINEAR };

#define SPLINE(P)                                                                                     \
    P(LIST, x, TN_ANY_UNIT, TN_REQUIRED, "argument at the points, strictly increasing")               \
    P(LIST, y, TN_ANY_UNIT, TN_REQUIRED, "value at the points, as many as x")                         \
    P(CHOICE, interpolation, "linear|akima|cubic|steffen|not_a_knot|quintic", 0, CUBIC,               \
      "curve between the points; at least 2, 5, 3, 3, 4 and 6 of them")                               \
    P(CHOICE, outside, "error|constant|linear", 0, OUTSIDE_LINEAR,                                    \
      "outside the points: no value, the value at the end, or the slope at the end")                  \
    P(PRIVATE, struct polynomial *,                                                                   \
      piece)                    /* before the first point, one per interval, behind the last point */ \
    P(PRIVATE, double, density) /* intervals per unit of x where they are even, else 0 */

TN_PARAMETERS(spline, SPLINE)

static const struct {
    const char *name;
    size_t least; /* points */
    int degree;
    int32_t at_points, at_ends;         /* continuous derivatives there; at_ends: with outside = "linear" */
    const gsl_interp_type *const *type; /* NULL: by collocation */
} methods[] = {[LINEAR] = {"linear", 2, 1, 0, 1, &gsl_interp_linear},
               [AKIMA] = {"akima", 5, 3, 1, 1, &gsl_interp_akima},
               [CUBIC] = {"cubic", 3, 3, 2, 2, &gsl_interp_cspline},
               [STEFFEN] = {"steffen", 3, 3, 1, 1, &gsl_interp_steffen},
               [NOT_A_KNOT] = {"not_a_knot", 4, 3, 2, 1, NULL},
               [QUINTIC] = {"quintic", 6, 5, 4, 1, NULL}};

/* ---- setup ------------------------------------------------------------------------------------------------ */

static tn_status check_points(const tn_host *host, const spline *self)
{
    const double *x = self->x.value, *y = self->y.value;
    const size_t count = self->x.count, least = methods[self->interpolation].least;
    if (self->y.count != count)
        return tn_refuse(host, "x", "x has %zu values, but y has %zu", count, (size_t)self->y.count);
    if (count < least)
        return tn_refuse(host, "x", "interpolation = \"%s\" needs %zu points, but there are %zu",
                         methods[self->interpolation].name, least, count);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i])) return tn_refuse(host, "x", "x[%zu] = %g is not finite", i, x[i]);
        if (!isfinite(y[i])) return tn_refuse(host, "y", "y[%zu] = %g is not finite", i, y[i]);
        if (i > 0 && x[i] <= x[i - 1])
            return tn_refuse(host, "x",
                             "x must increase strictly, but x[%zu] = %.15g is followed by x[%zu] = %.15g "
                             "(counted from 0)",
                             i - 1, x[i - 1], i, x[i]);
    }
    return TN_OK;
}

/* Number of intervals per unit of x when no point is half an interval off its place in an even spacing, else 0. */
static double even_density(const tn_list *points)
{
    const double *x = points->value;
    const double intervals = (double)(points->count - 1), width = (x[points->count - 1] - x[0]) / intervals;
    for (size_t i = 0; i < points->count; i++)
        if (!(fabs(x[i] - (x[0] + (double)i * width)) < 0.5 * width)) return 0.0;
    return isfinite(1.0 / width) ? 1.0 / width : 0.0;
}

/* The cubic between points i and i + 1. */
static void read_interval(const gsl_interp *curve, const double *x, const double *y, size_t i,
                          polynomial *piece)
{
    const double middle = x[i] + 0.5 * (x[i + 1] - x[i]);
    piece->derivative[0] = y[i];
    piece->derivative[1] = gsl_interp_eval_deriv(curve, x, y, x[i], NULL);
    piece->derivative[2] = gsl_interp_eval_deriv2(curve, x, y, x[i], NULL);
    /* two neighbouring numbers have nothing between them, where a third derivative could matter */
    if (middle > x[i] && middle < x[i + 1])
        piece->derivative[3] =
            (gsl_interp_eval_deriv2(curve, x, y, middle, NULL) - piece->derivative[2]) / (middle - x[i]);
}

/* Fills the pieces between the points; a code of GSL. */
static int interpolate(const spline *self)
{
    const double *x = self->x.value, *y = self->y.value;
    gsl_interp *curve = gsl_interp_alloc(*methods[self->interpolation].type, self->x.count);
    if (!curve) return GSL_ENOMEM;
    const int code = gsl_interp_init(curve, x, y, self->x.count);
    for (size_t i = 0; i + 1 < self->x.count && code == GSL_SUCCESS; i++)
        read_interval(curve, x, y, i, &self->piece[i + 1]);
    gsl_interp_free(curve);
    return code;
}

static int collocate(const spline *self)
{
    const size_t count = self->x.count;
    double(*derivative)[SPLINE_DERIVATIVES] = malloc(count * sizeof *derivative);
    if (!derivative) return GSL_ENOMEM;
    const int code = tenon_spline_collocate(self->x.value, self->y.value, count,
                                            methods[self->interpolation].degree, derivative);
    for (size_t i = 0; i + 1 < count && code == GSL_SUCCESS; i++) {
        memcpy(self->piece[i + 1].derivative, derivative[i], sizeof *derivative);
        self->piece[i + 1].derivative[0] = self->y.value[i];
    }
    free(derivative);
    return code;
}

static bool is_finite(const polynomial *piece)
{
    for (int k = 0; k < SPLINE_DERIVATIVES; k++)
        if (!isfinite(piece->derivative[k])) return false;
    return true;
}

/* Derivative of any order, `distance` behind the start: the Taylor sum, which ends with the degree. */
static double derivative_of(const polynomial *piece, int degree, int order, double distance)
{
    double sum = 0.0;
    for (int k = degree; k >= order; k--)
        sum = piece->derivative[k] + distance / (k - order + 1) * sum;
    return sum;
}

/* Checks the pieces between the points, and makes those before and behind them. */
static tn_status complete(const tn_host *host, const spline *self)
{
    const double *x = self->x.value, *y = self->y.value;
    const size_t last = self->x.count - 1;
    for (size_t i = 0; i < last; i++) {
        self->piece[i + 1].start = x[i];
        if (!is_finite(&self->piece[i + 1]))
            return tn_refuse(host, "x", "the curve is not finite from x[%zu] = %.15g to x[%zu] = %.15g", i,
                             x[i], i + 1, x[i + 1]);
    }
    const int degree = methods[self->interpolation].degree;
    const double slope = derivative_of(&self->piece[last], degree, 1, x[last] - x[last - 1]);
    self->piece[0] = (polynomial){x[0], {y[0], self->piece[1].derivative[1]}};
    self->piece[last + 1] = (polynomial){x[last], {y[last], slope}};
    if (self->outside != OUTSIDE_LINEAR)
        self->piece[0].derivative[1] = self->piece[last + 1].derivative[1] = 0.0;
    return TN_OK;
}

static tn_status prepare_spline(const tn_host *host, void *instance)
{
    spline *self = instance;
    tn_status status = check_points(host, self);
    if (status != TN_OK) return status;

    /* always anew: the instance may be a copy of one that keeps its pieces */
    self->piece = host->allocate(host, (self->x.count + 1) * sizeof *self->piece);
    if (!self->piece) return TN_OUT_OF_MEMORY;
    self->density = even_density(&self->x);

    tn_gsl_enter();
    const int code = methods[self->interpolation].type ? interpolate(self) : collocate(self);
    tn_gsl_leave();
    if (code == GSL_ENOMEM) return TN_OUT_OF_MEMORY;
    if (code != GSL_SUCCESS)
        return tn_refuse(host, "x", "no curve through the points: %s", gsl_strerror(code));
    return complete(host, self);
}

/* The same data with a method that the function tells. */
#define PREPARE(name, method)                                            \
    static tn_status prepare_##name(const tn_host *host, void *instance) \
    {                                                                    \
        ((spline *)instance)->interpolation = method;                    \
        return prepare_spline(host, instance);                           \
    }

PREPARE(akispl, AKIMA)
PREPARE(cubspl, NOT_A_KNOT)
PREPARE(linspl, LINEAR)
PREPARE(quispl, QUINTIC)

/* ---- evaluation ------------------------------------------------------------------------------------------- */

/* The interval that `x`, inside the points, lies in; at a point the one to its right, if there is one. */
static size_t interval_of(const spline *self, double x)
{
    const double *point = self->x.value;
    size_t low = 0, high = self->x.count - 1;
    if (self->density > 0.0) {
        /* at most one interval off */
        const size_t last = high - 1, guess = (size_t)((x - point[0]) * self->density);
        low = guess < last ? guess : last;
        while (x < point[low])
            low--;
        while (low < last && x >= point[low + 1])
            low++;
        return low;
    }
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (x < point[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

static const polynomial *piece_at(const spline *self, double x)
{
    const size_t last = self->x.count - 1;
    if (x < self->x.value[0]) return &self->piece[0];
    if (x > self->x.value[last]) return &self->piece[last + 1];
    return &self->piece[interval_of(self, x) + 1];
}

/* 0, 1 or 2, or -1 when it is none of them. */
static int order_of(double number) { return number == 0.0 ? 0 : number == 1.0 ? 1 : number == 2.0 ? 2 : -1; }

/* Derivative number `order` at arguments[0], and its derivatives; nothing varies with the other arguments. */
static tn_status evaluate_curve(const spline *self, const double *arguments, int count, int order,
                                double *value, double *first, double *second)
{
    const double x = arguments[0];
    if (order < 0) return TN_INVALID;
    if (!isfinite(x)) return TN_RETRY;
    const bool inside = x >= self->x.value[0] && x <= self->x.value[self->x.count - 1];
    if (!inside && self->outside == OUTSIDE_ERROR) return TN_RETRY;

    const polynomial *piece = piece_at(self, x);
    const int degree = methods[self->interpolation].degree;
    const double distance = x - piece->start;
    *value = derivative_of(piece, degree, order, distance);
    for (int k = 0; first && k < count; k++)
        first[k] = k == 0 ? derivative_of(piece, degree, order + 1, distance) : (double)NAN;
    for (int k = 0; second && k < count * count; k++)
        second[k] = k == 0 ? derivative_of(piece, degree, order + 2, distance) : (double)NAN;
    return TN_OK;
}

/* spline(name, x, order) */
static tn_status spline_value(const void *instance, const double *arguments, double *value, double *first,
                              double *second)
{
    return evaluate_curve(instance, arguments, 2, order_of(arguments[1]), value, first, second);
}

/* cubspl(x, z, name, order): z is for surfaces, and 0 for curves */
static tn_status method_value(const void *instance, const double *arguments, double *value, double *first,
                              double *second)
{
    if (arguments[1] != 0.0) return TN_INVALID;
    return evaluate_curve(instance, arguments, 3, order_of(arguments[2]), value, first, second);
}

static tn_status inspect_order(const spline *self, double order, int32_t *smoothness)
{
    if (!isnan(order) && order_of(order) < 0) return TN_INVALID;
    int32_t continuous = methods[self->interpolation].at_points;
    const int32_t at_ends = self->outside == OUTSIDE_LINEAR ? methods[self->interpolation].at_ends : 0;
    if (self->outside != OUTSIDE_ERROR && at_ends < continuous) continuous = at_ends;
    *smoothness = isnan(order) ? -1 : continuous - (int32_t)order;
    return TN_OK;
}

static tn_status spline_inspect(const void *instance, const double *arguments, int32_t *smoothness)
{
    return inspect_order(instance, arguments[1], smoothness);
}

static tn_status method_inspect(const void *instance, const double *arguments, int32_t *smoothness)
{
    if (!isnan(arguments[1]) && arguments[1] != 0.0) return TN_INVALID;
    return inspect_order(instance, arguments[2], smoothness);
}

/* Where there is no value. */
static const char *spline_domain(const tn_host *host, const void *instance)
{
    const spline *self = instance;
    if (self->outside != OUTSIDE_ERROR) return NULL;
    char *text = host->allocate(host, 96);
    if (text)
        (void)snprintf(text, 96, "its data reach from %.9g to %.9g", self->x.value[0],
                       self->x.value[self->x.count - 1]);
    return text;
}

TN_FUNCTION(
    spline, .summary = "curve through tabulated points, and its derivatives (by GSL, GPL-3.0-or-later)",
    .formula = "spline(name, x, order) = d^order S / dx^order,  order 0 (left out), 1 or 2\n"
               "S(x) = sum_k S_i^(k) (x - x_i)^k / k!,  x_i <= x < x_(i+1),  k up to 1, 3 or 5\n"
               "linear: straight lines\n"
               "akima: slopes from the two intervals on either side of a point\n"
               "cubic: S'' continuous, zero at both ends (natural)\n"
               "steffen: monotonic between the points, S' continuous\n"
               "not_a_knot: S'' continuous, S''' too at the second and the last but one point\n"
               "quintic: S'''' continuous, S''' and S'''' zero at both ends (natural)",
    .literature = "Akima: A new method of interpolation and smooth curve fitting based on local "
                  "procedures, J. ACM 17 (1970) 589-602\n"
                  "Steffen: A simple method for monotonic interpolation in one dimension, "
                  "Astron. Astrophys. 239 (1990) 443-450\n"
                  "Herriot, Reinsch: Algorithm 507: Procedures for quintic natural spline interpolation, "
                  "ACM Trans. Math. Softw. 2 (1976) 281-289\n"
                  "Galassi et al.: GNU Scientific Library Reference Manual, Interpolation, B-splines",
    .arguments = 2, .optional = 1, .prepare = prepare_spline, .value = spline_value, .domain = spline_domain,
    .inspect = spline_inspect)

#define METHOD(method, words)                                                                               \
    static const tn_function_type method##_type = {                                                         \
        .struct_size = sizeof(tn_function_type),                                                            \
        .name = #method,                                                                                    \
        .summary = words " curve through the points of a signal of type spline (by GSL, GPL-3.0-or-later)", \
        .formula =                                                                                          \
            #method "(x, z, name, order) = d^order S / dx^order,  z = 0,  order 0 (left out), 1 or 2",      \
        .data_of = "spline",                                                                                \
        .arguments = 3,                                                                                     \
        .optional = 1,                                                                                      \
        .prepare = prepare_##method,                                                                        \
        .value = method_value,                                                                              \
        .domain = spline_domain,                                                                            \
        .inspect = method_inspect};

METHOD(akispl, "akima")
METHOD(cubspl, "cubic not-a-knot")
METHOD(linspl, "piecewise linear")
METHOD(quispl, "quintic natural")

TN_LIBRARY("spline", "1.1.0", "GPL-3.0-or-later",
           "curves through tabulated points for expressions; links GSL", {TN_FUNCTION_KIND, &spline_type},
           {TN_FUNCTION_KIND, &akispl_type}, {TN_FUNCTION_KIND, &cubspl_type},
           {TN_FUNCTION_KIND, &linspl_type}, {TN_FUNCTION_KIND, &quispl_type})

#endif
