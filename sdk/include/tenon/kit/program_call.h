/* tenon/kit/program_call.h - other programs: whether they are there, and what they print. Words go to them as they are, through no shell.
 *
 *     tn_program_result result;
 *     if (!tn_program_call((const char *const[]){"squeue", "-h", NULL}, 60.0, &result)) ... result.errors
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_PROGRAM_CALL_H
#define TENON_KIT_PROGRAM_CALL_H

#include "tenon/host.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* s on a clock that nobody sets. */
static inline double tn_program_clock(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Whether a program of this name is found in PATH; a name with a slash is a path. */
static inline bool tn_program_is_there(const char *name)
{
    const char *at = getenv("PATH");
    char path[4096];
    if (strchr(name, '/')) return access(name, X_OK) == 0;
    while (at && *at) {
        const size_t length = strcspn(at, ":");
        const int count = snprintf(path, sizeof path, "%.*s/%s", (int)length, at, name);
        if (count > 0 && (size_t)count < sizeof path && access(path, X_OK) == 0) return true;
        at += length + (at[length] == ':');
    }
    return false;
}

typedef struct tn_program_result {
    int status;           /* of waitpid; -1: it was not started */
    char output[1 << 16]; /* what it has printed, from its beginning */
    char errors[1024];    /* the first line of standard error, or why it was not started */
} tn_program_result;

/* Reads what stands in a pipe; keeps as much as there is room for; false at its end. */
static inline bool tn_program_read(int file, char *text, size_t size)
{
    char piece[4096];
    const size_t used = strlen(text);
    const ssize_t count = read(file, piece, sizeof piece);
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    for (ssize_t k = 0; k < count; k++)
        if (piece[k] == '\0') piece[k] = ' ';
    const size_t room = size - 1 - used, taken = (size_t)count < room ? (size_t)count : room;
    memcpy(text + used, piece, taken);
    text[used + taken] = '\0';
    return count > 0;
}

/* Reads both pipes until they end; false: that took too long. */
static inline bool tn_program_listen(tn_program_result *result, int output, int errors, double longest)
{
    struct pollfd file[2] = {{.fd = output, .events = POLLIN}, {.fd = errors, .events = POLLIN}};
    const double until = tn_program_clock() + longest;
    while (file[0].fd >= 0 || file[1].fd >= 0) {
        const double left = until - tn_program_clock();
        if (left <= 0.0) return false;
        if (poll(file, 2, (int)(1e3 * left) + 1) < 0 && errno != EINTR) return false;
        if (file[0].revents && !tn_program_read(output, result->output, sizeof result->output))
            file[0].fd = -1;
        if (file[1].revents && !tn_program_read(errors, result->errors, sizeof result->errors))
            file[1].fd = -1;
        file[0].revents = file[1].revents = 0;
    }
    return true;
}

/* Starts a program of PATH with standard input (-1: none), output and error on these files, in a process group of its own, so that an interrupt from
 * the keyboard does not end it; 0, or the number of an error. */
static inline int tn_program_start(const char *const *words, const int file[3], pid_t *process)
{
    extern char **environ;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char **copy = NULL; /* the type of the list promises nothing about the words */
    sigset_t usual;
    size_t count = 0;
    while (words[count])
        count++;
    if (!(copy = calloc(count + 1, sizeof *copy))) return ENOMEM;
    memcpy(copy, words, count * sizeof *copy);
    (void)sigemptyset(&usual);
    for (int k = 1; k < 32; k++)
        if (k != SIGKILL && k != SIGSTOP) (void)sigaddset(&usual, k);
    int error = posix_spawn_file_actions_init(&actions);
    if (!error && !(error = posix_spawnattr_init(&attributes))) {
        error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
        if (!error) error = posix_spawnattr_setpgroup(&attributes, 0);
        if (!error) error = posix_spawnattr_setsigdefault(&attributes, &usual);
        for (int k = 0; !error && k < 3; k++)
            error = file[k] < 0 ? posix_spawn_file_actions_addopen(&actions, k, "/dev/null", O_RDWR, 0)
                                : posix_spawn_file_actions_adddup2(&actions, file[k], k);
        if (!error) error = posix_spawnp(process, words[0], &actions, &attributes, copy, environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    free(copy);
    return error;
}

static inline void tn_program_close(int file)
{
    if (file >= 0) (void)close(file);
}

/* Runs a program of PATH and waits for it, `longest` seconds at the most; whether it ended with status 0. */
static inline bool tn_program_call(const char *const *words, double longest, tn_program_result *result)
{
    int output[2] = {-1, -1}, errors[2] = {-1, -1};
    pid_t process = 0;
    result->status = -1;
    result->output[0] = result->errors[0] = '\0';
    int error = pipe(output) != 0 || pipe(errors) != 0 ? errno : 0;
    for (int k = 0; !error && k < 2; k++)
        if (fcntl(output[k], F_SETFD, FD_CLOEXEC) != 0 || fcntl(errors[k], F_SETFD, FD_CLOEXEC) != 0)
            error = errno;
    if (!error) error = tn_program_start(words, (const int[]){-1, output[1], errors[1]}, &process);
    tn_program_close(output[1]);
    tn_program_close(errors[1]);
    const bool ended = !error && tn_program_listen(result, output[0], errors[0], longest);
    tn_program_close(output[0]);
    tn_program_close(errors[0]);
    if (!error && !ended) (void)kill(-process, SIGKILL);
    while (!error && waitpid(process, &result->status, 0) < 0 && errno == EINTR)
        continue;
    result->errors[strcspn(result->errors, "\n")] = '\0';
    if (error)
        (void)snprintf(result->errors, sizeof result->errors, "%s", strerror(error));
    else if (!ended)
        (void)snprintf(result->errors, sizeof result->errors, "no answer in %.0f s", longest);
    return ended && WIFEXITED(result->status) && WEXITSTATUS(result->status) == 0;
}

/* Takes whole lines out of a text of so many letters, which ends with '\0' behind them; the number of letters that are left of it. */
static inline size_t tn_program_take_lines(char *text, size_t letters,
                                           void (*take)(void *data, const char *line), void *data)
{
    char *line = text;
    for (char *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        take(data, line);
    }
    letters -= (size_t)(line - text);
    memmove(text, line, letters + 1);
    return letters;
}

/* The first line of a file of messages that has letters, without "error: "; "" for none. */
static inline void tn_program_first_line(const char *path, char *text, size_t size)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    FILE *file = fopen(path, "r");
    bool found = false;
    while (file && !found && fgets(text, (int)size, file))
        found = text[strcspn(text, letters)] != '\0';
    if (!found) text[0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    if (strncmp(text, "error: ", 7) == 0) memmove(text, text + 7, strlen(text + 7) + 1);
    if (file) (void)fclose(file);
}

#endif
