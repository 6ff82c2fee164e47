/* test_coordinates.c - connectors between coordinates, and between a coordinate and a frame: elements compiled
 * here act on 1-D elements, and on bodies along one axis */
#include "models.h"
#include "tangent.h"

#include <math.h>

/* Couples two coordinates; action is not reaction, and all blocks of the tangent differ. */
static const char lever[] =
    "#include <tenon/author.h>\n"
    "#define LEVER(P) \\\n"
    "    P(REAL, stiffness, \"N/m\", 0, 0, 0, TN_UNBOUNDED, \"linear part\") \\\n"
    "    P(REAL, damping, \"N s/m\", 0, 0, 0, TN_UNBOUNDED, \"damping\") \\\n"
    "    P(REAL, skew, \"\", 0, 0, 0, TN_UNBOUNDED, \"of the parts that are not linear\")\n"
    "TN_PARAMETERS(lever, LEVER)\n"
    "TN_FORCE(lever, TN_COORDINATE, 2)\n"
    "{\n"
    "    const tn_real x = marker[0].position.e[0], y = marker[1].position.e[0];\n"
    "    const tn_real rate = marker[1].velocity.e[0] - marker[0].velocity.e[0];\n"
    "    const tn_real force = self->stiffness * (y - x) + self->damping * rate;\n"
    "    wrench[0].force.e[0] = force + self->skew * x * y * rate;\n"
    "    wrench[1].force.e[0] = -force + self->skew * (x * x + 0.5 * marker[0].velocity.e[0]);\n"
    "    return TN_OK;\n"
    "}\n"
    "#if TN_VALUES\n"
    "TN_PORTS(lever, {\"markers\", \"two coordinates\", TN_COORDINATE, 2, 2, 0})\n"
    "TN_OUTPUTS(lever, {\"speed\", \"test\", \"\", 1, 0})\n"
    "TN_OUTPUT(lever, TN_COORDINATE, 2)\n"
    "{\n"
    "    *value = marker[1].velocity.e[0] - marker[0].velocity.e[0];\n"
    "    return TN_OK;\n"
    "}\n"
    "TN_POTENTIAL(lever, TN_COORDINATE, 2)\n"
    "{\n"
    "    const double stretch = marker[1].position.e[0] - marker[0].position.e[0];\n"
    "    return 0.5 * self->stiffness * stretch * stretch;\n"
    "}\n"
    "TN_ELEMENT(lever, .summary = \"test\", .formula = \"test\", .ports = lever_ports,\n"
    "           TN_CAPABILITIES(TN_HAS_FORCE(lever), TN_HAS(energy, .potential = lever_potential)),\n"
    "           .outputs = lever_outputs, .output = lever_output)\n"
    "TN_LIBRARY(\"lever\", \"1.0.0\", \"Apache-2.0\", \"test\", {TN_ELEMENT_KIND, &lever_type})\n"
    "#endif\n";

/* Couples a coordinate with a frame. */
static const char pusher[] =
    "#include <tenon/author.h>\n"
    "#define PUSHER(P) P(REAL, gain, \"N\", 0, 1, 0, TN_UNBOUNDED, \"factor\")\n"
    "TN_PARAMETERS(pusher, PUSHER)\n"
    "enum { ROD, BODY };\n"
    "TN_FORCE(pusher, TN_ANY, 2)\n"
    "{\n"
    "    const tn_marker_state *rod = &marker[tn_port_first(context, ROD)], "
    "*body = &marker[tn_port_first(context, BODY)];\n"
    "    const tn_real x = rod->position.e[0], v = rod->velocity.e[0];\n"
    "    const tn_vec3 along = tn_axis(body->rotation, 0);\n"
    "    wrench[0].force.e[0] = self->gain * (tn_dot(body->position, along) - x * v) + body->velocity.e[1];\n"
    "    wrench[1].force = tn_scale(self->gain * x * x, along);\n"
    "    wrench[1].torque = tn_add(tn_scale(v, body->position), tn_scale(x, body->angular_velocity));\n"
    "    return TN_OK;\n"
    "}\n"
    "#if TN_VALUES\n"
    "TN_PORTS(pusher, [ROD] = {\"rod\", \"a coordinate\", TN_COORDINATE, 1, 1, 0},\n"
    "         [BODY] = {\"body\", \"a frame\", TN_FRAME, 1, 1, 0})\n"
    "TN_ELEMENT(pusher, .summary = \"test\", .formula = \"test\", .ports = pusher_ports, "
    "TN_CAPABILITIES(TN_HAS_FORCE(pusher)))\n"
    "TN_LIBRARY(\"pusher\", \"1.0.0\", \"Apache-2.0\", \"test\", {TN_ELEMENT_KIND, &pusher_type})\n"
    "#endif\n";

