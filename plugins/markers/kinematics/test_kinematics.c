/* test_kinematics.c - every function of markers against its definition, worked out another way: components from matrices,
 * rates from differences along a motion of all markers */
#include "../../elements/test_element.h"

#include <unistd.h>

/* A frame that moves with constant velocity and angular velocity. */
typedef struct frame {
    tn_vec3 position, velocity, angular_velocity;
    tn_quaternion rotation;
} frame;

enum { I, J, K, L, FRAMES };
typedef struct scene {
    frame frame[FRAMES];
} scene;

static const frame ground = {.rotation = {1, 0, 0, 0}};

static uint64_t seed;

static double draw(double size)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return size * (2.0 * (double)(seed >> 11) * 0x1p-53 - 1.0);
}

static tn_vec3 draw_vector(double size)
{
    const double x = draw(size), y = draw(size);
    return tn_vector(x, y, draw(size));
}

static scene draw_scene(void)
{
    scene s;
    for (int k = 0; k < FRAMES; k++)
        s.frame[k] =
            (frame){draw_vector(2), draw_vector(2), draw_vector(2), tn_exponential(draw_vector(1.8))};
    return s;
}

/* No axis of I is near one of J, where some angle is lost. */
static scene draw_oblique_scene(void)
{
    for (;;) {
        const scene s = draw_scene();
        const tn_mat3 A = tn_rotation_of(s.frame[I].rotation), B = tn_rotation_of(s.frame[J].rotation);
        double nearest = 0.0;
        for (int k = 0; k < 9; k++)
            nearest = fmax(nearest, fabs(tn_dot(tn_axis(A, k / 3), tn_axis(B, k % 3))));
        if (nearest < 0.95) return s;
    }
}

static scene scene_after(const scene *s, double time)
{
    scene moved = *s;
    for (int k = 0; k < FRAMES; k++) {
        frame *f = &moved.frame[k];
        f->position = tn_add(f->position, tn_scale(time, f->velocity));
        f->rotation =
            tn_quaternion_multiply(tn_exponential(tn_scale(time, f->angular_velocity)), f->rotation);
    }
    return moved;
}

/* ---- definitions ----------------------------------------------------------------------------------------- */

static tn_mat3 axes_of(const scene *s, int k) { return tn_rotation_of(s->frame[k].rotation); }

static tn_vec3 way(const scene *s) { return tn_subtract(s->frame[I].position, s->frame[J].position); }

/* Components of the way in the axes of a frame. */
static void way_in(const scene *s, int of, double *to)
{
    const tn_vec3 components = tn_rotate_back(axes_of(s, of), way(s));
    memcpy(to, &components, sizeof components);
}
static void way_in_k(const scene *s, double *to) { way_in(s, K, to); }
static void way_in_l(const scene *s, double *to) { way_in(s, L, to); }
static void distance(const scene *s, double *to) { *to = sqrt(tn_dot(way(s), way(s))); }

/* The axes of I in those of J: columns, so that entry (r, c) is axis c of I times axis r of J. */
static void turn(const scene *s, double *to)
{
    const tn_mat3 Q = tn_multiply(tn_transpose(axes_of(s, J)), axes_of(s, I));
    memcpy(to, &Q, sizeof Q);
}

static void angles(const scene *s, double *to)
{
    double q[9];
    turn(s, q);
    const double all[] = {atan2(q[7], q[4]),  atan2(q[2], q[8]), atan2(q[3], q[0]),
                          atan2(q[2], -q[5]), acos(q[8]),        atan2(q[6], q[7]),
                          atan2(q[3], q[0]),  asin(q[6]),        atan2(q[7], q[8])};
    memcpy(to, all, sizeof all);
}

/* The rate of numbers along the motion, of order 4; angles may jump by a turn. */
static void rate_of(const scene *s, void (*numbers)(const scene *, double *), int count, double *rate)
{
    const double h = 3e-4, pi = 3.141592653589793;
    double near[2][9], far[2][9];
    for (int k = 0; k < 2; k++) {
        const scene a = scene_after(s, k ? h : -h), b = scene_after(s, k ? 2 * h : -2 * h);
        numbers(&a, near[k]);
        numbers(&b, far[k]);
    }
    for (int i = 0; i < count; i++) {
        double one = near[1][i] - near[0][i], two = far[1][i] - far[0][i];
        if (numbers == angles) one = remainder(one, 2 * pi), two = remainder(two, 2 * pi);
        rate[i] = (8 * one - two) / (12 * h);
    }
}

/* What somebody on L sees of the way, in ground axes. */
static tn_vec3 velocity_seen(const scene *s)
{
    double rate[3];
    rate_of(s, way_in_l, 3, rate);
    return tn_rotate(axes_of(s, L), tn_vector(rate[0], rate[1], rate[2]));
}

