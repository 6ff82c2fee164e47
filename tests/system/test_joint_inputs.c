/* test_joint_inputs.c - models with joints that cannot be: each is refused, with its place, and its words */
#include "harness.h"

#define BODY(name, more) \
    "[[element]]\nname = '" name "'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.02, 0.025]\n" more
#define JOINT(name, type, markers) \
    "[[element]]\nname = '" name "'\ntype = '" type "'\nmarkers = [" markers "]\n"
#define AT(element, position) "{ element = '" element "', position = [" position "] }"
#define SOLVER "[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 0.01\n"

/* Wrong as it stands: exit status 2, from `check` as from `run`. */
static void check_model_error(const char *model, const char *const *words)
{
    const char *file = tn_write("joint.toml", tn_format("%s" SOLVER, model));
    const tn_outcome check = tn_tenon(TN_WORDS("check", file)),
                     run = tn_tenon(TN_WORDS("run", file, "--out", tn_scratch_path(NULL)));
    assert_int_equal(check.status, 2);
    assert_int_equal(run.status, 2);
    tn_check_holds(check.errors, words);
    assert_string_equal(run.errors, check.errors);
}

/* Cannot start: exit status 1 from both; one line, and a reason in the results. */
static void check_no_start(const char *model, const char *const *words)
{
    const char *results = tn_scratch_path(NULL);
    (void)tn_write("joint.toml", tn_format("%s" SOLVER, model));
    const tn_outcome check = tn_tenon(TN_WORDS("check", "joint.toml")),
                     run = tn_tenon(TN_WORDS("run", "joint.toml", "--quiet", "--out", results));
    assert_int_equal(check.status, 1);
    assert_int_equal(run.status, 1);
    tn_check_holds(check.errors, words);
    tn_check_holds(run.errors, words);
    tn_check_holds(run.errors, TN_WORDS("at time 0 s"));
    assert_ptr_equal(strchr(run.errors, '\n'), run.errors + strlen(run.errors) - 1);
    assert_string_equal(tn_run_text(results, "run.status"), "failed");
    tn_check_holds(tn_run_text(results, "run.reason"), words);
}

/* ---- wrong as they stand --------------------------------------------------------------------------------- */

static void a_joint_on_a_marker_that_is_not_there(void **state)
{
    (void)state;
    check_model_error(
        BODY("crank", "") JOINT("pin", "revolute", "'ground', 'krank'"),
        TN_WORDS("joint.toml:9:22: error:", "no element or marker `krank`", "did you mean `crank`"));
    check_model_error(BODY("crank", "") JOINT("pin", "revolute", "'ground'"),
                      TN_WORDS("joint.toml:9:", "error:", "markers"));
    check_model_error(BODY("crank", "") "[[element]]\nname = 'pin'\ntype = 'revolute'\n",
                      TN_WORDS("joint.toml:6:1: error:", "missing key `markers`"));
}

static void a_joint_on_markers_of_another_kind(void **state)
{
    (void)state;
    check_model_error(
        "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n" JOINT("pin", "revolute", "'ground', 'm'"),
        TN_WORDS("joint.toml:8:22: error:", "`m`"));
}

static void an_inertia_that_no_body_has(void **state)
{
    (void)state;
#define INERTIA(values)                                                          \
    "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [" values \
    "]\n" JOINT("pin", "spherical", "'ground', 'b'")
    check_model_error(INERTIA("1, -0.5, 1"),
                      TN_WORDS("joint.toml:5:11: error: b:", "not positive", "-0.5 kg m^2"));
    check_model_error(INERTIA("1, 0, 1"), TN_WORDS("joint.toml:5:11: error: b:", "not positive"));
    check_model_error(INERTIA("1, 1, 1, 2, 0, 0"),
                      TN_WORDS("joint.toml:5:11: error: b:", "not positive", "-1 kg m^2"));
    check_model_error(INERTIA("1, 2, 3.5"), TN_WORDS("joint.toml:5:11: error: b:",
                                                     "3.5 kg m^2, exceeds the sum of the others by 0.5"));
    check_model_error(INERTIA("1, 2, 3.00001"), TN_WORDS("joint.toml:5:11: error: b:", "by 1e-05"));
}

