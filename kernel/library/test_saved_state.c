/* test_saved_state.c - states as bytes: steps behind a restored state are those behind the saved one, bytes of others are refused */
#include "library/test_moment.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_STEPS = 800, MOMENTS = 10 };

static void check_same(const moment *a, const moment *b, const char *what)
{
    if (memcmp(a, b, sizeof *a) != 0)
        fail_msg("%s: another state at %.17g s, %.17g s", what, a->time, b->time);
}

typedef struct saved {
    char *bytes;
    size_t size;
} saved;

static saved save(tenon_model *model)
{
    saved state = {0};
    tn_test_good(model, tenon_save(model, NULL, 0, &state.size));
    state.bytes = malloc(state.size);
    assert_non_null(state.bytes);
    tn_test_good(model, tenon_save(model, state.bytes, state.size, &state.size));
    return state;
}

static void restore(tenon_model *model, const saved *state)
{
    tn_test_good(model, tenon_restore(model, state->bytes, state->size));
}

/* ---- the same steps -------------------------------------------------------------------------------------- */

#define END "end_time = 2\n"
#define RK "[solver]\ntype = 'rk'\nstep = 1e-2\n" END
#define ADAPTIVE \
    "[solver]\ntype = 'rk'\norder = 5\nrelative_tolerance = 1e-7\nadaptive = true\nmax_step = 0.04\n" END
#define ALPHA "[solver]\ntype = 'generalized_alpha'\nstep = 1e-2\n" END
#define ADAPTIVE_ALPHA "[solver]\ntype = 'generalized_alpha'\ntolerance = 1e-4\nmax_step = 0.04\n" END
#define RADAU "[solver]\ntype = 'radau'\ntolerance = 1e-5\nmax_step = 0.04\n" END
#define ROWS_WITHIN_STEPS "[output]\ninterval = 0.008\n"
#define IDA "[solver]\ntype = 'ida'\ntolerance = 1e-5\nmax_step = 0.04\n" END
#define GSL(stepper, more) "[solver]\ntype = 'gsl_ode'\nstepper = '" stepper "'\nstep = 1e-2\n" more END
#define PARTS                                                                                               \
    "[[solver]]\ntype = 'rk'\nstep = 1e-2\nend_time = 0.5\n[[solver]]\ntype = 'generalized_alpha'\nstep = " \
    "1e-2\n" END

/* A bob that a wall throws back, pulled by what it did before, and braked dry; changed in between. */
#define BOB                                                                                                \
    "[[element]]\nname = 'bob'\ntype = 'mass_1d'\nmass = 2\nposition = 0.3\nvelocity = 1\n"                \
    "[[element]]\nname = 'spring'\ntype = 'coordinate_spring_damper'\nmarkers = 'bob'\nstiffness = 50\n"   \
    "damping = 0.1\n"                                                                                      \
    "[[element]]\nname = 'echo'\ntype = 'coordinate_force'\nmarkers = 'bob'\n"                             \
    "value = '0.5*delay(COORD(bob), 0.13, 0) - 2*SIGN(1, RATE(bob))'\n"                                    \
    "[[change]]\nelement = 'spring'\nparameter = 'damping'\nvalue = 1\ntime = 0.7\n"                       \
    "[[change]]\nelement = 'spring'\nparameter = 'stiffness'\nvalue = 80\ncrosses = 'COORD(bob) + 0.05'\n" \
    "[[sensor]]\nname = 'x'\nexpression = 'COORD(bob)'\n[[sensor]]\nname = 'lost'\nelement = 'spring'\n"   \
    "output = 'dissipated_energy'\n"
/* A plane four-bar: its joints hold it more than once. */
#define FOUR_BAR                                                                                             \
    "[[element]]\nname = 'crank'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = "     \
    "[0.5, 0, 0]\n"                                                                                          \
    "[[element]]\nname = 'pin'\ntype = 'revolute'\nmarkers = [{element = 'ground'}, {element = 'crank', "    \
    "position = "                                                                                            \
    "[-0.5, 0, 0]}]\n"                                                                                       \
    "[[element]]\nname = 'arm'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.1, 0.1]\nposition = [1.5, " \
    "0, 0]\n"                                                                                                \
    "angular_velocity = [0, 0, 1]\nvelocity = [0, 0.5, 0]\n"                                                 \
    "[[element]]\nname = 'elbow'\ntype = 'revolute'\nmarkers = [{element = 'crank', position = [0.5, 0, "    \
    "0]}, "                                                                                                  \
    "{element = 'arm', position = [-0.5, 0, 0]}]\n[[sensor]]\nname = 'load'\nelement = 'pin'\noutput = "     \
    "'force'\n"

