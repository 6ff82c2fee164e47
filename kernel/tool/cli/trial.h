/* trial.h - `tenon build` tries what it has built: every type runs a few steps under guard (guard/guard.h). */
#ifndef TN_TRIAL_H
#define TN_TRIAL_H

#include "plugin/loader.h"

#include <stdbool.h>

typedef struct tn_trial_options {
    unsigned seconds;   /* that a model is given */
    const char *models; /* a directory in which the models are kept; NULL: nowhere */
} tn_trial_options;

/* Prints a line on each type of a library. False when one of them has done what it must not, or the trial could not be
 * made: that was printed, too. */
bool tn_try_library(const char *path, const tn_loaded *loaded, const tn_trial_options *options);

#endif
