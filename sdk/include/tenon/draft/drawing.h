/* tenon/draft/drawing.h - "tenon.drawing/1" of element types: what an instance looks like in pictures of the model. Bodies without a
 * shape of their own and connectors are drawn by it; a type without it is drawn as a line between its markers. */
#ifndef TENON_DRAFT_DRAWING_H
#define TENON_DRAFT_DRAWING_H

#include "tenon/draft/shapes.h"

/* Lengths are in m; one of 0 is up to the picture, a share of the size of the model, and less of it where there are many such drawings.
 * Axes are those of the first place. */
typedef enum tn_drawing_kind {
    TN_DRAWN_SHAPE = 0, /* `shape` at the first place */
    TN_DRAWN_ROD = 1,   /* between two places; size: radius */
    /* A coil spring between two places; size: radius of the coil, radius of the wire, number of turns. */
    TN_DRAWN_COIL = 2,
    TN_DRAWN_DAMPER = 3, /* a cylinder and its piston between two places; size: radius */
    TN_DRAWN_LINE = 4,   /* a thin line between two places */
    TN_DRAWN_SLIDE = 5,  /* a line along `axis` through the first place; size: length */
    TN_DRAWN_HINGE = 6,  /* likewise, of an axis of rotation, with a ring about it */
    TN_DRAWN_BALL = 7,   /* a small ball at the first place; size: radius */
    TN_DRAWN_SLEEVE = 8, /* a bushing: a ring about `axis` at the first place; size: outer radius, length */
    TN_DRAWN_DISC = 9,   /* about `axis`, with its middle at the first place; size: radius, width */
    TN_DRAWN_FRAME = 10, /* three short axes at the first place; size: length */
    TN_DRAWN_ARROW = 11, /* from the first place along `axis`; size: length */
    TN_DRAWING_KIND_IS_32_BITS = 0x7fffffff
} tn_drawing_kind;

/* Where a drawing is fixed. */
typedef enum tn_drawn_at {
    TN_AT_MARKER = 0,  /* a marker of the instance, by its number, counted port by port */
    TN_AT_ELEMENT = 1, /* the frame or point of the element itself, a body */
    TN_AT_START = 2,   /* on ground, where the marker is at the start */
    TN_DRAWN_AT_IS_32_BITS = 0x7fffffff
} tn_drawn_at;

typedef struct tn_drawing {
    uint32_t struct_size;
    uint32_t kind; /* tn_drawing_kind */
    struct {
        uint32_t at;     /* tn_drawn_at */
        uint32_t marker; /* of TN_AT_MARKER, TN_AT_START */
    } place[2];
    double axis[3];     /* zero: z */
    double size[3];     /* m; see the kinds */
    double color[4];    /* red, green, blue, opacity, 0 to 1; opacity 0: up to the picture */
    tn_shape shape;     /* of TN_DRAWN_SHAPE; its name, material and body are not read */
    double position[3]; /* of TN_DRAWN_SHAPE, m, in the axes of the place */
    double rotation[9]; /* likewise, row by row; zero: none */
    uint32_t
        ground_axis; /* 1: `axis` is in ground axes, at the start; from there it turns with the first place */
    uint32_t reserved;
} tn_drawing;

/* Takes drawings, one by one. */
typedef struct tn_drawing_sink {
    uint32_t struct_size;
    uint32_t markers; /* of the instance */
    void *self;       /* the kernel's own */
    double size;      /* m, of the model: for lengths that have none of their own */
    tn_status (*add)(const struct tn_drawing_sink *sink, const tn_drawing *drawing);
    const uint32_t *marker_kind; /* [markers] tn_marker_kind */
} tn_drawing_sink;

#define TN_DRAWING_KEY "tenon.drawing/1"
typedef struct tn_drawing_capability {
    uint32_t struct_size, reserved;
    /* [setup] Behind `layout`, once: hands the drawings of an instance to `sink`, none for one that is not to be seen. */
    tn_status (*draw)(const tn_host *host, const void *instance, const tn_drawing_sink *sink);
} tn_drawing_capability;

#endif
