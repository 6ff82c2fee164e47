/* units_internal.h - what units.c and dimension.c share. */
#ifndef TN_UNITS_INTERNAL_H
#define TN_UNITS_INTERNAL_H

#include "base/memory.h"

#include <stdbool.h>

/* What is known of units is the process's, and UDUNITS serves one thread at a time: each function of units.h and dimension.h that
 * looks at it holds this lock until it returns. */
#define TN_UNITS_LOCKED                                          \
    __attribute__((cleanup(tn_units_unlock))) tn_hold tn_locked; \
    tn_units_lock(&tn_locked)
void tn_units_lock(tn_hold *locked);
void tn_units_unlock(tn_hold *locked);
/* Loads the unit database on first use; false with the reason, of which as much is written as fits. */
bool tn_units_load(char *error, size_t error_size);
/* The base units of a unit, "kg.m2.s-2" for "kJ", and whether it is nothing but these; false when it is no unit. The database is
 * loaded. */
enum { TN_LONGEST_DEFINITION = 256 };
bool tn_units_define(const char *text, char *base_units, bool *is_base);
/* Frees all dimensions, before the database. dimension.c */
void tn_dimensions_free(void);

#endif
