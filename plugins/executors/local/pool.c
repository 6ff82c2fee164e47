/* pool.c - the side of the driver: starts workers, deals cases to them in ranges, and replaces those that die. Workers that have nothing to do
 * wait for the next batch. */
#define _GNU_SOURCE
#include "local.h"

#include <tenon/kit/case_ranges.h>
#include <tenon/kit/growing.h>
#include <tenon/kit/program_call.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOKED_EVERY 0.5 /* s */
enum { MOST_FAILURES = 3 };

/* A process that works, or a place for one. */
typedef struct place {
    pid_t process; /* 0: none */
    int socket;
    uint64_t next, end; /* of the range that it works on: those before `next` are done */
    uint64_t length;    /* of that range, for its time */
    double given;       /* s: when it got it */
    bool worked;        /* it has asked for cases */
    bool waits;         /* it has asked, and has got none yet */
} place;

typedef struct pool {
    const tn_host *host;
    const tn_execution_place *at;
    tn_execution *execution; /* the batch */
    place *place;
    struct pollfd *poll;
    uint32_t places, number; /* number: of workers started so far */
    tn_case_range *left;     /* [count] ranges that nobody works on; a stack */
    size_t count, room;
    double case_time;  /* s on the clock, of one worker; 0: not known */
    uint32_t failures; /* workers that have ended before they asked for cases, in a row */
    tn_execution_wish wish;
    tn_status status;
    char log[4096]; /* path of what workers print */
} pool;

static bool fail(pool *p, const char *what)
{
    tn_say(p->host, TN_ERROR, "%s: %s", what, strerror(errno));
    p->status = TN_FATAL;
    p->wish = TN_END_WORKERS;
    return false;
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

static bool put_back(pool *p, uint64_t first, uint64_t count)
{
    if (!count) return true;
    if (!TN_MAKE_ROOM(p->left, p->room, p->count + 1)) return fail(p, "ranges of cases");
    p->left[p->count++] = (tn_case_range){first, count};
    return true;
}

/* The next cases for one worker. */
static tn_case_range take(pool *p)
{
    tn_case_range *top = &p->left[p->count - 1];
    const tn_case_range range = tn_case_range_take(top, p->places, p->case_time);
    if (!top->count) p->count--;
    return range;
}

/* ---- processes --------------------------------------------------------------------------------------------------- */

static void be_worker(const pool *p, int socket, uint32_t number) __attribute__((noreturn));
static void be_worker(const pool *p, int socket, uint32_t number)
{
    char text[64];
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGALRM};
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++)
        (void)sigaction(signals[k], &usual, NULL);
    (void)setpgid(0, 0); /* an interrupt from the keyboard is for the driver */
    (void)snprintf(text, sizeof text, "%d %u", socket, number);
    const int nowhere = open("/dev/null", O_RDWR), log = open(p->log, O_WRONLY | O_APPEND | O_CREAT, 0666);
    const bool good = setenv(LOCAL_VARIABLE, text, 1) == 0 && setenv("OPENBLAS_NUM_THREADS", "1", 0) == 0 &&
                      setenv("OMP_NUM_THREADS", "1", 0) == 0 && nowhere >= 0 && log >= 0 &&
                      dup2(nowhere, 0) >= 0 && dup2(nowhere, 1) >= 0 && dup2(log, 2) >= 0 &&
                      fcntl(socket, F_SETFD, 0) == 0;
    /* the type of the list promises nothing about the words */
    char *words[64];
    size_t count = 0;
    for (; p->at->command[count] && count < 63; count++)
        memcpy(&words[count], &p->at->command[count], sizeof words[count]);
    words[count] = NULL;
    if (good && !p->at->command[count]) (void)execv(words[0], words);
    _exit(127);
}

static bool start(pool *p, place *at)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return fail(p, "a socket for a worker");
    (void)fflush(NULL);
    const pid_t process = fork();
    if (process == 0) be_worker(p, pair[1], p->number);
    (void)close(pair[1]);
    if (process < 0) {
        (void)close(pair[0]);
        return fail(p, "a process for a worker");
    }
    (void)setpgid(process, process);
    *at = (place){.process = process, .socket = pair[0]};
    p->number++;
    return true;
}

