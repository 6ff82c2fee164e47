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
/* Reads on in the log of a run that goes on. TN_LOG_REPLACED: another run, or one that has gone back to a checkpoint, writes the log:
 * it is to be opened anew. */
typedef enum tn_log_news { TN_LOG_SAME, TN_LOG_LONGER, TN_LOG_REPLACED } tn_log_news;
tn_log_news tn_recording_refresh(tn_recording *recording, int folder);
/* Whether the log has its end. */
bool tn_recording_ended(const tn_recording *recording);
/* The events in the order in which they were written, where those of the recording ascend. */
const tn_recorded_event *tn_recording_events(const tn_recording *recording);
/* NULL where all of the file was read; else where and why reading has ended: the run was killed, or the file is damaged. */
const char *tn_recording_rest(const tn_recording *recording);
/* The status of a run whose log has no end, as it is known from elsewhere; the text lives as long as the recording. */
void tn_recording_put_status(tn_recording *recording, const char *status);
void tn_recording_close(tn_recording *recording);

#endif
