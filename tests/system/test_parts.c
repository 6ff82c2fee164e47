/* test_parts.c - a model in several files does what the same model in one file does */
#include "parts.h"

#include <math.h>

/* ---- names and numbers ----------------------------------------------------------------------------------- */

static void columns_carry_the_names_of_parts(void **state)
{
    (void)state;
    (void)tn_write("swing.toml", SWING);
    (void)tn_write("pair.toml",
                   "[parameters]\nk = 50\n" PART("one", "swing.toml") "parameters = { k = 'k' }\n" PART(
                       "two", "swing.toml") "parameters = { k = '2*k' }\n");
    const tn_csv_table *table =
        tn_simulate_parts(PART("a", "swing.toml") PART("b", "pair.toml") SOLVER, NULL);
    assert_int_equal(table->columns, 1 + 3 * 3);
    const double a = tn_value_at(table, "a.mass.x", 0.2), one = tn_value_at(table, "b.one.mass.x", 0.2);
    assert_true(tn_value_at(table, "b.two.mass.x", 0.2) == a); /* 2*50 = 100, the default */
    assert_true(one > a + 0.1);                                /* softer: it is still coming */
}

/* A part sees parameters of its own only; those that are handed over are worked out around it. */
static void parameters_are_handed_over(void **state)
{
    (void)state;
    (void)tn_write("swing.toml", SWING);
    const tn_csv_table *plain =
        tn_simulate_parts("[parameters]\nk = 7\nsoft = 'k*5'\n" PART(
                              "a", "swing.toml") "parameters = { k = 'soft/0.7 [N/m]' }\n" SOLVER,
                          NULL);
    const tn_csv_table *half =
        tn_simulate_parts(PART("a", "swing.toml") "parameters = { k = 50 }\n" SOLVER, NULL);
    assert_true(fabs(tn_value_at(plain, "a.mass.x", 0.2) - tn_value_at(half, "a.mass.x", 0.2)) < 1e-12);
}

static void repeats_and_changes_work_in_parts(void **state)
{
    (void)state;
    (void)tn_write("row.toml",
                   "[parameters]\nn = 2\n[[repeat]]\ncount = 'n'\n"
                   "[[repeat.element]]\nname = 'm{i}'\ntype = 'mass_point'\nmass = 1\n"
                   "position = ['i', 0, 0]\nvelocity = ['i', 0, 0]\n"
                   "[[repeat.sensor]]\nname = 'm{i}'\nelement = 'm{i}'\noutput = 'position'\n"
                   "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = 'm0'\nvalue = [1, 0, 0]\n"
                   "[[change]]\ntime = 0.1\nelement = 'push'\nactive = false\n");
    const tn_csv_table *table = tn_simulate_parts(
        PART("a", "row.toml") PART("b", "row.toml") "parameters = { n = 3 }\n" SOLVER, NULL);
    assert_int_equal(table->columns, 1 + 3 * 5);
    assert_true(fabs(tn_value_at(table, "b.m2.x", 0.2) - 2.4) < 1e-12);
    assert_true(fabs(tn_value_at(table, "a.m0.x", 0.2) - (0.005 + 0.01)) < 1e-6);
}

static void messages_of_a_run_name_the_part(void **state)
{
    (void)state;
    (void)tn_write("swing.toml", SWING);
    const char *model = tn_write(
        "parts.toml", PART("a", "swing.toml") "set = { 'element.mass.position' = [0, 0, 0] }\n" SOLVER);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", model, "--quiet"));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("spring_damper `a.spring`", "swing.toml:8:1", "points coincide"));
}

/* ---- places ---------------------------------------------------------------------------------------------- */

/* All that has a place, in the axes of a part: a body with both kinds of angular velocity, a mass, a ground. */
#define BODY(name, place, turn, velocity, spin)                                                  \
    "[[element]]\nname = '" name                                                                 \
    "'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.2, 0.25, 0.01, 0, 0]\n"                 \
    "com = [0.1, 0.02, 0.03]\nposition = " place "\n" turn "velocity = " velocity "\n" spin "\n" \
    "[[sensor]]\nname = '" name "'\nelement = '" name "'\noutput = 'position'\n"                 \
    "[[sensor]]\nname = '" name "_R'\nelement = '" name "'\noutput = 'rotation'\n"
#define POINT(place, velocity)                                                                               \
    "[[element]]\nname = 'point'\ntype = 'mass_point'\nmass = 1\nposition = " place "\nvelocity = " velocity \
    "\n" POSITION("point")
