/* test_live_batch.c - dynamic values that are worked out together are those that each of them has by itself */
#include "harness.h"
#include "values/state_values.h"

#include <math.h>

#define SOLVER "[solver]\ntype = 'rk'\nstep = 0.01\nend_time = 0.2\n"
#define POINTS                                                                             \
    "[[repeat]]\ncount = 41\nelement = [{ name = 'p_{i}', type = 'mass_point', mass = 1, " \
    "position = ['i + 0.1*sin(i)', 'cos(i)', 'i/7'], velocity = ['cos(i)', 1, 'i/9'] }]\n"

/* Values of several levels: the repeat variable, constants that differ between copies, time, branches, an implicit one. */
static const char mixture[] = POINTS
    "[[repeat]]\ncount = 40\nelement = [\n"
    "{ name = 'u_{i}', type = 'reference_variable', expression = 'DM(p_{i}, p_{i+1}) + i*time' },\n"
    "{ name = 'v_{i}', type = 'reference_variable', expression = 'VARVAL(u_{i})**2 - {i}/8*VR(p_{i+1})' },\n"
    "{ name = 'w_{i}', type = 'reference_variable', expression = 'IF(i - 20: VARVAL(v_{i}), 0, "
    "2*VARVAL(u_{i}))' },\n"
    "{ name = 'b_{i}', type = 'reference_variable', expression = 'IF(DX(p_{i}) - 20.5: SQRT(20.5 - "
    "DX(p_{i})), "
    "0, 1/(DX(p_{i}) - 20.5)) + (VY(p_{i}) > 1 and MAX(VARVAL(u_{i}), 3) < 9)*ABS(DY(p_{i}))' },\n"
    "{ name = 'z_{i}', type = 'reference_variable', implicit = true, "
    "expression = 'VARVAL(z_{i})**3 + VARVAL(z_{i}) - VARVAL(w_{i})' },\n"
    "{ name = 's_{i}', type = 'spring_damper', markers = ['p_{i}', 'p_{i+1}'], stiffness = '30 [N/cm]', "
    "damping = '10 + VARVAL(z_{i})**2', force = 'VARVAL(v_{i})/100 [mN]' },\n"
    "{ name = 'f_{i}', type = 'force', markers = 'p_{i}', "
    "value = ['SIN(time)*DX(p_{i})', 'VY(p_{i}, p_{i+1})/10', 'VARVAL(u_{i})*VARVAL(w_{i})'] }]\n" SOLVER;

static tn_status compare(void *data, const tn_accepted_step *step)
{
    tn_assembly *assembly = data;
    (void)step;
    const tn_model *model = assembly->model;
    assert_int_equal(tn_evaluate_markers(assembly), TN_OK);
    for (size_t k = 0; k < model->values->dynamic_count; k++) {
        const tn_dynamic_value *dynamic = &model->values->dynamic[model->values->order[k]];
        if (model->item[dynamic->item].variable == TN_IMPLICIT) continue;
        double *value = tn_dynamic_place(assembly, dynamic);
        const double together = *value;
        *value = (double)NAN;
        assert_null(tn_dynamic_evaluate(assembly, dynamic));
        assert_memory_equal(value, &together, sizeof together);
    }
    return TN_OK;
}

static void test_values_are_those_of_each_alone(void **state)
{
    (void)state;
    tn_world world;
    tn_world_open(&world, mixture, NULL, NULL);
    assert_int_equal(world.model->values->dynamic_count, 10 * 40);
    assert_int_equal(tn_world_advance(&world, compare, world.assembly), TN_OK);
    tn_world_close(&world);
}

/* Among many copies the one without a value is named, with its place. */
static void test_the_one_without_a_value_is_named(void **state)
{
    (void)state;
    const tn_outcome outcome = tn_tenon(
        TN_WORDS("run",
                 tn_write("wrong.toml", POINTS "[[repeat]]\ncount = 40\n[[repeat.element]]\nname = 'f_{i}'\n"
                                               "type = 'force'\nmarkers = 'p_{i}'\n"
                                               "value = ['1/(i - 17)*DX(p_{i})', 0, '0*time']\n" SOLVER),
                 "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors,
                   TN_WORDS("force `f_17`", "wrong.toml:10:10", "at time 0 s", "division by zero"));
}

/* From the change on one copy of many goes its own way. */
static void test_changes_take_a_value_out_of_its_batch(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        "[[repeat]]\ncount = 9\nelement = [\n"
        "{ name = 'p_{i}', type = 'mass_point', mass = 1 },\n"
        "{ name = 'f_{i}', type = 'force', markers = 'p_{i}', value = ['2 + 0*time', 0, 0] }]\n"
        "sensor = [{ name = 'v_{i}', element = 'p_{i}', output = 'velocity' }]\n"
        "[[change]]\ntime = 0.1\nelement = 'f_4'\nparameter = 'value'\nvalue = ['5 + 0*time', 0, 0]\n"
        "[[change]]\ntime = 0.1\nelement = 'f_5'\nparameter = 'value'\nvalue = [0, 0, 0]\n" SOLVER,
        NULL);
    for (int i = 0; i < 9; i++) {
        const double end = i == 4 ? 0.7 : i == 5 ? 0.2 : 0.4;
        assert_true(fabs(tn_value_at(run, tn_format("v_%d.x", i), 0.2) - end) <= 1e-12);
    }
}

/* One law in five ways, compiled and as expressions. */
static void test_expressions_move_points_as_compiled_laws_do(void **state)
{
    (void)state;
    const char *text = tn_read(TENON_SOURCE_DIR "/configs/benchmarks/expression_forces.toml");
    double compiled = 0.0;
    for (int law = 0; law < 5; law++) {
        const char *words = tn_format("parameters.law=%d", law);
        const tn_csv_table *run = tn_simulate(
            text, TN_WORDS("--set", words, "--set", "parameters.n=20", "--set", "solver.step=1e-3"));
        const double way = tn_value_at(run, "first.x", 0.1);
        if (law == 0) compiled = way;
        assert_true(fabs(way) > 1e-3 && fabs(way - compiled) <= 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values_are_those_of_each_alone),
                                       cmocka_unit_test(test_the_one_without_a_value_is_named),
                                       cmocka_unit_test(test_changes_take_a_value_out_of_its_batch),
                                       cmocka_unit_test(test_expressions_move_points_as_compiled_laws_do)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
