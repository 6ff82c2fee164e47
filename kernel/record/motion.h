/* motion.h - where bodies, and markers that are drawn, are at the state of the system, however they are asked for it. */
#ifndef TN_MOTION_H
#define TN_MOTION_H

#include "system/assembly.h"

/* Bodies and markers of one kind on the bodies of one group, whose functions are called for all of them together. */
typedef struct tn_carried {
    const tn_loaded_element *type;
    uint32_t group;
    tn_attachments attachments;
    size_t body_capacity, data_capacity;
    uint32_t *marker; /* [count] runtime marker that changes may move, or TN_NONE */
    size_t marker_capacity;
    uint32_t *track; /* [count] */
    size_t track_capacity;
    bool moves; /* one of them may */
} tn_carried;

/* Where the pose and twist of a track stand: in q and v, in memory of `carried`, or where an evaluation puts them. */
typedef struct tn_track_source {
    const double *pose, *twist;
    bool is_frame;
} tn_track_source;

typedef struct tn_motion {
    tn_assembly *assembly;
    tn_track_source *source; /* [count] */
    size_t count, capacity;
    tn_carried *carried;
    size_t carried_count, carried_capacity;
    bool evaluates; /* some are markers made of others: they are where the last evaluation has put them */
} tn_motion;

/* An attachment that its body has bound; its number, that of the track. `marker`: one that changes may move, or TN_NONE. */
uint32_t tn_motion_add(tn_motion *motion, uint32_t item, const tn_attachment *bound, uint32_t marker);
/* A marker made of others. */
uint32_t tn_motion_add_derived(tn_motion *motion, uint32_t marker);
/* All are known. */
void tn_motion_complete(tn_motion *motion);
/* Poses of all tracks at the state of the system; twists, too. */
tn_status tn_motion_find(tn_motion *motion, bool twists);
/* The pose of something that is bound to a body, now: 12 numbers, of a frame, 3 of a point. */
tn_status tn_motion_pose(const tn_assembly *assembly, uint32_t item, const tn_attachment *bound,
                         double *pose);

/* The unit quaternion of a rotation matrix, with w >= 0; not finite where that is not. */
void tn_quaternion_of(const double *rotation, double *quaternion);

#endif
