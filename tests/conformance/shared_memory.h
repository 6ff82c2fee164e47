/* shared_memory.h - the static variables of a library: what all calls of its functions share, and none may write that runs beside
 * another one */
#ifndef TENON_TESTS_SHARED_MEMORY_H
#define TENON_TESTS_SHARED_MEMORY_H

#include <stdbool.h>

typedef void (*tn_any_function)(void);

/* Around a call: keeps the static variables of the function's library, and notes the function when it has changed them. */
void tn_shared_memory_keep(tn_any_function function);
void tn_shared_memory_compare(const char *name);

/* The first function that changed them again and again, since the last question; NULL: none. A table that is made in the first call,
 * once, is no such change. */
const char *tn_shared_memory_writer(void);

#endif
