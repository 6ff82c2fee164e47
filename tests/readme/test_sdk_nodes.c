/* test_sdk_nodes.c - nodes, by the examples of the SDK: a beam, a clamp that holds a node of it, a spring between nodes. */
#define _GNU_SOURCE
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The example, some words of it replaced by others (NULL: none), in a file of its own name. */
static void build_example(const char *name, const char *words, const char *others)
{
    char path[64], file[64];
    (void)snprintf(path, sizeof path, "sdk/examples/%s.c", name);
    (void)snprintf(file, sizeof file, "%s.c", name);
    char *text = read_source(path), *at = words ? strstr(text, words) : NULL, *changed = NULL;
    if (words) {
        assert_non_null(at);
        assert_true(asprintf(&changed, "%.*s%s%s", (int)(at - text), text, others, at + strlen(words)) > 0);
    }
    write_file(file, changed ? changed : text);
    assert_int_equal(tenon(NULL, "build", file, NULL), 0);
    free(text);
    free(changed);
}

static int build_examples(void **state)
{
    if (make_directory(state) != 0) return 1;
    build_example("beam", NULL, NULL);
    build_example("clamp", NULL, NULL);
    build_example("node_spring", NULL, NULL);
    return 0;
}

static void run(const char *model, const char *results)
{
    char file[64], *said = NULL;
    (void)snprintf(file, sizeof file, "%s.toml", results);
    write_file(file, model);
    const int status =
        tenon(&said, "run", file, "--plugin-path", ".", "--guard", "--quiet", "--out", results, NULL);
    if (status != 0 || strstr(said, "warning")) fail_msg("%s\n%s", said, model);
    free(said);
}

#define BEAM(name, y, keys)                                                                            \
    "[[element]]\nname = '" name "'\ntype = 'beam'\nposition = [0, " y ", 0]\nlength = 2\n"            \
    "stiffness = 100\nline_mass = 1.5\n" keys "[[element]]\nname = '" name "_wall'\ntype = 'clamp'\n"  \
    "node = { element = '" name "', node = '0' }\n[[marker]]\nname = '" name "_tip'\ntype = 'point'\n" \
    "element = '" name "'\nposition = [2, 0, 0]\n[[sensor]]\nname = '" name "'\nmarker = '" name       \
    "_tip'\noutput = 'position'\n"
#define FORCE(beam, value) \
    "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['" beam "_tip']\nvalue = " value "\n"
#define SOLVER(keys) "[solver]\n" keys "\n[output]\ninterval = 0.01\n"

static void a_cantilever_bends_as_its_page_says(void **state)
{
    (void)state;
    char *model = read_source("sdk/examples/beam.toml");
    run(model, "page");
    free(model);
    assert_near(recorded("page", "tip.z", 12.0), -8.0 / 300.0, 1e-9);
}

/* Struck at its tip, all modes swing; the first one, of 3.5160 sqrt(EI / (m L^4)), is what is left of them after some damping. */
static void a_cantilever_swings_at_its_frequency(void **state)
{
    (void)state;
    run(BEAM("a", "0", "elements = 6\ndamping = 4e-4\n") FORCE("a", "[0, 0, 'IF(time - 0.2: 1, 1, 0)']")
            SOLVER("type = 'generalized_alpha'\nspectral_radius = 1\nstep = 5e-4\nend_time = 16"),
        "swing");
    double crossing[64] = {0.0};
    int count = 0;
    for (int k = 300; k < 1600 && count < 64; k++) {
        const double before = recorded("swing", "a.z", 0.01 * k),
                     after = recorded("swing", "a.z", 0.01 * (k + 1));
        if (before < 0.0 && after >= 0.0) crossing[count++] = 0.01 * (k - before / (after - before));
    }
    assert_true(count > 5);
    const double frequency = 2.0 * acos(-1.0) * (count - 1) / (crossing[count - 1] - crossing[0]);
    assert_near(frequency, 3.516015 * sqrt(100.0 / 1.5) / 4.0, 2e-3);
}

/* Two equal cantilevers, K = 3 EI / L^3 each, whose last nodes a spring k joins: w = F / (K + K k / (K + k)). */
static const char *const joined = BEAM("a", "0", "damping = 0.2\n") BEAM("b", "1", "damping = 0.2\n") FORCE(
    "a", "[0, 0, 2]") "[[marker]]\nname = 'end'\ntype = 'node'\nelement = 'b'\nnode = '4'\n"
                      "[[element]]\nname = 's'\ntype = 'node_spring'\nstiffness = [25, 0]\ndamping = [3, 0]\n"
                      "nodes = [{ element = 'a', node = '4' }, 'end']\n" SOLVER(
                          "type = 'generalized_alpha'\nstep = 0.01\nend_time = 6");

static void a_spring_joins_the_nodes_of_two_beams(void **state)
{
    (void)state;
    const double K = 37.5, k = 25.0, w = 2.0 / (K + K * k / (K + k));
    run(joined, "joined");
    assert_near(recorded("joined", "a.z", 6.0), w, 1e-8);
    assert_near(recorded("joined", "b.z", 6.0), w * k / (K + k), 1e-8);
}

