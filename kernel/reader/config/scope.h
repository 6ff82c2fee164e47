/* scope.h - what names mean in the expressions of a model: [parameters], repeat variables, the arguments of a
 * callable and `time`. */
#ifndef TN_SCOPE_H
#define TN_SCOPE_H

#include "base/memory.h"
#include "base/names.h"
#include "config/toml.h"
#include "expression/expression.h"

/* Most repeats inside each other. */
#define TN_REPEAT_DEPTH 8

/* The named numbers of [parameters]; each is evaluated when it is first used. */
typedef struct tn_parameters {
    tn_names names;
    struct tn_named_number {
        const tn_toml *node;
        enum { TN_NUMBER_UNKNOWN, TN_NUMBER_IN_WORK, TN_NUMBER_KNOWN, TN_NUMBER_WRONG } state;
        double value;
        bool used; /* by some expression */
    } * number;
    uint32_t *waiting; /* those under evaluation, each in front of others that it needs */
    size_t waiting_count;
} tn_parameters;

/* What reading a model needs everywhere. */
enum { TN_FUNCTIONS_KNOWN = 8 };
typedef struct tn_source tn_source;
struct tn_source {
    tn_document *document;
    tn_diagnostics *diagnostics;
    tn_arena *arena;           /* lives as long as the model */
    tn_parameters *parameters; /* of the part of the current model */
    const char *part;          /* its name; NULL or "" for the model itself */
    /* what every expression knows of the model: functions that it brings along, and of its items; the rest differs */
    tn_scope functions;
    /* whether a name is an input, a number that is set from outside during the run; offers their names. Or NULL; `data` is the
     * routine_data of `functions` */
    bool (*is_input)(void *data, const char *name);
    void (*offer_inputs)(void *data, tn_nearest *search);
    /* whether the code of a file may run, likewise; NULL: that of none */
    bool (*trusts)(void *data, const char *path);
    /* a string of a repeated item with its {..} worked out; NULL after reporting. Or NULL */
    const tn_toml *(*expand)(tn_source *source, const tn_toml *node);
    /* names of the repeat variables around the current item, outermost first; inputs 0 ... depth-1 */
    const char *variable[TN_REPEAT_DEPTH];
    uint32_t depth;
    const double *variable_value; /* values of the current copy, or NULL while a template is compiled */
    uint32_t delays;              /* calls of delay around the current expression */
    size_t unknown; /* count of wrong numbers so far, also of those whose cause is reported elsewhere */
    bool made_up;   /* what the expression at hand reads is not known yet: its numbers are zeros */
    bool postponed; /* the last expression needs parameters that are to be evaluated first */
    /* for messages: what the current value belongs to, a name or a header such as [solver], and its key; or NULL */
    const char *item, *key;
    /* some of the last user's functions that differ (callable.c), the newest at functions_known - 1 */
    const struct tn_user_function *function_known[TN_FUNCTIONS_KNOWN];
    uint32_t functions_known;
    const void *
        changed; /* the instance that a change is for: it has what the table of the change leaves out; or NULL */
};

/* Enters [parameters] (may be NULL) and checks the names. */
void tn_parameters_read(tn_source *source, const tn_toml *table);
/* Gives values from outside to some of them: `table` has numbers of the current scope, `parameters` are those of a part.
 * Every name must be there. */
void tn_parameters_override(tn_source *source, const tn_toml *table, tn_parameters *parameters);
/* Evaluates every one so that errors show. */
void tn_parameters_evaluate(tn_source *source);
/* Once everything is read: reports parameters that only the command line knows and no expression uses. */
void tn_parameters_check(tn_source *source);

/* What an expression may use besides parameters and repeat variables; one without either is known before the run and may use
 * logic. Inputs are numbered: repeat variables, then the arguments of a callable, then `time`, then calls of functions of
 * items. */
typedef struct tn_allowed {
    bool time;                   /* the value may change during the run */
    const char *const *argument; /* `time` may be among them */
    uint32_t argument_count;
} tn_allowed;

/* A call of a function of items, to be looked up when all items are known; or of delay, which has no items. */
typedef struct tn_item_call {
    const char *function; /* lower case */
    size_t offset;        /* of its name in the text of the node */
    tn_item_argument item[TN_MOST_ITEMS];
    uint32_t count;
    struct tn_delayed *delayed; /* of delay, in the arena; else NULL */
    bool is_input;              /* no call, but the name of an input */
} tn_item_call;

/* Those of an expression, each once: number k is input depth + arguments + 1 + k. */
typedef struct tn_item_calls {
    tn_item_call *call; /* [count], in the arena */
    uint32_t count;
} tn_item_calls;

/* The arguments of delay, expressions of the same node. */
typedef struct tn_delayed {
    struct tn_delayed_argument {
        tn_argument_text text;     /* in that of the node */
        tn_expression *expression; /* owned; NULL when it is wrong */
        tn_item_calls calls;
    } argument[TN_DELAY_ARGUMENTS];
} tn_delayed;

/* Compiles `length` bytes from `offset` of a string node; NULL after reporting an error at its place. `calls` may be NULL
 * where the value must be known before the run. */
tn_expression *tn_scope_compile(tn_source *source, const tn_toml *node, size_t offset, size_t length,
                                const tn_allowed *allowed, tn_item_calls *calls);

/* Report an error at a node, at byte `offset` of a string node, or at a place; false, so that whoever reads can end with
 * `return tn_source_error(...)`. The values of the current repeat variables follow the text of the first of several copies;
 * others are only mentioned. */
bool tn_source_error(tn_source *source, const tn_toml *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool tn_source_error_inside(tn_source *source, const tn_toml *node, size_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool tn_source_error_at(tn_source *source, tn_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* `inside`: see tn_error_detail. */
void tn_source_report(tn_source *source, tn_place place, bool inside, const char *format, va_list arguments);
/* Whether a node is of this kind; false after saying so in these words. */
bool tn_source_expect(tn_source *source, const tn_toml *node, tn_toml_kind kind, const char *words);
/* Whether the code of a file that a node names may run; false after reporting. */
bool tn_source_trust(tn_source *source, const tn_toml *node, const char *path);
/* Whether something can be called so; false after reporting at a place. */
bool tn_name_check(tn_source *source, tn_place place, const char *name);
/* The same about the value of a node, which is named: "`mass` of `body`: ..." */
bool tn_value_error(tn_source *source, const tn_toml *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void tn_value_warning(tn_source *source, const tn_toml *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Reports a key that is missing in a table, with what it means and its unit, where these are not NULL; false. */
bool tn_source_missing_key(tn_source *source, const tn_toml *table, const char *key, const char *meaning,
                           const char *unit);
/* The end of a message: ": did you mean `name`?" with the nearest name of a search, or "" without one. */
const char *tn_source_guess(tn_source *source, const tn_nearest *search);
/* Reports a key that is not known, with the nearest of the names offered to `search` (start it with the key). */
void tn_source_unknown_key(tn_source *source, const tn_toml *node, const tn_nearest *search);

#endif
