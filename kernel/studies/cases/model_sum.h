/* model_sum.h - the sum of all that a case depends on besides its values: what the files of the model and of measured data hold, wherever they
 * stand, the plugins that are loaded, and the responses. A folder that has moved, or stands on another machine, has the same one. */
#ifndef TN_MODEL_SUM_H
#define TN_MODEL_SUM_H

#include "cases/cases.h"

typedef struct tn_model_sum {
    const tn_cases *cases;
    tn_hashing *hashing;
    const char **plugin, **file; /* each once */
    size_t plugins, files;
} tn_model_sum;

/* A model of the study, with some values: its files, and the plugins that it uses. */
void tn_model_sum_add(tn_model_sum *sum, const tn_study *study);
tn_case_hash tn_model_sum_end(tn_model_sum *sum);

#endif
