/* test_culprit_bodies.c - bodies and markers that are no numbers: the message names the body or marker, not those that suffer from it */
#include "culprits.h"

/* ---- bodies ---------------------------------------------------------------------------------------------- */

static void check_body(const char *plugin, const char *body, int status, const char *const *words)
{
    const tn_outcome outcome = run_trusted(
        tn_format("[plugins]\n%s = '%s'\n[[element]]\nname = 'sledge'\ntype = '%s'\n"
                  "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nstiffness = 4\n"
                  "markers = [{element = 'ground', position = [9, 0, 0]}, 'sledge']\n" SOLVER("type = 'rk'"),
                  body, plugin, body),
        tn_scratch_path(NULL));
    assert_int_equal(outcome.status, status);
    tn_check_holds(outcome.errors, words);
}

/* The spring that reads the marker would be the first to suffer. */
static void test_bodies(void **state)
{
    (void)state;
    const char *plugin = tn_build_test_plugin("careless");
    check_body(plugin, "lost_body", 1,
               TN_WORDS("at time 0 s: lost_body `sledge` (",
                        "): its pose of a marker on it is nan, not a finite number"));
    check_body(
        plugin, "unfinished_body", 2,
        TN_WORDS(
            "model.toml:3:1: error: `sledge` carries markers, but its type unfinished_body has no function "
            "`pose`",
            plugin));
}

/* ---- tangents of bodies ---------------------------------------------------------------------------------- */

/* A wheel whose angle is kept as cosine and sine; the tangent of its own force is no number from a time on. */
static const char wheel[] =
    "#include <tenon/author.h>\n"
    "#define NAME(P) P(REAL, limit, \"s\", 0, 9.0, 0.0, TN_UNBOUNDED, \"when\")\nTN_PARAMETERS(wheel, NAME)\n"
    "TN_BODY_FORCE(wheel, 2, 1)\n{\n    force[0] = -q[1] - v[0];\n    return TN_OK;\n}\n#if TN_VALUES\n"
    "static tn_status wheel_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *self, tn_layout "
    "*layout)\n"
    "{\n    layout->nq = 2;\n    layout->nv = 1;\n    return TN_OK;\n}\n"
    "static tn_status wheel_initial(TN_UNUSED const tn_host *host, TN_UNUSED const void *self, double *q, "
    "double *v,\n"
    "    TN_UNUSED double *x, TN_UNUSED double *s, TN_UNUSED double *d)\n"
    "{\n    q[0] = cos(1.0);\n    q[1] = sin(1.0);\n    v[0] = 0.0;\n    return TN_OK;\n}\n"
    "#define EACH for (size_t i = 0; i < batch->count; i++)\n"
    "static tn_status wheel_mass(tn_batch *batch)\n{\n    EACH batch->mass[i] = 1.0;\n    return TN_OK;\n}\n"
    "static tn_status wheel_rate(tn_batch *batch)\n{\n    EACH {\n"
    "        batch->rate[2 * i] = -batch->v[i] * batch->q[2 * i + 1];\n"
    "        batch->rate[2 * i + 1] = batch->v[i] * batch->q[2 * i];\n    }\n    return TN_OK;\n}\n"
    "static tn_status wheel_retract(tn_batch *batch)\n{\n    EACH {\n"
    "        const double angle = atan2(batch->q[2 * i + 1], batch->q[2 * i]) + batch->increment[i];\n"
    "        batch->configuration[2 * i] = cos(angle);\n        batch->configuration[2 * i + 1] = "
    "sin(angle);\n    }\n"
    "    return TN_OK;\n}\n"
    "static tn_status wheel_tangent(tn_batch *batch)\n{\n"
    "    const tn_status status = wheel_body_force_tangent(batch);\n"
    "    EACH if (batch->time >= ((const wheel *)tn_instance(batch, i))->limit) batch->tangent[2 * i] = "
    "NAN;\n"
    "    return status;\n}\n"
    "TN_ELEMENT(wheel, .summary = \"wheel\", .formula = \"-\", .layout = wheel_layout, .initial = "
    "wheel_initial,\n"
    "    TN_CAPABILITIES(TN_HAS(body, .mass = wheel_mass, .body_force = wheel_body_force,\n"
    "                           .body_force_tangent = wheel_tangent),\n"
    "                    TN_HAS(configuration, .rate = wheel_rate, .retract = wheel_retract)))\n"
    "TN_LIBRARY(\"wheels\", \"1.0.0\", \"Apache-2.0\", \"wheels\", {TN_ELEMENT_KIND, &wheel_type})\n#endif\n";

/* One of many, so that it is not among those that are handled together first. */
static void test_tangents_of_bodies_that_are_no_numbers(void **state)
{
    (void)state;
    const char *library = tn_build_text("wheel", wheel);
    const tn_outcome outcome =
        run_trusted(tn_format("[plugins]\nwheel = '%s'\n[[repeat]]\nvariable = 'i'\ncount = 300\n"
                              "[[repeat.element]]\nname = 'wheel_{i}'\ntype = 'wheel'\n"
                              "limit = '9 - 9*(i == 280)'\n" SOLVER("type = 'generalized_alpha'"),
                              library),
                    tn_scratch_path(NULL));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors,
                   TN_WORDS("wheel `wheel_280` (", "): its tangent is nan, not a finite number"));
}

