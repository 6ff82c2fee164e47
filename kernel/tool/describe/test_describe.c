/* test_describe.c - what the three forms say of a type that has everything a type can have. */
#define _GNU_SOURCE
#include "describe/describe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static const tn_parameter parameters[] = {
    {.name = "mass",
     .meaning = "mass |m|",
     .unit = "kg",
     .high = TN_UNBOUNDED,
     .count = 1,
     .flags = TN_REQUIRED | TN_ABOVE_LOW},
    {.name = "ratio",
     .meaning = "a*b",
     .unit = "",
     .standard = 0.1,
     .high = 1.0,
     .count = 1,
     .flags = TN_BELOW_HIGH | TN_DYNAMIC},
    {.name = "speed",
     .meaning = "at the start",
     .unit = "m/s",
     .low = -TN_UNBOUNDED,
     .high = TN_UNBOUNDED,
     .count = 1,
     .flags = TN_OPTIONAL},
    {.name = "inertia",
     .meaning = "matrix",
     .unit = "kg m^2",
     .low = -TN_UNBOUNDED,
     .high = TN_UNBOUNDED,
     .count = 6,
     .count_alternative = 3,
     .flags = TN_CHANGEABLE},
    {.name = "turn", .meaning = "axes", .unit = "", .kind = TN_KIND_ROTATION, .count = 1, .flags = TN_MOVES},
    {.name = "order",
     .meaning = "of it",
     .unit = "",
     .standard = 4.0,
     .low = 1.0,
     .high = 5.0,
     .kind = TN_KIND_INTEGER,
     .count = 1},
    {.name = "fast", .meaning = "or not", .unit = "", .standard = 1.0, .kind = TN_KIND_BOOLEAN, .count = 1},
    {.name = "ways",
     .meaning = "which",
     .unit = "",
     .kind = TN_KIND_BOOLEAN,
     .count = 6,
     .flags = TN_REQUIRED},
    {.name = "way",
     .meaning = "to go",
     .unit = "",
     .detail = "here|there|back",
     .standard = 1.0,
     .kind = TN_KIND_CHOICE,
     .count = 1},
    {.name = "title", .meaning = "a \"text\"", .unit = "", .kind = TN_KIND_TEXT, .count = 1},
    {.name = "law",
     .meaning = "of force",
     .unit = "N",
     .detail = "x [m], n",
     .kind = TN_KIND_CALLABLE,
     .count = 1,
     .flags = TN_DYNAMIC},
    {.name = "data", .meaning = "numbers", .unit = TN_ANY_UNIT, .kind = TN_KIND_LIST, .count = 1},
    {0}};
static const tn_port ports[] = {
    {"ends", "both ends", TN_POINT, 2, 2, 0}, {"more", "any others", TN_ANY, 0, UINT32_MAX, 0}, {0}};
static const tn_output outputs[] = {{"length", "L", "m", 1, 0},
                                    {"axes", "by rows", "", 9, 0},
                                    {"dissipated_energy", "in its own way", "J", 1, 0},
                                    {0}};
static const tn_output coordinates[] = {
    {"stretch", "L - |p0|", "m", 1, 0}, {"count", "of turns", "", 1, 0}, {0}};
static const tn_loaded_element type = {.struct_size = sizeof type,
                                       .flags = TN_PRESENT,
                                       .name = "rod",
                                       .summary = "a rod",
                                       .formula = "L = |p|\nf = k L",
                                       .literature = "First\nSecond",
                                       .parameters = parameters,
                                       .ports = ports,
                                       .outputs = outputs,
                                       .coordinates = coordinates};
static const tn_library library = {.name = "rods", .version = "1.2.3", .licence = "MIT"};

/* One form of the type, `times` times in a row; free it. */
static char *describe(const tn_printer *printer, int times)
{
    char path[] = "/plugins/rods.so", *said = NULL;
    size_t size = 0;
    const tn_plugin_file file = {.path = path, .library = &library};
    tn_page page = {.printer = printer, .stream = open_memstream(&said, &size)};
    for (int k = 0; k < times; k++)
        tn_describe_type(&page, tn_kind_find(TN_ELEMENT_KIND), &type, &file);
    tn_describe_end(&page);
    assert_int_equal(fclose(page.stream), 0);
    return said;
}

static void check_lines(const tn_printer *printer, const char *const *lines)
{
    char *said = describe(printer, 1);
    for (; *lines; lines++)
        if (!strstr(said, *lines)) fail_msg("no `%s` in\n%s", *lines, said);
    assert_null(strstr(said, "inf"));
    assert_null(strstr(said, "nan"));
    free(said);
}

static void text_tells_all(void **state)
{
    (void)state;
    check_lines(&tn_text_printer,
                (const char *const[]){
                    "element \"rod\": a rod\nlibrary: rods 1.2.3, licence MIT, /plugins/rods.so\n",
                    "present: without a declaration\n",
                    "\nformula\n    L = |p|\n    f = k L\n",
                    "    mass: real [kg], required, > 0\n        mass |m|\n",
                    "    ratio: real, default 0.1, >= 0, < 1, dynamic\n",
                    "    speed: real [m/s], optional\n",
                    "    inertia: 3 or 6 reals [kg m^2], default 0, changeable\n",
                    "    turn: rotation, default identity\n",
                    "    order: integer, default 4, >= 1, <= 5\n",
                    "    fast: boolean, default true\n",
                    "    ways: 6 booleans, required\n",
                    "    way: choice, default there\n        to go\n        choices: here there back\n",
                    "    title: text, optional\n",
                    "    law: function [N], optional; dynamic\n        of force\n",
                    "        arguments: x [m], n\n",
                    "    data: list of reals [any], optional\n",
                    "\nparameters of every element with markers\n    active: boolean",
                    "    ends: point, 2\n",
                    "    more: point or frame, 0 or more\n",
                    "\ncoordinates\n    stretch [m]\n        L - |p0|\n    count\n        of turns\n",
                    "    length [m]: 1 number\n        L\n",
                    "    axes: 9 numbers\n",
                    "\noutputs of every element\n    potential_energy [J]: 1 number\n",
                    "    supplied_energy [J]: 1 number\n",
                    NULL});
}

