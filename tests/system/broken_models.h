/* broken_models.h - models broken on purpose: each ends its run with an error, or warns that its results are wrong */
#ifndef TENON_TESTS_SYSTEM_BROKEN_MODELS_H
#define TENON_TESTS_SYSTEM_BROKEN_MODELS_H

#include <stddef.h>

typedef struct tn_broken_model {
    const char *title, *text;
    const char *words[4]; /* all of them in one message: the name, and what is wrong; NULL at the end */
} tn_broken_model;

extern const tn_broken_model tn_broken_models[];
extern const size_t tn_broken_count;

#endif