/* A rod or a plate whose numbers were rounded when they were written down. */
static void an_inertia_within_rounding_is_warned_of(void **state)
{
    (void)state;
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("check", tn_write("joint.toml", INERTIA("1, 2, 3.000001") SOLVER)));
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors,
                   TN_WORDS("joint.toml:1:1: warning: b:", "exceeds the sum of the others by 1e-06"));
    const tn_outcome plate = tn_tenon(TN_WORDS("check", tn_write("joint.toml", INERTIA("1, 2, 3") SOLVER)));
    assert_int_equal(plate.status, 0);
    assert_string_equal(plate.errors, "");
}

static void a_body_without_mass(void **state)
{
    (void)state;
    check_model_error("[[element]]\nname = 'b'\ntype = 'rigid_body'\ninertia = [1, 1, 1]\n",
                      TN_WORDS("joint.toml:1:1: error:", "missing key `mass`"));
    check_model_error("[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 0\ninertia = [1, 1, 1]\n",
                      TN_WORDS("joint.toml:4:8: error:", "`mass` of `b`: 0 is out of range"));
    check_model_error(
        "[[element]]\nname = 'b'\ntype = 'mass_point'\nmass = 0\n" JOINT("pin", "spherical", "'ground', 'b'"),
        TN_WORDS("joint.toml:4:8: error:", "`mass` of `b`: 0 is out of range"));
}

static void a_joint_that_holds_nothing(void **state)
{
    (void)state;
    check_model_error(
        BODY("b", "")
            JOINT("pin", "generic", "'ground', 'b'") "locked = [false, false, false, false, false, false]\n",
        TN_WORDS("joint.toml:10:10: error: pin:", "nothing is locked"));
#define WHEELS                                                                                  \
    "[[element]]\nname = 'a'\ntype = 'rotor_1d'\ninertia = 1\n[[element]]\nname = 'b'\ntype = " \
    "'rotor_1d'\ninertia = 1\n"
    check_model_error(WHEELS JOINT("mesh", "gear", "'a', 'b'") "ratio = 0\n",
                      TN_WORDS("joint.toml:13:9: error: mesh:", "ratio of zero"));
    check_model_error(WHEELS JOINT("mesh", "coordinate_constraint", "'a', 'b'") "factors = [0, 0]\n",
                      TN_WORDS("joint.toml:13:11: error: mesh:", "all factors are zero"));
    check_model_error(WHEELS JOINT("mesh", "coordinate_constraint", "'a', 'b'") "factors = [1]\n",
                      TN_WORDS("joint.toml:13:11: error: mesh:", "1 factors for 2 coordinates"));
}

static void a_length_of_nothing(void **state)
{
    (void)state;
    check_model_error(
        BODY("b", "") JOINT("rod", "distance", "'ground', 'b'") "length = 0\n",
        TN_WORDS("joint.toml:10:10: error:", "`length` of `rod`: 0 is out of range", "larger than 0"));
}

/* Only where the model has constraints: exit status 2 with the reason. */
static void index_3_without_damping(void **state)
{
    (void)state;
    static const char *const schemes[] = {"scheme = 'trapezoidal'\n", "scheme = 'newmark'\n",
                                          "spectral_radius = 1\n"};
    for (int k = 0; k < 3; k++) {
        const char *solver = tn_format(SOLVER "%sindex = 3\n", schemes[k]);
        const tn_outcome refused = tn_tenon(TN_WORDS(
            "run",
            tn_write("index.toml",
                     tn_format(BODY("b", "") JOINT("pin", "spherical", "'ground', 'b'") "%s", solver)),
            "--out", "index"));
        assert_int_equal(refused.status, 2);
        tn_check_holds(refused.errors, TN_WORDS("index.toml:15:9: error: index 3 is unstable",
                                                "does not damp", "use index = 2"));
        const tn_outcome free =
            tn_tenon(TN_WORDS("run", tn_write("index.toml", tn_format(BODY("b", "") "%s", solver)), "--quiet",
                              "--out", "index"));
        assert_int_equal(free.status, 0);
    }
}

/* ---- what cannot start ----------------------------------------------------------------------------------- */

