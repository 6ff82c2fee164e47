/* array.c - one job: submitted, watched, and ended where the user wants it */
#include "slurm.h"

#include <dirent.h>
#include <math.h>

#define LOOKED_EVERY 0.5    /* s */
#define TOLD_WAITING 30.0   /* s: then the user hears why a job waits */
#define LONGEST_CANCEL 30.0 /* s */
enum { MOST_WORDS = 24 };

/* ---- submission -------------------------------------------------------------------------------------------------- */

typedef struct submission {
    const char **word; /* [count] */
    size_t count, used;
    char text[8][4200];
} submission;

static TN_PRINTF(2, 3) void add_option(submission *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = s->text[s->used++];
    (void)vsnprintf(text, sizeof s->text[0], format, arguments);
    va_end(arguments);
    s->word[s->count++] = text;
}

/* Slurm replaces %A and the like in names of files. */
static void add_output(submission *s, const char *path)
{
    char *text = s->text[s->used];
    add_option(s, "--output=");
    size_t used = strlen(text);
    for (; *path && used + 2 < sizeof s->text[0]; path++) {
        if (*path == '%') text[used++] = '%';
        text[used++] = *path;
    }
    text[used] = '\0';
}

/* Words of sbatch; the last ones of the user, who may know better. */
static bool compose(submission *s, const array *job)
{
    const slurm *settings = job->cluster->settings;
    char limit[32] = "";
    s->word = calloc(MOST_WORDS + (size_t)settings->extra.count, sizeof *s->word);
    if (!s->word) return false;
    static const char *const first[] = {"sbatch",      "--parsable",       "--no-requeue",
                                        "--ntasks=1",  "--job-name=tenon", "--open-mode=append",
                                        "--export=ALL"};
    for (size_t k = 0; k < sizeof first / sizeof *first; k++)
        s->word[s->count++] = first[k];
    if (settings->limit) (void)snprintf(limit, sizeof limit, "%%%lld", (long long)settings->limit);
    add_option(s, "--array=0-%llu%s", (unsigned long long)job->tasks - 1, limit);
    add_output(s, job->log);
    if (settings->partition) add_option(s, "--partition=%s", settings->partition);
    if (settings->account) add_option(s, "--account=%s", settings->account);
    if (settings->time > 0.0) {
        const unsigned long long seconds = (unsigned long long)ceil(fmin(settings->time, 1e9));
        add_option(s, "--time=%llu:%02llu", seconds / 60, seconds % 60);
    }
    for (uint64_t k = 0; k < settings->extra.count; k++)
        s->word[s->count++] = settings->extra.text[k];
    s->word[s->count++] = job->script;
    return true;
}

/* So that another driver ends the job, should this one die. */
static bool note_job(const array *job)
{
    FILE *file = fopen(job->list, "ae");
    bool good = file && fprintf(file, "%s %s\n", job->id, job->machine) > 0;
    if (file && fclose(file) != 0) good = false;
    if (!good) tn_say(job->cluster->host, TN_WARNING, "%s: %s", job->list, strerror(errno));
    return good;
}

/* "17" or "17;machine" */
static bool read_id(array *job, const char *text)
{
    job->machine[0] = '\0';
    return sscanf(text, "%31[0-9];%63[A-Za-z0-9_.-]", job->id, job->machine) >= 1;
}

static tn_status submit(array *job)
{
    submission s = {.count = 0};
    tn_program_result *result = malloc(sizeof *result);
    tn_status status = TN_OUT_OF_MEMORY;
    if (result && compose(&s, job)) status = slurm_write_script(job, s.word);
    if (status == TN_OK && !tn_program_call(s.word, SLURM_ANSWER_TIME, result)) {
        tn_say(job->cluster->host, TN_ERROR, "`sbatch` has refused a job: %s; its script is %s",
               result->errors, job->script);
        status = TN_FATAL;
    } else if (status == TN_OK && !read_id(job, result->output)) {
        tn_say(job->cluster->host, TN_ERROR, "`sbatch` has printed \"%.60s\" in place of the number of a job",
               result->output);
        status = TN_FATAL;
    }
    if (status == TN_OK) (void)note_job(job);
    free(s.word);
    free(result);
    return status;
}