/* Somebody on J sees I turn: Q' Q^T, in ground axes. */
static tn_vec3 turning_seen(const scene *s)
{
    double q[9], rate[9];
    tn_mat3 Q, D;
    turn(s, q);
    rate_of(s, turn, 9, rate);
    memcpy(&Q, q, sizeof Q);
    memcpy(&D, rate, sizeof D);
    const tn_mat3 W = tn_multiply(D, tn_transpose(Q));
    return tn_rotate(axes_of(s, J), tn_vector(W.row[2].e[1], W.row[0].e[2], W.row[1].e[0]));
}

/* ---- the types ------------------------------------------------------------------------------------------- */

/* The type with its markers put in: `ports` names those that are given, a letter each; absent ones are ground. */
static void begin(test_element *e, const char *name, const scene *s, const char *ports)
{
    static const char letters[] = "ijkl";
    test_begin(e, name);
    assert_string_equal(e->marker_type->name, name);
    uint32_t port = 0;
    for (const tn_port *p = e->marker_type->ports; p->name; p++, port++) {
        if (!strchr(ports, *p->name)) continue;
        const frame *f = &s->frame[strchr(letters, *p->name) - letters];
        if (p->kind == TN_FRAME)
            test_moving_frame(e, port, f->position, f->rotation, f->velocity, f->angular_velocity);
        else
            test_point(e, port, f->position, f->velocity);
    }
    test_no_numbers(e->value, 2);
}

/* Value and rate. */
static void evaluate(const char *name, const scene *s, const char *ports, double *value)
{
    test_element e;
    begin(&e, name, s, ports);
    assert_int_equal(e.marker_type->kinematics(&e.batch), TN_OK);
    memcpy(value, e.value, 2 * sizeof *value);
    test_end(&e);
}

static void expect(const char *name, const scene *s, double value, double rate)
{
    double got[2];
    evaluate(name, s, "ijkl", got);
    if (!(fabs(got[0] - value) <= 1e-13 && fabs(got[1] - rate) <= 1e-9 * (1.0 + fabs(rate))))
        fail_msg("%s: %.15g with rate %.15g, not %.15g with %.15g", name, got[0], got[1], value, rate);
}

static void test_distances_are_those_of_their_definition(void **state)
{
    (void)state;
    static const char *const components[] = {"dx", "dy", "dz"};
    seed = 1;
    for (int k = 0; k < 20; k++) {
        const scene s = draw_scene();
        double value[3], rate[3];
        way_in_k(&s, value);
        rate_of(&s, way_in_k, 3, rate);
        for (int i = 0; i < 3; i++)
            expect(components[i], &s, value[i], rate[i]);
        distance(&s, value);
        rate_of(&s, distance, 1, rate);
        expect("dm", &s, *value, *rate);
    }
}

static const char *const all_angles[] = {"ax", "ay", "az", "psi", "theta", "phi", "yaw", "pitch", "roll"};

static void test_angles_are_those_of_their_definition(void **state)
{
    (void)state;
    seed = 2;
    for (int k = 0; k < 20; k++) {
        const scene s = draw_oblique_scene();
        double value[9], rate[9];
        angles(&s, value);
        rate_of(&s, angles, 9, rate);
        for (int i = 0; i < 9; i++)
            expect(all_angles[i], &s, value[i], rate[i]);
    }
}

static void test_an_angle_has_two_names(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"ax", "axu"}, {"ay", "ayu"}, {"az", "azu"}};
    seed = 5;
    const scene s = draw_oblique_scene();
    for (int k = 0; k < 3; k++) {
        double one[2], other[2];
        evaluate(names[k][0], &s, "ij", one);
        evaluate(names[k][1], &s, "ij", other);
        assert_memory_equal(one, other, sizeof one);
    }
}

static void test_velocities_are_those_of_their_definition(void **state)
{
    (void)state;
    static const char *const names[] = {"vx", "vy", "vz"}, *const turns[] = {"wx", "wy", "wz"};
    seed = 3;
    for (int k = 0; k < 20; k++) {
        const scene s = draw_scene();
        const tn_vec3 u = velocity_seen(&s), w = turning_seen(&s);
        double rate[1];
        for (int i = 0; i < 3; i++) {
            expect(names[i], &s, 0.0, tn_dot(u, tn_axis(axes_of(&s, K), i)));
            expect(turns[i], &s, 0.0, tn_dot(w, tn_axis(axes_of(&s, K), i)));
        }
        rate_of(&s, distance, 1, rate);
        expect("vm", &s, 0.0, tn_norm(u));
        expect("vr", &s, 0.0, *rate);
        expect("wm", &s, 0.0, tn_norm(w));
    }
}

