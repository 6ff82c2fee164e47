/* spline.c - curves through tabulated points, called in expressions as spline(name, x, order).
 *
 * Every method of GSL gives a cubic between two points. They are read off once, as the derivatives at the left
 * point, into memory of the model: nothing of GSL outlives `prepare`, and an evaluation is a search and a Taylor
 * sum without any state, which gives the derivatives of all orders as well. */
#include <tenon/author.h>

#if TN_VALUES

#include <gsl/gsl_errno.h>
#include <gsl/gsl_interp.h>

/* From `start` on: derivatives 0 (the value) to 3 at `start`. */
typedef struct cubic {
    double start, derivative[4];
} cubic;

enum { LINEAR, AKIMA, CUBIC, STEFFEN };
enum { OUTSIDE_ERROR, OUTSIDE_CONSTANT, OUTSIDE_LINEAR };

#define SPLINE(P)                                                                                          \
    P(LIST, x, TN_ANY_UNIT, TN_REQUIRED, "argument at the points, strictly increasing")                    \
    P(LIST, y, TN_ANY_UNIT, TN_REQUIRED, "value at the points, as many as x")                              \
    P(CHOICE, interpolation, "linear|akima|cubic|steffen", 0, CUBIC,                                       \
      "curve between the points; at least 2, 5, 3 and 3 of them")                                          \
    P(CHOICE, outside, "error|constant|linear", 0, OUTSIDE_LINEAR,                                         \
      "before the first and behind the last point: no value, the end's value, or on with the end's slope") \
    P(PRIVATE, cubic *, piece)  /* before the first point, one per interval, behind the last point */      \
    P(PRIVATE, double, density) /* intervals per unit of x where they are even, else 0 */

TN_PARAMETERS(spline, SPLINE)

static const struct {
    const char *name;
    const gsl_interp_type *const *type;
} methods[] = {[LINEAR] = {"linear", &gsl_interp_linear},
               [AKIMA] = {"akima", &gsl_interp_akima},
               [CUBIC] = {"cubic", &gsl_interp_cspline},
               [STEFFEN] = {"steffen", &gsl_interp_steffen}};

/* ---- setup ------------------------------------------------------------------------------------------------ */

