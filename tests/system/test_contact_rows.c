/* test_contact_rows.c - rows of points of contact (tenon/draft/contacts.h) against differences of gaps and of places on the bodies; their
 * order; which points were there before; what is kept as state */
#include "harness.h"

#include "extensions/contact_memory.h"

#include <tenon/draft/operators.h>

#include <math.h>

static const char *plugins;

static int set_up(void **state)
{
    if (tn_scratch_open(state)) return 1;
    const char *balls = tn_build_test_plugin("balls");
    const char *carrier = tn_build_complex_step("tests/system/carrier");
    plugins = tn_format("[plugins]\nballs = '%s'\ncarrier = '%s'\n", balls, carrier);
    return balls && carrier ? 0 : 1;
}

#define BODY(name, place)                                                                   \
    "[[element]]\nname = '" name                                                            \
    "'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.3, 0.2, 0.1]\nposition = " place        \
    "\nrotation = { axis = [1, 2, 3], angle = 0.7 }\nangular_velocity = [0.4, -0.3, 0.9]\n" \
    "velocity = [0.3, 0.5, -0.2]\n"
#define BODIES                                                                                     \
    BODY("a", "[0, 0, 1]")                                                                         \
    BODY("b", "[0.4, 1, 0.2]")                                                                     \
    BODY("c", "[-0.6, 0.3, 0.4]")                                                                  \
    "[[marker]]\nname = 'k'\ntype = 'carrier'\nbase = 'a'\naim = 'b'\noffset = [0.2, -0.3, 0.4]\n" \
    "[[marker]]\nname = 'k2'\ntype = 'carrier'\nbase = 'k'\naim = 'c'\n"
#define ON(body, place) \
    "{ element = '" body "', position = " place ", rotation = { axis = [1, 0, 2], angle = 1.1 } }"
#define CONTACT(name, more, floor, balls)                                                               \
    "[[element]]\nname = '" name "'\ntype = 'balls'\nradius = 0.1\nfriction = 0.3\nfloor = " floor "\n" \
    "balls = [" balls "]\n" more "\n"
#define ALPHA "[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 1e-3\n" /* for its linear solver */

/* Balls and cubes on frames of bodies, on markers of several bodies, on one body twice, against the ground and moving floors. */
#define ALL_KINDS                                                                                            \
    BODIES CONTACT("balls", "", ON("ground", "[0, 0, 0.1]"),                                                 \
                   "'a', " ON("a", "[0, 1, 0]") ", 'b', " ON("c", "[0.3, 0, 0.2]") ", 'k', 'k2'")            \
        CONTACT("cubes", "cubes = 1", ON("c", "[0.1, 0.2, 0.3]"), "'a', " ON("b", "[0, 0.2, 0.1]") ", 'k2'") \
            CONTACT("carried", "cubes = 1", "'k'", "'b', " ON("a", "[0.1, 0, 0]") ", 'ground'")

typedef struct scene {
    tn_world world;
    tn_system *system;
    const tn_operators *o;
    const tn_contact_rows *c;
    double *q;
    tn_random random;
} scene;

static void open_scene(scene *s, const char *model)
{
    *s = (scene){.random = {20261125}};
    tn_world_open(&s->world, tn_format("%s%s" ALPHA, plugins, model), NULL, NULL);
    tn_world_open_linear(&s->world);
    s->system = s->world.system;
    s->o = s->system->extension(s->system, TN_OPERATORS_KEY);
    s->c = s->system->extension(s->system, TN_CONTACT_ROWS_KEY);
    assert_non_null(s->o);
    assert_non_null(s->c);
    assert_ptr_equal(s->c, s->system->extension(s->system, TN_CONTACT_ROWS_KEY));
    s->q = tn_new(s->system->nq, sizeof(double));
    memcpy(s->q, s->system->q, s->system->nq * sizeof(double));
}

/* Another place and velocity for every body. */
static void draw(scene *s, double way)
{
    tn_system *system = s->system;
    double *increment = tn_new(system->nv, sizeof *increment);
    for (uint32_t j = 0; j < system->nv; j++) {
        increment[j] = tn_draw(&s->random, -way, way);
        system->v[j] = tn_draw(&s->random, -1.0, 1.0);
    }
    assert_int_equal(system->retract(system, s->q, increment, system->q), TN_OK);
}

