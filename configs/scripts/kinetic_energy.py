from math import *
def VARSUB(id, time, par, npar, dflag, iflag):
    # Get information from the par array
    icm     = 1*[0]
    icm[0]  = par[0]
    mass    = par[1]
    ixx     = par[2]
    iyy     = par[3]
    izz     = par[4]
    
    # get the translational and rotational velocity states
    [vm,errflg] = py_sysfnc ("VM", icm)
    [w, errflg] = py_sysary ("RVEL", icm)
    
    # Calculate the kinetic energy
    if iflag:
        KE = 0.0
    else:
        KE = 0.5 * (mass*vm**2 + ixx*w[0]**2 + iyy*w[1]**2 + izz*w[2]**2)         
     
    return KE