/* All subsets of what may be left out. */
static void test_what_is_absent_is_ground(void **state)
{
    (void)state;
    static const char *const names[] = {"dx", "dy", "dz", "dm", "vx", "vy",  "vz",    "vm",    "vr",
                                        "wx", "wy", "wz", "wm", "ax", "psi", "theta", "pitch", "roll"};
    seed = 4;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (unsigned absent = 0; absent < 8; absent++) {
            char ports[FRAMES + 1] = "i", *next = ports + 1;
            scene s = draw_scene();
            for (int k = J; k < FRAMES; k++)
                if (absent >> (k - J) & 1u)
                    s.frame[k] = ground;
                else
                    *next++ = "ijkl"[k];
            double some[2], all[2];
            evaluate(names[n], &s, ports, some);
            evaluate(names[n], &s, "ijkl", all);
            assert_memory_equal(some, all, sizeof some);
        }
}

/* ---- angles of given rotations --------------------------------------------------------------------------- */

static tn_quaternion about(double x, double y, double z) { return tn_exponential(tn_vector(x, y, z)); }

/* I turned against a J that stands anyhow. */
static scene turned(tn_quaternion a, tn_quaternion b, tn_quaternion c)
{
    scene s = draw_scene();
    s.frame[I].rotation =
        tn_quaternion_multiply(s.frame[J].rotation, tn_quaternion_multiply(a, tn_quaternion_multiply(b, c)));
    return s;
}

static void expect_angle(const char *name, const scene *s, double angle)
{
    double got[2];
    evaluate(name, s, "ij", got);
    if (!(fabs(got[0] - angle) <= 1e-13)) fail_msg("%s: %.15g, not %.15g", name, got[0], angle);
}

static void test_angles_3_1_3_and_3_2_1_are_found_again(void **state)
{
    (void)state;
    seed = 5;
    for (int k = 0; k < 20; k++) {
        const double first = draw(3.1), last = draw(3.1), theta = 1.57 + draw(1.5), pitch = draw(1.5);
        scene s = turned(about(0, 0, first), about(theta, 0, 0), about(0, 0, last));
        expect_angle("psi", &s, first);
        expect_angle("theta", &s, theta);
        expect_angle("phi", &s, last);
        s = turned(about(0, 0, first), about(0, -pitch, 0), about(last, 0, 0));
        expect_angle("yaw", &s, first);
        expect_angle("pitch", &s, pitch);
        expect_angle("roll", &s, last);
    }
}

/* AX is taken between the y axes: off its axis it is not what the z axes would say (0.6094). */
static void test_an_angle_about_one_axis_is_that_of_a_turn_about_it(void **state)
{
    (void)state;
    const tn_quaternion none = about(0, 0, 0);
    seed = 6;
    for (double a = -3.1; a < 3.1; a += 0.4) {
        scene s = turned(about(a, 0, 0), none, none);
        expect_angle("ax", &s, a);
        s = turned(about(0, a, 0), none, none);
        expect_angle("ay", &s, a);
        s = turned(about(0, 0, a), none, none);
        expect_angle("az", &s, a);
    }
    const scene s = turned(about(0, 0.2, 0), about(0.6, 0, 0), none);
    expect_angle("ax", &s, atan(cos(0.2) * tan(0.6)));
    assert_true(fabs(atan(cos(0.2) * tan(0.6)) - 0.5907) < 5e-5);
}

/* ---- where derivatives end ------------------------------------------------------------------------------- */

/* Value and rate, and a derivative that is nothing but numbers. */
static void expect_at_the_end(const char *name, const scene *s, double value, double rate)
{
    test_element e;
    begin(&e, name, s, "ij");
    assert_int_equal(e.marker_type->kinematics(&e.batch), TN_OK);
    expect_numbers(e.value, value, rate);
    test_no_numbers(e.tangent, 2 * e.batch.wrench_size);
    assert_int_equal(e.marker_type->kinematics_tangent(&e.batch), TN_OK);
    for (uint32_t k = 0; k < 2 * e.batch.wrench_size; k++)
        assert_true(e.tangent[k] == 0.0);
    test_end(&e);
}

static void test_lengths_of_nothing_have_no_slope(void **state)
{
    (void)state;
    seed = 7;
    scene s = draw_scene();
    s.frame[I].position = s.frame[J].position;
    expect_at_the_end("dm", &s, 0, 0);
    expect_at_the_end("vr", &s, 0, 0);
    s = draw_scene();
    s.frame[I].velocity = s.frame[J].velocity;
    s.frame[I].angular_velocity = s.frame[J].angular_velocity;
    expect_at_the_end("vm", &s, 0, 0);
    expect_at_the_end("wm", &s, 0, 0);
}

