/* recording.h - the log of a run read back (tenon/draft/recording.h). */
#ifndef TN_RECORDING_H
#define TN_RECORDING_H

#include "base/text.h"
#include "config/diagnostics.h"

#include <tenon/draft/recording.h>

/* Reads the log in a folder of results, an open directory of this name: all whole blocks, each of which is checked once. NULL with the
 * reason, "DIR/rows.tnl ...": there is none, it is of another version, or not even the model can be read. Later faults of the file go to
 * `diagnostics`. */
tn_recording *tn_recording_open(int folder, const char *directory, tn_diagnostics *diagnostics,
                                tn_text *reason);
/* NULL where all of the file was read; else where and why reading has ended: the run was killed, or the file is damaged. */
const char *tn_recording_rest(const tn_recording *recording);
/* The same for one whose run goes on: its status. */
void tn_recording_runs(tn_recording *recording);
void tn_recording_close(tn_recording *recording);

#endif
