/* toolchain.c - what a plugin is built with (see toolchain.h). */
#include "cli/toolchain.h"

#include "cli/process.h"
#include "plugin/search_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Words that every pass begins with, behind the compiler. Contraction is off so that a pass cannot round the
 * same text differently. */
static const char *const common_flags[] = {
    "-O2",
    "-fPIC",
    "-Wall",
    "-Wextra",
    "-Wshadow",
    "-Wconversion",
    "-Wdouble-promotion",
    "-Wvla",
    "-Wno-missing-field-initializers",
    "-Wno-unused-parameter", /* a VARSUB has seven, and needs few of them */
    "-Wno-psabi", /* passing wide dual numbers: both sides stand in one object */
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fstack-protector",
    "-U_FORTIFY_SOURCE",
    "-D_FORTIFY_SOURCE=2",
    "-DTN_EXACT",
};
/* Of passes that differentiate: dual numbers are C++, whatever language the file is in. */
static const char *const dual_flags[] = {"-fno-exceptions", "-fno-rtti", "-x", "c++"};

static void add_all(tn_words *words, const char *const *more, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tn_words_add(words, more[i]);
}
#define ADD_ALL(words, array) add_all(words, array, sizeof(array) / sizeof *(array))

/* A file name that no compiler takes for an option or a file of options. */
static const char *safe_name(tn_arena *arena, const char *file)
{
    return *file == '-' || *file == '@' ? tn_join(arena, ".", file) : file;
}

/* ---- compilers ---- */

/* The words of an environment variable, such as "ccache gcc". */
static void split_words(tn_words *words, char *text)
{
    for (char *word; (word = strsep(&text, " \t"));)
        if (*word) tn_words_add(words, word);
}

/* What the variable says, else the first usual name that exists. False when the variable names nothing. */
static bool find_compiler(tn_arena *arena, tn_words *compiler, const char *variable, const char *const *usual)
{
    const char *wanted = getenv(variable);
    if (wanted) split_words(compiler, tn_arena_text(arena, wanted, strlen(wanted)));
    if (compiler->count) {
        if (tn_program_exists(compiler->word[0])) return true;
        fprintf(stderr, "tenon build: %s is \"%s\", which is not a program\n", variable, compiler->word[0]);
        return false;
    }
    for (; *usual && !compiler->count; usual++)
        if (tn_program_exists(*usual)) tn_words_add(compiler, *usual);
    return true;
}

static bool find_compilers(tn_toolchain *toolchain)
{
    static const char *const c[] = {"gcc", "cc", "clang", NULL}, *const cxx[] = {"g++", "c++", "clang++",
                                                                                 NULL};
    if (!find_compiler(&toolchain->arena, &toolchain->c, "CC", c)) return false;
    if (!find_compiler(&toolchain->arena, &toolchain->cxx, "CXX", cxx)) return false;
    if (toolchain->c.count) return true;
    fprintf(stderr, "tenon build: no C compiler found: install gcc or clang, or set CC\n");
    return false;
}

/* ---- headers ---- */

static bool take_sdk(tn_toolchain *toolchain, const char *directory, const char *below)
{
    const char *candidate = tn_join(&toolchain->arena, directory, below);
    if (access(tn_join(&toolchain->arena, candidate, "tenon/plugin.h"), R_OK) != 0) return false;
    toolchain->sdk = candidate;
    return true;
}

static bool find_sdk(tn_toolchain *toolchain)
{
    const char *wanted = getenv("TENON_SDK");
    if (wanted && *wanted) {
        if (take_sdk(toolchain, wanted, ".") || take_sdk(toolchain, wanted, "include")) return true;
        fprintf(stderr, "tenon build: TENON_SDK is \"%s\", which has no tenon/plugin.h\n", wanted);
        return false;
    }
    const char *program = tn_program_directory(&toolchain->arena, NULL);
    if (program &&
        (take_sdk(toolchain, program, "../sdk/include") || take_sdk(toolchain, program, "../include")))
        return true;
    fprintf(stderr, "tenon build: the headers were not found beside the program: set TENON_SDK\n");
    return false;
}

bool tn_toolchain_find(tn_toolchain *toolchain)
{
    *toolchain = (tn_toolchain){0};
    return find_compilers(toolchain) && find_sdk(toolchain);
}

/* ---- commands ---- */

bool tn_is_cxx(const char *source)
{
    const char *dot = strrchr(source, '.');
    return dot && (!strcmp(dot, ".cpp") || !strcmp(dot, ".cc") || !strcmp(dot, ".cxx"));
}

tn_words tn_compile_command(tn_toolchain *toolchain, tn_pass pass, const tn_words *include,
                            const char *source, const char *object, const char *dependencies)
{
    tn_words words = {0};
    tn_arena *arena = &toolchain->arena;
    const bool is_cxx = tn_is_cxx(source), differentiates = pass == TN_BUILD_DUAL || pass == TN_BUILD_SECOND;
    const tn_words *compiler = is_cxx || differentiates ? &toolchain->cxx : &toolchain->c;
    add_all(&words, compiler->word, compiler->count);
    ADD_ALL(&words, common_flags);
    /* routines are compiled once more when it is known what they are: warnings have been shown */
    tn_words_add(&words, toolchain->makes_routines ? "-w" : "-fvisibility=hidden");
    tn_words_add(&words, is_cxx ? "-std=gnu++20" : differentiates ? "-std=gnu++17" : "-std=gnu17");
    if (differentiates) ADD_ALL(&words, dual_flags);
    if (pass != TN_BUILD_VALUES) tn_words_add(&words, tn_arena_print(arena, "-DTN_PASS=%d", (int)pass));
    if (dependencies) add_all(&words, (const char *const[]){"-MD", "-MF", dependencies}, 3);
    for (size_t i = 0; i < include->count; i++)
        tn_words_add(&words, tn_arena_print(arena, "-I%s", include->word[i]));
    tn_words_add(&words, tn_arena_print(arena, "-I%s", toolchain->sdk));
    add_all(&words, (const char *const[]){"-c", safe_name(arena, source), "-o", object}, 4);
    return words;
}

tn_words tn_link_command(tn_toolchain *toolchain, const tn_words *objects, const tn_words *libraries,
                         const char *output)
{
    tn_words words = {0};
    tn_arena *arena = &toolchain->arena;
    const tn_words *linker = toolchain->links_cxx ? &toolchain->cxx : &toolchain->c;
    add_all(&words, linker->word, linker->count);
    /* routines call functions that the program has */
    if (!toolchain->makes_routines) tn_words_add(&words, "-Wl,-z,defs");
    add_all(&words, (const char *const[]){"-shared", "-Wl,-z,relro", "-Wl,-z,now"}, 3);
    add_all(&words, objects->word, objects->count);
    for (size_t i = 0; i < libraries->count; i++)
        tn_words_add(&words, tn_arena_print(arena, "-l%s", libraries->word[i]));
    add_all(&words, (const char *const[]){"-lm", "-o", safe_name(arena, output)}, 3);
    return words;
}
