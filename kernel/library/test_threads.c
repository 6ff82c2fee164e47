/* test_threads.c - results are the same to the bit for any number of threads; refusals do not depend on it, either */
#define _GNU_SOURCE
#include "library/test_library.h"
#include "library/test_models.h"

#include <stdbool.h>
#include <stdio.h>

static const int32_t counts[] = {1, 2, 3, 7};

/* Overrides, of which there may be three. */
typedef const char *const overrides[3];

static tenon_model *open_model(const char *path, const char *text, overrides override, int32_t threads)
{
    tenon_options options = tn_test_options();
    tenon_model *model = NULL;
    options.threads = threads;
    options.overrides = override;
    while (override && options.override_count < 3 && override[options.override_count])
        options.override_count++;
    options.trust = 1;
    const tenon_status status = text ? tenon_open_text(text, "model.toml", NULL, &options, &model)
                                     : tenon_open_file(path, &options, &model);
    if (status == TENON_OK) return model;
    tenon_close(model);
    return NULL;
}

/* Everything that can be read where a model stands, after so many steps. */
static double *look_after(tenon_model *model, int steps, size_t *count)
{
    tenon_sizes sizes = {.size = sizeof sizes};
    for (int k = 0; k < steps && tenon_step(model) == TENON_OK;)
        k++;
    tn_test_good(model, tenon_sizes_of(model, &sizes));
    const size_t q = sizes.coordinates, v = sizes.velocities;
    *count = 1 + q + 2 * v + tenon_sensor_count(model);
    double *now = calloc(*count, sizeof *now);
    assert_non_null(now);
    now[0] = tenon_time(model);
    tn_test_good(model, tenon_state(model, now + 1, now + 1 + q));
    tn_test_good(model, tenon_accelerations(model, now + 1 + q + v));
    tn_test_good(model, tenon_sensor_values(model, now + 1 + q + 2 * v));
    return now;
}

static bool check_same(const char *path, overrides override, int steps)
{
    double *first = NULL;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        size_t count = 0;
        tenon_model *model = open_model(path, NULL, override, counts[k]);
        if (!model || tenon_start(model) != TENON_OK) {
            tenon_close(model);
            return false;
        }
        double *now = look_after(model, steps, &count);
        if (!first)
            first = now;
        else if (memcmp(first, now, count * sizeof *now) != 0)
            fail_msg("%s: other results with %d threads", path, (int)counts[k]);
        if (now != first) free(now);
        tenon_close(model);
    }
    free(first);
    return true;
}

#define BENCHMARK(name) TENON_SOURCE_DIR "/configs/benchmarks/" name ".toml"

static void large_models(void **state)
{
    (void)state;
    static const overrides net = {"parameters.n=80"},
                           stiff_net = {"parameters.n=50", "solver.type='generalized_alpha'",
                                        "solver.newton.jacobian='full'"},
                           many = {"parameters.n=2500", "solver.newton.jacobian='full'"},
                           explicit = {"parameters.n=2500", "solver.type='rk'", "solver.step=1e-4"};
    assert_true(check_same(BENCHMARK("springnet"), net, 3));
    assert_true(check_same(BENCHMARK("springnet"), stiff_net, 2));
    assert_true(check_same(BENCHMARK("bushings"), many, 2));
    assert_true(check_same(BENCHMARK("bushings"), explicit, 2));
    assert_true(check_same(BENCHMARK("chain"), many, 2));
}

static void all_models(void **state)
{
    (void)state;
    size_t runs = 0;
    char **found = tn_test_find_models();
    for (size_t k = 0; found[k]; k++)
        runs += check_same(found[k], NULL, 10) ? 1 : 0;
    tn_test_free_models(found);
    assert_true(runs > 50);
}

/* Of two springs without length far apart, the first one is named. */
static void refusals_name_the_first_element(void **state)
{
    (void)state;
    static const char text[] =
        "[[repeat]]\ncount = 6000\nvariable = 'k'\nelement = [\n"
        "{ name = 'point_{k}', type = 'mass_point', mass = 1, position = ['k', 0, 0] },\n"
        "{ name = 'spring_{k}', type = 'spring_damper', stiffness = 1, reference_length = 1, markers = "
        "[{ element = 'ground', position = [\"k - 1 + IF(k - 2100: 0, 1, IF(k - 5300: 0, 1, 0))\", 0, 0] }, "
        "'point_{k}'] }]\n"
        "[solver]\ntype = 'rk'\nstep = 1e-3\nend_time = 1e-2\n";
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        tenon_model *model = open_model(NULL, text, NULL, counts[k]);
        assert_non_null(model);
        const tenon_status status = tenon_run(model);
        if (status != TENON_FAILED || !strstr(tenon_reason(model), "spring_2100"))
            fail_msg("%d threads: status %d: %s", (int)counts[k], (int)status, tenon_reason(model));
        tenon_close(model);
    }
}

static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *value, *words;
    } wrong[] = {{"-1", "threads"}, {"1.5", "integer"}, {"257", "threads"}, {"'many'", "many"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char text[2000];
        const tenon_options options = tn_test_options();
        tenon_model *model = NULL;
        (void)snprintf(text, sizeof text, OSCILLATOR RK_OF_FIXED_STEP "threads = %s\n", wrong[k].value);
        assert_int_equal(tenon_open_text(text, "model.toml", NULL, &options, &model), TENON_INVALID);
        tenon_message message = {.size = sizeof message};
        assert_int_equal(tenon_message_at(model, 0, &message), TENON_OK);
        if (!strstr(message.text, wrong[k].words) || !message.line || !message.column)
            fail_msg("%s", message.text);
        tenon_close(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_models), cmocka_unit_test(all_models),
                                       cmocka_unit_test(refusals_name_the_first_element),
                                       cmocka_unit_test(wrong_numbers_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
