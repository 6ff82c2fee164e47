/* test_lives.c - the lives of instances of all kinds, from prepare() to release() */
#include "harness.h"

#define MASS "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\n"
#define SENSOR "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
#define SOLVER "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n"

/* The type `owner` of this kind, built anew. */
static const char *build_owner(const char *kind)
{
    return tn_build_text("owner", tn_format("#define %s\n#include \"%s/tests/system/plugins/owner.c\"\n",
                                            kind, TENON_SOURCE_DIR));
}

/* Runs a model where DIARY stands for a new file; what stands in that afterwards. */
static const char *diary_of(const char *kind, const char *model, int status)
{
    const char *diary = tn_scratch_path(NULL), *library = build_owner(kind);
    const char *key = strstr(model, "DIARY");
    for (; key; key = strstr(model, "DIARY"))
        model = tn_format("%.*s%s%s", (int)(key - model), model, diary, key + strlen("DIARY"));
    (void)tn_write("model.toml", tn_format("[plugins]\nowner = '%s'\n%s", library, model));
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", "model.toml", "--trust", "--quiet", "--out", tn_scratch_path(NULL)));
    if (outcome.status != status) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    return tn_read(diary);
}

#define CHANGES                                                                                         \
    "[[element]]\nname = 'a'\ntype = 'owner'\nmarkers = 'mass'\ndiary = 'DIARY'\nfactor = '1 + TIME'\n" \
    "[[change]]\n%s\nelement = 'a'\nparameter = 'factor'\nvalue = 3\n"

static const char *const occasions[] = {"time = 0.5", "crosses = 'TIME > 0.45'"};

/* The first opening and closing is the trial of the change. */
static void an_element_stays_and_changes_where_it_is(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
        assert_string_equal(diary_of("AN_ELEMENT", tn_format(MASS CHANGES SENSOR SOLVER, occasions[k]), 0),
                            "open\nopen\nclose\nagain\nclose\n");
}

/* One without an expression belongs to another batch. An element refuses to work unless its pointer to itself was renewed when it
 * moved. */
static void an_element_moves_once_where_its_type_has_several_batches(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
        assert_string_equal(
            diary_of("AN_ELEMENT",
                     tn_format(MASS CHANGES "[[element]]\nname = 'b'\ntype = 'owner'\nmarkers = 'mass'\n"
                                            "diary = '/dev/null'\n" SENSOR SOLVER,
                               occasions[k]),
                     0),
            "open\nopen\nclose\nmoved\nagain\nclose\n");
}

static void an_element_of_a_wrong_model_is_released(void **state)
{
    (void)state;
    assert_string_equal(
        diary_of("AN_ELEMENT",
                 MASS "[[element]]\nname = 'a'\ntype = 'owner'\nmarkers = 'mass'\ndiary = 'DIARY'\n"
                      "[[element]]\nname = 'b'\ntype = 'owner'\nmarkers = 'nobody'\ndiary = 'DIARY'\n" SOLVER,
                 2),
        "open\nopen\nclose\nclose\n");
}

static void a_marker_moves_once(void **state)
{
    (void)state;
    assert_string_equal(
        diary_of("A_MARKER",
                 MASS
                 "[[marker]]\nname = 'm'\ntype = 'owner'\nmarker = 'mass'\ndiary = 'DIARY'\n"
                 "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = 'm'\nvalue = [1, 0, 0]\n" SENSOR SOLVER,
                 0),
        "open\nmoved\nclose\n");
}

static void other_kinds_are_released_at_the_end(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *model, *diary;
    } cases[] = {
        {"A_FUNCTION",
         MASS "[[signal]]\nname = 's'\ntype = 'owner'\nfactor = 2\ndiary = 'DIARY'\n"
              "[[sensor]]\nname = 'twice'\nexpression = 'owner(s, TIME)'\n" SOLVER,
         "open\nclose\n"},
        {"A_WRITER",
         MASS SENSOR SOLVER
         "[output]\nwriters = ['csv', { type = 'owner', diary = 'DIARY', factor = '1 + 1' }]\n",
         "open\ntable sensors, factor 2\nend of table\nclose\n"},
        {"A_LINEAR",
         MASS SENSOR "[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 0.1\n"
                     "linear = { type = 'owner', diary = 'DIARY', factor = 3 }\n",
         "open\ncreate, factor 3\ndestroy\nclose\n"},
        {"A_SOLVER", MASS SENSOR "[solver]\ntype = 'owner'\nend_time = 1\nstep = 1\ndiary = 'DIARY'\n",
         "open\nclose\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_string_equal(diary_of(cases[k].kind, cases[k].model, 0), cases[k].diary);
}

static void expect_error(const char *model, const char *error)
{
    (void)tn_write("model.toml", tn_format("[plugins]\nowner = '%s'\n%s", build_owner("A_LINEAR"), model));
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", "model.toml", "--trust"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS(error));
}

static void parameters_of_a_linear_solver_are_checked(void **state)
{
    (void)state;
#define LINEAR(value) \
    MASS SENSOR "[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 0.1\nlinear = " value "\n"
    expect_error(LINEAR("{ diary = 'x' }"),
                 "model.toml:15:10: error: `linear` of [solver]: the key `type` is missing");
    expect_error(LINEAR("{ type = 'owner' }"), "model.toml:15:10: error: missing key `diary`");
    expect_error(LINEAR("{ type = 'owner', diary = 'x', faktor = 1 }"), "did you mean `factor`?");
    expect_error(LINEAR("{ type = 'onwer', diary = 'x' }"),
                 "unknown linear type `onwer`: did you mean `owner`?");
    expect_error(LINEAR("{ type = 'owner', diary = '/nonexistent/x' }"), "`prepare` of linear owner");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_element_stays_and_changes_where_it_is),
        cmocka_unit_test(an_element_moves_once_where_its_type_has_several_batches),
        cmocka_unit_test(an_element_of_a_wrong_model_is_released),
        cmocka_unit_test(a_marker_moves_once),
        cmocka_unit_test(other_kinds_are_released_at_the_end),
        cmocka_unit_test(parameters_of_a_linear_solver_are_checked)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
