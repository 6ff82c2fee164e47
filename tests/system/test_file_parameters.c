/* test_file_parameters.c - parameters that are files or lists of texts: what a type gets, what a model may say, what a run
 * may not replace */
#define _GNU_SOURCE
#include "harness.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* A force along x: the number in a file, times the number of texts, in the direction of the first one. */
static const char push[] =
    "#include <tenon/author.h>\n"
    "#include <stdio.h>\n"
    "#include <string.h>\n"
    "#define PUSH(P) P(FILE, data, TN_REQUIRED, \"holds a number\") P(FILE, other, 0, \"not needed\") \\\n"
    "    P(TEXTS, words, 0, \"as many as there are\") P(PRIVATE, double, size)\n"
    "TN_PARAMETERS(push, PUSH)\n"
    "TN_FORCE(push, TN_POINT, 1)\n{\n    wrench[0].force.e[0] = tn_constant(self->size);\n    return "
    "TN_OK;\n}\n"
    "#if TN_VALUES\n"
    "static tn_status push_prepare(const tn_host *host, void *instance)\n{\n"
    "    push *self = instance;\n    FILE *file = fopen(self->data, \"r\");\n"
    "    if (self->other) return tn_refuse(host, \"other\", \"is %s\", self->other);\n"
    "    if (!file || fscanf(file, \"%lf\", &self->size) != 1)\n"
    "        return tn_refuse(host, \"data\", \"it holds no number\");\n"
    "    (void)fclose(file);\n"
    "    self->size *= (double)self->words.count;\n"
    "    if (self->words.count && !strcmp(self->words.text[0], \"back\")) self->size = -self->size;\n"
    "    return TN_OK;\n}\n"
    "TN_PORTS(push, {\"markers\", \"what is pushed\", TN_POINT, 1, 1, 0})\n"
    "TN_ELEMENT(push, .summary = \"push\", .formula = \"f = size\", .ports = push_ports, .prepare = "
    "push_prepare,\n"
    "           TN_CAPABILITIES(TN_HAS_FORCE(push)))\n"
    "TN_LIBRARY(\"push\", \"1.0.0\", \"Apache-2.0\", \"push\", {TN_ELEMENT_KIND, &push_type})\n#endif\n";

static const char *plugin;

static int set_up(void **state)
{
    if (tn_scratch_open(state) != 0) return 1;
    plugin = tn_build_text("push", push);
    return mkdir(tn_scratch_path("models"), 0777) || mkdir(tn_scratch_path("elsewhere"), 0777);
}

#define MASS "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\n"
#define PUSH "[[element]]\nname = 'push'\ntype = 'push'\nmarkers = 'mass'\n"
#define REST                                                          \
    "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n" \
    "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n"

static const char *write_model(const char *push_keys)
{
    return tn_write("models/model.toml",
                    tn_format("[plugins]\npush = '%s'\n" MASS PUSH "%s" REST, plugin, push_keys));
}

static tn_outcome run(const char *model, const char *results)
{
    return tn_tenon(TN_WORDS("run", model, "--trust", "--quiet", "--out", results));
}

/* x = f/2 after 1 s. */
static void check_force(const char *model, double force)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = run(model, results);
    if (outcome.status != 0) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    assert_true(fabs(tn_value_at(tn_sensors(results), "x.x", 1.0) - 0.5 * force) < 1e-9);
}

static void check_refused(const char *keys, const char *const *words)
{
    const tn_outcome outcome = run(write_model(keys), tn_scratch_path(NULL));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, words);
}

/* The program is started in the folder above that of the model. */
static void test_files_stand_beside_the_model(void **state)
{
    (void)state;
    (void)tn_write("models/size.txt", "3\n");
    check_force(write_model("data = 'size.txt'\nwords = ['on', 'and', 'on']\n"), 9.0);
    check_force(write_model("data = 'size.txt'\nwords = ['back']\n"), -3.0);
    check_force(write_model(tn_format("data = '%s'\nwords = []\n", tn_scratch_path("models/size.txt"))), 0.0);
    check_force(write_model("data = 'size.txt'\n"), 0.0);
}

static void test_files_that_cannot_be_read(void **state)
{
    (void)state;
    check_refused(
        "data = 'syze.txt'\n",
        TN_WORDS("models/model.toml:11:8: error: `data` of `push`: `syze.txt` cannot be read: No such file"));
    check_refused("data = '.'\n", TN_WORDS("model.toml:11:8: error: ", "`.` cannot be read: Is a directory"));
    check_refused("data = ''\n", TN_WORDS("model.toml:11:8: error: ", "the path of a file is expected"));
    check_refused("data = 3\n", TN_WORDS("model.toml:11:8: error: ", "the path of a file is expected"));
    check_refused("", TN_WORDS("missing key `data` of `push` (holds a number)"));
}

static void test_texts_that_are_none(void **state)
{
    (void)state;
    (void)tn_write("models/size.txt", "3\n");
    check_refused("data = 'size.txt'\nwords = 'on'\n",
                  TN_WORDS("model.toml:12:9: error: `words` of `push`: an array of strings is expected"));
    check_refused("data = 'size.txt'\nwords = ['on', 3]\n",
                  TN_WORDS("model.toml:12:16: error: `words` of `push`: a string is expected"));
}

