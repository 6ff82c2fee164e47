/* tenon/descriptors.h - tables and descriptors of types; included by author.h.
 *
 * Where C++ sorts designated initialisers (C++20), the fields stand in the order of their struct. */
#ifndef TENON_DESCRIPTORS_H
#define TENON_DESCRIPTORS_H

#include "tenon/plugin.h"

/* A constant of static storage, and a list of them, by their address. */
#ifdef __cplusplus
#define TN_TABLE(type, ...)                    \
    ([]() noexcept -> const type * {           \
        static const type table = __VA_ARGS__; \
        return &table;                         \
    }())
#define TN_TABLES(type, ...)                    \
    ([]() noexcept -> const type * {            \
        static const type list[] = __VA_ARGS__; \
        return list;                            \
    }())
#else
#define TN_TABLE(type, ...) (&(const type)__VA_ARGS__)
#define TN_TABLES(type, ...) ((const type[])__VA_ARGS__)
#endif

#define TN_PORTS(name, ...) static const tn_port name##_ports[] = {__VA_ARGS__, TN_END};
#define TN_OUTPUTS(name, ...) static const tn_output name##_outputs[] = {__VA_ARGS__, TN_END};
#define TN_SYNONYMS(name, ...) static const tn_synonym name##_synonyms[] = {__VA_ARGS__, TN_END};

/* The capabilities of a type, among its other fields: TN_CAPABILITIES(TN_HAS_FORCE(spring), TN_HAS(energy, .potential = ...)). */
#define TN_CAPABILITIES(...) .capabilities = TN_TABLES(tn_capability, {__VA_ARGS__, {NULL, NULL}})
/* One of them, "tenon.energy/1" with the fields of tn_energy_capability. */
#define TN_HAS(capability, ...)                                                          \
    {                                                                                    \
        "tenon." #capability "/1",                                                       \
            TN_TABLE(tn_##capability##_capability,                                       \
                     {.struct_size = sizeof(tn_##capability##_capability), __VA_ARGS__}) \
    }

/* What the texts of author.h become. The passes that differentiate are linked in when the build defines TN_EXACT. */
#ifdef TN_EXACT
#define TN_HAS_FORCE(name) TN_HAS(force, .force = name##_force, .force_tangent = name##_force_tangent)
#define TN_HAS_RATES(name) TN_HAS(states, .rates = name##_rates, .rates_tangent = name##_rates_tangent)
#define TN_HAS_ALGEBRAIC(name) \
    TN_HAS(algebraic, .algebraic = name##_algebraic, .algebraic_tangent = name##_algebraic_tangent)
#define TN_HAS_CONSTRAINT(name)                                                                    \
    TN_HAS(constraint, .constraint = name##_constraint, .constraint_rows = name##_constraint_rows, \
           .constraint_rate = name##_constraint_rate, .constraint_bias = name##_constraint_bias,   \
           .constraint_stiffness = name##_constraint_stiffness)
#define TN_BODY_FORCE_FIELDS(name) \
    .body_force = name##_body_force, .body_force_tangent = name##_body_force_tangent
#define TN_RESIDUAL_FIELDS(name) .residual = name##_residual, .residual_tangent = name##_residual_tangent
#define TN_KINEMATICS_FIELDS(name) \
    .kinematics = name##_kinematics, .kinematics_tangent = name##_kinematics_tangent
#else
#define TN_HAS_FORCE(name) TN_HAS(force, .force = name##_force)
#define TN_HAS_RATES(name) TN_HAS(states, .rates = name##_rates)
#define TN_HAS_ALGEBRAIC(name) TN_HAS(algebraic, .algebraic = name##_algebraic)
#define TN_HAS_CONSTRAINT(name) TN_HAS(constraint, .constraint = name##_constraint)
#define TN_BODY_FORCE_FIELDS(name) .body_force = name##_body_force
#define TN_RESIDUAL_FIELDS(name) .residual = name##_residual
#define TN_KINEMATICS_FIELDS(name) .kinematics = name##_kinematics
#endif
#define TN_HAS_KINEMATICS(name) TN_HAS(kinematics, TN_KINEMATICS_FIELDS(name))

/* The descriptor `name_type`; further fields of tn_element_type, tn_marker_type, ... as designated initialisers. */
#define TN_ELEMENT(type_name, ...) TN_DESCRIPTOR(tn_element_type, type_name, __VA_ARGS__)
#define TN_MARKER(type_name, ...) TN_DESCRIPTOR(tn_marker_type, type_name, __VA_ARGS__)
#define TN_SOLVER(type_name, ...) TN_DESCRIPTOR(tn_solver_type, type_name, __VA_ARGS__)
#define TN_FUNCTION(type_name, ...) TN_DESCRIPTOR(tn_function_type, type_name, __VA_ARGS__)
#define TN_LINEAR(type_name, ...) TN_DESCRIPTOR(tn_linear_type, type_name, __VA_ARGS__)
#define TN_CONSTRAINT_SOLVER(type_name, ...) TN_DESCRIPTOR(tn_constraint_solver_type, type_name, __VA_ARGS__)
#define TN_WRITER(type_name, ...) TN_DESCRIPTOR(tn_writer_type, type_name, __VA_ARGS__)
#define TN_DESCRIPTOR(kind, type_name, ...)                              \
    extern const kind type_name##_type;                                  \
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
    TN_C_LINKAGE TN_EXPORT const tn_library *tn_plugin_library(void);                    \
    TN_C_LINKAGE TN_EXPORT const tn_library *tn_plugin_library(void) { return &tn_library_data; }

#endif
