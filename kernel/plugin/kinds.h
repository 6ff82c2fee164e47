/* kinds.h - the kinds of type that this kernel knows, and what a type of any kind says about itself. */
#ifndef TN_KINDS_H
#define TN_KINDS_H

#include <tenon/plugin.h>

typedef struct tn_kind {
    const char *key;   /* TN_ELEMENT_KIND, ... */
    size_t describing; /* bytes of the describing fields at the front: the least that a type must have */
    size_t size;       /* bytes of the kernel's struct; an older plugin's may be shorter */
    /* offsets of these fields; 0 where the kind has none */
    size_t parameters, ports, outputs, instance_size, synonyms;
    const char *(*missing)(const void *type); /* a function that this type cannot do without, or NULL */
    const char *const
        *keys; /* of its table in a model, which no parameter or port can have; ends with NULL */
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

size_t tn_kind_count(void);
const tn_kind *tn_kind_at(size_t index);
/* NULL for a kind that this kernel does not know. */
const tn_kind *tn_kind_find(const char *key);

uint32_t tn_type_size(const void *type); /* its struct_size */
tn_description tn_type_description(const tn_kind *kind, const void *type);

#endif
