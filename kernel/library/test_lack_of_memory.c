/* test_lack_of_memory.c - each allocation of Tenon has no memory once, while a model is opened, stepped, read, changed and closed:
 * the library says so, and leaves nothing behind
 *
 * Which allocations: those by base/memory.h, one after the other; with sanitizers, which tell what is left behind, one of
 * eleven unless TENON_EVERY_ALLOCATION is set. Allocations within the C library, libstdc++, SuiteSparse, UDUNITS and the GNU
 * Scientific Library fail in tests/system/test_out_of_memory.c, which looks for crashes and wrong messages only: UDUNITS keeps what
 * it has begun with where its own memory ends. */
#include "library/test_library.h"

#include "base/memory.h"

#include <stdio.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TN_SANITIZED 1
#else
#define TN_SANITIZED 0
#endif

/* Repeats, parts of names, units, expressions that read the state, each other and the past, changes, conditions, splines. */
static const char language[] =
    "[parameters]\nk = '20 [kN/m]'\nn = 3\n"
    "[[signal]]\nname = 'push'\nx = [0, '100 [ms]', 0.2, 0.3]\ny = [0, 5, 0, 1]\n"
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = '1000 [g]'\nposition = [1.1, 0, 0]\n"
    "[[repeat]]\nvariable = 'i'\ncount = 'n'\n"
    "[[repeat.element]]\nname = 'ball_{i}'\ntype = 'mass_point'\nmass = '1 + i'\nposition = ['i', 1, 0]\n"
    "[[repeat.element]]\nname = 'line_{i}'\ntype = 'spring_damper'\nmarkers = ['mass', 'ball_{i}']\n"
    "stiffness = 'k*(1 + DM(ball_{i}, mass)**2)'\n"
    "[[element]]\nname = 'hand'\ntype = 'force'\nmarkers = 'mass'\nvalue = ['spline(push, time)', 0, 0]\n"
    "[[element]]\nname = 'travelled'\ntype = 'reference_variable'\nexpression = 'DX(mass) + 0.5*VX(ball_1)'\n"
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = '3*k'\n"
    "reference_length = '1000 [mm]'\n"
    "[[sensor]]\nname = 'x'\nexpression = 'VARVAL(travelled)/2 + delay(DX(mass), 0.001, 1)'\n"
    "[[sensor]]\nname = 'pull'\nexpression = 'FX(mass)'\n"
    "[[sensor]]\nname = 'energy'\nsystem = 'energy_balance'\n"
    "[[change]]\nelement = 'line_1'\nparameter = 'damping'\nvalue = 3\ntime = 2e-3\n"
    "[[change]]\nelement = 'line_2'\nactive = false\ncrosses = 'time - 0.0025'\n"
    "[solver]\ntype = 'rk'\nstep = '1 [ms]'\nend_time = 5e-3\n";

/* A door on two hinges holds more than it must. */
static const char redundant[] = "[model]\ngravity = [0, -9.81, 0]\n"
                                "[[element]]\nname = 'door'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, "
                                "0.2, 0.3]\nposition = [0.5, 0, 0]\n"
                                "[[element]]\nname = 'upper'\ntype = 'revolute'\nmarkers = [{ element = "
                                "'ground', position = [0, 0, 0.5] }, "
                                "{ element = 'door', position = [-0.5, 0, 0.5] }]\n"
                                "[[element]]\nname = 'lower'\ntype = 'revolute'\nmarkers = [{ element = "
                                "'ground', position = [0, 0, -0.5] }, "
                                "{ element = 'door', position = [-0.5, 0, -0.5] }]\n"
                                "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = [{ element "
                                "= 'ground', position = [0, 1, 1] }, "
                                "'door']\nstiffness = '3*(1 + DM(door))'\n"
                                "[[sensor]]\nname = 'a'\nelement = 'door'\noutput = 'acceleration'\n"
                                "[[sensor]]\nname = 'upper'\nelement = 'upper'\noutput = 'force'\n"
                                "[output]\nstates = true\n"
                                "[solver]\ntype = 'generalized_alpha'\nstep = 1e-3\nend_time = 5e-3\n";

/* Mistakes of many kinds: messages take memory, too. */
static const char wrong[] =
    "[parameters]\na = '1/0'\n[[element]]\nname = 'b'\ntype = 'mass_pont'\nmass = 1\n"
    "[[element]]\nname = 'b c'\ntype = 'mass_point'\nmas = 1\n"
    "[[element]]\nname = 's'\ntype = 'spring_damper'\nmarkers = ['ground', 'd']\nstiffness = '3 [kg]'\n"
    "[[sensor]]\nname = 'x'\nexpression = 'DX(q) + sin('\n[solver]\ntype = 'rk'\nstep = 1\nend_time = 1\n";

/* ---- one allocation --------------------------------------------------------------------------------------- */

static size_t calls, failing; /* number of the allocation without memory, from 1; 0: none */

static bool fails(void) { return ++calls == failing; }

