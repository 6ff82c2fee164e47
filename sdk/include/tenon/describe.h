/* tenon/describe.h - how a type describes itself.
 *
 * One table of parameters is the schema of the model file, the map of the instance's memory, the
 * documentation and the source of defaults. The kernel reads the TOML, evaluates expressions, converts
 * units, checks ranges and writes straight into the instance: a plugin has no parsing code.
 * Every list ends with an entry whose name is NULL. */
#ifndef TENON_DESCRIBE_H
#define TENON_DESCRIBE_H

#include "tenon/status.h"

#include <math.h>

/* No limit: `high`, and -TN_UNBOUNDED for `low`. */
#define TN_UNBOUNDED HUGE_VAL

/* The type of the value at `offset` in the instance. */
typedef enum tn_parameter_kind {
    TN_KIND_REAL = 0,     /* double[count]; a scalar for count 1, else an array in TOML */
    TN_KIND_ROTATION = 1, /* double[9], row by row: takes local components into the outer axes */
    TN_KIND_INTEGER = 2,  /* int64_t */
    TN_KIND_BOOLEAN = 3,  /* int32_t[count], 0 or 1; an array in TOML where count is not 1 */
    TN_KIND_CHOICE = 4,   /* int32_t, index into the words of `detail`, separated by '|' */
    TN_KIND_TEXT = 5,     /* const char *, owned by the model; NULL when absent */
    TN_KIND_CALLABLE = 6, /* tn_callable: expression of the arguments listed in `detail` */
    TN_KIND_LIST = 7,     /* tn_list: an array of any number of reals */
    TN_KIND_FILE =
        8, /* const char *, owned by the model: the path, whatever file of the model names it, of a file that can
                         be read; NULL when absent. The file counts among those that the run reads: no result may
                         replace it. */
    TN_KIND_TEXTS = 9, /* tn_texts: an array of any number of strings */
    TN_KIND_IS_32_BITS = 0x7fffffff
} tn_parameter_kind;

enum tn_parameter_flag {
    TN_REQUIRED = 1u, /* the key must be there */
    TN_OPTIONAL = 2u, /* a real that is absent is stored as NaN ("not given") */
    /* Of an element: a real may be an expression of time and of the state, evaluated before every use; a callable may read
     * these besides its arguments. */
    TN_DYNAMIC = 4u,
    TN_CHANGEABLE = 8u,  /* may be changed during a run */
    TN_ABOVE_LOW = 16u,  /* the value must be larger than `low`, not equal to it */
    TN_BELOW_HIGH = 32u, /* the value must be smaller than `high` */
    /* Of an element, and not dynamic: the kernel places it once, before prepare(), with the part of the model that
     * the element belongs to. Parameters relative to a marker need neither flag. A [[change]] in the part gives the value in
     * the part's axes, too. */
    TN_MOVES = 64u,  /* 3 reals, a point in ground axes; or a rotation into them */
    TN_TURNS = 128u, /* 3 reals, a direction in ground axes */
    /* 6 reals, xx yy zz xy xz yz of a symmetric matrix, which a model may write by rows, too. */
    TN_SYMMETRIC = 256u,
    /* A file whose content the type runs, such as a library or a script: the model must be trusted, as for [plugins]. */
    TN_CODE = 512u,
    /* Of an element, one dynamic real: a routine may give it whose keys (`library` or `script`, `function`, `interpreter`,
     * `parameters`, `reads`, `step`) stand beside it in the element's table, of whose parameters they are texts, too. */
    TN_BESIDE = 1024u,
    /* Several reals, of which a model may give fewer, or one that stands alone; those behind are NaN ("not given"). */
    TN_FEWER = 2048u,
    /* A list is a matrix, row by row, which a model may write as an array of rows of the same length, too. */
    TN_ROWS = 4096u
};

/* Most arguments of a callable, and of a function of expressions. */
#define TN_ARGUMENTS 16

/* Unit of a parameter that takes numbers of any unit: a bracketed one converts to SI. */
#define TN_ANY_UNIT "any"

/* Several reals of a parameter or output may have different units: in a list such as "N m/rad; N/m" every entry is that of
 * an equal share of them, with 1 for none. The last power of the unit of a real may be the name of another one of the same table, as in
 * "N/m^exponent": it is the number that this one has there, or its `standard` where it is absent, also with TN_OPTIONAL. Parameters and ports of a type are keys of one table in the model: their names are
 * unique, and differ from the keys of the table itself (name, type, id, when; `active` of elements, `element` of markers,
 * `file` and `columns` of functions). */
