/* schema.h - the JSON Schema of model files, from the tables of the installed types and of the kernel.
 *
 * It is written for editors: what stands on the lowest level has its description inline, and only `if` chooses by
 * type, so that a mistake is told at its place. Keywords that the drafts before 2020-12 do not know are left out.
 *
 * It cannot say what depends on more than the shape of one file: whether units fit and expressions can be read, which
 * value an expression has, whether names exist, are unique, and are those of the language; which element an output
 * belongs to; what {..} becomes; which keys exclude each other in a type's own checks; that a fixed step is needed,
 * and divides the interval; that a number is finite, a matrix orthonormal; what is in files of parts and
 * includes, and where the paths of `set` lead there. */
#ifndef TN_SCHEMA_H
#define TN_SCHEMA_H

#include "config/json.h"
#include "plugin/registry.h"

/* Prints the schema for the types of all files that the registry has looked at: of models, and of studies. */
void tn_schema_print(tn_registry *registry, FILE *stream);
void tn_schema_print_study(tn_registry *registry, FILE *stream);

/* ---- between the files of schema/ ------------------------------------------------------------------------- */

typedef struct tn_schema {
    tn_json json;
    tn_registry *registry;
} tn_schema;

/* Tables of one kind of type. */
typedef struct tn_schema_section {
    const char *key;         /* of the definition */
    const char *kind;        /* of type */
    const char *description; /* of a table */
    const char *standard;    /* type of a table that names none; NULL: it must */
    /* keys that are no parameters, each with a definition of its own; the first one must be there */
    const char *const *words;
    const tn_parameter *shared; /* keys of every type, or NULL */
    bool reads_file;            /* data may stand in a file instead of in parameters */
} tn_schema_section;

/* Pieces of formats of tn_json_print(): a reference to a definition; a text; the start of a table, up to its first property. */
#define REFERENCE(name) "{'$ref': '#/$defs/" name "'}"
/* Of the table of a routine in place of a value: its other keys are those of its type of functions. */
#define ROUTINE "'anyOf': [{'required': ['library']}, {'required': ['script']}, {'required': ['type']}]"
#define STRING(description) "{'description': " description ", 'type': 'string'}"
#define TABLE(description) "{'description': " description ", 'type': 'object', 'properties': {"

/* A reference to a definition below `key` (NULL in arrays). schema.c */
void tn_schema_refer(tn_schema *schema, const char *key, const char *name);
/* The names of all types of a kind, or tables of them with parameters, as "anyOf". type_schema.c */
void tn_schema_type_choice(tn_schema *schema, const char *kind);
/* The keys of a table of parameters inside "properties", and those of them inside "required" that must be there.
 * A table may be NULL. value_schema.c */
void tn_schema_parameters(tn_schema *schema, const tn_parameter *parameters);
void tn_schema_required(tn_schema *schema, const tn_parameter *parameters);
/* The arrays of items that a repeat may hold. schema.c */
void tn_schema_repeated(tn_schema *schema);
/* Definitions inside "$defs": of values (value_schema.c), of what has a type (type_schema.c), of all other items (item_schema.c). */
void tn_schema_define_values(tn_schema *schema);
void tn_schema_define_types(tn_schema *schema);
/* The choice of a type in one kind of tables, and the keys of each. type_schema.c */
void tn_schema_define_section(tn_schema *schema, const tn_schema_section *section);
void tn_schema_define_items(tn_schema *schema);

#endif
