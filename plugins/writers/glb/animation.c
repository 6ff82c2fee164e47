/* animation.c - the motion of tracks and of parts between two places, frame by frame: translations and scales as floats, rotations as
 * 16 bit integers */
#include "glb.h"

/* Room for all frames. Each motion has its own rows, as accessors of animations have no stride. */
static bool make_room(glb_scene *of, size_t frames)
{
    const size_t tracks = of->recording->tracks, between = of->motions - tracks;
    of->frame_room = frames;
    if (frames > SIZE_MAX / 64 / (of->motions + 1)) return false;
    of->time = calloc(frames + 1, sizeof *of->time);
    of->numbers = calloc(3 * frames * (of->motions + between) + 1, sizeof *of->numbers);
    of->rotations = calloc(4 * frames * of->motions + 1, sizeof *of->rotations);
    if (!of->time || !of->numbers || !of->rotations) return false;
    for (size_t k = 0; k < of->motions; k++) {
        glb_motion *motion = &of->motion[k];
        motion->translation = of->numbers + 3 * frames * k;
        motion->scale = k >= tracks ? of->numbers + 3 * frames * (of->motions + k - tracks) : NULL;
        motion->rotation = of->rotations + 4 * frames * k;
        motion->last[0] = 1.0;
    }
    return true;
}

/* Stores a pose as frame `of->frames`. The sign of a quaternion is the one nearer to the last; in glTF w follows x, y, z. */
static void store(glb_scene *of, glb_motion *motion, const double *pose, double stretch)
{
    double q[4], dot = 0.0;
    memcpy(q, pose + 3, sizeof q);
    tn_turn_normalize(q);
    for (size_t k = 0; k < 4; k++)
        dot += q[k] * motion->last[k];
    for (size_t k = 0; k < 4; k++) {
        motion->last[k] = dot < 0.0 ? -q[k] : q[k];
        motion->rotation[4 * of->frames + (k + 3) % 4] = (int16_t)lround(32767.0 * motion->last[k]);
    }
    for (size_t k = 0; k < 3; k++)
        motion->translation[3 * of->frames + k] = (float)pose[k];
    for (size_t k = 0; motion->scale && k < 3; k++)
        motion->scale[3 * of->frames + k] = k == 2 ? (float)stretch : 1.0f;
    if (of->frames == 0) {
        glb_node *node = &of->node[motion->node];
        memcpy(node->pose, pose, 3 * sizeof *pose);
        memcpy(node->pose + 3, q, sizeof q);
        node->stretch = stretch;
    }
}

static void store_frame(glb_scene *of, double time, const double *tracks, double (*between)[7])
{
    size_t number = of->recording->tracks;
    for (size_t k = 0; k < number; k++)
        store(of, &of->motion[k], tracks + 7 * k, 1.0);
    for (size_t k = 0; k < of->scene.parts; k++) {
        const tn_scene_part *part = &of->scene.part[k];
        if (!part->between) continue;
        double *pose = between[number - of->recording->tracks];
        const double stretch = tn_scene_between(&of->scene, part, tracks, pose);
        store(of, &of->motion[number++], pose, stretch);
    }
    // glTF wants ascending times, also of two frames at a jump, or closer than the resolution of floats
    float at = (float)(time - of->start);
    if (of->frames > 0 && !(at > of->time[of->frames - 1]))
        at = nextafterf(of->time[of->frames - 1], INFINITY);
    of->time[of->frames++] = at;
}

/* Makes the scene of the first frame, then stores all frames. */
static tn_status read_frames(glb_scene *of, tn_motion *motion)
{
    double(*between)[7] = NULL;
    tn_status status = tn_motion_next(motion);
    if (status != TN_OK) return status;
    const double *first = motion->ended ? NULL : motion->pose;
    of->status = tn_scene_make(&of->scene, of->host, of->recording, first, 24);
    if (of->status == TN_OK) glb_make_nodes(of, first);
    if (of->status == TN_OK && (!make_room(of, first ? (size_t)motion->count : 0) ||
                                !(between = calloc(of->motions + 1, sizeof *between))))
        of->status = TN_OUT_OF_MEMORY;
    for (size_t k = 0; between && k < of->motions; k++)
        between[k][3] = 1.0;
    if (first) of->start = motion->time;
    while (of->status == TN_OK && !motion->ended) {
        store_frame(of, motion->time, motion->pose, between);
        of->status = tn_motion_next(motion);
    }
    free(between);
    return of->status;
}

tn_status glb_read_motion(glb_scene *of, double rate, uint64_t most)
{
    tn_motion motion;
    of->status = tn_motion_begin(&motion, of->host, of->recording, rate, most);
    if (of->status == TN_OK) of->status = read_frames(of, &motion);
    tn_motion_end(&motion);
    if (of->status == TN_OK && of->frames == 0 && of->recording->tracks > 0)
        tn_say(of->host, TN_WARNING, "glb: there is no frame: the scene has only drawings on the ground");
    return of->status;
}

/* ---- channels ------------------------------------------------------------------------------------------------ */

static bool changes(const void *data, size_t frames, size_t bytes)
{
    for (size_t k = 1; k < frames; k++)
        if (memcmp(data, (const char *)data + k * bytes, bytes) != 0) return true;
    return false;
}

static void add_channel(glb_scene *of, uint32_t times, uint32_t node, const char *path, glb_view_kind view,
                        const void *data, const char *rest)
{
    const uint32_t values = glb_add_accessor(of, view, data, of->frames, rest);
    const char *comma = of->samplers > 0 ? "," : "";
    glb_print(&of->sampler_text, "%s{\"input\":%u,\"output\":%u}", comma, times, values);
    glb_print(&of->channel_text, "%s{\"sampler\":%zu,\"target\":{\"node\":%u,\"path\":\"%s\"}}", comma,
              of->samplers++, node, path);
}

/* Nodes that do not move have no channels, but a constant pose. */
void glb_make_animation(glb_scene *of)
{
    if (of->frames < 2) return;
    char range[100];
    (void)snprintf(range, sizeof range, "5126,\"type\":\"SCALAR\",\"min\":[%.9g],\"max\":[%.9g]",
                   (double)of->time[0], (double)of->time[of->frames - 1]);
    uint32_t times = GLB_NONE;
    for (size_t k = 0; k < of->motions && of->status == TN_OK; k++) {
        const glb_motion *motion = &of->motion[k];
        const bool moves = changes(motion->translation, of->frames, 12);
        const bool turns = changes(motion->rotation, of->frames, 8);
        const bool stretches = motion->scale && changes(motion->scale, of->frames, 12);
        if ((moves || turns || stretches) && times == GLB_NONE)
            times = glb_add_accessor(of, GLB_NUMBERS, of->time, of->frames, range);
        if (moves)
            add_channel(of, times, motion->node, "translation", GLB_NUMBERS, motion->translation,
                        "5126,\"type\":\"VEC3\"");
        if (turns)
            add_channel(of, times, motion->node, "rotation", GLB_ROTATIONS, motion->rotation,
                        "5122,\"normalized\":true,\"type\":\"VEC4\"");
        if (stretches)
            add_channel(of, times, motion->node, "scale", GLB_NUMBERS, motion->scale,
                        "5126,\"type\":\"VEC3\"");
    }
}
