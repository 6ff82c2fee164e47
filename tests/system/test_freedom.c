/* test_freedom.c - degrees of freedom and redundant constraints: what `tenon check` prints and what a run notes */
#include "harness.h"

#define SOLVER "[solver]\ntype = 'generalized_alpha'\nend_time = 0.01\nstep = 0.001\n"

/* A ring of bodies that are welded to each other. */
static const char *ring(int count)
{
    return tn_format("[[repeat]]\ncount = %d\n"
                     "[[repeat.element]]\nname = 'b{i}'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
                     "[[repeat.element]]\nname = 'weld{i}'\ntype = 'fixed'\n"
                     "markers = ['b{i}', 'b{mod(i + 1, %d)}']\n" SOLVER,
                     count, count);
}

static int lines_of(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* Crank, rod and slider with three hinges and a slide, of which the plane needs less. */
static void redundant_rows_are_told_by_name(void **state)
{
    (void)state;
    const char *file =
        tn_write("slider.toml",
                 "[[repeat]]\ncount = 3\n[[repeat.element]]\nname = 'b{i}'\ntype = 'rigid_body'\nmass = 1\n"
                 "inertia = [0.01, 0.02, 0.02]\nposition = ['(i == 1)*0.5 + (i == 2)*1', '(i == 0)*0.5 + (i "
                 "== 1)*0.5', 0]\n"
                 "[[element]]\nname = 'j1'\ntype = 'revolute'\nmarkers = ['ground', { element = 'b0', "
                 "position = [0, -0.5, 0] }]\n"
                 "[[element]]\nname = 'j2'\ntype = 'revolute'\n"
                 "markers = [{ element = 'b0', position = [0, 0.5, 0] }, { element = 'b1', position = [-0.5, "
                 "0.5, 0] }]\n"
                 "[[element]]\nname = 'j3'\ntype = 'revolute'\nmarkers = [{ element = 'b1', position = [0.5, "
                 "-0.5, 0] }, 'b2']\n"
                 "[[element]]\nname = 'j4'\ntype = 'prismatic'\nmarkers = ['ground', 'b2']\n" SOLVER);
    const tn_outcome check = tn_tenon(TN_WORDS("check", file));
    assert_int_equal(check.status, 0);
    tn_check_holds(check.output, TN_WORDS("degrees of freedom: 1\nredundant constraints: 3\n", "j1.row",
                                          "j2.row", "j3.row", "j4.row"));
    const tn_outcome run = tn_tenon(TN_WORDS("run", file, "--out", "slider"));
    assert_int_equal(run.status, 0);
    tn_check_holds(run.errors, TN_WORDS("note: 3 redundant constraints", "rows: j1.row", "; j", "j4.row"));
}

static void short_sets_are_told_in_full(void **state)
{
    (void)state;
    const tn_outcome check = tn_tenon(TN_WORDS("check", tn_write("ring.toml", ring(4))));
    assert_int_equal(check.status, 0);
    tn_check_holds(check.output, TN_WORDS("degrees of freedom: 6\nredundant constraints: 6\n",
                                          "\nweld0.row1 weld1.row1 weld2.row1 weld3.row1\n", "weld3.row6\n"));
}

static void long_sets_are_cut_where_a_run_begins(void **state)
{
    (void)state;
    const char *file = tn_write("ring.toml", ring(40));
    const tn_outcome check = tn_tenon(TN_WORDS("check", file)),
                     run = tn_tenon(TN_WORDS("run", file, "--out", "ring"));
    assert_int_equal(check.status, 0);
    tn_check_holds(check.output, TN_WORDS("degrees of freedom: 6\nredundant constraints: 6\n",
                                          "\nweld0.row1 weld1.row1 ", " weld39.row6\n"));
    assert_null(strstr(check.output, "more"));
    assert_int_equal(run.status, 0);
    tn_check_holds(run.errors,
                   TN_WORDS("rows: weld0.row1 weld1.row1 ", "weld11.row1 ... and 28 more; weld0.row2"));
    assert_int_equal(lines_of(run.errors), 1);
}

static void nothing_is_noted_where_nothing_is_redundant(void **state)
{
    (void)state;
    const char *file = tn_write(
        "pendulum.toml", "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
                         "[[element]]\nname = 'pin'\ntype = 'spherical'\nmarkers = ['ground', 'b']\n" SOLVER);
    const tn_outcome check = tn_tenon(TN_WORDS("check", file)),
                     run = tn_tenon(TN_WORDS("run", file, "--out", "p"));
    tn_check_holds(check.output, TN_WORDS("degrees of freedom: 3\nredundant constraints: 0\nelements"));
    assert_int_equal(run.status, 0);
    assert_string_equal(run.errors, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(redundant_rows_are_told_by_name),
                                       cmocka_unit_test(short_sets_are_told_in_full),
                                       cmocka_unit_test(long_sets_are_cut_where_a_run_begins),
                                       cmocka_unit_test(nothing_is_noted_where_nothing_is_redundant)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
