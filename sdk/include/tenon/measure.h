/* tenon/measure.h - names by which expressions read what elements exert on markers, such as FX(tip, base) or JOINT(hinge, 0, 2).
 *
 * The kernel finds the value, with its derivatives, from the forces and constraints of the elements; a type says what a call of its
 * name asks for, and has no functions and no parameters. Force and torque act on the marker, in N and N m, along the axes of `frame`:
 * a marker, or 0 for ground axes, which may be left out. */
#ifndef TENON_MEASURE_H
#define TENON_MEASURE_H

#include "tenon/type.h"

/* The arguments of a call. */
typedef enum tn_measure_form {
    TN_MEASURE_MARKER =
        1, /* (marker, other, frame): all that acts on a marker, or of this what acts on another one, too, unless that
                              is left out, or 0; the component is that of the type */
    TN_MEASURE_FORCE, /* (element, last, component, frame): what one element exerts on its first marker, or for last = 1 on its
                              last one; ids are those of elements without constraints */
    TN_MEASURE_CONSTRAINT, /* the same; ids are those of constraints */
    TN_MEASURE_VARIABLE /* (variable, marker, component, frame): what the constraint of a variable exerts on a marker */
} tn_measure_form;

typedef enum tn_force_component {
    TN_FORCE_MAGNITUDE = 1,
    TN_FORCE_X,
    TN_FORCE_Y,
    TN_FORCE_Z,
    TN_TORQUE_MAGNITUDE,
    TN_TORQUE_X,
    TN_TORQUE_Y,
    TN_TORQUE_Z
} tn_force_component;

/* The name is in lower case and none of the built-in ones. */
typedef struct tn_measure_type {
    /* as in all types: see type.h */
    uint32_t struct_size, reserved;
    const char *name;
    const tn_parameter *parameters;
    size_t instance_size;
    const char *summary, *formula, *literature;
    const tn_synonym *synonyms;
    uint32_t flags;
    uint32_t form; /* tn_measure_form */
    const tn_capability *capabilities;
    void (*release)(const tn_host *host, void *instance);

    uint32_t component; /* tn_force_component of TN_MEASURE_MARKER; else 0 */
    uint32_t reserved_too;
} tn_measure_type;

#endif
