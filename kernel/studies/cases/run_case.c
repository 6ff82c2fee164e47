/* run_case.c - runs one case in a process of its own: a failure ends that case alone, and the result has its reason */
#define _GNU_SOURCE
#include "cases/cases.h"
#include "cases/response_expressions.h"

#include "library/library.h"
#include "run/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TN_LIMITS_MEMORY 0 /* the sanitizer reserves more than any limit */
#else
#define TN_LIMITS_MEMORY 1
#endif

#define LINE_ERROR 1e-8 /* of the largest value: the case warns of larger errors */

const char *const tn_case_status_names[TN_CASE_STATUSES + 1] = {"ok",     "failed", "crashed", "timeout",
                                                                "memory", "lost",   NULL};

struct tn_case_run {
    size_t size;
    int messages; /* file that standard error of the case goes to */
    char host[65];
    bool finished; /* all below is what the case has told by itself */
    tn_case_status status;
    double end_time;
    char reason[TN_LONGEST_REASON], place[256], solver[64];
    char warning[TN_LONGEST_REASON]; /* the first one of the run */
    double response[];
};

tn_case_run *tn_case_run_new(const tn_cases *cases)
{
    const size_t size = sizeof(tn_case_run) + (cases->numbers + 1) * sizeof(double);
    tn_case_run *run = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (run == MAP_FAILED) return NULL;
    run->size = size;
    run->messages = memfd_create("messages", MFD_CLOEXEC);
    if (gethostname(run->host, sizeof run->host - 1) != 0) run->host[0] = '\0';
    if (run->messages >= 0) return run;
    (void)munmap(run, size);
    return NULL;
}

void tn_case_run_free(tn_case_run *run)
{
    if (!run) return;
    (void)close(run->messages);
    (void)munmap(run, run->size);
}

/* ---- the process of the case ---------------------------------------------------------------------------------- */

typedef struct work {
    const tn_cases *cases;
    tn_case_run *run;
    tn_series series;
    tenon_model *model;
    bool runs; /* warnings of the model as such were told when the study was opened */
} work;

/* Texts "path=value", which the parent makes: it has done so before. */
typedef struct overrides {
    const char *const *text;
    size_t count;
} overrides;

static void hear(void *data, const tn_diagnostic *message)
{
    const work *self = data;
    tn_case_run *run = self->run;
    if (message->severity == TN_SEVERITY_WARNING && self->runs && !run->warning[0])
        (void)tn_print_cut(run->warning, sizeof run->warning, "warning: %s", message->text);
    if (message->severity != TN_SEVERITY_ERROR || run->reason[0]) return;
    (void)tn_print_cut(run->reason, sizeof run->reason, "%s", message->text);
    if (message->file[0] && message->line)
        (void)tn_print_cut(run->place, sizeof run->place, "%s:%u:%u", message->file, message->line,
                           message->column);
}

static void hear_count(void *data, tn_severity severity, size_t more, const char *text)
{
    (void)data, (void)severity, (void)more, (void)text;
}

static void hear_row(void *data, double time, const double *values)
{
    tn_series_add(&((work *)data)->series, time, values);
}

static void watch(void *data, tn_study *study)
{
    const tn_cases_options *options = ((const work *)data)->cases->options;
    if (options->watch) options->watch(study);
}

/* Values between rows are those of a line: whoever compares them with others has to know. */
static void warn_of_lines(work *self, const tn_case_response *response)
{
    const tn_case_samples *samples = &response->samples;
    double error = 0.0;
    for (size_t n = 0; n < samples->count; n++)
        error = fmax(error, tn_series_line_error(&self->series, samples->column, samples->time[n]));
    if (self->run->warning[0] || !(error > LINE_ERROR * tn_series_size(&self->series, samples->column)))
        return;
    (void)tn_print_cut(
        self->run->warning, sizeof self->run->warning,
        "warning: response `%s` has times between rows of the run, where its values are read on "
        "straight lines, wrong by about %.2g %s: `[output] interval` gives rows at the times",
        response->name, error, self->cases->columns.unit[samples->column]);
}