/* ---- markers --------------------------------------------------------------------------------------------- */

/* Markers in the middle of two points; KINEMATICS, TANGENT and FIXED are what goes wrong. */
static const char middle[] =
    "#include <tenon/author.h>\n"
    "#define NAME(P) P(REAL, bad, \"\", 0, 1.0, 0.0, 1.0, \"whether\")\nTN_PARAMETERS(middle, NAME)\n"
    "TN_KINEMATICS(middle, TN_POINT, TN_POINT, 1)\n{\n    out->position = marker[0].position;\n"
    "    out->velocity = marker[0].velocity;\n"
    "    const bool late = tn_value(self->bad) > 0.5 && context->time > 0.045;\n    (void)late;\n    %s\n"
    "    return TN_OK;\n}\n#if TN_VALUES\n"
    "static TN_UNUSED tn_status tangent(tn_batch *batch)\n{\n"
    "    const tn_status status = middle_kinematics_tangent(batch);\n"
    "    if (batch->time > 0.045) batch->tangent[18 * batch->count - 1] = NAN;\n    return status;\n}\n"
    "static tn_status middle_place(const void *self, tn_attachment *attachment)\n{\n"
    "    attachment->position[1] = ((const middle *)self)->bad > 0.5 ? NAN : 0.0;\n    return TN_OK;\n}\n"
    "TN_PORTS(middle, {\"markers\", \"one\", TN_POINT, 1, 1, 0})\n"
    "static const tn_marker_type fixed_type = {.struct_size = sizeof(tn_marker_type), .kind = TN_POINT,\n"
    "    .name = \"fixed_middle\", .summary = \"fixed\", .formula = \"-\", .parameters = middle_parameters,\n"
    "    .instance_size = sizeof(middle), TN_CAPABILITIES(TN_HAS(place, .local_pose = middle_place))};\n"
    "TN_MARKER(middle, .kind = TN_POINT, .summary = \"middle\", .formula = \"-\", .ports = middle_ports, "
    "TN_CAPABILITIES(%s))\n"
    "TN_LIBRARY(\"middles\", \"1.0.0\", \"Apache-2.0\", \"middles\", {TN_MARKER_KIND, &middle_type},\n"
    "    {TN_MARKER_KIND, &fixed_type})\n#endif\n";

#define MIDDLE(name, keys) "[[marker]]\nname = '" name "'\ntype = 'middle'\nmarkers = 'mass'\n" keys "\n"
#define HELD(name)                                                                                          \
    "[[element]]\nname = 'on_" name "'\ntype = 'spring_damper'\nstiffness = 4\nmarkers = ['ground', '" name \
    "']\n"

static tn_outcome run_middle(const char *model, const char *in_kinematics, const char *functions)
{
    const char *library = tn_build_text("middle", tn_format(middle, in_kinematics, functions));
    return run_trusted(
        tn_format("[plugins]\nmiddle = '%s'\nfixed_middle = '%s'\n%s", library, library, model),
        tn_scratch_path(NULL));
}

/* Of two markers the second one is bad; the spring on it, and the mass below it, only suffer. */
static void check_middle(const char *in_kinematics, const char *functions, const char *words)
{
    static const char *const solvers[] = {SOLVER("type = 'generalized_alpha'"), SOLVER("type = 'rk'")};
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        const tn_outcome outcome = run_middle(tn_format(MIDDLE("good", "bad = 0") MIDDLE("poor", "")
                                                            MASS HELD("good") HELD("poor") "%s",
                                                        solvers[k]),
                                              in_kinematics, functions);
        assert_int_equal(outcome.status, 1);
        tn_check_holds(outcome.errors, TN_WORDS("middle `poor` (", "model.toml:9:1): ", words));
    }
}

static void test_markers_that_are_no_numbers(void **state)
{
    (void)state;
    check_middle("if (late) out->position.e[0] = out->position.e[0] * (double)NAN;",
                 "TN_HAS_KINEMATICS(middle)", "its pose is nan, not a finite number");
    check_middle("if (late) out->velocity.e[0] = out->velocity.e[0] * (double)NAN;",
                 "TN_HAS_KINEMATICS(middle)", "its twist is nan, not a finite number");
    check_middle("", "TN_HAS(kinematics, .kinematics = middle_kinematics, .kinematics_tangent = tangent)",
                 "its tangent is nan, not a finite number");
}

static void test_places_that_are_no_numbers(void **state)
{
    (void)state;
    const tn_outcome outcome =
        run_middle("[[marker]]\nname = 'poor'\ntype = 'fixed_middle'\nelement = 'mass'\n" MASS HELD("poor")
                       SOLVER("type = 'rk'"),
                   "", "TN_HAS_KINEMATICS(middle)");
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors,
                   TN_WORDS("model.toml:17:22: error: `poor`: `local_pose` of marker fixed_middle "
                            "(plugin middles 1.0.0, ",
                            ") gives a place that is not finite"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_tangents_of_bodies_that_are_no_numbers),
        cmocka_unit_test(test_markers_that_are_no_numbers),
        cmocka_unit_test(test_places_that_are_no_numbers),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
