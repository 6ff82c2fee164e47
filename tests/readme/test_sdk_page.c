/* test_sdk_page.c - what sdk/README.md shows builds and does what the page says. */
#define _GNU_SOURCE
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Without blanks: lines may be broken elsewhere. */
static void squeeze(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (!strchr(" \n\\", *from)) *to++ = *from;
    *to = '\0';
}

/* Builds an example of the SDK. */
static void build_example(const char *file)
{
    char path[64];
    (void)snprintf(path, sizeof path, "sdk/examples/%s", file);
    char *text = read_source(path);
    write_file(file, text);
    assert_int_equal(tenon(NULL, "build", file, NULL), 0);
    free(text);
}

/* The example that the paragraph in front of a block links to last, as a path; false: it links to none. */
static bool example_of(const char *page, const char *block, char *path, size_t size)
{
    static const char link[] = "](examples/";
    const char *last = NULL;
    for (const char *at = page; (at = strstr(at, link)) && at < block; at += sizeof link - 1)
        last = at + sizeof link - 1;
    if (!last) return false;
    for (const char *at = last; at < block - 1; at++)
        if (at[0] == '\n' && at[1] == '\n' && at + 2 < block) return false;
    (void)snprintf(path, size, "sdk/examples/%.*s", (int)strcspn(last, ")"), last);
    return true;
}

/* The parts of a block, between the places where something is left out, stand in the example one behind the other. */
static void stands_in_example(const char *path, char *block)
{
    char *example = read_source(path), *rest = example;
    squeeze(example);
    squeeze(block);
    for (char *part = block, *next; part; part = next) {
        next = strstr(part, "/*...*/");
        if (next) {
            *next = '\0';
            next += sizeof "/*...*/" - 1;
        }
        char *found = strstr(rest, part);
        if (!found || !*part) fail_msg("%s has not, or not there, what the page shows:\n%s", path, part);
        rest = found + strlen(part);
    }
    free(example);
}

static void what_the_page_shows_stands_in_the_examples(void **state)
{
    (void)state;
    char *page = read_source("sdk/README.md"), path[96];
    int shown = 0;
    for (char *at = page; (at = strstr(at, "\n```c"));) {
        char *begin = strchr(at + 1, '\n') + 1, *end = strstr(begin, "\n```");
        if (strncmp(at, "\n```c\n", 6) != 0 && strncmp(at, "\n```cpp\n", 8) != 0) {
            at = begin; /* of another language, such as cmake */
            continue;
        }
        assert_non_null(end);
        if (example_of(page, at, path, sizeof path)) {
            char *block = strndup(begin, (size_t)(end - begin));
            stands_in_example(path, block);
            free(block);
            shown++;
        }
        at = end + 4;
    }
    assert_true(shown >= 19);
    free(page);
}

/* Let go at x = 1, where the wire has a slope of 45 degrees, m = 2 kg, curvature 1/m. */
static void the_constraint_of_the_page_holds_a_bead_on_its_wire(void **state)
{
    (void)state;
    build_example("bead_on_wire.c");
    write_file("bead.toml",
               "[model]\ngravity = [0, 0, -9.81]\n"
               "[[element]]\nname = 'bead'\ntype = 'mass_point'\nmass = 2\nposition = [1, 0, 0.5]\n"
               "[[element]]\nname = 'wire'\ntype = 'bead_on_wire'\ncurvature = 1\n"
               "wire = { element = 'ground' }\nbead = { element = 'bead' }\n"
               "[[sensor]]\nname = 'p'\nelement = 'bead'\noutput = 'position'\n"
               "[[sensor]]\nname = 'a'\nelement = 'bead'\noutput = 'acceleration'\n"
               "[[sensor]]\nname = 'E'\nsystem = 'energy_balance'\n"
               "[solver]\ntype = 'generalized_alpha'\nend_time = 3\nstep = 1e-3\n");
    assert_int_equal(tenon(NULL, "run", "bead.toml", "--plugin-path", ".", "--quiet", "--out", "bead", NULL),
                     0);
    assert_near(recorded("bead", "a.x", 0.0), -0.5 * 9.81, 1e-9);
    for (double time = 0.0; time <= 3.0; time += 0.25) {
        const double x = recorded("bead", "p.x", time);
        assert_near(recorded("bead", "p.z", time), 0.5 * x * x, 1e-10);
        assert_near(recorded("bead", "p.y", time), 0.0, 1e-10);
        assert_near(recorded("bead", "E", time), recorded("bead", "E", 0.0), 1e-4);
    }
}

