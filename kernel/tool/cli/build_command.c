/* build_command.c - `tenon build FILE.c`: compiles the passes of a plugin, links them, shows what came out and tries it (trial.h). */
#define _GNU_SOURCE
#include "cli/cli.h"

#include "cli/process.h"
#include "cli/toolchain.h"
#include "cli/trial.h"
#include "config/plugin_texts.h"
#include "config/standard.h"
#include "config/text_file.h"
#include "plugin/call_site.h"
#include "plugin/loader.h"
#include "plugin/search_path.h"
#include "run/signal_text.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct build {
    tn_words sources, include, libraries;
    const char *output;
    tn_toolchain toolchain;
    char *directory; /* of objects; NULL while there is none */
    tn_words objects;
    tn_arena arena;
} build;

/* ---- objects ---- */

/* Name of a file of the source number `index` in the directory of objects. */
static char *object_name(build *work, size_t index, const char *ending)
{
    return tn_arena_print(&work->arena, "%s/%zu.%s", work->directory, index, ending);
}

/* True when a file holds these words; also when it cannot be read. */
static bool file_mentions(const char *path, const char *words)
{
    size_t length = 0;
    const char *text = tn_text_file_read(path, &length, &(tn_text_failure){0});
    return !text || strstr(text, words);
}

static bool compile_pass(build *work, size_t index, tn_pass pass, const char *ending)
{
    const char *object = object_name(work, index, ending);
    tn_words_add(&work->objects, object);
    return tn_run_program(
        tn_compile_command(&work->toolchain, pass, &work->include, work->sources.word[index], object, NULL));
}

/* All files for values; their headers are listed then. */
static bool compile_values(build *work)
{
    work->objects.count = 0;
    for (size_t i = 0; i < work->sources.count; i++) {
        const char *object = object_name(work, i, "values.o");
        tn_words_add(&work->objects, object);
        if (!tn_run_program(tn_compile_command(&work->toolchain, TN_BUILD_VALUES, &work->include,
                                               work->sources.word[i], object, object_name(work, i, "d"))))
            return false;
    }
    return true;
}

/* Routines of users are what is no plugin: other programs find their functions by name, so these are to be seen. */
static bool compile_routines(build *work)
{
    for (size_t i = 0; i < work->sources.count; i++)
        if (file_mentions(object_name(work, i, "d"), "tenon/plugin.h")) return true;
    work->toolchain.makes_routines = true;
    return compile_values(work);
}

static bool differentiate_source(build *work, size_t index)
{
    const char *source = work->sources.word[index];
    /* a text that includes tenon/author.h has to be differentiated, a constraint twice */
    const char *headers = object_name(work, index, "d");
    if (!file_mentions(headers, "tenon/author.h") && !file_mentions(source, "TN_ROUTINE(")) return true;
    const bool dual = work->toolchain.cxx.count,
               twice = file_mentions(source, "TN_CONSTRAINT(") ||
                       file_mentions(source, "TN_CONSTRAINT_WITH_UNKNOWNS(");
    if (twice && !dual) {
        fprintf(
            stderr,
            "tenon build: %s has a constraint, and no C++ compiler was found for its second derivatives\n",
            source);
        return false;
    }
    if (!dual)
        printf("%s: no C++ compiler found: derivatives by complex step instead of dual numbers\n", source);
    return compile_pass(work, index, dual ? TN_BUILD_DUAL : TN_BUILD_COMPLEX, "tangent.o") &&
           (!twice || compile_pass(work, index, TN_BUILD_SECOND, "second.o"));
}

static bool make_plugin(build *work)
{
    if (!tn_toolchain_find(&work->toolchain)) return false;
    for (size_t i = 0; i < work->sources.count; i++)
        work->toolchain.links_cxx = work->toolchain.links_cxx || tn_is_cxx(work->sources.word[i]);
    if (work->toolchain.links_cxx && !work->toolchain.cxx.count) {
        fprintf(stderr, "tenon build: no C++ compiler found: install g++ or clang++, or set CXX\n");
        return false;
    }
    work->directory = tn_make_directory(&work->arena, "objects", "tenon-build-XXXXXX");
    if (!work->directory) return false;
    if (!compile_values(work) || !compile_routines(work)) return false;
    for (size_t i = 0; i < work->sources.count; i++)
        if (!differentiate_source(work, i)) return false;
    return tn_run_program(tn_link_command(&work->toolchain, &work->objects, &work->libraries, work->output));
}

/* ---- result ---- */

enum { LOADING_TIME = 5 }; /* s: far more than any library takes that returns at all */

static void on_loading_alarm(int number)
{
    (void)number;
    const tn_call_site *site = tn_site;
    const char *const part[] = {"tenon build: ", site ? site->item : "the plugin",
                                " was built, but is refused: `", site ? site->function : "loading",
                                "` did not return within 5 s\n"};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        (void)tn_write_text(STDERR_FILENO, part[k]);
    _exit(1);
}