/* Without a tangent of its own the kernel takes differences, and the motion is the same. */
static void differences_stand_for_a_tangent_on_nodes(void **state)
{
    (void)state;
    run(joined, "exact");
    build_example("node_spring", "TN_HAS_FORCE(node_spring)", "TN_HAS(force, .force = node_spring_force)");
    run(joined, "differences");
    build_example("node_spring", NULL, NULL);
    for (double time = 0.0; time <= 6.0; time += 0.5)
        assert_near(recorded("differences", "b.z", time), recorded("exact", "b.z", time), 1e-10);
}

/* An explicit solver holds the clamp by projection, an implicit one by multipliers. */
static void solvers_agree_on_nodes(void **state)
{
    (void)state;
#define SWINGING BEAM("a", "0", "elements = 3\n") FORCE("a", "[0, 0, 'SIN(3 * time)']")
    run(SWINGING SOLVER("type = 'rk'\norder = 5\nrelative_tolerance = 1e-9\nend_time = 1"), "explicit");
    run(SWINGING SOLVER("type = 'generalized_alpha'\nstep = 1e-4\nend_time = 1"), "implicit");
    for (double time = 0.1; time <= 1.0; time += 0.1)
        assert_near(recorded("explicit", "a.z", time), recorded("implicit", "a.z", time), 1e-5);
}

static void refused(const char *model, const char *words)
{
    char *said = NULL;
    write_file("wrong.toml", model);
    const int status = tenon(&said, "check", "wrong.toml", "--plugin-path", ".", NULL);
    if (status != 2 || !strstr(said, words)) fail_msg("status %d: %s\nnot: %s", status, said, words);
    free(said);
}

#define PLAIN "[[element]]\nname = 'a'\ntype = 'beam'\nlength = 2\nstiffness = 100\nline_mass = 1.5\n"
#define CLAMP(node) "[[element]]\nname = 'c'\ntype = 'clamp'\nnode = " node "\n"

static void what_is_no_node_is_refused(void **state)
{
    (void)state;
    refused(PLAIN CLAMP("{ element = 'a', node = '7' }"), "\"7\" is none of its nodes, 0 to 4");
    refused(PLAIN CLAMP("'a'"), "\"\" is none of its nodes, 0 to 4");
    refused(PLAIN CLAMP("{ element = 'a', node = '1', position = [1, 0, 0] }"),
            "a node is needed: it has no position");
    refused(PLAIN CLAMP("{ element = 'a', coordinate = 'z' }"), "a coordinate is given: a node is needed");
    refused(PLAIN CLAMP("{ element = 'ground' }"), "`ground` is a ground: it cannot carry a node");
    refused(
        "[[element]]\nname = 'r'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n" CLAMP("'r'"),
        "`r` is a rigid_body: it cannot carry a node");
    refused(PLAIN
            "[[marker]]\nname = 'p'\ntype = 'point'\nelement = 'a'\nposition = [1, 0, 0]\n" CLAMP("'p'"),
            "marker `p` is a point: a node is needed");
    refused(PLAIN "[[marker]]\nname = 'n'\ntype = 'node'\nelement = 'a'\nnode = '1'\n"
                  "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['n']\nvalue = [0, 0, 1]\n",
            "marker `n` is a node: a point is needed");
    refused(PLAIN "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = [{ element = 'a', node = '1' }]\n"
                  "value = [0, 0, 1]\n",
            "a node is given: a point or frame is needed");
    refused(PLAIN
            "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
            "[[element]]\nname = 's'\ntype = 'node_spring'\nnodes = [{ element = 'a', node = '1' }, 'm']\n",
            "the node of `m` has 3 coordinates: one of 2 is needed");
    refused(
        "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n" CLAMP("{ element = 'm', node = 'first' }"),
        "there is no node `first` here: its only node has no name");
}

/* The three coordinates of a point are held where they are given. */
static void a_node_has_as_many_coordinates_as_its_body_says(void **state)
{
    (void)state;
    run("[model]\ngravity = [0, 0, -9.81]\n[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
        "position = [1, 2, 3]\n" CLAMP(
            "'m'") "at = [1, 2, 3]\n"
                   "[[sensor]]\nname = 'p'\nelement = 'm'\noutput = 'position'\n" SOLVER(
                       "type = 'rk'\nend_time = 1\nstep = 0.01"),
        "held");
    assert_near(recorded("held", "p.x", 1.0), 1.0, 1e-12);
    assert_near(recorded("held", "p.z", 1.0), 3.0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_cantilever_bends_as_its_page_says),
                                       cmocka_unit_test(a_cantilever_swings_at_its_frequency),
                                       cmocka_unit_test(a_spring_joins_the_nodes_of_two_beams),
                                       cmocka_unit_test(differences_stand_for_a_tangent_on_nodes),
                                       cmocka_unit_test(solvers_agree_on_nodes),
                                       cmocka_unit_test(what_is_no_node_is_refused),
                                       cmocka_unit_test(a_node_has_as_many_coordinates_as_its_body_says)};
    return cmocka_run_group_tests(tests, build_examples, remove_directory);
}
