/* process.c - runs other programs (see process.h). */
#include "cli/process.h"

#include "base/memory.h"
#include "plugin/search_path.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    tn_arena_free(&arena);
    return found;
}

/* The list that exec takes: ends with NULL, and its type promises nothing about the words. */
static char **argument_vector(const tn_words *words)
{
    char **arguments = tn_new(words->count + 1, sizeof *arguments);
    memcpy(arguments, words->word, words->count * sizeof *arguments);
    return arguments;
}

/* Waits for a child; true when it ended with status 0. */
static bool wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool tn_run_program(const tn_words *words)
{
    char **arguments = argument_vector(words);
    const struct sigaction ignore = {.sa_handler = SIG_IGN}, usual = {.sa_handler = SIG_DFL};
    struct sigaction interrupt, quit;
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    fflush(NULL); /* nothing may be printed twice, and what was printed comes first */

    const pid_t child = fork();
    if (child == 0) {
        sigaction(SIGINT, &interrupt, NULL);
        sigaction(SIGQUIT, &quit, NULL);
        sigaction(SIGPIPE, &usual, NULL); /* which the program itself ignores */
        sigaction(SIGXFSZ, &usual, NULL);
        execvp(arguments[0], arguments);
        fprintf(stderr, "%s: %s\n", arguments[0], strerror(errno));
        _exit(127);
    }
    if (child < 0) fprintf(stderr, "cannot start %s: %s\n", arguments[0], strerror(errno));
    const bool good = child > 0 && wait_for(child);

    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    free(arguments);
    return good;
}