/* The same bead by its own coordinate. */
static void the_body_of_the_page_moves_like_a_bead_on_a_wire(void **state)
{
    (void)state;
    build_example("slider.c");
    build_example("bead_on_wire.c");
    write_file("slider.toml",
               "[model]\ngravity = [0, 0, -9.81]\n"
               "[[element]]\nname = 'slider'\ntype = 'slider'\nmass = 2\ncurvature = 1\nposition = 1\n"
               "[[element]]\nname = 'bead'\ntype = 'mass_point'\nmass = 2\nposition = [1, 0, 0.5]\n"
               "[[element]]\nname = 'wire'\ntype = 'bead_on_wire'\ncurvature = 1\n"
               "wire = { element = 'ground' }\nbead = { element = 'bead' }\n"
               "[[sensor]]\nname = 's'\nelement = 'slider'\noutput = 'position'\n"
               "[[sensor]]\nname = 'p'\nelement = 'bead'\noutput = 'position'\n"
               "[[sensor]]\nname = 'E'\nsystem = 'energy_balance'\n"
               "[solver]\ntype = 'rk'\norder = 5\nrelative_tolerance = 1e-11\nend_time = 2\n"
               "[output]\ninterval = 0.25\n");
    assert_int_equal(
        tenon(NULL, "run", "slider.toml", "--plugin-path", ".", "--quiet", "--out", "slider", NULL), 0);
    for (double time = 0.0; time <= 2.0; time += 0.25) {
        assert_near(recorded("slider", "s", time), recorded("slider", "p.x", time), 1e-8);
        assert_near(recorded("slider", "E", time), recorded("slider", "E", 0.0), 1e-8);
    }
}

static void the_function_of_the_page_is_called_by_a_model(void **state)
{
    (void)state;
    build_example("parabola.c");
    write_file("parabola.toml", "[[signal]]\nname = 's'\ntype = 'parabola'\nfactors = [1, 2, 3]\n"
                                "[[sensor]]\nname = 'y'\nexpression = 'parabola(s, time)'\n"
                                "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
                                "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.5\n");
    assert_int_equal(
        tenon(NULL, "run", "parabola.toml", "--plugin-path", ".", "--quiet", "--out", "results", NULL), 0);
    assert_near(recorded("results", "y", 1.0), 6.0, 1e-12);
}

/* 1 kg falls 0.5 m onto a floor of 1e4 N/m: after a time of pi/w, and a little for its weight, it goes up again as fast. */
static void the_floor_of_the_page_throws_back(void **state)
{
    (void)state;
    build_example("stop.c");
    write_file("stop.toml",
               "[model]\ngravity = [0, 0, -9.81]\n"
               "[[element]]\nname = 'ball'\ntype = 'mass_point'\nmass = 1\nposition = [0, 0, 0.5]\n"
               "[[element]]\nname = 'floor'\ntype = 'stop'\nmarkers = ['ball']\nstiffness = 1e4\n"
               "[[sensor]]\nname = 'p'\nelement = 'ball'\noutput = 'position'\n"
               "[[sensor]]\nname = 'E'\nsystem = 'kinetic_energy'\n"
               "[solver]\ntype = 'generalized_alpha'\nend_time = 0.64\nstep = 2.5e-4\nspectral_radius = 1\n"
               "[output]\ninterval = 0.01\n");
    assert_int_equal(tenon(NULL, "run", "stop.toml", "--plugin-path", ".", "--quiet", "--out", "stop", NULL),
                     0);
    const double v = sqrt(9.81), w = 100.0, contact = (acos(-1.0) + 2.0 * atan(9.81 / w / v)) / w;
    const double t = 0.64 - v / 9.81 - contact;
    assert_near(recorded("stop", "p.z", 0.64), v * t - 0.5 * 9.81 * t * t, 2e-4);
}