/* The numbers of the responses; false with the reason where one has none. */
static bool find_responses(work *self)
{
    const tn_cases *cases = self->cases;
    tn_case_run *run = self->run;
    bool good = true;
    for (uint32_t k = 0; k < cases->responses; k++) {
        const tn_case_response *response = &cases->response[k];
        const tn_case_samples *samples = &response->samples;
        const char *problem = NULL;
        double *number = run->response + response->first;
        if (response->expression)
            number[0] =
                tn_case_expression_value(response->expression, &self->series, &problem) / response->factor;
        for (size_t n = 0; n < samples->count; n++) {
            number[n] = tn_series_at(&self->series, samples->column, samples->time[n]);
            number[n] = samples->measured ? (number[n] - samples->measured[n]) / samples->deviation[n]
                                          : number[n] / response->factor;
            if (!isfinite(number[n]) && !problem) problem = "the run has no value at one of its times";
        }
        if (samples->count) warn_of_lines(self, response);
        if (problem && good)
            (void)tn_print_cut(run->reason, sizeof run->reason, "response `%s`: %s", response->name, problem);
        good = good && !problem;
    }
    return good;
}

static tn_case_status run_model(work *self, const overrides *values, const char *folder)
{
    const tn_cases *cases = self->cases;
    tenon_options asked = {.size = sizeof asked,
                           .plugin_paths = cases->options->plugin_paths,
                           .plugin_path_count = cases->options->plugin_path_count,
                           .trust = cases->options->trust,
                           .results = folder,
                           .overrides = values->text,
                           .override_count = values->count,
                           .threads = 1};
    const tn_library_wishes wishes = {.client = {.data = self, .open = watch, .row = hear_row},
                                      .listener = {self, hear, hear_count}};
    self->series.columns = &cases->columns;
    tenon_status status =
        tn_library_open(&(tn_library_source){.name = cases->model}, &asked, &wishes, &self->model);
    self->runs = true;
    if (status == TENON_OK) status = tenon_run(self->model);
    if (!self->model || status == TENON_OUT_OF_MEMORY) {
        (void)tn_print_cut(self->run->reason, sizeof self->run->reason, "%s", tenon_reason(self->model));
        return TN_CASE_MEMORY;
    }
    self->run->end_time = tenon_time(self->model);
    if (self->model->study.solver)
        (void)tn_print_cut(self->run->solver, sizeof self->run->solver, "%s",
                           self->model->study.solver->name);
    if (status == TENON_ENDED) status = TENON_OK;
    if (status == TENON_OK && self->model->result != TN_STUDY_FINISHED) status = TENON_FAILED;
    if (status != TENON_OK && !self->run->reason[0])
        (void)tn_print_cut(self->run->reason, sizeof self->run->reason, "%s", tenon_reason(self->model));
    return status == TENON_OK && find_responses(self) ? TN_CASE_OK : TN_CASE_FAILED;
}

/* Processor time is what a case is held to: how long it takes on the clock depends on others, too. Beyond four times that it waits for
 * something that does not come. */
static void set_limits(const tn_execute_keys *keys)
{
    if (keys->time_limit > 0.0) {
        const double limit = keys->time_limit, whole = floor(limit);
        const struct itimerval timer = {
            .it_value = {(time_t)whole, (suseconds_t)fmin((limit - whole) * 1e6 + 1.0, 999999.0)}};
        (void)signal(SIGPROF, SIG_DFL);
        (void)signal(SIGALRM, SIG_DFL);
        (void)setitimer(ITIMER_PROF, &timer, NULL);
        const struct rlimit backup = {(rlim_t)whole + 5, (rlim_t)whole + 10};
        (void)setrlimit(RLIMIT_CPU, &backup);
        (void)alarm((unsigned)fmin(4.0 * limit + 10.0, 1e9));
    }
    if (keys->memory_limit && TN_LIMITS_MEMORY) {
        const struct rlimit most = {(rlim_t)keys->memory_limit, (rlim_t)keys->memory_limit};
        (void)setrlimit(RLIMIT_AS, &most);
    }
    const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
}

static void be_case(const tn_cases *cases, tn_case_run *run, const overrides *values, const char *folder,
                    pid_t parent) __attribute__((noreturn));
static void be_case(const tn_cases *cases, tn_case_run *run, const overrides *values, const char *folder,
                    pid_t parent)
{
    static work self;
    /* nobody waits for the case of a worker that has died, and its executor is to notice that */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(126);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(run->messages, STDERR_FILENO) < 0) _exit(126);
    set_limits(&cases->execute);
    self = (work){.cases = cases, .run = run};
    volatile bool lacks = !tn_attempt(tn_memory_now(), run->status = run_model(&self, values, folder));
    if (lacks) {
        run->status = TN_CASE_MEMORY;
        (void)tn_print_cut(run->reason, sizeof run->reason, "%s", "no memory for the rows of the run");
    }
    if (folder) tenon_close(self.model); /* files end there */
    run->finished = true;
    _exit(0);
}