#define TIES(base)                                                                                        \
    "[[element]]\nname = 'base'\ntype = 'ground'\nposition = " base "\n"                                  \
    "[[element]]\nname = 'tie'\ntype = 'spring_damper'\nstiffness = 50\ndamping = 1\nreference_length = " \
    "0.3\n"                                                                                               \
    "markers = ['base', { element = 'body', position = [0.2, 0, 0.1] }]\n"                                \
    "[[element]]\nname = 'link'\ntype = 'spring_damper'\nstiffness = 20\nmarkers = ['other', 'point']\n"  \
    "[[element]]\nname = 'origin'\ntype = 'spring_damper'\nstiffness = 5\nmarkers = ['ground', 'point']\n"

/* Two quarter turns and two shifts; what is written out is what they give: (x, y, z) in the inner part becomes
 * (z + 1, x + 2.5, y + 3). The turns are exact, and so are all the bits. */
static void a_part_in_a_part_moves_as_if_written_out(void **state)
{
    (void)state;
    (void)tn_write("inner.toml",
                   BODY("body", "[0.25, 0.5, 0.75]", "", "[1, 2, 4]", "angular_velocity = [1, 2, 3]")
                       BODY("other", "[-0.5, 0.25, 0]", "rotation = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]\n",
                            "[0, 0, 0]", "angular_velocity_ground = [1, 2, 4]")
                           POINT("[1, 0.5, 0.25]", "[0, 1, 0]") TIES("[0, 0, 1]"));
    (void)tn_write("outer.toml",
                   PART("inner", "inner.toml") "position = [0.5, 0, 0]\n"
                                               "rotation = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]\n");
    static const char gravity[] = "[model]\ngravity = [0, 1, -9.81]\n";
    const tn_csv_table *parts = tn_simulate_parts(
        tn_format("%s" PART("outer", "outer.toml") "position = [1, 2, 3]\n"
                                                   "rotation = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]\n" SOLVER,
                  gravity),
        NULL);
    (void)tn_write("flat.toml",
                   BODY("body", "[1.75, 2.75, 3.5]", "rotation = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]\n",
                        "[4, 1, 2]", "angular_velocity = [1, 2, 3]")
                       BODY("other", "[1, 2, 3.25]", "rotation = [[0, 1, 0], [1, 0, 0], [0, 0, -1]]\n",
                            "[0, 0, 0]", "angular_velocity_ground = [4, 1, 2]")
                           POINT("[1.25, 3.5, 3.5]", "[0, 0, 1]") TIES("[2, 2.5, 3]"));
    (void)tn_write("between.toml", PART("inner", "flat.toml"));
    tn_check_equal(parts,
                   tn_simulate_parts(tn_format("%s" PART("outer", "between.toml") SOLVER, gravity), NULL));
}

static void a_body_without_a_place_cannot_be_moved(void **state)
{
    (void)state;
    const char *plugin = tn_scratch_path("unplaced.so");
    const tn_outcome built = tn_await(tn_start(
        "sh", TN_WORDS("-c", tn_format("cc -std=gnu17 -fPIC -fvisibility=hidden -shared -I " TENON_SOURCE_DIR
                                       "/sdk/include " TENON_SOURCE_DIR
                                       "/tests/system/plugins/unplaced.c -o %s -lm",
                                       plugin))));
    if (built.status != 0) fail_msg("%s", built.errors);
    (void)tn_write("loose.toml", MASS("[1, 0, 0]"));
    const char *const plugins = tn_format("[plugins]\nmass_point = '%s'\n", plugin);
    const char *model = tn_write("parts.toml", tn_format("%s" PART("a", "loose.toml") SOLVER, plugins));
    assert_int_equal(tn_tenon(TN_WORDS("check", model, "--trust")).status, 0);
    model = tn_write("parts.toml",
                     tn_format("%s" PART("a", "loose.toml") "position = [1, 0, 0]\n" SOLVER, plugins));
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", model, "--trust"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors,
                   TN_WORDS("loose.toml:1:1: error: `mass_point` does not mark any parameter as "
                            "its place: it cannot move with the part (in part `a`"));
}

/* ---- a car ----------------------------------------------------------------------------------------------- */

