/* recordings.c - reads logs of runs (see recordings.h) */
#include "recordings.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

tn_recording *tn_record_open(const char *directory)
{
    tn_text reason = {0};
    const int folder = open(directory, O_RDONLY | O_DIRECTORY);
    assert_true(folder >= 0);
    tn_recording *recording = tn_recording_open(folder, directory, tn_diagnostics_new(), &reason);
    (void)close(folder);
    if (!recording) fail_msg("%s", reason.letters);
    return recording;
}

uint32_t tn_record_column(const tn_recording *recording, const char *name)
{
    uint32_t c = 0;
    while (c < recording->table[0].columns && strcmp(recording->table[0].column[c].name, name) != 0)
        c++;
    if (c == recording->table[0].columns) fail_msg("no column %s", name);
    return c;
}

uint32_t tn_record_track(const tn_recording *recording, const char *name)
{
    uint32_t k = 0;
    while (k < recording->tracks && strcmp(recording->track[k].name, name) != 0)
        k++;
    if (k == recording->tracks) fail_msg("no track %s", name);
    return k;
}

double *tn_record_rows(const tn_recording *recording, uint32_t table)
{
    const tn_recorded_table *from = &recording->table[table];
    double *value = calloc((size_t)from->rows * from->columns + 1, sizeof *value);
    assert_non_null(value);
    assert_int_equal(recording->rows(recording, table, 0, from->rows, value), TN_OK);
    return value;
}

static double time_of(const tn_recording *recording, uint64_t frame)
{
    double time = 0.0;
    assert_int_equal(recording->frame(recording, frame, 1, &time, NULL, NULL), TN_OK);
    return time;
}

void tn_record_pose(const tn_recording *recording, uint32_t track, double time, double *pose)
{
    uint64_t low = 0, high = recording->frames - 1;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (time_of(recording, middle) <= time)
            low = middle;
        else
            high = middle;
    }
    double *all = calloc(14 * (size_t)recording->tracks, sizeof *all), square = 0.0;
    assert_int_equal(recording->frame(recording, low, 2, NULL, all, NULL), TN_OK);
    const double *a = all + 7 * (size_t)track, *b = a + 7 * (size_t)recording->tracks;
    const double first = time_of(recording, low), last = time_of(recording, high);
    const double share = last > first ? (time - first) / (last - first) : 0.0;
    for (int k = 0; k < 7; k++)
        pose[k] = a[k] + share * (b[k] - a[k]);
    for (int k = 3; k < 7; k++)
        square += pose[k] * pose[k];
    for (int k = 3; k < 7; k++)
        pose[k] /= sqrt(square);
    free(all);
}
