/* blas_buffer.h - OpenBLAS takes a buffer of its own when it is called first, and tries again for ever where there is no memory for it. */
#ifndef TENON_BLAS_BUFFER_H
#define TENON_BLAS_BUFFER_H

#include <stdbool.h>
#include <stdlib.h>

#define BLAS_BUFFER ((size_t)136 << 20) /* bytes, and some more */

/* Whether there is memory for it, and for so many bytes besides. */
static inline bool blas_has_buffer(size_t besides)
{
    void *volatile memory = malloc(BLAS_BUFFER + besides);
    const bool found = memory != NULL;
    free(memory);
    return found;
}

#endif
