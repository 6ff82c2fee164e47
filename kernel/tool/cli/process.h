/* process.h - runs other programs, without a shell in between, and this one once more. */
#ifndef TN_PROCESS_H
#define TN_PROCESS_H

#include "base/text.h"
#include "cli/options.h"

#include <stdbool.h>

/* True when the program can be run: a path, or a name that is on PATH. */
bool tn_program_exists(const char *name);

/* Runs a program with these words and waits for it; its output goes where ours goes. True when it succeeded.
 * While it runs, an interrupt from the keyboard ends it alone, so that the caller can clean up. */
bool tn_run_program(tn_words words);

/* Runs a function in a child of this program and waits for it, likewise; what it writes to stderr is added to `told`, what
 * it prints goes nowhere. It is killed when it has not ended after so many seconds. Returns its status, 128 and the number of
 * a signal that has ended it, or one of these. */
enum { TN_CHILD_KILLED = -1, TN_CHILD_NOT_STARTED = -2 };
int tn_run_child(int (*work)(void *data), void *data, double seconds, tn_text *told);

/* A new directory in TMPDIR, or /tmp; NULL after a message that there is none for `contents`. `name` ends with XXXXXX. */
char *tn_make_directory(tn_arena *arena, const char *contents, const char *name);
/* Removes a directory with all that is in it. */
void tn_remove_tree(const char *directory);

#endif
