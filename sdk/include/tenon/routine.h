/* tenon/routine.h - routines that users compile, for the type `routine` of functions: values of forces, variables, sensors, ...
 *
 * 1. In the form of other programs, which existing sources in C have already. It is called VARSUB, or as `function` says:
 *
 *     void VARSUB(int *id, double *time, double *par, int *npar, int *dflag, int *iflag, double *value);
 *
 * It asks for what it reads by c_sysfnc() and c_sysary(), the same in every call, also in the first one (*iflag is 1), where all of
 * that is 0. The arguments of a call stand behind its parameters in par[]. Derivatives are found by differences: *dflag is 1 then, and
 * the routine keeps no memory and says nothing.
 *
 * 2. With declared expressions, of which the kernel knows the derivatives, and with partial derivatives of its own:
 *
 *     #include <tenon/routine.h>
 *     TN_ROUTINE(kinetic_energy, "VM(%1)", "WY(%1, 0, %1)")      // %1 is the first parameter
 *     {
 *         return 0.5 * (parameter[1] * reading[0] * reading[0] + parameter[2] * reading[1] * reading[1]);
 *     }
 *
 * This text returns tn_real, and sees `argument`, `reading` (tn_real), `parameter` (double) and `call`; like every text (scalar.h) it
 * uses tn_sqrt and its like, and branches on tn_value(x). `tenon build` compiles it for values and over dual numbers: its first derivatives
 * are exact, and second ones are differences of these. Compiled by hand as C, it has differences.
 *
 * 3. A table of this header, `const tn_routine_table tn_routine_NAME`, with derivatives written by hand. */
#ifndef TENON_ROUTINE_H
#define TENON_ROUTINE_H

#include "tenon/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- for the form of other programs ----------------------------------------------------------------------- */

/* A number, or a vector, of the state by the function's name and ids: ("VM", {1011}, 1) is VM(1011). Without ids the name is
 * an expression, such as "TIME" or "DX(tip, base)". *errflg is 0, or 1 where there is none. */
TN_EXPORT void c_sysfnc(const char *name, const int *ipar, int nsize, double *state, int *errflg);
/* DISP VEL ACC FORCE have 6 numbers, those with T or R in front 3. */
TN_EXPORT void c_sysary(const char *name, const int *ipar, int nsize, double *states, int *nstates,
                        int *errflg);
/* A line for the user, where `errflg` is not 0; the run ends if `endflg` is "STOP". */
TN_EXPORT void c_errmes(int errflg, const char *message, int id, const char *endflg);
/* A line for the user, where `msgflg` is not 0: a note if `msgtyp` begins with "INFO", else a warning. */
TN_EXPORT void c_usrmes(int msgflg, const char *message, int id, const char *msgtyp);
/* s: the end of the last accepted step, or where the solver has begun. */
TN_EXPORT void c_timget(double *time);
/* The spline through the points of the [[signal]] with this id, at xval: array[0] is its value (iord 0), its first (1) or second (2)
 * derivative; zval, of surfaces, is 0, and so are derivatives by it, in array[1] and array[2]. *errflg is 1 where there is no value. */
TN_EXPORT void c_akispl(double xval, double zval, int id, int iord, double *array, int *errflg);
TN_EXPORT void c_cubspl(double xval, double zval, int id, int iord, double *array, int *errflg);
TN_EXPORT void c_linspl(double xval, double zval, int id, int iord, double *array, int *errflg);
TN_EXPORT void c_quispl(double xval, double zval, int id, int iord, double *array, int *errflg);
/* Functions of the language of expressions: the value (iord 0), its first (1) or second (2) derivative by x. *errflg is 1 where there is
 * none. */
TN_EXPORT void c_step(double x, double x0, double h0, double x1, double h1, int iord, double *value,
                      int *errflg);
TN_EXPORT void c_step5(double x, double x0, double h0, double x1, double h1, int iord, double *value,
                       int *errflg);
TN_EXPORT void c_havsin(double x, double x0, double h0, double x1, double h1, int iord, double *value,
                        int *errflg);
