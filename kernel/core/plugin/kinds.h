/* kinds.h - the kinds of type that this kernel knows, and what a type of any kind says about itself. */
#ifndef TN_KINDS_H
#define TN_KINDS_H

#include "plugin/loaded_types.h"

/* A capability that types of a kind may have; its fields stand side by side in the loaded type. */
typedef struct tn_known_capability {
    const char *key; /* NULL after the last one */
    size_t size;     /* of its struct */
    size_t place;    /* in the loaded type, bytes, of its first field behind struct_size and reserved */
} tn_known_capability;

typedef struct tn_kind {
    const char *key;       /* TN_ELEMENT_KIND, ... */
    size_t size;           /* of the plugin's struct, as this kernel knows it */
    size_t loaded_size;    /* of the kernel's own, which begins alike and has the capabilities behind */
    size_t ports, outputs; /* offsets of these fields; 0 where the kind has none */
    const tn_known_capability *capabilities;
    /* a function that this type needs and lacks, or NULL; NULL: a kind without functions */
    const char *(*missing)(const void *type);
} tn_kind;

/* The describing fields of a type; NULL and 0 where its kind has none. */
typedef struct tn_description {
    const char *name, *summary, *formula, *literature;
    const tn_parameter *parameters;
    const tn_port *ports;
    const tn_output *outputs;
    const tn_synonym *synonyms;
    size_t instance_size;
} tn_description;

/* Adds kinds that the program knows besides those of models; the list stays. Once, before plugins are loaded. */
void tn_kinds_add(const tn_kind *list, size_t count);
size_t tn_kind_count(void);
const tn_kind *tn_kind_at(size_t index);
/* NULL for a kind that this kernel does not know. */
const tn_kind *tn_kind_find(const char *key);

tn_description tn_type_description(const tn_kind *kind, const void *type);

/* "point", "frame", ... of a tn_marker_kind. */
const char *tn_marker_word(uint32_t kind);

#endif