static int build_plugins(void **state)
{
    if (tn_scratch_open(state) != 0) return 1;
    (void)tn_build_text("lever", lever);
    (void)tn_build_text("pusher", pusher);
    return setenv("TENON_PLUGIN_PATH", tn_scratch_path("."), 1);
}

#define ELEMENT(name, type, more) "[[element]]\nname = '" name "'\ntype = '" type "'\n" more
#define LEVER(name, markers) \
    ELEMENT(name, "lever", "markers = [" markers "]\nstiffness = 3\ndamping = 0.7\nskew = 0.4\n")
#define PUSHER(name, rod, body) ELEMENT(name, "pusher", "rod = " rod "\nbody = " body "\ngain = 1.3\n")
#define COORDINATE(name, element, which)                                                                    \
    "[[marker]]\nname = '" name "'\ntype = 'coordinate'\nelement = '" element "'\ncoordinate = '" which "'" \
    "\n"

/* The reference point of body a is not its centre of mass, that of b is. */
#define BODIES                                                                                   \
    GRAVITY BODY_A BODY_B POINT_C FRAMES ELEMENT("m", "mass_1d", "mass = 1.5\nposition = 0.3\n") \
        ELEMENT("r", "rotor_1d", "inertia = 0.7\nspeed = 2\n") COORDINATE("az", "a", "z")        \
            COORDINATE("by", "b", "y") COORDINATE("also_m", "m", "coordinate")

static const char levers[] = BODIES LEVER("mr", "'m', 'r'") LEVER("ma", "'also_m', 'az'")
    LEVER("bc", "'by', { element = 'c', coordinate = 'x' }") LEVER("to_ground", "'m', 'ground'")
        LEVER("from_ground", "{ element = 'ground', coordinate = 'z' }, 'az'")
            LEVER("own", "'az', { element = 'a', coordinate = 'x' }") LEVER("same", "'m', 'also_m'")
                LEVER("ab", "'by', 'az'");

static const char pushers[] =
    BODIES PUSHER("m_b", "'m'", "'b1'") PUSHER("a_a", "'az'", "'a2'") PUSHER("r_ground", "'r'", "'g1'")
        PUSHER("ground_a", "'ground'", "'a1'") PUSHER("c_a", "{ element = 'c', coordinate = 'y' }", "'a1'");

static void test_tangent_is_exact(void **state)
{
    (void)state;
    tn_check_tangent(levers);
    tn_check_tangent(pushers);
}

static void test_other_passes_agree(void **state)
{
    (void)state;
    tn_compare_tangents(levers, "lever", tn_build_complex_step("lever"), 1e-14);
    tn_compare_tangents(levers, "lever", tn_build_without_passes("lever"), 1e-6);
    tn_compare_tangents(pushers, "pusher", tn_build_complex_step("pusher"), 1e-14);
    tn_compare_tangents(pushers, "pusher", tn_build_without_passes("pusher"), 1e-6);
}

/* ---- whole runs ---------------------------------------------------------------------------------------- */

