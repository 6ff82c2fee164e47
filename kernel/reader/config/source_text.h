/* source_text.h - a text that places refer to: a file of the model, or what one `--set` says. */
#ifndef TN_SOURCE_TEXT_H
#define TN_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Line and column, counted from 1, and the byte there. */
typedef struct tn_text_position {
    uint32_t line, column;
    size_t offset;
} tn_text_position;

/* The position of the byte `offset`, seen from one in front of it, `from`. */
tn_text_position tn_text_position_behind(const char *text, tn_text_position from, size_t offset);

typedef struct tn_source_text {
    const char *file; /* the same pointer as in the places */
    char *letters;    /* ends with a zero */
    size_t length;
    bool plain;   /* the whole text is one string without quotes and escapes */
    size_t *line; /* [line_count] where each line begins; found when it is first asked for */
    size_t line_count;
    tn_text_position last; /* that was asked for */
    size_t token;          /* where the one begins that was looked for last; see extent.c */
    /* of a document: how it came to be read, for messages; NULL for the model itself, and for `--set` */
    const char *chain;
    struct tn_source_text *next; /* of the same document */
} tn_source_text;

/* Takes `letters`, which are of the kernel's memory, as the text is. */
tn_source_text *tn_source_text_new(const char *file, char *letters, size_t length, bool plain);

/* Where a place stands: its byte, at most that at the end of the line, or of the text. */
size_t tn_source_text_offset(tn_source_text *source, uint32_t line, uint32_t column);

#endif