static void look(const scene *s, double margin)
{
    assert_int_equal(s->o->begin_step(s->system), TN_OK);
    assert_int_equal(s->c->find(s->system, margin), TN_OK);
}

static double rate_of(const scene *s, uint32_t row)
{
    double sum = 0.0;
    for (uint32_t e = s->c->row_start[row]; e < s->c->row_start[row + 1]; e++)
        sum += s->c->value[e] * s->system->v[s->c->column[e]];
    return sum;
}

/* ---- tangents -------------------------------------------------------------------------------------------- */

static void check_frame(double x, double y, double z)
{
    const double length = sqrt(x * x + y * y + z * z), n[3] = {x / length, y / length, z / length};
    double axis[3][3];
    tn_contact_axes(n, axis);
    assert_memory_equal(axis[0], n, sizeof n);
    for (int a = 0; a < 3; a++) {
        const double *u = axis[a], *v = axis[(a + 1) % 3], *w = axis[(a + 2) % 3];
        const double cross[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                 u[0] * v[1] - u[1] * v[0]};
        assert_true(fabs(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1.0) < 1e-15 * 4);
        for (int c = 0; c < 3; c++)
            assert_true(fabs(cross[c] - w[c]) < 4e-16);
    }
}

static void normal_and_tangents_are_a_right_handed_frame(void **state)
{
    (void)state;
    tn_random random = {3};
    for (int k = 0; k < 1000; k++)
        check_frame(tn_draw(&random, -1, 1), tn_draw(&random, -1, 1), tn_draw(&random, -1, 1));
    check_frame(0, 0, 1);
    check_frame(0, 0, -1);
    check_frame(1e-9, -1e-9, -1);
    check_frame(1, 0, 0);
    check_frame(0, -1, -0.0);
}

/* ---- rows against differences ---------------------------------------------------------------------------- */

enum { MOST_POINTS = 400 };

/* What is followed along the motion: gaps, and places of the material of both bodies. */
typedef struct places {
    uint32_t count;
    tn_contact_point point[MOST_POINTS];
    uint32_t owner[MOST_POINTS];
    double local[MOST_POINTS][2][3];
} places;

static const double *pose_of(const scene *s, uint32_t item, uint32_t marker)
{
    const tn_assembly *assembly = s->world.assembly;
    const tn_group *group = &assembly->group[assembly->group_of[item]];
    const size_t at = (size_t)assembly->index_of[item] * group->batch.marker_count + marker;
    return group->batch.pose + group->batch.marker[at].pose;
}

static void keep_places(const scene *s, places *p)
{
    p->count = s->c->count;
    assert_true(p->count <= MOST_POINTS && p->count > 60);
    memcpy(p->point, s->c->point, p->count * sizeof *p->point);
    memcpy(p->owner, s->c->owner, p->count * sizeof *p->owner);
    for (uint32_t k = 0; k < p->count; k++)
        for (int side = 0; side < 2; side++) {
            const double *pose = pose_of(s, p->owner[k], side ? p->point[k].second : p->point[k].first);
            for (int c = 0; c < 3; c++) {
                p->local[k][side][c] = 0.0;
                for (int r = 0; r < 3; r++)
                    p->local[k][side][c] += pose[3 + 3 * r + c] * (p->point[k].position[r] - pose[r]);
            }
        }
}

static void find_place(const scene *s, const places *p, uint32_t k, int side, double *place)
{
    const double *pose = pose_of(s, p->owner[k], side ? p->point[k].second : p->point[k].first);
    for (int r = 0; r < 3; r++) {
        place[r] = pose[r];
        for (int c = 0; c < 3; c++)
            place[r] += pose[3 + 3 * r + c] * p->local[k][side][c];
    }
}

