/* recordings.h - reads logs of runs. */
#ifndef TENON_TESTS_SYSTEM_RECORDINGS_H
#define TENON_TESTS_SYSTEM_RECORDINGS_H

#include "harness.h"

#include "record/recording.h"

/* The log in a directory of results. */
tn_recording *tn_record_open(const char *directory);
/* The number of the column of this name in the first table. */
uint32_t tn_record_column(const tn_recording *recording, const char *name);
/* The number of the track of this name. */
uint32_t tn_record_track(const tn_recording *recording, const char *name);
/* All numbers of a table. */
double *tn_record_rows(const tn_recording *recording, uint32_t table);
/* The pose of a track between frames: position linear, quaternion linear and of unit length. */
void tn_record_pose(const tn_recording *recording, uint32_t track, double time, double *pose);

#endif
