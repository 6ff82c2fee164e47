/* test_errors_figures.c - patterns of sensors, sensors that read others, statistics, and [[expect]] tables */
#include "tables/test_errors.h"

#define SENSOR "[[sensor]]\nname = \"x\"\n"
#define POSITION SENSOR "element = \"mass\"\noutput = \"position\"\n"
#define EXPECT POSITION "[[expect]]\n" /* in line 30 */
#define NO_SENVAL                                                                                        \
    "error: `senval` may stand in the `expression` of a [[sensor]] only, outside of `delay`: elsewhere " \
    "sensors have no value\n"
#define STATISTICS "(min, max, abs_max, mean, rms, initial, final)\n"

static void a_pattern_fits_something(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SENSOR "element = \"*\"\noutput = \"*\"\n", ""},
        {NULL, SENSOR "element = \"m?ss\"\noutput = \"position\"\n", ""},
        {NULL, SENSOR "element = \"*\"\ntype = \"*_body\"\noutput = \"velocity\"\n", ""},
        {NULL, SENSOR "element = \"mass\"\noutput = \"*city\"\n", ""},
        {NULL, SENSOR "element = \"spring\"\noutput = \"*city\"\n", ""},
        {NULL, SENSOR "element = \"ground\"\noutput = \"pos*\"\n", ""},
        {NULL, SENSOR "element = \"bdy*\"\noutput = \"position\"\n",
         "28:11: error: the name of no element fits `bdy*`: did you mean `body`?\n"},
        {NULL, SENSOR "element = \"ground*\"\noutput = \"position\"\n",
         "28:11: error: the name of no element fits `ground*`\n"},
        {NULL, SENSOR "element = \"*\"\noutput = \"posiion\"\n",
         "29:10: error: no element whose name fits `*` has an output `posiion`: did you mean `position`?\n"},
        {NULL, SENSOR "element = \"*\"\ntype = \"mas_point\"\noutput = \"position\"\n",
         "29:8: error: no element whose name fits `*` is of a type `mas_point`: did you mean "
         "`mass_point`?\n"},
        {NULL,
         "[[marker]]\nname = \"eye\"\ntype = \"point\"\nelement = \"body\"\n" SENSOR
         "marker = \"eye*\"\noutput = \"rotation\"\n",
         "33:10: error: no marker whose name fits `eye*` has an output `rotation`\n"},
        {NULL, SENSOR "element = \"mass\"\noutput = \"posit?on?\"\n",
         "29:10: error: no element whose name fits `mass` has an output `posit?on?`: did you mean "
         "`position`?\n"},
        {NULL, SENSOR "element = \"mas\"\noutput = \"*\"\n",
         "28:11: error: there is no element or marker `mas`: did you mean `mass`?\n"},
        {NULL, SENSOR "marker = \"*\"\noutput = \"position\"\n",
         "28:10: error: the name of no marker fits `*`\n"},
        {NULL, SENSOR "marker = \"mass\"\noutput = \"*\"\n", ""},
        {NULL,
         SENSOR "element = \"tip\"\noutput = \"*\"\n[[marker]]\nname = \"tip\"\ntype = \"point\"\nelement = "
                "\"body\"\n",
         "28:11: error: `tip` is a marker: write `marker = \"tip\"`\n"},
        {NULL, SENSOR "system = \"step\"\ntype = \"mass_point\"\n",
         "29:1: error: `type` belongs to `element` or `marker`\n"},
        {NULL, SENSOR "element = \"*\"\ntype = 3\noutput = \"position\"\n",
         "29:8: error: `type` of `x`: a string is expected\n"},
        {NULL, SENSOR "element = \"m*\"\noutput = \"position\"\n" SENSOR "system = \"step\"\n",
         "31:1: error: another column of the results has the name `x`\n"},
        {NULL, SENSOR "system = \"sates\"\n",
         "28:10: error: the system has no output `sates`: did you mean `states`?\n"},
        {NULL, SENSOR "system = \"reactions\"\n",
         "28:10: warning: the model has no reactions: `x` records nothing\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_sensor_reads_others(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, POSITION "[[sensor]]\nname = \"y\"\nexpression = \"SENVAL(x.x) + senval(x, 2)\"\n", ""},
        {NULL, POSITION "[[sensor]]\nname = \"y\"\nexpression = \"2*SENVAL(x)\"\n",
         "32:24: error: `x` has 3 numbers: choose one, `SENVAL(x, 0)` or `SENVAL(x.x)`\n"},
        {NULL, POSITION "[[sensor]]\nname = \"y\"\nexpression = \"SENVAL(x, 3)\"\n",
         "32:25: error: `x` has no component `3`: they are numbers from 0 to 2\n"},
        {NULL, POSITION "[[sensor]]\nname = \"pressure\"\nexpression = \"SENVAL(presure)\"\n",
         "32:22: error: there is no sensor `presure`: did you mean `pressure`?\n"},
        {NULL, SENSOR "expression = \"SENVAL(x)\"\n",
         "28:14: error: sensors that read each other have no value: `x` reads `x`\n"},
        {NULL,
         SENSOR "expression = \"time + SENVAL(y)\"\n[[sensor]]\nname = \"y\"\nexpression = \"SENVAL(z)\"\n"
                "[[sensor]]\nname = \"z\"\nexpression = \"SENVAL(y)\"\n",
         "31:14: error: sensors that read each other have no value: `y` reads `z` reads `y`\n"},
        {NULL, POSITION "[[sensor]]\nname = \"y\"\nexpression = \"DELAY(SENVAL(x.x), 0.1, 0)\"\n",
         "32:21: " NO_SENVAL},
        {NULL,
         POSITION
         "[[element]]\nname = \"f\"\ntype = \"force\"\nmarkers = \"mass\"\nvalue = [\"SENVAL(x.x)\", 0, 0]\n",
         "34:11: " NO_SENVAL},
        {"end_time = 1\n", "end_time = 1\nstop_when = \"SENVAL(x) > 1\"\n", "24:14: " NO_SENVAL},
        {"mass = 1\n", "mass = \"SENVAL(x)\"\n",
         "7:9: error: the value must be known before the run: `senval` makes it change\n"},
        {NULL, POSITION "[[sensor]]\nname = \"y\"\nexpression = \"SENVAL()\"\n",
         "32:15: error: `senval` takes 1 to 2 arguments (sensor, component), not 0\n"},
    };
    CHECK_CHANGES(changes);
}

