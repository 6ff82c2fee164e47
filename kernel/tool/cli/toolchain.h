/* toolchain.h - what a plugin is built with: compilers, headers, and the flags of every pass. */
#ifndef TN_TOOLCHAIN_H
#define TN_TOOLCHAIN_H

#include "base/memory.h"
#include "cli/options.h"

/* A file is compiled for its values, and once more for derivatives; the numbers are those of TN_PASS (tenon/author.h). */
typedef enum tn_pass { TN_BUILD_VALUES, TN_BUILD_DUAL, TN_BUILD_COMPLEX, TN_BUILD_SECOND } tn_pass;

typedef struct tn_toolchain {
    tn_words c, cxx;     /* program and first words; cxx is empty when there is no C++ compiler */
    bool links_cxx;      /* some file is one of C++ */
    bool makes_routines; /* of users (tenon/routine.h), in place of a plugin */
    const char *sdk;     /* directory that holds tenon/plugin.h */
    tn_arena arena;
} tn_toolchain;

/* Finds the compilers (CC and CXX, else the usual names) and the headers (TENON_SDK, else beside the program).
 * False after an error, which was printed. */
bool tn_toolchain_find(tn_toolchain *toolchain);

/* A file of C++, by its ending: all of its passes need a C++ compiler. */
bool tn_is_cxx(const char *source);

/* The command that compiles `source` to `object`; `dependencies` (or NULL) becomes a list of all headers. */
tn_words tn_compile_command(tn_toolchain *toolchain, tn_pass pass, const tn_words *include,
                            const char *source, const char *object, const char *dependencies);
/* The command that links objects into a plugin. */
tn_words tn_link_command(tn_toolchain *toolchain, const tn_words *objects, const tn_words *libraries,
                         const char *output);

#endif