static void check_rates(scene *s)
{
    static places p;
    static double change[MOST_POINTS], velocity[MOST_POINTS][3], expected[3 * MOST_POINTS];
    tn_system *system = s->system;
    const double h = 1e-5;
    look(s, 100.0);
    keep_places(s, &p);
    memset(change, 0, sizeof change);
    memset(velocity, 0, sizeof velocity);
    for (uint32_t r = 0; r < 3 * p.count; r++)
        expected[r] = rate_of(s, r);
    double *q = tn_new(system->nq, sizeof *q), *way = tn_new(system->nv, sizeof *way);
    memcpy(q, system->q, system->nq * sizeof *q);
    for (int sign = -1; sign <= 1; sign += 2) {
        for (uint32_t j = 0; j < system->nv; j++)
            way[j] = sign * h * system->v[j];
        assert_int_equal(system->retract(system, q, way, system->q), TN_OK);
        look(s, 100.0);
        assert_int_equal(s->c->count, p.count);
        for (uint32_t k = 0; k < p.count; k++) {
            double first[3], second[3];
            find_place(s, &p, k, 0, first);
            find_place(s, &p, k, 1, second);
            change[k] += sign * s->c->point[k].gap / (2.0 * h);
            for (int c = 0; c < 3; c++)
                velocity[k][c] += sign * (first[c] - second[c]) / (2.0 * h);
        }
    }
    memcpy(system->q, q, system->nq * sizeof *q);
    for (uint32_t k = 0; k < p.count; k++) {
        double axis[3][3];
        tn_contact_axes(p.point[k].normal, axis);
        assert_true(fabs(change[k] - expected[3 * k]) < 1e-7);
        for (uint32_t r = 0; r < 3; r++) {
            const double along =
                axis[r][0] * velocity[k][0] + axis[r][1] * velocity[k][1] + axis[r][2] * velocity[k][2];
            assert_true(fabs(along - expected[3 * k + r]) < 1e-7);
        }
    }
}

/* By ascending columns, once each; points element by element, by markers and features. */
static void check_pattern(const scene *s)
{
    const tn_contact_rows *c = s->c;
    assert_int_equal(c->row_start[0], 0);
    for (uint32_t r = 0; r < 3 * c->count; r++) {
        const tn_contact_point *point = &c->point[r / 3];
        const bool fixed = c->row_start[r] == c->row_start[r + 1];
        assert_false(fixed && point->second != 0);
        for (uint32_t e = c->row_start[r]; e + 1 < c->row_start[r + 1]; e++)
            assert_true(c->column[e] < c->column[e + 1] && c->column[e + 1] < s->system->nv);
        for (uint32_t e = c->row_start[r]; r % 3 && e < c->row_start[r + 1]; e++)
            assert_int_equal(c->column[e], c->column[e - (c->row_start[r] - c->row_start[r - 1])]);
    }
    for (uint32_t k = 0; k + 1 < c->count; k++) {
        const tn_contact_point *a = &c->point[k], *b = a + 1;
        const bool other = c->owner[k] != c->owner[k + 1];
        assert_true(other || a->first < b->first || (a->first == b->first && a->second < b->second) ||
                    (a->first == b->first && a->second == b->second && a->feature < b->feature));
    }
}

static void rows_are_rates_of_gaps_and_of_places_across(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, ALL_KINDS);
    for (int k = 0; k < 20; k++) {
        draw(&s, 0.4);
        check_rates(&s);
        check_pattern(&s);
    }
    assert_string_equal(s.o->owner_name(s.system, s.c->owner[0]), "balls");
    assert_string_equal(s.o->owner_name(s.system, s.c->owner[s.c->count - 1]), "carried");
    assert_true(s.c->point[0].friction == 0.3);
    tn_world_close(&s.world);
}

/* Fixed bodies have no entries; a row between two bodies has those of both. */
static void entries_of_fixed_bodies_are_left_out(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, BODIES CONTACT("balls", "", "'ground'", "'a', 'b'"));
    look(&s, 100.0);
    assert_int_equal(s.c->count, 3);
    const uint32_t size[] = {6, 12, 6};
    for (uint32_t r = 0; r < 9; r++)
        assert_int_equal(s.c->row_start[r + 1] - s.c->row_start[r], size[r / 3]);
    look(&s, -100.0);
    assert_int_equal(s.c->count, 0);
    tn_world_close(&s.world);
}

/* ---- from step to step ----------------------------------------------------------------------------------- */

