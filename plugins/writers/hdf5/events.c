/* events.c - groups `events` and `modes` */
#include "store.h"

#include <stdlib.h>
#include <string.h>

static const char *word_of(uint32_t level)
{
    return level == TN_NOTE ? "note" : level == TN_WARNING ? "warning" : "error";
}

void store_events(store *to, const tn_recording *recording)
{
    const uint32_t count = recording->events;
    if (to->status != TN_OK || count == 0) return;
    const char **text = calloc(3 * (size_t)count, sizeof *text);
    double *time = calloc(count, sizeof *time);
    if (!text || !time) store_lacks_memory(to);
    for (uint32_t k = 0; k < count && to->status == TN_OK; k++) {
        const tn_recorded_event *event = &recording->event[k];
        time[k] = event->time;
        text[k] = word_of(event->level);
        text[count + k] = event->element;
        text[2 * (size_t)count + k] = event->text;
    }
    const hid_t group = store_group(to, "events"), scale = store_count_scale(to, group, "event", count);
    store_column(to, group, "time", scale, H5T_NATIVE_DOUBLE, time, count, "s",
                 "not a number: before the run");
    store_column(to, group, "level", scale, to->string, text, count, NULL, NULL);
    if (text) store_column(to, group, "element", scale, to->string, text + count, count, NULL, NULL);
    if (text) store_column(to, group, "text", scale, to->string, text + 2 * (size_t)count, count, NULL, NULL);
    store_dataset_close(to, scale);
    store_group_close(to, group);
    free(text);
    free(time);
}

/* ---- modes --------------------------------------------------------------------------------------------------- */

static void write_values(store *to, hid_t group, hid_t mode, hid_t part, const tn_recording *r)
{
    const store_shape shape = {.rank = 2, .size = {r->modes, 2}, .scale = {mode, part}};
    const hid_t dataset = store_dataset(to, group, "eigenvalue", H5T_IEEE_F64LE, &shape);
    store_text(to, dataset, "units", "1/s");
    for (uint32_t k = 0; k < r->modes; k++)
        store_write(to, dataset, H5T_NATIVE_DOUBLE, &shape, k, 1, r->mode[k].eigenvalue);
    store_dataset_close(to, dataset);
}

static void write_displacements(store *to, hid_t group, hid_t mode, hid_t part, const tn_recording *r)
{
    static const char *const motions[] = {"x", "y", "z", "rotation_x", "rotation_y", "rotation_z"};
    const char **names = calloc(r->tracks, sizeof *names);
    if (!names) store_lacks_memory(to);
    for (uint32_t k = 0; names && k < r->tracks; k++)
        names[k] = r->track[k].name;
    const hid_t track = store_text_scale(to, group, "names", names, r->tracks);
    const hid_t motion = store_text_scale(to, group, "motion", motions, 6);
    const store_shape shape = {.rank = 4,
                               .size = {r->modes, r->tracks, 6, 2},
                               .chunk = {1, r->tracks, 6, 2},
                               .scale = {mode, track, motion, part}};
    const hid_t dataset = store_dataset(to, group, "displacement", H5T_IEEE_F64LE, &shape);
    store_text(to, dataset, "description",
               "translation and rotation vector of each body, in ground axes; the largest of a mode is 1");
    for (uint32_t k = 0; k < r->modes; k++)
        store_write(to, dataset, H5T_NATIVE_DOUBLE, &shape, k, 1, r->mode[k].displacement);
    store_dataset_close(to, dataset);
    store_dataset_close(to, motion);
    store_dataset_close(to, track);
    free(names);
}

void store_modes(store *to, const tn_recording *recording)
{
    static const char *const parts[] = {"real", "imaginary"};
    const uint32_t count = recording->modes;
    if (to->status != TN_OK || count == 0) return;
    double *time = calloc(count, sizeof *time);
    if (!time) store_lacks_memory(to);
    for (uint32_t k = 0; time && k < count; k++)
        time[k] = recording->mode[k].time;
    const hid_t group = store_group(to, "modes");
    const hid_t mode = store_count_scale(to, group, "mode", count),
                part = store_text_scale(to, group, "part", parts, 2);
    store_column(to, group, "time", mode, H5T_NATIVE_DOUBLE, time, count, "s",
                 "of the state that the motion is about");
    write_values(to, group, mode, part, recording);
    if (recording->tracks > 0) write_displacements(to, group, mode, part, recording);
    store_dataset_close(to, part);
    store_dataset_close(to, mode);
    store_group_close(to, group);
    free(time);
}
