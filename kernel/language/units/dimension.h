/* dimension.h - units of what is worked out: products, powers and comparisons of SI units, by UDUNITS.
 *
 * Each unit is kept once, until tn_units_close(). Angles count as numbers, and go where a product has another unit but time
 * (rad m/s is m/s). NULL stands for a unit that is not known. */
#ifndef TN_DIMENSION_H
#define TN_DIMENSION_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tn_dimension tn_dimension;

/* The unit that a text names, "" being that of a number; it is looked at when something is worked out with it. */
const tn_dimension *tn_dimension_of(const char *unit);
/* The SI unit of what is measured in `unit`: m for "mm". */
const tn_dimension *tn_dimension_si(const char *unit);

const tn_dimension *tn_dimension_product(const tn_dimension *a, const tn_dimension *b);
const tn_dimension *tn_dimension_quotient(const tn_dimension *a, const tn_dimension *b);
/* a**(numerator/denominator); NULL where that is no unit. */
const tn_dimension *tn_dimension_power(const tn_dimension *a, int numerator, int denominator);

/* True when both measure the same, or that is not known. */
bool tn_dimension_fits(const tn_dimension *a, const tn_dimension *b);
/* The unit of the sum of two that fit: without the angle that one of them may have. */
const tn_dimension *tn_dimension_sum(const tn_dimension *a, const tn_dimension *b);
/* True for the unit of a number, which is no angle; for a power of time. */
bool tn_dimension_is_number(const tn_dimension *a);
bool tn_dimension_is_time(const tn_dimension *a);

/* "m/s^2", "" for a number. */
const char *tn_dimension_text(const tn_dimension *a);
/* "an acceleration (m/s^2)", "in kg m", "a plain number". */
const char *tn_dimension_words(const tn_dimension *a, tn_arena *arena);

#endif
