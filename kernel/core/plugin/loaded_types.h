/* loaded_types.h - types that have capabilities as the kernel uses them: their own fields, and those of their capabilities
 * side by side, NULL and 0 for what they do not have. */
#ifndef TN_LOADED_TYPES_H
#define TN_LOADED_TYPES_H

#include <tenon/draft/append.h>
#include <tenon/draft/blocks.h>
#include <tenon/draft/contacts.h>
#include <tenon/draft/linear.h>
#include <tenon/draft/operators.h>
#include <tenon/draft/recording.h>
#include <tenon/draft/stepping.h>
#include <tenon/draft/values.h>
#include <tenon/plugin.h>

/* The fields that all types begin with (tenon/type.h); the field after the flags differs between kinds. */
#define TN_TYPE_HEAD(of_kind)                   \
    uint32_t struct_size, reserved;             \
    const char *name;                           \
    const tn_parameter *parameters;             \
    size_t instance_size;                       \
    const char *summary, *formula, *literature; \
    const tn_synonym *synonyms;                 \
    uint32_t flags, of_kind;                    \
    const tn_capability *capabilities;          \
    void (*release)(const tn_host *host, void *instance)

typedef struct tn_type_head {
    TN_TYPE_HEAD(of_kind);
} tn_type_head;

typedef struct tn_loaded_element {
    /* those of tn_element_type, in its order */
    TN_TYPE_HEAD(reserved_too);
    const tn_port *ports;
    const tn_output *outputs;
    tn_status (*prepare)(const tn_host *host, void *instance);
    void (*relocate)(const tn_host *host, void *to, const void *from);
    tn_status (*layout)(const tn_host *host, const void *instance, tn_layout *layout);
    tn_status (*initial)(const tn_host *host, const void *instance, double *q, double *v, double *x,
                         double *s, double *d);
    tn_batch_function output;
    const tn_output *(*instance_outputs)(const tn_host *host, const void *instance);

    /* those of each capability, in its order */
    tn_batch_function force, force_tangent;
    const char *const *velocity_units;
    tn_batch_function mass, body_force, body_force_tangent, residual, residual_tangent, rigid_motion;
    tn_status (*own_pattern)(const tn_host *host, const void *instance, uint32_t *row, uint32_t *column);
    const char *(*velocity_unit)(const void *instance, uint32_t number);
    tn_batch_function rate, retract, normalise, transport;
    size_t attachment_size;
    tn_status (*bind)(const tn_host *host, const void *instance, tn_attachment *attachment);
    tn_attachment_function pose, twist, pull_back, jacobian, twist_derivative, pull_back_derivative;
    tn_batch_function constraint, constraint_rows, constraint_rate, constraint_bias, constraint_stiffness;
    tn_batch_function rates, rates_tangent, algebraic, algebraic_tangent, potential, dissipation;
    tn_batch_function accepted, update, at_start, events, on_event;
    const tn_output *coordinates;
    tn_batch_function coordinate, coordinate_tangent;
    const tn_output *(*instance_coordinates)(const tn_host *host, const void *instance);
    tn_status (*variable_kind)(const tn_host *host, const void *instance, uint32_t reads_itself,
                               tn_variable_kind *kind);
    tn_status (*row_kinds)(const tn_host *host, const void *instance, uint32_t *kind);
    tn_batch_function contact_law;
    uint32_t (*has_contacts)(const void *instance);
    tn_status (*points)(tn_batch *batch, uint32_t instance, double margin, tn_contact_list *list);
    tn_status (*settled)(tn_batch *batch, uint32_t instance, uint32_t count, const tn_contact_point *point,
                         const double *impulse, const double *slip, double length);
    tn_status (*shapes)(const tn_host *host, void *instance, uint32_t count, const tn_shape *const *shape);
    tn_status (*draw)(const tn_host *host, const void *instance, const tn_drawing_sink *sink);
    uint32_t (*readable_count)(const void *instance), (*readable_by)(const void *instance, uint32_t number);
    tn_batch_function readable, readable_tangent, next_sample, sampled_outputs, sampled_states;

    bool is_variable; /* it has tn_variable_capability */
} tn_loaded_element;

typedef struct tn_loaded_marker {
    TN_TYPE_HEAD(kind);
    const tn_port *ports;
    tn_status (*prepare)(const tn_host *host, void *instance);
    void (*relocate)(const tn_host *host, void *to, const void *from);

    tn_status (*local_pose)(const void *instance, tn_attachment *attachment);
    tn_batch_function kinematics, kinematics_tangent;
    tn_status (*layout)(const tn_host *host, const void *instance, tn_layout *layout);
    const char *unit, *rate_of;
    tn_status (*shape)(const tn_host *host, const void *instance, tn_shape *shape);
} tn_loaded_marker;

typedef struct tn_loaded_solver {
    TN_TYPE_HEAD(reserved_too);
    tn_status (*prepare)(const tn_host *host, void *instance, tn_run *run);
    tn_status (*check)(const tn_host *host, const void *instance, const tn_system *system);
    tn_status (*advance)(const void *instance, tn_system *system);

    tn_status (*begin)(const void *instance, tn_system *system, void *before, void **work);
    tn_status (*step)(void *work, double until, uint64_t most);
    void (*end)(void *work);
    void (*state)(void *work, tn_state_visitor *visitor);
    uint32_t (*forget)(void *work), (*hides)(void *work);
} tn_loaded_solver;

typedef struct tn_loaded_linear {
    TN_TYPE_HEAD(reserved_too);
    tn_status (*prepare)(const tn_host *host, void *instance);
    tn_status (*create)(const tn_host *host, const void *instance, const tn_matrix *matrix, void **self);
    tn_status (*factor)(void *self, const tn_matrix *matrix), (*solve)(void *self, double *right_hand_side);
    void (*destroy)(void *self);

    tn_status (*dependent)(const tn_host *host, uint32_t rows, uint32_t columns, double *matrix,
                           double tolerance, uint32_t *rank, uint32_t *order, double *combination);
    tn_status (*state)(void *self, const tn_matrix *pattern, tn_state_visitor *visitor);
    tn_status (*factor_complex)(void *self, const tn_matrix *pattern, const double *value);
    tn_status (*solve_complex)(void *self, double *right_hand_side);
    tn_status (*estimate)(void *self, double *entries, double *operations);
} tn_loaded_linear;

typedef struct tn_loaded_writer {
    tn_writer_type own;

    tn_status (*place)(void *self, tn_table_place *place);
    tn_status (*reopen)(const tn_host *host, const void *instance, const tn_reopened_table *at, void **self);
    tn_status (*cut)(void *self);
    void (*flush)(void *self);
    tn_converter convert;
    const char *stem;
    const tn_live_pages *pages;
} tn_loaded_writer;

typedef struct tn_loaded_function {
    TN_TYPE_HEAD(arguments);
    uint32_t optional, reserved_too;
    const char *data_of;
    tn_status (*prepare)(const tn_host *host, void *instance);
    tn_status (*value)(const void *instance, const double *x, double *value, double *first, double *second);
    const char *(*domain)(const tn_host *host, const void *instance);
    tn_status (*inspect)(const void *instance, const double *arguments, int32_t *smoothness);

    const char *(*reads)(const tn_host *host, const void *instance, uint32_t number);
    const char *(*unit)(const void *instance);
    uint32_t (*switch_count)(const void *instance);
    void (*switches)(const void *instance, const double *arguments, double *switches);
    uint32_t (*argument_count)(const void *instance);
    tn_values_of_calls *values;
} tn_loaded_function;

#endif