/* ---- its parent ------------------------------------------------------------------------------------------------- */

/* The first error among what the case has printed. */
static void read_messages(tn_case_run *run)
{
    static const char word[] = "error: ";
    char text[4096];
    const ssize_t count = pread(run->messages, text, sizeof text - 1, 0);
    text[count > 0 ? count : 0] = '\0';
    char *found = strstr(text, word);
    found = found ? found + sizeof word - 1 : text;
    found[strcspn(found, "\n")] = '\0';
    if (*found) (void)tn_print_cut(run->reason, sizeof run->reason, "%s", found);
}

static tn_case_status blame_signal(const tn_cases *cases, tn_case_run *run, int number)
{
    if (number == SIGPROF || number == SIGXCPU || number == SIGALRM) {
        (void)tn_print_cut(
            run->reason, sizeof run->reason,
            number == SIGALRM ? "the run waits: it has not ended within %.6g s on the clock"
                              : "the run has not ended within %.6g s of processor time, its `time_limit`",
            number == SIGALRM ? 4.0 * cases->execute.time_limit + 10.0 : cases->execute.time_limit);
        return TN_CASE_TIMEOUT;
    }
    run->reason[0] = '\0';
    read_messages(run);
    if (!run->reason[0])
        (void)tn_print_cut(run->reason, sizeof run->reason, "its process was ended by signal %d (%s)", number,
                           strsignal(number));
    return TN_CASE_CRASHED;
}

static tn_case_status blame_end(tn_case_run *run, int status)
{
    run->reason[0] = '\0';
    read_messages(run);
    if (!run->reason[0])
        (void)tn_print_cut(run->reason, sizeof run->reason,
                           "its process ended with status %d before the run was over", status);
    return strstr(run->reason, "out of memory") ? TN_CASE_MEMORY : TN_CASE_CRASHED;
}

static void begin_run(const tn_cases *cases, tn_case_run *run)
{
    run->finished = false;
    run->status = TN_CASE_LOST;
    run->end_time = (double)NAN;
    run->reason[0] = run->place[0] = run->solver[0] = run->warning[0] = '\0';
    for (uint32_t k = 0; k < cases->numbers; k++)
        run->response[k] = (double)NAN;
    if (lseek(run->messages, 0, SEEK_CUR) > 0 &&
        (ftruncate(run->messages, 0) != 0 || lseek(run->messages, 0, SEEK_SET) != 0))
        tn_no_memory("messages of cases");
}

static double seconds(struct timeval time) { return (double)time.tv_sec + 1e-6 * (double)time.tv_usec; }

bool tn_case_run_apart(const tn_cases *cases, tn_case_run *run, const double *value, const char *folder,
                       tn_case_result *result)
{
    struct rusage used = {0};
    struct timespec now = {0};
    tn_arena arena = {0};
    overrides values = {NULL, 0};
    int status = 0;
    begin_run(cases, run);
    values.text = tn_case_overrides(cases, value, &arena, &values.count);
    (void)clock_gettime(CLOCK_REALTIME, &now);
    const double begun = tn_clock_now();
    (void)fflush(NULL);
    const pid_t parent = getpid(), child = fork();
    if (child == 0) be_case(cases, run, &values, folder, parent);
    tn_arena_free(&arena);
    if (child < 0) return false;
    while (wait4(child, &status, 0, &used) < 0)
        if (errno != EINTR) return false;
    if (WIFSIGNALED(status))
        run->status = blame_signal(cases, run, WTERMSIG(status));
    else if (!run->finished)
        run->status = blame_end(run, WEXITSTATUS(status));
    result->status = run->status;
    result->reason = run->status == TN_CASE_OK ? run->warning : run->reason;
    result->place = run->status == TN_CASE_OK ? "" : run->place;
    result->solver = run->solver;
    result->host = run->host;
    result->end_time = run->end_time;
    result->wall = tn_clock_now() - begun;
    result->cpu = seconds(used.ru_utime) + seconds(used.ru_stime);
    result->started = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    result->memory = (uint64_t)used.ru_maxrss * 1024;
    result->response = run->response;
    if (run->status != TN_CASE_OK) /* nothing of a run that has not come through */
        for (uint32_t k = 0; k < cases->numbers; k++)
            run->response[k] =
                run->status == TN_CASE_FAILED && run->finished ? run->response[k] : (double)NAN;
    return true;
}
