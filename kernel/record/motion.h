/* motion.h - poses and twists of all tracks, which are bodies and drawn markers, at the state of the system. */
#ifndef TN_MOTION_H
#define TN_MOTION_H

#include "system/assembly.h"

/* Bodies and markers of one kind, with as much data, on the bodies of one group, whose functions are called for all of them together. */
typedef struct tn_carried {
    const tn_loaded_element *type;
    uint32_t group;
    tn_attachments attachments;
    size_t body_capacity, data_capacity;
    uint32_t *marker; /* [count] runtime marker that changes may move, or TN_NONE */
    size_t marker_capacity;
    uint32_t *track; /* [count] */
    size_t track_capacity;
    bool moves; /* changes may move one of them */
} tn_carried;

/* Where the pose and twist of a track are stored: in the memory of evaluations, q and v among it, or in that of the motion. */
typedef struct tn_track_source {
    tn_marker_place place;
    bool is_carried, is_frame;
} tn_track_source;

typedef struct tn_motion {
    tn_assembly *assembly;
    tn_track_source *source; /* [count] */
    size_t count, capacity;
    tn_carried *carried;
    size_t carried_count, carried_capacity;
    double *pose, *twist; /* of all that are carried */
    bool evaluates;       /* some are markers made of others, whose poses are those of the last evaluation */
} tn_motion;

/* The present pose and twist of a track. */
static inline const double *tn_track_pose(const tn_motion *motion, const tn_track_source *source)
{
    return (source->is_carried ? motion->pose : motion->assembly->configuration) + source->place.pose;
}
static inline const double *tn_track_twist(const tn_motion *motion, const tn_track_source *source)
{
    return (source->is_carried ? motion->twist : motion->assembly->motion) + source->place.twist;
}

/* Adds a track: an attachment that its body has bound. Returns its number. `marker`: one that changes may move, or TN_NONE. */
uint32_t tn_motion_add(tn_motion *motion, uint32_t item, const tn_attachment *bound, uint32_t marker);
/* Adds a track: a marker made of others. */
uint32_t tn_motion_add_derived(tn_motion *motion, uint32_t marker);
/* All tracks have been added: allocates memory for their poses. */
void tn_motion_complete(tn_motion *motion);
/* Evaluates poses of all tracks, and twists on demand. */
tn_status tn_motion_find(tn_motion *motion, bool twists);
/* The present pose of an attachment of a body: 12 numbers of a frame, 3 of a point. */
tn_status tn_motion_pose(const tn_assembly *assembly, uint32_t item, const tn_attachment *bound,
                         double *pose);

/* The unit quaternion of a rotation matrix, with w >= 0; not finite where the matrix is not. */
void tn_quaternion_of(const double *rotation, double *quaternion);

#endif
