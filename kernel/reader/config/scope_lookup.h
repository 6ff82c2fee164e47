/* scope_lookup.h - an expression while its names are looked up: what scope.c and scope_delay.c share */
#ifndef TN_SCOPE_LOOKUP_H
#define TN_SCOPE_LOOKUP_H

#include "config/scope.h"

typedef struct tn_lookup {
    tn_source *source;
    const tn_toml *node;
    const tn_allowed *allowed;
    const char *cycle; /* the parameter that depends on itself */
    const char *early; /* an input where the value must be known before the run */
    bool waits;        /* for parameters whose value is not known yet */
    tn_scope scope;
    tn_item_calls *calls;
    tn_names call_names;     /* number by number what the calls are, as they are written */
    tn_text key;             /* of the current call */
    size_t offset, capacity; /* of the expression in the text of its node; room for calls */
} tn_lookup;

/* scope.c: whether the value may change as a call of this function does, with `error` filled if not. */
bool tn_scope_may_change(const tn_lookup *look, const char *name, tn_expression_error *error);
/* The input that a call is which is written as `key` says: this one, unless it is there already. Offsets are those in the
 * expression. */
tn_symbol tn_scope_call(tn_lookup *look, tn_item_call call);
/* scope_delay.c: what a call of delay is, as in tn_scope; `data` is a lookup. */
tn_symbol tn_scope_delay(void *data, const tn_argument_text *argument, tn_expression_error *error);

#endif
