/* test_kinematics.c - distances, angles and velocities between markers as coordinates of models: what springs, dampers and
 * constraints on them do to the bodies */
#include "models.h"
#include "tangent.h"

#include <math.h>

#define FUNCTION(type, ports) "[[marker]]\nname = '" type "'\ntype = '" type "'\n" ports
#define ON(name, type, more) "[[element]]\nname = '" name "'\ntype = '" type "'\n" more
#define TIE(markers, more) ON("on_" markers, "coordinate_spring_damper", "markers = '" markers "'\n" more)
#define SENSOR(name, of, output) "[[sensor]]\nname = '" name "'\n" of "\noutput = '" output "'\n"
#define SYSTEM(name, output) "[[sensor]]\nname = '" name "'\nsystem = '" output "'\n"
#define SOLVER(type, step) \
    "[solver]\ntype = '" type "'\nend_time = 1\nstep = " step "\n[output]\ninterval = 0.1\n"

/* ---- the matrix ------------------------------------------------------------------------------------------ */

#define IJKL "i = 'a1'\nj = 'b1'\nk = 'a2'\nl = 'b'\n"
#define IJK "i = 'a1'\nj = 'b1'\nk = 'a2'\n"
#define IJ "i = 'a1'\nj = 'b1'\n"
#define STIFF "stiffness = 2\ndamping = 0.4\n"

#define SLOW "damping = 0.4\n"

/* Distances and inclinations keep away from where they have no slope, and the others with them. What may jump by a turn
 * has dampers only. */
static const char places[] = GRAVITY BODY_A BODY_B FRAMES FUNCTION("dx", IJK) FUNCTION("dy", "i = 'a1'\n")
    FUNCTION("dz", IJ) FUNCTION("dm", IJ) TIE("dx", STIFF) TIE("dy", STIFF) TIE("dz", STIFF) TIE("dm", STIFF);
static const char turns[] = GRAVITY BODY_A BODY_B FRAMES FUNCTION("theta", IJ) FUNCTION("pitch", IJ)
    FUNCTION("psi", IJ) FUNCTION("phi", IJ) FUNCTION("yaw", IJ) FUNCTION("roll", IJ) TIE("theta", STIFF)
        TIE("pitch", STIFF) TIE("psi", SLOW) TIE("phi", SLOW) TIE("yaw", SLOW) TIE("roll", SLOW);
static const char speeds[] = GRAVITY BODY_A BODY_B FRAMES FUNCTION("vx", IJKL)
    FUNCTION("vy", "i = 'a1'\nl = 'b1'\n") FUNCTION("vz", IJ) FUNCTION("vr", IJ) FUNCTION("dm", IJ)
        FUNCTION("wx", IJK) FUNCTION("wy", IJ) FUNCTION("wz", "i = 'a1'\n") TIE("vx", SLOW) TIE("vy", SLOW)
            TIE("vz", SLOW) TIE("vr", SLOW) TIE("wx", SLOW) TIE("wy", SLOW) TIE("wz", SLOW);

static void test_tangent_of_forces_on_them_is_exact(void **state)
{
    (void)state;
    tn_check_tangent(places);
    tn_check_tangent(turns);
    tn_check_tangent(speeds);
}

/* ---- whole runs ------------------------------------------------------------------------------------------ */

static double change(const tn_csv_table *table, const char *column)
{
    const size_t c = tn_column_of(table, column);
    double largest = 0.0;
    for (size_t row = 1; row < table->rows; row++)
        largest = fmax(largest, fabs(tn_csv_value(table, row, c) - tn_csv_value(table, 0, c)));
    return largest;
}

static void check_same(const tn_csv_table *a, const tn_csv_table *b, double tolerance)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    for (size_t row = 0; row < a->rows; row++)
        for (size_t k = 0; k < a->columns; k++) {
            const double x = tn_csv_value(a, row, k), y = tn_csv_value(b, row, k);
            if (!(fabs(x - y) <= tolerance)) fail_msg("%s, row %zu: %.15g and %.15g", a->name[k], row, x, y);
        }
}

#define FREE_BODIES                                                                                   \
    ON("a", "rigid_body",                                                                             \
       "mass = 1.5\ninertia = [0.5, 0.9, 1.0]\nvelocity = [0.1, 0.3, -0.2]\n"                         \
       "angular_velocity = [0.4, -0.3, 0.5]\n")                                                       \
    ON("b", "rigid_body",                                                                             \
       "mass = 0.8\ninertia = [0.2, 0.4, 0.3]\nposition = [1, 0.2, 0]\n"                              \
       "rotation = { euler = 'xyz', angles = [0.3, -0.6, 0.7] }\nangular_velocity = [0, 0.3, 0.2]\n") \
    ON("c", "mass_point", "mass = 0.7\nposition = [0.3, 1.1, 0.4]\nvelocity = [-0.5, 0, 0.2]\n")      \
    ON("d", "mass_point", "mass = 0.3\nposition = [-0.3, 0.1, 0.7]\n")
