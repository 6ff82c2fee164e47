/* units.h - factors between units, by UDUNITS and the names `deg`, `rev` and `Nm`. */
#ifndef TN_UNITS_H
#define TN_UNITS_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Factor that takes a value in unit `from` to unit `to` (both UDUNITS text; "" is dimensionless). Only pure
 * factors between like dimensions are accepted: reciprocals (s for rad/s), offsets (degC for K) and Hz for an
 * angular velocity are refused; `error` then names both units and, for Hz, suggests rev/s. Equal texts need
 * no lookup. Powers are whole numbers, but for that of a divisor at the end of both, as in N/mm^1.5 for N/m^1.5. Loads the unit database on first use. */
bool tn_unit_factor(const char *from, const char *to, double *factor, char *error, size_t error_size);

/* Factor that takes a value in unit `from` to the coherent SI unit of its dimension, with radians kept
 * ("N/mm" to kg s-2). Refuses offsets and unknown units likewise. */
bool tn_unit_si_factor(const char *from, double *factor, char *error, size_t error_size);

/* The unit of number k of `count`: in a list such as "rad; m" every entry is that of an equal share of the numbers, with 1 for
 * none. It is `list` itself where that is one unit, else a copy. */
const char *tn_unit_of_number(const char *list, uint32_t k, uint32_t count, tn_arena *arena);

/* The unit database is the process's. It is kept while some model is open, and freed when the last one closes. */
void tn_units_open(void);
void tn_units_close(void);

#endif