/* Of a worker that has ended by itself, or before it asked for cases: once is bad luck, several times it cannot work here. */
static void note_failure(pool *p, int status)
{
    char said[400];
    if (++p->failures < MOST_FAILURES) return;
    tn_program_first_line(p->log, said, sizeof said);
    tn_say(p->host, TN_ERROR, "workers end and have not worked, with %s %d%s%s",
           WIFSIGNALED(status) ? "signal" : "status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), said[0] ? ": " : "", said);
    p->status = TN_FATAL;
    p->wish = TN_END_WORKERS;
}

/* A worker has gone: the case that it was at is lost, what it had not begun is dealt anew; so is all of it where the worker has refused to go on. */
static void bury(pool *p, place *at)
{
    int status = 0;
    while (waitpid(at->process, &status, 0) < 0 && errno == EINTR)
        continue;
    (void)close(at->socket);
    const bool refuses = WIFEXITED(status) && WEXITSTATUS(status) != 0;
    const uint64_t first = at->next + !refuses;
    if (first < at->end) (void)put_back(p, first, at->end - first);
    if (p->execution && p->wish != TN_END_WORKERS && (refuses || !at->worked)) note_failure(p, status);
    *at = (place){.socket = -1};
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

/* Work for one that waits for it, if there is any. */
static void deal(pool *p, place *at)
{
    if (!p->count || p->wish != TN_GO_ON) return;
    const tn_case_range range = take(p);
    tn_work work = {.first = range.first, .count = range.count};
    (void)snprintf(work.batch, sizeof work.batch, "%s", p->execution->batch);
    at->waits = false;
    at->next = range.first;
    at->end = range.first + range.count;
    at->length = range.count;
    at->given = tn_program_clock();
    (void)send(at->socket, &work, sizeof work, MSG_NOSIGNAL); /* one that has gone is noticed by its end */
}

/* The range that it had is done. */
static void note_request(pool *p, place *at)
{
    if (at->length)
        p->case_time =
            tn_case_range_time(p->case_time, (tn_program_clock() - at->given) / (double)at->length);
    at->next = at->end = at->length = 0;
    at->worked = at->waits = true;
    deal(p, at);
}

static void hear(pool *p, place *at)
{
    uint64_t record = 0;
    ssize_t count = 0;
    do
        count = recv(at->socket, &record, sizeof record, MSG_DONTWAIT);
    while (count < 0 && errno == EINTR);
    if (count < 0 && errno == EAGAIN) return;
    if (count != (ssize_t)sizeof record)
        bury(p, at);
    else if (record == LOCAL_WANTS)
        note_request(p, at);
    else if (record >= at->next && record < at->end) {
        at->next = record + 1;
        p->failures = 0;
    }
}

/* Whether one works on cases. */
static bool is_working(const pool *p)
{
    for (uint32_t k = 0; k < p->places; k++)
        if (p->place[k].process && p->place[k].length) return true;
    return false;
}

/* Work for those that wait, and as many new workers as there is work for besides. */
static void employ(pool *p)
{
    uint64_t left = 0, free_ones = 0;
    for (uint32_t k = 0; k < p->places; k++)
        if (p->place[k].waits) deal(p, &p->place[k]);
    for (size_t k = 0; k < p->count; k++)
        left += p->left[k].count;
    for (uint32_t k = 0; k < p->places; k++) /* that begin, and will ask */
        free_ones += p->place[k].process && !p->place[k].worked;
    for (uint32_t k = 0; k < p->places && free_ones < left; k++) {
        if (p->place[k].process) continue;
        if (!start(p, &p->place[k])) return;
        free_ones++;
    }
}

/* Waits for workers, until `until` at the latest. */
static void wait_for_workers(pool *p, double until)
{
    for (uint32_t k = 0; k < p->places; k++)
        p->poll[k] = (struct pollfd){.fd = p->place[k].process ? p->place[k].socket : -1, .events = POLLIN};
    const double left = until - tn_program_clock();
    if (poll(p->poll, p->places, left > 0.0 ? (int)(1e3 * left) + 1 : 0) <= 0) return;
    for (uint32_t k = 0; k < p->places; k++)
        if (p->poll[k].revents && p->place[k].process) hear(p, &p->place[k]);
}

static void end_workers(pool *p)
{
    for (uint32_t k = 0; k < p->places; k++)
        if (p->place[k].process) (void)kill(-p->place[k].process, SIGKILL);
    for (uint32_t k = 0; k < p->places; k++)
        if (p->place[k].process) bury(p, &p->place[k]);
}

static void work(pool *p)
{
    double look_at = tn_program_clock() + LOOKED_EVERY;
    while (p->wish != TN_END_WORKERS && (is_working(p) || (p->count && p->wish == TN_GO_ON))) {
        if (p->wish == TN_GO_ON) employ(p);
        wait_for_workers(p, look_at);
        if (tn_program_clock() < look_at) continue;
        const tn_execution_wish wish = p->execution->look(p->execution, NULL);
        if (wish > p->wish) p->wish = wish;
        look_at = tn_program_clock() + LOOKED_EVERY;
    }
    if (p->wish == TN_END_WORKERS) end_workers(p);
}

tn_status local_carry_out(void *self, tn_execution *execution)
{
    pool *p = self;
    p->execution = execution;
    p->count = 0;
    p->failures = 0;
    p->wish = TN_GO_ON;
    p->status = TN_OK;
    if (put_back(p, 0, execution->count)) work(p);
    p->execution = NULL;
    return p->status;
}

/* ---- beginning and end ------------------------------------------------------------------------------------------- */

tn_status local_open(const tn_host *host, uint32_t workers, const tn_execution_place *at, void **self)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    pool *p = calloc(1, sizeof *p);
    if (!p) return TN_OUT_OF_MEMORY;
    *p = (pool){.host = host,
                .at = at,
                .places = workers     ? workers
                          : cores > 0 ? (uint32_t)cores
                                      : 1,
                .status = TN_OK};
    p->place = calloc(p->places, sizeof *p->place);
    p->poll = calloc(p->places, sizeof *p->poll);
    *self = p;
    if (!p->place || !p->poll) {
        local_close(p);
        return TN_OUT_OF_MEMORY;
    }
    (void)snprintf(p->log, sizeof p->log, "%s/workers.log", at->job_folder);
    (void)unlink(p->log); /* of an earlier driver */
    return TN_OK;
}

/* Those that wait end by themselves as nobody speaks to them any more; those that have not begun yet need not begin. */
void local_close(void *self)
{
    pool *p = self;
    char said[8];
    p->execution = NULL;
    p->wish = TN_END_WORKERS;
    for (uint32_t k = 0; p->place && k < p->places; k++) {
        place *at = &p->place[k];
        if (!at->process) continue;
        if (!at->waits) (void)kill(-at->process, SIGKILL);
        (void)shutdown(at->socket, SHUT_RDWR);
        at->worked = true; /* its end is no failure */
    }
    for (uint32_t k = 0; p->place && k < p->places; k++)
        if (p->place[k].process) bury(p, &p->place[k]);
    tn_program_first_line(p->log, said, sizeof said);
    if (!said[0]) (void)unlink(p->log); /* one with nothing in it is of no use */
    free(p->place);
    free(p->poll);
    free(p->left);
    free(p);
}