static void markdown_is_escaped_and_names_no_file(void **state)
{
    (void)state;
    check_lines(
        &tn_markdown_printer,
        (const char *const[]){
            "\n## Formula\n\n    L = |p|\n    f = k L\n",
            "\n| `mass` | kg | required | mass \\|m\\| (real, > 0) |\n",
            "\n| `ratio` | | 0.1 | a\\*b (real, >= 0, < 1, dynamic) |\n",
            "\n| `way` | | there | to go (choice: one of `here`, `there`, `back`) |\n",
            "\n| `law` | N | optional | of force (function of x [m], n; dynamic) |\n",
            "\n| `more` | 0 or more, point or frame | any others |\n", "\n| `axes` | | 9 | by rows |\n",
            "\n## Coordinates\n\n| coordinate | unit | meaning |\n| --- | --- | --- |\n"
            "| `stretch` | m | L - \\|p0\\| |\n| `count` | | of turns |\n",
            "\n## Outputs of every element\n\n| output | unit | numbers | meaning |\n| --- | --- "
            "| --- | --- |\n| `potential_energy` | J | 1 | ",
            "\n## Literature\n\n* First\n* Second\n", "\nLibrary `rods` 1.2.3, licence MIT.\n", NULL});
    char *said = describe(&tn_markdown_printer, 1);
    assert_null(strstr(said, "/plugins"));
    free(said);
}

static void json_has_every_field_of_the_tables(void **state)
{
    (void)state;
    check_lines(
        &tn_json_printer,
        (const char *const[]){
            "[\n  {\n    \"kind\": \"element\",\n    \"name\": \"rod\",\n    \"summary\": \"a rod\",\n",
            "\"licence\": \"MIT\",\n      \"file\": \"/plugins/rods.so\"\n    },\n",
            "\"formula\": \"L = |p|\\nf = k L\",\n", "\"present\": \"without a declaration\",\n",
            "\"count\": 6,\n        \"count_alternative\": 3,\n",
            "\"required\": true,\n        \"optional\": false,\n        \"low\": 0,\n        "
            "\"low_excluded\": true,\n",
            "\"default\": 0.1,\n        \"low\": 0,\n        \"low_excluded\": false,\n        \"high\": 1,\n"
            "        \"high_excluded\": true,\n        \"dynamic\": true,\n",
            "\"default\": \"there\",\n        \"choices\": [\"here\", \"there\", \"back\"],\n",
            "\"default\": true,\n", "\"meaning\": \"a \\\"text\\\"\",\n",
            "{\n            \"name\": \"x\",\n            \"unit\": \"m\"\n          },\n          {\n"
            "            \"name\": \"n\",\n            \"unit\": \"\"\n          }\n",
            "\"parameters_of_every_element_with_markers\": [\n", "\"minimum\": 2,\n        \"maximum\": 2\n",
            "\"coordinates\": [\n      {\n        \"name\": \"stretch\",\n        \"meaning\": \"L - "
            "|p0|\",\n"
            "        \"unit\": \"m\"\n      },\n      {\n        \"name\": \"count\",\n",
            "\"minimum\": 0\n", "\"unit\": \"m\",\n        \"size\": 1\n",
            "\"outputs_of_every_element\": [\n      {\n        \"name\": \"potential_energy\",\n", NULL});
}

static void outputs_of_every_element_are_told_once(void **state)
{
    (void)state;
    const tn_printer *const printers[] = {&tn_text_printer, &tn_markdown_printer, &tn_json_printer};
    for (size_t k = 0; k < sizeof printers / sizeof *printers; k++) {
        char *said = describe(printers[k], 1);
        const char *own = strstr(said, "dissipated_energy");
        assert_non_null(own);
        assert_null(strstr(own + 1, "dissipated_energy"));
        assert_non_null(strstr(own, "supplied_energy"));
        free(said);
    }
}

static void several_types_are_told_apart(void **state)
{
    (void)state;
    char *text = describe(&tn_text_printer, 2), *markdown = describe(&tn_markdown_printer, 2),
         *json = describe(&tn_json_printer, 2);
    assert_non_null(strstr(text, "\n\nelement \"rod\": a rod\n"));
    assert_non_null(strstr(markdown, "\n# rod: the element\n"));
    assert_non_null(strstr(json, "\n  },\n  {\n    \"kind\": \"element\",\n"));
    free(text);
    free(markdown);
    free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_tells_all),
        cmocka_unit_test(markdown_is_escaped_and_names_no_file),
        cmocka_unit_test(json_has_every_field_of_the_tables),
        cmocka_unit_test(outputs_of_every_element_are_told_once),
        cmocka_unit_test(several_types_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
