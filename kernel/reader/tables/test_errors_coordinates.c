/* test_errors_coordinates.c - coordinates as markers: declared, in place, by the name of an element, and in expressions. The
 * element that takes two of them is compiled here. */
#include "tables/test_errors.h"

static const char tie_text[] =
    "#include <tenon/author.h>\n"
    "#define TIE(P) P(REAL, stiffness, \"N/m\", 0, 0, 0, TN_UNBOUNDED, \"stiffness\")\n"
    "TN_PARAMETERS(tie, TIE)\n"
    "TN_FORCE(tie, TN_COORDINATE, 2)\n"
    "{\n"
    "    wrench[0].force.e[0] = self->stiffness * (marker[1].position.e[0] - marker[0].position.e[0]);\n"
    "    wrench[1].force.e[0] = -wrench[0].force.e[0];\n"
    "    return TN_OK;\n"
    "}\n"
    "TN_PORTS(tie, {\"markers\", \"two coordinates\", TN_COORDINATE, 2, 2, 0})\n"
    "TN_ELEMENT(tie, .summary = \"test\", .ports = tie_ports, TN_CAPABILITIES(TN_HAS_FORCE(tie)))\n"
    "TN_LIBRARY(\"tie\", \"1.0.0\", \"Apache-2.0\", \"test\", {TN_ELEMENT_KIND, &tie_type})\n";

static char folder[] = "/tmp/tenon-test-coordinates-XXXXXX";

static int open_registry_with_tie(void **state)
{
    char source[64], library[64], command[512];
    if (open_registry(state) != 0 || !mkdtemp(folder)) return 1;
    (void)snprintf(source, sizeof source, "%s/tie.c", folder);
    (void)snprintf(library, sizeof library, "%s/tie.so", folder);
    FILE *file = fopen(source, "w");
    if (!file || fputs(tie_text, file) < 0 || fclose(file) != 0) return 1;
    (void)snprintf(command, sizeof command,
                   "${CC:-cc} -std=gnu17 -shared -fPIC -fvisibility=hidden -I" TENON_SOURCE_DIR
                   "/sdk/include %s -o %s -lm",
                   source, library);
    tn_registry_map(registry, "tie", library);
    return system(command) == 0 ? 0 : 1;
}

static int close_registry_and_folder(void **state)
{
    char command[64];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    return close_registry(state) == 0 ? system(command) : 1;
}

/* The markers stand in line 29. */
#define TIE(markers) "[[element]]\nname = \"t\"\ntype = \"tie\"\nmarkers = [" markers "]\n"
#define ROTOR "[[element]]\nname = \"rotor\"\ntype = \"rotor_1d\"\ninertia = 1\n"
#define COORDINATE(more) "[[marker]]\nname = \"c\"\ntype = \"coordinate\"\n" more

static void bodies_and_1d_elements_have_coordinates(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, TIE("\"rotor\", { element = \"mass\", coordinate = \"x\" }") ROTOR, ""},
        {NULL, TIE("\"ground\", { element = \"body\", coordinate = \"z\" }"), ""},
        {NULL,
         TIE("\"c\", { element = \"ground\", coordinate = \"y\" }")
             COORDINATE("element = \"body\"\ncoordinate = \"y\"\n"),
         ""},
        {NULL, TIE("\"c\", { element = \"rotor\" }") ROTOR COORDINATE("element = \"rotor\"\n"), ""},
    };
    CHECK_CHANGES(changes);
}

static void a_wrong_or_missing_name_is_told_with_the_choices(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, TIE("\"mass\", \"ground\""),
         "29:12: error: mass: it is a body, not a joint: set `coordinate` to one of its position (x, y, "
         "z)\n"},
        {NULL, TIE("\"ground\", { element = \"body\" }"),
         "29:22: error: body: it is a body, not a joint: set `coordinate` to one of its position (x, y, "
         "z)\n"},
        {NULL, TIE("\"ground\", { element = \"body\", coordinate = \"w\" }"),
         "29:55: error: body: there is no coordinate `w` here: one of x, y, z is needed\n"},
        {NULL, TIE("\"ground\", { element = \"ground\", coordinate = \"X\" }"),
         "29:57: error: ground: there is no coordinate `X` here: one of x, y, z is needed\n"},
        {NULL, TIE("\"ground\", { element = \"body\", coordinate = 1 }"),
         "29:55: error: `coordinate` of `t`: a string is expected\n"},
        {NULL, TIE("\"ground\", { element = \"body\", coordinat = \"x\" }"),
         "29:42: error: unknown key `coordinat`: did you mean `coordinate`?\n"},
        {NULL, TIE("\"ground\", { element = \"rotor\", coordinate = \"angle\" }") ROTOR,
         "29:56: error: rotor: there is no coordinate `angle` here: its only one is `coordinate`, which need "
         "not be named\n"},
        {NULL, TIE("\"ground\", \"c\"") COORDINATE("element = \"body\"\n"),
         "30:1: error: body: it is a body, not a joint: set `coordinate` to one of its position (x, y, z)\n"},
        {NULL, TIE("\"ground\", \"c\"") COORDINATE("element = \"body\"\ncoordinate = \"xy\"\n"),
         "34:14: error: body: there is no coordinate `xy` here: one of x, y, z is needed\n"},
    };
    CHECK_CHANGES(changes);
}

