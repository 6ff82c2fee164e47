/* forces.c - names of forces and torques for expressions: what acts on a marker, and what one element exerts */
#include <tenon/author.h>

#define MEASURE(called, of, number, says, arguments)                                      \
    static const tn_measure_type called##_type = {.struct_size = sizeof(tn_measure_type), \
                                                  .name = #called,                        \
                                                  .summary = says,                        \
                                                  .formula = #called arguments,           \
                                                  .form = of,                             \
                                                  .component = number};

/* name, component, summary */
#define RESULTANTS(F)                                                 \
    F(fm, TN_FORCE_MAGNITUDE, "magnitude of the force on a marker")   \
    F(fx, TN_FORCE_X, "force on a marker along x")                    \
    F(fy, TN_FORCE_Y, "force on a marker along y")                    \
    F(fz, TN_FORCE_Z, "force on a marker along z")                    \
    F(tm, TN_TORQUE_MAGNITUDE, "magnitude of the torque on a marker") \
    F(tx, TN_TORQUE_X, "torque on a marker about x")                  \
    F(ty, TN_TORQUE_Y, "torque on a marker about y")                  \
    F(tz, TN_TORQUE_Z, "torque on a marker about z")

/* One for every kind of element that models of other programs know; name, what it is in words. */
#define CONSTRAINTS(F)                \
    F(joint, "a joint")               \
    F(jprim, "a joint primitive")     \
    F(motion, "a motion")             \
    F(cvcv, "a curve on a curve")     \
    F(coupler, "a coupler of joints") \
    F(cvsf, "a curve on a surface")   \
    F(ptcv, "a point on a curve")

#define FORCES(F)                                 \
    F(beam, "a beam")                             \
    F(bush, "a bushing")                          \
    F(field, "a field")                           \
    F(sforce, "a force between two points")       \
    F(vforce, "a force by components")            \
    F(vtorq, "a torque by components")            \
    F(vtorque, "a torque by components")          \
    F(gforce, "a force and torque by components") \
    F(nforce, "a connector of many markers")      \
    F(yforce, "a connector with a matrix")        \
    F(spdp, "a spring-damper")

#define RESULTANT(name, component, summary) \
    MEASURE(name, TN_MEASURE_MARKER, component, summary, "(marker, other, frame)")
#define EXERTED(name, form, words) \
    MEASURE(name, form, 0, "force or torque of " words, "(element, last, component, frame)")
#define OF_CONSTRAINT(name, words) EXERTED(name, TN_MEASURE_CONSTRAINT, words)
#define OF_FORCE(name, words) EXERTED(name, TN_MEASURE_FORCE, words)
RESULTANTS(RESULTANT)
CONSTRAINTS(OF_CONSTRAINT)
FORCES(OF_FORCE)
MEASURE(varfrc, TN_MEASURE_VARIABLE, 0, "force or torque of the constraint of a variable",
        "(variable, marker, component, frame)")

#define ENTRY(called, ...) {TN_MEASURE_KIND, &called##_type},
TN_LIBRARY("forces", "1.0.0", "Apache-2.0", "measures: forces and torques on markers",
           RESULTANTS(ENTRY) CONSTRAINTS(ENTRY) FORCES(ENTRY){TN_MEASURE_KIND, &varfrc_type})