static void points_of_a_distance_in_one_place(void **state)
{
    (void)state;
    check_no_start(
        BODY("b", "") JOINT("rod", "distance", "'ground', 'b'"),
        TN_WORDS("distance `rod`", "joint.toml:6:1", "coincide at the start", "no `length` is given"));
    check_no_start(BODY("b", "") JOINT("rod", "distance", "'ground', 'b'") "length = 1\n",
                   TN_WORDS("distance `rod`", "joint.toml:6:1", "points coincide"));
}

/* A chain of 2 m between points 5 m apart. */
static void a_loop_that_is_too_short(void **state)
{
    (void)state;
    check_no_start(BODY("a", "") BODY("b", "position = [1, 0, 0]\n")
                       JOINT("first", "spherical", "'ground', " AT("a", "-0.5, 0, 0"))
                           JOINT("second", "spherical", AT("a", "0.5, 0, 0") ", " AT("b", "-0.5, 0, 0"))
                               JOINT("third", "spherical", AT("b", "0.5, 0, 0") ", " AT("ground", "5, 0, 0")),
                   TN_WORDS("cannot be satisfied together", "spherical `", "joint.toml:", "in row 1",
                            "try other positions, or one joint less"));
}

static void joints_that_demand_different_things(void **state)
{
    (void)state;
    check_no_start(BODY("b", "") JOINT("one", "spherical", "'ground', 'b'")
                       JOINT("two", "spherical", AT("ground", "1, 0, 0") ", 'b'"),
                   TN_WORDS("spherical `one` (joint.toml:6:1)", "spherical `two` (joint.toml:10:1)",
                            "0.5 in row 1", "one joint less"));
    check_no_start(
        BODY("b", "position = [1, 0, 0]\n") JOINT("short", "distance", "'ground', 'b'") "length = 1\n" JOINT(
            "long", "distance", "'ground', 'b'") "length = 2\n",
        TN_WORDS("distance `short` (joint.toml:7:1)", "distance `long` (joint.toml:12:1)", "0.5 in row 1"));
    /* two hinges on one body whose axes are not parallel */
    check_no_start(BODY("b", "") JOINT("one", "revolute", "'ground', 'b'")
                       JOINT("two", "revolute",
                             "'ground', { element = 'b', rotation = { axis = [1, 0, 0], angle = 0.5 } }"),
                   TN_WORDS("revolute `one`", "revolute `two`", "one joint less"));
}

/* Its rows would vanish there, but not as it is meant. */
static void hinges_with_opposite_axes(void **state)
{
    (void)state;
#define TURNED(angle) \
    "'ground', { element = 'b', rotation = { axis = [1, 0, 0], angle = '" angle " [deg]' } }"
    check_no_start(BODY("b", "") JOINT("hinge", "revolute", TURNED("180")),
                   TN_WORDS("revolute `hinge` (joint.toml:6:1)", "z axes", "opposite directions",
                            "turn the body, or one of the markers"));
    check_no_start(BODY("b", "") JOINT("weld", "fixed", TURNED("180")),
                   TN_WORDS("fixed `weld` (joint.toml:6:1)", "turned by 180 degrees",
                            "turn the body, or one of the markers"));
    check_no_start(BODY("b", "") JOINT("one", "revolute", "'ground', 'b'")
                       JOINT("two", "revolute", TURNED("170")),
                   TN_WORDS("revolute `", "one joint less"));
}

static void bodies_that_are_pinned_apart(void **state)
{
    (void)state;
    check_no_start(BODY("a", "pinned = true\n") BODY("b", "position = [1, 0, 0]\npinned = true\n")
                       JOINT("pin", "spherical", "'a', 'b'"),
                   TN_WORDS("spherical `pin` (joint.toml:14:1)", "error of 1 in row 1",
                            "no body there can move", "pinned"));
    check_no_start(BODY("a", "pinned = true\nposition = [0, 2, 0]\n")
                       JOINT("pin", "spherical", "'ground', 'a'"),
                   TN_WORDS("spherical `pin` (joint.toml:8:1)", "error of 2 in row 2",
                            "no body there can move", "pinned"));
}

/* A bar of 0.8 m between two pinned bodies that are 1 m apart. */
static void a_loop_with_pinned_ends(void **state)
{
    (void)state;
    check_no_start(BODY("a", "pinned = true\n") BODY("b", "position = [1, 0, 0]\npinned = true\n")
                       BODY("bar", "position = [0.5, 0, 0]\n")
                           JOINT("left", "spherical", "'a', " AT("bar", "-0.4, 0, 0"))
                               JOINT("right", "spherical", "'b', " AT("bar", "0.4, 0, 0")),
                   TN_WORDS("spherical `left` (joint.toml:20:1)", "spherical `right` (joint.toml:24:1)",
                            "0.1 in row 1", "fewer pinned bodies"));
}