typedef struct tn_parameter {
    const char *name;    /* TOML key; a dot reaches into a table: "newton.max_iterations" */
    const char *meaning; /* one line */
    const char *unit;    /* SI unit in UDUNITS notation; "" for none or dimensionless */
    const char *detail;  /* choices; the arguments of a callable as "name [unit], ..."; the kind of type
                                 * that a text names (TN_LINEAR_KIND); of texts of a solver what they name
                                 * (draft/signals.h); else NULL */
    double standard;     /* default: a number, or the index of a choice */
    double low, high;    /* closed allowed range (see TN_ABOVE_LOW, TN_BELOW_HIGH) */
    uint32_t offset;     /* place in the instance, bytes */
    uint32_t kind;       /* tn_parameter_kind */
    uint32_t count;      /* numbers of a real, or booleans; 1 for all other kinds */
    uint32_t count_alternative; /* a shorter list that is accepted too, padded with zeros; 0 for none */
    uint32_t flags;             /* sum of tn_parameter_flag */
    uint32_t reserved;
} tn_parameter;

/* A user's function behind one handle; called through the host. Zero when the key is absent. */
typedef struct tn_callable {
    const void *handle;
} tn_callable;

/* Numbers as many as the model gives; owned by the model. */
typedef struct tn_list {
    const double *value;
    uint64_t count;
} tn_list;

/* Texts as many as the model gives; owned by the model. */
typedef struct tn_texts {
    const char *const *text;
    uint64_t count;
} tn_texts;

/* What a marker carries. Doubles of pose, twist and wrench: point 3, 3, 3 (position; velocity; force);
 * frame 12, 6, 6 (position and rotation matrix by rows; velocity and angular velocity; force and torque);
 * coordinate 1, 1, 1; node n, n, n (coordinates of a vector space, their rates, generalized forces on them), where the body
 * determines n. Points and frames in ground axes. */
typedef enum tn_marker_kind {
    TN_POINT = 0,
    TN_FRAME = 1,
    TN_COORDINATE = 2,
    TN_NODE = 3, /* in a port, and of a marker type: a node of any number of coordinates */
    TN_ANY = 4,  /* in a port: a frame where the marker can be one, else a point */
    TN_MARKER_KIND_IS_32_BITS = 0x7fffffff
} tn_marker_kind;

/* The kind of a node of n coordinates. */
#define TN_NODE_OF(n) ((uint32_t)TN_NODE | (uint32_t)(n) << 8)

static inline bool tn_is_node(uint32_t kind) { return (kind & 0xff) == TN_NODE; }
static inline uint32_t tn_pose_size(uint32_t kind)
{
    return kind == TN_FRAME ? 12 : kind == TN_COORDINATE ? 1 : tn_is_node(kind) ? kind >> 8 : 3;
}
static inline uint32_t tn_twist_size(uint32_t kind)
{
    return kind == TN_FRAME ? 6 : kind == TN_COORDINATE ? 1 : tn_is_node(kind) ? kind >> 8 : 3;
}

/* A place where markers are plugged in. Its name is the TOML key: a name (or an in-place marker) when
 * `maximum` is 1, else an array of them. All markers of an instance form one list, port by port. */
typedef struct tn_port {
    const char *name;
    const char *meaning;
    uint32_t kind;             /* tn_marker_kind, or TN_NODE_OF(n) */
    uint32_t minimum, maximum; /* number of markers */
    /* of the kind TN_ANY: markers from this number on are points, also where they could be frames, which take more memory; 0: none */
    uint32_t points_from;
} tn_port;

/* A name from other programs, for messages: "did you mean `revolute`?" Case and separators are ignored. Models cannot use it. */
typedef struct tn_synonym {
    const char *other; /* "hinge" */
    const char *own;   /* the parameter or port that is meant; NULL: the type itself */
    const char *with;  /* the setting for it, "order = 4", or NULL */
} tn_synonym;

/* A quantity that sensors can record. */
typedef struct tn_output {
    const char *name;
    const char *meaning;
    const char *unit;
    uint32_t size; /* numbers: 1 scalar, 3 vector, 9 matrix by rows, ... */
    uint32_t reserved;
} tn_output;

TN_STATIC_ASSERT(sizeof(tn_parameter) == 80, "tn_parameter is frozen");
TN_STATIC_ASSERT(sizeof(tn_port) == 32 && sizeof(tn_output) == 32, "tn_port and tn_output are frozen");
TN_STATIC_ASSERT(sizeof(tn_synonym) == 24, "tn_synonym is frozen");

#endif
