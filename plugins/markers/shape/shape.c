/* shape.c - a shape of a body: what it looks like, and where it may be touched */
#include <tenon/author.h>
#include <tenon/draft/shapes.h>

#if TN_VALUES
#include <tenon/kit/mesh_file.h>

#include <pthread.h>
#endif

#define SHAPE(P)                                                                                           \
    P(CHOICE, kind, "sphere|box|capsule|cylinder|plane|mesh", TN_REQUIRED, 0,                              \
      "capsule, cylinder: along z; plane: z points out of the body")                                       \
    P(VECTOR, position, "m", TN_CHANGEABLE,                                                                \
      "its middle (of a plane: a point of it), from the element's reference point, in the element's axes") \
    P(ROTATION, rotation, TN_CHANGEABLE, "orientation, from the shape's axes to the element's")            \
    P(REAL, radius, "m", TN_OPTIONAL | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED,                               \
      "of a sphere, capsule, cylinder")                                                                    \
    P(REAL, length, "m", TN_OPTIONAL | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED,                               \
      "of a cylinder; of a capsule between the middles of its ends")                                       \
    P(REALS, size, 3, 2, "m", TN_OPTIONAL, 0.0, 0.0, TN_UNBOUNDED,                                         \
      "of a box, its whole lengths along x, y, z; of a plane, along x and y, for pictures only: default "  \
      "[1, 1]")                                                                                            \
    P(FILE, mesh, 0, "of a mesh: STL or OBJ")                                                              \
    P(REALS, scale, 3, 0, "", TN_OPTIONAL, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,                               \
      "of a mesh, along x, y, z; default [1, 1, 1]")                                                       \
    P(TEXT, material, 0, "its name in `[[material_pair]]`")                                                \
    P(REALS, color, 3, 0, "", 0, 0.7, 0.0, 1.0, "red, green, blue, for pictures")                          \
    P(REAL, opacity, "", 0, 1.0, 0.0, 1.0, "for pictures; 0: not to be seen")                              \
    P(BOOLEAN, visible, 0, 1, "whether pictures show it")

TN_PARAMETERS(shape, SHAPE)

#if TN_VALUES

static const char *const kind_words[] = {"sphere", "box", "capsule", "cylinder", "plane", "mesh"};

/* A key that some kinds need, others may have, and the rest must not have. */
typedef struct size_rule {
    const char *key, *missing;
    unsigned needed, possible; /* sums of 1 << tn_shape_kind */
} size_rule;

static const size_rule rules[] = {
    {"radius", "the key `radius` is missing", 1u << TN_SPHERE | 1u << TN_CAPSULE | 1u << TN_CYLINDER, 0},
    {"length", "the key `length` is missing", 1u << TN_CAPSULE | 1u << TN_CYLINDER, 0},
    {"size", "the key `size` is missing, with lengths along x, y and z", 1u << TN_BOX, 1u << TN_PLANE},
    {"mesh", "the key `mesh`, a file, is missing", 1u << TN_MESH, 0},
    {"scale", "", 0, 1u << TN_MESH}};

static tn_status check_rule(const tn_host *host, const shape *self, const size_rule *rule, bool given)
{
    const unsigned kind = 1u << self->kind;
    const char *word = kind_words[self->kind];
    if (rule->needed & kind && !given) return tn_refuse(host, NULL, "a %s: %s", word, rule->missing);
    if (!((rule->needed | rule->possible) & kind) && given)
        return tn_refuse(host, rule->key, "a %s has no `%s`", word, rule->key);
    return TN_OK;
}

/* Zeros are lengths that were not given (a box with two of them), or wrong ones. */
static tn_status check_lengths(const tn_host *host, const shape *self)
{
    const bool flat = self->kind == TN_PLANE;
    if (!isnan(self->size[0]))
        for (int k = 0; k < (flat ? 2 : 3); k++)
            if (!(self->size[k] > 0.0))
                return tn_refuse(host, "size", "a %s has %s, each above 0", kind_words[self->kind],
                                 flat ? "two lengths" : "three lengths");
    if (flat && self->size[2] > 0.0) return tn_refuse(host, "size", "a plane has two lengths, along x and y");
    for (int k = 0; k < 3; k++)
        if (self->scale[k] == 0.0) return tn_refuse(host, "scale", "a factor of 0 leaves nothing of a mesh");
    return TN_OK;
}

