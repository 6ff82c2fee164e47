/* kinematics.c - the library of the functions of markers */
#include <tenon/author.h>

#define FUNCTIONS(F)                                                                                       \
    F(dx), F(dy), F(dz), F(dm), F(ax), F(ay), F(az), F(axu), F(ayu), F(azu), F(psi), F(theta), F(phi),     \
        F(yaw), F(pitch), F(roll), F(vx), F(vy), F(vz), F(vm), F(vr), F(wx), F(wy), F(wz), F(wm), F(accx), \
        F(accy), F(accz), F(accm), F(wdtx), F(wdty), F(wdtz), F(wdtm)

#define TYPE(name) name##_type
extern const tn_marker_type FUNCTIONS(TYPE);

#define ENTRY(name)                  \
    {                                \
        TN_MARKER_KIND, &name##_type \
    }
TN_LIBRARY("kinematics", "1.0.0", "Apache-2.0",
           "markers: distances, angles, velocities and accelerations between markers", FUNCTIONS(ENTRY))