/* ---- watching ---------------------------------------------------------------------------------------------------- */

typedef struct watch {
    array *job;
    double begun, ask_at;
    uint64_t expected; /* results of the batch once all tasks are through */
    uint32_t failures; /* of squeue, in a row */
    char told[64];     /* why it waits, as the user has heard */
} watch;

static void make_file(const char *path)
{
    FILE *file = fopen(path, "we");
    if (file) (void)fclose(file);
}

/* Reads results, and does what the user wants. */
static void look(array *job)
{
    const tn_execution_wish wish = job->execution->look(job->execution, &job->done);
    if (wish <= job->wish) return;
    job->wish = wish;
    make_file(job->stop);
    slurm_cancel(job->cluster, job->id, job->machine, wish == TN_END_WORKERS);
}

static void tell_state(watch *w, slurm_state state, const char *reason, const char *problem)
{
    const tn_host *host = w->job->cluster->host;
    if (state == SLURM_UNKNOWN && ++w->failures == 3)
        tn_say(host, TN_WARNING, "`squeue` fails, and is asked again: %s", problem);
    if (state != SLURM_UNKNOWN) w->failures = 0;
    if (!reason[0] || strcmp(reason, "None") == 0 || strcmp(reason, w->told) == 0 ||
        tn_program_clock() - w->begun < TOLD_WAITING)
        return;
    tn_say(host, TN_NOTE, "job %s waits in the queue of Slurm: %s", w->job->id, reason);
    (void)snprintf(w->told, sizeof w->told, "%s", reason);
}

/* Whether tasks are in the queue still; asked now and then only, but soon where all results are there. */
static bool is_there(watch *w)
{
    const double now = tn_program_clock();
    char reason[64], problem[1024];
    if (now < w->ask_at && w->job->done < w->expected) return true;
    const slurm_state state = slurm_ask_state(w->job, reason, problem);
    w->ask_at = tn_program_clock() + w->job->cluster->settings->poll;
    tell_state(w, state, reason, problem);
    return state != SLURM_GONE;
}

static void wait_for(double time)
{
    const struct timespec pause = {(time_t)time, (long)(1e9 * (time - floor(time)))};
    (void)nanosleep(&pause, NULL);
}

tn_status slurm_run_array(array *job)
{
    const slurm *settings = job->cluster->settings;
    const double pause = fmin(LOOKED_EVERY, settings->poll);
    watch w = {.job = job, .expected = job->end};
    const tn_status status = submit(job);
    if (status != TN_OK) return status;
    w.begun = tn_program_clock();
    w.ask_at = w.begun + settings->poll;
    double ended = 0.0;
    while (is_there(&w)) {
        wait_for(pause);
        look(job);
        if (job->wish != TN_END_WORKERS) continue;
        if (ended == 0.0) ended = tn_program_clock();
        if (tn_program_clock() - ended > LONGEST_CANCEL) break;
    }
    /* disks that machines share show new files some time after */
    const double until = tn_program_clock() + settings->patience;
    for (look(job); job->done < w.expected && job->wish == TN_GO_ON && tn_program_clock() < until; look(job))
        wait_for(pause);
    return TN_OK;
}

/* ---- an earlier driver ------------------------------------------------------------------------------------------- */

static void end_jobs_of(const cluster *c, const char *path)
{
    char line[128];
    FILE *file = fopen(path, "re");
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        array job = {.id = ""};
        (void)sscanf(line, "%31[0-9] %63[A-Za-z0-9_.-]", job.id, job.machine);
        if (job.id[0]) slurm_cancel(c, job.id, job.machine, true);
    }
    (void)fclose(file);
    (void)unlink(path);
}

void slurm_end_left(const cluster *c)
{
    DIR *folder = opendir(c->at->job_folder);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[4096];
        const int length = snprintf(path, sizeof path, "%s/%s/" SLURM_LIST, c->at->job_folder, entry->d_name);
        if (entry->d_name[0] != '.' && length > 0 && (size_t)length < sizeof path) end_jobs_of(c, path);
    }
    (void)closedir(folder);
}