/* 1 kg at 2 m/s in 10 steps that are each a thousand times the time constant: a damper of 1 N s/m. */
static void the_maxwell_element_of_the_page_is_a_damper_where_it_is_stiff(void **state)
{
    (void)state;
    build_example("maxwell.c");
    write_file("maxwell.toml",
               "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"
               "velocity = [2, 0, 0]\n"
               "[[element]]\nname = 'c'\ntype = 'maxwell'\nstiffness = 1e5\ntime_constant = 1e-5\n"
               "markers = [{ element = 'ground' }, 'm']\n"
               "[[sensor]]\nname = 'p'\nelement = 'm'\noutput = 'position'\n"
               "[[sensor]]\nname = 'x'\nelement = 'c'\noutput = 'tension'\n"
               "[solver]\ntype = 'generalized_alpha'\nend_time = 0.1\nstep = 1e-2\n");
    assert_int_equal(
        tenon(NULL, "run", "maxwell.toml", "--plugin-path", ".", "--quiet", "--out", "maxwell", NULL), 0);
    assert_near(recorded("maxwell", "p.x", 0.1), 1.0 + 2.0 * (1.0 - exp(-0.1)), 1e-3);
    assert_near(0.5 * (recorded("maxwell", "x", 0.1) + recorded("maxwell", "x", 0.09)), 2.0 * exp(-0.095),
                0.02);
}

/* A body, a linear solver and a writer: m g sin(45 degrees)/k (1 - cos(sqrt(k/m) t)). */
static void the_examples_run_together(void **state)
{
    (void)state;
    static const char *const names[] = {"trolley", "jordan", "columns"};
    for (int k = 0; k < 3; k++) {
        char path[64];
        (void)snprintf(path, sizeof path, "sdk/examples/%s.c", names[k]);
        char *text = read_source(path);
        (void)snprintf(path, sizeof path, "%s.c", names[k]);
        write_file(path, text);
        assert_int_equal(tenon(NULL, "build", path, NULL), 0);
        free(text);
    }
    char *model = read_source("sdk/examples/trolley.toml");
    write_file("trolley.toml", model);
    free(model);
    assert_int_equal(
        tenon(NULL, "run", "trolley.toml", "--plugin-path", ".", "--quiet", "--out", "rail", NULL), 0);
    assert_near(recorded("rail", "way", 1.0), 2.0 * 9.81 * sqrt(0.5) / 100.0 * (1.0 - cos(sqrt(50.0))), 1e-4);
    char *table = read_file("rail/sensors.columns.txt");
    double time = 0.0, way = 0.0;
    assert_int_equal(sscanf(strrchr(table, '\n') - 49, "%lf %lf", &time, &way), 2);
    assert_true(time == 1.0 && fabs(way - recorded("rail", "way", 1.0)) < 1e-15);
    free(table);
}

/* A point that falls for a second, at the end and in between, to the tolerance of frames. */
static void the_writer_of_the_page_tells_where_bodies_were(void **state)
{
    (void)state;
    build_example("tracks.c");
    write_file("fall.toml",
               "[model]\ngravity = [0, 0, -10]\n"
               "[[element]]\nname = 'stone'\ntype = 'mass_point'\nmass = 1\nposition = [2, 0, 5]\n"
               "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-3\n"
               "[output]\nwriters = ['csv', 'tracks']\n");
    assert_int_equal(tenon(NULL, "run", "fall.toml", "--plugin-path", ".", "--quiet", "--out", "fall", NULL),
                     0);
    char *table = read_file("fall/tracks.csv");
    assert_true(strncmp(table, "time,stone.x,stone.y,stone.z\n0,2,0,5\n", 37) == 0);
    double time = 0.0, x = 0.0, z = 0.0;
    assert_int_equal(sscanf(strchr(strchr(table, '\n') + 1, '\n') + 1, "%lf,%lf,0,%lf", &time, &x, &z), 3);
    assert_true(time > 0.0 && time < 0.2 && x == 2.0 && fabs(z - (5.0 - 5.0 * time * time)) < 1e-8);
    assert_non_null(strstr(table, "\n1,2,0,"));
    const size_t length = strlen(table);
    free(table);
    // later, with other digits
    assert_int_equal(tenon(NULL, "convert", "fall", "--to", "tracks,digits=2", "--plugin-path", ".", NULL),
                     0);
    table = read_file("fall/tracks.csv");
    assert_true(strstr(table, "\n1,2,0,") && strlen(table) < length);
    free(table);
}