/* Copies of a body have one file in common: it is read once, unless it changes meanwhile. */
static bool was_good(const struct stat *now, bool good)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* models of several threads */
    static struct stat last;
    (void)pthread_mutex_lock(&lock);
    if (good) last = *now;
    const bool same = last.st_ino == now->st_ino && last.st_dev == now->st_dev &&
                      last.st_size == now->st_size && last.st_mtim.tv_sec == now->st_mtim.tv_sec &&
                      last.st_mtim.tv_nsec == now->st_mtim.tv_nsec;
    (void)pthread_mutex_unlock(&lock);
    return same;
}

/* Reads the file, so that pictures, which are made behind a run, do not lack it. */
static tn_status check_mesh(const tn_host *host, const shape *self)
{
    char why[TN_MESH_WHY];
    tn_triangles mesh = {0};
    struct stat status;
    const bool found = stat(self->mesh, &status) == 0;
    if (found && was_good(&status, false)) return TN_OK;
    const tn_status read = tn_read_mesh(self->mesh, &mesh, why);
    tn_triangles_free(&mesh);
    if (read == TN_OK && found) (void)was_good(&status, true);
    return read == TN_INVALID ? tn_refuse(host, "mesh", "%s", why) : read;
}

static tn_status shape_prepare(const tn_host *host, void *instance)
{
    const shape *self = instance;
    const bool given[] = {!isnan(self->radius), !isnan(self->length), !isnan(self->size[0]),
                          self->mesh != NULL, !isnan(self->scale[0])};
    tn_status status = TN_OK;
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
        status = tn_worse(status, check_rule(host, self, &rules[k], given[k]));
    if (status == TN_OK) status = check_lengths(host, self);
    return status == TN_OK && self->mesh ? check_mesh(host, self) : status;
}

static tn_status shape_local_pose(const void *instance, tn_attachment *attachment)
{
    const shape *self = instance;
    memcpy(attachment->position, self->position.e, sizeof self->position);
    memcpy(attachment->rotation, self->rotation, sizeof self->rotation);
    return TN_OK;
}

/* Numbers that were not given are their defaults. */
static double or_one(double number) { return isnan(number) ? 1.0 : number; }

static tn_status shape_shape(TN_UNUSED const tn_host *host, const void *instance, tn_shape *to)
{
    const shape *self = instance;
    to->kind = (uint32_t)self->kind;
    for (int k = 0; k < 3; k++) {
        to->size[k] = self->kind == TN_MESH ? or_one(self->scale[k]) : self->size[k];
        to->color[k] = self->color[k];
    }
    if (self->kind == TN_PLANE) {
        to->size[0] = or_one(self->size[0]);
        to->size[1] = or_one(self->size[1]);
        to->size[2] = 0.0;
    } else if (self->kind == TN_SPHERE || self->kind == TN_CAPSULE || self->kind == TN_CYLINDER) {
        to->size[0] = self->radius;
        to->size[1] = self->kind == TN_SPHERE ? 0.0 : self->length;
        to->size[2] = 0.0;
    }
    to->color[3] = self->opacity;
    to->material = self->material;
    to->mesh = self->mesh;
    to->visible = self->visible && self->opacity > 0.0;
    return TN_OK;
}

TN_SYNONYMS(shape, {"geom", NULL, NULL}, {"collision shape", NULL, NULL}, {"geometry", NULL, NULL},
            {"rgb", "color", NULL}, {"colour", "color", NULL}, {"height", "length", NULL},
            {"file", "mesh", NULL}, {"alpha", "opacity", NULL})
TN_MARKER(shape, .summary = "a shape of a body, for contact and pictures; serves as a frame and a point, too",
          .formula = "p = p_element + R_element position,  R = R_element rotation\n"
                     "sphere: |x| <= radius          capsule: within radius of the line |z| <= length/2\n"
                     "box: |x_k| <= size_k/2         cylinder: x^2 + y^2 <= radius^2, |z| <= length/2\n"
                     "plane: z <= 0, without end     x, y, z: axes of the shape, from p",
          .literature = "Ericson: Real-Time Collision Detection, Morgan Kaufmann 2005, chapter 4 (shapes)",
          .synonyms = shape_synonyms, .kind = TN_FRAME, .prepare = shape_prepare,
          TN_CAPABILITIES(TN_HAS(place, .local_pose = shape_local_pose), TN_HAS(shape, .shape = shape_shape)))

TN_LIBRARY("shape", "1.0.0", "Apache-2.0", "marker: shape of a body", {TN_MARKER_KIND, &shape_type})

#endif
