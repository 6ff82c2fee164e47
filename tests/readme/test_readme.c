/* test_readme.c - what README.md shows is what Tenon does: its plugin, its models, its error messages, its links. */
#define _GNU_SOURCE
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *readme;

static int open_readme(void **state)
{
    if (make_directory(state) != 0) return 1;
    readme = read_source("README.md");
    return 0;
}

static int close_readme(void **state)
{
    free(readme);
    return remove_directory(state);
}

/* ---- the plugin ------------------------------------------------------------------------------------------- */

/* cos of the amplitude of u, the Jacobi elliptic function cn(u | m), by arithmetic-geometric means. */
static double elliptic_cosine(double u, double m)
{
    double a[16] = {1.0}, c[16] = {sqrt(m)}, b = sqrt(1.0 - m);
    int n = 0;
    for (; n < 15 && fabs(c[n]) > 1e-16; n++) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
    }
    double phase = ldexp(a[n] * u, n);
    for (; n > 0; n--)
        phase = 0.5 * (phase + asin(c[n] / a[n] * sin(phase)));
    return cos(phase);
}

static void assert_same_as_file(const char *block, const char *path)
{
    char *text = read_source(path);
    assert_string_equal(block, text);
    free(text);
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void plugin_and_its_model_are_the_files_of_the_examples(void **state)
{
    (void)state;
    char *plugin = code_block(readme, "c", "TN_LIBRARY"), *model = code_block(readme, "toml", "cubic_spring");
    assert_in_range(count_lines(plugin), 1, 30);
    assert_same_as_file(plugin, "sdk/examples/cubic_spring.c");
    assert_same_as_file(model, "sdk/examples/cubic_spring.toml");
    free(plugin);
    free(model);
}

/* u'' = -(k u + c u^3) from rest at A: u = A cn(w t | c A^2/(2 w^2)), w^2 = k + c A^2, for a mass of 1 kg. */
static void plugin_builds_runs_and_gives_the_closed_solution(void **state)
{
    (void)state;
    char *plugin = code_block(readme, "c", "TN_LIBRARY"), *model = code_block(readme, "toml", "cubic_spring");
    write_file("cubic_spring.c", plugin);
    write_file("cubic_spring.toml", model);
    free(plugin);
    free(model);

    char *said = NULL;
    assert_int_equal(tenon(&said, "build", "cubic_spring.c", NULL), 0);
    assert_null(strstr(said, "warning"));
    free(said);
    assert_int_equal(tenon(NULL, "run", "cubic_spring.toml", "--plugin-path", ".", "--quiet", NULL), 0);

    const double stiffness = 100.0, cubic = 1e4, stretch = 0.1,
                 square = stiffness + cubic * stretch * stretch;
    const double modulus = 0.5 * cubic * stretch * stretch / square;
    for (double time = 0.0; time < 1.05; time += 0.1) {
        const double expected = 1.0 + stretch * elliptic_cosine(sqrt(square) * time, modulus);
        assert_near(recorded("results/cubic_spring", "x.x", time), expected, 3e-7);
    }
}

/* Without --plugin-path nothing beside the model is loaded. */
static void model_alone_runs_no_code(void **state)
{
    (void)state;
    char *said = NULL;
    assert_int_equal(tenon(&said, "run", "cubic_spring.toml", "--quiet", NULL), 2);
    assert_non_null(strstr(said, "unknown element type `cubic_spring`"));
    free(said);
    assert_int_equal(tenon(NULL, "run", "cubic_spring.toml", "--trust", "--quiet", NULL), 0);
}

/* ---- the first model -------------------------------------------------------------------------------------- */

static void pieces_of_the_first_model_stand_in_its_file(void **state)
{
    (void)state;
    static const char *const marks[] = {"[parameters]", "mass_point\"\nmass = \"m\"", "spring_damper",
                                        "[[sensor]]", "[solver]"};
    char *model = read_source("configs/first/spring_damper.toml");
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
        char *piece = code_block(readme, "toml", marks[k]);
        assert_non_null(strstr(model, piece));
        free(piece);
    }
    free(model);
}

