/* tenon/draft/recording.h - the results of a run as a whole: the model as pictures show it, rows of sensors, motion of bodies, events,
 * modes; and "tenon.conversion/1" of writers, which make files of it: a page, a scene, an archive.
 *
 * A run records all this in one file, rows.tnl, as it goes. Writers with the capability are called behind the run, or later by
 * `tenon convert`. All texts are UTF-8, and live as long as the recording; all numbers are SI, positions and vectors in ground axes,
 * quaternions (w, x, y, z) of unit length that take components of the moving axes to those of ground. */
#ifndef TENON_DRAFT_RECORDING_H
#define TENON_DRAFT_RECORDING_H

#include "tenon/draft/drawing.h"
#include "tenon/writer.h"

#define TN_GROUND_TRACK UINT32_MAX

/* ---- the model --------------------------------------------------------------------------------------------- */

/* What moves, and whose motion is recorded: bodies first, then markers that ride on none of them but are drawn. Names have the parts
 * that they belong to in front: "front.left.wheel". */
typedef struct tn_recorded_track {
    uint32_t struct_size;
    uint32_t is_body;
    const char *name;
    const char *type;      /* of the element or marker: "rigid_body" */
    uint32_t has_rotation; /* 0: a point, whose quaternions are (1, 0, 0, 0) */
    uint32_t reserved;
} tn_recorded_track;

/* A place that a track, or ground, carries along. */
typedef struct tn_recorded_place {
    uint32_t track, reserved; /* TN_GROUND_TRACK: ground */
    double position[3];       /* m, in the axes of the track */
    double quaternion[4];
} tn_recorded_place;

/* A thing to be seen: the shapes of bodies, and drawings of elements. Lengths that were left open are filled in. */
typedef struct tn_recorded_drawing {
    uint32_t struct_size;
    uint32_t is_default;        /* 1: the model says nothing of it, and it stands for a body by its masses */
    const char *name;           /* of the marker, or the element */
    tn_drawing drawing;         /* its `place`, `position` and `rotation` are not to be read */
    tn_recorded_place place[2]; /* where it is fixed; of shapes, `place[0]` is that of the shape itself */
} tn_recorded_drawing;

/* The force and torque of an element on a place, in each frame. */
typedef struct tn_recorded_wrench {
    uint32_t struct_size, reserved;
    const char *element, *type;
    tn_recorded_place place;
} tn_recorded_wrench;

typedef struct tn_recorded_column {
    uint32_t struct_size, reserved;
    const char *name, *unit;        /* "weight.position.x", "m"; "": a plain number */
    const char *sensor;             /* the same for columns of one sensor; "time" of the first column */
    const char *subject;            /* the element or marker that it is of; "" where it is of none */
    const char *quantity;           /* its output, "position"; of expressions, their text */
    const char *description;        /* of the output, or "" */
    uint32_t component, components; /* which of how many columns of the sensor */
} tn_recorded_column;

/* "sensors", and "states" where they were asked for. Times ascend; two rows of one time stand for what was before and behind it. */
typedef struct tn_recorded_table {
    uint32_t struct_size;
    uint32_t columns;
    const char *name;
    const tn_recorded_column *column; /* [columns]; the first is time */
    uint64_t rows;
} tn_recorded_table;

/* ---- what happened --------------------------------------------------------------------------------------------- */

typedef struct tn_recorded_event {
    uint32_t struct_size;
    uint32_t level;      /* tn_level; of events of the motion TN_NOTE */
    double time;         /* s; NaN: before the run */
    const char *element; /* "" where it is of none */
    const char *text;
} tn_recorded_event;

/* Small motions about the state at `time`: the real part of exp(eigenvalue t) times the complex displacements of the tracks. */
typedef struct tn_recorded_mode {
    uint32_t struct_size, reserved;
    double time;
    double eigenvalue[2]; /* 1/s, real and imaginary part */
    const double *
        displacement; /* [tracks][6][2]: translation, rotation vector; real and imaginary parts; the largest is 1 */
} tn_recorded_mode;

/* ---- the recording --------------------------------------------------------------------------------------------- */

