/* trial_model.h - small models that use a type, for `tenon build` to try it in: TOML, from the type's own tables. */
#ifndef TN_TRIAL_MODEL_H
#define TN_TRIAL_MODEL_H

#include "plugin/kinds.h"

#include <stdbool.h>

/* What is tried: a type that was loaded from this file. */
typedef struct tn_trial_subject {
    const tn_kind *kind;
    const void *type;
    const char *name;
    const tn_parameter *parameters;
    const char *library; /* absolute path */
} tn_trial_subject;

/* What is done with a type once a model was found that it takes; each is a model of its own. */
typedef enum tn_trial_extra {
    TN_TRIAL_PLAIN,
    TN_TRIAL_MOST_VALUES, /* parameters that have defaults are given, */
    TN_TRIAL_ALL_VALUES,  /* and those that have none */
    TN_TRIAL_ALL_PORTS,   /* ports are filled that need not be */
    TN_TRIAL_OTHER_USE,   /* something else is connected to it, or it is used otherwise */
    TN_TRIAL_DYNAMIC,     /* parameters that may be expressions of time and of the motion are */
    TN_TRIAL_CHANGES,     /* parameters change during the run, and connectors rest for a while */
    TN_TRIAL_FREE_STEPS,  /* an adaptive solver, which lands on events */
    TN_TRIAL_EXTRAS
} tn_trial_extra;

/* How a model is made; the first ways are those that most types take. */
enum { TN_TRIAL_WAYS = 128 };

/* Whether all markers of an instance are in one place, where a law need not have a value. */
bool tn_trial_coincides(const tn_trial_subject *subject, unsigned way);

/* The text of a model (malloc'd), in which the first instance is called `tried`. */
char *tn_trial_model(const tn_trial_subject *subject, unsigned way, tn_trial_extra extra);

#endif