#define SOLVER(type, step) "[solver]\ntype = '" type "'\nend_time = 1\nstep = " step "\n"
#define TIE(name, markers, more) ELEMENT(name, "lever", "markers = [" markers "]\n" more)
#define SENSOR(name, element, output) \
    "[[sensor]]\nname = '" name "'\nelement = '" element "'\noutput = '" output "'\n"

/* Two masses of 1 kg and 3 kg: the distance oscillates with sqrt(k (1 + 1/3)), the centre moves on. */
#define PAIR                                                \
    ELEMENT("one", "mass_1d", "mass = 1\nposition = 0.4\n") \
    ELEMENT("three", "mass_1d", "mass = 3\nvelocity = 2\n") \
    TIE("tie", "'one', 'three'", "stiffness = 75\n")        \
    SENSOR("one", "one", "coordinate")                      \
    SENSOR("three", "three", "coordinate")                  \
    SENSOR("speed", "tie", "speed") "[[sensor]]\nname = 'energy'\nsystem = 'total_energy'\n"

static void test_two_masses_oscillate(void **state)
{
    (void)state;
    static const char *const models[] = {PAIR SOLVER("rk", "1e-3"), PAIR SOLVER("generalized_alpha", "1e-4")};
    static const double tolerance[] = {1e-9, 2e-5};
    for (int k = 0; k < 2; k++) {
        const tn_csv_table *result = tn_simulate(models[k], NULL);
        for (int row = 0; row <= 10; row++) {
            const double t = 0.1 * row, distance = -0.4 * cos(10 * t) + 0.2 * sin(10 * t);
            const double one = tn_value_at(result, "one", t), three = tn_value_at(result, "three", t);
            assert_true(fabs(three - one - distance) <= tolerance[k]);
            assert_true(fabs((one + 3 * three) / 4 - (0.1 + 1.5 * t)) <= tolerance[k]);
            assert_true(fabs(tn_value_at(result, "speed", t) - 4 * sin(10 * t) - 2 * cos(10 * t)) <=
                        10 * tolerance[k]);
            assert_true(fabs(tn_value_at(result, "energy", t) - 12) <= 50 * tolerance[k]);
        }
    }
}

/* A force on the height of a point beside the centre of mass turns the body: like a spring with ground's axes that
 * is stiff upwards only. */
#define TILTED                                  \
    "[model]\ngravity = [0, 0, -9.81]\n" BODY_A \
    "angular_velocity = [0.5, 1, 0.3]\n" SENSOR("p", "a", "position")
static const char by_coordinate[] =
    TILTED TIE("tie", "'ground', { element = 'a', coordinate = 'z' }", "stiffness = 40\ndamping = 2\n")
        SOLVER("generalized_alpha", "1e-3");
static const char by_frames[] =
    TILTED ELEMENT("tie", "cartesian_spring_damper",
                   "markers = ['ground', 'a']\nstiffness = [0, 0, 40]\ndamping = [0, 0, 2]\n")
        SOLVER("generalized_alpha", "1e-3");

static void test_a_coordinate_of_a_body_is_one_axis_of_a_point(void **state)
{
    (void)state;
    const tn_csv_table *a = tn_simulate(by_coordinate, NULL);
    const tn_csv_table *b = tn_simulate(by_frames, NULL);
    static const char *const columns[] = {"p.x", "p.y", "p.z"};
    double way = 0.0;
    for (int row = 0; row <= 10; row++)
        for (int k = 0; k < 3; k++) {
            const double value = tn_value_at(a, columns[k], 0.1 * row);
            assert_true(fabs(value - tn_value_at(b, columns[k], 0.1 * row)) <= 1e-9);
            way = fmax(way, fabs(value - tn_value_at(a, columns[k], 0.0)));
        }
    assert_true(way > 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangent_is_exact),
        cmocka_unit_test(test_other_passes_agree),
        cmocka_unit_test(test_two_masses_oscillate),
        cmocka_unit_test(test_a_coordinate_of_a_body_is_one_axis_of_a_point),
    };
    return cmocka_run_group_tests(tests, build_plugins, tn_scratch_close);
}