static void points_and_frames_are_no_coordinates(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, TIE("\"ground\", \"p\"") "[[marker]]\nname = \"p\"\ntype = \"point\"\nelement = \"body\"\n",
         "29:22: error: marker `p` is a point: a coordinate is needed\n"},
        {NULL, TIE("\"ground\", \"spring\""),
         "29:22: error: `spring` is a spring_damper: it cannot carry a coordinate\n"},
        {NULL, TIE("\"ground\", { element = \"body\", position = [1, 0, 0] }"),
         "29:53: error: a coordinate is needed: it has no position\n"},
        {NULL,
         TIE("\"ground\", { element = \"body\", coordinate = \"x\", rotation = [[1, 0, 0], [0, 1, 0], [0, 0, "
             "1]] }"),
         "29:71: error: a coordinate is needed: it has no rotation\n"},
    };
    CHECK_CHANGES(changes);
}

#define FORCE(marker) \
    "[[element]]\nname = \"f\"\ntype = \"force\"\nvalue = [0, 0, 1]\nmarkers = [" marker "]\n"
#define TORQUE(marker) \
    "[[element]]\nname = \"f\"\ntype = \"torque\"\nvalue = [0, 0, 1]\nmarkers = [" marker "]\n"

static void a_coordinate_is_no_point_and_no_frame(void **state)
{
    (void)state;
    static const change changes[] = {
        {"\"mass\"]\nstiffness", "{ element = \"mass\", coordinate = \"x\" }]\nstiffness",
         "18:55: error: a coordinate is given: a point is needed\n"},
        {NULL, FORCE("{ element = \"body\", coordinate = \"x\" }"),
         "30:45: error: a coordinate is given: a point or frame is needed\n"},
        {NULL, TORQUE("{ element = \"body\", coordinate = \"x\" }"),
         "30:45: error: a coordinate is given: a frame is needed\n"},
        {NULL, TORQUE("\"c\"") COORDINATE("element = \"body\"\ncoordinate = \"x\"\n"),
         "30:12: error: marker `c` is a coordinate: a frame is needed\n"},
        {NULL, FORCE("\"c\"") COORDINATE("element = \"body\"\ncoordinate = \"x\"\n"),
         "30:12: error: marker `c` is a coordinate: a point is needed\n"},
        {NULL, FORCE("\"rotor\"") ROTOR, "30:12: error: `rotor` is a rotor_1d: it cannot carry a point\n"},
    };
    CHECK_CHANGES(changes);
}

#define SENSOR(expression) "[[sensor]]\nname = \"s\"\nexpression = \"" expression "\"\n"
#define TUBE "[[element]]\nname = \"tube\"\ntype = \"cylindrical\"\nmarkers = [\"ground\", \"body\"]\n"
#define HINGE "[[element]]\nname = \"hinge\"\ntype = \"revolute\"\nmarkers = [\"ground\", \"body\"]\n"
#define SPEED "[[marker]]\nname = \"speed\"\ntype = \"vx\"\ni = \"mass\"\n"

static void expressions_read_coordinates_by_the_names_that_ports_know(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, ROTOR SENSOR("COORD(rotor) + 1*RATE(rotor) + coord(rotor, coordinate)"), ""},
        {NULL, SENSOR("COORD(mass, x) + COORD(body, z) - COORD(ground, y) + COORD(ground)"), ""},
        {NULL, HINGE SENSOR("COORD(hinge) - COORD(hinge, angle)"), ""},
        {NULL, TUBE SENSOR("COORD(tube, translation) + 1*RATE(tube, angle)"), ""},
        {NULL, COORDINATE("element = \"body\"\ncoordinate = \"y\"\n") SENSOR("COORD(c) - DY(body)"), ""},
        {NULL,
         "[[marker]]\nname = \"way\"\ntype = \"dm\"\ni = \"mass\"\n" SPEED SENSOR(
             "COORD(way) + 1*RATE(way) + 1*RATE(speed)"),
         ""},
        {"stiffness = 100", "stiffness = \"100 + 1*COORD(mass, x)\"", ""},
    };
    CHECK_CHANGES(changes);
}

