/* motion.c - groups `bodies` and `wrenches`: poses of the tracks, and forces on them, at the times of the frames */
#include "store.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_NUMBERS = 1 << 15, /* of a dataset, about */
    PIECE_NUMBERS = 1 << 19  /* in memory, about */
};

/* A group with two datasets [frames][objects][components]. */
typedef struct motion_group {
    hid_t group, time, names, axis, axis_too;
    hid_t dataset[2];
    store_shape shape[2];
    size_t things;
} motion_group;

typedef struct motion_writing {
    store *to;
    const tn_recording *recording;
    motion_group bodies, wrenches;
    store_shape time;
    uint64_t chunk, piece; /* frames */
    double *at, *pose, *wrench, *part;
} motion_writing;

static const char *const axes[] = {"x", "y", "z"}, *const quaternion_parts[] = {"w", "x", "y", "z"};

static const char **list(store *to, size_t count)
{
    const char **texts = calloc(count + 1, sizeof *texts);
    if (!texts) store_lacks_memory(to);
    return texts;
}

static void make_dataset(motion_writing *work, motion_group *of, int number, const char *name, hid_t axis,
                         hsize_t size, const char *units, const char *description)
{
    store *to = work->to;
    of->shape[number] = (store_shape){.rank = 3,
                                      .size = {work->recording->frames, of->things, size},
                                      .chunk = {work->chunk, of->things, size},
                                      .scale = {of->time, of->names, axis}};
    of->dataset[number] =
        store_dataset(to, of->group, name, to->single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE, &of->shape[number]);
    store_text(to, of->dataset[number], "units", units);
    store_text(to, of->dataset[number], "description", description);
}

/* Times of frames as a scale, and names. */
static void begin_group(motion_writing *work, motion_group *of, const char *name, const char *const *names,
                        size_t count)
{
    store *to = work->to;
    of->things = count;
    of->group = store_group(to, name);
    of->time = store_dataset(to, of->group, "time", H5T_IEEE_F64LE, &work->time);
    store_make_scale(to, of->time, "time");
    store_text(to, of->time, "units", "s");
    of->names = store_text_scale(to, of->group, "names", names, count);
    of->axis = store_text_scale(to, of->group, "axis", axes, 3);
}

static void end_group(motion_writing *work, motion_group *of)
{
    if (of->things == 0) return;
    for (int k = 0; k < 2; k++)
        store_dataset_close(work->to, of->dataset[k]);
    store_dataset_close(work->to, of->time);
    store_dataset_close(work->to, of->names);
    store_dataset_close(work->to, of->axis);
    if (of->axis_too > 0) store_dataset_close(work->to, of->axis_too);
    store_group_close(work->to, of->group);
}

static void begin_bodies(motion_writing *work)
{
    const tn_recording *r = work->recording;
    store *to = work->to;
    const char **names = list(to, r->tracks), **types = list(to, r->tracks);
    int32_t *flag = calloc(2 * (size_t)r->tracks + 1, sizeof *flag);
    if (!flag) store_lacks_memory(to);
    for (uint32_t k = 0; k < r->tracks && to->status == TN_OK; k++) {
        names[k] = r->track[k].name;
        types[k] = r->track[k].type;
        flag[k] = (int32_t)r->track[k].is_body;
        flag[r->tracks + k] = (int32_t)r->track[k].has_rotation;
    }
    if (to->status == TN_OK) {
        motion_group *of = &work->bodies;
        begin_group(work, of, "bodies", names, r->tracks);
        of->axis_too = store_text_scale(to, of->group, "part", quaternion_parts, 4);
        make_dataset(work, of, 0, "position", of->axis, 3, "m", "of the reference point, in ground axes");
        make_dataset(work, of, 1, "quaternion", of->axis_too, 4, "1",
                     "takes components of the body's axes to those of ground");
        store_column(to, of->group, "type", of->names, to->string, types, r->tracks, NULL,
                     "type of the element, or of a marker");
        store_column(to, of->group, "is_body", of->names, H5T_NATIVE_INT32, flag, r->tracks, NULL,
                     "0: a marker that is not fixed to a body");
        store_column(to, of->group, "has_rotation", of->names, H5T_NATIVE_INT32, flag + r->tracks, r->tracks,
                     NULL, "0: a point, whose quaternion is (1, 0, 0, 0)");
    }
    free(names);
    free(types);
    free(flag);
}

/* Writes the places of wrenches. */
static void describe_places(motion_writing *work, const char **text, double *position)
{
    const tn_recording *r = work->recording;
    motion_group *of = &work->wrenches;
    store *to = work->to;
    for (uint32_t k = 0; k < r->wrenches; k++) {
        const uint32_t track = r->wrench[k].place.track;
        text[k] = track == TN_GROUND_TRACK ? "ground" : r->track[track].name;
        memcpy(position + 3 * (size_t)k, r->wrench[k].place.position, 3 * sizeof *position);
    }
    store_column(to, of->group, "on", of->names, to->string, text, r->wrenches, NULL,
                 "the body that they act on");
    for (uint32_t k = 0; k < r->wrenches; k++)
        text[k] = r->wrench[k].type;
    store_column(to, of->group, "type", of->names, to->string, text, r->wrenches, NULL,
                 "type of the element");
    const store_shape shape = {.rank = 2, .size = {r->wrenches, 3}, .scale = {of->names, of->axis}};
    const hid_t place = store_dataset(to, of->group, "place", H5T_IEEE_F64LE, &shape);
    store_write(to, place, H5T_NATIVE_DOUBLE, &shape, 0, r->wrenches, position);
    store_text(to, place, "units", "m");
    store_text(to, place, "description", "the point of action, in the axes of the body");
    store_dataset_close(to, place);
}

