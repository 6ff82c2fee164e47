/* test_blocks.c - large groups that are called in blocks give what they give when called at once: forces, rows, the matrix */
#include "harness.h"

#include "run/all_services.h"
#include "system/matrix.h"

#include <math.h>

/* Bodies on bushings in a row, hinged to bodies beside them, with points on rods; springs connect
 * bodies that lie far apart, so that their blocks share bodies with all others. */
static const char model[] =
    "[model]\ngravity = [0, 0, -9.81]\n[[repeat]]\ncount = 2500\nvariable = 'i'\nelement = [\n"
    "{ name = 'body_{i}', type = 'rigid_body', mass = 1, inertia = [1e-3, 2e-3, 3e-3], position = ['0.1*i', "
    "0, 0], "
    "velocity = [0, 'sin(i)', 0], angular_velocity = ['cos(i)', 1, 0] },\n"
    "{ name = 'arm_{i}', type = 'rigid_body', mass = 1, inertia = [1e-3, 2e-3, 3e-3], position = ['0.1*i', "
    "0.1, 0] },\n"
    "{ name = 'point_{i}', type = 'mass_point', mass = 1, position = ['0.1*i', 0.3, 0] },\n"
    "{ name = 'hinge_{i}', type = 'revolute', markers = [{ element = 'body_{i}', position = [0, 0.05, 0] }, "
    "{ element = "
    "'arm_{i}', position = [0, -0.05, 0] }] },\n"
    "{ name = 'bushing_{i}', when = 'i > 0', type = 'linear_bushing', markers = [{ element = 'body_{i-1}', "
    "position = "
    "[0.05, 0, 0] }, { element = 'body_{i}', position = [-0.05, 0, 0] }], stiffness = [1, 2, 3, 4, 5, 6], "
    "damping = [1, "
    "2, 3, 4, 5, 6] },\n"
    "{ name = 'rod_{i}', type = 'distance', markers = [{ element = 'arm_{i}', position = "
    "[0, 0.05, "
    "0] }, "
    "'point_{i}'] },\n"
    "{ name = 'far_{i}', when = 'i > 0', type = 'spring_damper', markers = ['point_{mod(i*997 + 1, 2500)}', "
    "'point_{i}'], "
    "stiffness = 1, damping = 0.1, reference_length = 1 }]\n"
    "[solver]\ntype = 'generalized_alpha'\nstep = 1e-3\nend_time = 1\n";

static double difference(const double *a, const double *b, size_t count)
{
    double largest = 0.0, size = 0.0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(a[i] - b[i]));
        size = fmax(size, fabs(a[i]));
    }
    assert_true(isfinite(size) && size > 0.0);
    return largest / size;
}

static void evaluate(tn_world *world, double *rows)
{
    tn_system *system = world->system;
    for (uint32_t i = 0; i < system->rows; i++)
        system->lambda[i] = sin(1.0 + i);
    system->row_factor = 7.0;
    assert_int_equal(system->evaluate(system), TN_OK);
    assert_int_equal(system->matrix(system, 2.0, 0.3, 0.1), TN_OK);
    assert_int_equal(system->constraint_rate(system, rows), TN_OK);
}

static void blocks_give_what_all_instances_give_at_once(void **state)
{
    (void)state;
    tn_services without = tn_all_services;
    without.blocks = NULL;
    tn_world whole, blocks;
    tn_world_open_with(&whole, model, NULL, NULL, &without);
    tn_world_open(&blocks, model, NULL, NULL);
    const tn_system *system = whole.system;
    const size_t rows = system->rows;
    double *rate[2] = {calloc(rows, sizeof(double)), calloc(rows, sizeof(double))};
    evaluate(&whole, rate[0]);
    evaluate(&blocks, rate[1]);
    size_t by_colours = 0, called = 0;
    for (size_t k = 0; k < blocks.assembly->group_count; k++) {
        by_colours += blocks.assembly->group[k].colours != NULL;
        called += blocks.assembly->group[k].answer != NULL;
    }
    assert_int_equal(called, 6);
    assert_int_equal(by_colours, 3); /* hinges, bushings, rods: the blocks of springs follow each other */
    const tn_matrix *a = &whole.assembly->equations.matrix, *b = &blocks.assembly->equations.matrix;
    assert_true(difference(rate[0], rate[1], rows) == 0.0);
    assert_true(difference(system->force, blocks.system->force, system->nv) < 1e-14);
    assert_int_equal(a->column_start[a->size], b->column_start[b->size]);
    assert_true(difference(a->value, b->value, (size_t)a->column_start[a->size]) < 1e-14);
    for (int k = 0; k < 2; k++)
        free(rate[k]);
    tn_world_close(&whole);
    tn_world_close(&blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_give_what_all_instances_give_at_once)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
