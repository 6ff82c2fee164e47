/* slurm.c - runs the cases of a study as arrays of tasks on a cluster with Slurm */
#include "slurm.h"

#include <dirent.h>
#include <math.h>

/* Workers on nodes of the cluster submit nothing. */
static tn_status slurm_prepare(const tn_host *host, void *instance)
{
    static const char *const programs[] = {"sbatch", "squeue", "scancel", "scontrol"};
    (void)instance;
    if (getenv(SLURM_WORK)) return TN_OK;
    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++)
        if (!tn_program_is_there(programs[k]))
            return tn_refuse(host, "type", "`%s` is not found in PATH: it is a program of Slurm",
                             programs[k]);
    return TN_OK;
}

static tn_status slurm_open(const tn_host *host, const void *instance, const tn_execution_place *place,
                            void **self)
{
    cluster *c = calloc(1, sizeof *c);
    if (!c) return TN_OUT_OF_MEMORY;
    *c = (cluster){.host = host, .settings = instance, .at = place};
    slurm_end_left(c);
    *self = c;
    return TN_OK;
}

/* How many cases each task gets: so many that it lasts about as long as wanted, and that there are not more tasks than the cluster takes.
 * Lost cases go alone as far as possible: one that ends its worker would take the others along again. */
static void share_out(array *job)
{
    const slurm *settings = job->cluster->settings;
    const uint64_t count = job->end - job->first, largest = job->cluster->largest;
    const uint64_t most = (uint64_t)settings->tasks < largest ? (uint64_t)settings->tasks : largest;
    const double time = job->execution->case_time;
    const double fit = job->execution->attempt == 0 && time > 0.0 ? floor(settings->chunk / time) : 1.0;
    const uint64_t least = (count + most - 1) / most;
    job->cases = fit >= (double)count ? count : fit > 1.0 ? (uint64_t)fit : 1;
    if (job->cases < least) job->cases = least;
    job->tasks = (count + job->cases - 1) / job->cases;
}

static tn_status run_part(array *job, uint64_t first, uint64_t end)
{
    job->first = first;
    job->end = end;
    share_out(job);
    return slurm_run_array(job);
}

/* Whether a worker of this batch has ever begun: its file of lines is there. */
static bool has_begun(const array *job)
{
    char path[4096], beginning[TN_BATCH_NAME + 8];
    bool found = false;
    (void)snprintf(path, sizeof path, "%s/lines", job->cluster->at->folder);
    (void)snprintf(beginning, sizeof beginning, "%s.t", job->execution->batch);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && !found && (entry = readdir(folder));)
        found = strncmp(entry->d_name, beginning, strlen(beginning)) == 0;
    if (folder) (void)closedir(folder);
    return found;
}

/* All tasks fail alike where a node lacks the program, or a library of it: no case is at fault then. */
static tn_status check_workers(const array *job)
{
    char said[400];
    if (job->done || job->wish != TN_GO_ON || has_begun(job)) return TN_OK;
    tn_program_first_line(job->log, said, sizeof said);
    tn_say(job->cluster->host, TN_ERROR, "no task of job %s has begun to work%s%s; see %s", job->id,
           said[0] ? ": " : "", said, job->log);
    return TN_FATAL;
}

static void remove_files(const array *job)
{
    char said[8];
    const char *const files[] = {job->script, job->stop, job->list};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        (void)unlink(files[k]);
    tn_program_first_line(job->log, said, sizeof said);
    if (!said[0]) (void)unlink(job->log);
}

static tn_status slurm_carry_out(void *self, tn_execution *execution)
{
    cluster *c = self;
    const uint64_t count = execution->count, pilot = (uint64_t)c->settings->pilot;
    if (!c->largest && !slurm_ask_largest(c)) return TN_FATAL;
    array job = {.cluster = c, .execution = execution};
    (void)snprintf(job.script, sizeof job.script, "%s/job.sh", execution->job_folder);
    (void)snprintf(job.log, sizeof job.log, "%s/tasks.log", execution->job_folder);
    (void)snprintf(job.stop, sizeof job.stop, "%s/stop", execution->job_folder);
    (void)snprintf(job.list, sizeof job.list, "%s/" SLURM_LIST, execution->job_folder);
    (void)unlink(job.stop); /* of an earlier driver */
    (void)unlink(job.log);
    const bool tries = isnan(execution->case_time) && execution->attempt == 0 && count > 2 * pilot;
    tn_status status = TN_OK;
    if (tries) status = run_part(&job, 0, pilot);
    if (tries && status == TN_OK) status = check_workers(&job);
    if (status == TN_OK && job.wish == TN_GO_ON) status = run_part(&job, tries ? pilot : 0, count);
    if (status == TN_OK) status = check_workers(&job);
    if (status == TN_OK) remove_files(&job);
    return status;
}

static void slurm_close(void *self) { free(self); }

TN_EXECUTOR(slurm, .summary = "runs cases as job arrays of Slurm",
            .formula =
                "A batch of cases becomes one array of tasks. Each task runs so many cases, one after the "
                "other, that it lasts\nabout `chunk`, by what cases have taken so far. Where nobody knows "
                "that, an array of `pilot` cases is run first.\nAn array has not more tasks than `tasks` "
                "and the MaxArraySize of the cluster. Tasks that have left the queue\nwithout results are "
                "run again, one case each, in another array, as often as `retries` says.",
            .prepare = slurm_prepare, .open = slurm_open, .carry_out = slurm_carry_out, .close = slurm_close,
            .begin_work = slurm_begin_work, .next_work = slurm_next_work, .end_work = slurm_end_work);

TN_LIBRARY("slurm", "1.0.0", "Apache-2.0", "executor on clusters with Slurm", {TN_EXECUTOR_KIND, &slurm_type})
