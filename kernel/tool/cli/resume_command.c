/* resume_command.c - `tenon run --resume DIR`: goes on with a run from its last checkpoint (see run_model.h)
 *
 * Paths of the run are those of the folder that it was started in, which becomes the current one. Which plugins are trusted the user says
 * anew: a file among results does not decide that. */
#include "cli/message.h"
#include "cli/run_model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path of something here, from any folder. */
static const char *whole_path(const char *path)
{
    char *whole = tn_adopt(realpath(path, NULL));
    return whole ? whole : path;
}

/* What the run was asked for, with what may be said anew. */
static tn_run_options options_of(const tn_run_options *given, const tn_checkpoint *checkpoint, bool moves)
{
    tn_run_options run = *given;
    run.model = checkpoint->model;
    run.expanded = checkpoint->expanded;
    run.asked.solver = checkpoint->solver;
    run.asked.overrides = checkpoint->overrides;
    run.asked.override_count = checkpoint->override_count;
    if (!run.asked.threads) run.asked.threads = checkpoint->threads;
    run.asked.results = moves ? checkpoint->directory : run.resume;
    const char **paths = tn_new(run.asked.plugin_path_count, sizeof *paths);
    for (size_t k = 0; moves && k < run.asked.plugin_path_count; k++)
        paths[k] = whole_path(run.asked.plugin_paths[k]);
    if (moves) run.asked.plugin_paths = paths;
    return run;
}

int tn_resume_run(const tn_run_options *options)
{
    static tn_arena arena;
    tn_checkpoint checkpoint;
    tn_text reason = {0};
    if (!tn_checkpoint_read(options->resume, &arena, &checkpoint, &reason)) {
        tn_message("error", "tenon run: the run cannot be resumed: %s", reason.letters);
        return 2;
    }
    const bool moves = strcmp(whole_path("."), checkpoint.folder) != 0;
    const tn_run_options run = options_of(options, &checkpoint, moves);
    if (moves && chdir(checkpoint.folder) != 0) {
        tn_message("error",
                   "tenon run: the run cannot be resumed: the folder %s, in which it was started: %s",
                   checkpoint.folder, strerror(errno));
        return 2;
    }
    return tn_run_from(&run, &checkpoint);
}
