/* tenon/draft/recording.h - the recording of a run: drawings of the model, rows of sensors, motion of bodies, forces, events, modes; and
 * "tenon.conversion/1" of writers, which make files of it: a page, a scene, an archive.
 *
 * A run records all this in one file, rows.tnl. Writers with the capability are called after the run, or later by `tenon convert`.
 * Texts are UTF-8, never NULL unless stated, and live as long as the recording, which ends when convert() returns. Numbers are in SI units,
 * positions and vectors in ground axes; quaternions (w, x, y, z) of length 1 take components in the moving axes to those in ground axes.
 * An array is NULL or of any address where its number is 0. */
#ifndef TENON_DRAFT_RECORDING_H
#define TENON_DRAFT_RECORDING_H

#include "tenon/draft/drawing.h"
#include "tenon/writer.h"

#define TN_GROUND_TRACK UINT32_MAX

/* ---- the model --------------------------------------------------------------------------------------------- */

/* An object whose motion is recorded: bodies first, then drawn markers that are not fixed to one of these bodies, such as markers on flexible
 * bodies. Fixed bodies have no track. Names begin with those of the parts of the model: "front.left.wheel". */
typedef struct tn_recorded_track {
    uint32_t struct_size;
    uint32_t is_body;
    const char *name;
    const char *type;      /* of the element or marker: "rigid_body" */
    uint32_t has_rotation; /* 0: a point, whose quaternions are (1, 0, 0, 0) */
    uint32_t reserved;
} tn_recorded_track;

/* A pose fixed to a track or to ground. */
typedef struct tn_recorded_place {
    uint32_t track, reserved; /* index in `track`; TN_GROUND_TRACK: ground */
    double position[3];       /* m, in the axes of the track */
    double quaternion[4];     /* from the axes of the place to those of the track */
} tn_recorded_place;

/* A drawing: the shape of a body, or a drawing of an element. Lengths that the model leaves open have been chosen; a colour of opacity 0 has
 * not: it is up to the picture. */
typedef struct tn_recorded_drawing {
    uint32_t struct_size;
    uint32_t is_default; /* 1: it stands for a body without shapes, such as a box of its inertia */
    const char *name;    /* of the marker that is a shape, or of the element */
    tn_drawing drawing;  /* its `place`, `position` and `rotation` are not to be read: they are part of: */
    tn_recorded_place place
        [2]; /* of a shape, place[0] is the pose of the shape itself; both are equal where the kind has one place */
} tn_recorded_drawing;

/* A wrench that is recorded in each frame: force and torque of an element on one of its markers. */
typedef struct tn_recorded_wrench {
    uint32_t struct_size, reserved;
    const char *element, *type;
    tn_recorded_place place; /* of the marker */
} tn_recorded_wrench;

typedef struct tn_recorded_column {
    uint32_t struct_size, reserved;
    const char *name, *unit; /* "weight.position.x", "m"; "": a plain number */
    const char *sensor;      /* its sensor, whose columns are consecutive; "time" of the first column */
    const char *subject;     /* name of the element or marker; "" where there is none */
    const char *quantity;    /* the output, "position"; the text of an expression */
    const char *description; /* of the output, or "" */
    uint32_t component, components; /* index among the columns of the sensor, and their number */
} tn_recorded_column;

/* The table "sensors", and "states" where the model asks for it. Times ascend; of two rows at one time the first is before an event, the second
 * after it. */
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
    uint32_t level;      /* tn_level of a message; of events of the motion TN_NOTE */
    double time;         /* s; NaN: before the run */
    const char *element; /* its name, or "" */
    const char *text;
} tn_recorded_event;

/* A mode, a small motion about the state at `time`: the real part of exp(eigenvalue t) times the complex displacements of the tracks. */
typedef struct tn_recorded_mode {
    uint32_t struct_size, reserved;
    double time;
    double eigenvalue[2]; /* 1/s, real and imaginary part */
    const double *
        displacement; /* [tracks][6][2]: translation and rotation vector in ground axes, their real and imaginary parts; the largest is 1 */
} tn_recorded_mode;

/* ---- the recording --------------------------------------------------------------------------------------------- */

typedef struct tn_recording tn_recording;
struct tn_recording {
    uint32_t struct_size, reserved;
    void *self;             /* of the kernel */
    const char *title;      /* of the model, or its file's name */
    const char *program;    /* "tenon 0.2.0" */
    const char *model_text; /* the whole model as TOML, includes resolved */
    const char *
        run_text; /* the table [run] of run.toml as TOML: versions, solvers, statistics; "" where there is none */
    const char
        *status; /* "finished", "failed", "interrupted", "running"; "killed" of a run that wrote no end */
    double start_time, time_reached; /* s */
    double size;                     /* m, of the model at its start; above 0 */
    double lower[3], upper[3];       /* m: the box around the origins of all tracks in all frames */
    uint32_t tracks, drawings, wrenches, tables, events, modes;
    const tn_recorded_track *track;
    const tn_recorded_drawing *drawing;
    const tn_recorded_wrench *wrench;
    const tn_recorded_table *table;
    const tn_recorded_event *event; /* by ascending times */
    const tn_recorded_mode *mode;
    /* Frames have times of their own, ascending as in tables, chosen so that between two of them positions can be interpolated linearly, and
     * rotations on the shortest way, within the tolerances (m, rad; 0: there is a frame at each row). */
    uint64_t frames;
    double length_tolerance, angle_tolerance;
    /* Reads rows `first` to `first + count - 1` of table number `table`: value [count][columns]. Rows may be read in any order; many in a call,
     * in ascending order, are fastest. TN_FATAL, after a message, where the file cannot be read; TN_INVALID: there are no such rows. */
    tn_status (*rows)(const tn_recording *recording, uint32_t table, uint64_t first, uint64_t count,
                      double *value);
    /* Likewise, frames: time [count]; pose [count][tracks][7]: position, quaternion; wrench [count][wrenches][6]: force, and torque about the
     * place. An array that is not wanted is NULL. Numbers are not finite where those of the run were not; wrenches are NaN where none were
     * recorded at a frame, such as the last one of a run that has failed. */
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

/* A writer that converts: `open`, `row` and `close` of its type are NULL. Each instance has been prepared by prepare() of its type. */
#define TN_CONVERSION_KEY "tenon.conversion/1"
typedef tn_status (*tn_converter)(const tn_host *host, const void *instance,
                                  const tn_recording *const *recording, uint32_t count, const char *folder);
typedef struct tn_conversion {
    uint32_t struct_size;
    uint32_t most; /* largest number of recordings in a call: 1, or more of a writer that compares runs */
    /* [setup] Makes files of `count` recordings in `folder`, which is empty: plain files, no folders. After TN_OK the kernel moves them into
     * the folder of results, all or none, in place of earlier ones of this writer, and run.toml lists them. TN_FATAL, after a message, where
     * a file cannot be written: the files are removed. Other failures, such as TN_OUT_OF_MEMORY, are reported by the kernel, and the files
     * are removed, too. The name of a file begins with `stem`, then `.`, `_` or `-`, consists of letters, digits and these characters,
     * and has an ending, but not .toml: "report.html", "vtk_000012.vtp". */
    tn_converter convert;
    const char *stem;           /* in lower case; NULL: the name of the type */
    const tn_live_pages *pages; /* of runs that go on; NULL: none */
} tn_conversion;
typedef tn_conversion tn_conversion_capability; /* for TN_HAS() of descriptors.h */

#endif
