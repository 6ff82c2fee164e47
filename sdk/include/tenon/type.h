/* tenon/type.h - what types of all kinds have in common: identity, lifecycle, and a list of capabilities.
 *
 * Every type begins alike, with these fields:
 *
 *   uint32_t struct_size           sizeof the struct, as the plugin knows it
 *   uint32_t reserved              0
 *   const char *name               as in `type = "..."`
 *   const tn_parameter *parameters of an instance, which the kernel fills; NULL: none
 *   size_t instance_size           bytes of an instance
 *   const char *summary            one line
 *   const char *formula            the law, plain text; several lines are fine
 *   const char *literature         sources, one a line, or NULL
 *   const tn_synonym *synonyms     how others call the type and its keys; NULL: none
 *   uint32_t flags                 sum of flags of its kind, and of tn_type_flag
 *   uint32_t                       of its kind
 *   const tn_capability *capabilities   what else it can do; NULL: nothing
 *   void (*release)(...)           the end of an instance
 *
 * Life of an instance: the kernel makes it once, zeroed, in memory aligned to 16 bytes; fills the fields of the parameters;
 * and calls prepare(), which completes it and may open files, start threads, make objects of other languages. Where a
 * [[change]] gives a parameter another value, the kernel writes that into the same instance and calls prepare() again: on what
 * it has completed before it must do nothing new. At the end release() is called, once for every instance whose prepare()
 * returned TN_OK (or that has none). Instances of elements, and of markers made of others, are moved once, behind the first
 * prepare(), into the memory of their batch: bytewise, and then relocate() is told both addresses, of which the old one is
 * void. A type without relocate() has no pointers into the instance itself. Nothing else copies an instance whose type has
 * release() or relocate(). A change that stands in a model is tried out before the run, on an instance of its own, which
 * begins with zeros and the same parameters, and is released at once. [setup], all of them, on one thread. */
#ifndef TENON_TYPE_H
#define TENON_TYPE_H

#include "tenon/host.h"

#include <string.h>

/* A table of functions under a key such as "tenon.force/1". The same mechanism goes both ways: types list what the kernel may
 * ask for; tn_host and tn_system have a function `extension` for what plugins may ask for. A key is somebody's name, a word and
 * a version; a kernel leaves out keys of others that it does not know (`tenon plugins` tells), and refuses a version of its own
 * that it does not know. Each table begins with its size, uint32_t struct_size, and grows at its end only. */
typedef struct tn_capability {
    const char *key;   /* NULL behind the last one */
    const void *table; /* its first field is uint32_t struct_size */
} tn_capability;

enum tn_type_flag {
    /* Its functions run on one thread at a time, whatever the number of threads of the run. */
    TN_ONE_THREAD = 1u << 30
};

/* The table of a key in a list; NULL: it is not there. */
static inline const void *tn_capability_of(const tn_capability *list, const char *key)
{
    for (; list && list->key; list++)
        if (!strcmp(list->key, key)) return list->table;
    return NULL;
}

TN_STATIC_ASSERT(sizeof(tn_capability) == 16, "tn_capability is frozen");

#endif
