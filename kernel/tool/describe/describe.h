/* describe.h - what a type says about itself, printed: one walk over its tables (describe.c), and a printer for each
 * form: text for people at a terminal (describe_text.c), a section of the type's page (describe_markdown.c), JSON for programs
 * (describe_json.c). */
#ifndef TN_DESCRIBE_H
#define TN_DESCRIBE_H

#include "config/json.h"
#include "plugin/registry.h"

typedef struct tn_printer tn_printer;

/* Where a printer prints; start with {.printer = ..., .stream = ...}. */
typedef struct tn_page {
    const tn_printer *printer;
    FILE *stream;
    const tn_kind *kind; /* of the current type */
    tn_description type;
    const tn_plugin_file *file;
    uint64_t type_count; /* printed so far */
    tn_json json;
} tn_page;

/* One form. The walk calls the functions in this order; `start`, `list_end`, `note`, `foot` and `end` may be NULL. */
struct tn_printer {
    void (*start)(tn_page *page); /* before the first type */
    void (*head)(tn_page *page);  /* kind, name, summary, library */
    void (*fact)(tn_page *page, const char *title, const char *text);
    void (*section)(tn_page *page, const char *title, const char *text);
    void (*list)(tn_page *page, const char *title); /* then its entries, all of them of one sort */
    void (*parameter)(tn_page *page, const tn_parameter *parameter);
    void (*port)(tn_page *page, const tn_port *port);
    void (*output)(tn_page *page, const tn_output *output,
                   bool is_coordinate); /* a coordinate is one number */
    void (*list_end)(tn_page *page);
    void (*note)(tn_page *page, const char *text);
    void (*foot)(tn_page *page);
    void (*end)(tn_page *page); /* after the last type */
};

extern const tn_printer tn_text_printer, tn_markdown_printer, tn_json_printer;

/* Prints one type on a page: a tn_type_visitor. */
void tn_describe_type(void *page, const tn_kind *kind, const void *type, const tn_plugin_file *file);
/* Ends a page, on which there may be no type. */
void tn_describe_end(tn_page *page);

/* A line of a table of types, with the table's head in front of the first one. describe_markdown.c */
void tn_markdown_row(tn_page *page, const tn_kind *kind, const void *type, const tn_plugin_file *file);

/* ---- words that the forms share: words.c ---------------------------------------------------------- */

void tn_print_kind(FILE *stream, const tn_parameter *parameter);    /* "3 or 6 reals" */
void tn_print_default(FILE *stream, const tn_parameter *parameter); /* its value, "required" or "optional" */
/* ", >= 0, <= 1": a comma in front of each */
void tn_print_range(FILE *stream, const tn_parameter *parameter);
/* ", dynamic, changeable" */
void tn_print_changes(FILE *stream, const tn_parameter *parameter);
void tn_print_port_count(FILE *stream, const tn_port *port);  /* "1 or more" */
void tn_print_points_from(FILE *stream, const tn_port *port); /* ", point from number 2 on" */

/* True when an absent parameter has a value; prints that as JSON. describe_json.c */
bool tn_has_default(const tn_parameter *parameter);
void tn_json_default(tn_json *json, const char *key, const tn_parameter *parameter);
/* The words of a list "a|b|c" as an array. */
void tn_json_choices(tn_json *json, const char *key, const char *words);
/* Lists "a|b|c" one by one: sets the length of the first word; tn_next_word() leads to the next one, or NULL. */
const char *tn_first_word(const char *words, size_t *length);
const char *tn_next_word(const char *word, size_t *length);

#endif
