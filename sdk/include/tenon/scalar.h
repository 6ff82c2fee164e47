/* tenon/scalar.h - the scalar type `tn_real` that a plugin's text is compiled with.
 *
 * The same text is compiled once per pass:
 *   TN_PASS_VALUE    double                           values, and the descriptor
 *   TN_PASS_DUAL     dual numbers (text as C++17)     exact derivatives, TN_SEEDS columns per sweep
 *   TN_PASS_COMPLEX  double _Complex (C only)         exact derivatives by complex step, one column per sweep
 *   TN_PASS_SECOND   second-order numbers (C++17)     exact second derivatives, for constraints only
 * Write with tn_real, the functions below and the operators + - * /. Branch on tn_value(x). A bare fabs() or
 * <tgmath.h> would drop derivatives silently; tn_abs, tn_max and tn_min keep them. */
#ifndef TENON_SCALAR_H
#define TENON_SCALAR_H

#include <math.h>

#define TN_PASS_VALUE 0
#define TN_PASS_DUAL 1
#define TN_PASS_COMPLEX 2
#define TN_PASS_SECOND 3

#ifndef TN_PASS
#define TN_PASS TN_PASS_VALUE
#endif
/* True where the descriptor and all that is not differentiated is compiled. */
#define TN_VALUES (TN_PASS == TN_PASS_VALUE)

#if TN_PASS == TN_PASS_VALUE

typedef double tn_real;
static inline double tn_value(tn_real a) { return a; }
/* f(a) with value f, derivative df and second derivative ddf. */
static inline tn_real tn_chain(tn_real a, double f, double df, double ddf)
{
    (void)a, (void)df, (void)ddf;
    return f;
}

#elif TN_PASS == TN_PASS_COMPLEX

#include <complex.h>
#ifndef CMPLX
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif
#define TN_SEEDS 1
#define TN_STEP 1e-30 /* products of two steps vanish beside 1, so the first order is exact */
typedef double _Complex tn_real;
static inline double tn_value(tn_real a) { return creal(a); }
static inline tn_real tn_chain(tn_real a, double f, double df, double ddf)
{
    (void)ddf;
    return CMPLX(f, df * cimag(a));
}
static inline double tn_derivative(tn_real a, int column)
{
    (void)column;
    return cimag(a) / TN_STEP;
}
static inline void tn_seed(tn_real *a, int column, double derivative)
{
    (void)column;
    *a += CMPLX(0.0, derivative * TN_STEP);
}

#else

#ifndef TN_SEEDS
#define TN_SEEDS 12 /* two points, or the poses of two frames; a multiple of 4 */
#endif
/* value + sum d_i e_i, and in the second-order pass + e f + sum m_i e_i f, with e_i e_j = 0 and f f = 0: d_i are
 * derivatives in the directions of the sweep, `e` the one in a direction of its own, m_i the mixed second ones. */
struct tn_real {
    typedef double four __attribute__((vector_size(32)));
    enum { chunks = (TN_SEEDS + 3) / 4 };
    four d[chunks];
#if TN_PASS == TN_PASS_SECOND
    four m[chunks];
    double e;
#endif
    double value;
    tn_real() = default;
    tn_real(double constant) : value(constant)
    {
        for (int i = 0; i < chunks; i++)
            d[i] = four{};
#if TN_PASS == TN_PASS_SECOND
        for (int i = 0; i < chunks; i++)
            m[i] = four{};
        e = 0.0;
#endif
    }
};
static inline double tn_value(const tn_real &a) { return a.value; }
static inline double tn_derivative(const tn_real &a, int column) { return a.d[column / 4][column % 4]; }
static inline void tn_seed(tn_real *a, int column, double derivative)
{
    a->d[column / 4][column % 4] += derivative;
}

