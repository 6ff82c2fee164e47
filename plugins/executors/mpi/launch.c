/* launch.c - the side of the driver: starts the launcher of MPI, hands batches to rank 0, and begins anew where the job has ended */
#define _GNU_SOURCE
#include "mpi_job.h"

#include <tenon/kit/program_call.h>

#include <math.h>

#define LOOKED_EVERY 0.5    /* s */
#define LONGEST_END 5.0     /* s: for ranks to end before they are killed */
enum { MOST_FAILURES = 3 }; /* jobs in a row that end before they have done anything, once one has */

typedef struct launch {
    const tn_host *host;
    const mpi *settings;
    const tn_execution_place *at;
    tn_execution *execution; /* the batch */
    pid_t process;           /* of the launcher; 0: none */
    int input, output, status;
    char line[4096]; /* of rank 0, so far */
    size_t used;
    char log[4096], dealt[4096]; /* paths */
    double begun;                /* when the launcher was started */
    double heard;                /* when rank 0 last said something; 0: it has not yet */
    uint64_t next;               /* of the batch: those before it are done, or lost */
    uint32_t failures;
    tn_execution_wish wish;
    bool through; /* no rank works on the batch any more */
    bool worked;  /* ranks have, in this study */
    bool refused; /* all of them have ended by themselves */
    struct sigaction pipes;
} launch;

/* ---- the launcher ------------------------------------------------------------------------------------------------ */

static const char *threads_of(const char *variable, char *text, size_t size)
{
    const char *set = getenv(variable);
    (void)snprintf(text, size, "%s=%s", variable, set && *set ? set : "1");
    return text;
}

/* Launchers hand few variables on to other machines: `env` sets those that matter, and would take a path with a '=' for another one. */
static const char **compose(const launch *l, char count[32], char threads[2][64])
{
    static const char *const plain[] = {"sh", "-c", "exec \"$@\"", "tenon"};
    const mpi *settings = l->settings;
    size_t words = 0, used = 0;
    while (l->at->command[words])
        words++;
    const char **word = calloc(words + settings->extra.count + 12, sizeof *word);
    if (!word) return NULL;
    word[used++] = settings->launcher;
    if (settings->workers) {
        (void)snprintf(count, 32, "%lld", (long long)settings->workers + 1);
        word[used++] = "-n";
        word[used++] = count;
    }
    for (uint64_t k = 0; k < settings->extra.count; k++)
        word[used++] = settings->extra.text[k];
    word[used++] = "env";
    word[used++] = threads_of("OPENBLAS_NUM_THREADS", threads[0], sizeof threads[0]);
    word[used++] = threads_of("OMP_NUM_THREADS", threads[1], sizeof threads[1]);
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
        word[used++] = plain[k];
    memcpy(word + used, l->at->command, words * sizeof *word);
    return word;
}

static void close_pipes(launch *l)
{
    tn_program_close(l->input);
    tn_program_close(l->output);
    l->input = l->output = -1;
}

