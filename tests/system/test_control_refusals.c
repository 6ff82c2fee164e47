/* test_control_refusals.c - messages on mistakes in blocks of control systems have the place, the name and what is expected */
#include "harness.h"

#define MASS "[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 1\n"
#define SOLVER "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n"
#define SPACE(keys) "[[element]]\nname = 'b'\ntype = 'state_space'\n" keys "\n"
#define TRANSFER(keys) "[[element]]\nname = 'b'\ntype = 'transfer_function'\n" keys "\n"
#define SENSOR(expression) "[[sensor]]\nname = 's'\nexpression = '" expression "'\n"

typedef struct mistake {
    const char *model, *words[4];
} mistake;

static void check(const mistake *wrong, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const char *file = tn_write("wrong.toml", tn_format(MASS "%s" SOLVER, wrong[k].model));
        const tn_outcome run = tn_tenon(TN_WORDS("run", file, "--out", "results"));
        if (run.status != 2) fail_msg("exit %d of\n%s", run.status, wrong[k].model);
        tn_check_holds(run.errors, wrong[k].words);
    }
}
#define CHECK(list) check(list, sizeof list / sizeof *list)

static void wrong_sizes_of_matrices_are_told(void **state)
{
    (void)state;
    static const mistake wrong[] = {
        {SPACE("input = 'time'\nA = [[1, 2, 3]]\nB = [1]"),
         {"wrong.toml:9:5: error:", "A has 3 numbers", "square"}},
        {SPACE("input = 'time'\nA = [[1, 2], [3, 4]]\nB = [[1, 2], [3, 4]]"),
         {"B has 4 numbers, but 2 x 1 are expected"}},
        {SPACE("input = ['time', '1']\nA = [[1, 2], [3, 4]]\nB = [[1, 2], [3, 4]]\nC = [1, 2, 3]"),
         {"C has 3 numbers, which is no multiple of 2, its number of columns"}},
        {SPACE(
             "input = ['time', '1']\nA = [[1, 2], [3, 4]]\nB = [[1, 2], [3, 4]]\nC = [1, 2]\nD = [1, 2, 3]"),
         {"D has 3 numbers, but 1 x 2 are expected"}},
        {SPACE("input = 'time'\nA = [[1, 2], [3]]"), {"row 2 is to have 2 numbers, as the first row has"}},
        {SPACE("input = 'time'\nA = [[1, 2], [3, 4]]"), {"B is missing"}},
        {SPACE("input = 'time'\nB = [[1, 2]]"), {"it has no states, for want of A"}},
        {SPACE("input = 'time'\nC = [[1, 2]]\nD = [1]"), {"it has no states, for want of A"}},
        {SPACE("input = 'time'\nA = [[1, 0], [0, 1]]\nB = [1, 2]\nE = [[0, 1], [0, 0]]"),
         {"wrong.toml:11:5: error:", "E is singular, of rank 1", "index 2 or more"}},
        {SPACE("input = 'time'\nA = [[1, 2], [2, 4]]\nB = [1, 2]\nE = [[1, 2], [2, 4]]"),
         {"E is singular, of rank 1"}},
        {SPACE("input = 'time'\nA = [1]\nB = [1]\ninput_units = ['m', 's']"),
         {"2 units are given, but 1 or 1, one for each input"}},
        {SPACE("input = 'time'\nA = [1]\nB = [1]\noutput_units = ['N', 'N', 'N']"),
         {"wrong.toml:11:16: error:", "3 units are given, but 1 or 1, one for each output"}},
        {SPACE("input = 'time'\nA = [1]\nB = [1]\noutput_units = ['mm']"),
         {"wrong.toml:11:17: error:", "`mm`: values are in SI units"}},
        {SPACE("input = 'time'\nA = [1]\nB = [1]\ninput_units = ['furlongs']"), {"`furlongs`"}},
        {SPACE("input = 'time'\nD = [1]\nperiod = 1\nstatic_hold = true"),
         {"a sampled block is held at all times but its samples"}},
        {SPACE("input = 'time'\nA = [[1, 2], [3, 4]]\nB = [1, 2]\nE = [1]"),
         {"E has 1 numbers, but 2 x 2 are expected"}},
        {SPACE("input = 'time'\nA = [1]\nB = [1]\nstart = [1, 2]"),
         {"2 numbers are given, but it has 1 states"}},
        {SPACE("input = []\nD = [1]"), {"an array of 1 to 16 numbers is expected"}},
    };
    CHECK(wrong);
}