#if TN_PASS == TN_PASS_SECOND
static inline double tn_mixed(const tn_real &a, int column) { return a.m[column / 4][column % 4]; }
static inline void tn_seed_mixed(tn_real *a, int column, double derivative)
{
    a->m[column / 4][column % 4] += derivative;
}
/* Both first directions are time, in lane 0; the mixed derivative there is the second one. */
static inline void tn_seed_time(tn_real *a, double rate, double second)
{
    tn_seed(a, 0, rate);
    a->e += rate;
    tn_seed_mixed(a, 0, second);
}
#endif

/* f(a) with value f, derivative df and second derivative ddf. */
static inline tn_real tn_chain(const tn_real &a, double f, double df, double ddf)
{
    tn_real r;
    r.value = f;
    for (int i = 0; i < tn_real::chunks; i++)
        r.d[i] = df * a.d[i];
#if TN_PASS == TN_PASS_SECOND
    for (int i = 0; i < tn_real::chunks; i++)
        r.m[i] = df * a.m[i] + (ddf * a.e) * a.d[i];
    r.e = df * a.e;
#else
    (void)ddf;
#endif
    return r;
}
/* f(a, b) with value f and its partial derivatives. */
struct tn_partials {
    double f, a, b, aa, ab, bb;
};
static inline tn_real tn_chain(const tn_real &a, const tn_real &b, const tn_partials &p)
{
    tn_real r;
    r.value = p.f;
    for (int i = 0; i < tn_real::chunks; i++)
        r.d[i] = p.a * a.d[i] + p.b * b.d[i];
#if TN_PASS == TN_PASS_SECOND
    const double along_a = p.aa * a.e + p.ab * b.e, along_b = p.ab * a.e + p.bb * b.e;
    for (int i = 0; i < tn_real::chunks; i++)
        r.m[i] = p.a * a.m[i] + p.b * b.m[i] + along_a * a.d[i] + along_b * b.d[i];
    r.e = p.a * a.e + p.b * b.e;
#endif
    return r;
}
static inline tn_real operator+(const tn_real &a, const tn_real &b)
{
    tn_real r;
    r.value = a.value + b.value;
    for (int i = 0; i < tn_real::chunks; i++)
        r.d[i] = a.d[i] + b.d[i];
#if TN_PASS == TN_PASS_SECOND
    for (int i = 0; i < tn_real::chunks; i++)
        r.m[i] = a.m[i] + b.m[i];
    r.e = a.e + b.e;
#endif
    return r;
}
static inline tn_real operator-(const tn_real &a, const tn_real &b)
{
    tn_real r;
    r.value = a.value - b.value;
    for (int i = 0; i < tn_real::chunks; i++)
        r.d[i] = a.d[i] - b.d[i];
#if TN_PASS == TN_PASS_SECOND
    for (int i = 0; i < tn_real::chunks; i++)
        r.m[i] = a.m[i] - b.m[i];
    r.e = a.e - b.e;
#endif
    return r;
}
static inline tn_real operator*(const tn_real &a, const tn_real &b)
{
    return tn_chain(a, b, {a.value * b.value, b.value, a.value, 0.0, 1.0, 0.0});
}
static inline tn_real operator/(const tn_real &a, const tn_real &b)
{
    double f = a.value / b.value, inverse = 1.0 / b.value;
    return tn_chain(a, b, {f, inverse, -f / b.value, 0.0, -inverse * inverse, 2.0 * f * inverse * inverse});
}
static inline tn_real operator+(double a, const tn_real &b) { return tn_chain(b, a + b.value, 1.0, 0.0); }
static inline tn_real operator+(const tn_real &a, double b) { return tn_chain(a, a.value + b, 1.0, 0.0); }
static inline tn_real operator-(const tn_real &a, double b) { return tn_chain(a, a.value - b, 1.0, 0.0); }
static inline tn_real operator-(double a, const tn_real &b) { return tn_chain(b, a - b.value, -1.0, 0.0); }
static inline tn_real operator*(double a, const tn_real &b) { return tn_chain(b, a * b.value, a, 0.0); }
static inline tn_real operator*(const tn_real &a, double b) { return tn_chain(a, a.value * b, b, 0.0); }
static inline tn_real operator/(const tn_real &a, double b) { return tn_chain(a, a.value / b, 1.0 / b, 0.0); }
static inline tn_real operator/(double a, const tn_real &b)
{
    double f = a / b.value;
    return tn_chain(b, f, -f / b.value, 2.0 * f / (b.value * b.value));
}
static inline tn_real operator-(const tn_real &a) { return tn_chain(a, -a.value, -1.0, 0.0); }
static inline tn_real &operator+=(tn_real &a, const tn_real &b) { return a = a + b; }
static inline tn_real &operator-=(tn_real &a, const tn_real &b) { return a = a - b; }
static inline tn_real &operator*=(tn_real &a, const tn_real &b) { return a = a * b; }
static inline tn_real &operator/=(tn_real &a, const tn_real &b) { return a = a / b; }