static const char *const models[] = {BOB RK,
                                     BOB ADAPTIVE,
                                     BOB ALPHA,
                                     BOB ADAPTIVE_ALPHA,
                                     BOB PARTS,
                                     BOB GSL("rk4", ""),
                                     BOB GSL("rkf45", "adaptive = true\nmax_step = 0.04\n"),
                                     BOB GSL("bsimp", "adaptive = true\nmax_step = 0.04\n"),
                                     FOUR_BAR RK,
                                     FOUR_BAR ADAPTIVE,
                                     FOUR_BAR ALPHA,
                                     FOUR_BAR ADAPTIVE_ALPHA,
                                     FOUR_BAR ADAPTIVE_ALPHA "index = 3\n",
                                     FOUR_BAR ALPHA "linear = 'dense'\n",
                                     BOB RADAU,
                                     FOUR_BAR RADAU,
                                     FOUR_BAR RADAU "linear = 'dense'\n",
                                     BOB RADAU ROWS_WITHIN_STEPS,
                                     FOUR_BAR RADAU ROWS_WITHIN_STEPS,
                                     FOUR_BAR GSL("rk8pd", "adaptive = true\nmax_step = 0.04\n")};

/* Steps to the end, or for MOST_STEPS; their number. */
static size_t follow(tenon_model *model, moment *trail)
{
    size_t steps = 0;
    trail[0] = look(model);
    while (steps < MOST_STEPS - 1 && tenon_step(model) == TENON_OK)
        trail[++steps] = look(model);
    return steps;
}

static void check_model(const char *text)
{
    static moment trail[MOST_STEPS], again[MOST_STEPS];
    saved state[MOMENTS];
    size_t at[MOMENTS], next = 0;
    tenon_model *plain = tn_test_open_text(text), *model = tn_test_open_text(text),
                *other = tn_test_open_text(text);
    tn_test_good(plain, tenon_start(plain));
    tn_test_good(model, tenon_start(model));
    const size_t steps = follow(plain, trail);
    assert_true(steps > MOMENTS);
    for (int k = 0; k < MOMENTS; k++)
        at[k] = (size_t)k * (size_t)k * steps / (MOMENTS * MOMENTS) + (k > 0);
    for (size_t k = 0; k <= steps; k++) {
        const moment now = look(model);
        check_same(&now, &trail[k], "a run that was saved");
        while (next < MOMENTS && at[next] == k)
            state[next++] = save(model);
        if (k < steps) tn_test_good(model, tenon_step(model));
    }
    assert_int_equal(next, MOMENTS);
    for (size_t k = MOMENTS; k-- > 0;) {
        tenon_model *const one = k % 2 ? model : other;
        restore(one, &state[k]);
        const size_t rest = follow(one, again);
        assert_int_equal(rest, steps - at[k]);
        for (size_t step = 0; step <= rest; step++)
            check_same(&again[step], &trail[at[k] + step], "a restored run");
        free(state[k].bytes);
    }
    tenon_close(plain);
    tenon_close(model);
    tenon_close(other);
}

static void steps_behind_a_restored_state_are_the_same(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        check_model(models[k]);
}

/* Those of multistep methods in libraries begin anew at a save, as in the run that was saved. */
static void hidden_histories_begin_anew(void **state)
{
    (void)state;
    static const char *const texts[] = {BOB GSL("msadams", "adaptive = true\nmax_step = 0.04\n"),
                                        BOB GSL("msbdf", "adaptive = true\nmax_step = 0.04\n"),
                                        FOUR_BAR GSL("msbdf", ""), BOB IDA, FOUR_BAR IDA};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        const bool of_gsl = k < 3;
        if (access(of_gsl ? TENON_PLUGINS "/gsl_ode.so" : TENON_PLUGINS "/ida.so", R_OK) != 0) continue;
        static moment trail[MOST_STEPS], again[MOST_STEPS];
        tenon_model *model = tn_test_open_text(texts[k]), *other = tn_test_open_text(texts[k]);
        for (int step = 0; step < 12; step++)
            tn_test_good(model, tenon_step(model));
        const size_t messages = tenon_message_count(model);
        saved bytes = save(model);
        tenon_message message = {.size = sizeof message};
        assert_true(tenon_message_count(model) > messages);
        tn_test_good(model, tenon_message_at(model, tenon_message_count(model) - 1, &message));
        assert_non_null(strstr(message.text, of_gsl ? "gsl_ode cannot hand over" : "ida cannot hand over"));
        restore(other, &bytes);
        const size_t steps = follow(model, trail);
        assert_int_equal(follow(other, again), steps);
        for (size_t step = 0; step <= steps; step++)
            check_same(&again[step], &trail[step], "a restored run");
        free(bytes.bytes);
        tenon_close(model);
        tenon_close(other);
    }
}

/* ---- what programs have changed -------------------------------------------------------------------------- */

static double parameter_of(tenon_model *model, const char *path)
{
    double value = 0.0;
    size_t count = 0;
    tn_test_good(model, tenon_parameter(model, path, &value, 1, &count));
    return value;
}

