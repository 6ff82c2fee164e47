/* test_errors_derived.c - markers made of other markers */
#include "tables/test_errors.h"

#define CENTER(name) "[[marker]]\nname = \"" name "\"\ntype = \"center\"\n"
#define FORCE "[[element]]\nname = \"f\"\ntype = \"force\"\nvalue = [0, 0, 1]\n"
#define TORQUE "[[element]]\nname = \"t\"\ntype = \"torque\"\nvalue = [0, 0, 1]\n"
#define SENSOR "[[sensor]]\nname = \"x\"\nmarker = \"m\"\n"

static void a_marker_made_of_others_serves_where_its_kind_fits(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, CENTER("m") "markers = [\"mass\", \"body\"]\n" FORCE "markers = [\"m\"]\n", ""},
        {NULL, FORCE "markers = [\"m\"]\n" CENTER("m") "markers = \"mass\"\n", ""},
        {NULL, CENTER("m") "markers = [\"n\", \"n\"]\n" CENTER("n") "markers = [\"body\"]\n", ""},
        {NULL, CENTER("m") "markers = [{ element = \"body\", position = [1, 0, 0] }]\nweights = [2]\n", ""},
        {NULL, CENTER("m") "markers = [\"mass\"]\n" SENSOR "output = \"velocity\"\n", ""},
        {NULL, CENTER("m") "markers = [\"mass\"]\n" SENSOR "output = \"rotation\"\n",
         "32:10: error: marker `m` is a point: a frame is needed\n"},
        {NULL, CENTER("m") "markers = [\"mass\"]\n" TORQUE "markers = [\"m\"]\n",
         "34:12: error: marker `m` is a point: a frame is needed\n"},
        {NULL,
         CENTER("m") "markers = [\"mass\"]\n"
                     "[[marker]]\nname = \"p\"\ntype = \"point\"\nelement = \"m\"\n",
         "33:11: error: `m` is a marker: an element is expected\n"},
        {NULL, CENTER("m") "markers = [\"mass\"]\n" FORCE "markers = [{ element = \"m\" }]\n",
         "34:12: error: `m` is a marker: an element is expected\n"},
    };
    CHECK_CHANGES(changes);
}

static void its_ports_are_keys_as_those_of_an_element(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, CENTER("m"), "26:1: error: missing key `markers` of `m` (the points)\n"},
        {NULL, CENTER("m") "markers = []\n",
         "29:11: error: `markers` of `m`: 1 to 16 markers are expected (the points)\n"},
        {NULL, CENTER("m") "marker = [\"mass\"]\n",
         "29:1: error: unknown key `marker`: did you mean `markers`?\n"},
        {NULL, CENTER("m") "markers = [\"mass\"]\nelement = \"body\"\n",
         "30:1: error: unknown key `element`\n"},
        {NULL, CENTER("m") "markers = [\"mass\"]\nactive = false\n", "30:1: error: unknown key `active`\n"},
        {NULL, CENTER("m") "markers = [\"mas\", 3]\n",
         "29:19: error: `markers` of `m`: a marker is a name, or { element = \"..\", position = [..], "
         "rotation = .. }\n"},
        {NULL, CENTER("m") "markers = [\"mas\", \"spring\"]\n" FORCE "markers = [\"m\"]\n",
         "29:12: error: there is no element or marker `mas`: did you mean `mass`?\n"
         "29:19: error: `spring` is a spring_damper: it cannot carry a point\n"},
        {NULL, CENTER("m") "markers = [\"mass\", \"body\"]\nweights = [1, 2, 3]\n",
         "30:11: error: m: 3 weights for 2 markers\n"},
        {NULL, CENTER("m") "markers = [\"mass\", \"body\"]\nweights = [1, -2]\n",
         "30:11: error: m: a weight is not negative: -2\n"},
    };
    CHECK_CHANGES(changes);
}

static void no_marker_is_made_of_itself(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, CENTER("m") "markers = [\"mass\", \"m\"]\n",
         "26:1: error: `m` is made of `m`: a marker cannot be made of itself\n"},
        {NULL,
         CENTER("m") "markers = [\"n\", \"mass\"]\n" CENTER("n") "markers = [\"body\", \"o\"]\n" CENTER(
             "o") "markers = [\"n\"]\n" FORCE "markers = [\"m\"]\n",
         "30:1: error: `n` is made of `o`, `o` of `n`: a marker cannot be made of itself\n"},
        /* the same marker twice is no circle */
        {NULL,
         CENTER("m") "markers = [\"n\", \"o\"]\n" CENTER("n") "markers = [\"p\"]\n" CENTER(
             "o") "markers = [\"p\"]\n" CENTER("p") "markers = [\"mass\"]\n",
         ""},
    };
    CHECK_CHANGES(changes);
}

static void copies_are_made_of_their_own_markers(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL,
         "[[repeat]]\ncount = 3\n[[repeat.marker]]\nname = \"m{i}\"\ntype = \"center\"\n"
         "markers = [\"mass\", \"m{i + 1}\"]\n" CENTER("m3") "markers = [\"body\"]\n",
         ""},
        {NULL,
         "[[repeat]]\ncount = 3\n[[repeat.marker]]\nname = \"m{i}\"\ntype = \"center\"\n"
         "markers = [\"mass\", \"m{MOD(i + 1, 3)}\"]\n",
         "28:1: error: `m0` is made of `m1`, `m1` of `m2`, `m2` of `m0`: a marker cannot be made of "
         "itself\n"},
    };
    CHECK_CHANGES(changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_marker_made_of_others_serves_where_its_kind_fits),
        cmocka_unit_test(its_ports_are_keys_as_those_of_an_element),
        cmocka_unit_test(no_marker_is_made_of_itself),
        cmocka_unit_test(copies_are_made_of_their_own_markers),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}
