/* later.h - more is made of the results of a run that is over, or of what one that was killed has left. */
#ifndef TN_LATER_H
#define TN_LATER_H

#include "run/deliveries.h"
#include "run/study.h"

#include <tenon/draft/recording.h>

/* The results in a directory, for a study that has writers only: their recording, and the status that run.toml says. NULL after a
 * message. */
tn_recording *tn_later_open(tn_study *study, const char *directory, const char **status);
/* Another recording, which is only read. */
tn_recording *tn_later_read(tn_study *study, const char *directory);
/* Lets the writers of the study's plan convert, also those of rows: false after messages. NULL: their files go into the folder of
 * results. */
bool tn_later_convert(tn_study *study, const tn_recording *const *recording, uint32_t count,
                      const tn_deliveries *deliveries);
/* run.toml says that the run was killed, and had come to this time. False after a message. */
bool tn_later_mark_killed(tn_study *study, double time);

#endif