static void parameters_come_back_with_the_state(void **state)
{
    (void)state;
    static moment trail[MOST_STEPS], again[MOST_STEPS];
    tenon_model *model = tn_test_open_text(BOB RK), *other = tn_test_open_text(BOB RK);
    saved before = save(model);
    tn_test_good(model, tenon_step_to(model, 0.3));
    tn_test_good(model, tenon_set_parameter(model, "spring.stiffness", (double[]){120.0}, 1));
    tn_test_good(model, tenon_step_to(model, 0.8)); /* behind the change of the damping */
    saved behind = save(model);
    const size_t steps = follow(model, trail);
    restore(model, &before);
    assert_true(parameter_of(model, "spring.stiffness") == 50.0 &&
                parameter_of(model, "spring.damping") == 0.1);
    restore(other, &behind);
    assert_true(parameter_of(other, "spring.damping") == 1.0 &&
                parameter_of(other, "spring.stiffness") >= 80.0);
    restore(model, &behind);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(follow(k ? model : other, again), steps);
        for (size_t step = 0; step <= steps; step++)
            check_same(&again[step], &trail[step], "with other parameters");
    }
    free(before.bytes);
    free(behind.bytes);
    tenon_close(model);
    tenon_close(other);
}

static void the_end_of_a_run_is_no_end_for_states(void **state)
{
    (void)state;
    tenon_model *model = tn_test_open_text(BOB PARTS);
    tn_test_good(model, tenon_step_to(model, 0.2));
    saved early = save(model);
    tn_test_good(model, tenon_run(model));
    const moment end = look(model);
    tn_test_refused(model, tenon_save(model, NULL, 0, &early.size), "the run has ended");
    for (int k = 0; k < 3; k++) {
        restore(model, &early);
        assert_true(fabs(tenon_time(model) - 0.2) < 1e-15);
        tn_test_good(model, tenon_run(model));
        const moment again = look(model);
        check_same(&again, &end, "the end");
    }
    free(early.bytes);
    tenon_close(model);
}

/* ---- bytes of others ------------------------------------------------------------------------------------- */

/* Refuses with these words; the model goes on as if nothing had been. */
static void check_refused(const char *bytes, size_t size, const char *words)
{
    tenon_model *model = tn_test_open_text(BOB RK), *plain = tn_test_open_text(BOB RK);
    tn_test_good(model, tenon_step_to(model, 0.1));
    tn_test_good(plain, tenon_step_to(plain, 0.1));
    tn_test_refused(model, tenon_restore(model, bytes, size), words);
    for (int k = 0; k < 3; k++) {
        const moment a = look(model), b = look(plain);
        check_same(&a, &b, "after a refusal");
        tn_test_good(model, tenon_step(model));
        tn_test_good(plain, tenon_step(plain));
    }
    tenon_close(model);
    tenon_close(plain);
}

static void bytes_of_others_are_refused_by_name(void **state)
{
    (void)state;
    static const char *const others[] = {BOB ADAPTIVE, BOB "[parameters]\nother = 1\n" RK, FOUR_BAR RK};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        tenon_model *other = tn_test_open_text(others[k]);
        saved bytes = save(other);
        check_refused(bytes.bytes, bytes.size, k < 2 ? "another model" : "the state");
        free(bytes.bytes);
        tenon_close(other);
    }
    tenon_model *model = tn_test_open_text(BOB RK);
    saved bytes = save(model);
    char *version = strstr(bytes.bytes, "plugin rk 1.0.0");
    assert_non_null(version);
    version[strlen("plugin rk ")] = '2';
    check_refused(bytes.bytes, bytes.size, "another plugin: with rk 2.0.0");
    version[strlen("plugin rk ")] = '1';
    char *program = strstr(bytes.bytes, "program tenon ");
    program[strlen("program tenon ")] = '9';
    check_refused(bytes.bytes, bytes.size, "by another program");
    free(bytes.bytes);
    tenon_close(model);
}

static void broken_bytes_are_refused(void **state)
{
    (void)state;
    tenon_model *model = tn_test_open_text(BOB RK);
    tn_test_good(model, tenon_step_to(model, 0.1));
    saved bytes = save(model);
    const char *first = strstr(bytes.bytes, "\n\n");
    const size_t head = (size_t)(first + 2 - bytes.bytes);
    check_refused(NULL, 0, "the state is truncated");
    check_refused("nonsense\n", 9, "no state of a run");
    check_refused(bytes.bytes, head / 2, "the state is truncated");
    check_refused(bytes.bytes, bytes.size - 1, "the state is truncated");
    check_refused(bytes.bytes, head, "the state is truncated");
    for (size_t k = 0; k < 16; k++) {
        char *byte = &bytes.bytes[head + k * (bytes.size - head - 1) / 15];
        *byte ^= 4;
        check_refused(bytes.bytes, bytes.size, "altered");
        *byte ^= 4;
    }
    size_t size = 0;
    tn_test_refused(model, tenon_save(model, bytes.bytes, 10, &size), "there is room for 10");
    assert_int_equal(size, bytes.size);
    free(bytes.bytes);
    tenon_close(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_behind_a_restored_state_are_the_same),
                                       cmocka_unit_test(hidden_histories_begin_anew),
                                       cmocka_unit_test(parameters_come_back_with_the_state),
                                       cmocka_unit_test(the_end_of_a_run_is_no_end_for_states),
                                       cmocka_unit_test(bytes_of_others_are_refused_by_name),
                                       cmocka_unit_test(broken_bytes_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