/* One corner of configs/parts/car.toml without parts: name, x and y of its place, stiffness, speed, arrival, side. */
static const char corner[] =
    "[[element]]\nname = '%1$s_wheel'\ntype = 'mass_point'\nmass = 40\nposition = ['%2$s', '%3$s', 0.3]\n"
    "[[element]]\nname = '%1$s_post'\ntype = 'ground'\nposition = ['%2$s', '%3$s', 0]\n"
    "[[element]]\nname = '%1$s_tire'\ntype = 'spring_damper'\nmarkers = ['%1$s_post', '%1$s_wheel']\n"
    "reference_length = '0.3 + spline(bump, %5$s*(time - (%6$s)))'\nstiffness = '200 [N/mm]'\ndamping = 200\n"
    "[[element]]\nname = '%1$s_along'\ntype = 'spring_damper'\nreference_length = 1\nstiffness = "
    "1e5\ndamping = 500\n"
    "markers = [{ element = '%1$s_post', position = [1, 0, 0.3] }, '%1$s_wheel']\n"
    "[[element]]\nname = '%1$s_across'\ntype = 'spring_damper'\nreference_length = 1\nstiffness = "
    "1e5\ndamping = 500\n"
    "markers = [{ element = '%1$s_post', position = [0, %7$s, 0.3] }, '%1$s_wheel']\n"
    "[[element]]\nname = '%1$s_strut'\ntype = 'spring_damper'\nstiffness = %4$s\ndamping = 1500\n"
    "markers = [{ element = 'chassis', position = ['%2$s', '%3$s', '-height + 0.3 + 0.4'] }, '%1$s_wheel']\n"
    "reference_length = '0.4 + 2500/%4$s'\n"
    "[[element]]\nname = '%1$s_link'\ntype = 'spring_damper'\nreference_length = 0.5\nstiffness = "
    "5e5\ndamping = 2000\n"
    "markers = [{ element = 'chassis', position = ['%2$s + 0.5', '%3$s', '-height + 0.3'] }, '%1$s_wheel']\n"
    "[[element]]\nname = '%1$s_side'\ntype = 'spring_damper'\nreference_length = 0.6\nstiffness = "
    "5e5\ndamping = 2000\n"
    "markers = [{ element = 'chassis', position = ['%2$s', '%3$s - 0.6*(%7$s)', '-height + 0.3'] }, "
    "'%1$s_wheel']\n"
    "[[sensor]]\nname = '%1$s_wheel'\nelement = '%1$s_wheel'\noutput = 'displacement'\n";

static int count_lines(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* The part of a text from one word to the next one. */
static const char *between(const char *text, const char *first, const char *last)
{
    const char *start = strstr(text, first), *end = start ? strstr(start, last) : NULL;
    assert_non_null(end);
    return tn_format("%.*s", (int)(end - start), start);
}

static void four_uses_of_a_file_are_what_is_written_out_four_times(void **state)
{
    (void)state;
    const char *file = TENON_SOURCE_DIR "/configs/parts/car.toml", *car = tn_read(file);
    assert_true(count_lines(car) <= 75);
    const char *bump = "[[signal]]\nname = 'bump'\nfile = '" TENON_SOURCE_DIR "/configs/parts/car/bump.csv'\n"
                       "interpolation = 'steffen'\noutside = 'constant'\n";
    const char *corners = tn_format(
        "%s%s%s%s", tn_format(corner, "front_left", "front", "half_track", "22000", "speed", "start", "1"),
        tn_format(corner, "front_right", "front", "-half_track", "22000", "0", "0", "-1"),
        tn_format(corner, "rear_left", "-rear", "half_track", "19000", "speed",
                  "start + (front + rear)/speed", "1"),
        tn_format(corner, "rear_right", "-rear", "-half_track", "19000", "0", "0", "-1"));
    const char *flat =
        tn_format("%s%s%s%s", between(car, "[model]", "[[part]]"), bump, corners, strstr(car, "[solver]"));
    const char *parts = tn_sensor_text(tn_run_file(file, NULL)),
               *whole = tn_sensor_text(tn_run_file(tn_write("flat.toml", flat), NULL));
    /* the names of the columns differ, and nothing else */
    assert_string_equal(strchr(parts, '\n'), strchr(whole, '\n'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_carry_the_names_of_parts),
        cmocka_unit_test(parameters_are_handed_over),
        cmocka_unit_test(repeats_and_changes_work_in_parts),
        cmocka_unit_test(messages_of_a_run_name_the_part),
        cmocka_unit_test(a_part_in_a_part_moves_as_if_written_out),
        cmocka_unit_test(a_body_without_a_place_cannot_be_moved),
        cmocka_unit_test(four_uses_of_a_file_are_what_is_written_out_four_times),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
