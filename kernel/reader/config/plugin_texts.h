/* plugin_texts.h - what the reader asks of plugins' tables, and of the texts in them: units, words of expressions, names that others use.
 *
 * Whoever makes a registry gives it `tn_reader_loading`, so that tables, units and names are checked when a plugin is loaded. Synonyms are
 * asked for where a message names a type that is not there, the types one by one by what lists them. */
#ifndef TN_PLUGIN_TEXTS_H
#define TN_PLUGIN_TEXTS_H

#include "plugin/registry.h"

extern const tn_loading tn_reader_loading;

/* Parameters that fit into the instance, with ranges, defaults and flags that fit their kinds; ports, outputs, coordinates and
 * capabilities that fit each other. plugin_tables.c */
bool tn_check_tables(const tn_kind *kind, const void *type, tn_reason *reason);
/* A list of outputs or coordinates that an instance has of its own, each of at most so many numbers. plugin_tables.c */
bool tn_check_own_list(const tn_output *list, uint32_t most, const tn_type_head *type, tn_reason *reason);
/* Units, one or a list "rad; m", that are known and of SI; `name` is what has them. plugin_units.c */
bool tn_check_units(const char *units, const char *name, const char *type, tn_reason *reason);

/* The types of a kind (NULL: of any) that others call so, opening every file to find them: "`a` or `b` with `order = 4`"
 * (malloc'd); NULL: none. synonyms.c */
char *tn_type_synonyms(tn_registry *registry, const char *kind, const char *name);

/* What to say of a type that is not there: "did you mean `a`?", or that the build of Tenon has left it out and what to install (malloc'd);
 * NULL: nothing. left_out.c */
char *tn_type_hint(tn_registry *registry, const char *kind, const char *name);

/* The second of these alone, for a type of any kind where that is NULL. left_out.c */
char *tn_left_out_hint(tn_registry *registry, const char *kind, const char *name);

/* Types of the build's plugins that are not there, of all folders that files were looked at in; `packages` are the Debian packages
 * that were missing, "" where it is only not built yet. left_out.c */
typedef void tn_left_out_visitor(void *data, const char *kind, const char *name, const char *packages);
void tn_left_out_visit(tn_registry *registry, tn_left_out_visitor *visit, void *data);

/* Calls `visit` for every type that models get of the files looked at, kind by kind (kind NULL: all), each kind in
 * the order of the files. plugin_visit.c */
typedef void tn_type_visitor(void *data, const tn_kind *kind, const void *type, const tn_plugin_file *file);
void tn_types_visit(tn_registry *registry, const char *kind, tn_type_visitor *visit, void *data);

/* What a parameter takes up in the instance, in bytes; SIZE_MAX for an unknown kind, which no checked type has. */
size_t tn_parameter_size(const tn_parameter *parameter);

#endif