/* What the type says about its parameter stands where the model names the file. */
static void test_refusals_of_the_type(void **state)
{
    (void)state;
    (void)tn_write("models/words.txt", "three\n");
    check_refused("data = 'words.txt'\n", TN_WORDS("model.toml:11:8: error: push: it holds no number"));
}

static void test_results_do_not_replace_them(void **state)
{
    (void)state;
    (void)tn_write("models/sensors.csv", "3\n");
    const tn_outcome outcome = run(write_model("data = 'sensors.csv'\nwords = ['on']\n"), "models");
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("would replace models/sensors.csv, which this run reads as ",
                                            "models/sensors.csv"));
    assert_string_equal(tn_read(tn_scratch_path("models/sensors.csv")), "3\n");
}

/* run.toml is a model, wherever it stands, and has the files of the model. */
static void test_run_toml_finds_them(void **state)
{
    (void)state;
    (void)tn_write("models/size.txt", "3\n");
    const char *model = write_model("data = 'size.txt'\nwords = ['on', 'on']\n");
    assert_int_equal(run(model, "elsewhere/plain").status, 0);
    check_force("elsewhere/plain/run.toml", 6.0);
    assert_int_equal(
        tn_tenon(TN_WORDS("run", model, "--trust", "--quiet", "--expanded", "--out", "elsewhere/expanded"))
            .status,
        0);
    check_force("elsewhere/expanded/run.toml", 6.0);
}

/* A part that another file sets a path in: it is relative to the file in which it is written. */
static void test_parts(void **state)
{
    (void)state;
    assert_true(mkdir(tn_scratch_path("models/parts"), 0777) == 0);
    (void)tn_write("models/parts/size.txt", "5\n");
    (void)tn_write("models/size.txt", "3\n");
    (void)tn_write("models/parts/part.toml", MASS PUSH "data = 'size.txt'\nwords = ['on']\n");
    const char *rest = "[[sensor]]\nname = 'x'\nelement = 'cart.mass'\noutput = 'position'\n"
                       "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n";
    const char *text =
        tn_format("[plugins]\npush = '%s'\n[[part]]\nname = 'cart'\nfile = 'parts/part.toml'\n", plugin);
    check_force(tn_write("models/of_parts.toml", tn_format("%s%s", text, rest)), 5.0);
    const char *model = tn_write("models/of_parts.toml",
                                 tn_format("%sset = { 'element.push.data' = 'size.txt' }\n%s", text, rest));
    check_force(model, 3.0);
    assert_int_equal(run(model, "elsewhere/parts").status, 0);
    check_force("elsewhere/parts/run.toml", 3.0);
}

static void test_repeats(void **state)
{
    (void)state;
    (void)tn_write("models/size.txt", "3\n");
    const char *model =
        tn_write("models/repeated.toml",
                 tn_format("[plugins]\npush = '%s'\n" MASS "[[repeat]]\nvariable = 'i'\ncount = 4\n"
                           "[[repeat.element]]\nname = 'push{i}'\ntype = 'push'\nmarkers = 'mass'\n"
                           "data = 'size.txt'\nwords = ['on']\n" REST,
                           plugin));
    check_force(model, 12.0);
}

/* One file for each copy. */
static void test_files_of_copies(void **state)
{
    (void)state;
    (void)tn_write("models/size_0.txt", "1\n");
    (void)tn_write("models/size_1.txt", "2\n");
    (void)tn_write("models/size_2.txt", "3\n");
    const char *model =
        tn_write("models/copies.toml",
                 tn_format("[plugins]\npush = '%s'\n" MASS "[[repeat]]\nvariable = 'i'\ncount = 3\n"
                           "[[repeat.element]]\nname = 'push{i}'\ntype = 'push'\nmarkers = 'mass'\n"
                           "data = 'size_{i}.txt'\nwords = ['on', '{i+1}']\n" REST,
                           plugin));
    check_force(model, 12.0);
    assert_int_equal(run(model, "elsewhere/copies").status, 0);
    check_force("elsewhere/copies/run.toml", 12.0);
    assert_int_equal(
        tn_tenon(TN_WORDS("run", model, "--trust", "--quiet", "--expanded", "--out", "elsewhere/copied"))
            .status,
        0);
    check_force("elsewhere/copied/run.toml", 12.0);
    (void)unlink(tn_scratch_path("models/size_1.txt"));
    const tn_outcome outcome = run(model, tn_scratch_path(NULL));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors,
                   TN_WORDS("models/copies.toml:14:8: error: `data` of `push1`: `size_1.txt` cannot be "
                            "read: No such file"));
}

static void test_description_and_schema(void **state)
{
    (void)state;
    const tn_outcome page = tn_tenon(TN_WORDS("describe", "push", "--plugin-path", "."));
    tn_check_holds(page.output, TN_WORDS("data: file, required", "other: file, optional",
                                         "words: list of texts, optional"));
    const tn_outcome json = tn_tenon(TN_WORDS("describe", "push", "--json", "--plugin-path", "."));
    tn_check_holds(json.output, TN_WORDS("\"kind\": \"file\"", "\"kind\": \"texts\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_stand_beside_the_model),
        cmocka_unit_test(test_files_that_cannot_be_read),
        cmocka_unit_test(test_texts_that_are_none),
        cmocka_unit_test(test_refusals_of_the_type),
        cmocka_unit_test(test_results_do_not_replace_them),
        cmocka_unit_test(test_run_toml_finds_them),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_files_of_copies),
        cmocka_unit_test(test_description_and_schema),
    };
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}
