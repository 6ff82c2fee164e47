/* crash.h - a crash ends the program with a message and status 1, and a run with a run.toml that tells it.
 *
 * SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, an overflow of the stack, and calls that end the process or take it to another
 * directory are reported with the plugin whose function was running (see plugin/call_site.h). Finished rows of results that are not
 * on disk already are written then (tenon/draft/append.h). A thread that a plugin has started has no second stack: an overflow of
 * its own ends the program by the signal. */
#ifndef TN_CRASH_H
#define TN_CRASH_H

#include <signal.h>
#include <stdbool.h>

/* Called once, by the thread that runs everything. */
void tn_crash_catch(void);

/* Reports a plugin that has called this function of the C library, and ends the program; returns when no plugin has. */
void tn_crash_refuse(const char *call);
/* Tells in whose call the program is, which goes on. */
void tn_crash_tell_place(void);
/* Reports that there was no memory for something, as a crash is reported; the exit status. */
int tn_crash_lacks_memory(const char *what);
/* Ends the program in the current step, with the run.toml of an interrupted run. */
void tn_crash_interrupted(int signal);

/* Ends the program after so many seconds, with a report of whose call it is in, as at a crash. A run is asked first, where `ask` is not
 * NULL: it gets the number of a signal, and the run has two seconds more to end by itself. Called once; false, with the reason in
 * errno: there is no timer. */
bool tn_crash_limit(unsigned seconds, volatile sig_atomic_t *ask);
/* There is no limit any more. */
void tn_crash_unlimit(void);

struct tn_study;
/* The study in hand, to be asked for names and the time; NULL for none. */
void tn_crash_watch(const struct tn_study *study, bool without_progress);

#endif
