/* test_bicycle_accelerations.c - the benchmark bicycle, configs/seeds/bicycle.toml, leaning, pitching and steering anyhow: its
 * accelerations against published ones (tests/reference/bicycle/README.md) */
#include "harness.h"

#include "tenon/algebra.h"

#include <math.h>

#define BICYCLE TENON_SOURCE_DIR "/configs/seeds/bicycle.toml"
#define TILT (acos(-1.0) / 10.0)
#define REAR_RADIUS 0.3

enum { FRAME, FORK, REAR_WHEEL, FRONT_WHEEL, BODIES };
static const char *const body[BODIES] = {"frame", "fork", "rear_wheel", "front_wheel"};

/* Rotation, place, angular velocity, velocity and angular acceleration of a body, in ground axes. */
typedef struct motion {
    tn_mat3 R;
    tn_vec3 p, w, v, a;
} motion;

/* An angle with its rates. */
typedef struct angle {
    double value, rate, acceleration;
} angle;

static motion moved_to(motion m, tn_vec3 point)
{
    const tn_vec3 arm = tn_rotate(m.R, point);
    m.p = tn_add(m.p, arm);
    m.v = tn_add(m.v, tn_cross(m.w, arm));
    return m;
}

/* Turns against what moves with `m`, about an axis of it through its origin. */
static motion turned(motion m, tn_vec3 axis, angle by)
{
    const tn_vec3 e = tn_rotate(m.R, axis), w = m.w;
    m.R = tn_multiply(m.R, tn_rotation_of(tn_exponential(tn_scale(by.value, axis))));
    m.w = tn_add(w, tn_scale(by.rate, e));
    m.a = tn_add(m.a, tn_add(tn_scale(by.acceleration, e), tn_cross(w, tn_scale(by.rate, e))));
    return m;
}

/* The state and the accelerations of Basu-Mandal, Chatterjee and Papadopoulos (2007), Table 1, in axes of ours: yaw, roll,
 * pitch, steer and the turning of the wheels are theta, pi/2 - psi, phi - pi, -psi_f, beta_r and beta_f; x and y point the
 * other way. */
static const double psi = 0.9501292851472, phi = 3.1257073014894, psi_f = 0.2311385135743;
static const double height_of_hub = 0.2440472102925;
static const tn_vec3 velocity_of_hub = {{2.8069345714545, 0.1480982396001, 0.1058778746261}};

static void take_published_state(motion *m)
{
    const double right = acos(0.0);
    const tn_vec3 x = tn_vector(1, 0, 0), y = tn_vector(0, 1, 0), z = tn_vector(0, 0, 1);
    const tn_vec3 rear_hub = tn_vector(0, 0, REAR_RADIUS), front_hub = tn_vector(1.02, 0, 0.35);
    const tn_vec3 steering = tn_vector(1.1, 0, 0);

    // the frame turns; its place follows from the hub of the wheel, which rolls
    motion frame = {.R = tn_identity()};
    frame = turned(frame, z, (angle){0.0, 0.7830033527065, 0.8353281706379});
    frame = turned(frame, x, (angle){right - psi, -0.6068425835418, 7.8555281128244});
    frame = turned(frame, y, (angle){phi - 2.0 * right, -0.0119185528069, 0.1205543897884});
    const angle rear = {0.0, 8.9129896614890, 1.8472554144217};
    const tn_vec3 axle = tn_axis(frame.R, 1), forward = tn_cross(axle, z);
    const tn_vec3 down = tn_scale(REAR_RADIUS / tn_norm(forward), tn_cross(axle, forward));
    const tn_vec3 v_hub = tn_negate(tn_cross(turned(frame, y, rear).w, down));
    const tn_vec3 arm = tn_rotate(frame.R, rear_hub);
    frame.p = tn_subtract(tn_vector(0, 0, height_of_hub), arm);
    frame.v = tn_subtract(v_hub, tn_cross(frame.w, arm));
    assert_true(fabs(-down.e[2] - height_of_hub) <= 1e-12);
    assert_true(tn_norm(tn_subtract(v_hub, velocity_of_hub)) <= 1e-12);

    m[FRAME] = frame;
    m[FORK] = turned(moved_to(frame, steering), tn_vector(sin(TILT), 0, -cos(TILT)),
                     (angle){-psi_f, -0.4859824687093, 4.6198904039403});
    m[FORK] = moved_to(m[FORK], tn_negate(steering));
    m[REAR_WHEEL] = turned(moved_to(frame, rear_hub), y, rear);
    m[FRONT_WHEEL] = turned(moved_to(m[FORK], front_hub), y, (angle){0.0, 8.0133620584155, 2.4548072904550});
}

/* The model from this state, for no time. */
static const tn_csv_table *start_from(const motion *m)
{
    const char *text = tn_read(BICYCLE), *words[8 * BODIES + 3] = {NULL};
    const char **next = words;
    for (int k = 0; k < BODIES; k++) {
        const tn_mat3 R = m[k].R;
        const tn_vec3 w = tn_rotate_back(R, m[k].w),
                      rows[6] = {R.row[0], R.row[1], R.row[2], m[k].p, m[k].v, w};
        const char *t[6];
        for (int i = 0; i < 6; i++)
            t[i] = tn_format("[%.17g, %.17g, %.17g]", rows[i].e[0], rows[i].e[1], rows[i].e[2]);
        const char *const values[4] = {tn_format("rotation=[%s, %s, %s]", t[0], t[1], t[2]),
                                       tn_format("position=%s", t[3]), tn_format("velocity=%s", t[4]),
                                       tn_format("angular_velocity=%s", t[5])};
        for (int i = 0; i < 4; i++) {
            *next++ = "--set";
            *next++ = tn_format("element.%s.%s", body[k], values[i]);
        }
        text = tn_format("%s[[sensor]]\nname = 'a_%s'\nelement = '%s'\noutput = 'angular_acceleration'\n"
                         "[[sensor]]\nname = 'w_%s'\nelement = '%s'\noutput = 'angular_velocity'\n",
                         text, body[k], body[k], body[k], body[k]);
    }
    *next++ = "--set";
    *next++ = "solver.end_time=0";
    return tn_simulate(text, words);
}

static void check(const tn_csv_table *run, const char *column, double right, double most)
{
    const double value = tn_value_at(run, column, 0);
    if (!(fabs(value - right) <= most)) fail_msg("%s is %.15g, not %.15g", column, value, right);
}

static void test_accelerations_of_a_general_state(void **state)
{
    (void)state;
    motion m[BODIES];
    take_published_state(m);
    const tn_csv_table *run = start_from(m);
    for (int k = 0; k < BODIES; k++) {
        for (int i = 0; i < 3; i++) {
            check(run, tn_format("w_%s.%c", body[k], "xyz"[i]), m[k].w.e[i], 5e-12);
            check(run, tn_format("a_%s.%c", body[k], "xyz"[i]), m[k].a.e[i], 5e-11);
        }
    }
    check(run, "steer", -psi_f, 1e-12);
    check(run, "steer_rate", -0.4859824687093, 5e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_accelerations_of_a_general_state)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
