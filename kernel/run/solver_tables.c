/* solver_tables.c - files that solvers add to the results (see solver_tables.h)
 *
 * A file is listed in run.toml before it is there, so that a run that is killed leaves none that a later one would not remove. */
#include "run/solver_tables.h"

#include "extensions/extension.h"
#include "run/put_file.h"

#include <errno.h>
#include <string.h>

enum {
    LONGEST = TN_TABLE_NAME - 9
}; /* letters of a name: a number and the zero at the end have room behind them */

static tn_status refuse_name(const tn_study *study, const char *name)
{
    tn_study_tell(
        study, TN_SEVERITY_ERROR,
        "the solver asks for a file named `%.80s`: such a name is a lower-case letter, then letters, "
        "digits and _, "
        "a point, and csv, json, mat or npz",
        name);
    return TN_INVALID;
}

static tn_status refuse_file(const tn_study *study, const char *name)
{
    tn_study_tell(study, TN_SEVERITY_ERROR, "%s/%s cannot be written: %s", study->plan.directory, name,
                  strerror(errno));
    return TN_INVALID;
}

/* The name, or with a number in front of its ending. */
static const char *free_name(tn_study *study, const char *name)
{
    const char *point = strchr(name, '.'), *tried = name;
    for (uint32_t number = 2; tn_results_has(&study->results, tried); number++)
        tried = tn_arena_print(&study->results.arena, "%.*s_%u%s", (int)(point - name), name, number, point);
    return tried;
}

static tn_status write_table(tn_study *study, const char *name, const void *content, size_t size,
                             char *written)
{
    if (strnlen(name, LONGEST + 1) > LONGEST || !tn_results_may_add(name)) return refuse_name(study, name);
    const char *chosen = free_name(study, name);
    if (!tn_results_add(study, chosen) || !tn_study_write(study, tn_run_file_renew)) return TN_INVALID;
    const tn_file_place place = {
        .directory = study->results.descriptor, .name = chosen, .in_work = ".table.part"};
    if (!tn_put_file(&place, &(tn_file_part){content, size}, 1)) return refuse_file(study, chosen);
    if (written) (void)memcpy(written, chosen, strlen(chosen) + 1);
    return TN_OK;
}

static tn_status add_table(tn_system *system, const char *name, const void *content, size_t size,
                           char *written)
{
    tn_study *study = ((tn_assembly *)system)->extension[TN_TABLE_EXTENSION];
    return tn_attempt_status(write_table(study, name, content, size, written));
}

static const tn_tables tables = {.struct_size = sizeof tables, .write = add_table};

void tn_solver_tables_open(tn_study *study)
{
    if (study->options->writes) study->assembly->extension[TN_TABLE_EXTENSION] = study;
}

const tn_tables *tn_solver_tables_of(const tn_assembly *assembly)
{
    return assembly->extension[TN_TABLE_EXTENSION] ? &tables : NULL;
}

/* ---- modes ------------------------------------------------------------------------------------------------ */

static tn_run_log *log_of(const tn_assembly *assembly)
{
    const tn_study *study = assembly->extension[TN_TABLE_EXTENSION];
    return study && study->records ? tn_recorder_log(study->recorder) : NULL;
}

static tn_status add_mode(tn_system *system, const double *eigenvalue, const double *re, const double *im)
{
    return tn_log_mode(log_of((const tn_assembly *)system), eigenvalue, re, im);
}

static const tn_modes modes = {.struct_size = sizeof modes, .add = add_mode};

const tn_modes *tn_solver_modes_of(const tn_assembly *assembly) { return log_of(assembly) ? &modes : NULL; }
