/* later.h - conversion of the results of a finished or killed run. */
#ifndef TN_LATER_H
#define TN_LATER_H

#include "run/deliveries.h"
#include "run/study.h"

#include <tenon/draft/recording.h>

/* Opens the results in a directory, for a study that has writers only: their recording, and the status in run.toml. NULL after a message. */
tn_recording *tn_later_open(tn_study *study, const char *directory, const char **status);
/* Opens another recording, whose results are not changed. */
tn_recording *tn_later_read(tn_study *study, const char *directory);
/* Calls the writers of the study's plan, also those of rows; false after messages. `deliveries` NULL: files go into the folder of results. */
bool tn_later_convert(tn_study *study, const tn_recording *const *recording, uint32_t count,
                      const tn_deliveries *deliveries);
/* Enters in run.toml that the run was killed, and the time that it had reached. False after a message. */
bool tn_later_mark_killed(tn_study *study, double time);

#endif
