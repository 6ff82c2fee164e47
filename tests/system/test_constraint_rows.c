/* test_constraint_rows.c - position rows that are driven in time, and velocity rows: motions and forces that are known,
 * with order 2 */
#include "alpha_steps.h"

static const char *const methods[] = {"spectral_radius = 0.8\n" TN_ACCURATE,
                                      "spectral_radius = 0.3\n" TN_ACCURATE, "index = 2\n" TN_ACCURATE,
                                      "scheme = 'trapezoidal'\n" TN_ACCURATE};
enum { METHODS = sizeof methods / sizeof *methods };
static const tn_rhythm equal = {{1.0}}, alternating = {{1.0, 0.5}};

static const char *built(const char *name)
{
    return tn_build_text(name, tn_read(tn_format(TENON_SOURCE_DIR "/tests/system/plugins/%s.c", name)));
}

/* At least order 2, and small errors at once. */
static void check_orders(const tn_known *known, double h, const double most[TN_LEVELS])
{
    for (int m = 0; m < METHODS; m++) {
        double errors[TN_LEVELS];
        tn_check_order(known, methods[m], &equal, h, 2.0, 9.0);
        tn_check_order(known, methods[m], &alternating, h, 2.0, 9.0);
        tn_measure(known, methods[m], &equal, h, 2.0, SIZE_MAX, errors);
        for (int level = 0; level < TN_LEVELS; level++)
            if (!(errors[level] <= most[level]))
                fail_msg("%serror %.3g of %s", methods[m], errors[level], tn_level_names[level]);
    }
}

/* ---- a mass on a winch: r = u^(-1/2), u = 1 + swell sin w t; the moment of momentum stays ------------------- */

#define SWELL 0.3
#define HEIGHT 0.5
#define FREQUENCY 3.0
#define SPIN 2.0 /* of the angle at the start */
#define MASS 2.0
#define GRAVITY 9.81

static void solution_of_winch(double time, double value[TN_LEVELS][TN_MOST_VALUES])
{
    const double w = FREQUENCY, s = sin(w * time), c = cos(w * time), u = 1.0 + SWELL * s;
    const double u1 = SWELL * w * c, u2 = -SWELL * w * w * s, r = 1.0 / sqrt(u);
    const double r1 = -0.5 * u1 * r / u, r2 = (0.75 * u1 * u1 / u - 0.5 * u2) * r / u;
    const double angle = SPIN * (time + SWELL * (1.0 - c) / w), rate = SPIN * u;
    const double ahead[2] = {cos(angle), sin(angle)}, aside[2] = {-ahead[1], ahead[0]};
    for (int i = 0; i < 2; i++) {
        value[TN_POSITION][i] = r * ahead[i];
        value[TN_SPEED][i] = r1 * ahead[i] + r * rate * aside[i];
    }
    value[TN_POSITION][2] = HEIGHT * s;
    value[TN_SPEED][2] = HEIGHT * w * c;
    value[TN_MULTIPLIER][0] = MASS * (r2 - r * rate * rate) / (2.0 * r * u); /* G = 2 u p */
    value[TN_MULTIPLIER][1] = MASS * (GRAVITY - HEIGHT * w * w * s);
}

static void test_driven_rows(void **state)
{
    (void)state;
    const tn_known winch = {.model = "[model]\ngravity = [0, 0, -9.81]\n"
                                     "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 2\n"
                                     "position = [1, 0, 0]\nvelocity = [-0.45, 2, 1.5]\n"
                                     "[[element]]\nname = 'winch'\ntype = 'winch'\nmarkers = ['mass']\n"
                                     "swell = 0.3\nheight = 0.5\nfrequency = 3\n",
                            .type = "winch",
                            .plugin = built("winch"),
                            .solution = solution_of_winch};
    check_orders(&winch, 1.0 / 128, (const double[TN_LEVELS]){1e-3, 1e-2, 0.1});
}

/* The same constraints as expressions: squares of functions of markers, through a variable, and time. */
static void test_driven_variables(void **state)
{
    (void)state;
    const tn_known winch = {
        .model = "[model]\ngravity = [0, 0, -9.81]\n"
                 "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 2\n"
                 "position = [1, 0, 0]\nvelocity = [-0.45, 2, 1.5]\n"
                 "[[element]]\nname = 'wave'\ntype = 'reference_variable'\nexpression = 'SIN(3*TIME)'\n"
                 "[[element]]\nname = 'r2'\ntype = 'reference_variable'\n"
                 "expression = 'DX(mass)**2 + DY(mass)*DY(mass)'\n"
                 "[[element]]\nname = 'distance'\ntype = 'reference_variable'\nimplicit = true\n"
                 "expression = 'VARVAL(r2)*(1 + 0.3*VARVAL(wave)) - 1'\n"
                 "[[element]]\nname = 'height'\ntype = 'reference_variable'\nimplicit = true\n"
                 "expression = 'DZ(mass) - 0.5*VARVAL(wave)'\n",
        .solution = solution_of_winch};
    check_orders(&winch, 1.0 / 128, (const double[TN_LEVELS]){1e-3, 1e-2, 0.1});
}

/* ---- a skate that turns on a slope: its cycloid, and the force beside the blade ----------------------------- */

#define SLOPE 0.4 /* rad; x points down */
#define TURN 2.5  /* rad/s */
#define XZ 0.03   /* product of inertia, kg m^2 */
#define YZ -0.02

static void solution_of_skate(double time, double value[TN_LEVELS][TN_MOST_VALUES])
{
    const double w = TURN, down = GRAVITY * sin(SLOPE), c = cos(w * time), s = sin(w * time);
    const double speed = down / w * s;
    value[TN_POSITION][0] = 0.5 * down / (w * w) * s * s;
    value[TN_POSITION][1] = 0.5 * down / (w * w) * (w * time - s * c);
    value[TN_POSITION][3] = cos(0.5 * w * time);
    value[TN_POSITION][6] = sin(0.5 * w * time);
    value[TN_SPEED][0] = speed * c;
    value[TN_SPEED][1] = speed * s;
    value[TN_SPEED][5] = w;
    value[TN_MULTIPLIER][0] = MASS * GRAVITY * cos(SLOPE);
    value[TN_MULTIPLIER][1] = -XZ * w * w; /* they hold the axis of the turn, which is not principal */
    value[TN_MULTIPLIER][2] = -YZ * w * w;
    value[TN_MULTIPLIER][3] = 2.0 * MASS * down * s;
}

static void test_velocity_rows(void **state)
{
    (void)state;
    const tn_known skate = {.model =
                                "[parameters]\nslope = 0.4\n"
                                "[model]\ngravity = ['9.81*sin(slope)', 0, '-9.81*cos(slope)']\n"
                                "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 2\n"
                                "inertia = [0.2, 0.3, 0.4, 0, 0.03, -0.02]\nangular_velocity = [0, 0, 2.5]\n"
                                "[[element]]\nname = 'skate'\ntype = 'skate'\nmarkers = ['body']\n",
                            .type = "skate",
                            .plugin = built("skate"),
                            .solution = solution_of_skate};
    check_orders(&skate, 1.0 / 128, (const double[TN_LEVELS]){1e-3, 1e-2, 0.1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_driven_rows),
                                       cmocka_unit_test(test_driven_variables),
                                       cmocka_unit_test(test_velocity_rows)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