/* A mass on a spring, made by calls, with one more sensor; the first status that is not TENON_OK. */
static tenon_status build(const tenon_options *options, tenon_model **model)
{
    const char *const ends[] = {"ground", "mass"}, *const more[] = {"more=2*DX(mass)"};
    tenon_status status = tenon_build_begin("built", NULL, options, model);
    tenon_model *m = *model;
    if (status == TENON_OK) status = tenon_build_place(m, "a file", 1, 1);
    if (status == TENON_OK) status = tenon_build_item(m, "element", "mass_point", "mass");
    if (status == TENON_OK) status = tenon_build_number(m, "mass", 0.1);
    if (status == TENON_OK) status = tenon_build_numbers(m, "position", (const double[]){1.5, 0, 0}, 3);
    if (status == TENON_OK) status = tenon_build_item(m, "element", "spring_damper", "spring");
    if (status == TENON_OK) status = tenon_build_texts(m, "markers", ends, 2);
    if (status == TENON_OK) status = tenon_build_text(m, "stiffness", "20 + DX(mass)");
    if (status == TENON_OK) status = tenon_build_item(m, "solver", "rk", NULL);
    if (status == TENON_OK) status = tenon_build_value(m, "step", "1e-3");
    if (status == TENON_OK) status = tenon_build_number(m, "end_time", 5e-3);
    if (status == TENON_OK) status = tenon_build_end(m);
    return status == TENON_OK ? tenon_add_sensors(m, more, 1) : status;
}

/* What has come of a life: the worst status but for refusals. Without a text the model is built. */
static tenon_status live(const char *text, const char *results)
{
    tenon_options options = tn_test_options();
    tenon_model *model = NULL;
    double values[200];
    options.results = results;
    tenon_status status =
        text ? tenon_open_text(text, "model", NULL, &options, &model) : build(&options, &model);
    if (status == TENON_OK) status = tenon_start(model);
    for (int k = 0; k < 3 && status == TENON_OK; k++)
        status = tenon_step(model);
    if (status == TENON_OK) status = tenon_sensor_values(model, values);
    if (status == TENON_OK) status = tenon_matrix(model, TENON_STIFFNESS, values);
    if (status == TENON_OK) status = tenon_set_parameter(model, "spring.damping", &(double){2.0}, 1);
    if (status == TENON_OK) status = tenon_set_state(model, NULL, NULL);
    static char bytes[20000];
    size_t size = 0;
    if (status == TENON_OK) status = tenon_save(model, bytes, sizeof bytes, &size);
    if (status == TENON_OK) status = tenon_step(model);
    if (status == TENON_OK) status = tenon_restore(model, bytes, size);
    if (status == TENON_OK) status = tenon_run(model);
    if (model && status == TENON_OUT_OF_MEMORY) {
        if (!strstr(tenon_reason(model), "memory")) fail_msg("%s", tenon_reason(model));
        for (size_t k = 0; k < tenon_message_count(model); k++)
            assert_int_equal(tenon_message_at(model, k, &(tenon_message){.size = sizeof(tenon_message)}),
                             TENON_OK);
        assert_int_equal(tenon_step(model), TENON_OUT_OF_MEMORY);
    }
    tenon_close(model);
    return status;
}

static void check_model(const char *text, bool writes, size_t offset, tenon_status usual)
{
    static const char *const files[] = {"run.toml",   ".run.toml.part",   "sensors.csv", "sensors.units.csv",
                                        "states.csv", "states.units.csv", "rows.tnl"};
    char folder[] = "/tmp/tenon-memory-XXXXXX", path[64];
    const size_t stride = TN_SANITIZED && !getenv("TENON_EVERY_ALLOCATION") ? 11 : 1;
    assert_non_null(mkdtemp(folder));
    tn_memory_fail_by(fails);
    failing = calls = 0;
    assert_int_equal(live(text, writes ? folder : NULL), usual);
    const size_t count = calls;
    assert_true(count > 100);
    for (failing = 1 + offset % stride; failing <= count; failing += stride) {
        calls = 0;
        const tenon_status status = live(text, writes ? folder : NULL);
        if (status != TENON_OUT_OF_MEMORY && calls >= failing)
            fail_msg("without allocation %zu of %zu: status %d", failing, count, (int)status);
    }
    tn_memory_fail_by(NULL);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, files[k]);
        (void)unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

static void the_language(void **state)
{
    (void)state;
    check_model(language, false, 0, TENON_OK);
}

static void built_models_and_added_sensors(void **state)
{
    (void)state;
    check_model(NULL, false, 0, TENON_OK);
}

static void redundant_constraints(void **state)
{
    (void)state;
    check_model(redundant, false, 3, TENON_OK);
}

static void results(void **state)
{
    (void)state;
    check_model(redundant, true, 7, TENON_OK);
}

static void mistakes(void **state)
{
    (void)state;
    check_model(wrong, false, 5, TENON_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_language), cmocka_unit_test(built_models_and_added_sensors),
        cmocka_unit_test(redundant_constraints), cmocka_unit_test(results), cmocka_unit_test(mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
