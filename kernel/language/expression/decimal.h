/* decimal.h - decimal numbers in texts. */
#ifndef TN_DECIMAL_H
#define TN_DECIMAL_H

#include <stddef.h>

/* More digits than this carry no information. */
enum { TN_LONGEST_DECIMAL = 255 };

/* Reads the decimal number that text[0..length) begins with, at most so many characters of it: a point is a point
 * whatever the locale, and an exponent may begin with Fortran's D. Returns how many characters it takes, 0 when
 * there is no number. What is too large comes out as infinity. */
size_t tn_decimal_read(const char *text, size_t length, double *number);

#endif