static void statistics_have_names_and_times(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL,
         POSITION "statistics = [\"min\", \"max\", \"abs_max\", \"mean\", \"rms\", \"initial\", \"final\"]\n",
         ""},
        {NULL, POSITION "at = [0.5, \"100 [ms]\"]\n", ""},
        {NULL, POSITION "statistics = []\nat = []\n", ""},
        {NULL, POSITION "statistics = \"min\"\n",
         "30:14: error: `statistics` is an array of names: [\"min\", \"max\"]\n"},
        {NULL, POSITION "statistics = [\"mean\", \"maxx\"]\n",
         "30:23: error: there is no statistic `maxx`: did you mean `max`? " STATISTICS},
        {NULL, POSITION "statistics = [1]\n",
         "30:15: error: the name of a statistic is expected, such as \"max\"\n"},
        {NULL, POSITION "at = 0.5\n", "30:6: error: `at` is an array of times: [0.5, \"1 [s]\"]\n"},
        {NULL, POSITION "at = [\"1 [m]\"]\n", "30:7: error: `1 [m]`: unit m does not fit: s is expected\n"},
    };
    CHECK_CHANGES(changes);
}

static void an_expectation_is_complete(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, EXPECT "sensor = \"x.x\"\nvalue = 1\ntolerance = \"1 [mm]\"\n", ""},
        {NULL,
         EXPECT "sensor = \"x.y\"\nat = \"1 [s]\"\nvalue = \"1 [cm]\"\nrelative_tolerance = 0.1\nsource = "
                "\"a book\"\n",
         ""},
        {NULL, EXPECT "sensor = \"x.z\"\nstatistic = \"rms\"\nsolver = 0\nvalue = 1\ntolerance = 0\n", ""},
        {NULL, EXPECT "value = 1\ntolerance = 1\n",
         "30:1: error: missing key `sensor` of [[expect]] (a column of the results: a sensor, or a component "
         "of one, "
         "\"tip.x\")\n"},
        {NULL, EXPECT "sensor = \"y.x\"\nvalue = 1\ntolerance = 1\n",
         "31:10: error: there is no [[sensor]] `y.x`: did you mean `x.x`?\n"},
        {NULL, EXPECT "sensor = \"x\"\nvalue = 1\ntolerance = 1\n",
         "31:10: error: `x` has 3 columns: choose one, such as `x.x`\n"},
        {NULL, EXPECT "sensor = \"x.x\"\ntolerance = 1\n",
         "30:1: error: missing key `value` of [[expect]] (that is expected)\n"},
        {NULL, EXPECT "sensor = \"x.x\"\nvalue = 1\n",
         "30:1: error: missing key `tolerance` of [[expect]] (or `relative_tolerance`)\n"},
        {NULL, EXPECT "sensor = \"x.x\"\nat = 1\nstatistic = \"max\"\nvalue = 1\ntolerance = 1\n",
         "33:1: error: `statistic` is of all rows, `at` of one: give one of them\n"},
        {NULL, EXPECT "sensor = \"x.x\"\nstatistic = \"man\"\nvalue = 1\ntolerance = 1\n",
         "32:13: error: there is no statistic `man`: did you mean `min`? " STATISTICS},
        {NULL, EXPECT "sensor = \"x.x\"\nvalue = \"1 [kg]\"\ntolerance = 1\n",
         "32:9: error: `value` of [[expect]]: `1 [kg]`: unit kg does not fit: m is expected\n"},
        {NULL, EXPECT "sensor = \"x.x\"\nvalue = 1\ntolerance = \"1 [s]\"\n",
         "33:13: error: `tolerance` of [[expect]]: `1 [s]`: unit s does not fit: m is expected\n"},
        {NULL, EXPECT "sensor = \"x.x\"\nvalue = 1\ntolerance = -1\n",
         "33:13: error: `tolerance` of [[expect]]: -1 is out of range: it must be at least 0\n"},
        {NULL, EXPECT "sensor = \"x.x\"\nvalue = 0\nrelative_tolerance = 0.1\n",
         "33:22: error: a share of the value 0 is nothing: give `tolerance`\n"},
        {NULL, EXPECT "sensor = \"x.x\"\nvalue = 1\nrelative_tolerance = -0.1\n",
         "33:22: error: `relative_tolerance` of [[expect]]: -0.1 is out of range: it must be at least 0\n"},
        {NULL, EXPECT "sensor = \"x.x\"\nsolver = 1\nvalue = 1\ntolerance = 1\n",
         "32:10: error: `solver` of [[expect]]: a number from 0 on is expected, below that of [[solver]] "
         "tables, 1\n"},
        {NULL, EXPECT "sensor = \"x.x\"\nvalu = 1\ntolerance = 1\n",
         "32:1: error: unknown key `valu`: did you mean `value`?\n"},
        {NULL, "[expect]\nsensor = \"x\"\n",
         "26:2: error: `expect` is an array of tables: write [[expect]]\n"},
    };
    CHECK_CHANGES(changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pattern_fits_something),
        cmocka_unit_test(a_sensor_reads_others),
        cmocka_unit_test(statistics_have_names_and_times),
        cmocka_unit_test(an_expectation_is_complete),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}
