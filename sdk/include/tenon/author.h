/* tenon/author.h - writing plugins: one function becomes values, exact tangent and batch loops.
 *
 * A connector states its parameters as one list, its law as one function of its markers:
 *
 *     #define SPRING(P) P(REAL, stiffness, "N/m", TN_REQUIRED, 0, 0, TN_UNBOUNDED, "force per stretch")
 *     TN_PARAMETERS(spring, SPRING)
 *     TN_FORCE(spring, TN_POINT, 2) { ... read self, marker, context; write wrench; return TN_OK; }
 *     TN_PORTS(spring, {"markers", "the two ends", TN_POINT, 2, 2, 0})
 *     TN_ELEMENT(spring, .summary = "...", TN_HAS_FORCE(spring))
 *     TN_LIBRARY("spring", "1.0.0", "Apache-2.0", "...", {TN_ELEMENT_KIND, &spring_type})
 *
 * An element with first-order states has their rates as well: TN_RATES(filter, TN_POINT, 2) { ... read x; write rate } with
 * TN_HAS_RATES(filter).
 *
 * Likewise a marker made of other markers, by its pose and twist: TN_KINEMATICS(middle, TN_POINT, TN_POINT, 2) { ...
 * write out->position and out->velocity } with TN_MARKER(middle, .kind = TN_POINT, ..., TN_HAS_KINEMATICS(middle)).
 *
 * The same file is compiled once per pass (see scalar.h) by `tenon build` or tenon_add_plugin(). In the text
 * of a law write tn_real and the functions of scalar.h and algebra.h, in the common subset of C and C++.
 * What is not differentiated (prepare, layout, outputs, energies, accepted) stands between #if TN_VALUES and #endif;
 * so does all of a file without any law (a function of expressions, a solver).
 *
 * Kinds of parameter in the list, with their field in `self`:
 *   P(REAL, name, unit, flags, default, low, high, meaning)              tn_real name
 *   P(VECTOR, name, unit, flags, meaning)                                tn_vec3 name (default zero)
 *   P(REALS, name, count, alternative, unit, flags, default, low, high, meaning)   tn_real name[count]
 *   P(ROTATION, name, flags, meaning)                                    double name[9] (default identity)
 *   P(INTEGER, name, flags, default, low, high, meaning)                 int64_t name
 *   P(BOOLEAN, name, flags, default, meaning)                            int32_t name
 *   P(BOOLEANS, name, count, flags, default, meaning)                    int32_t name[count]
 *   P(CHOICE, name, "a|b|c", flags, default index, meaning)              int32_t name
 *   P(TEXT, name, flags, meaning)                                        const char *name
 *   P(CALLABLE, name, unit, "argument [unit], ...", flags, meaning)      tn_callable name
 *   P(LIST, name, unit, flags, meaning)                                  tn_list name
 *   P(PRIVATE, type, name)                                               type name: not in the model, for prepare
 * A REAL, VECTOR or REALS flagged TN_DYNAMIC carries derivatives where the model gives an expression. A CALLABLE that is
 * flagged so may read the state besides its arguments; a law calls it at one set of arguments only. */
#ifndef TENON_AUTHOR_H
#define TENON_AUTHOR_H

#include "tenon/algebra.h"
#include "tenon/plugin.h"

#include <string.h>

#include "tenon/context.h"
#include "tenon/parameters.h"
#include "tenon/turns.h"

#include "tenon/loops.h"

#if TN_VALUES

#include "tenon/values.h"

#include "tenon/results.h"

/* Tables and descriptors. The passes that differentiate are linked in when the build defines TN_EXACT. */
#define TN_PORTS(name, ...) static const tn_port name##_ports[] = {__VA_ARGS__, {0}};
#define TN_OUTPUTS(name, ...) static const tn_output name##_outputs[] = {__VA_ARGS__, {0}};
#define TN_SYNONYMS(name, ...) static const tn_synonym name##_synonyms[] = {__VA_ARGS__, {NULL, NULL, NULL}};
#ifdef TN_EXACT
#define TN_HAS_FORCE(name) .force = name##_force, .force_tangent = name##_force_tangent
#define TN_HAS_RATES(name) .rates = name##_rates, .rates_tangent = name##_rates_tangent
#define TN_HAS_CONSTRAINT(name)                                                           \
    .constraint = name##_constraint, .constraint_rows = name##_constraint_rows,           \
    .constraint_rate = name##_constraint_rate, .constraint_bias = name##_constraint_bias, \
    .constraint_stiffness = name##_constraint_stiffness
#define TN_HAS_BODY_FORCE(name) \
    .body_force = name##_body_force, .body_force_tangent = name##_body_force_tangent
#define TN_HAS_KINEMATICS(name) \
    .kinematics = name##_kinematics, .kinematics_tangent = name##_kinematics_tangent
#else
#define TN_HAS_FORCE(name) .force = name##_force
#define TN_HAS_RATES(name) .rates = name##_rates
#define TN_HAS_CONSTRAINT(name) .constraint = name##_constraint
#define TN_HAS_BODY_FORCE(name) .body_force = name##_body_force
#define TN_HAS_KINEMATICS(name) .kinematics = name##_kinematics
#endif
/* The descriptor `name_type`; further fields of tn_element_type, tn_marker_type, ... as designated
 * initialisers. */
#define TN_ELEMENT(type_name, ...) TN_DESCRIPTOR(tn_element_type, type_name, __VA_ARGS__)
#define TN_MARKER(type_name, ...) TN_DESCRIPTOR(tn_marker_type, type_name, __VA_ARGS__)
#define TN_SOLVER(type_name, ...) TN_DESCRIPTOR(tn_solver_type, type_name, __VA_ARGS__)
#define TN_FUNCTION(type_name, ...) TN_DESCRIPTOR(tn_function_type, type_name, __VA_ARGS__)
#define TN_DESCRIPTOR(kind, type_name, ...)                              \
    const kind type_name##_type = {.struct_size = sizeof(kind),          \
                                   .name = #type_name,                   \
                                   .parameters = type_name##_parameters, \
                                   .instance_size = sizeof(type_name),   \
                                   __VA_ARGS__};
/* A type whose descriptor stands in another file of the same library. */
#define TN_ELSEWHERE(kind, type_name) extern const kind type_name##_type;

/* The exported function of the library; then its types as {TN_ELEMENT_KIND, &spring_type}, ... */
#define TN_LIBRARY(library_name, library_version, library_licence, library_summary, ...) \
    static const tn_type tn_library_types[] = {__VA_ARGS__, {NULL, NULL}};               \
    static const tn_library tn_library_data = {.struct_size = sizeof(tn_library),        \
                                               .abi_major = TN_ABI_MAJOR,                \
                                               .abi_minor = TN_ABI_MINOR,                \
                                               .name = library_name,                     \
                                               .version = library_version,               \
                                               .licence = library_licence,               \
                                               .summary = library_summary,               \
                                               .types = tn_library_types};               \
    TN_EXPORT const tn_library *tn_plugin_main(void);                                    \
    TN_EXPORT const tn_library *tn_plugin_main(void) { return &tn_library_data; }

#else

#include "tenon/tangent.h"

#include "tenon/results.h"

#define TN_PORTS(name, ...)
#define TN_OUTPUTS(name, ...)
#define TN_SYNONYMS(name, ...)
#define TN_ELEMENT(name, ...)
#define TN_MARKER(name, ...)
#define TN_SOLVER(name, ...)
#define TN_FUNCTION(name, ...)
#define TN_LIBRARY(name, ...)

#endif

#endif
