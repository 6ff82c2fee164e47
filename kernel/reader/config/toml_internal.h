/* toml_internal.h - what the files behind toml.h share: the document and the border to the C++ parser. */
#ifndef TN_TOML_INTERNAL_H
#define TN_TOML_INTERNAL_H

#include "base/memory.h"
#include "base/names.h"
#include "config/source_text.h"
#include "config/text_file.h"
#include "config/toml.h"

typedef struct tn_input tn_input;         /* a file that was read; inputs.c */
typedef struct tn_file_name tn_file_name; /* a string that names one; inputs.c */

/* The items of the array that was looked into last. */
typedef struct tn_toml_items {
    const tn_toml *array;
    size_t count;
    tn_names names;
    tn_toml **item; /* by the number of its name */
} tn_toml_items;

struct tn_document {
    tn_arena arena;
    const char *path;
    const char *text;   /* while a model that is no file is read; else NULL */
    const char *folder; /* that its paths are relative to; NULL for a file */
    tn_toml *root;
    tn_source_text *sources;
    tn_source_text *last; /* that was asked for */
    tn_input *inputs;
    tn_file_name *file_names;
    tn_toml_items items;
};

/* The item of an array of tables with this name, or NULL. After an item has got another name, forget. */
tn_toml *tn_document_item(tn_document *document, const tn_toml *array, const char *name);
void tn_document_forget_items(tn_document *document);

/* The tree of a text with places in `file`, everything allocated in the arena; NULL after filling `failure`. */
tn_toml *tn_toml_parse(const char *text, size_t length, const char *file, tn_arena *arena,
                       tn_text_failure *failure);

/* Puts a value into a table: in the place of one with the same key, else behind the others. toml_include.c */
void tn_toml_put(tn_document *document, tn_toml *table, tn_toml *value);

/* Puts the values of a table in the order of the file. */
void tn_toml_sort(tn_toml *table);

/* Moves the place of a failure to where the mistake stands, and makes its text a message of ours. */
void tn_toml_correct_failure(const char *text, size_t length, tn_text_failure *failure);

/* The text that the places of a file refer to, or NULL. */
tn_source_text *tn_document_source(tn_document *document, const char *file);
/* Makes a text known to the document, which takes the reference, and to the diagnostics. */
void tn_document_add_source(tn_document *document, tn_source_text *text, const char *chain,
                            tn_diagnostics *diagnostics);

/* Where line and column (counted from 1, columns in code points) begin; at most the end of the line. */
size_t tn_text_offset(const char *text, size_t length, uint32_t line, uint32_t column);

/* Where a key has more than so many dots, each of which is a table in another; `length` when none has. */
size_t tn_text_deep_key(const char *text, size_t length, size_t deepest);

/* The end of the string that begins at `offset`: behind its closing quotes, or where its line ends without them. */
size_t tn_text_string_end(const char *text, size_t length, size_t offset);

/* The end of a string, of a comment, or of one byte of anything else. */
size_t tn_text_token_end(const char *text, size_t length, size_t offset);

/* The length of the longest beginning of `text` that is UTF-8. */
size_t tn_text_valid_utf8(const char *text, size_t length);

/* False after filling `failure`. */
bool tn_text_is_utf8(const char *text, size_t length, tn_text_failure *failure);

/* tn_text_file_read, and NULL after filling `failure` when it is not UTF-8, too. */
char *tn_text_read(const char *path, size_t *length, tn_text_failure *failure);

#endif
