/* tenon/draft/shapes.h - shapes of bodies: markers that define the surface of a body, for contact and for pictures. */
#ifndef TENON_DRAFT_SHAPES_H
#define TENON_DRAFT_SHAPES_H

#include "tenon/host.h"

/* Axes x, y, z are those of the marker. */
typedef enum tn_shape_kind {
    TN_SPHERE = 0,   /* size: radius; the marker is its middle, as of the next three */
    TN_BOX = 1,      /* size: lengths along x, y, z */
    TN_CAPSULE = 2,  /* size: radius, and length between the middles of its ends, along z */
    TN_CYLINDER = 3, /* size: radius, and length along z */
    TN_PLANE = 4,    /* the half space z <= 0; size: lengths along x and y in pictures */
    TN_MESH = 5,     /* of a file; size: factors along x, y, z */
    TN_SHAPE_KIND_IS_32_BITS = 0x7fffffff
} tn_shape_kind;

typedef struct tn_shape {
    uint32_t struct_size;
    uint32_t kind;        /* tn_shape_kind */
    double size[3];       /* m, of a mesh without unit; 0 where the kind has fewer numbers */
    const char *name;     /* of the marker, for messages */
    const char *material; /* NULL: none */
    const char *mesh;     /* path of a file, NULL: none */
    double color[4];      /* red, green, blue, opacity, 0 to 1 */
    uint32_t visible;
    uint32_t body;  /* the number of its body, an element: two shapes of one body never touch */
    uint32_t fixed; /* 1: the body has no coordinates, such as ground */
    uint32_t reserved;
} tn_shape;

/* ---- marker types that are shapes, of kind TN_FRAME -------------------------------------------------------------- */

#define TN_SHAPE_KEY "tenon.shape/1"
typedef struct tn_shape_capability {
    uint32_t struct_size, reserved;
    /* [setup] Writes kind, size, material, mesh, color and visible of an instance. Texts live as long as the instance. */
    tn_status (*shape)(const tn_host *host, const void *instance, tn_shape *shape);
} tn_shape_capability;

/* ---- elements that use the shapes of their markers --------------------------------------------------------------- */

#define TN_SHAPED_KEY "tenon.shaped/1"
typedef struct tn_shaped_capability {
    uint32_t struct_size, reserved;
    /* [setup] After `prepare` and before `layout`: the shapes of all markers of the instance, in their order; NULL for a marker that is not a
     * shape. They live as long as the model, and no shape occurs twice. A status other than TN_OK, with tn_refuse(), refuses the model. */
    tn_status (*shapes)(const tn_host *host, void *instance, uint32_t count, const tn_shape *const *shape);
} tn_shaped_capability;

/* ---- pairs of materials --------------------------------------------------------------------------------------------- */

/* A [[material_pair]] of the model. The kernel has checked the ranges of its numbers, and that it has not both `damping` and `restitution`. */
typedef struct tn_material_pair {
    uint32_t struct_size, reserved;
    double friction, static_friction; /* NaN where the model does not give it, as for all others */
    double restitution;
    double restitution_threshold; /* m/s: slower impacts do not bounce */
    double stiffness;             /* N/m^exponent, of the penalty law */
    double damping;               /* s/m */
    double exponent;
} tn_material_pair;

#define TN_MATERIALS_KEY "tenon.materials/1"
/* An extension of the host. */
typedef struct tn_materials {
    uint32_t struct_size, reserved;
    /* [setup] The pair of two materials, in either order, which lives as long as the model; NULL: the model has none. A name may be NULL:
     * no material. */
    const tn_material_pair *(*pair)(const tn_host *host, const char *one, const char *other);
    /* [setup] For messages: the material with pairs whose name is nearest to this one; NULL: the name has pairs, or none is near. A name may
     * be NULL. */
    const char *(*meant)(const tn_host *host, const char *name);
} tn_materials;

#endif
