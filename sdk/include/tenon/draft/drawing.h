/* tenon/draft/drawing.h - "tenon.drawing/1" of element types: drawings of an instance, for pictures of the model. It is used for connectors,
 * and for bodies without shapes (markers such as `shape`). Without it, a connector is drawn as lines from its first marker to the others, and a
 * body as a small box. kit/drawing.h makes constant drawings in a line. */
#ifndef TENON_DRAFT_DRAWING_H
#define TENON_DRAFT_DRAWING_H

#include "tenon/draft/shapes.h"

/* Lengths are in m; 0: the kernel chooses a share of the size of the model, and less of it where there are many such drawings. `axis` is in
 * the axes of the first place. */
typedef enum tn_drawing_kind {
    TN_DRAWN_SHAPE = 0, /* `shape` at the first place */
    TN_DRAWN_ROD = 1,   /* a rod between both places; size: radius */
    /* A coil spring between both places; size: radius of the coil, radius of the wire, number of turns. */
    TN_DRAWN_COIL = 2,
    TN_DRAWN_DAMPER = 3, /* a cylinder with a piston between both places; size: radius */
    TN_DRAWN_LINE = 4,   /* a thin line between both places */
    TN_DRAWN_SLIDE = 5,  /* a line along `axis` through the first place; size: length */
    TN_DRAWN_HINGE =
        6, /* an axis of rotation along `axis` through the first place, with a ring about it; size: length */
    TN_DRAWN_BALL = 7,   /* a small ball at the first place; size: radius */
    TN_DRAWN_SLEEVE = 8, /* a bushing: a ring about `axis` at the first place; size: outer radius, length */
    TN_DRAWN_DISC = 9,   /* a disc about `axis`, centred at the first place; size: radius, width */
    TN_DRAWN_FRAME = 10, /* three short axes at the first place; size: length */
    TN_DRAWN_ARROW = 11, /* from the first place along `axis`; size: length */
    TN_DRAWING_KIND_IS_32_BITS = 0x7fffffff
} tn_drawing_kind;

/* What a place of a drawing is fixed to. */
typedef enum tn_drawn_at {
    /* A point or frame among the markers of the instance, by its number, counted over all ports; a point has the axes of its body, or
     * ground axes. */
    TN_AT_MARKER = 0,
    TN_AT_ELEMENT = 1, /* the frame or point of the element itself, which is a body */
    TN_AT_START = 2,   /* on ground, where such a marker is at the start */
    TN_DRAWN_AT_IS_32_BITS = 0x7fffffff
} tn_drawn_at;

typedef struct tn_drawing {
    uint32_t struct_size;
    uint32_t kind; /* tn_drawing_kind */
    struct {
        uint32_t at;     /* tn_drawn_at */
        uint32_t marker; /* of TN_AT_MARKER, TN_AT_START */
    } place[2];
    double axis[3];  /* of any length; zero: z */
    double size[3];  /* m; see the kinds */
    double color[4]; /* red, green, blue, opacity, 0 to 1; opacity 0: up to the picture */
    /* Of TN_DRAWN_SHAPE: kind, size, mesh; its color where that has an opacity; other fields are not read. */
    tn_shape shape;
    double position[3]; /* of TN_DRAWN_SHAPE: its centre, m, in the axes of the place */
    double rotation[9]; /* of TN_DRAWN_SHAPE: from its axes to those of the place, row by row; zero: none */
    /* 1: `axis` is in ground axes, at the start; from there it turns with the first place. */
    uint32_t ground_axis;
    uint32_t reserved;
} tn_drawing;

/* Takes drawings, one by one. */
typedef struct tn_drawing_sink {
    uint32_t struct_size;
    uint32_t markers; /* of the instance */
    void *self;       /* of the kernel */
    double size;      /* m, of the model, for lengths that no parameter determines */
    /* Copies a drawing; texts of its shape live as long as the instance. TN_INVALID for one that is not valid, which ends the run with a
     * message. */
    tn_status (*add)(const struct tn_drawing_sink *sink, const tn_drawing *drawing);
    const uint32_t *marker_kind; /* [markers] tn_marker_kind */
} tn_drawing_sink;

#define TN_DRAWING_KEY "tenon.drawing/1"
typedef struct tn_drawing_capability {
    uint32_t struct_size, reserved;
    /* [setup] Once, after `layout`, where the run keeps a log: adds the drawings of an instance to `sink`; none: it is invisible. Returns TN_OK,
     * or the first other status of add(). */
    tn_status (*draw)(const tn_host *host, const void *instance, const tn_drawing_sink *sink);
} tn_drawing_capability;

#endif
