/* test_scene.h - a contact of shapes at places of their own, for its tests: with memory for as many points as they have */
#ifndef TEST_SCENE_H
#define TEST_SCENE_H

#include "contact.h"

#include "../test_element.h"

enum { SCENE_SHAPES = 24, SCENE_POINTS = 128, SCENE_SCRATCH = 1024 };

typedef struct scene {
    test_element e;
    tn_shape shape[SCENE_SHAPES];
    const tn_shape *list[SCENE_SHAPES];
    uint32_t count, kind[SCENE_SHAPES];
    tn_marker_place place[SCENE_SHAPES];
    double pose[12 * SCENE_SHAPES], twist[6 * SCENE_SHAPES], wrench[6 * SCENE_SHAPES];
    double d[CONTACT_DATA + 7 * SCENE_POINTS], x[32], x_rate[32], events[2 * SCENE_POINTS],
        scratch[SCENE_SCRATCH];
    tn_contact_list taken; /* what `points` has handed over: */
    tn_contact_point point[SCENE_POINTS];
    uint32_t points;
} scene;

static tn_material_pair scene_pair = {.struct_size = sizeof scene_pair,
                                      .friction = 0.4,
                                      .static_friction = 0.6,
                                      .restitution = 0.5,
                                      .restitution_threshold = (double)NAN,
                                      .stiffness = 2000,
                                      .damping = (double)NAN,
                                      .exponent = (double)NAN};

static const tn_material_pair *scene_pair_of(TN_UNUSED const tn_host *host, const char *one,
                                             const char *other)
{
    return one && other && strcmp(one, "steel") == 0 && strcmp(other, "steel") == 0 ? &scene_pair : NULL;
}

static const void *scene_extension(TN_UNUSED const tn_host *host, const char *key)
{
    static const tn_materials materials = {.struct_size = sizeof materials, .pair = scene_pair_of};
    return strcmp(key, TN_MATERIALS_KEY) == 0 ? &materials : NULL;
}

static inline void scene_choose(scene *s, const char *name, int32_t word)
{
    *(int32_t *)test_place(&s->e, test_parameter(&s->e, name)) = word;
}

static inline void scene_begin(scene *s, int32_t law)
{
    memset(s, 0, sizeof *s);
    test_begin(&s->e, "contact");
    s->e.host.table.extension = scene_extension;
    scene_choose(s, "law", law);
}

static inline void scene_end(scene *s) { test_end(&s->e); }

/* A shape of a body of its own that moves; `fixed` shapes are of body 0. */
static inline tn_shape *scene_shape(scene *s, tn_shape_kind kind, double a, double b, double c)
{
    static const char *const names[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};
    tn_shape *shape = &s->shape[s->count];
    *shape = (tn_shape){.struct_size = sizeof *shape,
                        .kind = kind,
                        .size = {a, b, c},
                        .name = names[s->count % 8],
                        .material = "steel",
                        .body = s->count + 1};
    s->list[s->count] = shape;
    s->kind[s->count] = TN_FRAME;
    s->place[s->count] = (tn_marker_place){12 * s->count, 6 * s->count};
    s->count++;
    return shape;
}

static inline void scene_put(scene *s, uint32_t k, tn_vec3 position, tn_mat3 rotation, tn_vec3 velocity,
                             tn_vec3 w)
{
    memcpy(s->pose + 12 * k, &position, sizeof position);
    memcpy(s->pose + 12 * k + 3, &rotation, sizeof rotation);
    memcpy(s->twist + 6 * k, &velocity, sizeof velocity);
    memcpy(s->twist + 6 * k + 3, &w, sizeof w);
}

/* prepare, shapes, layout: what the kernel does. */
static inline tn_status scene_try(scene *s)
{
    test_element *e = &s->e;
    tn_status status = e->type->prepare(&e->host.table, e->instance);
    if (status == TN_OK) status = e->type->shapes(&e->host.table, e->instance, s->count, s->list);
    if (status != TN_OK) return status;
    e->layout = (tn_layout){.struct_size = sizeof(tn_layout)};
    status = e->type->layout(&e->host.table, e->instance, &e->layout);
    e->batch.marker_count = s->count;
    e->batch.marker_kind = s->kind;
    e->batch.marker = s->place;
    e->batch.pose = s->pose;
    e->batch.twist = s->twist;
    e->batch.wrench = s->wrench;
    e->batch.wrench_size = 6 * s->count;
    e->batch.d = s->d;
    e->batch.x = s->x;
    e->batch.x_rate = s->x_rate;
    e->batch.scratch = s->scratch;
    assert_true(e->layout.nd <= sizeof s->d / sizeof *s->d && e->layout.scratch <= SCENE_SCRATCH);
    return status;
}

static inline void scene_prepare(scene *s)
{
    if (scene_try(s) != TN_OK) fail_msg("%s", s->e.host.message);
}

static inline void scene_take(tn_contact_list *list, const tn_contact_point *point)
{
    scene *s = (scene *)(void *)((char *)list - offsetof(scene, taken));
    assert_true(s->points < SCENE_POINTS);
    s->point[s->points++] = *point;
}

/* All points whose gap is at most the margin. */
static inline void scene_find(scene *s, double margin)
{
    s->points = 0;
    s->taken = (tn_contact_list){.struct_size = sizeof s->taken, .add = scene_take};
    test_no_numbers(s->scratch, SCENE_SCRATCH);
    assert_int_equal(s->e.type->points(&s->e.batch, 0, margin, &s->taken), TN_OK);
}

/* ---- random numbers -------------------------------------------------------------------------------------------- */

static inline double draw(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

static inline tn_vec3 draw_vector(uint64_t *seed, double size)
{
    const double x = draw(seed, -size, size), y = draw(seed, -size, size);
    return tn_vector(x, y, draw(seed, -size, size));
}

static inline tn_mat3 draw_turn(uint64_t *seed)
{
    const double w = draw(seed, -1, 1), x = draw(seed, -1, 1), y = draw(seed, -1, 1);
    return tn_rotation_of((tn_quaternion){w, x, y, draw(seed, -1, 1)});
}

static inline tn_vec3 read_vector(const double *e) { return tn_vector(e[0], e[1], e[2]); }

static inline tn_mat3 read_rotation(const scene *s, uint32_t k)
{
    tn_mat3 R;
    memcpy(&R, s->pose + 12 * k + 3, sizeof R);
    return R;
}

#endif
