/* library.h - one matrix in MUMPS: its analysis, factors and solutions, and what the numbers of its errors mean.
 *
 * The library keeps what it works on in variables of its own: one call at a time. Half of a symmetric matrix is handed over. */
#ifndef TENON_MUMPS_LIBRARY_H
#define TENON_MUMPS_LIBRARY_H

#include "tenon/plugin.h"

#include <tenon/kit/blas.h>

#include "../used_pattern.h"
#include "scaling.h"

#include <dmumps_c.h>
#include <pthread.h>
#include <stdlib.h>

#define OF_ALL_PROCESSES -987654 /* communicator of Fortran that stands for all of them; there is one */
enum { INITIALISE = -1, END = -2, ANALYSE = 1, FACTORISE = 2, SOLVE = 3 };
enum { FIRST_EXTRA_MEMORY = 30, MOST_EXTRA_MEMORY = 100000 }; /* % of what the analysis expects */

/* Numbers of the manual, which counts from 1. */
#define ICNTL(number) icntl[(number)-1]
#define CNTL(number) cntl[(number)-1]
#define INFOG(number) infog[(number)-1]
#define RINFOG(number) rinfog[(number)-1]

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

typedef struct mumps_library {
    DMUMPS_STRUC_C of;
    bool open, factored;
    int32_t *row, *column; /* [entries] counted from 1 */
    int32_t *place;        /* [entries] among the entries used */
    int32_t *position;     /* [size] where an unknown is eliminated, counted from 1 */
    double *value;         /* [entries] */
    double *scale;         /* [4 size] of rows, of columns, and memory to find them */
} mumps_library;

static inline void library_call(mumps_library *library, int job)
{
    library->of.job = job;
    (void)pthread_mutex_lock(&one_at_a_time);
    dmumps_c(&library->of);
    (void)pthread_mutex_unlock(&one_at_a_time);
}

static inline void library_close(mumps_library *library)
{
    if (library->open) library_call(library, END);
    free(library->row);
    free(library->column);
    free(library->place);
    free(library->position);
    free(library->value);
    free(library->scale);
    *library = (mumps_library){0};
}

/* Counts that do not fit into 32 bits are given in millions, as negative numbers. */
static inline double library_count(MUMPS_INT count) { return count < 0 ? -1e6 * count : count; }

static inline bool library_lacks_room(const mumps_library *library)
{
    const MUMPS_INT error = library->of.INFOG(1);
    return error == -8 || error == -9 || error == -11 || error == -14 || error == -15 || error == -17 ||
           error == -20;
}

static inline tn_status library_status(const mumps_library *library, const tn_host *host)
{
    const MUMPS_INT error = library->of.INFOG(1);
    if (error >= 0) return TN_OK;
    if (error == -10 || error == -6) return TN_RETRY; /* singular, by its numbers or by its pattern */
    if (error == -13 || error == -7 || error == -5 || library_lacks_room(library)) return TN_OUT_OF_MEMORY;
    tn_say(host, TN_ERROR, "MUMPS has failed with INFOG(1) = %d, INFOG(2) = %d", error, library->of.INFOG(2));
    return TN_FATAL;
}

/* Lists the entries to hand over, which come column by column. */
static inline bool library_list(mumps_library *library, const used_pattern *pattern, int32_t size,
                                const int32_t *order)
{
    const bool half = library->of.sym != 0;
    const size_t room = (size_t)pattern->start[size] + 1;
    library->row = malloc(room * sizeof *library->row);
    library->column = malloc(room * sizeof *library->column);
    library->place = malloc(room * sizeof *library->place);
    library->position = malloc(((size_t)size + 1) * sizeof *library->position);
    library->value = malloc(room * sizeof *library->value);
    library->scale = malloc((4 * (size_t)size + 1) * sizeof *library->scale);
    if (!library->row || !library->column || !library->place || !library->position || !library->value ||
        !library->scale)
        return false;
    int32_t count = 0;
    for (int32_t j = 0; j < size; j++)
        for (int32_t e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
            if (half && pattern->row[e] < j) continue;
            library->row[count] = pattern->row[e] + 1;
            library->column[count] = j + 1;
            library->place[count++] = e;
        }
    for (int32_t k = 0; k < size; k++)
        library->position[order[k]] = k + 1;
    library->of.nnz = count;
    return true;
}