static tn_status check_points(const tn_host *host, const spline *self)
{
    const double *x = self->x.value, *y = self->y.value;
    const size_t count = self->x.count, least = gsl_interp_type_min_size(*methods[self->interpolation].type);
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
static cubic interval_cubic(const gsl_interp *curve, const double *x, const double *y, size_t i)
{
    const double middle = x[i] + 0.5 * (x[i + 1] - x[i]);
    cubic piece = {x[i], {y[i]}};
    piece.derivative[1] = gsl_interp_eval_deriv(curve, x, y, x[i], NULL);
    piece.derivative[2] = gsl_interp_eval_deriv2(curve, x, y, x[i], NULL);
    /* two neighbouring numbers have nothing between them, where a third derivative could matter */
    if (middle > x[i] && middle < x[i + 1])
        piece.derivative[3] =
            (gsl_interp_eval_deriv2(curve, x, y, middle, NULL) - piece.derivative[2]) / (middle - x[i]);
    return piece;
}

static bool is_finite(const cubic *piece)
{
    for (int k = 0; k < 4; k++)
        if (!isfinite(piece->derivative[k])) return false;
    return true;
}

static tn_status read_pieces(const tn_host *host, const spline *self, const gsl_interp *curve)
{
    const double *x = self->x.value, *y = self->y.value;
    const size_t last = self->x.count - 1;
    for (size_t i = 0; i < last; i++) {
        self->piece[i + 1] = interval_cubic(curve, x, y, i);
        if (!is_finite(&self->piece[i + 1]))
            return tn_refuse(host, "x", "the curve is not finite from x[%zu] = %.15g to x[%zu] = %.15g", i,
                             x[i], i + 1, x[i + 1]);
    }
    const double slope = self->outside == OUTSIDE_LINEAR ? 1.0 : 0.0;
    self->piece[0] = (cubic){x[0], {y[0], slope * self->piece[1].derivative[1]}};
    self->piece[last + 1] =
        (cubic){x[last], {y[last], slope * gsl_interp_eval_deriv(curve, x, y, x[last], NULL)}};
    return TN_OK;
}

static tn_status prepare_spline(const tn_host *host, void *instance)
{
    spline *self = instance;
    (void)gsl_set_error_handler_off(); /* which would end the program */
    tn_status status = check_points(host, self);
    if (status != TN_OK) return status;

    /* always anew: the instance may be a copy of one that keeps its pieces */
    self->piece = host->allocate(host, (self->x.count + 1) * sizeof *self->piece);
    if (!self->piece) return TN_OUT_OF_MEMORY;
    self->density = even_density(&self->x);

    gsl_interp *curve = gsl_interp_alloc(*methods[self->interpolation].type, self->x.count);
    if (!curve) return TN_OUT_OF_MEMORY;
    const int code = gsl_interp_init(curve, self->x.value, self->y.value, self->x.count);
    status = code == GSL_SUCCESS
                 ? read_pieces(host, self, curve)
                 : tn_refuse(host, "x", "no curve through the points: %s", gsl_strerror(code));
    gsl_interp_free(curve);
    return status;
}

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

static const cubic *piece_at(const spline *self, double x)
{
    const size_t last = self->x.count - 1;
    if (x < self->x.value[0]) return &self->piece[0];
    if (x > self->x.value[last]) return &self->piece[last + 1];
    return &self->piece[interval_of(self, x) + 1];
}

/* Derivative of any order, `distance` behind the start: the Taylor sum, which ends with order 3. */
static double derivative_of(const cubic *piece, int order, double distance)
{
    double sum = 0.0;
    for (int k = 3; k >= order; k--)
        sum = piece->derivative[k] + distance / (k - order + 1) * sum;
    return sum;
}

static tn_status spline_value(const void *instance, const double *arguments, double *value, double *first,
                              double *second)
{
    const spline *self = instance;
    const double x = arguments[0];
    const int order = arguments[1] == 0.0 ? 0 : arguments[1] == 1.0 ? 1 : arguments[1] == 2.0 ? 2 : -1;
    if (order < 0) return TN_INVALID;
    if (!isfinite(x)) return TN_RETRY;
    const bool inside = x >= self->x.value[0] && x <= self->x.value[self->x.count - 1];
    if (!inside && self->outside == OUTSIDE_ERROR) return TN_RETRY;

    const cubic *piece = piece_at(self, x);
    const double distance = x - piece->start;
    *value = derivative_of(piece, order, distance);
    if (first) {
        first[0] = derivative_of(piece, order + 1, distance);
        first[1] = (double)NAN; /* nothing varies with the order */
    }
    if (second) {
        second[0] = derivative_of(piece, order + 2, distance);
        second[1] = second[2] = second[3] = (double)NAN;
    }
    return TN_OK;
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

TN_FUNCTION(spline,
            .summary = "curve through tabulated points, and its derivatives (by GSL, GPL-3.0-or-later)",
            .formula = "spline(name, x, order) = d^order S / dx^order,  order 0 (left out), 1 or 2\n"
                       "S(x) = y_i + b_i t + c_i t^2 + d_i t^3,  t = x - x_i,  x_i <= x < x_(i+1)\n"
                       "linear: c = d = 0\n"
                       "akima: slopes from the two intervals on either side of a point\n"
                       "cubic: S'' continuous, zero at both ends (natural)\n"
                       "steffen: monotonic between the points, S' continuous",
            .literature = "Akima: A new method of interpolation and smooth curve fitting based on local "
                          "procedures, J. ACM 17 (1970) 589-602\n"
                          "Steffen: A simple method for monotonic interpolation in one dimension, "
                          "Astron. Astrophys. 239 (1990) 443-450\n"
                          "Galassi et al.: GNU Scientific Library Reference Manual, Interpolation",
            .arguments = 2, .optional = 1, .prepare = prepare_spline, .value = spline_value,
            .domain = spline_domain)

TN_LIBRARY("spline", "1.0.0", "GPL-3.0-or-later",
           "curves through tabulated points for expressions; links GSL", {TN_FUNCTION_KIND, &spline_type})

#endif