static void pinned_bodies_with_speeds_that_do_not_agree(void **state)
{
    (void)state;
    check_no_start(
        BODY("a", "pinned = true\nvelocity = [1, 0, 0]\n") BODY("b", "pinned = true\n")
            JOINT("pin", "spherical", "'a', 'b'"),
        TN_WORDS("no velocities agree", "spherical `pin` (joint.toml:14:1)", "rate of 1 in row 1", "pinned"));
}

static void a_joint_between_two_points_of_one_body(void **state)
{
    (void)state;
    check_model_error(
        BODY("b", "") JOINT("pin", "spherical", "'b', " AT("b", "1, 0, 0")),
        TN_WORDS("joint.toml:9:11: error: pin: all its markers are on `b`: a spherical connects two "
                 "bodies"));
    check_model_error(BODY("b", "") JOINT("pin", "spherical", "'ground', " AT("ground", "1, 0, 0"))
                          JOINT("other", "spherical", "'ground', 'b'"),
                      TN_WORDS("joint.toml:9:11: error: pin: all its markers are on `ground`"));
}

/* A marker made of others is on the body that all of them are on. */
static void a_joint_between_a_body_and_the_middle_of_its_own_points(void **state)
{
    (void)state;
    static const char middle[] = "[[marker]]\nname = 'middle'\ntype = 'center'\nmarkers = [" AT(
        "b", "1, 0, 0") ", " AT("%s", "0, 1, 0") "]\n";
    check_model_error(
        tn_format(BODY("b", "") JOINT("pin", "spherical", "'b', 'middle'") "%s", tn_format(middle, "b")),
        TN_WORDS("joint.toml:9:11: error: pin: all its markers are on `b`"));
    const tn_outcome other = tn_tenon(TN_WORDS(
        "check", tn_write("other.toml", tn_format(BODY("b", "") BODY("c", "") "%s" JOINT(
                                                      "rod", "distance", "'b', 'middle'") "length = 1\n",
                                                  tn_format(middle, "c")))));
    assert_null(strstr(other.errors, "all its markers"));
}

/* Forces between places of one body do nothing, which is no mistake of the model. */
static void a_spring_between_two_points_of_one_body(void **state)
{
    (void)state;
    const tn_outcome check = tn_tenon(
        TN_WORDS("check", tn_write("spring.toml",
                                   BODY("b", "") JOINT("s", "spring_damper", "'b', " AT("b", "1, 0, 0"))
                                       JOINT("t", "spring_damper", "'ground', " AT("ground", "1, 0, 0")))));
    assert_int_equal(check.status, 0);
    tn_check_holds(check.errors, TN_WORDS("spring.toml:9:11: warning: s: all its markers are on `b`"));
    assert_null(strstr(check.errors, "t: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_joint_on_a_marker_that_is_not_there),
        cmocka_unit_test(a_joint_on_markers_of_another_kind),
        cmocka_unit_test(an_inertia_that_no_body_has),
        cmocka_unit_test(an_inertia_within_rounding_is_warned_of),
        cmocka_unit_test(a_body_without_mass),
        cmocka_unit_test(a_joint_that_holds_nothing),
        cmocka_unit_test(a_length_of_nothing),
        cmocka_unit_test(index_3_without_damping),
        cmocka_unit_test(points_of_a_distance_in_one_place),
        cmocka_unit_test(a_loop_that_is_too_short),
        cmocka_unit_test(joints_that_demand_different_things),
        cmocka_unit_test(hinges_with_opposite_axes),
        cmocka_unit_test(bodies_that_are_pinned_apart),
        cmocka_unit_test(a_loop_with_pinned_ends),
        cmocka_unit_test(pinned_bodies_with_speeds_that_do_not_agree),
        cmocka_unit_test(a_joint_between_two_points_of_one_body),
        cmocka_unit_test(a_joint_between_a_body_and_the_middle_of_its_own_points),
        cmocka_unit_test(a_spring_between_two_points_of_one_body),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
