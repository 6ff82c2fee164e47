/* process.c - runs other programs (see process.h). */
#define _GNU_SOURCE
#include "cli/process.h"

#include "base/memory.h"
#include "plugin/search_path.h"
#include "run/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

bool tn_program_exists(const char *name)
{
    if (strchr(name, '/')) return access(name, X_OK) == 0;
    bool found = false;
    tn_arena arena = {0};
    const char *variable = getenv("PATH");
    char *rest = variable ? tn_arena_text(&arena, variable, strlen(variable)) : NULL;
    for (char *directory; !found && (directory = strsep(&rest, ":"));)
        found = access(tn_join(&arena, *directory ? directory : ".", name), X_OK) == 0;
    return found;
}

/* ---- children -------------------------------------------------------------------------------------------- */

/* What an interrupt from the keyboard did before a child was started. */
typedef struct interrupts {
    struct sigaction interrupt, quit;
} interrupts;

static interrupts hold_interrupts(void)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    interrupts before;
    sigaction(SIGINT, &ignore, &before.interrupt);
    sigaction(SIGQUIT, &ignore, &before.quit);
    return before;
}

static void give_interrupts_back(const interrupts *before)
{
    sigaction(SIGINT, &before->interrupt, NULL);
    sigaction(SIGQUIT, &before->quit, NULL);
}

/* As a shell tells it: 128 and the number of the signal. */
static int exit_status(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Waits for a child; -1: it cannot be waited for. */
static int wait_for_child(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return exit_status(status);
}

/* ---- programs -------------------------------------------------------------------------------------------- */

static void become_program(char **arguments) __attribute__((noreturn));
static void become_program(char **arguments)
{
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(SIGPIPE, &usual, NULL); /* which the program itself ignores */
    sigaction(SIGXFSZ, &usual, NULL);
    execvp(arguments[0], arguments);
    fprintf(stderr, "%s: %s\n", arguments[0], strerror(errno));
    _exit(127);
}

bool tn_run_program(tn_words words)
{
    /* the list that exec takes ends with NULL, and its type promises nothing about the words */
    char **arguments = tn_new(words.count + 1, sizeof *arguments);
    memcpy(arguments, words.word, words.count * sizeof *arguments);
    fflush(NULL); /* nothing may be printed twice, and what was printed comes first */
    const interrupts before = hold_interrupts();
    const pid_t child = fork();
    if (child == 0) {
        give_interrupts_back(&before);
        become_program(arguments);
    }
    if (child < 0) fprintf(stderr, "cannot start %s: %s\n", arguments[0], strerror(errno));
    const bool good = child > 0 && wait_for_child(child) == 0;
    give_interrupts_back(&before);
    return good;
}

/* ---- this program, once more ----------------------------------------------------------------------------- */

enum { PAUSE = 1, PIECE = 4096 }; /* ms; bytes */

/* The exit status of a child that is killed when it has not ended then. */
static int wait_until(pid_t child, double end)
{
    int status = 0;
    for (;;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child) return exit_status(status);
        if (ended < 0 && errno != EINTR) return TN_CHILD_KILLED;
        if (tn_clock_now() > end) break;
        (void)poll(NULL, 0, PAUSE);
    }
    (void)kill(child, SIGKILL);
    (void)wait_for_child(child);
    return TN_CHILD_KILLED;
}

/* Messages go into this file, other output nowhere. */
static void redirect_streams(int messages)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(messages, STDERR_FILENO) < 0) _exit(126);
    (void)close(nowhere);
    (void)close(messages);
}

int tn_run_child(int (*work)(void *data), void *data, double seconds, tn_text *told)
{
    const int messages = memfd_create("messages", MFD_CLOEXEC);
    if (messages < 0) return TN_CHILD_NOT_STARTED;
    fflush(NULL);
    const interrupts before = hold_interrupts();
    const pid_t child = fork();
    if (child == 0) {
        give_interrupts_back(&before);
        redirect_streams(messages);
        const int status = work(data);
        fflush(NULL);
        _exit(status);
    }
    const int status = child > 0 ? wait_until(child, tn_clock_now() + seconds) : TN_CHILD_NOT_STARTED;
    give_interrupts_back(&before);
    char piece[PIECE];
    (void)lseek(messages, 0, SEEK_SET);
    for (ssize_t count; (count = read(messages, piece, sizeof piece)) > 0;)
        tn_text_add_letters(told, piece, (size_t)count);
    (void)close(messages);
    return status;
}

/* ---- directories ----------------------------------------------------------------------------------------- */

char *tn_make_directory(tn_arena *arena, const char *contents, const char *name)
{
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent) parent = "/tmp";
    char *directory = mkdtemp(tn_join(arena, parent, name));
    if (!directory)
        fprintf(stderr, "tenon: no directory for %s in %s: %s\n", contents, parent, strerror(errno));
    return directory;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

void tn_remove_tree(const char *directory)
{
    if (nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS) != 0 && errno != ENOENT)
        fprintf(stderr, "tenon: %s was not removed: %s\n", directory, strerror(errno));
}
