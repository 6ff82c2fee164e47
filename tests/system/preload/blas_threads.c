/* blas_threads.c - stands before OpenBLAS (LD_PRELOAD): what the process asks for its threads is written to the file BLAS_THREADS. */
#include <stdio.h>
#include <stdlib.h>

void openblas_set_num_threads(int count);

__attribute__((visibility("default"))) void openblas_set_num_threads(int count)
{
    FILE *file = fopen(getenv("BLAS_THREADS"), "a");
    if (!file) abort();
    (void)fprintf(file, "%d\n", count);
    if (fclose(file) != 0) abort();
}
