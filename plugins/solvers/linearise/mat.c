/* mat.c - linear.mat: MATLAB version 5, by libmatio (linearise.h)
 *
 * The library writes files by their name: one in memory, whose bytes are then read. Its header says nothing of the time: results do not
 * depend on when they were made. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "linearise.h"

#ifdef TENON_MATIO

#include <matio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

bool linear_has_mat(void) { return true; }

/* By columns. */
static matvar_t *make_matrix(const char *name, const linear_matrix *m)
{
    size_t size[2] = {m->rows, m->columns};
    double *value = malloc((m->rows * m->columns + 1) * sizeof *value);
    if (!value) return NULL;
    for (size_t r = 0; r < m->rows; r++)
        for (size_t c = 0; c < m->columns; c++)
            value[c * m->rows + r] = linear_row(m, r)[c];
    matvar_t *made = Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, value, 0);
    free(value);
    return made;
}

/* A column of texts. */
static matvar_t *make_names(const char *name, const linear_name *list, size_t count)
{
    size_t size[2] = {count, 1};
    matvar_t *cells = Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, size, NULL, 0);
    for (size_t k = 0; cells && k < count; k++) {
        size_t letters[2] = {1, strlen(list[k].name)};
        matvar_t *text =
            Mat_VarCreate(NULL, MAT_C_CHAR, MAT_T_UTF8, 2, letters, (void *)(uintptr_t)list[k].name, 0);
        if (!text) {
            Mat_VarFree(cells);
            return NULL;
        }
        (void)Mat_VarSetCell(cells, (int)k, text);
    }
    return cells;
}

static bool write_entries(mat_t *file, const linear_entry *entry, size_t count)
{
    bool good = true;
    for (size_t k = 0; k < count && good; k++) {
        matvar_t *made = entry[k].matrix ? make_matrix(entry[k].name, entry[k].matrix)
                                         : make_names(entry[k].name, entry[k].list, entry[k].count);
        good = made && Mat_VarWrite(file, made, MAT_COMPRESSION_NONE) == 0;
        if (made) Mat_VarFree(made);
    }
    return good;
}

static bool read_all(int memory, linear_bytes *to)
{
    unsigned char part[65536];
    if (lseek(memory, 0, SEEK_SET) != 0) return false;
    for (ssize_t read_now; (read_now = read(memory, part, sizeof part)) != 0;) {
        if (read_now < 0) return false;
        linear_put(to, part, (size_t)read_now);
    }
    return !to->failed;
}

bool linear_mat(const linear_entry *entry, size_t count, linear_bytes *to)
{
    char path[64];
    const int memory = memfd_create("linear.mat", MFD_CLOEXEC);
    if (memory < 0) return false;
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    mat_t *file = Mat_CreateVer(path, "MATLAB 5.0 MAT-file, linearised equations by Tenon", MAT_FT_MAT5);
    bool good = file && write_entries(file, entry, count);
    if (file) good = Mat_Close(file) == 0 && good;
    good = good && read_all(memory, to);
    (void)close(memory);
    return good;
}

#else

bool linear_has_mat(void) { return false; }

bool linear_mat(const linear_entry *entry, size_t count, linear_bytes *to)
{
    (void)entry, (void)count, (void)to;
    return false;
}

#endif