#define BALANCE SYSTEM("E", "total_energy") SYSTEM("P", "momentum") SYSTEM("L", "angular_momentum")

static void check_momenta(const tn_csv_table *run)
{
    static const char *const kept[] = {"P.x", "P.y", "P.z", "L.x", "L.y", "L.z"};
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
        if (!(change(run, kept[k]) <= 1e-10)) fail_msg("%s changes by %.3g", kept[k], change(run, kept[k]));
}

/* Springs on distances between points, seen from a body that turns, and on angles between two bodies. */
static void test_springs_on_them_keep_energy_and_momenta(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        FREE_BODIES FUNCTION("dx", "i = 'c'\nj = 'd'\nk = 'a'\n") FUNCTION("dm", "i = 'd'\nj = 'b'\n")
            FUNCTION("theta", "i = 'a'\nj = 'b'\n") FUNCTION("pitch", "i = 'b'\nj = 'a'\n")
                FUNCTION("psi", "i = 'a'\nj = 'b'\n") FUNCTION("az", "i = 'b'\nj = 'a'\n")
                    TIE("dx", "stiffness = 9\n") TIE("dm", "stiffness = 9\noffset = 0.7\n")
                        TIE("theta", "stiffness = 3\n") TIE("pitch", "stiffness = 2\n")
                            TIE("psi", "stiffness = 0.5\n") TIE("az", "stiffness = 1\n") BALANCE
        "[solver]\ntype = 'rk'\norder = 5\nend_time = 1\nstep = 1e-3\n",
        NULL);
    check_momenta(run);
    assert_true(change(run, "E") <= 1e-10);
}

static void test_dampers_on_velocities_lose_energy_but_no_momentum(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        FREE_BODIES FUNCTION("vx", "i = 'c'\nj = 'd'\nk = 'a'\nl = 'b'\n")
            FUNCTION("vm", "i = 'c'\nj = 'b'\nl = 'a'\n") FUNCTION("vr", "i = 'd'\nj = 'b'\n")
                FUNCTION("wy", "i = 'a'\nj = 'b'\nk = 'b'\n") FUNCTION("wm", "i = 'a'\nj = 'b'\n")
                    TIE("vx", "damping = 0.5\n") TIE("vm", "damping = 0.4\n") TIE("vr", "damping = 0.3\n")
                        TIE("wy", "damping = 0.2\n") TIE("wm", "damping = 0.1\n") BALANCE
        "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-3\n",
        NULL);
    const size_t energy = tn_column_of(run, "E");
    check_momenta(run);
    for (size_t row = 1; row < run->rows; row++)
        assert_true(tn_csv_value(run, row, energy) < tn_csv_value(run, row - 1, energy));
    assert_true(change(run, "E") > 0.05);
}

/* The height of a point over ground is its coordinate z; above another point, it draws that one, too. */
#define TWO_POINTS                                                                           \
    GRAVITY ON("tip", "mass_point", "mass = 1\nposition = [0.1, 0, 1]\n")                    \
        ON("base", "mass_point", "mass = 2\nposition = [0, 0.4, 0]\nvelocity = [0, 0, 1]\n") \
            SENSOR("p", "marker = 'tip'", "position") SENSOR("q", "marker = 'base'", "position")
#define LEG(markers) \
    ON("leg", "coordinate_spring_damper", markers "stiffness = 60\ndamping = 2\noffset = 0.8\n")
static void test_a_height_is_a_coordinate_that_springs_take(void **state)
{
    (void)state;
    const tn_csv_table *heights =
        tn_simulate(TWO_POINTS "[[marker]]\nname = 'height'\ntype = 'dz'\ni = 'tip'\nj = 'base'\n" LEG(
                        "markers = 'height'\n") SOLVER("generalized_alpha", "1e-3"),
                    NULL);
    const tn_csv_table *coordinates =
        tn_simulate(TWO_POINTS LEG("markers = [{ element = 'base', coordinate = 'z' }, { element = 'tip', "
                                   "coordinate = 'z' }]\n") SOLVER("generalized_alpha", "1e-3"),
                    NULL);
    check_same(heights, coordinates, 1e-12);
}

