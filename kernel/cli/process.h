/* process.h - runs other programs, without a shell in between. */
#ifndef TN_PROCESS_H
#define TN_PROCESS_H

#include "cli/options.h"

#include <stdbool.h>

/* True when the program can be run: a path, or a name that is on PATH. */
bool tn_program_exists(const char *name);

/* Runs a program with these words and waits for it; its output goes where ours goes. True when it succeeded.
 * While it runs, an interrupt from the keyboard ends it alone, so that the caller can clean up. */
bool tn_run_program(const tn_words *words);

#endif
