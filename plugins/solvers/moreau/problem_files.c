/* problem_files.c - files of the problems of steps, which the plugin `fclib` writes
 *
 * A file has the problem as the constraint solver gets it, with the impulses where it starts. It is named after its step and the start of
 * that, step_000124_at_0.123.hdf5; a further problem of the same start, of a pass or a shorter step, ends with _2, _3, ... */
#include "moreau.h"

#include <tenon/draft/problem_files.h>
#include <tenon/kit/growing.h>

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

enum { PATH_ROOM = 4096, TITLE_ROOM = 300 };

/* Finds the plugin, and makes the folder. */
tn_status tn_moreau_open_files(moreau_work *work)
{
    const moreau_settings *settings = work->settings;
    tn_system *system = work->system;
    moreau_files *files = &work->files;
    if (!settings->folder) return TN_OK;
    const tn_constraint_solver *fclib = work->chosen->standard(system, "fclib");
    files->table = fclib ? tn_capability_of(fclib->type->capabilities, TN_PROBLEM_FILES_KEY) : NULL;
    if (!files->table)
        return tn_refuse(system->host, "problems.folder",
                         "files of problems need the plugin fclib: install libfclib-dev and build it");
    if (mkdir(settings->folder, 0777) == 0) return TN_OK;
    struct stat found;
    if (errno == EEXIST && stat(settings->folder, &found) == 0 && S_ISDIR(found.st_mode)) return TN_OK;
    return tn_refuse(system->host, "problems.folder", "`%s` cannot be made: %s", settings->folder,
                     strerror(errno == EEXIST ? ENOTDIR : errno));
}

/* Whether the problem is to be written. */
static bool wanted(const moreau_work *work)
{
    const moreau_settings *settings = work->settings;
    const moreau_files *files = &work->files;
    const bool in_time = !(work->time0 < settings->files_from) &&
                         !(work->time0 >= settings->files_until); /* also NaN: not given */
    return files->table && !files->ended && in_time;
}

tn_status tn_moreau_keep_guess(moreau_work *work)
{
    const tn_impulse_problem *problem = &work->main.table;
    moreau_files *files = &work->files;
    if (!wanted(work) || !problem->rows) return TN_OK;
    if (!tn_grow_array(&files->guess, &files->guess_room, problem->rows, sizeof *files->guess))
        return TN_OUT_OF_MEMORY;
    memcpy(files->guess, problem->impulse, problem->rows * sizeof *files->guess);
    return TN_OK;
}

/* False: it is too long. */
static bool name_file(moreau_work *work, char *path)
{
    moreau_files *files = &work->files;
    const uint64_t step = work->stand.step + 1;
    const bool again = files->count > 0 && files->step == step && files->time == work->time0;
    files->of_step = again ? files->of_step + 1 : 1;
    files->step = step;
    files->time = work->time0;
    char further[16] = "";
    if (again) (void)snprintf(further, sizeof further, "_%u", files->of_step);
    const int length = snprintf(path, PATH_ROOM, "%s/step_%06llu_at_%.9g%s.hdf5", work->settings->folder,
                                (unsigned long long)step, work->time0, further);
    return length > 0 && length < PATH_ROOM;
}

static void describe(const moreau_work *work, tn_status status, char *title)
{
    const tn_impulse_outcome *outcome = &work->outcome;
    (void)snprintf(title, TITLE_ROOM,
                   "step of %.9g s from %.9g s: %s%s, error %.1e after %u iterations, most of it at %s",
                   work->h, work->time0, work->chosen->type->name,
                   status == TN_OK ? "" : " has not solved it", outcome->error, outcome->iterations,
                   tn_moreau_worst_name(work));
}

static void end_files(moreau_work *work, const char *why)
{
    work->files.ended = true;
    tn_say(work->system->host, TN_WARNING, "no further problems are written: %s", why);
}

void tn_moreau_write_problem(moreau_work *work, tn_status status)
{
    const moreau_settings *settings = work->settings;
    moreau_files *files = &work->files;
    const bool chosen = settings->which == ALL_PROBLEMS || status == TN_RETRY;
    if (!wanted(work) || !work->main.table.rows || !chosen) return;
    char path[PATH_ROOM], title[TITLE_ROOM], why[TN_PROBLEM_WHY] = "the name of their folder is too long";
    tn_impulse_problem given = work->main.table;
    given.impulse = files->guess;
    describe(work, status, title);
    const tn_status written =
        name_file(work, path) ? files->table->write(path, title, &given, why) : TN_INVALID;
    if (written == TN_OK) files->count++;
    if (written == TN_OK && files->count == (uint64_t)settings->most_files)
        end_files(work, "there are as many as `problems.most` allows");
    else if (written == TN_UNSUPPORTED && !files->left_out)
        tn_say(work->system->host, TN_NOTE, "problems are left out: %s", why);
    else if (written != TN_OK && written != TN_UNSUPPORTED)
        end_files(work, why);
    files->left_out = files->left_out || written == TN_UNSUPPORTED;
}