/* A ball that falls 0.5 m rises with half the speed of the impact. */
static void the_plane_of_the_page_throws_a_ball_back(void **state)
{
    (void)state;
    build_example("bounce.c");
    write_file(
        "bounce.toml",
        "[model]\ngravity = [0, 0, -9.81]\n"
        "[[element]]\nname = 'ball'\ntype = 'mass_point'\nmass = 3\nposition = [0, 0, 0.5]\n"
        "[[element]]\nname = 'floor'\ntype = 'bounce'\nmarkers = ['ball']\nmass = 3\nrestitution = 0.5\n"
        "[[sensor]]\nname = 'p'\nelement = 'ball'\noutput = 'position'\n"
        "[solver]\ntype = 'rk'\norder = 5\nadaptive = true\nend_time = 0.6\n");
    assert_int_equal(
        tenon(NULL, "run", "bounce.toml", "--plugin-path", ".", "--quiet", "--out", "bounce", NULL), 0);
    const double v = sqrt(9.81), t = 0.6 - v / 9.81;
    assert_near(recorded("bounce", "p.z", 0.6), 0.5 * v * t - 0.5 * 9.81 * t * t, 1e-9);
}

/* 1 kg comes in at 1 m/s; the hook holds the point halfway to it, which has 4 kg there: 0.5 J = 400 N/m u^2 / 2. */
static void the_latch_of_the_page_holds_the_marker_halfway(void **state)
{
    (void)state;
    build_example("latch.c");
    build_example("halfway.c");
    write_file(
        "latch.toml",
        "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [2, 0, 0]\n"
        "velocity = [-1, 0, 0]\n"
        "[[marker]]\nname = 'half'\ntype = 'halfway'\nmarkers = ['ground', 'm']\n"
        "[[element]]\nname = 'hook'\ntype = 'latch'\nmarkers = ['ground', 'half']\nreach = 0.5\n"
        "stiffness = 400\n"
        "[[sensor]]\nname = 'hooked'\nelement = 'hook'\noutput = 'latched'\n"
        "[[sensor]]\nname = 'u'\nelement = 'hook'\noutput = 'largest_stretch'\n"
        "[[sensor]]\nname = 'E'\nsystem = 'energy_balance'\n"
        "[solver]\ntype = 'rk'\norder = 5\nrelative_tolerance = 1e-9\nmax_step = 1e-3\nend_time = 1.5\n"
        "[output]\ninterval = 0.5\n");
    assert_int_equal(
        tenon(NULL, "run", "latch.toml", "--plugin-path", ".", "--quiet", "--out", "latch", NULL), 0);
    assert_true(recorded("latch", "hooked", 0.5) == 0.0 && recorded("latch", "hooked", 1.5) == 1.0);
    assert_near(recorded("latch", "u", 1.5), 0.05, 1e-6);
    assert_near(recorded("latch", "E", 1.5), 0.5, 1e-6);
}

/* A spring without damping, 20 steps to a radian, against the same recurrence written here. */
static void the_solver_of_the_page_is_the_semi_implicit_one(void **state)
{
    (void)state;
    build_example("euler.c");
    write_file("euler.toml", "[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 1\nposition = 1\n"
                             "[[element]]\nname = 's'\ntype = 'coordinate_spring_damper'\nstiffness = "
                             "4\nmarkers = [{ element = 'm' }]\n"
                             "[[sensor]]\nname = 'q'\nelement = 'm'\noutput = 'coordinate'\n"
                             "[solver]\ntype = 'euler'\nstep = 0.025\nend_time = 3\n");
    assert_int_equal(
        tenon(NULL, "run", "euler.toml", "--plugin-path", ".", "--quiet", "--out", "euler", NULL), 0);
    double q = 1.0, v = 0.0;
    for (int k = 0; k < 120; k++)
        q += 0.025 * (v -= 0.025 * 4.0 * q);
    assert_near(recorded("euler", "q", 3.0), q, 1e-12);
}

