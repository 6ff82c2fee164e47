/* test_one_joint.c - one body that falls on one joint: the cases of the MSC ADAMS comparisons of Project Chrono, against
 * converged solutions (tests/reference/joints/README.md) */
#include "reference.h"

#include <math.h>

#define JOINTS TENON_SOURCE_DIR "/tests/reference/joints/"

/* A body of 1 kg that falls from rest on a joint with the ground. */
typedef struct one_body {
    const char *name, *type;
    double place[3]; /* of the joint */
    double turn[3];  /* of the body's axes, and the joint's: angles about x, y and z in this order, deg */
    double centre[3];
    double arm[3]; /* the joint on the body */
    double end[3]; /* the centre after 5 s */
    double step;
    const char *spring; /* keys of a torsional one on the same markers, or nothing */
} one_body;

#define AT(x, y, z) \
    {               \
        x, y, z     \
    }
#define ARM AT(-2, 0, 0)
#define CASE(name, type, place, turn, centre, arm, end, step, spring) \
    {                                                                 \
        name, type, place, turn, centre, arm, end, step, spring       \
    }

static const one_body cases[] = {
    CASE("Revolute_Case01", "revolute", AT(0, 0, 0), AT(-90, 0, 0), AT(2, 0, 0), ARM,
         AT(-1.9996838688835329, 0, -3.5558747545231770e-02), 1e-3, ""),
    CASE("Revolute_Case02", "revolute", AT(1, 2, 3), AT(-45, 0, 0), AT(3, 2, 3), ARM,
         AT(1.2099605074075701, 3.4063990517149028, 1.5936009482850972), 1e-3, ""),
    CASE("Spherical_Case01", "spherical", AT(0, 0, 0), AT(0, 0, 0), AT(2, 0, 0), ARM,
         AT(-1.9996838688835329, 0, -3.5558747545231770e-02), 1e-3, ""),
    CASE("Spherical_Case02", "spherical", AT(1, 2, 3), AT(-45, 0, 0), AT(3, 2, 3), ARM,
         AT(-9.9968386888353292e-01, 2, 2.9644412524547682), 1e-3, ""),
    CASE("Universal_Case01", "universal", AT(0, 0, 0), AT(90, 0, 0), AT(0, 2, 0), AT(0, 0, 2),
         AT(0, -1.9996838688835329, -3.5558747545231770e-02), 1e-3, ""),
    CASE("Universal_Case02", "universal", AT(0, 0, 0), AT(0, 90, 0), AT(-2, 0, 0), AT(0, 0, 2),
         AT(1.9996838688835329, 0, -3.5558747545231770e-02), 1e-3, ""),
    CASE("Cylindrical_Case01", "cylindrical", AT(0, 0, 0), AT(0, 0, 0), AT(2, 0, 0), ARM,
         AT(2, 0, -1.2258312500000000e+02), 1e-3, ""),
    CASE("Cylindrical_Case02", "cylindrical", AT(0, 0, 0), AT(-90, 0, 0), AT(2, 0, 0), ARM,
         AT(-1.9996838688835329, 0, -3.5558747545231770e-02), 1e-3, ""),
    CASE("Cylindrical_Case03", "cylindrical", AT(1, 2, 3), AT(-45, 0, 0), AT(3, 2, 3), ARM,
         AT(1.2099605074075701, -5.7885163448285097e+01, -5.9697961551714903e+01), 1e-3, ""),
    CASE("Prismatic_Case01", "prismatic", AT(0, 0, 0), AT(0, 0, 0), AT(2, 0, 0), ARM,
         AT(2, 0, -1.2258312500000000e+02), 1e-3, ""),
    CASE("Prismatic_Case02", "prismatic", AT(1, 2, 3), AT(-45, 0, 0), AT(3, 2, 3), ARM,
         AT(3, -5.9291562500000000e+01, -5.8291562500000000e+01), 1e-3, ""),
    CASE("Prismatic_Case03", "prismatic", AT(1, 2, 3), AT(-90, 0, 0), AT(3, 2, 3), ARM, AT(3, 2, 3), 1e-3,
         ""),
    CASE("Distance_Case01", "distance", AT(0, 0, 0), AT(0, 0, 0), AT(0, 2, 0), AT(0, 0, 0),
         AT(0, -1.9999980684897308, -2.7795750297590567e-03), 1e-3, ""),
    CASE("Distance_Case02", "distance", AT(1, 2, 3), AT(0, 0, 0), AT(-1, 4, 3), AT(2, 0, 0),
         AT(3.6524491360080869e-01, 2.6649216370332888, -7.9096679739294613e-01), 2e-4, ""),
    CASE("Distance_Case03", "distance", AT(0, 0, 0), AT(0, 0, -90), AT(0, 4, 0), AT(2, 0, 0),
         AT(0, 3.9557593798610082, -3.0158652671670307e-01), 2e-4, ""),
    CASE("RotSpring_Case01", "revolute", AT(0, 0, 0), AT(-90, 0, 0), AT(2, 0, 0), ARM,
         AT(1.9904391270560568, 0, -1.9532557816200751e-01), 1e-3, "stiffness = 200\ndamping = 10\n"),
    CASE("RotSpring_Case02", "revolute", AT(0, 0, 0), AT(-90, 0, 0), AT(2, 0, 0), ARM,
         AT(1.8824317538679887, 0, -6.7561134687739509e-01), 1e-3,
         "torque_function = '(50 + 10*abs(angle))*angle + 10*angle_t'\n"),
};
enum { CASES = sizeof cases / sizeof *cases };

