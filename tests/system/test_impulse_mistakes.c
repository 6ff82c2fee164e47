/* test_impulse_mistakes.c - wrong models of contact, of constraints in local frames and of solvers by impulses: what the program says, and
 * with which exit status */
#include "harness.h"

#include <math.h>
#include <string.h>

#define GRAVITY "[model]\ngravity = [0, 0, -9.81]\n"
#define BOX(name, x)                                                                                   \
    "[[element]]\nname = '" name "'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.004, 0.004, 0.004]\n" \
    "position = [" x ", 0, 0.3]\n"
#define ELEMENT(name, type, more) "[[element]]\nname = '" name "'\ntype = '" type "'\n" more "\n"
#define AT_BOX "markers = [{ element = 'box', position = [0.5, 0, 0] }]\n"
#define PAIR "[[material_pair]]\na = 'rubber'\nb = 'stone'\nfriction = 0.3\nrestitution = 0.5\n"
#define SHAPE(name, element, more) \
    "[[marker]]\nname = '" name "'\ntype = 'shape'\nelement = '" element "'\n" more "\n"
#define FLOOR SHAPE("floor", "ground", "kind = 'plane'\nmaterial = 'stone'")
#define SKIN(more) SHAPE("skin", "box", "kind = 'sphere'\nradius = 0.1\n" more)
#define RUBBER SKIN("material = 'rubber'")
#define CONTACT(name, shapes, more) ELEMENT(name, "contact", "shapes = [" shapes "]\nlaw = 'impulse'\n" more)
#define MOREAU(more) "[solver]\ntype = 'moreau'\nstep = 1e-3\nend_time = 0.05\n" more
#define SOLVER(type) "[solver]\ntype = '" type "'\nstep = 1e-3\nend_time = 0.05\n"
#define FORCE(value) ELEMENT("push", "force", "markers = ['box']\nvalue = [" value ", 0, 0]")

/* A model, the exit status of `run`, and what the messages hold; a `status` of 0 stands for warnings. */
typedef struct mistake {
    const char *model;
    int status;
    const char *words[5];
} mistake;

static void check_mistakes(const mistake *mistakes, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const char *file = tn_write("model.toml", mistakes[k].model);
        const tn_outcome run = tn_tenon(TN_WORDS("run", file, "--quiet", "--out", "results"));
        if (run.status != mistakes[k].status) fail_msg("%zu: exit %d: %s", k, run.status, run.errors);
        tn_check_holds(run.errors, mistakes[k].words);
        if (mistakes[k].status != 2) continue;
        const tn_outcome check = tn_tenon(TN_WORDS("check", file));
        assert_int_equal(check.status, 2);
        tn_check_holds(check.errors, mistakes[k].words);
    }
}

#define CHECK_MISTAKES(mistakes) check_mistakes(mistakes, sizeof mistakes / sizeof *(mistakes))

static void directions_and_ends_are_checked(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {GRAVITY BOX("box", "0") ELEMENT("e", "fixed_direction", AT_BOX "direction = [0, 0, 0]") MOREAU(""),
         2,
         {"model.toml:13:13: error: e: a direction must not be zero", "direction = [0, 0, 0]"}},
        {GRAVITY BOX("box", "0") ELEMENT("e", "set_velocity", AT_BOX "value = 1") MOREAU(""),
         2,
         {"model.toml:9:1: error: e: the key `direction` is missing"}},
        {GRAVITY BOX("box", "0") BOX("other", "1")
             ELEMENT("e", "put_spring", "markers = ['box', 'other']\nstiffness = 1\ndirection = [0, 0, 0]")
                 MOREAU(""),
         2,
         {"model.toml:20:13: error: e: a direction must not be zero"}},
        {GRAVITY BOX("box", "0") ELEMENT("e", "fixed_point", "markers = ['ground']") MOREAU(""),
         2,
         {"model.toml:12:11: error: e: its marker is on `ground`, which does not move"}},
        {GRAVITY BOX("box", "0") ELEMENT(
             "e", "rigid_link", "markers = ['box', { element = 'box', position = [0, 1, 0] }]") MOREAU(""),
         2,
         {"model.toml:12:11: error: e: all its markers are on `box`"}},
        {GRAVITY BOX("box", "0") BOX("other", "1") ELEMENT(
             "e", "fixed_point", "markers = [{ element = 'box', position = [0, 100, 0] }]") MOREAU(""),
         0,
         {"model.toml:18:11: warning: e: its marker 1 is 100 m from `box`: the model measures 1 m"}},
        {GRAVITY BOX("box", "0") BOX("other", "1")
             ELEMENT("e", "put_spring", "markers = ['box', 'other']\nlimits = [0.1, -0.1]") MOREAU(""),
         2,
         {"model.toml:19:10: error: e: the least stroke comes first: 0.1 m is not below -0.1 m"}},
    };
    CHECK_MISTAKES(mistakes);
}

