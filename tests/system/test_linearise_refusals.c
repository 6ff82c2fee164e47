/* test_linearise_refusals.c - `linearise` among other solvers and under guard, and what it refuses */
#include "linear.h"

#include <math.h>

/* ---- chains, guard, files ---------------------------------------------------------------------------------------------- */

static void test_it_stands_among_other_solvers(void **state)
{
    (void)state;
    const char *results = tn_linearise(tn_cart_pole(
        tn_upright, 0.0,
        "[[solver]]\ntype = 'static'\nfree = 'hold'\n" LINEARISE("states = ['cart', 'hinge']\n")
            LINEARISE("outputs = ['reaction', 'x']\ninputs = []\n") "[[solver]]\ntype = 'rk'\nend_time = "
                                                                    "0.1\nstep = 0.01\n"));
    assert_int_equal(tn_sensors(results)->rows, 3 + 10);
    tn_check_holds(tn_read(tn_format("%s/run.toml", results)),
                   TN_WORDS("linear.npz", "linear_2.npz", "linear.json", "linear_2.json"));
    assert_non_null(strstr(tn_read(tn_format("%s/linear_2.json", results)), "\"inputs\": []"));
    // what it does not touch goes on: the pole stands
    assert_true(fabs(tn_value_at(tn_sensors(results), "x", 0.1)) < 1e-12);
}

static void test_guarded_calls_find_the_same(void **state)
{
    (void)state;
    const char *model =
        tn_write("guarded.toml", tn_cart_pole(tn_upright, 0.4, LINEARISE("states = ['cart', 'hinge']\n")));
    const char *results[] = {tn_scratch_path(NULL), tn_scratch_path(NULL)};
    for (int k = 0; k < 2; k++) {
        const tn_outcome outcome =
            tn_tenon(TN_WORDS("run", model, "--out", results[k], k ? "--guard" : "--quiet"));
        if (outcome.status != 0) fail_msg("%s", outcome.errors);
    }
    assert_string_equal(tn_read(tn_format("%s/linear.json", results[0])),
                        tn_read(tn_format("%s/linear.json", results[1])));
}

/* ---- what is wrong ---------------------------------------------------------------------------------------------------- */

static void test_wrong_names_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *words[4];
    } wrong[] = {
        {"inputs = ['pus']\n", {"linear.toml:", "there is no [[input]] `pus`", "did you mean `push`"}},
        {"outputs = ['x', 'acceleratoin']\n",
         {"there is no [[sensor]] `acceleratoin`", "did you mean `acceleration`"}},
        {"states = ['cart', 'hing']\n", {"no element, marker or sensor `hing`", "did you mean `hinge`"}},
        {"states = ['cart', 'hinge.angel']\n", {"linear.toml:", "angel", "angle"}},
        {"states = ['cart', 'cart']\n", {"`cart` is named twice"}},
        {"states = ['cart']\n",
         {"names 1 position, but the model moves in 2 ways", "`pole` turns about (0, 1, 0)"}},
        {"states = ['cart', 'rail']\n", {"linear.toml:", "`rail` is not independent of those before it"}},
        {"states = ['cart', 'hinge', 'rail']\n", {"`rail` is not independent", "2 ways"}},
        {"states = ['pole', 'hinge']\n", {"`pole` is a body that does not have just one motion"}},
        {"states = ['cart', 'reaction']\n", {"`reaction` is no function of positions"}},
        {"states = ['cart', 'rate']\n", {"the sensor `rate` is no position"}},
        {"outputs = ['x', 'x']\n", {"named twice"}},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const char *errors =
            tn_linearise_refused(tn_cart_pole(tn_upright, 0.0, tn_format(LINEARISE("%s"), wrong[k].keys)));
        for (size_t w = 0; w < 4 && wrong[k].words[w]; w++)
            tn_check_holds(errors, TN_WORDS(wrong[k].words[w]));
    }
}

