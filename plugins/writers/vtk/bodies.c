/* bodies.c - the tracks of a frame as points, with names, rotations, forces and torques */
#include "vtk.h"

void vtk_bodies_free(vtk_bodies *bodies)
{
    free(bodies->position);
    free(bodies->quaternion);
    free(bodies->force);
    free(bodies->torque);
    free(bodies->number);
    free(bodies->offset);
    free(bodies->names);
    *bodies = (vtk_bodies){0};
}

/* A number for each track, and their names. */
static tn_status list_tracks(vtk_bodies *bodies)
{
    const tn_recording *recording = bodies->recording;
    for (uint32_t k = 0; k < recording->tracks; k++) {
        bodies->number[k] = (int32_t)k;
        bodies->offset[k] = (int32_t)k + 1;
        bodies->name_bytes += strlen(recording->track[k].name) + 1;
    }
    char *to = bodies->names = malloc((size_t)bodies->name_bytes + 1);
    if (!to) return TN_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < recording->tracks; k++) {
        const size_t length = strlen(recording->track[k].name) + 1;
        memcpy(to, recording->track[k].name, length);
        to += length;
    }
    return TN_OK;
}

tn_status vtk_bodies_make(vtk_bodies *bodies, const tn_recording *recording)
{
    const size_t tracks = recording->tracks;
    *bodies = (vtk_bodies){.recording = recording};
    if (tracks > INT32_MAX) return TN_UNSUPPORTED;
    bodies->position = calloc(3 * tracks + 1, sizeof(double));
    bodies->quaternion = calloc(4 * tracks + 1, sizeof(double));
    bodies->force = calloc(3 * tracks + 1, sizeof(double));
    bodies->torque = calloc(3 * tracks + 1, sizeof(double));
    bodies->number = calloc(tracks + 1, sizeof(int32_t));
    bodies->offset = calloc(tracks + 1, sizeof(int32_t));
    if (!bodies->position || !bodies->quaternion || !bodies->force || !bodies->torque || !bodies->number ||
        !bodies->offset)
        return TN_OUT_OF_MEMORY;
    return list_tracks(bodies);
}

/* The force of an element on a track, and its torque about the origin of the track. */
static void add_wrench(vtk_bodies *bodies, const tn_recorded_wrench *wrench, const double *pose,
                       const double *value)
{
    double place[7], arm[3];
    const size_t track = wrench->place.track;
    tn_scene_place(&wrench->place, pose, place);
    for (size_t k = 0; k < 3; k++)
        arm[k] = place[k] - pose[7 * track + k];
    double *force = bodies->force + 3 * track, *torque = bodies->torque + 3 * track;
    for (size_t k = 0; k < 3; k++) {
        const size_t i = (k + 1) % 3, j = (k + 2) % 3;
        force[k] += value[k];
        torque[k] += value[3 + k] + arm[i] * value[j] - arm[j] * value[i];
    }
}

tn_status vtk_bodies_write(vtk_bodies *bodies, const tn_host *host, const char *folder, const char *name,
                           const tn_motion *motion)
{
    const tn_recording *recording = bodies->recording;
    const uint64_t tracks = recording->tracks;
    for (size_t k = 0; k < tracks; k++) {
        memcpy(bodies->position + 3 * k, motion->pose + 7 * k, 3 * sizeof(double));
        memcpy(bodies->quaternion + 4 * k, motion->pose + 7 * k + 3, 4 * sizeof(double));
    }
    memset(bodies->force, 0, 3 * (size_t)tracks * sizeof(double));
    memset(bodies->torque, 0, 3 * (size_t)tracks * sizeof(double));
    for (size_t k = 0; k < recording->wrenches; k++)
        if (recording->wrench[k].place.track != TN_GROUND_TRACK)
            add_wrench(bodies, &recording->wrench[k], motion->pose, motion->wrench + 6 * k);
    vtk_polydata data = {.points = tracks, .vertices = tracks};
    vtk_add(&data, VTK_FIELD_DATA, "Float64", "TimeValue", 1, &motion->time, sizeof motion->time);
    data.array[0].tuples = 1;
    if (tracks > 0) {
        vtk_add(&data, VTK_FIELD_DATA, "String", "names", 1, bodies->names, bodies->name_bytes);
        data.array[1].tuples = tracks;
    }
    vtk_add(&data, VTK_POINT_DATA, "Int32", "body", 1, bodies->number, tracks * 4);
    vtk_add(&data, VTK_POINT_DATA, "Float64", "quaternion", 4, bodies->quaternion, tracks * 32);
    vtk_add(&data, VTK_POINT_DATA, "Float64", "force", 3, bodies->force, tracks * 24);
    vtk_add(&data, VTK_POINT_DATA, "Float64", "torque", 3, bodies->torque, tracks * 24);
    vtk_add(&data, VTK_POINTS, "Float64", "position", 3, bodies->position, tracks * 24);
    vtk_add(&data, VTK_VERTICES, "Int32", "connectivity", 1, bodies->number, tracks * 4);
    vtk_add(&data, VTK_VERTICES, "Int32", "offsets", 1, bodies->offset, tracks * 4);
    return vtk_write_polydata(host, folder, name, &data);
}