static inline void library_set(mumps_library *library, int32_t size)
{
    DMUMPS_STRUC_C *of = &library->of;
    of->ICNTL(1) = of->ICNTL(2) = of->ICNTL(3) = -1; /* no output */
    of->ICNTL(4) = 0;
    of->ICNTL(6) =
        0; /* no exchange of columns: rows with a weak diagonal are put behind others by the order */
    of->ICNTL(7) = 1;  /* order: given */
    of->ICNTL(8) = 0;  /* values are scaled already (scaling.h) */
    of->ICNTL(12) = 1; /* likewise of a symmetric matrix */
    of->ICNTL(14) = FIRST_EXTRA_MEMORY;
    of->n = size;
    of->irn = library->row;
    of->jcn = library->column;
    of->a = library->value;
    of->perm_in = library->position;
}

/* In the order [size] of elimination; what was there before is closed. */
static inline tn_status library_analyse(mumps_library *library, const tn_host *host,
                                        const used_pattern *pattern, int32_t size, const int32_t *order,
                                        bool is_symmetric)
{
    library_close(library);
    library->of.sym = is_symmetric ? 2 : 0;
    library->of.par = 1;
    library->of.comm_fortran = OF_ALL_PROCESSES;
    if (!library_list(library, pattern, size, order)) return TN_OUT_OF_MEMORY;
    const MUMPS_INT8 entries = library->of.nnz;
    library_call(library, INITIALISE);
    library->open = library->of.INFOG(1) >= 0;
    if (!library->open) return library_status(library, host);
    library->of.nnz = entries;
    library_set(library, size);
    library_call(library, ANALYSE);
    return library_status(library, host);
}

/* Whether the memory that it is about to ask for is there. Where some of its own small arrays are missing the library ends the process by
 * exit(): it is to run into that as rarely as can be. */
static inline bool library_finds_room(const mumps_library *library)
{
    const double megabytes =
        library_count(library->of.INFOG(16)) * (100.0 + library->of.ICNTL(14)) / (100.0 + FIRST_EXTRA_MEMORY);
    return tn_blas_begin((size_t)(1e6 * (1.0 + megabytes)));
}

static inline tn_status library_try(mumps_library *library, const tn_host *host)
{
    if (!library_finds_room(library)) return TN_OUT_OF_MEMORY;
    library_call(library, FACTORISE);
    return library_lacks_room(library) ? TN_OK : library_status(library, host);
}

/* Pivots that wait for later columns may need more memory than was expected. */
static inline tn_status library_factor(mumps_library *library, const tn_host *host,
                                       const used_pattern *pattern)
{
    double *row = library->scale, *column = row + library->of.n;
    scaling_find(pattern, library->of.n, row, column, column + library->of.n);
    for (MUMPS_INT8 k = 0; k < library->of.nnz; k++)
        library->value[k] =
            pattern->value[library->place[k]] * row[library->row[k] - 1] * column[library->column[k] - 1];
    tn_status status = library_try(library, host);
    while (status == TN_OK && library_lacks_room(library) && library->of.ICNTL(14) < MOST_EXTRA_MEMORY) {
        library->of.ICNTL(14) = library->of.ICNTL(14) > 0 ? 2 * library->of.ICNTL(14) : FIRST_EXTRA_MEMORY;
        status = library_try(library, host);
    }
    if (status == TN_OK) status = library_status(library, host);
    library->factored = status == TN_OK;
    return status;
}

static inline tn_status library_solve(mumps_library *library, const tn_host *host, double *right_hand_side)
{
    const double *row = library->scale, *column = row + library->of.n;
    for (MUMPS_INT i = 0; i < library->of.n; i++)
        right_hand_side[i] *= row[i];
    library->of.rhs = right_hand_side;
    library->of.nrhs = 1;
    library->of.lrhs = library->of.n;
    library_call(library, SOLVE);
    library->of.rhs = NULL;
    for (MUMPS_INT i = 0; i < library->of.n; i++)
        right_hand_side[i] *= column[i];
    return library_status(library, host);
}

#endif
