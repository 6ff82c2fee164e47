/* distributions.c - inverse distribution functions (see distributions.h)
 *
 * Normal: Wichura: Algorithm AS 241: The percentage points of the normal distribution, Appl. Statist. 37 (1988), PPND16, which is good to
 * 1e-16; then a step of Halley by erfc, so that the last digits do not depend on the coefficients. */
#include "cases/distributions.h"

#include <math.h>

/* The ratio of two polynomials of degree 7. */
static double ratio(const double a[8], const double b[8], double x)
{
    double above = a[7], below = b[7];
    for (int k = 6; k >= 0; k--) {
        above = above * x + a[k];
        below = below * x + b[k];
    }
    return above / below;
}

static double first_quantile(double share)
{
    static const double a[8] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                                1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                3.3430575583588128105e4, 2.5090809287301226727e3};
    static const double b[8] = {1.0,
                                4.2313330701600911252e1,
                                6.8718700749205790830e2,
                                5.3941960214247511077e3,
                                2.1213794301586595867e4,
                                3.9307895800092710610e4,
                                2.8729085735721942674e4,
                                5.2264952788528545610e3};
    static const double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                5.76949722146069140550e0,  3.64784832476320460504e0,
                                1.27045825245236838258e0,  2.41780725177450611770e-1,
                                2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static const double d[8] = {1.0,
                                2.05319162663775882187e0,
                                1.67638483018380384940e0,
                                6.89767334985100004550e-1,
                                1.48103976427480074590e-1,
                                1.51986665636164571966e-2,
                                5.47593808499534494600e-4,
                                1.05075007164441684324e-9};
    static const double e[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                1.78482653991729133580e0,  2.96560571828504891230e-1,
                                2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static const double f[8] = {1.0,
                                5.99832206555887937690e-1,
                                1.36929880922735805310e-1,
                                1.48753612908506148525e-2,
                                7.86869131145613259100e-4,
                                1.84631831751005468180e-5,
                                1.42151175831644588870e-7,
                                2.04426310338993978564e-15};
    const double q = share - 0.5;
    if (fabs(q) <= 0.425) return q * ratio(a, b, 0.180625 - q * q);
    const double r = sqrt(-log(q < 0.0 ? share : 1.0 - share));
    const double x = r <= 5.0 ? ratio(c, d, r - 1.6) : ratio(e, f, r - 5.0);
    return q < 0.0 ? -x : x;
}

double tn_normal_quantile(double share)
{
    if (!(share > 0.0 && share < 1.0))
        return share == 0.0 ? -HUGE_VAL : share == 1.0 ? HUGE_VAL : (double)NAN;
    const double x = first_quantile(share);
    /* the tail, so that small shares keep their digits */
    const double tail = x < 0.0 ? share : 1.0 - share;
    const double error = 0.5 * erfc(fabs(x) / sqrt(2.0)) - tail;
    const double step = error * sqrt(2.0 * M_PI) * exp(0.5 * x * x) * (x < 0.0 ? 1.0 : -1.0);
    const double refined = x - step / (1.0 + 0.5 * x * step);
    return isfinite(refined) ? refined : x;
}

double tn_triangular_quantile(double share, double low, double mode, double high)
{
    const double width = high - low, top = (mode - low) / width;
    return share < top ? low + sqrt(share * width * (mode - low))
                       : high - sqrt((1.0 - share) * width * (high - mode));
}