/* A plugin may loop where it is loaded. */
static tn_verdict load_in_time(const char *output, tn_loaded *loaded, tn_reason *reason)
{
    (void)signal(SIGALRM, on_loading_alarm);
    (void)alarm(LOADING_TIME);
    const tn_verdict verdict = tn_load(output, &tn_reader_loading, loaded, reason);
    (void)alarm(0);
    return verdict;
}

/* Takes the plugin through the gates that it will meet in a run, and lets it run; `trial` may be NULL. */
static bool show_result(const char *output, const tn_trial_options *trial)
{
    tn_reason reason;
    tn_loaded loaded;
    const tn_verdict verdict = load_in_time(output, &loaded, &reason);
    if (verdict != TN_LOADED) {
        fprintf(stderr, "tenon build: %s was built, but is %s: %s\n", output,
                verdict == TN_REFUSED ? "refused" : "skipped", reason.text);
        return false;
    }
    printf("%s: library %s %s, licence %s\n", output, loaded.library->name, loaded.library->version,
           loaded.library->licence);
    for (size_t i = 0; i < loaded.type_count; i++) {
        const tn_loaded_type *type = &loaded.types[i];
        printf("    %s \"%s\": %s\n", type->kind->key, type->name,
               tn_type_description(type->kind, type->type).summary);
    }
    if (*reason.text) printf("    %s\n", reason.text);
    return !trial || tn_try_library(output, &loaded, trial);
}

/* ---- command ---- */

static bool has_ending(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && !strcmp(text + length - tail, end);
}

/* "directory/FILE.c" or "directory/FILE.cpp" becomes "FILE.so". */
static char *default_output(tn_arena *arena, const char *source)
{
    const char *slash = strrchr(source, '/');
    const char *file = slash ? slash + 1 : source;
    return tn_arena_print(arena, "%.*s.so", (int)(strrchr(file, '.') - file), file);
}

/* Refuses what would only fail later with a message of the compiler. */
static int check_words(const tn_usage *usage, build *work)
{
    for (size_t i = 0; i < work->sources.count; i++) {
        const char *source = work->sources.word[i];
        if (!has_ending(source, ".c") && !tn_is_cxx(source))
            return tn_wrong_usage(usage, "\"%s\" is not a source file of C or C++ (FILE.c, FILE.cpp)",
                                  source);
        if (access(source, R_OK) != 0) return tn_wrong_usage(usage, "%s: %s", source, strerror(errno));
    }
    if (!work->output) work->output = default_output(&work->arena, work->sources.word[0]);
    if (!has_ending(work->output, ".so"))
        return tn_wrong_usage(usage, "\"%s\": the name of a plugin ends in .so", work->output);
    return 0;
}

enum { TRIAL_TIME = 10, LONGEST_TRIAL = 3600 }; /* s */

static int check_time(const tn_usage *usage, double seconds)
{
    if (seconds >= 1.0 && seconds <= LONGEST_TRIAL) return 0;
    return tn_wrong_usage(usage, "--trial-time %g: 1 to %d s are possible", seconds, LONGEST_TRIAL);
}

int tn_command_build(int argc, char **argv)
{
    build work = {0};
    bool untried = false;
    double seconds = TRIAL_TIME;
    tn_trial_options trial = {0};
    const tn_option options[] = {
        {"-o", "OUT.so", TN_OPTION_TEXT, &work.output, "default: FILE.so in the current directory"},
        {"--include", "DIR", TN_OPTION_WORDS, &work.include, "look for headers in this directory, too"},
        {"--library", "NAME", TN_OPTION_WORDS, &work.libraries, "link this library (libNAME.so)"},
        {"--no-trial", NULL, TN_OPTION_FLAG, &untried, "load the plugin, but do not run it"},
        {"--trial-time", "SECONDS", TN_OPTION_NUMBER, &seconds,
         "time limit for each model of the trial; default: 10"},
        {"--models", "DIR", TN_OPTION_TEXT, &trial.models, "keep the models of the trial in this directory"},
        {0}};
    const tn_usage usage = {
        "build",
        "Builds a plugin: compiles every FILE for values and, if it includes tenon/author.h,\n"
        "again for exact derivatives. Files of C++ end in .cpp, .cc or .cxx and are C++20.\n"
        "CC, CXX and TENON_SDK choose the compilers and the headers.\n"
        "Without any of the headers of plugins, it makes a library of routines: see the type routine.\n"
        "Then it tests each type: small models made from its tables run for a few steps under\n"
        "`tenon run --guard`.",
        "FILE.c [MORE.c ...]",
        1,
        0,
        options};
    int status = 0;
    if (!tn_options_read(&usage, argc, argv, &work.sources, &status)) return status;
    status = check_words(&usage, &work);
    if (status == 0) status = check_time(&usage, seconds);
    if (status != 0) return status;
    trial.seconds = (unsigned)ceil(seconds);
    const bool made = make_plugin(&work);
    if (work.directory) tn_remove_tree(work.directory); /* what is loaded may end the program */
    if (made && work.toolchain.makes_routines) {
        printf("%s: routines, for functions of the type \"" TN_STANDARD_ROUTINE "\"\n", work.output);
        return 0;
    }
    return made && show_result(work.output, untried ? NULL : &trial) ? 0 : 1;
}
