/* utf8.h - code points in a text. May be called in a signal handler. */
#ifndef TN_UTF8_H
#define TN_UTF8_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of bytes of the code point at the beginning of `text`; 0 where it is not UTF-8, or where `length` is. */
size_t tn_utf8_length(const char *text, size_t length);

#ifdef __cplusplus
}
#endif

#endif