TN_EXPORT void c_shf(double x, double x0, double a, double w, double phi, double b, int iord, double *value,
                     int *errflg);
TN_EXPORT void c_poly(double x, double x0, const double *par, int npar, int iord, double *value, int *errflg);
TN_EXPORT void c_cheby(double x, double x0, const double *par, int npar, int iord, double *value,
                       int *errflg);
TN_EXPORT void c_forcos(double x, double x0, double w, const double *par, int npar, int iord, double *value,
                        int *errflg);
TN_EXPORT void c_forsin(double x, double x0, double w, const double *par, int npar, int iord, double *value,
                        int *errflg);
/* Of x and its rate: vector[0] is the value; with iord 1 f_x, f_v; with 2 f_xx, f_xv, f_vv. */
TN_EXPORT void c_impact(double x, double dxdt, double x1, double k, double e, double cmax, double d, int iord,
                        double *vector, int *errflg);
TN_EXPORT void c_bistop(double x, double dxdt, double x1, double x2, double k, double e, double cmax,
                        double d, int iord, double *vector, int *errflg);

/* ---- routines with declared expressions ------------------------------------------------------------------- */

/* One call. The routine writes `value`, and what of `first` and `second` it offers where they are not NULL. */
typedef struct tn_routine_call {
    uint32_t struct_size; /* read no field beyond it */
    uint32_t parameters, arguments, readings;
    const double *parameter, *argument, *reading;
    int64_t id;
    uint32_t by_differences; /* the call is one of differences: keep no memory */
    uint32_t reserved;
    double value;
    double *first;  /* [arguments + readings] */
    double *second; /* [arguments + readings] squared */
    void *self;     /* the caller's */
    /* Says why the routine returns another status than TN_OK; a line for the user. */
    void (*fail)(struct tn_routine_call *call, const char *text);
    void (*say)(struct tn_routine_call *call, const char *text);
} tn_routine_call;

/* Several calls without derivatives: argument k of call i stands at argument[k * stride + i], and so do readings; nothing stands
 * behind these, and nothing is to be written there. */
typedef struct tn_routine_calls {
    uint32_t struct_size; /* read no field beyond it */
    uint32_t count, stride;
    uint32_t parameters, arguments, readings;
    const double *argument, *reading;
    const double *const *parameter; /* [count] */
    const int64_t *id;              /* [count] */
    double *value;                  /* [count], to be written */
    tn_routine_call *call;          /* for fail() and say(), without numbers */
} tn_routine_calls;

typedef struct tn_routine_table {
    uint32_t struct_size;
    uint32_t derivatives; /* 0: none; 1: it writes `first`; 2: `second`, too */
    /* Expressions up to NULL, with %1, %2, ... in place of parameters; NULL: none. */
    const char *const *reads;
    /* TN_RETRY: it has no value here. All other statuses than TN_OK end the run. Any thread calls it. */
    tn_status (*value)(tn_routine_call *call);
    /* The values of several calls, which takes less time; those that `value` gives, which is called for each where the status is not
     * TN_OK. NULL: `value` alone. */
    tn_status (*values)(const tn_routine_calls *calls);
} tn_routine_table;

#ifdef __cplusplus
}
#endif

/* ---- texts ------------------------------------------------------------------------------------------------ */

#include "tenon/algebra.h"

enum { TN_ROUTINE_NUMBERS = 32 };

#define TN_ROUTINE_TEXT(name)                                                                            \
    static tn_real name##_text(TN_UNUSED const tn_routine_call *call, TN_UNUSED const tn_real *argument, \
                               TN_UNUSED const tn_real *reading, TN_UNUSED const double *parameter)

#if TN_VALUES