static void test_inclinations_have_no_slope_at_their_ends(void **state)
{
    (void)state;
    const double pi = 3.141592653589793;
    const tn_quaternion none = about(0, 0, 0);
    seed = 8;
    for (int opposite = 0; opposite < 2; opposite++) {
        scene s = turned(about(opposite ? pi : 0, 0, 0), none, about(0, 0, 0.7));
        expect_at_the_end("theta", &s, opposite ? pi : 0, 0);
        s = turned(about(0, 0, 0.4), about(0, opposite ? pi / 2 : -pi / 2, 0), about(0.3, 0, 0));
        expect_at_the_end("pitch", &s, opposite ? -pi / 2 : pi / 2, 0);
    }
}

static void test_angles_that_are_lost_ask_for_another_place(void **state)
{
    (void)state;
    const tn_quaternion none = about(0, 0, 0), right_y = about(0, 1.5707963267948966, 0),
                        right_z = about(0, 0, 1.5707963267948966), right_x = about(1.5707963267948966, 0, 0);
    const struct {
        const char *name;
        tn_quaternion turn;
    } lost[] = {{"psi", none},    {"phi", none},     {"psi", about(3.141592653589793, 0, 0)},
                {"yaw", right_y}, {"roll", right_y}, {"ax", right_z},
                {"ay", right_x},  {"az", right_y}};
    seed = 9;
    for (size_t k = 0; k < sizeof lost / sizeof *lost; k++) {
        test_element e;
        const scene s = turned(lost[k].turn, none, none);
        begin(&e, lost[k].name, &s, "ij");
        if (e.marker_type->kinematics(&e.batch) != TN_RETRY) fail_msg("%s has a value", lost[k].name);
        assert_string_equal(e.failure.message, "this angle has no value here: two of its axes are parallel");
        assert_int_equal(e.marker_type->kinematics_tangent(&e.batch), TN_RETRY);
        test_end(&e);
    }
}

/* ---- the library ----------------------------------------------------------------------------------------- */

static void expect_plugin(const tn_loaded_marker *type)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s.so", TENON_PLUGINS, type->name);
    if (access(path, R_OK) != 0) fail_msg("%s: no such plugin", path);
}

static void expect_acceleration(const tn_loaded_marker *type)
{
    const bool size = type->name[3] == 'm';
    assert_int_equal(type->kind, size ? TN_POINT : TN_COORDINATE);
    assert_int_equal(type->flags, size ? TN_ACCELERATION : TN_ACCELERATION | TN_QUASI_COORDINATE);
    assert_string_equal(type->unit, *type->name == 'a' ? "m/s^2" : "rad/s^2");
}

static void expect_type(const tn_loaded_marker *type)
{
    const bool turns = *type->name == 'v' || *type->name == 'w';
    const char *unit = *type->name == 'w'   ? "rad/s"
                       : *type->name == 'v' ? "m/s"
                       : *type->name == 'd' ? "m"
                                            : "rad";
    const bool counts =
        *unit == 'r' && !turns && strcmp(type->name, "theta") != 0 && strcmp(type->name, "pitch") != 0;
    assert_int_equal(type->kind, TN_COORDINATE);
    assert_string_equal(type->unit, unit);
    assert_int_equal(type->flags, turns ? TN_QUASI_COORDINATE : counts ? TN_COUNTS_TURNS : 0);
}

static void test_every_type_says_what_it_is_and_is_found_by_its_name(void **state)
{
    (void)state;
    tn_loaded library;
    tn_reason reason;
    if (tn_load(TENON_PLUGINS "/kinematics.so", &tn_reader_loading, &library, &reason) != TN_LOADED)
        fail_msg("%s", reason.text);
    for (size_t k = 0; k < library.type_count; k++) {
        const tn_loaded_marker *type = library.types[k].type;
        (type->flags & TN_ACCELERATION ? expect_acceleration : expect_type)(type);
        expect_plugin(type);
    }
    assert_int_equal(library.type_count, 33);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_are_those_of_their_definition),
        cmocka_unit_test(test_angles_are_those_of_their_definition),
        cmocka_unit_test(test_an_angle_has_two_names),
        cmocka_unit_test(test_velocities_are_those_of_their_definition),
        cmocka_unit_test(test_what_is_absent_is_ground),
        cmocka_unit_test(test_angles_3_1_3_and_3_2_1_are_found_again),
        cmocka_unit_test(test_an_angle_about_one_axis_is_that_of_a_turn_about_it),
        cmocka_unit_test(test_lengths_of_nothing_have_no_slope),
        cmocka_unit_test(test_inclinations_have_no_slope_at_their_ends),
        cmocka_unit_test(test_angles_that_are_lost_ask_for_another_place),
        cmocka_unit_test(test_every_type_says_what_it_is_and_is_found_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
