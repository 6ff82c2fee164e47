/* tenon/type.h - the common part of all types: identity, lifecycle, and a list of capabilities.
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
 * and calls prepare(), which completes it and may open files, start threads, make objects of other languages. If a [[change]]
 * gives a parameter another value, the kernel writes it into the same instance and calls prepare() again, which must not repeat
 * completed work. At the end the kernel calls release(), once for every instance whose prepare() returned TN_OK (or that has
 * none). After the first prepare() the kernel moves instances of elements, and of markers made of others, bytewise into the
 * memory of their batch, and passes both addresses to relocate(); the old one is void. A type without relocate() has no
 * pointers into the instance itself. Nothing else copies an instance whose type has release() or relocate(). Before the run the
 * kernel tests each [[change]] of the model on a separate instance, which begins with zeros and the same parameters, and
 * releases it at once. All are [setup], on one thread. */
#ifndef TENON_TYPE_H
#define TENON_TYPE_H

#include "tenon/host.h"

#include <string.h>

/* A table of functions under a key such as "tenon.force/1". The same mechanism goes both ways: types list tables for the
 * kernel; tn_host and tn_system have a function `extension` that returns tables to plugins. A key consists of its owner's name,
 * a word and a version; the kernel ignores unknown keys of other owners (`tenon plugins` lists them), and rejects unknown
 * versions of its own keys. Each table begins with its size, uint32_t struct_size, and grows at its end only. */
typedef struct tn_capability {
    const char *key;   /* NULL behind the last one */
    const void *table; /* its first field is uint32_t struct_size */
} tn_capability;

/* Threads. A [hot] function gets a batch and a place for its failure (batch->failure) of its own, and reaches nothing that another call
 * writes: two calls of one function may run at a time, on different instances. They are cut in the same way for any number of
 * threads, and write what is their own: results do not depend on it. [setup] functions run on one thread. Types with scratch
 * memory (batch->scratch) or callables are called for all of their instances at once. */
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
