/* data_routines.c - for test_routine_data.c: routines in the form of other programs that ask for splines and for the last step */
void c_sysfnc(const char *name, const int *ipar, int nsize, double *state, int *errflg);
void c_akispl(double xval, double zval, int id, int iord, double *array, int *errflg);
void c_cubspl(double xval, double zval, int id, int iord, double *array, int *errflg);
void c_linspl(double xval, double zval, int id, int iord, double *array, int *errflg);
void c_quispl(double xval, double zval, int id, int iord, double *array, int *errflg);
void cubspl_(const double *xval, const double *zval, const int *id, const int *iord, double *array,
             int *errflg);
void c_timget(double *time);
void timget_(double *time);
void c_usrmes(int msgflg, const char *message, int id, const char *msgtyp);

#define STEP_LIKE(name) \
    void name(double x, double x0, double h0, double x1, double h1, int iord, double *value, int *errflg)
STEP_LIKE(c_step);
STEP_LIKE(c_step5);
STEP_LIKE(c_havsin);
void c_shf(double x, double x0, double a, double w, double phi, double b, int iord, double *value,
           int *errflg);
void c_impact(double x, double dxdt, double x1, double k, double e, double cmax, double d, int iord,
              double *vec, int *errflg);
void c_bistop(double x, double dxdt, double x1, double x2, double k, double e, double cmax, double d,
              int iord, double *vec, int *errflg);
void c_poly(double x, double x0, const double *par, int npar, int iord, double *value, int *errflg);
void c_cheby(double x, double x0, const double *par, int npar, int iord, double *value, int *errflg);
void c_forcos(double x, double x0, double w, const double *par, int npar, int iord, double *value,
              int *errflg);
void c_forsin(double x, double x0, double w, const double *par, int npar, int iord, double *value,
              int *errflg);

#define ROUTINE(name)                                                                                \
    void name(int *id, double *time, double *par, int *npar, int *dflag, int *iflag, double *value); \
    void name(int *id, double *time, double *par, int *npar, int *dflag, int *iflag, double *value)
#define UNUSED() (void)id, (void)time, (void)par, (void)npar, (void)dflag, (void)iflag

/* USER(marker, spline): a force against the place of the marker */
ROUTINE(RUBBER)
{
    UNUSED();
    const int marker = (int)par[0];
    double x = 0.0, array[3] = {0.0};
    int errflg = 0;
    c_sysfnc("DX", &marker, 1, &x, &errflg);
    c_akispl(x, 0.0, (int)par[1], 0, array, &errflg);
    *value = -array[0];
}

/* The same, by a routine that asks for the state alone in its first call. */
ROUTINE(HASTY)
{
    UNUSED();
    const int marker = (int)par[0];
    double x = 0.0, array[3] = {0.0};
    int errflg = 0;
    c_sysfnc("DX", &marker, 1, &x, &errflg);
    *value = 0.0;
    if (*iflag) return;
    c_akispl(x, 0.0, (int)par[1], 0, array, &errflg);
    *value = -array[0];
}

/* USER(method, spline, order, entry of the array), at the time */
ROUTINE(METHOD)
{
    UNUSED();
    static void (*const methods[])(double, double, int, int, double *, int *) = {c_akispl, c_cubspl, c_linspl,
                                                                                 c_quispl};
    double array[3] = {0.0};
    int errflg = 1;
    methods[(int)par[0]](*time, 0.0, (int)par[1], (int)par[2], array, &errflg);
    *value = errflg ? 1e9 : array[(int)par[3]];
}

ROUTINE(fortran_)
{
    UNUSED();
    static const double z = 0.0;
    static const int order = 1;
    const int spline = (int)par[0];
    double array[3] = {0.0}, last = 0.0;
    int errflg = 0;
    cubspl_(time, &z, &spline, &order, array, &errflg);
    timget_(&last);
    *value = array[0] + 0.0 * last;
}

ROUTINE(LAST)
{
    UNUSED();
    c_timget(value);
}

ROUTINE(TELLS)
{
    UNUSED();
    c_usrmes(*time > 0.25 && *time < 0.35, "it is time", *id, "INFO");
    c_usrmes(*time > 0.45 && *time < 0.55, "it is late", *id, "WARN");
    *value = 1.0;
}