/* Where point `k` stood among others, by looking at each. */
static uint32_t search(const scene *s, uint32_t k, const places *before)
{
    const tn_contact_point *point = &s->c->point[k];
    for (uint32_t i = 0; i < before->count; i++) {
        const tn_contact_point *other = &before->point[i];
        if (before->owner[i] == s->c->owner[k] && other->first == point->first &&
            other->second == point->second && other->feature == point->feature)
            return i;
    }
    return TN_NO_POINT;
}

static void take_points(const scene *s, places *p)
{
    p->count = s->c->count;
    assert_true(p->count <= MOST_POINTS);
    memcpy(p->point, s->c->point, p->count * sizeof *p->point);
    memcpy(p->owner, s->c->owner, p->count * sizeof *p->owner);
}

static void points_are_found_again_while_others_come_and_go(void **state)
{
    (void)state;
    static places settled;
    static double impulse[3 * MOST_POINTS];
    scene s;
    open_scene(&s, ALL_KINDS);
    settled.count = 0;
    uint32_t most = 0, least = MOST_POINTS, old = 0;
    for (int step = 0; step < 200; step++) {
        draw(&s, 0.3);
        look(&s, step % 7 == 6 ? -10.0 : tn_draw(&s.random, -0.3, 0.6));
        for (uint32_t k = 0; k < s.c->count; k++) {
            const uint32_t before = s.c->before(s.system, k);
            assert_int_equal(before, search(&s, k, &settled));
            for (int r = 0; before != TN_NO_POINT && r < 3; r++)
                assert_true(s.c->last_impulse[3 * before + (uint32_t)r] == impulse[3 * before + (uint32_t)r]);
            old += before != TN_NO_POINT;
        }
        if (step % 3 == 1) continue; /* that step was rejected */
        most = s.c->count > most ? s.c->count : most;
        least = s.c->count < least ? s.c->count : least;
        take_points(&s, &settled);
        for (uint32_t r = 0; r < 3 * s.c->count; r++)
            impulse[r] = tn_draw(&s.random, -1.0, 1.0);
        assert_int_equal(s.c->settle(s.system, impulse, NULL, 0.01), TN_OK);
    }
    if (most < 50 || least > 0 || old < 1000) fail_msg("%u, %u, %u", most, least, old);
    tn_world_close(&s.world);
}

/* ---- reactions ------------------------------------------------------------------------------------------- */

/* f with the mean reactions of all impulses is f alone and G^T impulse/length. */
static void mean_reactions_act_until_the_next_step(void **state)
{
    (void)state;
    static double impulse[3 * MOST_POINTS];
    scene s;
    open_scene(&s, ALL_KINDS);
    double *force = tn_new(s.system->nv, sizeof *force);
    for (int step = 0; step < 10; step++) {
        draw(&s, 0.3);
        look(&s, 100.0);
        for (uint32_t r = 0; r < 3 * s.c->count; r++)
            impulse[r] = tn_draw(&s.random, -1.0, 1.0);
        memcpy(force, s.system->force, s.system->nv * sizeof *force);
        for (uint32_t r = 0; r < 3 * s.c->count; r++)
            for (uint32_t e = s.c->row_start[r]; e < s.c->row_start[r + 1]; e++)
                force[s.c->column[e]] += s.c->value[e] * impulse[r] / 0.25;
        assert_int_equal(s.c->settle(s.system, impulse, NULL, 0.25), TN_OK);
        assert_int_equal(s.system->evaluate(s.system), TN_OK);
        for (uint32_t j = 0; j < s.system->nv; j++)
            assert_true(fabs(force[j] - s.system->force[j]) < 1e-9 * (1.0 + fabs(force[j])));
        assert_int_equal(s.o->begin_step(s.system), TN_OK);
        for (uint32_t j = 0; j < s.system->nv; j++) /* no gravity, and masses turn */
            assert_true(fabs(s.system->force[j]) < 5.0);
    }
    tn_world_close(&s.world);
}

/* ---- state ----------------------------------------------------------------------------------------------- */

typedef struct walk {
    tn_state_visitor visitor;
    char bytes[100000];
    size_t at;
} walk;

static void pass(tn_state_visitor *visitor, void *data, size_t size)
{
    walk *w = (walk *)(void *)visitor;
    assert_true(w->at + size <= sizeof w->bytes);
    if (visitor->restores)
        memcpy(data, w->bytes + w->at, size);
    else
        memcpy(w->bytes + w->at, data, size);
    w->at += size;
}

