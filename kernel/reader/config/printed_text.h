/* printed_text.h - texts that are printed like files. */
#ifndef TN_PRINTED_TEXT_H
#define TN_PRINTED_TEXT_H

#include "base/memory.h"

#include <stdio.h>

/* A text that is written as a file: between the two calls `file` takes what is printed. What the second one gives is to be freed. */
typedef struct tn_text_file {
    FILE *file;
    char *text;
    size_t size;
    tn_hold hold;
} tn_text_file;
void tn_text_file_open(tn_text_file *stream);
char *tn_text_file_close(tn_text_file *stream);

/* A line of TOML, `key = "text"`. */
void tn_toml_print_line(FILE *stream, const char *key, const char *text);

#endif
