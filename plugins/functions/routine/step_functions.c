/* step_functions.c - STEP, STEP5 and HAVSIN for routines, with their derivatives by x */
#include <tenon/routine.h>

#include <math.h>

/* The part of the way from h0 to h1 at a part p of the way from x0 to x1, and derivatives of it by p. */
typedef double course(double p, int order);

static double step_course(double p, int order)
{
    return order == 0 ? p * p * (3.0 - 2.0 * p) : order == 1 ? 6.0 * p * (1.0 - p) : 6.0 - 12.0 * p;
}

static double step5_course(double p, int order)
{
    return order == 0   ? p * p * p * (10.0 - p * (15.0 - 6.0 * p))
           : order == 1 ? 30.0 * p * p * (1.0 - p) * (1.0 - p)
                        : 60.0 * p * (1.0 - p) * (1.0 - 2.0 * p);
}

static double havsin_course(double p, int order)
{
    const double pi = 3.14159265358979323846;
    return order == 0   ? 0.5 * (1.0 - cos(pi * p))
           : order == 1 ? 0.5 * pi * sin(pi * p)
                        : 0.5 * pi * pi * cos(pi * p);
}

static void evaluate(course *of, double x, double x0, double h0, double x1, double h1, int order,
                     double *value, int *error)
{
    const double width = x1 - x0, p = (x - x0) / width;
    *error = !(width > 0.0) || order < 0 || order > 2;
    *value = 0.0;
    if (*error) return;
    if (p <= 0.0 || p >= 1.0)
        *value = order > 0 ? 0.0 : p <= 0.0 ? h0 : h1;
    else
        *value = (order == 0 ? h0 : 0.0) + (h1 - h0) * of(p, order) / pow(width, order);
}

#define EXPORTED(name)                                                                           \
    void c_##name(double x, double x0, double h0, double x1, double h1, int iord, double *value, \
                  int *errflg)                                                                   \
    {                                                                                            \
        evaluate(name##_course, x, x0, h0, x1, h1, iord, value, errflg);                         \
    }
EXPORTED(step)
EXPORTED(step5)
EXPORTED(havsin)
