/* tenon/kit/blas.h - what a BLAS needs before its first call in plugins that use one [not ABI]
 *
 * OpenBLAS takes a buffer of its own when it is called first, and tries again for ever where there is no memory for it. With threads of its
 * own it adds in another order for another number of them, so that results would depend on the machine. */
#ifndef TENON_KIT_BLAS_H
#define TENON_KIT_BLAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define TN_BLAS_BUFFER ((size_t)136 << 20) /* bytes, and some more */

/* Of OpenBLAS, where that is the BLAS of the machine. */
extern void openblas_set_num_threads(int count) __attribute__((weak));

/* Keeps the BLAS on the thread that calls it. Returns whether there is memory for its buffer, and for so many bytes besides. */
static inline bool tn_blas_begin(size_t besides)
{
    void *volatile memory = malloc(TN_BLAS_BUFFER + besides);
    const bool found = memory != NULL;
    free(memory);
    if (found && openblas_set_num_threads) openblas_set_num_threads(1);
    return found;
}

#endif
