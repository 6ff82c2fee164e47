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
/* Reads what the run has written since. TN_LOG_REPLACED: the file is another one, or was cut back to a checkpoint; it must be opened again. */
typedef enum tn_log_news { TN_LOG_SAME, TN_LOG_LONGER, TN_LOG_REPLACED } tn_log_news;
tn_log_news tn_recording_refresh(tn_recording *recording, int folder);
/* Whether the log contains the end of the run. */
bool tn_recording_ended(const tn_recording *recording);
/* The events in the order of the log; those of the recording are sorted by time. */
const tn_recorded_event *tn_recording_events(const tn_recording *recording);
/* Sets the status of a run whose log has no end. The text lives as long as the recording. */
void tn_recording_put_status(tn_recording *recording, const char *status);
void tn_recording_close(tn_recording *recording);

#endif