static void test_states_out_of_balance_are_refused(void **state)
{
    (void)state;
    const char *model = "[model]\ngravity = [0, 0, -9.81]\n"
                        "[[element]]\nname = 'stone'\ntype = 'mass_point'\nmass = 2\n"
                        "[[sensor]]\nname = 'sum'\nsystem = 'energy_balance'\n"
                        "[[sensor]]\nname = 'z'\nexpression = 'DZ(stone)'\n";
    tn_check_holds(tn_linearise_refused(tn_format("%s" LINEARISE(""), model)),
                   TN_WORDS("no equilibrium", "most of all at `stone`", "force = true"));
    const char *results = tn_linearise(tn_format("%s" LINEARISE("force = true\n"), model));
    tn_check_holds(tn_run_text(results, "run.warnings.0"), TN_WORDS("no equilibrium"));
    tn_check_holds(
        tn_linearise_refused(tn_format("%s" LINEARISE("force = true\noutputs = ['sum']\n"), model)),
        TN_WORDS("`sum` is no function of the state"));
    tn_check_holds(tn_linearise_refused(
                       "[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 1\n"
                       "[[sensor]]\nname = 'before'\nexpression = 'DELAY(COORD(m), 0.1, 0)'\n" LINEARISE("")),
                   TN_WORDS("values of the past", "DELAY"));
}

/* "linear.toml:LINE:COLUMN: error: " of the last place where a text stands in a model. */
static const char *place_of(const char *model, const char *text)
{
    const char *at = NULL, *begin = model;
    for (const char *next = model; (next = strstr(next, text)); next++)
        at = next;
    assert_non_null(at);
    int line = 1;
    for (const char *c = model; c < at; c++)
        if (*c == '\n') {
            line++;
            begin = c + 1;
        }
    return tn_format("linear.toml:%d:%d: error: ", line, (int)(at - begin) + 1);
}

/* What is known during the run only stands at its key, too, and at the entry of a list. */
static void test_refusals_stand_at_their_keys(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *at, *word;
    } wrong[] = {{"states = ['cart',\n  'rail']\n", "'rail']", "`rail` is not independent of those before"},
                 {"states = [ 'pole', 'hinge']\n", "'pole', 'h", "`pole` is a body that does not have"},
                 {"states = ['cart', 'reaction']\n", "'reaction']", "`reaction` is no function of positions"},
                 {"states = ['cart']\n", "['cart']", "`states` names 1 position"},
                 {"outputs = ['x', 'total']\n", "'total']", "`total` is no function of the state"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const char *model =
            tn_cart_pole(tn_upright, 0.0,
                         tn_format("[[sensor]]\nname = 'total'\nsystem = 'energy_balance'\n" LINEARISE("%s"),
                                   wrong[k].keys));
        tn_check_holds(tn_linearise_refused(model),
                       TN_WORDS(tn_format("%s%s", place_of(model, wrong[k].at), wrong[k].word),
                                "the simulation failed at time 0 s: ", wrong[k].word));
    }
    static const char falls[] = "[model]\ngravity = [0, 0, -9.81]\n[[element]]\nname = 'stone'\n"
                                "type = 'mass_point'\nmass = 2\n" LINEARISE("");
    static const char grows[] =
        "[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 1\n[[element]]\nname = 'f'\n"
        "type = 'coordinate_force'\nmarkers = 'm'\nvalue = 'COORD(m)'\n" LINEARISE(
            "states = ['m']\nstep = '1e6 [s]'\n");
    tn_check_holds(tn_linearise_refused(grows), TN_WORDS(place_of(grows, "'1e6 [s]'"), "beyond all numbers"));
    const char *said = tn_format("%sforce = false\n", falls);
    tn_check_holds(tn_linearise_refused(falls), TN_WORDS(place_of(falls, "[[solver]]"), "no equilibrium"));
    tn_check_holds(tn_linearise_refused(said), TN_WORDS(place_of(said, "false\n"), "no equilibrium"));
}

/* A list of another solver is its own affair. */
static void test_each_solver_has_names_of_its_own(void **state)
{
    (void)state;
    const char *model = tn_cart_pole(tn_upright, 0.0,
                                     LINEARISE("states = ['cart', 'hinge']\noutputs = ['x']\n")
                                         LINEARISE("states = ['cart', 'reaction']\noutputs = ['drive']\n"));
    const char *errors = tn_linearise_refused(model);
    tn_check_holds(errors, TN_WORDS(place_of(model, "'reaction'"), "linearised: 4 states"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_it_stands_among_other_solvers),
                                       cmocka_unit_test(test_guarded_calls_find_the_same),
                                       cmocka_unit_test(test_wrong_names_are_refused),
                                       cmocka_unit_test(test_refusals_stand_at_their_keys),
                                       cmocka_unit_test(test_each_solver_has_names_of_its_own),
                                       cmocka_unit_test(test_states_out_of_balance_are_refused)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