typedef struct tn_recording tn_recording;
struct tn_recording {
    uint32_t struct_size, reserved;
    void *self;             /* its owner's own */
    const char *title;      /* of the model, or its file's name */
    const char *program;    /* "tenon 0.2.0" */
    const char *model_text; /* the whole model as TOML, without includes */
    const char
        *run_text; /* the table [run] of run.toml as TOML: versions, solvers, statistics; "" while it runs */
    const char
        *status; /* "finished", "failed", "interrupted", "running"; "killed" for a run that was not ended */
    double start_time, time_reached; /* s */
    double size;                     /* m, of the model at its start, and at least of what is drawn */
    double lower[3], upper[3];       /* m: a box around all frames, of the origins of the tracks */
    uint32_t tracks, drawings, wrenches, tables, events, modes;
    const tn_recorded_track *track;
    const tn_recorded_drawing *drawing;
    const tn_recorded_wrench *wrench;
    const tn_recorded_table *table;
    const tn_recorded_event *event; /* by ascending times */
    const tn_recorded_mode *mode;
    uint64_t
        frames; /* motion is recorded by frames, at times of its own, so that between two of them positions are linear, and rotations the
                        shortest, to `tolerance` */
    double length_tolerance, angle_tolerance; /* m, rad; 0: frames at all rows */
    /* Rows `first` to `first + count - 1` of a table: value [count][columns]. TN_FATAL, after a message, where the file cannot be read. */
    tn_status (*rows)(const tn_recording *recording, uint32_t table, uint64_t first, uint64_t count,
                      double *value);
    /* Likewise, of frames: time [count]; pose [count][tracks][7]: position, quaternion; wrench [count][wrenches][6]: force, torque on the
     * place. NULL for what is not wanted. Not finite where the motion was not. */
    tn_status (*frame)(const tn_recording *recording, uint64_t first, uint64_t count, double *time,
                       double *pose, double *wrench);
};

/* ---- runs that go on ---------------------------------------------------------------------------------------------- */

/* The state of a run that a page follows, and the function that takes the bytes of the page. */
typedef struct tn_live {
    uint32_t struct_size;
    uint32_t goes_on;   /* 1: the run has not ended; its status is that of the recording */
    const char *reason; /* why it has ended, or "" */
    double end_time;    /* s: when it will end; NaN: unknown */
    const char *
        place; /* where this answer ends, in characters of addresses: the page sends it back with its next request */
    uint32_t more; /* 1: the recording has more already */
    uint32_t reserved;
    void *self; /* its owner's own */
    void (*put)(const struct tn_live *live, const void *bytes,
                size_t count); /* takes the answer, piece by piece */
} tn_live;

typedef struct tn_live_pages {
    uint32_t struct_size, reserved;
    /* [setup] Puts a page in HTML with all results so far. The page loads nothing but its continuation: GET "more?after=PLACE", relative to its
     * own address, returns the bytes of `more`; status 410 asks the page to reload. */
    tn_status (*page)(const tn_host *host, const void *instance, const tn_recording *recording,
                      const tn_live *live);
    /* [setup] Puts the continuation of a page as JSON. Rows, frames and events of the piece begin behind the place; all else is that of the
     * whole run. */
    tn_status (*more)(const tn_host *host, const void *instance, const tn_recording *piece,
                      const tn_live *live);
} tn_live_pages;

/* ---- writers ----------------------------------------------------------------------------------------------------- */

/* A writer with this capability and without rows of its own (`open`, `row` and `close` NULL) converts only. Each instance is prepared
 * by prepare() of its type. */
#define TN_CONVERSION_KEY "tenon.conversion/1"
typedef tn_status (*tn_converter)(const tn_host *host, const void *instance,
                                  const tn_recording *const *recording, uint32_t count, const char *folder);
typedef struct tn_conversion {
    uint32_t struct_size;
    uint32_t most; /* recordings that it can put side by side: 1, or more */
    /* [setup] Makes files of recordings in an empty folder, which is its own: plain files, without folders. Where it returns TN_OK the
     * kernel puts them into the folder of results, all or none, in place of those of earlier runs, and run.toml lists them; names are
     * `stem`, then letters: "report.html", "vtk_000012.vtp". TN_FATAL, after a message, where a file cannot be written:
     * what is in the folder is removed. */
    tn_converter convert;
    const char *stem;           /* what the names of its files begin with; NULL: the name of the type */
    const tn_live_pages *pages; /* of runs that go on; NULL: none */
} tn_conversion;
typedef tn_conversion tn_conversion_capability; /* for TN_HAS() of descriptors.h */

#endif
