/* number.h - numbers as text. */
#ifndef TN_CSV_NUMBER_H
#define TN_CSV_NUMBER_H

#ifdef __cplusplus
extern "C" {
#endif

/* The shortest text that gives the same bits when read, of several the nearest; fixed or with an exponent, whichever is
 * shorter. Returns its end; `end` is 24 characters behind `to`, or more. */
char *tn_csv_number(char *to, char *end, double value);

#ifdef __cplusplus
}
#endif

#endif