static void wrong_polynomials_are_told(void **state)
{
    (void)state;
    static const mistake wrong[] = {
        {TRANSFER("input = 'time'\nnumerator = [1, 2, 3]\ndenominator = [1, 2]"),
         {"improper", "numerator is of degree 2", "denominator of degree 1"}},
        {TRANSFER("input = 'time'\nnumerator = [1]\ndenominator = [0, 0]"),
         {"some coefficient other than zero"}},
        {TRANSFER("input = 'time'\nnumerator = [1]"), {"missing key `denominator`"}},
        {TRANSFER("numerator = [1]\ndenominator = [1, 1]"), {"missing key `input`"}},
        {TRANSFER("input = 'time'\nnum = [1]\ndenominator = [1, 1]"), {"did you mean `numerator`?"}},
    };
    CHECK(wrong);
}

static void wrong_samples_are_told(void **state)
{
    (void)state;
#define GAIN "input = 'time'\nD = [2]\n"
    static const mistake wrong[] = {
        {SPACE(GAIN "period = 0"),
         {"wrong.toml:10:10: error:", "0 is out of range: it must be larger than 0"}},
        {SPACE(GAIN "period = -0.1"), {"out of range"}},
        {SPACE(GAIN "period = 0.1\noffset = -1"), {"out of range"}},
        {SPACE(GAIN "period = 0.1\ndelay = -1"), {"out of range"}},
        {SPACE(GAIN "delay = 2"),
         {"wrong.toml:10:9: error:", "only sampled blocks have it: give a `period`, too"}},
        {SPACE(GAIN "lowest = [1]"), {"only sampled blocks have it"}},
        {SPACE(GAIN "period = 0.1\nlowest = [1]\nhighest = [-1]"), {"1 is above `highest`, -1"}},
        {SPACE(GAIN "period = 0.1\nlowest = [1, 2, 3]"),
         {"3 numbers are given, but 1 or 1, one for each output"}},
        {SPACE(GAIN "period = 0.1\nresolution = [-1]"), {"-1 is out of range"}},
    };
    CHECK(wrong);
}

static void wrong_files_are_told(void **state)
{
    (void)state;
    (void)tn_write("wide.csv", "1 2 3\n");
    (void)tn_write("ragged.csv", "# of a controller\n1, 2\n\n1, 2, 3\n");
    (void)tn_write("words.csv", "1, two\n");
    (void)tn_write("empty.csv", "# nothing\n");
    (void)tn_write("broken.json", "{\n\"A\": [[1, 2], [3]]}");
    (void)tn_write("ends.json", "{\"A\": [[1, 2], [3");
    (void)tn_write("none.json", "{\"a\": {\"b\": [1, \"x]\"]}}");
    (void)tn_write("plain.json", "{\"A\": [[1]], \"B\": [[1]]}");
    (void)tn_write("steps.json", "{\"A\": [[1]], \"B\": [[1]], \"step\": 0.2}");
    static const mistake wrong[] = {
        {SPACE("input = 'time'\nfile = 'nowhere.csv'"),
         {"wrong.toml:9:8: error:", "`nowhere.csv` cannot be read"}},
        {SPACE("input = 'time'\nfile = 'wide.csv'"),
         {"D of this file is a matrix of 1 x 3, but 1 x 1 are expected"}},
        {SPACE("input = 'time'\nfile = 'ragged.csv'"),
         {"ragged.csv:4: this line has 3 numbers, the first one 2"}},
        {SPACE("input = 'time'\nfile = 'words.csv'"), {"words.csv:1: a number is expected"}},
        {SPACE("input = 'time'\nfile = 'empty.csv'"), {"it has no numbers"}},
        {SPACE("input = 'time'\nfile = 'broken.json'"),
         {"broken.json:2: a row has 1 numbers, the first one 2"}},
        {SPACE("input = 'time'\nfile = 'ends.json'"), {"ends.json:1:"}},
        {SPACE("input = 'time'\nfile = 'none.json'"), {"it has no matrices"}},
        {SPACE("input = 'time'\nfile = 'plain.json'\nperiod = 0.1"), {"those of a continuous system"}},
        {SPACE("input = 'time'\nfile = 'steps.json'\nperiod = 0.1"),
         {"its A and B in `file` are for steps of 0.2 s"}},
    };
    CHECK(wrong);
}