static void lengths_of_directions_do_not_matter(void **state)
{
    (void)state;
    static const char *const directions[] = {"[0, 0, 1e300]", "[1e300, 0, 1e300]", "[0, 0, 1e-310]"};
    for (size_t k = 0; k < sizeof directions / sizeof *directions; k++) {
        const char *model = tn_format(
            GRAVITY BOX(
                "box", "0") "[[element]]\nname = 'e'\ntype = 'fixed_direction'\nmarkers = ['box']\n"
                            "direction = %s\n[[sensor]]\nname = 'z'\nexpression = 'DZ(box)%s'\n" SOLVER("rk"),
            directions[k], k == 1 ? " + DX(box)" : "");
        assert_true(fabs(tn_value_at(tn_simulate(model, NULL), "z", 0.05) - 0.3) < 1e-12);
    }
}

static void contradictions_name_both_elements(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {GRAVITY BOX("box", "0") ELEMENT("e", "set_velocity", AT_BOX "direction = [0, 0, 1]\nvalue = 1")
             ELEMENT("f", "fixed_direction", AT_BOX "direction = [0, 0, 1]") MOREAU(""),
         1,
         {"no velocities agree with all constraints", "fixed_direction `f`", "set_velocity `e`",
          "try other positions, or one joint less"}},
        {GRAVITY BOX("box", "0")
             ELEMENT("e", "set_displacement", AT_BOX "direction = [0, 0, 1]\nvalue = '0.1*time'")
                 ELEMENT("f", "set_displacement", AT_BOX "direction = [0, 0, 1]\nvalue = '0.2*time'")
                     SOLVER("generalized_alpha"),
         1,
         {"no velocities agree with all constraints", "set_displacement `f`", "set_displacement `e`"}},
    };
    CHECK_MISTAKES(mistakes);
}

/* Signals that agree at the start, and differ later: all solvers fail, and name both. */
static void later_contradictions_end_the_run(void **state)
{
    (void)state;
    static const char *const solvers[] = {"type = 'moreau'\nstep = 1e-3",
                                          "type = 'generalized_alpha'\nstep = 1e-3",
                                          "type = 'generalized_alpha'\nindex = 2\nstep = 1e-3",
                                          "type = 'generalized_alpha'\ntolerance = 1e-6",
                                          "type = 'rk'\nstep = 1e-3",
                                          "type = 'radau'"};
    static const char *const others[] = {"0.1*SIN(time)",
                                         "IF(time - 0.02: 0.1*time, 0.002, 0.2*time - 0.002)"};
    for (size_t k = 0; k < 2 * sizeof solvers / sizeof *solvers; k++) {
        const char *file =
            tn_write("model.toml",
                     tn_format("%s[[element]]\nname = 'f'\ntype = 'set_displacement'\nmarkers = ['box']\n"
                               "direction = [0, 0, 1]\nvalue = '%s'\n[solver]\n%s\nend_time = 1\n",
                               GRAVITY BOX("box", "0")
                                   ELEMENT("e", "set_displacement",
                                           "markers = ['box']\ndirection = [0, 0, 1]\nvalue = '0.1*time'"),
                               others[k % 2], solvers[k / 2]));
        const tn_outcome run = tn_tenon(TN_WORDS("run", file, "--out", "results"));
        if (run.status != 1) fail_msg("%s: exit %d: %s", solvers[k / 2], run.status, run.errors);
        if (!strstr(run.errors, "`e` and `f` contradict each other") &&
            !strstr(run.errors, "`f` and `e` contradict each other"))
            fail_msg("%s, %s: %s", solvers[k / 2], others[k % 2], run.errors);
    }
}

