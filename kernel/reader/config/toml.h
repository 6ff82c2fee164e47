/* toml.h - a parsed TOML file as a plain tree with source positions. toml.cpp is the only C++ of the kernel. */
#ifndef TN_TOML_H
#define TN_TOML_H

#include "base/memory.h"
#include "diagnostics.h"

typedef enum tn_toml_kind {
    TN_TOML_STRING,
    TN_TOML_INTEGER,
    TN_TOML_REAL,
    TN_TOML_BOOLEAN,
    TN_TOML_ARRAY,
    TN_TOML_TABLE,
    TN_TOML_DATE /* dates and times: no key of Tenon takes one */
} tn_toml_kind;

typedef struct tn_toml tn_toml;
struct tn_toml {
    union {
        struct {
            tn_place place; /* of the value; of the header `[..]` or `[[..]]` for a table with one */
            const tn_toml *node;
        };
        tn_location at; /* the same: of this node, or of one that it is a copy of */
    };
    tn_toml_kind kind;
    const char *key; /* inside a table, else NULL */
    tn_place key_place;
    const char *text; /* STRING: decoded, NUL-terminated, `length` bytes */
    size_t length;
    int64_t integer; /* INTEGER; BOOLEAN as 0 or 1 */
    double real;     /* REAL, and INTEGER as a double */
    tn_toml **child; /* ARRAY: elements; TABLE: values in the order of the file */
    size_t count;
    size_t capacity; /* of `child`, where it has been made larger than it was in the file */
    bool reworded;   /* STRING: `text` is not what stands in the file */
};

typedef struct tn_document tn_document;

/* Most files inside each other, by [include] or as parts of parts. */
#define TN_FILE_DEPTH 100

/* Reads a file with those that it includes; NULL after reporting why it cannot be read or parsed (syntax error with its
 * place). Included items stand in front of the file's own, which also win where both give a value; a file is included
 * once. */
tn_document *tn_document_read(const char *path, tn_diagnostics *diagnostics);
/* Likewise a text that is no file: `name` stands for it in messages, its paths are relative to `folder`. Without text `name` is a
 * file. */
tn_document *tn_document_parse(const char *text, const char *name, const char *folder,
                               tn_diagnostics *diagnostics);
/* Reads one more file, that of a part, as a tree of its own; NULL after reporting, at `node` when there is no such file.
 * `chain` says in messages how it came to be read. */
tn_toml *tn_document_add(tn_document *document, const char *path, const char *chain, const tn_toml *node,
                         tn_diagnostics *diagnostics);
/* How the file of a place came to be read: "included from car.toml:3:10"; NULL for the model itself. */
const char *tn_document_chain(tn_document *document, const char *file);
/* The chain of a file that is named at a place: `how`, the place, and how the file of that one came to be read. */
const char *tn_document_chain_at(tn_document *document, const char *how, tn_place place);
/* Remembers a file of the model, which the document has not read itself. inputs.c */
void tn_document_add_input(tn_document *document, const char *path);
/* The path of a file that a string names, which can be read, as tn_document_beside; NULL with the reason. It is remembered as a
 * file of the model, and the string as one that names a file. inputs.c */
const char *tn_document_file(tn_document *document, const tn_toml *node, const char **reason);
/* Whether a string, or one that it was copied from, has been found to name a file. */
bool tn_document_names_file(const tn_document *document, const tn_toml *node);
struct stat;
/* The path by which this very file was read for the model; NULL when it was not. */
const char *tn_document_input(const tn_document *document, const struct stat *status);
/* The paths of all files that the model was read from, and that it names; NULL behind the last one. */
const char *tn_document_input_path(const tn_document *document, size_t number);
/* A copy of a text that lives as long as the document. */
const char *tn_document_text(tn_document *document, const char *text, size_t length);
/* "folder/path", which lives as long. */
const char *tn_document_join(tn_document *document, const char *folder, const char *path);
/* The path that all ways to a file share, which lives as long; NULL where there is no such file. */
const char *tn_document_real_path(tn_document *document, const char *path);
/* The same, or `path` itself where there is no such file: what tells a file from others. */
const char *tn_document_identity(tn_document *document, const char *path);
/* The path that a string means: relative to the file that it stands in. */
const char *tn_document_beside(tn_document *document, const tn_toml *node);
tn_toml *tn_document_root(const tn_document *document);
const char *tn_document_path(const tn_document *document);

/* The value of `key` in a table, or NULL; the same of a key that ends at `length`. */
tn_toml *tn_toml_get(const tn_toml *table, const char *key);
tn_toml *tn_toml_find(const tn_toml *table, const char *key, size_t length);
/* The text of `key` in a table where that is a string, else NULL. */
const char *tn_toml_text(const tn_toml *table, const char *key);
/* A new node that is like another one, in its place, and has keys of its own. */
tn_toml *tn_toml_new(tn_arena *arena, tn_toml like);

/* Puts the children of one array or table behind those of another one. */
void tn_toml_append(tn_document *document, tn_toml *to, const tn_toml *from);

/* Where byte `offset` of a decoded string stands in the file (escapes, literal and multi-line strings). */
tn_place tn_toml_place_in_text(tn_document *document, const tn_toml *string, size_t offset);

/* Sets `path` ("parameters.k", "solver.step", "element.NAME.key": items of an array of tables are chosen by their
 * `name` or number, counted from 0) to `value`, read as a TOML value, else as a string. What is missing on the way
 * is added. The place of the new value is the pseudo-file "--set path" at 1:1. False after reporting an item that
 * does not exist, or a path through something without keys. */
bool tn_document_set(tn_document *document, const char *path, const char *value, tn_diagnostics *diagnostics);

/* Adds a table to an array of tables at the top, [[sensor]] say, with keys and strings, NULL behind the last. Their places are in
 * the pseudo-file `file`. False after reporting that the array is none. */
bool tn_document_add_table(tn_document *document, const char *array, const char *const *keys_and_strings,
                           const char *file, tn_diagnostics *diagnostics);

/* tn_document_set in the tree of a part, with a value whose key is the path. */
bool tn_document_put(tn_document *document, tn_toml *root, const tn_toml *value, tn_diagnostics *diagnostics);

/* Writes a string of TOML. A byte that is not UTF-8, as paths may have, is written as the four characters \xe9: TOML has
 * no way to say it. */
void tn_toml_print_text(FILE *stream, const char *text, size_t length);
/* The tree as TOML text (to be freed). */
char *tn_toml_print(const tn_toml *root);

#endif
