/* json.h - prints JSON: commas, indentation and escapes; what it prints is valid whatever the texts and numbers.
 *
 *     tn_json json = {.stream = stdout};
 *     tn_json_open(&json, NULL, '{');
 *     tn_json_number(&json, "mass", 1.5);
 *     tn_json_close(&json);
 *
 * `key` is NULL in arrays and for the outermost value. A byte that is not UTF-8, as paths may have, is printed as the four
 * characters \xe9: JSON has no way to say it. */
#ifndef TN_JSON_H
#define TN_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Start with {.stream = ...}. One bit of each mask per open object or array, so at most 63 inside each other. */
typedef struct tn_json {
    FILE *stream;
    bool one_line; /* no line breaks and indentation */
    uint32_t depth;
    uint64_t array;  /* it is an array */
    uint64_t filled; /* it has a value already */
    uint64_t broken; /* its last value stands on a line of its own */
} tn_json;

/* Opens an object '{' or an array '['; the next values are inside it until it is closed. */
void tn_json_open(tn_json *json, const char *key, char bracket);
/* Ends the innermost object or array; behind the outermost one a line ends. */
void tn_json_close(tn_json *json);

void tn_json_text(tn_json *json, const char *key, const char *text);
void tn_json_text_part(tn_json *json, const char *key, const char *text, size_t length);
/* With as few digits as give the same number again; null when it is not finite. */
void tn_json_number(tn_json *json, const char *key, double value);
void tn_json_boolean(tn_json *json, const char *key, bool value);

/* Several values at once, written as in JSON, with ' for ". A %s is a text or key, %u and %g a number, %d a boolean; where the text is
 * NULL, its key is omitted, too. Brackets may stay open for later calls, and close those of earlier ones.
 *
 *     tn_json_print(&json, "'mass': 1.5, 'unit': %s, 'ports': [", unit);
 */
void tn_json_print(tn_json *json, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
