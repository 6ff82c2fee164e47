/* generic.c - a joint that locks any of the six motions of one frame relative to another */
#include <tenon/kit/joint.h>
#include <tenon/kit/drawing.h>

#if TN_VALUES /* the rows in an instance are nothing that a pass could differentiate */

/* The rows of what is locked, as `prepare` leaves them. */
typedef tn_joint_row generic_rows[6];

#define GENERIC(P)                                                                                        \
    P(BOOLEANS, locked, 6, TN_REQUIRED, 0,                                                                \
      "x, y, z, rx, ry, rz: motion along and rotation about the axes of the first frame; true: not free") \
    P(PRIVATE, generic_rows, row)                                                                         \
    P(PRIVATE, uint32_t, row_count)

TN_PARAMETERS(generic, GENERIC)

TN_INLINE tn_joint_table generic_rows_of(const void *instance)
{
    const generic *self = instance;
    return (tn_joint_table){self->row, self->row_count};
}
TN_JOINT_CONSTRAINT(generic, TN_FRAME)
TN_JOINT_WITHOUT_COORDINATES(generic)

static void add_row(generic *self, tn_joint_row row) { self->row[self->row_count++] = row; }

/* Where two rotations are locked the axis of the free one stays common: this holds for every angle about it. */
static void add_rotations(generic *self)
{
    static const tn_joint_row about[3] = {TN_JOINT_ROTATION};
    static const uint8_t others[3][2] = {{TN_Y, TN_Z}, {TN_Z, TN_X}, {TN_X, TN_Y}};
    const int32_t *locked = self->locked + 3;
    for (uint8_t axis = TN_X; axis <= TN_Z; axis++) {
        const uint8_t *other = others[axis];
        if (locked[axis] || !locked[other[0]] || !locked[other[1]]) continue;
        add_row(self, (tn_joint_row){TN_PERPENDICULAR, other[0], axis});
        add_row(self, (tn_joint_row){TN_PERPENDICULAR, other[1], axis});
        return;
    }
    for (uint8_t axis = TN_X; axis <= TN_Z; axis++)
        if (locked[axis]) add_row(self, about[axis]);
}

static tn_status generic_prepare(const tn_host *host, void *instance)
{
    generic *self = instance;
    self->row_count = 0;
    for (uint8_t axis = TN_X; axis <= TN_Z; axis++)
        if (self->locked[axis]) add_row(self, (tn_joint_row){TN_IN_PLANE, axis, 0});
    add_rotations(self);
    if (self->row_count) return TN_OK;
    return tn_refuse(host, "locked", "nothing is locked: the joint would constrain nothing");
}

TN_PORTS(generic, {"markers", "the two frames; axes are those of the first", TN_FRAME, 2, 2, 0})
TN_OUTPUTS(generic, TN_JOINT_OUTPUTS(TN_JOINT_FRAME_AXES, TN_JOINT_MIXED))

TN_DRAWS(generic, {.kind = TN_DRAWN_FRAME})

TN_SYNONYMS(generic, {"total joint", NULL, NULL}, {"total pin joint", NULL, NULL},
            {"joint generic", NULL, NULL}, {"object_joint_generic", NULL, NULL},
            {"generic joint", NULL, NULL}, {"six dof", NULL, NULL}, {"free joint", NULL, NULL},
            {"custom joint", NULL, NULL})
TN_ELEMENT(
    generic, .summary = "locks any of the six motions of one frame relative to another",
    .formula = TN_JOINT_GAP_FORMULA
    "x0 . d = 0,  y0 . d = 0,  z0 . d = 0                for each locked one of x, y, z\n"
    "one rotation:     y0 . z1 = 0 (rx),  z0 . x1 = 0 (ry)  or  x0 . y1 = 0 (rz)\n"
    "two rotations:    k1 perpendicular to the two axes of the first frame that are locked, k the free one\n"
    "three rotations:  " TN_JOINT_ROTATION_FORMULA,
    .literature = TN_JOINT_LITERATURE, .synonyms = generic_synonyms,
    TN_CAPABILITIES(TN_JOINT_HAS_ROWS(generic), TN_HAS_DRAWING(generic)), .ports = generic_ports,
    .outputs = generic_outputs, .prepare = generic_prepare, TN_JOINT_FIELDS(generic))

TN_LIBRARY("generic", "1.0.0", "Apache-2.0", "joint with a choice of what it locks",
           {TN_ELEMENT_KIND, &generic_type})

#endif
