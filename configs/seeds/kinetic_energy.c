/* kinetic_energy.c - the kinetic energy of a rigid body: USER(marker of its centre, mass, moments of inertia about the marker's axes) */
void c_sysfnc(const char *name, const int *ipar, int nsize, double *state, int *errflg);
void c_sysary(const char *name, const int *ipar, int nsize, double *states, int *nstates, int *errflg);
void c_errmes(int errflg, const char *message, int id, const char *endflg);

void Kinetic_Energy(int *id, double *time, double *par, int *npar, int *dflag, int *iflag, double *value)
{
    int ipar[3] = {(int)par[0], 0, (int)par[0]}, nstates, errflg;
    double speed, w[3], mass = par[1], ixx = par[2], iyy = par[3], izz = par[4];

    c_sysfnc("VM", ipar, 1, &speed, &errflg);
    c_errmes(errflg, "no speed of the centre", *id, "STOP");
    c_sysary("RVEL", ipar, 3, w, &nstates, &errflg); /* against ground, along the marker's axes */
    c_errmes(errflg, "no angular velocity", *id, "STOP");

    *value = 0.0;
    if (*iflag) return; /* the questions are known */
    *value = 0.5 * (mass * speed * speed + ixx * w[0] * w[0] + iyy * w[1] * w[1] + izz * w[2] * w[2]);
}