/* The rows that README.md shows, up to what another processor rounds otherwise. */
static void first_model_gives_the_rows_shown(void **state)
{
    (void)state;
    char *rows = code_block(readme, "text", "time,x.x"), *line = rows;
    assert_int_equal(
        tenon(NULL, "run", TENON_SOURCE_DIR "/configs/first/spring_damper.toml", "--quiet", NULL), 0);
    char *sensors = read_file("results/spring_damper/sensors.csv"), *names = strsep(&line, "\n");
    assert_int_equal(strncmp(sensors, names, strlen(names)), 0);
    free(sensors);
    for (char *row; (row = strsep(&line, "\n"));) {
        double time = 0.0, x = 0.0, force = 0.0;
        if (sscanf(row, "%lf,%lf,0,0,%lf", &time, &x, &force) != 3) continue;
        assert_near(recorded("results/spring_damper", "x.x", time), x, 1e-10);
        assert_near(recorded("results/spring_damper", "f", time), force, 1e-8);
    }
    free(rows);
}

/* Replaces `from`, which must be there, in a text that is freed. */
static char *replace(char *text, const char *from, const char *to)
{
    assert_non_null(strstr(text, from));
    const size_t at = (size_t)(strstr(text, from) - text), size = strlen(text) + strlen(to) + 1;
    char *result = calloc(size, 1);
    assert_non_null(result);
    (void)snprintf(result, size, "%.*s%s%s", (int)at, text, to, text + at + strlen(from));
    free(text);
    return result;
}

static void typing_errors_are_reported_as_shown(void **state)
{
    (void)state;
    char *model = read_source("configs/first/spring_damper.toml"), *said = NULL;
    model = replace(model, "stiffness = ", "stifness = ");
    model = replace(model, "1050 [mm]", "1050 [mg]");
    model = replace(model, "1 [N s/m]", "1 + [N s/m]");
    model = replace(model, "force_local", "force_lokal");
    write_file("typo.toml", model);
    char *shown = code_block(readme, "text", "typo.toml:");
    assert_int_equal(tenon(&said, "run", "typo.toml", NULL), 2);
    assert_string_equal(said, shown);
    free(shown);
    free(said);
    free(model);
}

/* ---- links and commands ----------------------------------------------------------------------------------- */

/* A link stands as "](address)". */
static void mechanism_has_the_freedom_and_the_dependent_rows_shown(void **state)
{
    (void)state;
    char *shown = code_block(readme, "text", "degrees of freedom"), *said = NULL;
    char *piece = code_block(readme, "toml", "bearing"),
         *model = read_source("configs/benchmarks/slider_crank.toml");
    assert_non_null(strstr(model, piece));
    assert_int_equal(tenon(&said, "check", TENON_SOURCE_DIR "/configs/benchmarks/slider_crank.toml", NULL),
                     0);
    said[strlen(shown)] = 0;
    assert_string_equal(said, shown);
    free(shown);
    free(said);
    free(piece);
    free(model);
}

static void relative_links_lead_somewhere(void **state)
{
    (void)state;
    size_t count = 0;
    for (const char *link = readme; (link = strstr(link, "]("));) {
        link += 2;
        char path[4096];
        const int length = (int)strcspn(link, ")#");
        (void)snprintf(path, sizeof path, TENON_SOURCE_DIR "/%.*s", length, link);
        if (strncmp(link, "https://", 8) != 0 && access(path, F_OK) != 0)
            fail_msg("README.md links to %.*s, which does not exist", length, link);
        count++;
    }
    assert_true(count > 20);
}

/* The table of commands names what the program offers, and nothing else. */
static void commands_are_those_of_the_program(void **state)
{
    (void)state;
    char *help = NULL, row[64];
    assert_int_equal(tenon(&help, "--help", NULL), 0);
    size_t shown = 0, offered = 0;
    for (const char *place = readme; (place = strstr(place, "\n| `tenon ")); place += 10)
        shown++;
    for (char *line = strstr(help, "\n  tenon "); line; line = strstr(line + 1, "\n  tenon ")) {
        offered++;
        (void)snprintf(row, sizeof row, "\n| `tenon %.*s", (int)strcspn(line + 9, " "), line + 9);
        assert_non_null(strstr(readme, row));
    }
    assert_true(offered > 0);
    assert_int_equal(shown, offered);
    free(help);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plugin_and_its_model_are_the_files_of_the_examples),
        cmocka_unit_test(plugin_builds_runs_and_gives_the_closed_solution),
        cmocka_unit_test(model_alone_runs_no_code),
        cmocka_unit_test(pieces_of_the_first_model_stand_in_its_file),
        cmocka_unit_test(first_model_gives_the_rows_shown),
        cmocka_unit_test(typing_errors_are_reported_as_shown),
        cmocka_unit_test(mechanism_has_the_freedom_and_the_dependent_rows_shown),
        cmocka_unit_test(relative_links_lead_somewhere),
        cmocka_unit_test(commands_are_those_of_the_program),
    };
    return cmocka_run_group_tests(tests, open_readme, close_readme);
}
