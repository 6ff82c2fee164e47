/* user_routines.c - for test_routines.c: routines of users in the form of other programs */
#include <math.h>

/* As other programs declare them. */
void c_sysfnc(const char *name, const int *ipar, int nsize, double *state, int *errflg);
void c_sysary(const char *name, const int *ipar, int nsize, double *states, int *nstates, int *errflg);
void c_errmes(int errflg, const char *message, int id, const char *endflg);
void c_step5(double x, double x0, double h0, double x1, double h1, int iord, double *value, int *errflg);
void sysfnc_(const char *name, const int *ipar, const int *nsize, double *state, int *errflg,
             unsigned long length);

#define ROUTINE(name)                                                                                \
    void name(int *id, double *time, double *par, int *npar, int *dflag, int *iflag, double *value); \
    void name(int *id, double *time, double *par, int *npar, int *dflag, int *iflag, double *value)
#define UNUSED() (void)id, (void)time, (void)par, (void)npar, (void)dflag, (void)iflag

/* USER(1011, mass, ixx, iyy, izz) */
ROUTINE(Kinetic_Energy)
{
    UNUSED();
    int icm[3] = {(int)par[0], 0, (int)par[0]}, errflg = 0, count = 0;
    double speed = 0.0, w[3] = {0.0};
    c_sysfnc("VM", icm, 1, &speed, &errflg);
    if (!errflg) c_sysary("RVEL", icm, 3, w, &count, &errflg);
    if (errflg) c_errmes(errflg, "no state", *id, "STOP");
    *value = *iflag ? 0.0
                    : 0.5 * (par[1] * speed * speed + par[2] * w[0] * w[0] + par[3] * w[1] * w[1] +
                             par[4] * w[2] * w[2]);
}

/* Whether the arguments are those that they should be: its id, how often it has kept what it was called for. */
ROUTINE(varsub_)
{
    UNUSED();
    static double first_calls, plain_calls;
    first_calls += *iflag == 1;
    plain_calls += *iflag == 0 && *dflag == 0;
    *value = *id + 1000.0 * *npar + 1e6 * first_calls + 0.0 * plain_calls;
}

/* A spring of USER(stiffness, damping) and the arguments stretch, rate. */
ROUTINE(SPRING)
{
    UNUSED();
    *value = par[0] * par[2] + par[1] * par[3];
    *time = 1e9; /* nothing that it writes is seen */
    *id = 0;
    par[0] = 0.0;
}

/* r^2 of marker USER(id), less one */
ROUTINE(CIRCLE)
{
    UNUSED();
    const int id_of = (int)par[0];
    double d[3] = {0.0};
    int count = 0, errflg = 0;
    c_sysary("TDISP", &id_of, 1, d, &count, &errflg);
    *value = sqrt(d[0] * d[0] + d[2] * d[2] + (*iflag ? 1.0 : 0.0)) - 1.0;
}

/* v = sin(time) + 0.1 v, as g = 0; it asks for itself */
ROUTINE(IMPLICIT)
{
    UNUSED();
    double v = 0.0;
    int errflg = 0;
    c_sysfnc("VARVAL", id, 1, &v, &errflg);
    *value = v - sin(*time) - 0.1 * v;
}

ROUTINE(RAMP)
{
    UNUSED();
    int errflg = 0;
    c_step5(*time, 0.0, 0.0, 1.0, 2.0, 0, value, &errflg);
}

ROUTINE(fortran_)
{
    UNUSED();
    static const int tip = 1011, one = 1;
    int errflg = 0;
    sysfnc_("VX  ", &tip, &one, value, &errflg, 4);
}

/* It gets no number. */
ROUTINE(TOO_FAR)
{
    UNUSED();
    *value = par[3];
}

ROUTINE(NO_NUMBER)
{
    UNUSED();
    if (*time < 0.45) *value = 1.0;
}

ROUTINE(FICKLE)
{
    UNUSED();
    static const int tip = 1011;
    int errflg = 0;
    *value = 1.0;
    if (*time > 0.45) c_sysfnc("VX", &tip, 1, value, &errflg);
}

ROUTINE(STOPPER)
{
    UNUSED();
    *value = 1.0;
    if (*time > 0.25 && *time < 0.35) c_errmes(1, "getting warm", *id, "CONTINUE");
    if (*time > 0.45) c_errmes(1, "too hot", *id, "STOP");
}

ROUTINE(ASKS_FOR_NOTHING)
{
    UNUSED();
    static const int nobody = 4711;
    int errflg = 0;
    c_sysfnc("VX", &nobody, 1, value, &errflg);
}

ROUTINE(ASKS_FOR_NO_ARRAY)
{
    UNUSED();
    static const int tip = 1011;
    int errflg = 0, count = 0;
    c_sysary("QDDOT", &tip, 1, value, &count, &errflg);
}
