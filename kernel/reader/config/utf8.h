/* utf8.h - code points in a text. May be called in a signal handler. */
#ifndef TN_UTF8_H
#define TN_UTF8_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of bytes of the code point at the beginning of `text`; 0 where it is not UTF-8, or where `length` is. */
size_t tn_utf8_length(const char *text, size_t length);
/* The code point of so many bytes. */
uint32_t tn_utf8_code(const char *text, size_t count);
/* The number of columns that a terminal gives to a code point: 0, 1 or 2. */
uint32_t tn_utf8_width(uint32_t code);

#ifdef __cplusplus
}
#endif

#endif
