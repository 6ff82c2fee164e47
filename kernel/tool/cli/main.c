/* main.c - the program: finds the subcommand */
#include "base/memory.h"
#include "cli/message.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/crash.h"
#include "cases/cases.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct command {
    const char *name, *words, *summary;
    int (*run)(int argc, char **argv);
} commands[] = {{"run", "MODEL", "run a model and write its results", tn_command_run},
                {"check", "MODEL", "check a model without running it: errors, degrees of freedom, sizes",
                 tn_command_check},
                {"plugins", "", "list the installed plugins", tn_command_plugins},
                {"describe", "TYPE",
                 "describe a type: parameters, ports, outputs, formula (--markdown, --json)",
                 tn_command_describe},
                {"schema", "", "print the JSON Schema of model files, for editors", tn_command_schema},
                {"compare", "A.csv B.csv", "compare two results", tn_command_compare},
                {"report", "DIR [DIR2]", "make a page of the results of a run, or of two", tn_command_report},
                {"watch", "DIR", "show a run in the browser while it goes on", tn_command_watch},
                {"convert", "DIR", "let a writer make files of the results of a run", tn_command_convert},
                {"recover", "DIR", "write the tables of a run that was killed", tn_command_recover},
                {"study", "FILE", "carry out a study: a model many times, with values that vary", tn_command_study},
                {"case", "STUDY N", "print or run one case of a study", tn_command_case},
                {"build", "FILE.c", "build a plugin from its source", tn_command_build}};

/* What a command allocates goes with the process. */
static int call_command(const struct command *command, int argc, char **argv)
{
    static tn_memory memory;
    volatile int status = 1;
    if (!tn_attempt(&memory, status = command->run(argc, argv))) status = tn_crash_lacks_memory(memory.lack);
    tn_memory_release(&memory);
    return status;
}

static void print_commands(FILE *stream)
{
    (void)fputs("usage: tenon COMMAND ...\n\n", stream);
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
        (void)fprintf(stream, "  tenon %-8s %-12s %s\n", commands[k].name, commands[k].words,
                      commands[k].summary);
    (void)fputs("\nSee `tenon COMMAND --help`; `tenon --version` prints the version.\n", stream);
}

/* What was printed must have arrived. */
static int finish_output(int status)
{
    int flushed;
    while ((flushed = fflush(stdout)) != 0 && errno == EINTR)
        clearerr(stdout);
    if (flushed == 0 && !ferror(stdout)) return status;
    tn_message("error", "tenon: standard output cannot be written: %s", strerror(errno));
    return status ? status : 1;
}

/* A file that is opened must not get the number of a stream that is closed: what is printed would end in it. Now it ends in
 * an error, as it did. */
static bool open_streams(void)
{
    for (int k = 0; k < 3; k++) {
        if (fcntl(k, F_GETFD) >= 0) continue;
        if (open("/dev/null", k == STDIN_FILENO ? O_WRONLY : O_RDONLY) != k) return false;
    }
    return true;
}

/* Writing into a closed pipe or beyond the limit of a file is an error like any other. */
static void ignore_signals(void)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGPIPE, &ignore, NULL);
    (void)sigaction(SIGXFSZ, &ignore, NULL);
}

/* Blocks from this size on are mappings of their own, as they are at first, for the whole run: the C library would keep more and more
 * of what is freed, which at the peak of a large model was a tenth of all memory. */
static void give_memory_back(void)
{
    enum { LARGE = 2 << 20 };
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
    (void)mallopt(M_TRIM_THRESHOLD, LARGE);
}

int main(int argc, char **argv)
{
    if (!open_streams()) return 1;
    ignore_signals();
    give_memory_back();
    tn_crash_catch();
    tn_kinds_add(tn_study_kinds, tn_study_kind_count);
    const char *word = argc > 1 ? argv[1] : "";
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_commands(stdout);
        return finish_output(0);
    }
    if (strcmp(word, "--version") == 0) {
        (void)puts("tenon " TENON_VERSION);
        return finish_output(0);
    }
    tn_nearest search;
    tn_nearest_start(&search, word);
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        if (strcmp(word, commands[k].name) == 0)
            return finish_output(call_command(&commands[k], argc - 1, argv + 1));
        tn_nearest_offer(&search, commands[k].name);
    }
    if (argc < 2) {
        print_commands(stderr);
        return 2;
    }
    (void)fprintf(stderr, "tenon: unknown command `%s`", word);
    if (search.best) (void)fprintf(stderr, ": did you mean `%s`?", search.best);
    (void)fputs("\n`tenon --help` lists the commands\n", stderr);
    return 2;
}