/* A pendulum of two masses: where DM is held, there is a rod. */
#define PENDULUM                                                                                    \
    GRAVITY ON("a", "mass_point", "mass = 1\nposition = [0.6, 0, -0.8]\nvelocity = [0, 1, 0]\n")    \
        ON("b", "rigid_body",                                                                       \
           "mass = 2\ninertia = [0.3, 0.4, 0.5]\nposition = [0.6, 0.5, -1.8]\n"                     \
           "angular_velocity = [0.3, 0.2, 1]\n") "[[marker]]\nname = 'end'\ntype = 'point'\n"       \
                                                 "element = 'b'\nposition = [0, -0.5, 0]\n" SENSOR( \
                                                     "p", "marker = 'a'", "position")               \
                                                     SENSOR("q", "marker = 'end'", "position")      \
                                                         SENSOR("v", "marker = 'end'", "velocity")
#define HELD(name, i, j)                                                  \
    "[[marker]]\nname = 'dm_" name "'\ntype = 'dm'\ni = '" i "'\nj = '" j \
    "'\n" ON(name, "coordinate_constraint", "markers = 'dm_" name "'\nfactors = [1]\noffset = 1\n")
#define ROD(name, i, j) ON(name, "distance", "markers = ['" j "', '" i "']\nlength = 1\n")

static void check_pendulum(const char *solver, double tolerance)
{
    const char *forces = SENSOR("F", "element = 'upper'", "force") SENSOR("G", "element = 'lower'", "force");
    const tn_csv_table *held = tn_simulate(
        tn_format(PENDULUM HELD("upper", "a", "ground") HELD("lower", "end", "a") "%s%s", forces, solver),
        NULL);
    const tn_csv_table *rods = tn_simulate(
        tn_format(PENDULUM ROD("upper", "a", "ground") ROD("lower", "end", "a") "%s%s", forces, solver),
        NULL);
    static const char *const columns[] = {"p.x", "p.y", "p.z", "q.x", "q.y", "q.z", "v.x", "v.y", "v.z"};
    assert_int_equal(held->rows, rods->rows);
    for (size_t row = 0; row < held->rows; row++) {
        double force[3];
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
            assert_true(fabs(tn_csv_value(held, row, tn_column_of(held, columns[k])) -
                             tn_csv_value(rods, row, tn_column_of(rods, columns[k]))) <= tolerance);
        for (size_t k = 0; k < 3; k++)
            force[k] = tn_csv_value(rods, row, tn_column_of(rods, "F.x") + k) *
                       tn_csv_value(rods, row, tn_column_of(rods, "p.x") + k);
        const double along = force[0] + force[1] + force[2]; /* the rod is 1 m long */
        const double got = tn_csv_value(held, row, tn_column_of(held, "F"));
        if (!(fabs(got - along) <= 1e-6))
            fail_msg("row %zu: %.15g along the rod, %.15g for its length", row, along, got);
    }
}

static void test_a_held_distance_is_a_rod(void **state)
{
    (void)state;
    check_pendulum(SOLVER("generalized_alpha", "1e-3\nnewton = { jacobian = 'full' }"), 1e-9);
    check_pendulum(SOLVER("rk", "1e-3"), 1e-9);
}

/* ---- failures -------------------------------------------------------------------------------------------- */

static void check_failure(const char *model, int status, const char *const *words)
{
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("wrong.toml", model), "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, status);
    tn_check_holds(outcome.errors, words);
}

static void test_a_lost_angle_is_named(void **state)
{
    (void)state;
    check_failure(BODY_A FUNCTION("psi", "i = 'a'\n") TIE("psi", STIFF) SOLVER("rk", "0.1"), 1,
                  TN_WORDS("psi `psi` (", "wrong.toml:8:1", "this angle has no value here: two of its axes"));
}

static void test_markers_that_do_not_fit_are_named(void **state)
{
    (void)state;
    check_failure(POINT_C "[[marker]]\nname = 'x'\ntype = 'wx'\ni = 'c'\n" SOLVER("rk", "0.1"), 2,
                  TN_WORDS("wrong.toml:9:5", "`c` is a mass_point: it cannot carry a frame"));
    check_failure(POINT_C "[[marker]]\nname = 'x'\ntype = 'dx'\nj = 'c'\n" SOLVER("rk", "0.1"), 2,
                  TN_WORDS("wrong.toml:6:1", "`i`"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangent_of_forces_on_them_is_exact),
        cmocka_unit_test(test_springs_on_them_keep_energy_and_momenta),
        cmocka_unit_test(test_dampers_on_velocities_lose_energy_but_no_momentum),
        cmocka_unit_test(test_a_height_is_a_coordinate_that_springs_take),
        cmocka_unit_test(test_a_held_distance_is_a_rod),
        cmocka_unit_test(test_a_lost_angle_is_named),
        cmocka_unit_test(test_markers_that_do_not_fit_are_named)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