/* Where a curve has no value, *errflg says so, and all numbers are nan. */
ROUTINE(OUTSIDE)
{
    UNUSED();
    double array[3] = {0.0};
    int errflg = 0;
    c_akispl(*time + par[0], 0.0, 9, 1, array, &errflg);
    *value = errflg == 1 && array[0] != array[0] && array[1] != array[1] ? 5.0 : array[0];
}

ROUTINE(SURFACE)
{
    UNUSED();
    double array[3] = {0.0};
    int errflg = 0;
    c_akispl(*time, 1.0, 7, 0, array, &errflg);
    *value = array[0];
}

/* ---- functions of expressions ------------------------------------------------------------------------------- */

static int function_at(int number, double x, double v, int order, double *value)
{
    static const double par[] = {1.0, 2.0, -3.0, 4.0};
    int errflg = 1;
    switch (number) {
    case 0:
        c_step(x, -0.5, 1.0, 1.5, 3.0, order, value, &errflg);
        break;
    case 1:
        c_step5(x, -0.5, 1.0, 1.5, 3.0, order, value, &errflg);
        break;
    case 2:
        c_havsin(x, -0.5, 1.0, 1.5, 3.0, order, value, &errflg);
        break;
    case 3:
        c_shf(x, 0.2, 3.0, 2.0, 0.4, 1.0, order, value, &errflg);
        break;
    case 4:
        c_poly(x, 0.1, par, 4, order, value, &errflg);
        break;
    case 5:
        c_cheby(x, 0.1, par, 4, order, value, &errflg);
        break;
    case 6:
        c_forcos(x, 0.1, 2.0, par, 4, order, value, &errflg);
        break;
    case 7:
        c_forsin(x, 0.1, 2.0, par, 4, order, value, &errflg);
        break;
    case 8:
        c_impact(x, v, 1.5, 100.0, 1.5, 2.0, 2.0, order, value, &errflg);
        break;
    case 9:
        c_bistop(x, v, 1.5, 3.0, 100.0, 1.5, 2.0, 2.0, order, value, &errflg);
        break;
    default:
        break;
    }
    return errflg;
}

/* USER(function), of the time and of v = 0.3 */
ROUTINE(FUNCTION)
{
    UNUSED();
    if (function_at((int)par[0], *time, 0.3, 0, value)) *value = 1e9;
}

static double far_off(double a, double b) { return a > b ? a - b : b - a; }

/* How far derivatives are from differences of the order before: by x, and by v where there is one. */
ROUTINE(SLOPES)
{
    UNUSED();
    const int number = (int)par[0], more = number > 7;
    const double h = 1e-5;
    double worst = 0.0;
    for (int order = 1; order < 3; order++) {
        double own[3], above[3], below[3], off;
        (void)function_at(number, *time, 0.3, order, own);
        (void)function_at(number, *time + h, 0.3, order - 1, above);
        (void)function_at(number, *time - h, 0.3, order - 1, below);
        for (int k = 0; k < (more ? order : 1); k++) {
            off = far_off(own[k], (above[k] - below[k]) / (2.0 * h));
            if (!(off <= worst)) worst = off;
        }
        if (!more) continue;
        (void)function_at(number, *time, 0.3 + h, order - 1, above);
        (void)function_at(number, *time, 0.3 - h, order - 1, below);
        off = far_off(own[order], (above[order - 1] - below[order - 1]) / (2.0 * h));
        if (!(off <= worst)) worst = off;
    }
    *value = worst;
}

/* What has no value says so, and is nan. */
ROUTINE(MISUSED)
{
    UNUSED();
    static const double many[40] = {1.0};
    double found[3] = {0.0};
    int errflg[3] = {0};
    *value = 0.0;
    c_step(0.5, 0.0, 0.0, 1.0, 1.0, 3, found, &errflg[0]);
    *value += errflg[0] == 1 && found[0] != found[0];
    c_impact(0.5, 0.0, 1.0, -1.0, 1.5, 1.0, 0.1, 0, found, &errflg[1]);
    *value += errflg[1] == 1 && found[0] != found[0];
    c_poly(0.5, 0.0, many, 40, 0, found, &errflg[2]);
    *value += errflg[2] == 1 && found[0] != found[0];
}

/* From one end to the other, and beyond them. */
ROUTINE(STEPPING)
{
    UNUSED();
    int errflg = 0;
    c_step(*time, 0.25, 0.0, 0.75, 1.0, 1, value, &errflg);
}
