/* functions.c - STEP, IMPACT, POLY, ... for routines, with their derivatives: those of expressions */
#include "exported.h"

#include <tenon/kit/user_functions.h>

#include <stdatomic.h>
#include <string.h>

static _Atomic(const tn_questions *)
    answers; /* a table of the kernel: threads that a routine starts ask it, too */

void routine_open_functions(const tn_host *host)
{
    if (!atomic_load(&answers) && host->extension)
        atomic_store(&answers, host->extension(host, TN_QUESTIONS_KEY));
}

static void evaluate(uint32_t function, const double *argument, int order, double *value, int *error)
{
    const uint32_t count = tn_user_functions[function].arguments;
    *error = tn_user_function_value(atomic_load(&answers), function, argument, count, order, value) != NULL;
}

/* Coefficients behind the arguments. */
static void evaluate_series(uint32_t function, const double *argument, const double *par, int npar, int order,
                            double *value, int *error)
{
    double all[TN_USER_MOST_NUMBERS];
    const uint32_t before = tn_user_functions[function].arguments;
    *value = (double)NAN;
    *error = npar < 1 || (uint32_t)npar > TN_USER_MOST_NUMBERS - before;
    if (*error) return;
    memcpy(all, argument, before * sizeof *all);
    memcpy(all + before, par, (size_t)npar * sizeof *all);
    *error = tn_user_function_value(atomic_load(&answers), function, all, before + (uint32_t)npar, order,
                                    value) != NULL;
}

#define STEP(name, number)                                                                       \
    void c_##name(double x, double x0, double h0, double x1, double h1, int iord, double *value, \
                  int *errflg)                                                                   \
    {                                                                                            \
        evaluate(number, (const double[]){x, x0, h0, x1, h1}, iord, value, errflg);              \
    }
STEP(step, TN_USER_STEP_FUNCTION)
STEP(step5, TN_USER_STEP5)
STEP(havsin, TN_USER_HAVSIN)

void c_shf(double x, double x0, double a, double w, double phi, double b, int iord, double *value,
           int *errflg)
{
    evaluate(TN_USER_SHF, (const double[]){x, x0, a, w, phi, b}, iord, value, errflg);
}

void c_impact(double x, double dxdt, double x1, double k, double e, double cmax, double d, int iord,
              double *vector, int *errflg)
{
    evaluate(TN_USER_IMPACT, (const double[]){x, dxdt, x1, k, e, cmax, d}, iord, vector, errflg);
}

void c_bistop(double x, double dxdt, double x1, double x2, double k, double e, double cmax, double d,
              int iord, double *vector, int *errflg)
{
    evaluate(TN_USER_BISTOP, (const double[]){x, dxdt, x1, x2, k, e, cmax, d}, iord, vector, errflg);
}

void c_poly(double x, double x0, const double *par, int npar, int iord, double *value, int *errflg)
{
    evaluate_series(TN_USER_POLY, (const double[]){x, x0}, par, npar, iord, value, errflg);
}

void c_cheby(double x, double x0, const double *par, int npar, int iord, double *value, int *errflg)
{
    evaluate_series(TN_USER_CHEBY, (const double[]){x, x0}, par, npar, iord, value, errflg);
}

void c_forcos(double x, double x0, double w, const double *par, int npar, int iord, double *value,
              int *errflg)
{
    evaluate_series(TN_USER_FORCOS, (const double[]){x, x0, w}, par, npar, iord, value, errflg);
}

void c_forsin(double x, double x0, double w, const double *par, int npar, int iord, double *value,
              int *errflg)
{
    evaluate_series(TN_USER_FORSIN, (const double[]){x, x0, w}, par, npar, iord, value, errflg);
}
