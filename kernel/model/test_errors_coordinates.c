/* test_errors_coordinates.c - coordinates as markers: declared, in place and by the name of an element. The element
 * that takes two of them is compiled here. */
#include "model/test_errors.h"

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
    "TN_ELEMENT(tie, .summary = \"test\", .ports = tie_ports, TN_HAS_FORCE(tie))\n"
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
    return system(command) == 0 && tn_registry_map(registry, "tie", library) ? 0 : 1;
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
         "29:12: error: one coordinate of its position is needed: `coordinate` is x, y or z\n"},
        {NULL, TIE("\"ground\", { element = \"body\" }"),
         "29:22: error: one coordinate of its position is needed: `coordinate` is x, y or z\n"},
        {NULL, TIE("\"ground\", { element = \"body\", coordinate = \"w\" }"),
         "29:55: error: there is no coordinate `w` here: one of x, y, z is needed\n"},
        {NULL, TIE("\"ground\", { element = \"ground\", coordinate = \"X\" }"),
         "29:57: error: there is no coordinate `X` here: one of x, y, z is needed\n"},
        {NULL, TIE("\"ground\", { element = \"body\", coordinate = 1 }"),
         "29:55: error: `coordinate` of `t`: a string is expected\n"},
        {NULL, TIE("\"ground\", { element = \"body\", coordinat = \"x\" }"),
         "29:42: error: unknown key `coordinat`: did you mean `coordinate`?\n"},
        {NULL, TIE("\"ground\", { element = \"rotor\", coordinate = \"angle\" }") ROTOR,
         "29:56: error: there is no coordinate `angle` here: its only one is `coordinate`, which need not be "
         "named\n"},
        {NULL, TIE("\"ground\", \"c\"") COORDINATE("element = \"body\"\n"),
         "30:1: error: one coordinate of its position is needed: `coordinate` is x, y or z\n"},
        {NULL, TIE("\"ground\", \"c\"") COORDINATE("element = \"body\"\ncoordinate = \"xy\"\n"),
         "34:14: error: there is no coordinate `xy` here: one of x, y, z is needed\n"},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_and_1d_elements_have_coordinates),
        cmocka_unit_test(a_wrong_or_missing_name_is_told_with_the_choices),
        cmocka_unit_test(points_and_frames_are_no_coordinates),
        cmocka_unit_test(a_coordinate_is_no_point_and_no_frame),
    };
    return cmocka_run_group_tests(tests, open_registry_with_tie, close_registry_and_folder);
}
