/* test_errors_references.c - markers, and what connectors refer to */
#include "tables/test_errors.h"

#define FRAME "[[marker]]\nname = \"tip\"\ntype = \"frame\"\n"
#define POINT "[[marker]]\nname = \"tip\"\ntype = \"point\"\n"
#define FORCE "[[element]]\nname = \"f\"\ntype = \"force\"\nvalue = [0, 0, 1]\n"
#define TORQUE "[[element]]\nname = \"t\"\ntype = \"torque\"\nvalue = [0, 0, 1]\n"

static void a_marker_is_fixed_to_an_element(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, FRAME "element = \"body\"\nposition = [1, 0, 0]\n", ""},
        {NULL, FRAME, "26:1: error: missing key `element` of `tip` (element that the marker is fixed to)\n"},
        {NULL, FRAME "elment = \"body\"\n", "29:1: error: unknown key `elment`: did you mean `element`?\n"},
        {NULL, FRAME "element = \"bodi\"\n",
         "29:11: error: there is no element or marker `bodi`: did you mean `body`?\n"},
        {NULL, FRAME "element = 3\n", "29:11: error: `element` of `tip`: a name is expected\n"},
        {NULL, FRAME "element = { element = \"body\" }\n",
         "29:11: error: `element` of `tip`: a name is expected\n"},
        {NULL, FRAME "element = \"tip\"\n", "29:11: error: `tip` is a marker: an element is expected\n"},
        {NULL,
         FRAME "element = \"other\"\n"
               "[[marker]]\n"
               "name = \"other\"\n"
               "type = \"frame\"\n"
               "element = \"body\"\n",
         "29:11: error: `other` is a marker: an element is expected\n"},
        {NULL, FRAME "element = \"spring\"\n",
         "29:11: error: `spring` is a spring_damper: it carries no markers\n"},
        {NULL, FRAME "element = \"body\"\nweight = 1\n", "30:1: error: unknown key `weight`\n"},
    };
    CHECK_CHANGES(changes);
}

