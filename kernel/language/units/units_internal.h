/* units_internal.h - what units.c and dimension.c share. */
#ifndef TN_UNITS_INTERNAL_H
#define TN_UNITS_INTERNAL_H

#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <udunits2.h>

/* The value of a call of UDUNITS, which reports a lack of memory as an unknown unit, or leaves one out: errno shows it, or a message. */
#define tn_units_call(call)          \
    ({                               \
        errno = 0;                   \
        __auto_type result = (call); \
        tn_units_check_memory();     \
        result;                      \
    })

/* What is known of units is the process's, and UDUNITS serves one thread at a time: each function of units.h and dimension.h that
 * looks at it holds this lock until it returns. */
#define TN_UNITS_LOCKED                                          \
    __attribute__((cleanup(tn_units_unlock))) tn_hold tn_locked; \
    tn_units_lock(&tn_locked)
void tn_units_lock(tn_hold *locked);
void tn_units_unlock(tn_hold *locked);
/* Ends the program where the last call lacked memory. */
void tn_units_check_memory(void);
/* Loads the unit database on first use; false with the reason, of which as much is written as fits. */
bool tn_units_load(char *error, size_t error_size);
/* The unit of a text, owned by the caller; NULL when it is none. The database is loaded. */
ut_unit *tn_units_parse(const char *text);
/* Frees all dimensions, before the database. dimension.c */
void tn_dimensions_free(void);

#endif
