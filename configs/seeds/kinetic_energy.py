def VARSUB(id, time, par, npar, dflag, iflag):
    """The kinetic energy of a rigid body: USER(marker of its centre, mass, moments of inertia about the marker's axes)."""
    centre = int(par[0])
    mass, ixx, iyy, izz = par[1:5]

    [speed, errflg] = py_sysfnc("VM", [centre])
    py_errmes(errflg, "no speed of the centre", id, "STOP")
    [w, errflg] = py_sysary("RVEL", [centre, 0, centre])  # against ground, along the marker's axes
    py_errmes(errflg, "no angular velocity", id, "STOP")

    if iflag:  # the questions are known
        return 0.0
    return 0.5*(mass*speed**2 + ixx*w[0]**2 + iyy*w[1]**2 + izz*w[2]**2)
