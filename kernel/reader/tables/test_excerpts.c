/* test_excerpts.c - what errors of models show of their files */
#define _GNU_SOURCE
#include "tables/test_errors_files.h"

#define SOLVER "[solver]\ntype = \"rk\"\nend_time = 1\nstep = 0.1\n"

/* As check_scene(), with all lines. */
static void check_shown(const scene *shown)
{
    char directory[] = "/tmp/test_excerpts_XXXXXX";
    open_directory(directory);
    for (int k = 0; k < MOST_FILES && shown->file[k].name; k++)
        write_below(directory, shown->file[k].name, shown->file[k].text);
    char *errors = reported_in(directory, true);
    close_directory(directory);
    assert_string_equal(errors, shown->errors);
    free(errors);
}

static void check_model(const char *text, const char *errors)
{
    check_shown(&(scene){{{"model.toml", text}}, errors});
}

static void values_keys_and_tables(void **state)
{
    (void)state;
    check_model(
        "[[element]]\nname = \"m\"\ntype = \"mass_point\"\nmass = -1 # kg\nposition = [0, 0]\n" SOLVER,
        "model.toml:4:8: error: `mass` of `m`: -1 is out of range: it must be larger than 0\n"
        "    4 | mass = -1 # kg\n"
        "      |        ^~\n"
        "model.toml:5:12: error: `position` of `m`: an array of 3 numbers is expected (m)\n"
        "    5 | position = [0, 0]\n"
        "      |            ^~~~~~\n");
    check_model("[[element]] # first\nname = \"m\"\ntype = \"mass_pint\"\n"
                "[[element]]\nname = \"n\"\ntype = \"mass_point\"\nmas = 1\n"
                "[[element]]  # third\nname = \"o\"\ntype = \"mass_point\"\n" SOLVER,
                "model.toml:3:8: error: unknown element type `mass_pint`: did you mean `mass_point`?\n"
                "    3 | type = \"mass_pint\"\n"
                "      |        ^~~~~~~~~~~\n"
                "model.toml:7:1: error: unknown key `mas`: did you mean `mass`?\n"
                "    7 | mas = 1\n"
                "      | ^~~\n"
                "model.toml:8:1: error: missing key `mass` of `o` (mass m; kg)\n"
                "    8 | [[element]]  # third\n"
                "      | ^~~~~~~~~~~\n");
}

static void names_in_expressions(void **state)
{
    (void)state;
    check_model(
        "[parameters]\nlength = 1\na = \"2*lenght + 1 [m]\"\nb = \"\"\"\n1 +\n\tnothing\"\"\"\n" SOLVER,
        "model.toml:3:8: error: unknown name `lenght`: did you mean `length`?\n"
        "    3 | a = \"2*lenght + 1 [m]\"\n"
        "      |        ^~~~~~\n"
        "model.toml:6:2: error: unknown name `nothing`\n"
        "    6 |     nothing\"\"\"\n"
        "      |     ^~~~~~~\n");
    check_model("[[element]]\nname = \"m\"\ntype = \"mass_point\"\nmass = 1\n"
                "position = [0, \"\xC3\xA4 + 1\", \"1 + weight\"]\n" SOLVER,
                "model.toml:5:17: error: unexpected byte 0xC3: expressions are plain ASCII\n"
                "    5 | position = [0, \"\xC3\xA4 + 1\", \"1 + weight\"]\n"
                "      |                 ^\n"
                "model.toml:5:30: error: unknown name `weight`\n"
                "    5 | position = [0, \"\xC3\xA4 + 1\", \"1 + weight\"]\n"
                "      |                              ^~~~~~\n");
    check_model("[[repeat]]\ncount = 3\nvariable = \"i\"\n[[repeat.element]]\nname = \"m_{i}\"\n"
                "type = \"mass_point\"\nmass = \"1 + sqrt(weight)\"\n" SOLVER,
                "model.toml:7:18: error: unknown name `weight`\n"
                "    7 | mass = \"1 + sqrt(weight)\"\n"
                "      |                  ^~~~~~\n");
}

static void other_files(void **state)
{
    (void)state;
    const scene included = {{{"model.toml", "[include]\nfiles = [\"a.toml\"]\n" SOLVER},
                             {"a.toml", "[parameters]\nk = \"2*foo\"\n"}},
                            "a.toml:2:8: error: unknown name `foo` (included from model.toml:2:10)\n"
                            "    2 | k = \"2*foo\"\n"
                            "      |        ^~~\n"};
    const scene part = {{{"model.toml", "[[part]]\nname = \"left\"\nfile = \"p.toml\"\n"
                                        "parameters = { k = \"q\" }\n" SOLVER},
                         {"p.toml", "[parameters]\nk = 1\n[[element]]\nname = \"m\"\ntype = \"mass_point\"\n"
                                    "mass = \"k\"\nms = 1\n"}},
                        "model.toml:4:21: error: unknown name `q`\n"
                        "    4 | parameters = { k = \"q\" }\n"
                        "      |                     ^\n"
                        "p.toml:7:1: error: unknown key `ms` (in part `left`, model.toml:1:1)\n"
                        "    7 | ms = 1\n"
                        "      | ^~\n"};
    const scene missing = {
        {{"model.toml", "[include]\nfiles = [\"a.toml\", \"b.toml\"]\n" SOLVER}, {"a.toml", ""}},
        "model.toml:2:20: error: `b.toml`: cannot read: No such file or directory\n"
        "    2 | files = [\"a.toml\", \"b.toml\"]\n"
        "      |                    ^~~~~~~~\n"};
    check_shown(&included);
    check_shown(&part);
    check_shown(&missing);
}

static void texts_that_are_no_models(void **state)
{
    (void)state;
    check_model("", "model.toml: error: missing table [solver]\n");
    check_model(
        "a = 0.5 m\n",
        "model.toml:1:5: error: a number with a unit needs quotes, the unit in brackets: \"0.5 [m]\"\n"
        "    1 | a = 0.5 m\n"
        "      |     ^~~\n");
    check_model("a = 1\nb = 2\nb = 3\n", "model.toml:3:1: error: duplicate key \"b\"\n"
                                         "    3 | b = 3\n"
                                         "      | ^\n");
    check_model("# \xC3\xA4\xFF\n", "model.toml:1:4: error: the byte 0xFF is not UTF-8 text\n"
                                    "    1 | # \xC3\xA4\xEF\xBF\xBD\n"
                                    "      |    ^\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_keys_and_tables),
        cmocka_unit_test(names_in_expressions),
        cmocka_unit_test(other_files),
        cmocka_unit_test(texts_that_are_no_models),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}
