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

/* Builds an example; what the page shows of it, in front of the link to it, stands in it. */
static void build_example(const char *file)
{
    char path[64], link[96];
    (void)snprintf(path, sizeof path, "sdk/examples/%s", file);
    (void)snprintf(link, sizeof link, "The whole of it is [%s](examples/%s)", file, file);
    char *page = read_source("sdk/README.md"), *text = read_source(path), *at = strstr(page, link);
    write_file(file, text);
    assert_int_equal(tenon(NULL, "build", file, NULL), 0);
    assert_non_null(at);
    *at = '\0';
    char *end = strrchr(page, '`') - 2, *begin = NULL;
    *end = '\0';
    for (char *next = page; (next = strstr(next, "```c\n")); next += 5)
        begin = next + 5;
    assert_non_null(begin);
    squeeze(begin);
    squeeze(text);
    if (!strstr(text, begin)) fail_msg("%s is not what the page shows:\n%s", file, begin);
    free(text);
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
        cmocka_unit_test(the_constraint_of_the_page_holds_a_bead_on_its_wire),
        cmocka_unit_test(the_body_of_the_page_moves_like_a_bead_on_a_wire),
        cmocka_unit_test(the_floor_of_the_page_throws_back),
        cmocka_unit_test(the_maxwell_element_of_the_page_is_a_damper_where_it_is_stiff),
        cmocka_unit_test(the_joint_of_the_page_is_a_cylindrical_one),
        cmocka_unit_test(the_function_of_the_page_is_called_by_a_model),
        cmocka_unit_test(the_examples_run_together),
        cmocka_unit_test(the_example_in_cxx_owns_an_object)};
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
