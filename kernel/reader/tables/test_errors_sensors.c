/* test_errors_sensors.c - what sensors record, and under which name */
#include "tables/test_errors.h"

#define FRAME "[[marker]]\nname = \"tip\"\ntype = \"frame\"\n"
#define POINT "[[marker]]\nname = \"tip\"\ntype = \"point\"\n"
#define SENSOR "[[sensor]]\nname = \"x\"\n"
#define SENSORS "[[repeat]]\ncount = 3\n[[repeat.sensor]]\n"

static void a_sensor_records_one_thing(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SENSOR "element = \"mass\"\noutput = \"position\"\n", ""},
        {NULL, SENSOR "marker = \"mass\"\noutput = \"velocity\"\n", ""},
        {NULL, SENSOR "system = \"step\"\nid = 3\n", ""},
        {NULL, SENSOR "expression = \"sin(time) + 2 [mm]\"\n", ""},
        {NULL, SENSOR "expression = 3\n", ""},
        {NULL, SENSOR,
         "26:1: error: a sensor has one of the keys `element`, `marker`, `expression` and `system`\n"},
        {NULL, SENSOR "expression = \"1\"\nsystem = \"step\"\n",
         "26:1: error: a sensor has one of the keys `element`, `marker`, `expression` and `system`\n"},
        {NULL, SENSOR "elemnt = \"mass\"\noutput = \"position\"\n",
         "28:1: error: unknown key `elemnt`: did you mean `element`?\n"},
        {NULL, SENSOR "element = 3\noutput = \"position\"\n",
         "28:11: error: `element` of `x`: a string is expected\n"},
        {NULL, SENSOR "system = \"step\"\noutput = \"position\"\n",
         "29:1: error: `output` belongs to `element` or `marker`\n"},
    };
    CHECK_CHANGES(changes);
}

static void an_output_must_be_there(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SENSOR "element = \"mass\"\n",
         "26:1: error: missing key `output` of `x` (output of the element)\n"},
        {NULL, SENSOR "element = \"mass\"\nouput = \"position\"\n",
         "29:1: error: unknown key `ouput`: did you mean `output`?\n"},
        {NULL, SENSOR "element = \"mass\"\noutput = 3\n",
         "29:10: error: `output` of `x`: a string is expected\n"},
        {NULL, SENSOR "element = \"mass\"\noutput = \"positon\"\n",
         "29:10: error: mass_point has no output `positon`: did you mean `position`?\n"},
        {NULL, SENSOR "element = \"mass\"\noutput = \"colour\"\n",
         "29:10: error: mass_point has no output `colour`\n"},
        {NULL, SENSOR "element = \"spring\"\noutput = \"dissipated_energy\"\n", ""},
        {NULL, SENSOR "element = \"spring\"\noutput = \"disipated_energy\"\n",
         "29:10: error: spring_damper has no output `disipated_energy`: did you mean `dissipated_energy`?\n"},
        {NULL, SENSOR "element = \"mass\"\noutput = \"suplied_energy\"\n",
         "29:10: error: mass_point has no output `suplied_energy`: did you mean `supplied_energy`?\n"},
        {NULL, SENSOR "marker = \"mass\"\noutput = \"dissipated_energy\"\n",
         "29:10: error: a marker has no output `dissipated_energy`\n"},
        {NULL, SENSOR "system = \"energy_balanc\"\n",
         "28:10: error: the system has no output `energy_balanc`: did you mean `energy_balance`?\n"},
        {NULL, SENSOR "marker = \"mass\"\noutput = \"positon\"\n",
         "29:10: error: a marker has no output `positon`: did you mean `position`?\n"},
        {NULL, SENSOR "system = \"kinetc_energy\"\n",
         "28:10: error: the system has no output `kinetc_energy`: did you mean `kinetic_energy`?\n"},
        {NULL, SENSOR "marker = \"mass\"\noutput = \"rotation\"\n",
         "28:10: error: `mass` is a mass_point: it cannot carry a frame\n"},
        {NULL, SENSOR "marker = \"tip\"\noutput = \"rotation\"\n" POINT "element = \"body\"\n",
         "28:10: error: marker `tip` is a point: a frame is needed\n"},
        {NULL, SENSOR "element = \"tip\"\noutput = \"position\"\n" FRAME "element = \"body\"\n",
         "28:11: error: `tip` is a marker: write `marker = \"tip\"`\n"},
        {NULL, SENSOR "element = \"mas\"\noutput = \"position\"\n",
         "28:11: error: there is no element or marker `mas`: did you mean `mass`?\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_column_has_a_name_of_its_own(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, "[[sensor]]\nelement = \"mass\"\noutput = \"position\"\n",
         "26:1: error: missing key `name`\n"},
        {NULL, "[[sensor]]\nnme = \"x\"\nelement = \"mass\"\noutput = \"position\"\n",
         "27:1: error: unknown key `nme`: did you mean `name`?\n"},
        {NULL, "[[sensor]]\nname = \"x y\"\nsystem = \"step\"\n",
         "27:8: error: `x y` is not a name: letters, digits and _ only\n"},
        {NULL, "[[sensor]]\nname = \"time\"\nsystem = \"step\"\n",
         "27:1: error: another column of the results has the name `time`\n"},
        {NULL, SENSOR "system = \"step\"\n" SENSOR "expression = \"time\"\n",
         "30:1: error: another column of the results has the name `x`\n"},
        {NULL, SENSORS "name = \"x_{i}\"\nexpression = \"i*time\"\n", ""},
        {NULL, SENSORS "name = \"x\"\nexpression = \"i*time\"\n",
         "29:1: error: another column of the results has the name `x` (with i = 1, and in other copies)\n"},
        {NULL, SENSORS "name = \"x_{i}\"\nelement = \"p_{i}\"\noutput = \"position\"\n",
         "30:11: error: there is no element or marker `p_0` (with i = 0, and in other copies)\n"},
    };
    CHECK_CHANGES(changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sensor_records_one_thing),
        cmocka_unit_test(an_output_must_be_there),
        cmocka_unit_test(a_column_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}
