/* klu_fallback.h - KLU with its full choice of pivots (sparse_lu.h), in place of a linear solver whose own ones do not suit a matrix: for this
 * matrix and some more, longer each time. */
#ifndef TENON_KLU_FALLBACK_H
#define TENON_KLU_FALLBACK_H

#include "sparse_lu.h"

enum { KLU_LONGEST_STAY = 256 }; /* factorisations before the next attempt */

/* All of it that is saved with a state, but for the factors. */
typedef struct klu_fallback_record {
    uint64_t count;           /* factorisations so far */
    uint32_t stay, next_stay; /* so many factorisations more; UINT32_MAX: all */
    bool made, active, told;  /* there is a solver; the last matrix is its; the user has been told */
} klu_fallback_record;

typedef struct klu_fallback {
    klu_fallback_record is;
    sparse_lu sparse;
} klu_fallback;

static inline void klu_fallback_begin(klu_fallback *f) { *f = (klu_fallback){.is = {.next_stay = 1}}; }

static inline void klu_fallback_free(klu_fallback *f) { sparse_lu_free(&f->sparse); }

static inline tn_status klu_fallback_make(klu_fallback *f, const tn_matrix *matrix)
{
    if (f->is.made) return TN_OK;
    sparse_lu_free(&f->sparse); /* what a lack of memory has left */
    const tn_status status = sparse_lu_make(&f->sparse, matrix);
    f->is.made = status == TN_OK;
    return status;
}

static inline tn_status klu_fallback_factor(klu_fallback *f, const tn_matrix *matrix)
{
    const tn_status status = klu_fallback_make(f, matrix);
    f->is.active = true;
    f->is.count++;
    return status == TN_OK ? sparse_lu_factor(&f->sparse, matrix) : status;
}

/* Whether this matrix is one of those that follow one which was handed over. */
static inline bool klu_fallback_stays(klu_fallback *f)
{
    if (f->is.stay == 0) return false;
    f->is.stay -= f->is.stay < UINT32_MAX;
    return true;
}

/* KLU factorises this matrix and the next ones, longer each time. The user is told `why`, once; NULL: nothing. */
static inline tn_status klu_fallback_take(klu_fallback *f, const tn_host *host, const tn_matrix *matrix,
                                          const char *why)
{
    const tn_status status = klu_fallback_factor(f, matrix);
    if (status != TN_OK) return status; /* singular for it as well: the next matrix is another one */
    if (why && !f->is.told)
        tn_say(host, TN_NOTE, "%s; such matrices (%u unknowns) are factorised by KLU", why, matrix->size);
    f->is.told = f->is.told || why;
    f->is.stay = f->is.next_stay;
    if (f->is.next_stay < KLU_LONGEST_STAY) f->is.next_stay *= 2;
    return TN_OK;
}

static inline tn_status klu_fallback_state(klu_fallback *f, const tn_matrix *matrix,
                                           tn_state_visitor *visitor)
{
    const bool made = f->is.made;
    TN_VISIT(visitor, f->is);
    if (!f->is.made) return TN_OK;
    f->is.made = made;
    const tn_status status = klu_fallback_make(f, matrix);
    return status == TN_OK ? sparse_lu_state(&f->sparse, matrix, visitor) : status;
}

#endif