static void begin_wrenches(motion_writing *work)
{
    const tn_recording *r = work->recording;
    store *to = work->to;
    const char **text = list(to, r->wrenches);
    double *position = calloc(3 * (size_t)r->wrenches + 1, sizeof *position);
    if (!position) store_lacks_memory(to);
    for (uint32_t k = 0; k < r->wrenches && to->status == TN_OK; k++)
        text[k] = r->wrench[k].element;
    if (to->status == TN_OK) {
        motion_group *of = &work->wrenches;
        begin_group(work, of, "wrenches", text, r->wrenches);
        make_dataset(work, of, 0, "force", of->axis, 3, "N", "of the element on the place, in ground axes");
        make_dataset(work, of, 1, "torque", of->axis, 3, "N m",
                     "of the element about the place, in ground axes");
        describe_places(work, text, position);
    }
    free(text);
    free(position);
}

/* Copies components `from` to `from + width - 1` of each object. */
static void write_part(motion_writing *work, const motion_group *of, int number, const double *value,
                       size_t stride, size_t from, uint64_t first, uint64_t count)
{
    const size_t width = (size_t)of->shape[number].size[2], things = (size_t)count * of->things;
    for (size_t k = 0; k < things; k++)
        memcpy(work->part + k * width, value + k * stride + from, width * sizeof *value);
    store_write(work->to, of->dataset[number], H5T_NATIVE_DOUBLE, &of->shape[number], first, count,
                work->part);
}

static void write_frames(motion_writing *work, uint64_t first, uint64_t count)
{
    const motion_group *bodies = &work->bodies, *wrenches = &work->wrenches;
    if (bodies->things > 0) {
        store_write(work->to, bodies->time, H5T_NATIVE_DOUBLE, &work->time, first, count, work->at);
        write_part(work, bodies, 0, work->pose, 7, 0, first, count);
        write_part(work, bodies, 1, work->pose, 7, 3, first, count);
    }
    if (wrenches->things > 0) {
        store_write(work->to, wrenches->time, H5T_NATIVE_DOUBLE, &work->time, first, count, work->at);
        write_part(work, wrenches, 0, work->wrench, 6, 0, first, count);
        write_part(work, wrenches, 1, work->wrench, 6, 3, first, count);
    }
}

/* Frames are read and written in pieces of whole chunks. */
static bool make_buffers(motion_writing *work)
{
    const tn_recording *r = work->recording;
    const size_t numbers = 7 * (size_t)r->tracks + 6 * (size_t)r->wrenches;
    const uint64_t frames = r->frames > 0 ? r->frames : 1,
                   most = r->tracks > r->wrenches ? r->tracks : r->wrenches;
    work->chunk = CHUNK_NUMBERS / (4 * most);
    if (work->chunk < 1) work->chunk = 1;
    if (work->chunk > frames) work->chunk = frames;
    const uint64_t chunks = PIECE_NUMBERS / (numbers * work->chunk);
    work->piece = work->chunk * (chunks > 0 ? chunks : 1);
    if (work->piece > frames) work->piece = frames;
    work->time = (store_shape){.rank = 1, .size = {r->frames}, .chunk = {work->piece}};
    work->at = malloc((size_t)work->piece * sizeof *work->at);
    work->pose = malloc(7 * (size_t)work->piece * r->tracks * sizeof *work->pose + 1);
    work->wrench = malloc(6 * (size_t)work->piece * r->wrenches * sizeof *work->wrench + 1);
    work->part = malloc(4 * (size_t)work->piece * most * sizeof *work->part);
    return work->at && work->pose && work->wrench && work->part;
}

void store_motion(store *to, const tn_recording *recording)
{
    motion_writing work = {.to = to, .recording = recording};
    if (to->status != TN_OK || recording->tracks + (uint64_t)recording->wrenches == 0) return;
    if (!make_buffers(&work)) store_lacks_memory(to);
    if (recording->tracks > 0 && to->status == TN_OK) begin_bodies(&work);
    if (recording->wrenches > 0 && to->status == TN_OK) begin_wrenches(&work);
    for (uint64_t first = 0; first < recording->frames && to->status == TN_OK; first += work.piece) {
        const uint64_t rest = recording->frames - first, count = rest < work.piece ? rest : work.piece;
        const tn_status status =
            recording->frame(recording, first, count, work.at, recording->tracks > 0 ? work.pose : NULL,
                             recording->wrenches > 0 ? work.wrench : NULL);
        if (status != TN_OK)
            to->status = status;
        else
            write_frames(&work, first, count);
    }
    end_group(&work, &work.bodies);
    end_group(&work, &work.wrenches);
    free(work.at);
    free(work.pose);
    free(work.wrench);
    free(work.part);
}