/* The joint slides along z there, along x here. */
static const char *markers_of(const one_body *of)
{
    const double *p = of->place, *a = of->turn, *b = of->arm;
    const double tilt = strcmp(of->type, "prismatic") == 0 ? -90.0 : 0.0;
    const char *frame =
        "position = [%g, %g, %g], rotation = { euler = 'xyz', angles = { value = [%g, %g, %g], "
        "unit = 'deg' } } }";
    return tn_format("markers = [{ element = 'ground', %s, { element = 'body', %s]\n",
                     tn_format(frame, p[0], p[1], p[2], a[0], a[1] + tilt, a[2]),
                     tn_format(frame, b[0], b[1], b[2], 0.0, tilt, 0.0));
}

static const char *model_of(const one_body *of)
{
    const double *c = of->centre, *a = of->turn;
    const bool universal = strcmp(of->type, "universal") == 0; /* there the body lies along z, not x */
    const char *spring = "";
    if (*of->spring)
        spring = tn_format("[[element]]\nname = 'spring'\ntype = 'torsional_spring_damper'\n%s%s",
                           markers_of(of), of->spring);
    return tn_format("[model]\ngravity = [0, 0, -9.80665]\n"
                     "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 1\ninertia = [%s]\n"
                     "position = [%g, %g, %g]\n"
                     "rotation = { euler = 'xyz', angles = { value = [%g, %g, %g], unit = 'deg' } }\n"
                     "[[element]]\nname = 'joint'\ntype = '%s'\n%s%s"
                     "[[sensor]]\nname = 'p'\nelement = 'body'\noutput = 'position'\n"
                     "[[sensor]]\nname = 'v'\nelement = 'body'\noutput = 'velocity'\n"
                     "[[sensor]]\nname = 'error'\nsystem = 'constraint_error'\n"
                     "[output]\ninterval = 0.25\n"
                     "[solver]\ntype = 'generalized_alpha'\nend_time = 5\nstep = %g\n",
                     universal ? "0.1, 0.1, 0.04" : "0.04, 0.1, 0.1", c[0], c[1], c[2], a[0], a[1], a[2],
                     of->type, markers_of(of), spring, of->step);
}

static void check_end(const one_body *of, const tn_csv_table *run, double tolerance)
{
    static const char *const column[3] = {"p.x", "p.y", "p.z"};
    for (int k = 0; k < 3; k++) {
        const double error = fabs(tn_value_at(run, column[k], 5.0) - of->end[k]);
        if (!(error <= tolerance)) fail_msg("%s: %s misses by %.3g", of->name, column[k], error);
    }
    if (!(tn_largest_in(run, "error") <= 1e-8)) fail_msg("%s: a joint errs", of->name);
}

static void test_one_body_on_one_joint(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        const char *model = model_of(&cases[k]);
        check_end(&cases[k], tn_simulate(model, NULL), 1e-4);
        check_end(&cases[k], tn_simulate(model, TN_WORDS("--set", "solver.index=2")), 1e-4);
        check_end(&cases[k], tn_simulate(model, TN_WORDS("--solver", "rk")), 1e-6);
    }
}

/* The whole way, for one case of each joint. */
static void test_one_body_on_its_way(void **state)
{
    (void)state;
    static const struct {
        const char *name, *file;
        double tolerance;
        bool velocities;
    } way[] = {{"Revolute_Case01", "revolute", 1e-4, true},
               {"Spherical_Case02", "spherical", 1e-4, true},
               {"Universal_Case01", "universal", 1e-4, true},
               {"Cylindrical_Case02", "cylindrical", 1e-4, true},
               {"Prismatic_Case02", "prismatic", 1e-6, true},
               {"Distance_Case01", "distance", 1e-4, false},
               {"RotSpring_Case01", "torsional_spring", 1e-5, false}};
    for (size_t w = 0; w < sizeof way / sizeof *way; w++) {
        int k = 0;
        while (strcmp(cases[k].name, way[w].name) != 0)
            assert_true(++k < CASES);
        const char *file = tn_format(JOINTS "%s.csv", way[w].file);
        const tn_csv_table *run = tn_simulate(model_of(&cases[k]), NULL);
        tn_check_columns(run, file, "p.", way[w].tolerance, 0);
        if (way[w].velocities) tn_check_columns(run, file, "v.", 3.0 * way[w].tolerance, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_body_on_one_joint),
                                       cmocka_unit_test(test_one_body_on_its_way)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
