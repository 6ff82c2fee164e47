/* units_internal.h - what units.c and dimension.c share. */
#ifndef TN_UNITS_INTERNAL_H
#define TN_UNITS_INTERNAL_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

/* What is known of units is the process's, and UDUNITS serves one thread at a time: each function of units.h and dimension.h that
 * looks at it holds this lock until it returns. */
#define TN_UNITS_LOCKED                                          \
    __attribute__((cleanup(tn_units_unlock))) tn_hold tn_locked; \
    tn_units_lock(&tn_locked)
void tn_units_lock(tn_hold *locked);
void tn_units_unlock(tn_hold *locked);
/* Loads the unit database on first use; false with the reason, of which as much is written as fits. */
bool tn_units_load(char *error, size_t error_size);
/* The base units of a unit, "kg.m2.s-2" for "kJ", and whether it is nothing but these; false when it is no unit, or there is no
 * database to ask. */
enum { TN_LONGEST_DEFINITION = 256 };
bool tn_units_define(const char *text, char *base_units, bool *is_base);
/* What UDUNITS says of units that models mostly use, so that these do not need its database, which takes longer to be read than a
 * short run does. Made by the build (generate/known_units.c); ascending by their texts. Letters stand within the table, which the
 * dynamic linker has nothing to do with. */
typedef struct tn_known_unit {
    char text[20], base[27];
    bool is_base;  /* as of tn_units_define */
    double factor; /* to SI, a pure one */
} tn_known_unit;
extern const tn_known_unit tn_known_units[];
extern const size_t tn_known_unit_count;

/* Frees all dimensions, before the database. dimension.c */
void tn_dimensions_free(void);

#endif
