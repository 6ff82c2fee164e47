/* signal_text.h - text put together in a signal handler, where neither printf nor malloc may be called.
 *
 * A text that does not fit ends with "...", and what is put behind that is left out. */
#ifndef TN_SIGNAL_TEXT_H
#define TN_SIGNAL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tn_signal_text {
    size_t used;     /* more than fits in front of dots: it is cut */
    char byte[4096]; /* ends with a zero */
} tn_signal_text;

/* Appends all parts up to NULL. */
void tn_put(tn_signal_text *text, ...) __attribute__((sentinel));
void tn_put_integer(tn_signal_text *text, uint64_t value);
void tn_put_address(tn_signal_text *text, const void *address);
/* As "%.9g", but for the last digit of a number that lies in the middle of two. */
void tn_put_real(tn_signal_text *text, double value);
/* As the inside of a TOML string. */
void tn_put_escaped(tn_signal_text *text, const char *part);

/* Writes all bytes, or all of a text; false when that fails. */
bool tn_write_bytes(int file, const void *bytes, size_t size);
bool tn_write_text(int file, const char *text);

#endif