static size_t visit(const scene *s, walk *w, bool restores)
{
    w->visitor = (tn_state_visitor){sizeof w->visitor, restores, pass};
    w->at = 0;
    tn_contacts_list_state(s->world.assembly, &w->visitor);
    return w->at;
}

static void settle_at(scene *s, double margin)
{
    static double impulse[3 * MOST_POINTS];
    draw(s, 0.3);
    look(s, margin);
    for (uint32_t r = 0; r < 3 * s->c->count; r++)
        impulse[r] = tn_draw(&s->random, -1.0, 1.0);
    assert_int_equal(s->c->settle(s->system, impulse, NULL, 0.01), TN_OK);
}

/* Into another model, that has never had as many points. */
static void kept_points_are_state(void **state)
{
    (void)state;
    static walk saved, other;
    scene a, b;
    open_scene(&a, ALL_KINDS);
    open_scene(&b, ALL_KINDS);
    settle_at(&a, 100.0);
    const uint32_t count = a.c->count;
    double first[6];
    memcpy(first, a.c->last_impulse, sizeof first);
    settle_at(&b, -0.2);
    assert_true(b.c->count < count);
    const size_t size = visit(&a, &saved, false);
    assert_true(visit(&b, &other, false) < size);
    assert_int_equal(visit(&b, &saved, true), size);
    assert_int_equal(visit(&b, &other, false), size);
    assert_memory_equal(saved.bytes, other.bytes, size);
    look(&b, 100.0);
    for (uint32_t k = 0; k < b.c->count; k++)
        assert_int_equal(b.c->before(b.system, k), k);
    assert_memory_equal(first, b.c->last_impulse, sizeof first);
    settle_at(&a, -10.0);
    assert_true(visit(&a, &other, false) < size);
    tn_world_close(&a.world);
    tn_world_close(&b.world);
}

static uint32_t allocations;

static bool there_is_no_memory(void)
{
    allocations++;
    return true;
}

static tn_status find_without_memory(const scene *s, double margin)
{
    assert_int_equal(s->o->begin_step(s->system), TN_OK);
    allocations = 0;
    tn_memory_fail_by(there_is_no_memory);
    const tn_status status = s->c->find(s->system, margin);
    tn_memory_fail_by(NULL);
    return status;
}

/* As many as ever need none; more than there is memory for are a status, and leave none. */
static void memory_is_asked_for_where_there_are_more_points_than_ever(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, ALL_KINDS);
    look(&s, -10.0);
    assert_int_equal(find_without_memory(&s, 100.0), TN_OUT_OF_MEMORY);
    assert_true(allocations == 1 && s.c->count == 0);
    look(&s, 100.0);
    const uint32_t most = s.c->count;
    for (int k = 0; k < 10; k++) {
        draw(&s, 0.3);
        assert_int_equal(find_without_memory(&s, k % 2 ? 100.0 : 0.1), TN_OK);
        assert_true(allocations == 0 && s.c->count <= most);
    }
    tn_world_close(&s.world);
}

static void models_without_points_have_no_rows(void **state)
{
    (void)state;
    tn_world world;
    tn_world_open(&world,
                  tn_format("%s" BODIES CONTACT("balls", "silent = 1", "'ground'", "'a'") ALPHA, plugins),
                  NULL, NULL);
    tn_world_open_linear(&world);
    assert_null(world.system->extension(world.system, TN_CONTACT_ROWS_KEY));
    tn_world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_and_tangents_are_a_right_handed_frame),
        cmocka_unit_test(rows_are_rates_of_gaps_and_of_places_across),
        cmocka_unit_test(entries_of_fixed_bodies_are_left_out),
        cmocka_unit_test(points_are_found_again_while_others_come_and_go),
        cmocka_unit_test(mean_reactions_act_until_the_next_step),
        cmocka_unit_test(kept_points_are_state),
        cmocka_unit_test(memory_is_asked_for_where_there_are_more_points_than_ever),
        cmocka_unit_test(models_without_points_have_no_rows),
    };
    return cmocka_run_group_tests_name("contact rows", tests, set_up, tn_scratch_close);
}
