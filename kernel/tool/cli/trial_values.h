/* trial_values.h - values for the parameters of a type that is tried, as TOML, from its own table. */
#ifndef TN_TRIAL_VALUES_H
#define TN_TRIAL_VALUES_H

#include <tenon/describe.h>

#include <stdbool.h>
#include <stdio.h>

/* Which parameters are given, and how. */
typedef struct tn_trial_values {
    bool most;       /* also those that need not be given, but have a default, */
    bool all;        /* or none */
    unsigned length; /* of lists */
    /* where dynamic ones are given as expressions: what these read besides the time; else NULL */
    const char *motion;
} tn_trial_values;

/* Writes "key = value" for each that is given, with these words in front and behind. */
void tn_trial_write_values(FILE *to, const tn_parameter *table, const tn_trial_values *how,
                           const char *before, const char *behind);
/* Whether another value is known for a change during the run, which is written then. */
bool tn_trial_can_change(const tn_parameter *p);
void tn_trial_write_other(FILE *to, const tn_parameter *p);
/* A required parameter that only its user can give: a file. NULL: there is none. */
const char *tn_trial_missing(const tn_parameter *table);

#endif