static tn_status start(launch *l)
{
    int input[2] = {-1, -1}, output[2] = {-1, -1};
    char count[32], threads[2][64];
    const char **word = compose(l, count, threads);
    const int log = open(l->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    int error = !word                                                                      ? ENOMEM
                : log < 0 || pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0 ? errno
                                                                                           : 0;
    if (!error) error = tn_program_start(word, (const int[]){input[0], output[1], log}, &l->process);
    free(word);
    tn_program_close(log);
    tn_program_close(input[0]);
    tn_program_close(output[1]);
    l->input = input[1];
    l->output = output[0];
    l->used = 0;
    l->begun = tn_program_clock();
    l->heard = 0.0;
    if (!error) return TN_OK;
    l->process = 0;
    close_pipes(l);
    tn_say(l->host, TN_ERROR, "`%s` cannot be started: %s", l->settings->launcher, strerror(error));
    return TN_FATAL;
}

/* Whether the launcher has ended. */
static bool has_ended(launch *l)
{
    if (!l->process) return true;
    const pid_t ended = waitpid(l->process, &l->status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
    l->process = 0;
    close_pipes(l);
    return true;
}

static void wait_for_end(launch *l, double longest)
{
    const double until = tn_program_clock() + longest;
    while (!has_ended(l) && tn_program_clock() < until)
        (void)nanosleep(&(struct timespec){0, 5000000L}, NULL);
}

/* Launchers end their ranks, also on other machines, when they are asked to end; not when they are killed. */
static void end_job(launch *l)
{
    if (l->process) (void)kill(l->process, SIGTERM);
    wait_for_end(l, LONGEST_END);
    if (l->process) (void)kill(-l->process, SIGKILL);
    wait_for_end(l, LONGEST_END);
}

/* ---- rank 0 ------------------------------------------------------------------------------------------------------ */

static TN_PRINTF(2, 3) void send_line(const launch *l, const char *format, ...)
{
    char text[8192];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (l->input >= 0 && length > 0 && write(l->input, text, (size_t)length) != length) (void)0;
}

static void hand_over(launch *l)
{
    const tn_execution *e = l->execution;
    (void)unlink(l->dealt);
    send_line(l, "batch %s %llu %llu %.9g %d %s\n", e->batch, (unsigned long long)l->next,
              (unsigned long long)e->count, e->case_time > 0.0 ? e->case_time : 0.0, e->attempt > 0,
              l->dealt);
}

static void read_line(void *data, const char *line)
{
    launch *l = data;
    static const char end[] = MPI_END_OF_BATCH;
    const char *found = strstr(line, end);
    if (strstr(line, MPI_NO_RANK)) l->refused = true;
    const size_t length = strlen(l->execution->batch);
    if (!found || strncmp(found + sizeof end - 1, l->execution->batch, length) != 0) return;
    l->through = l->worked = true;
    l->failures = 0;
}

/* Launchers, too, may hang: when they start, and when a rank has died. */
static void end_silent_job(launch *l)
{
    const bool speaks = l->heard > 0.0;
    const double limit = speaks ? l->settings->silence : l->settings->start_limit;
    if (!l->process || tn_program_clock() - (speaks ? l->heard : l->begun) < limit) return;
    tn_say(l->host, TN_WARNING,
           "rank 0 of `%s` has said nothing for %.6g s, the setting `%s`: the job is ended",
           l->settings->launcher, limit, speaks ? "silence" : "start_limit");
    end_job(l);
}

/* Hears rank 0, for `longest` seconds at the most. */
static void hear(launch *l, double longest)
{
    struct pollfd file = {.fd = l->output, .events = POLLIN};
    if (poll(&file, 1, longest > 0.0 ? (int)(1e3 * longest) + 1 : 0) <= 0) {
        end_silent_job(l);
        return;
    }
    if (l->used >= sizeof l->line - 1) l->used = 0; /* no line of ours */
    const ssize_t count = read(l->output, l->line + l->used, sizeof l->line - 1 - l->used);
    if (count <= 0) {
        wait_for_end(l, longest);
        return;
    }
    l->heard = tn_program_clock();
    l->used += (size_t)count;
    l->line[l->used] = '\0';
    l->used = tn_program_take_lines(l->line, l->used, read_line, l);
}

/* ---- a batch ----------------------------------------------------------------------------------------------------- */

static tn_status tell_failure(const launch *l)
{
    char said[400];
    tn_program_first_line(l->log, said, sizeof said);
    tn_say(l->host, TN_ERROR, "the ranks of `%s` end and have not worked, with %s %d%s%s; see %s",
           l->settings->launcher, WIFSIGNALED(l->status) ? "signal" : "status",
           WIFSIGNALED(l->status) ? WTERMSIG(l->status) : WEXITSTATUS(l->status), said[0] ? ": " : "", said,
           l->log);
    return TN_FATAL;
}

/* The job has ended before the batch is through, as one of its ranks has died: cases that it had dealt are done or lost, the others are for the
 * next one. */
static tn_status note_end(launch *l)
{
    unsigned long long dealt = 0;
    FILE *file = fopen(l->dealt, "re");
    if (file && fscanf(file, "%llu", &dealt) != 1) dealt = 0;
    if (file) (void)fclose(file);
    if (dealt > l->next && !l->refused) {
        l->next = dealt;
        l->failures = 0;
        l->worked = true;
        if (l->next >= l->execution->count) l->through = true;
        return TN_OK;
    }
    if (l->worked && !l->refused && ++l->failures < MOST_FAILURES) return TN_OK;
    return tell_failure(l);
}

static void look(launch *l)
{
    const tn_execution_wish wish = l->execution->look(l->execution, NULL);
    if (wish <= l->wish) return;
    l->wish = wish;
    if (wish == TN_END_WORKERS)
        end_job(l);
    else
        send_line(l, "stop\n");
}

static tn_status begin_job(launch *l)
{
    const tn_status status = l->process ? TN_OK : start(l);
    if (status == TN_OK) hand_over(l);
    return status;
}

static tn_status work(launch *l)
{
    double look_at = tn_program_clock() + LOOKED_EVERY;
    tn_status status = begin_job(l);
    while (status == TN_OK && !l->through && l->wish != TN_END_WORKERS) {
        hear(l, look_at - tn_program_clock());
        if (!l->through && has_ended(l)) {
            if (l->wish != TN_GO_ON) break;
            status = note_end(l);
            if (status == TN_OK && !l->through) status = begin_job(l);
        }
        if (tn_program_clock() < look_at) continue;
        look(l);
        look_at = tn_program_clock() + LOOKED_EVERY;
    }
    return status;
}

tn_status mpi_carry_out(void *self, tn_execution *execution)
{
    launch *l = self;
    l->execution = execution;
    l->next = 0;
    l->through = false;
    l->wish = TN_GO_ON;
    if (l->heard > 0.0) l->heard = tn_program_clock();
    (void)snprintf(l->dealt, sizeof l->dealt, "%s/dealt", execution->job_folder);
    (void)has_ended(l); /* between two batches */
    const tn_status status = work(l);
    (void)unlink(l->dealt);
    l->execution = NULL;
    return status;
}

/* ---- beginning and end ------------------------------------------------------------------------------------------- */

tn_status mpi_open(const tn_host *host, const void *instance, const tn_execution_place *place, void **self)
{
    launch *l = calloc(1, sizeof *l);
    if (!l) return TN_OUT_OF_MEMORY;
    *l = (launch){.host = host, .settings = instance, .at = place, .input = -1, .output = -1};
    (void)snprintf(l->log, sizeof l->log, "%s/mpi.log", place->job_folder);
    (void)unlink(l->log); /* of an earlier driver */
    /* that nobody reads from a pipe is noticed by the end of the launcher */
    const struct sigaction ignored = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGPIPE, &ignored, &l->pipes);
    *self = l;
    return TN_OK;
}

/* Ranks end by themselves when nobody speaks to them any more. */
void mpi_close(void *self)
{
    launch *l = self;
    char said[8];
    tn_program_close(l->input);
    l->input = -1;
    wait_for_end(l, LONGEST_END);
    end_job(l);
    tn_program_first_line(l->log, said, sizeof said);
    if (!said[0]) (void)unlink(l->log);
    (void)sigaction(SIGPIPE, &l->pipes, NULL);
    free(l);
}