#endif

static inline tn_real tn_constant(double value)
{
    tn_real r = value;
    return r;
}

/* Elementary functions; angles in radians. */
static inline tn_real tn_sqrt(tn_real a)
{
    double f = sqrt(tn_value(a));
    return tn_chain(a, f, 0.5 / f, -0.25 / (tn_value(a) * f));
}
static inline tn_real tn_sin(tn_real a)
{
    double s = sin(tn_value(a));
    return tn_chain(a, s, cos(tn_value(a)), -s);
}
static inline tn_real tn_cos(tn_real a)
{
    double c = cos(tn_value(a));
    return tn_chain(a, c, -sin(tn_value(a)), -c);
}
static inline tn_real tn_tan(tn_real a)
{
    double f = tan(tn_value(a)), df = 1.0 + f * f;
    return tn_chain(a, f, df, 2.0 * f * df);
}
static inline tn_real tn_asin(tn_real a)
{
    double x = tn_value(a), df = 1.0 / sqrt(1.0 - x * x);
    return tn_chain(a, asin(x), df, x * df * df * df);
}
static inline tn_real tn_acos(tn_real a)
{
    double x = tn_value(a), df = -1.0 / sqrt(1.0 - x * x);
    return tn_chain(a, acos(x), df, x * df * df * df);
}
static inline tn_real tn_atan(tn_real a)
{
    double x = tn_value(a), df = 1.0 / (1.0 + x * x);
    return tn_chain(a, atan(x), df, -2.0 * x * df * df);
}
static inline tn_real tn_exp(tn_real a)
{
    double f = exp(tn_value(a));
    return tn_chain(a, f, f, f);
}
static inline tn_real tn_log(tn_real a)
{
    double x = tn_value(a);
    return tn_chain(a, log(x), 1.0 / x, -1.0 / (x * x));
}
static inline tn_real tn_power(tn_real a, double exponent)
{
    double x = tn_value(a), once = exponent, twice = exponent * (exponent - 1.0);
    return tn_chain(a, pow(x, exponent), once == 0.0 ? 0.0 : once * pow(x, exponent - 1.0),
                    twice == 0.0 ? 0.0 : twice * pow(x, exponent - 2.0));
}
/* Angle of the point (x, y), in (-pi, pi]. */
static inline tn_real tn_atan2(tn_real y, tn_real x)
{
    double s = tn_value(y), c = tn_value(x), square = s * s + c * c;
#if TN_PASS == TN_PASS_DUAL || TN_PASS == TN_PASS_SECOND
    double bent = 2.0 * s * c / (square * square);
    return tn_chain(y, x,
                    {atan2(s, c), c / square, -s / square, -bent, (s * s - c * c) / (square * square), bent});
#else
    tn_real slope = (c / square) * y - (s / square) * x; /* value zero, derivative that of the angle */
    return slope + atan2(s, c);
#endif
}
/* Not analytic: every pass takes the branch of the value. */
static inline tn_real tn_abs(tn_real a) { return tn_value(a) < 0.0 ? -a : a; }
static inline tn_real tn_max(tn_real a, tn_real b) { return tn_value(a) < tn_value(b) ? b : a; }
static inline tn_real tn_min(tn_real a, tn_real b) { return tn_value(b) < tn_value(a) ? b : a; }

#endif
