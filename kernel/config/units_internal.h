/* units_internal.h - what units.c and dimension.c share. */
#ifndef TN_UNITS_INTERNAL_H
#define TN_UNITS_INTERNAL_H

#include <stdbool.h>
#include <udunits2.h>

/* Loads the unit database on first use. */
bool tn_units_load(void);
/* The unit of a text, owned by the caller; NULL when it is none. The database is loaded. */
ut_unit *tn_units_parse(const char *text);
/* Frees all dimensions, before the database. dimension.c */
void tn_dimensions_free(void);

#endif