static void elements_and_markers_have_types_of_their_own(void **state)
{
    (void)state;
    static const change changes[] = {
        {"type = \"mass_point\"", "type = \"mass_pont\"",
         "6:8: error: unknown element type `mass_pont`: did you mean `mass_point`?\n"},
        {"type = \"rk\"", "type = \"rkk\"", "22:8: error: unknown solver type `rkk`: did you mean `rk`?\n"},
        {"type = \"mass_point\"", "type = \"../mass_point\"",
         "6:8: error: unknown element type `../mass_point`: did you mean `mass_point`? `tenon plugins` lists "
         "all types\n"},
        {NULL, "[[marker]]\nname = \"m\"\ntype = \"fram\"\nelement = \"body\"\n",
         "28:8: error: unknown marker type `fram`: did you mean `frame`?\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_connector_takes_its_number_of_markers(void **state)
{
    (void)state;
    static const change changes[] = {
        {"[\"ground\", \"mass\"]", "[\"ground\"]",
         "18:11: error: `markers` of `spring`: 2 markers are expected (the two end points)\n"},
        {"[\"ground\", \"mass\"]", "[\"ground\", \"mass\", \"body\"]",
         "18:11: error: `markers` of `spring`: 2 markers are expected (the two end points)\n"},
        {NULL, FORCE "markers = []\n",
         "30:11: error: `markers` of `f`: 1 to 2 markers are expected (the loaded marker; a second one takes "
         "the reaction)\n"},
        {NULL, FORCE "markers = [\"mass\", \"body\", \"spring\"]\n",
         "30:11: error: `markers` of `f`: 1 to 2 markers are expected (the loaded marker; a second one takes "
         "the reaction)\n"},
        {NULL, FORCE "markers = \"mass\"\n", ""},
        {NULL, FORCE "markers = 3\n",
         "30:11: error: `markers` of `f`: a marker is a name, or { element = \"..\", position = [..], "
         "rotation = .. }\n"},
        {NULL, FORCE "markers = [3, [\"mass\"]]\n",
         "30:12: error: `markers` of `f`: a marker is a name, or { element = \"..\", position = [..], "
         "rotation = .. }\n30:15: error: `markers` of `f`: a marker is a name, or { element = \"..\", "
         "position = [..], rotation = .. }\n"},
    };
    CHECK_CHANGES(changes);
}

static void what_a_connector_refers_to_must_be_there(void **state)
{
    (void)state;
    static const change changes[] = {
        {"[\"ground\", \"mass\"]", "[\"grund\", \"mas\"]",
         "18:12: error: there is no element or marker `grund`\n"
         "18:21: error: there is no element or marker `mas`: did you mean `mass`?\n"},
        {NULL, FORCE "markers = [{ element = \"bodi\" }]\n",
         "30:24: error: there is no element or marker `bodi`: did you mean `body`?\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_mistake_in_an_item_is_not_told_again_by_those_who_refer_to_it(void **state)
{
    (void)state;
    static const change changes[] = {
        {"type = \"mass_point\"", "type = \"mass_pont\"",
         "6:8: error: unknown element type `mass_pont`: did you mean `mass_point`?\n"},
        {NULL, FRAME "element = \"bodi\"\n" FORCE "markers = [\"tip\"]\n",
         "29:11: error: there is no element or marker `bodi`: did you mean `body`?\n"},
        {NULL, FRAME "element = \"body\"\nfoo = 1\n" FORCE "markers = [\"tip\"]\n",
         "30:1: error: unknown key `foo`\n"},
        {"mass = 1\n", "mass = -1\n",
         "7:8: error: `mass` of `mass`: -1 is out of range: it must be larger than 0\n"},
        {"inertia = [1, 1, 1]",
         "inertia = [1, 1]\n" FRAME "element = \"body\"\n"
         "[[element]]\n"
         "name = \"f\"\n"
         "type = \"force\"\n"
         "markers = [\"tip\", { element = \"body\" }]\n"
         "value = [0, 0, 1]\n"
         "[[sensor]]\n"
         "name = \"x\"\n"
         "marker = \"tip\"\n"
         "output = \"position\"",
         "13:11: error: `inertia` of `body`: an array of 3 or 6 numbers is expected (kg m^2)\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_marker_in_place_has_an_element_and_known_keys(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, FORCE "markers = [{ element = \"body\", position = [1, 0, 0] }]\n", ""},
        {NULL, FORCE "markers = [{ element = \"body\", positon = [1, 0, 0] }]\n",
         "30:32: error: unknown key `positon`: did you mean `position`?\n"},
        {NULL, FORCE "markers = [{ elment = \"body\" }]\n",
         "30:14: error: unknown key `elment`: did you mean `element`?\n"},
        {NULL, FORCE "markers = [{ position = [1, 0, 0] }]\n",
         "30:12: error: `markers` of `f`: a marker is a name, or { element = \"..\", position = [..], "
         "rotation = .. }\n"},
        {NULL, FORCE "markers = [{ element = \"tip\" }]\n" FRAME "element = \"body\"\n",
         "30:12: error: `tip` is a marker: an element is expected\n"},
        {NULL, FORCE "markers = [{ element = \"body\", rotation = [[1]] }]\n",
         "30:43: error: `rotation` of `f`: a rotation matrix has three rows of three numbers\n"},
        {NULL, FORCE "markers = [{ element = \"mass\", position = [1, 0, 0] }]\n",
         "30:43: error: a mass point has no orientation: a marker on it has no offset\n"},
        {NULL, FORCE "markers = [{ element = \"spring\" }]\n",
         "30:12: error: `spring` is a spring_damper: it cannot carry a point\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_frame_serves_as_a_point_but_not_the_other_way(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, FORCE "markers = [\"tip\", \"mass\"]\n" FRAME "element = \"body\"\n", ""},
        {NULL, TORQUE "markers = [\"tip\"]\n" FRAME "element = \"body\"\n", ""},
        {NULL, TORQUE "markers = [\"tip\"]\n" POINT "element = \"body\"\n",
         "30:12: error: marker `tip` is a point: a frame is needed\n"},
        {NULL, TORQUE "markers = [\"body\"]\n", ""},
        {NULL, TORQUE "markers = [\"mass\"]\n",
         "30:12: error: `mass` is a mass_point: it cannot carry a frame\n"},
        {NULL, TORQUE "markers = [{ element = \"mass\" }]\n",
         "30:12: error: `mass` is a mass_point: it cannot carry a frame\n"},
        {NULL, FORCE "markers = [\"spring\"]\n",
         "30:12: error: `spring` is a spring_damper: it cannot carry a point\n"},
        {NULL, FORCE "markers = [\"f\"]\n", "30:12: error: `f` is a force: it cannot carry a point\n"},
        {NULL, FORCE "markers = [\"mass\"]\naxes = \"mass\"\n",
         "31:8: error: `mass` is a mass_point: it cannot carry a frame\n"},
        {NULL, TORQUE "markers = [\"tip\"]\n" FRAME "element = \"mass\"\n",
         "30:12: error: `mass` is a mass_point: it cannot carry a frame\n"},
        {NULL, FORCE "markers = [\"tip\"]\n" POINT "element = \"mass\"\nposition = [1, 0, 0]\n",
         "35:12: error: a mass point has no orientation: a marker on it has no offset\n"},
    };
    CHECK_CHANGES(changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_marker_is_fixed_to_an_element),
        cmocka_unit_test(elements_and_markers_have_types_of_their_own),
        cmocka_unit_test(a_connector_takes_its_number_of_markers),
        cmocka_unit_test(what_a_connector_refers_to_must_be_there),
        cmocka_unit_test(a_mistake_in_an_item_is_not_told_again_by_those_who_refer_to_it),
        cmocka_unit_test(a_marker_in_place_has_an_element_and_known_keys),
        cmocka_unit_test(a_frame_serves_as_a_point_but_not_the_other_way),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}
