/* recording.h - reads the log of a run as a recording (tenon/draft/recording.h). */
#ifndef TN_RECORDING_H
#define TN_RECORDING_H

#include "base/text.h"
#include "config/diagnostics.h"

#include <tenon/draft/recording.h>

/* Reads and checks the log in a folder of results, an open directory of this name. NULL with the reason, "DIR/rows.tnl ...", where there
 * is none, its version is another one, or the model cannot be read. Later faults of the file are reported to `diagnostics`. */
tn_recording *tn_recording_open(int folder, const char *directory, tn_diagnostics *diagnostics,
                                tn_text *reason);
/* NULL where the whole file was read; else where and why reading stopped: the run was killed, or the file is damaged. */
const char *tn_recording_rest(const tn_recording *recording);
/* The run still goes on: its status is "running" instead of "killed". */
void tn_recording_runs(tn_recording *recording);
void tn_recording_close(tn_recording *recording);

#endif