static void what_is_wrong_with_a_coordinate_is_told_where_it_is_called(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, ROTOR SENSOR("1 + COORD(rotr)"),
         "32:25: error: there is no element or marker `rotr`: did you mean `rotor`?\n"},
        {NULL, ROTOR SENSOR("1 + RATE(rotor, angle)"),
         "32:31: error: rotor: there is no coordinate `angle` here: its only one is `coordinate`, which need "
         "not be named\n"},
        {NULL, SENSOR("1 + COORD(mass)"),
         "28:25: error: mass: it is a body, not a joint: set `coordinate` to one of its position (x, y, "
         "z)\n"},
        {NULL, SENSOR("1 + RATE(body, w)"),
         "28:30: error: body: there is no coordinate `w` here: one of x, y, z is needed\n"},
        {NULL, TUBE SENSOR("1 + COORD(tube)"),
         "32:25: error: `tube` is a cylindrical: `coordinate` must name one of its coordinates "
         "(angle, "
         "translation)\n"},
        {NULL, "[[sensor]]\nname = \"s\"\nexpression = \"\"\"\n1\n  + COORD(tube,\n  angel)\"\"\"\n" TUBE,
         "31:3: error: `tube` is a cylindrical: it has no coordinate `angel`: did you mean `angle`? "
         "(available: angle, translation)\n"},
        {NULL, SENSOR("COORD(spring)"),
         "28:21: error: `spring` is a spring_damper: it cannot carry a coordinate\n"},
        {NULL, COORDINATE("element = \"body\"\ncoordinate = \"y\"\n") SENSOR("COORD(c, y)"),
         "33:21: error: `c` is a marker: an element is expected\n"},
        {NULL, "[[marker]]\nname = \"p\"\ntype = \"point\"\nelement = \"body\"\n" SENSOR("RATE(p)"),
         "32:20: error: marker `p` is a point: a coordinate is needed\n"},
        {NULL, SPEED SENSOR("1 + COORD(speed)"),
         "32:25: error: `speed` is a velocity and has no value: `rate(speed)` is its velocity\n"},
        {"stiffness = 100", "stiffness = \"100 + COORD(mass, u)\"",
         "19:32: error: mass: there is no coordinate `u` here: one of x, y, z is needed\n"},
    };
    CHECK_CHANGES(changes);
}

static void calls_of_coordinates_are_written_with_one_item_or_two(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SENSOR("COORD()"), "28:15: error: `coord` takes 1 to 2 arguments (item, coordinate), not 0\n"},
        {NULL, SENSOR("1 + RATE(mass, x, y)"),
         "28:19: error: `rate` takes 1 to 2 arguments (item, coordinate), not 3\n"},
        {NULL, SENSOR("COORD(2*3)"), "28:22: error: `)` or an operator missing before `*`\n"},
        {NULL, SENSOR("1 + RATE"), "28:19: error: function `RATE` without its arguments in parentheses\n"},
        {NULL, SENSOR("COORDS(mass, x)"), "28:15: error: unknown function `COORDS`: did you mean `coord`?\n"},
        {"mass = 1\n", "mass = \"1 + COORD(body, x)\"\n",
         "7:13: error: the value must be known before the run: `coord` makes it change\n"},
        {NULL,
         "[[element]]\nname = \"v\"\ntype = \"reference_variable\"\nimplicit = true\n"
         "expression = \"COORD(mass, x) - RATE(mass, y)\"\n",
         "30:32: error: a constraint holds displacements: this is a velocity\n"},
    };
    CHECK_CHANGES(changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_and_1d_elements_have_coordinates),
        cmocka_unit_test(a_wrong_or_missing_name_is_told_with_the_choices),
        cmocka_unit_test(points_and_frames_are_no_coordinates),
        cmocka_unit_test(a_coordinate_is_no_point_and_no_frame),
        cmocka_unit_test(expressions_read_coordinates_by_the_names_that_ports_know),
        cmocka_unit_test(what_is_wrong_with_a_coordinate_is_told_where_it_is_called),
        cmocka_unit_test(calls_of_coordinates_are_written_with_one_item_or_two),
    };
    return cmocka_run_group_tests(tests, open_registry_with_tie, close_registry_and_folder);
}
