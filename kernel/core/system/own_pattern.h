/* own_pattern.h - which entries the matrices of a large body's own have (tn_loaded_element.own_pattern) */
#ifndef TN_OWN_PATTERN_H
#define TN_OWN_PATTERN_H

#include "model/model.h"
#include "system/cholesky.h"

typedef struct tn_own_pattern {
    uint32_t size, entries;
    uint32_t *row, *column; /* [entries] as the type lists them */
    uint32_t *diagonal;     /* [size] which entry stands on the diagonal */
    tn_cholesky *cholesky;  /* for masses of this pattern that are not diagonal, once there are some */
    uint32_t number[];      /* the memory of these lists: a pattern is one block */
} tn_own_pattern;

/* Asks the type of an instance for its list; NULL after reporting a wrong one. Free with tn_free(). */
tn_own_pattern *tn_own_pattern_new(tn_model *model, uint32_t item, const tn_layout *layout);
/* Whether two of the same size list the same entries; NULL stands for all of them. */
bool tn_own_pattern_equals(const tn_own_pattern *a, const tn_own_pattern *b);

#endif