static void solvers_and_constraint_solvers_have_to_fit(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {GRAVITY PAIR FLOOR BOX("box", "0") RUBBER CONTACT("impact", "'skin', 'floor'", "")
             MOREAU("constraint_solver = 'direct'\n"),
         2,
         {"model.toml:37:21: error: `direct` finds impulses of joints only", "`impact` (contact)",
          "use `projected_newton`"}},
        {GRAVITY BOX("box", "0") MOREAU("constraint_solver = 'gaus_seidel'\n"),
         2,
         {"unknown constraint_solver type `gaus_seidel`: did you mean `gauss_seidel`?"}},
        {GRAVITY BOX("box", "0") MOREAU("constraint_solver = 'pgs'\n"), 2, {"did you mean `gauss_seidel`?"}},
        {GRAVITY BOX("box", "0")
             MOREAU("constraint_solver = { type = 'gauss_seidel', max_iterations = 5 }\n"),
         2,
         {"max_iterations", "did you mean `most_iterations`?"}},
        {GRAVITY BOX("box", "0") MOREAU("constraint_solver = { tolerance = 1e-6 }\n"),
         2,
         {"model.toml:13:21: error: `constraint_solver` of [solver]: the key `type` is missing"}},
        {GRAVITY BOX("box", "0") SOLVER("generalized_alpha") "constraint_solver = 'direct'\n",
         2,
         {"`generalized_alpha` takes constraints for equations and has no constraint solver"}},
        {GRAVITY BOX("box", "0") MOREAU("absolute_tolerance = 1e-6\n"), 2, {"`moreau` has fixed steps only"}},
        {GRAVITY BOX("box", "0") MOREAU("adaptive = true\n"), 2, {"`moreau` has fixed steps only"}},
        {GRAVITY PAIR FLOOR BOX("box", "0") RUBBER CONTACT("impact", "'skin', 'floor'", "")
             SOLVER("generalized_alpha"),
         2,
         {"`generalized_alpha` finds no impulses", "`impact` (contact)", "such as `moreau`"}},
        {GRAVITY PAIR FLOOR BOX("box", "0") RUBBER CONTACT("impact", "'skin', 'floor'", "")
             FORCE("'0.1*FZ(skin, floor)'") MOREAU(""),
         2,
         {"model.toml:38:1: error: forces of this model read accelerations or reactions",
          "means of steps only: use generalized_alpha"}},
    };
    CHECK_MISTAKES(mistakes);
}

