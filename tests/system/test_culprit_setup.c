/* test_culprit_setup.c - elements that ask for too much, or fail while the model is made: the message names the element, and the type
 * with its function and library */
#include "culprits.h"

/* ---- sizes and setup ------------------------------------------------------------------------------------- */

/* An element on `ports` points whose layout asks for what LAYOUT says. */
static const char sizes[] =
    "#include <tenon/author.h>\nTN_NO_PARAMETERS(sized)\n%s(sized%s)\n{\n    (void)marker, (void)context;\n"
    "    return TN_OK;\n}\n#if TN_VALUES\n"
    "static tn_status layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *self, TN_UNUSED tn_layout "
    "*layout)"
    "\n{\n    %s;\n    return TN_OK;\n}\n"
    "static tn_status prepare(TN_UNUSED const tn_host *host, TN_UNUSED void *self) { return %s; }\n"
    "TN_PORTS(sized, {\"markers\", \"any\", TN_POINT, 1, 40, 0})\n"
    "TN_ELEMENT(sized, .summary = \"sized\", .formula = \"-\", .ports = sized_ports, .layout = layout, "
    ".prepare = prepare, TN_CAPABILITIES(TN_HAS_%s(sized)))\n"
    "TN_LIBRARY(\"sizes\", \"1.0.0\", \"Apache-2.0\", \"sizes\", {TN_ELEMENT_KIND, &sized_type})\n#endif\n";

static void check_refusal(const char *source, size_t markers, const char *const *words)
{
    const char *library = tn_build_text("sized", source), *list = "'mass'";
    for (size_t k = 1; k < markers; k++)
        list = tn_format("%s, 'mass'", list);
    (void)tn_write("model.toml",
                   tn_format("[plugins]\nsized = '%s'\n[[element]]\nname = 'big'\ntype = 'sized'\n"
                             "markers = [%s]\n" MASS SOLVER("type = 'rk'"),
                             library, list));
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", "model.toml", "--trust"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("model.toml:3:1: error: `big`", library));
    tn_check_holds(outcome.errors, words);
}

static const char *constraint_of(const char *layout)
{
    return tn_format(sizes, "TN_CONSTRAINT", "", layout, "TN_OK", "CONSTRAINT");
}

static const char *force_of(const char *layout, const char *prepare)
{
    return tn_format(sizes, "TN_FORCE", ", TN_ANY, 40", layout, prepare, "FORCE");
}

static void test_limits_of_elements(void **state)
{
    (void)state;
    check_refusal(constraint_of("layout->position_rows = 17"), 1,
                  TN_WORDS("`big` has 17 rows: a sized has at most 16"));
    check_refusal(constraint_of("layout->position_rows = 1"), 9,
                  TN_WORDS("`big` has 9 markers: a sized has at most 8"));
    check_refusal(force_of("(void)layout", "TN_OK"), 33,
                  TN_WORDS("`big` has 33 markers: a sized has at most 32"));
    check_refusal(force_of("layout->nd = 4294967295u", "TN_OK"), 1,
                  TN_WORDS("`big` has 4294967295 discrete data: a sized has at most 1000000"));
}

static void test_setup_that_fails_without_a_word(void **state)
{
    (void)state;
    check_refusal(force_of("return TN_FATAL", "TN_OK"), 1,
                  TN_WORDS("`big`: `layout` of element sized (plugin sizes 1.0.0, ",
                           ") has failed without a reason: unrecoverable failure"));
    check_refusal(force_of("(void)layout", "TN_INVALID"), 1,
                  TN_WORDS("`big`: `prepare` of element sized (plugin sizes 1.0.0, ",
                           ") has failed without a reason: wrong parameter or model"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits_of_elements),
        cmocka_unit_test(test_setup_that_fails_without_a_word),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
