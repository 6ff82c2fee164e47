/* test_loop_messages.c - what laws say, and refuse, while several threads call them: the same for any number of threads */
#include "harness.h"

/* A spring that speaks in some instances, and refuses in others, at every call behind a time. */
static const char talkative[] =
    "#include <tenon/author.h>\n"
    "#define TALKATIVE(P) P(INTEGER, number, TN_REQUIRED, 0, 0, 1000000, \"of the spring\") \\\n"
    "    P(REAL, refuses, \"s\", 0, 1e9, 0.0, 1e9, \"behind this time\")\n"
    "TN_PARAMETERS(talkative, TALKATIVE)\n"
    "#if TN_VALUES\n"
    "static tn_status talkative_force(tn_batch *batch)\n"
    "{\n"
    "    for (uint32_t i = 0; i < batch->count; i++) {\n"
    "        const talkative *self = (const talkative *)tn_instance(batch, i);\n"
    "        for (uint32_t k = 0; k < 3; k++)\n"
    "            batch->wrench[3 * i + k] = -batch->pose[batch->marker[i].pose + k];\n"
    "        if (self->number % 700 == 9 && batch->time == 0.0)\n"
    "            tn_say(batch->host, TN_WARNING, \"number %lld is here\", (long long)self->number);\n"
    "        if (self->number % 900 == 850 && batch->time > self->refuses)\n"
    "            tn_refuse(batch->host, NULL, \"number %lld has enough\", (long long)self->number);\n"
    "    }\n"
    "    return TN_OK;\n"
    "}\n"
    "TN_PORTS(talkative, {\"markers\", \"a point\", TN_POINT, 1, 1, 0})\n"
    "TN_ELEMENT(talkative, .summary = \"speaks\", .formula = \"f = -x\",\n"
    "           TN_CAPABILITIES(TN_HAS(force, .force = talkative_force)), .ports = talkative_ports)\n"
    "TN_LIBRARY(\"talkative\", \"1.0.0\", \"Apache-2.0\", \"speaks\", {TN_ELEMENT_KIND, &talkative_type})\n"
    "#endif\n";

#define MODEL(more)                                                                                  \
    "[[repeat]]\ncount = 6000\nvariable = 'k'\nelement = [\n"                                        \
    "{ name = 'point_{k}', type = 'mass_point', mass = 1, position = ['k', 0, 0] },\n"               \
    "{ name = 'spring_{k}', type = 'talkative', number = 'k', markers = ['point_{k}'], " more "}]\n" \
    "[solver]\ntype = 'rk'\nstep = 1e-2\nend_time = 5e-2\n"

static tn_outcome run(const char *model, const char *threads)
{
    return tn_tenon(
        TN_WORDS("run", model, "--plugin-path", tn_scratch_path("."), "--threads", threads, "--quiet"));
}

static const char *const counts[] = {"2", "3", "7"};

static void messages_come_in_the_order_of_the_elements(void **state)
{
    (void)state;
    const char *model = tn_write("notes.toml", MODEL("refuses = 1"));
    const tn_outcome one = run(model, "1");
    assert_int_equal(one.status, 0);
    tn_check_holds(one.errors, TN_WORDS("number 9 is here", "number 5609 is here"));
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const tn_outcome several = run(model, counts[k]);
        assert_int_equal(several.status, 0);
        assert_string_equal(several.errors, one.errors);
    }
}

static void the_first_element_that_refuses_is_heard(void **state)
{
    (void)state;
    const char *model = tn_write("refusals.toml", MODEL("refuses = 0.02"));
    const tn_outcome one = run(model, "1");
    assert_int_equal(one.status, 1);
    tn_check_holds(one.errors, TN_WORDS("number 850 has enough"));
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const tn_outcome several = run(model, counts[k]);
        assert_int_equal(several.status, 1);
        assert_string_equal(several.errors, one.errors);
    }
}

static int set_up(void **state)
{
    if (tn_scratch_open(state) != 0) return 1;
    (void)tn_build_text("talkative", talkative);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(messages_come_in_the_order_of_the_elements),
                                       cmocka_unit_test(the_first_element_that_refuses_is_heard)};
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}