/* A body of 2 kg slides and turns on a slanted axis, as it does with the joint of the program that has the same rows. */
static void the_joint_of_the_page_is_a_cylindrical_one(void **state)
{
    (void)state;
    build_example("sleeve.c");
    for (int own = 0; own < 2; own++) {
        char model[1024];
        (void)snprintf(
            model, sizeof model,
            "[model]\ngravity = [0, 1, -9.81]\n"
            "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 2, 3, 0, 0, 0]\n"
            "angular_velocity = [0, 0, 4]\n"
            "[[marker]]\nname = 'm'\ntype = 'frame'\nelement = 'b'\nposition = [0.1, 0.2, 0]\n"
            "[[element]]\nname = 'j'\ntype = '%s'\n"
            "markers = [{ element = 'ground', position = [0.1, 0.2, 0] }, 'm']\n"
            "[[sensor]]\nname = 'a'\nelement = 'j'\noutput = 'angle'\n"
            "[[sensor]]\nname = 'd'\nelement = 'j'\noutput = 'translation'\n"
            "[solver]\ntype = 'generalized_alpha'\nend_time = 2\nstep = 1e-2\n",
            own ? "sleeve" : "cylindrical");
        write_file("sleeve.toml", model);
        assert_int_equal(tenon(NULL, "run", "sleeve.toml", "--plugin-path", ".", "--quiet", "--out",
                               own ? "sleeve" : "cylindrical", NULL),
                         0);
    }
    assert_true(recorded("sleeve", "a", 2.0) > 6.5); /* it has counted a turn */
    assert_near(recorded("sleeve", "d", 2.0), -0.5 * 9.81 * 4.0, 1e-3);
    assert_near(recorded("sleeve", "a", 2.0), recorded("cylindrical", "a", 2.0), 0.0);
    assert_near(recorded("sleeve", "d", 2.0), recorded("cylindrical", "d", 2.0), 0.0);
}

/* 8 N m^4 times a mean factor of 2, at a distance of 2 m: 1 N. */
static void the_example_in_cxx_owns_an_object(void **state)
{
    (void)state;
    char *text = read_source("sdk/examples/magnet.cpp"), *said = NULL;
    write_file("magnet.cpp", text);
    free(text);
    assert_int_equal(tenon(&said, "build", "magnet.cpp", NULL), 0);
    if (strstr(said, "warning")) fail_msg("%s", said);
    free(said);
    write_file("magnet.toml", "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [0, 0, 2]\n"
                              "[[element]]\nname = 'f'\ntype = 'magnet'\nmarkers = ['ground', 'm']\n"
                              "strength = 8\nfactors = [1, 2, 3]\n"
                              "[[sensor]]\nname = 'a'\nelement = 'm'\noutput = 'acceleration'\n"
                              "[solver]\ntype = 'generalized_alpha'\nend_time = 0.1\nstep = 1e-2\n");
    assert_int_equal(
        tenon(NULL, "run", "magnet.toml", "--plugin-path", ".", "--quiet", "--out", "magnet", NULL), 0);
    assert_near(recorded("magnet", "a.z", 0.0), -1.0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_page_shows_stands_in_the_examples),
        cmocka_unit_test(the_plane_of_the_page_throws_a_ball_back),
        cmocka_unit_test(the_latch_of_the_page_holds_the_marker_halfway),
        cmocka_unit_test(the_solver_of_the_page_is_the_semi_implicit_one),
        cmocka_unit_test(the_constraint_of_the_page_holds_a_bead_on_its_wire),
        cmocka_unit_test(the_body_of_the_page_moves_like_a_bead_on_a_wire),
        cmocka_unit_test(the_floor_of_the_page_throws_back),
        cmocka_unit_test(the_maxwell_element_of_the_page_is_a_damper_where_it_is_stiff),
        cmocka_unit_test(the_joint_of_the_page_is_a_cylindrical_one),
        cmocka_unit_test(the_function_of_the_page_is_called_by_a_model),
        cmocka_unit_test(the_examples_run_together),
        cmocka_unit_test(the_writer_of_the_page_tells_where_bodies_were),
        cmocka_unit_test(the_example_in_cxx_owns_an_object)};
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