static void shapes_and_materials_are_checked(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {GRAVITY PAIR FLOOR BOX("box", "0") RUBBER CONTACT("impact", "'skin', 'floor', 'skin'", "")
             MOREAU(""),
         2,
         {"model.toml:30:10: error: impact: the shape `skin` stands here twice"}},
        {GRAVITY PAIR FLOOR BOX("box", "0") RUBBER CONTACT("impact", "'skin', 'floor'", "")
             CONTACT("again", "'floor', 'skin'", "") MOREAU(""),
         0,
         {"warning: `impact` and `again` both act between `floor` and `skin`"}},
        {GRAVITY FLOOR BOX("box", "0") RUBBER CONTACT("impact", "'skin', 'floor'", "") MOREAU(""),
         2,
         {"no [[material_pair]] for the material `rubber` of `skin` and `stone` of `floor`"}},
        {GRAVITY PAIR FLOOR BOX("box", "0") SKIN("material = 'ruber'")
             CONTACT("impact", "'skin', 'floor'", "") MOREAU(""),
         2,
         {"no [[material_pair]] for the material `ruber` of `skin`", "did you mean `rubber`?"}},
        {GRAVITY PAIR "stiffness = '1e6 [N/m]'\n" FLOOR BOX("box", "0")
             RUBBER CONTACT("impact", "'skin', 'floor'", "") MOREAU(""),
         2,
         {"model.toml:8:13: error: `stiffness`", "unit N/m does not fit: N/m^1.5 is expected"}},
        {GRAVITY PAIR "stiffness = '1e6 [N/mm^1.5]'\nexponent = '4/2'\n" FLOOR BOX("box", "0")
             RUBBER CONTACT("impact", "'skin', 'floor'", "") MOREAU(""),
         2,
         {"model.toml:8:13: error: `stiffness`", "unknown unit \"N/mm^1.5\": N/m^2 is expected"}},
        {GRAVITY PAIR FLOOR BOX("box", "0")
             RUBBER CONTACT("impact", "'skin', 'floor'", "stiffness = '1e6 [Pa]'\nexponent = 1\n") MOREAU(""),
         2,
         {"model.toml:32:13: error: `stiffness` of `impact`", "unit Pa does not fit: N/m is expected"}},
    };
    CHECK_MISTAKES(mistakes);
}

/* With their depths; also by `check`. */
static void overlapping_starts_are_listed(void **state)
{
    (void)state;
    static const char *const starts[] = {"", "start = 'resolve'\n"};
    for (size_t k = 0; k < 2; k++) {
        const char *file = tn_write(
            "model.toml",
            tn_format(
                "%s[[element]]\nname = 'impact'\ntype = 'contact'\nshapes = ['skin', 'floor']\n"
                "law = 'impulse'\n%s%s",
                GRAVITY PAIR FLOOR
                "[[element]]\nname = 'box'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.004, 0.004, 0.004]\n"
                "position = [0, 0, 0.05]\n" RUBBER,
                starts[k], MOREAU("")));
        const tn_outcome check = tn_tenon(TN_WORDS("check", file)),
                         run = tn_tenon(TN_WORDS("run", file, "--out", "results"));
        assert_int_equal(check.status, k ? 0 : 1);
        assert_int_equal(run.status, k ? 0 : 1);
        tn_check_holds(check.errors, TN_WORDS(k ? "note" : "error", "impact", "shapes overlap at the start",
                                              "`skin` and `floor` by 0.05 m"));
        tn_check_holds(run.errors, TN_WORDS("shapes overlap at the start", "`skin` and `floor` by 0.05 m"));
    }
}

/* The step is halved, down to a 1024th; then the run ends. */
static void laws_without_a_value_end_the_run_by_name(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {GRAVITY BOX("box", "0") FORCE("'SQRT(0.0201 - time)'") MOREAU(""),
         1,
         {"failed at time 0.02010", "force `push`", "SQRT of a negative number", "the step 9.77e-07 s"}},
        {GRAVITY BOX("box", "0") FORCE("'1/(0.02 - time)'") MOREAU("on_failure = 'continue'\n"),
         1,
         {"failed at time 0.02 s", "force `push`", "division by zero"}},
        {GRAVITY BOX("box", "0") ELEMENT(
             "e", "set_velocity", AT_BOX "direction = [0, 0, 1]\nvalue = 'SQRT(0.0201 - time)'") MOREAU(""),
         1,
         {"failed at time 0.020", "set_velocity `e`", "SQRT of a negative number"}},
    };
    CHECK_MISTAKES(mistakes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions_and_ends_are_checked),
        cmocka_unit_test(lengths_of_directions_do_not_matter),
        cmocka_unit_test(contradictions_name_both_elements),
        cmocka_unit_test(later_contradictions_end_the_run),
        cmocka_unit_test(solvers_and_constraint_solvers_have_to_fit),
        cmocka_unit_test(shapes_and_materials_are_checked),
        cmocka_unit_test(overlapping_starts_are_listed),
        cmocka_unit_test(laws_without_a_value_end_the_run_by_name),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