static void calls_that_lead_to_nothing_are_told(void **state)
{
    (void)state;
#define TWO SPACE("input = ['time', '1']\nD = [[1, 2], [3, 4]]")
    static const mistake wrong[] = {
        {SPACE("input = 'time'\nblue = 1") SENSOR("ARYVAL(b)"), {"unknown key `blue`"}},
        {SPACE("input = ['time', '1', '2']\nD = [1, 2]") SENSOR("ARYVAL(b, 2)"),
         {"D has 2 numbers, which is no multiple"}},
        {TWO SENSOR("ARYVAL(b)"), {"`b` has 2 outputs: choose one, `aryval(b, 1)`"}},
        {TWO SENSOR("ARYVAL(b, 3)"), {"`b` has no output `3`: they are numbers from 1 to 2"}},
        {TWO SENSOR("ARYVAL(b, 0)"), {"`b` has no output `0`"}},
        {TWO SENSOR("ARYVAL(b, x)"), {"`b` has no output `x`"}},
        {TWO SENSOR("ARYVAL(m, 1)"), {"`m` is a mass_1d, not a block"}},
        {TWO "[[element]]\nname = 'regulator'\ntype = 'plant_input'\nvalues = [1]\n" SENSOR(
             "ARYVAL(regulater, 1)"),
         {"there is no block `regulater`: did you mean `regulator`?"}},
        {TWO SENSOR("PINVAL(4, 1)"), {"there is no block with the id 4"}},
        {TWO SENSOR("POUVAL()"), {"pouval"}},
        {"[[element]]\nname = 'v'\ntype = 'reference_variable'\nexpression = 'time'\n" SENSOR("DIF(v)"),
         {"`v` is no integral: `dif` reads variables with `integral = true`"}},
        {"[[element]]\nname = 'b'\ntype = 'state_spaec'\n" SENSOR("ARYVAL(b, 1)"),
         {"did you mean `state_space`?"}},
        {"[[element]]\nname = 'b'\ntype = 'reference_varible'\n" SENSOR("DIF(b)"),
         {"did you mean `reference_variable`?"}},
        {"[[element]]\nname = 'b'\ntype = 'reference_varible'\n" SENSOR("DIF1(b)"),
         {"did you mean `reference_variable`?"}},
        {TWO SENSOR("DIF1(b)"), {"`b` is a state_space, not a variable"}},
    };
    CHECK(wrong);
}

static void loops_through_feedthrough_are_named(void **state)
{
    (void)state;
#define NAMED(name, input, keys) \
    "[[element]]\nname = '" name "'\ntype = 'state_space'\ninput = '" input "'\n" keys "\n"
    static const mistake wrong[] = {
        {NAMED("a", "ARYVAL(c)", "D = [1]") NAMED("c", "0.5*ARYVAL(a)", "D = [1]"),
         {"follows its input at once cannot be part of a loop", "`c` reads `a` reads `c`"}},
        {NAMED("a", "ARYVAL(a)", "A = [1]\nB = [1]\nC = [1]\nD = [1]"),
         {"cannot be part of a loop", "`a` reads `a`"}},
        {NAMED("a", "ARYVAL(c)", "D = [1]\nperiod = 1") NAMED("c", "0.5*ARYVAL(a)", "D = [1]\nperiod = 2"),
         {"would change with each other at the same sample: `a` reads `c` reads `a`",
          "delay one of them by a sample"}},
    };
    static const char *const right[] = {
        NAMED("a", "ARYVAL(c)", "D = [1]\nperiod = 1")
            NAMED("c", "0.5*ARYVAL(a)", "D = [1]\nperiod = 2\ndelay = 1"),
        NAMED("a", "ARYVAL(c)", "D = [1]\nperiod = 1") NAMED("c", "0.5*ARYVAL(a)", "A = [1]\nB = [1]"),
        NAMED("a", "ARYVAL(a)", "A = [-1]\nB = [0.5]"),
    };
    CHECK(wrong);
    for (size_t k = 0; k < sizeof right / sizeof *right; k++)
        (void)tn_simulate(tn_format(MASS "%s" SOLVER, right[k]), NULL);
}

static void constraints_read_no_blocks(void **state)
{
    (void)state;
    static const mistake wrong[] = {
        {TRANSFER(
             "input = 'COORD(m)'\nnumerator = [1]\ndenominator = [1, 1]") "[[element]]\nname = 'c'\ntype = "
                                                                          "'reference_variable'\nimplicit = "
                                                                          "true\nexpression = 'COORD(m) - "
                                                                          "ARYVAL(b)'\n",
         {"a constraint cannot read an output of a block"}},
    };
    CHECK(wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_sizes_of_matrices_are_told),
        cmocka_unit_test(wrong_polynomials_are_told),
        cmocka_unit_test(wrong_samples_are_told),
        cmocka_unit_test(wrong_files_are_told),
        cmocka_unit_test(calls_that_lead_to_nothing_are_told),
        cmocka_unit_test(loops_through_feedthrough_are_named),
        cmocka_unit_test(constraints_read_no_blocks),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
