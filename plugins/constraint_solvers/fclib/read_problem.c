/* read_problem.c - a file of FCLib as a problem of impulses (see problem_file.h) */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // memmem()
#endif
#include "problem_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tn_status problem_refuse(char *why, const char *path, const char *reason)
{
    (void)snprintf(why, TN_PROBLEM_WHY, "'%.110s': %s", path, reason);
    return TN_INVALID;
}

void problem_release(tn_impulse_problem *problem)
{
    problem_file *file = (problem_file *)(void *)problem; // its first field
    if (!file) return;
    void *all[] = {file->block,     file->row_start, file->column,       file->body_start,   file->value,
                   file->free_rate, file->impulse,   file->matrix_value, file->column_start, file->row};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    free(file);
}

static void free_statement(statement *from)
{
    compressed_free(&from->masses);
    compressed_free(&from->cones);
    compressed_free(&from->joints);
}

/* ---- global ------------------------------------------------------------------------------------------------------- */

static tn_status read_global(const struct fclib_global *global, statement *from, const char *path, char *why)
{
    bool sound = true;
    if (global->spacedim != 3 || !global->H || !global->M)
        return problem_refuse(why, path, "its contacts are not in space");
    if (global->H->m != global->M->n || global->M->m != global->M->n || global->H->n % 3 != 0 ||
        (global->G && global->G->m != global->M->n))
        return problem_refuse(why, path, "the sizes of its matrices do not fit");
    const bool made = compressed_take(global->M, &from->masses, &sound) &&
                      compressed_take(global->H, &from->cones, &sound) &&
                      (!global->G || compressed_take(global->G, &from->joints, &sound));
    if (!made)
        return sound ? TN_OUT_OF_MEMORY
                     : problem_refuse(why, path, "an index or a number in its matrices is not valid");
    from->friction = global->mu;
    from->cone_rate = global->w;
    from->joint_rate = global->b;
    for (int i = 0; i < global->M->n && !from->pull; i++)
        if (global->f[i] != 0.0) from->pull = global->f;
    return TN_OK;
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

/* What is in a file. FCLib ends the process at what is no HDF5, and where a group is not there: their names stand in the file as
 * text. */
typedef struct contents {
    bool hdf5, global, local, guesses;
} contents;

static bool has_text(const char *data, size_t size, const char *text)
{
    return memmem(data, size, text, strlen(text)) != NULL;
}

/* False: no memory, or the file cannot be read; then it is no HDF5 either. */
static bool look_at(const char *path, contents *in)
{
    static const char signature[8] = "\x89HDF\r\n\x1a\n";
    *in = (contents){0};
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *data = size > 8 ? malloc((size_t)size) : NULL;
    const bool read =
        data && fseek(file, 0, SEEK_SET) == 0 && fread(data, 1, (size_t)size, file) == (size_t)size;
    (void)fclose(file);
    if (read) {
        in->hdf5 = memcmp(data, signature, sizeof signature) == 0;
        in->global = has_text(data, (size_t)size, "fclib_global");
        in->local = has_text(data, (size_t)size, "fclib_local");
        in->guesses = has_text(data, (size_t)size, "guesses");
    }
    free(data);
    return read;
}

static tn_status read_and_state(const char *path, const contents *in, problem_file *file,
                                const struct fclib_solution *guess, char *why)
{
    statement from = {.cone_guess = guess ? guess->r : NULL, .joint_guess = guess ? guess->l : NULL};
    struct fclib_global *global = in->global ? fclib_read_global(path) : NULL;
    struct fclib_local *local = !global && in->local ? fclib_read_local(path) : NULL;
    tn_status status = global  ? read_global(global, &from, path, why)
                       : local ? problem_read_local(local, &from, path, why)
                               : problem_refuse(why, path, "neither a global nor a local problem of FCLib");
    if (status == TN_OK) status = problem_state(file, &from, path, why);
    free_statement(&from);
    if (global) {
        fclib_delete_global(global);
        free(global);
    }
    if (local) {
        fclib_delete_local(local);
        free(local);
    }
    return status;
}

tn_status problem_read(const char *path, tn_impulse_problem **problem, char *why)
{
    contents in;
    *problem = NULL;
    (void)snprintf(why, TN_PROBLEM_WHY, "out of memory");
    if (!look_at(path, &in) || !in.hdf5)
        return problem_refuse(why, path, "it cannot be read, or is no HDF5 file");
    problem_file *file = calloc(1, sizeof *file);
    if (!file) return TN_OUT_OF_MEMORY;
    int guesses = 0;
    struct fclib_solution *guess = in.guesses ? fclib_read_guesses(path, &guesses) : NULL;
    const tn_status status = read_and_state(path, &in, file, guesses > 0 ? guess : NULL, why);
    if (guess) fclib_delete_solutions(guess, guesses); // the array, too; the others leave their struct
    if (status == TN_OK)
        *problem = &file->problem;
    else
        problem_release(&file->problem);
    return status;
}