/* The text for each of several calls. */
TN_INLINE TN_UNUSED tn_status tn_routine_each(const tn_routine_calls *calls,
                                              tn_real (*text)(const tn_routine_call *, const tn_real *,
                                                              const tn_real *, const double *))
{
    tn_real argument[TN_ROUTINE_NUMBERS], reading[TN_ROUTINE_NUMBERS];
    tn_routine_call call = *calls->call;
    call.argument = argument;
    call.reading = reading;
    for (uint32_t k = 0; k < TN_ROUTINE_NUMBERS; k++)
        argument[k] = reading[k] = (double)NAN;
    for (uint32_t i = 0; i < calls->count; i++) {
        for (uint32_t k = 0; k < calls->arguments; k++)
            argument[k] = calls->argument[k * calls->stride + i];
        for (uint32_t k = 0; k < calls->readings; k++)
            reading[k] = calls->reading[k * calls->stride + i];
        call.parameter = calls->parameter[i];
        call.id = calls->id[i];
        calls->value[i] = text(&call, argument, reading, call.parameter);
    }
    return TN_OK;
}

#ifdef TN_EXACT
#define TN_ROUTINE_DERIVATIVES 1
#define TN_ROUTINE_FIRST(name) \
    TN_C_LINKAGE __attribute__((visibility("hidden"))) void name##_routine_first(tn_routine_call *call);
#define TN_ROUTINE_ADD_FIRST(name) \
    if (call->first) name##_routine_first(call);
#else
#define TN_ROUTINE_DERIVATIVES 0
#define TN_ROUTINE_FIRST(name)
#define TN_ROUTINE_ADD_FIRST(name)
#endif

#define TN_ROUTINE(name, ...)                                                                       \
    TN_ROUTINE_TEXT(name);                                                                          \
    TN_ROUTINE_FIRST(name)                                                                          \
    static tn_status name##_routine_value(tn_routine_call *call)                                    \
    {                                                                                               \
        call->value = name##_text(call, call->argument, call->reading, call->parameter);            \
        TN_ROUTINE_ADD_FIRST(name)                                                                  \
        return TN_OK;                                                                               \
    }                                                                                               \
    static tn_status name##_routine_values(const tn_routine_calls *calls)                           \
    {                                                                                               \
        return tn_routine_each(calls, name##_text);                                                 \
    }                                                                                               \
    static const char *const name##_routine_reads[] = {__VA_ARGS__ __VA_OPT__(, )(const char *) 0}; \
    TN_C_LINKAGE TN_EXPORT extern const tn_routine_table tn_routine_##name;                         \
    const tn_routine_table tn_routine_##name = {sizeof(tn_routine_table), TN_ROUTINE_DERIVATIVES,   \
                                                name##_routine_reads, name##_routine_value,         \
                                                name##_routine_values};                             \
    TN_ROUTINE_TEXT(name)

#else

/* Sweeps of TN_SEEDS columns over the arguments and readings. */
TN_UNUSED static void tn_routine_sweep(tn_routine_call *call,
                                       tn_real (*text)(const tn_routine_call *, const tn_real *,
                                                       const tn_real *, const double *))
{
    tn_real number[TN_ROUTINE_NUMBERS];
    const int arguments = (int)call->arguments, all = arguments + (int)call->readings;
    for (int first = 0; first < all; first += TN_SEEDS) {
        for (int k = 0; k < all; k++) {
            number[k] = tn_constant(k < arguments ? call->argument[k] : call->reading[k - arguments]);
            if (k >= first && k < first + TN_SEEDS) tn_seed(&number[k], k - first, 1.0);
        }
        const tn_real value = text(call, number, number + arguments, call->parameter);
        for (int k = first; k < all && k < first + TN_SEEDS; k++)
            call->first[k] = tn_derivative(value, k - first);
    }
}

#define TN_ROUTINE(name, ...)                                                                              \
    TN_ROUTINE_TEXT(name);                                                                                 \
    TN_C_LINKAGE __attribute__((visibility("hidden"))) void name##_routine_first(tn_routine_call *call);   \
    TN_C_LINKAGE void name##_routine_first(tn_routine_call *call) { tn_routine_sweep(call, name##_text); } \
    TN_ROUTINE_TEXT(name)

#endif

#endif
