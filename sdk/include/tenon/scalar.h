/* tenon/scalar.h - the scalar type `tn_real` that a plugin's text is compiled with.
 *
 * The same text is compiled once per pass:
 *   TN_PASS_VALUE    double                           values, and the descriptor
 *   TN_PASS_DUAL     dual numbers (text as C++17)     exact derivatives, TN_SEEDS columns per sweep
 *   TN_PASS_COMPLEX  double _Complex (C only)         exact derivatives by complex step, one column per sweep
 * Write with tn_real, the functions below and the operators + - * /. Branch on tn_value(x). A bare fabs() or
 * <tgmath.h> would drop derivatives silently; tn_abs, tn_max and tn_min keep them. */
#ifndef TENON_SCALAR_H
#define TENON_SCALAR_H

#include <math.h>

#define TN_PASS_VALUE 0
#define TN_PASS_DUAL 1
#define TN_PASS_COMPLEX 2

#ifndef TN_PASS
#define TN_PASS TN_PASS_VALUE
#endif
/* True where the descriptor and all that is not differentiated is compiled. */
#define TN_VALUES (TN_PASS == TN_PASS_VALUE)

#if TN_PASS == TN_PASS_VALUE

typedef double tn_real;
static inline double tn_value(tn_real a) { return a; }
/* f(a) with value f and derivative df. */
static inline tn_real tn_chain(tn_real a, double f, double df)
{
    (void)a;
    (void)df;
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
static inline tn_real tn_chain(tn_real a, double f, double df) { return CMPLX(f, df * cimag(a)); }
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
struct tn_real {
    typedef double four __attribute__((vector_size(32)));
    enum { chunks = (TN_SEEDS + 3) / 4 };
    four d[chunks];
    double value;
    tn_real() = default;
    tn_real(double constant) : value(constant)
    {
        for (int i = 0; i < chunks; i++)
            d[i] = four{};
    }
};
static inline double tn_value(const tn_real &a) { return a.value; }
static inline double tn_derivative(const tn_real &a, int column) { return a.d[column / 4][column % 4]; }
static inline void tn_seed(tn_real *a, int column, double derivative)
{
    a->d[column / 4][column % 4] += derivative;
}
static inline tn_real tn_chain(const tn_real &a, double f, double df)
{
    tn_real r;
    r.value = f;
    for (int i = 0; i < tn_real::chunks; i++)
        r.d[i] = df * a.d[i];
    return r;
}
/* value and a.d * fa + b.d * fb */
static inline tn_real tn_chain(const tn_real &a, const tn_real &b, double f, double fa, double fb)
{
    tn_real r;
    r.value = f;
    for (int i = 0; i < tn_real::chunks; i++)
        r.d[i] = fa * a.d[i] + fb * b.d[i];
    return r;
}
static inline tn_real operator+(const tn_real &a, const tn_real &b)
{
    tn_real r;
    r.value = a.value + b.value;
    for (int i = 0; i < tn_real::chunks; i++)
        r.d[i] = a.d[i] + b.d[i];
    return r;
}
static inline tn_real operator-(const tn_real &a, const tn_real &b)
{
    tn_real r;
    r.value = a.value - b.value;
    for (int i = 0; i < tn_real::chunks; i++)
        r.d[i] = a.d[i] - b.d[i];
    return r;
}
static inline tn_real operator*(const tn_real &a, const tn_real &b)
{
    return tn_chain(a, b, a.value * b.value, b.value, a.value);
}
static inline tn_real operator/(const tn_real &a, const tn_real &b)
{
    double f = a.value / b.value;
    return tn_chain(a, b, f, 1.0 / b.value, -f / b.value);
}
static inline tn_real operator+(double a, const tn_real &b) { return tn_chain(b, a + b.value, 1.0); }
static inline tn_real operator+(const tn_real &a, double b) { return tn_chain(a, a.value + b, 1.0); }
static inline tn_real operator-(const tn_real &a, double b) { return tn_chain(a, a.value - b, 1.0); }
static inline tn_real operator-(double a, const tn_real &b) { return tn_chain(b, a - b.value, -1.0); }
static inline tn_real operator*(double a, const tn_real &b) { return tn_chain(b, a * b.value, a); }
static inline tn_real operator*(const tn_real &a, double b) { return tn_chain(a, a.value * b, b); }
static inline tn_real operator/(const tn_real &a, double b) { return tn_chain(a, a.value / b, 1.0 / b); }
static inline tn_real operator/(double a, const tn_real &b)
{
    double f = a / b.value;
    return tn_chain(b, f, -f / b.value);
}
static inline tn_real operator-(const tn_real &a) { return tn_chain(a, -a.value, -1.0); }
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
    return tn_chain(a, f, 0.5 / f);
}
static inline tn_real tn_sin(tn_real a) { return tn_chain(a, sin(tn_value(a)), cos(tn_value(a))); }
static inline tn_real tn_cos(tn_real a) { return tn_chain(a, cos(tn_value(a)), -sin(tn_value(a))); }
static inline tn_real tn_tan(tn_real a)
{
    double f = tan(tn_value(a));
    return tn_chain(a, f, 1.0 + f * f);
}
static inline tn_real tn_asin(tn_real a)
{
    double x = tn_value(a);
    return tn_chain(a, asin(x), 1.0 / sqrt(1.0 - x * x));
}
static inline tn_real tn_acos(tn_real a)
{
    double x = tn_value(a);
    return tn_chain(a, acos(x), -1.0 / sqrt(1.0 - x * x));
}
static inline tn_real tn_atan(tn_real a)
{
    double x = tn_value(a);
    return tn_chain(a, atan(x), 1.0 / (1.0 + x * x));
}
static inline tn_real tn_exp(tn_real a)
{
    double f = exp(tn_value(a));
    return tn_chain(a, f, f);
}
static inline tn_real tn_log(tn_real a) { return tn_chain(a, log(tn_value(a)), 1.0 / tn_value(a)); }
static inline tn_real tn_power(tn_real a, double exponent)
{
    double x = tn_value(a);
    return tn_chain(a, pow(x, exponent), exponent == 0.0 ? 0.0 : exponent * pow(x, exponent - 1.0));
}
/* Angle of the point (x, y), in (-pi, pi]. */
static inline tn_real tn_atan2(tn_real y, tn_real x)
{
    double s = tn_value(y), c = tn_value(x), square = s * s + c * c;
    tn_real slope = (c / square) * y - (s / square) * x; /* value zero, derivative that of the angle */
    return slope + atan2(s, c);
}
/* Not analytic: every pass takes the branch of the value. */
static inline tn_real tn_abs(tn_real a) { return tn_value(a) < 0.0 ? -a : a; }
static inline tn_real tn_max(tn_real a, tn_real b) { return tn_value(a) < tn_value(b) ? b : a; }
static inline tn_real tn_min(tn_real a, tn_real b) { return tn_value(b) < tn_value(a) ? b : a; }

#endif
