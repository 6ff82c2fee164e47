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
