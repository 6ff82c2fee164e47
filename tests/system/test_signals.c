/* test_signals.c - derivatives of sensors, forces and rates of states (tenon/draft/signals.h) against differences, at states that are no
 * equilibrium */
#include "states.h"

#include "analysis/least_results.h"
#include "signals/sensors.h"
#include "values/value_graph.h"

#include <tenon/draft/signals.h>

#include <math.h>

typedef struct signals {
    tn_world world;
    tn_system *system;
    const tn_signals *table;
    size_t nv, n;
    double *q, *increment, *side[2]; /* values of outputs, forces, rates of states on both sides */
} signals;

static void open_signals(signals *s, const char *model, const char *type, const char *plugin)
{
    tn_world_open(&s->world, model, type, plugin);
    s->system = s->world.system;
    s->table = s->system->extension(s->system, TN_SIGNALS_KEY);
    assert_non_null(s->table);
    assert_int_equal(s->table->struct_size, sizeof *s->table);
    s->nv = s->system->nv;
    s->n = s->table->states;
    s->q = tn_numbers(s->system->nq + 1);
    s->increment = tn_numbers(s->nv + 1);
    for (int k = 0; k < 2; k++)
        s->side[k] = tn_numbers(s->table->outputs + s->nv + s->n + s->table->positions + 1);
}

static void close_signals(signals *s)
{
    free(s->q);
    free(s->increment);
    free(s->side[0]);
    free(s->side[1]);
    tn_world_close(&s->world);
}

/* Any state near the start. */
static void draw(signals *s, unsigned seed)
{
    tn_system *system = s->system;
    srand(seed);
#define SOME ((double)rand() / RAND_MAX - 0.5)
    for (uint32_t i = 0; i < system->nv; i++) {
        s->increment[i] = 0.3 * SOME;
        system->v[i] += 2.0 * SOME;
        system->a[i] = 3.0 * SOME;
    }
    for (uint32_t r = 0; r < system->rows; r++)
        system->lambda[r] = 20.0 * SOME;
    for (uint32_t k = 0; k < s->n; k++)
        system->x[k] += SOME;
    assert_int_equal(system->retract(system, system->q, s->increment, system->q), TN_OK);
    memset(s->increment, 0, s->nv * sizeof(double));
}

/* Outputs, forces less reactions' own part, rates; rates of positions by P of the state. */
static void measure(signals *s, double *to)
{
    tn_system *system = s->system;
    const char *problem = "";
    assert_int_equal(system->evaluate(system), TN_OK);
    assert_int_equal(tn_results_at_hand(s->world.assembly), TN_OK);
    tn_sensor_values(s->world.assembly, 0.0, to);
    memcpy(to + s->table->outputs, system->force, s->nv * sizeof(double));
    memcpy(to + s->table->outputs + s->nv, system->x_rate, s->n * sizeof(double));
    double *rate = to + s->table->outputs + s->nv + s->n;
    if (!s->table->positions) return;
    assert_int_equal(s->table->find(system, &problem), TN_OK);
    for (uint32_t k = 0; k < s->table->positions; k++) {
        rate[k] = 0.0;
        for (size_t i = 0; i < s->nv; i++)
            rate[k] += s->table->position_slopes[k * s->nv + i] * system->v[i];
    }
}

/* By one number in place, or one increment of q; the derivatives stand in side[0]. */
static void differentiate(signals *s, double *place, size_t coordinate)
{
    tn_system *system = s->system;
    const double h = 1e-5, before = place ? *place : 0.0;
    memcpy(s->q, system->q, system->nq * sizeof(double));
    for (int k = 0; k < 2; k++) {
        if (place) {
            *place = before + (k ? -h : h);
        } else {
            s->increment[coordinate] = k ? -h : h;
            assert_int_equal(system->retract(system, s->q, s->increment, system->q), TN_OK);
            s->increment[coordinate] = 0.0;
        }
        measure(s, s->side[k]);
    }
    if (place) *place = before;
    memcpy(system->q, s->q, system->nq * sizeof(double));
    for (size_t k = 0; k < s->table->outputs + s->nv + s->n + s->table->positions; k++)
        s->side[0][k] = (s->side[0][k] - s->side[1][k]) / (2.0 * h);
}

/* Copies of matrices: differences find others in their place. */
static double *copy(const double *from, size_t count)
{
    double *to = tn_numbers(count + 1);
    if (count) memcpy(to, from, count * sizeof(double));
    return to;
}

static void check(const char *what, const char *by, size_t j, double found, double expected)
{
    if (!(fabs(found - expected) <= 2e-6 * (1.0 + fabs(expected))))
        fail_msg("%s by %s %zu is %.12g, by differences %.12g", what, by, j, found, expected);
}

/* One kind of variables: where numbers stand (NULL: increments of q), and the matrices by them. */
static void check_kind(signals *s, const char *by, double *place, size_t count, const double *output,
                       const double *rate, const double *force, const double *position)
{
    const size_t outputs = s->table->outputs;
    double *kept[] = {copy(output, outputs * count), copy(rate, s->n * count),
                      force ? copy(force, s->nv * count) : NULL,
                      position ? copy(position, s->table->positions * count) : NULL};
    for (size_t j = 0; j < count; j++) {
        differentiate(s, place ? place + j : NULL, j);
        const double *by_difference = s->side[0];
        for (size_t k = 0; k < outputs; k++) {
            const tn_signal_info info = s->table->output(s->system, (uint32_t)k);
            if (info.derivative != TN_FORMLESS_SIGNAL)
                check(info.name, by, j, kept[0][k * count + j], by_difference[k]);
        }
        for (size_t k = 0; k < s->nv && force; k++)
            check("a force", by, j, kept[2][k * count + j], by_difference[outputs + k]);
        for (size_t k = 0; k < s->n; k++)
            check(s->table->state(s->system, (uint32_t)k).name, by, j, kept[1][k * count + j],
                  by_difference[outputs + s->nv + k]);
        for (size_t k = 0; k < s->table->positions && position; k++)
            check("a rate", by, j, kept[3][k * count + j], by_difference[outputs + s->nv + s->n + k]);
    }
    for (size_t k = 0; k < 4; k++)
        free(kept[k]);
}

static void check_model_with(const char *model, const char *type, const char *plugin, size_t exact)
{
    signals s;
    const char *problem = "";
    size_t found = 0;
    open_signals(&s, model, type, plugin);
    draw(&s, 11);
    const tn_status status = s.table->find(s.system, &problem);
    if (status != TN_OK) fail_msg("%s", problem);
    for (uint32_t k = 0; k < s.table->outputs; k++)
        found += s.table->output(s.system, k).derivative == TN_EXACT_SIGNAL;
    assert_int_equal(found, exact);
    const tn_slope_matrices *y = &s.table->output_slopes, *x = &s.table->rate;
    tn_system *system = s.system;
    check_kind(&s, "q", NULL, s.nv, y->position, x->position, NULL, s.table->rate_slopes);
    check_kind(&s, "v", system->v, s.nv, y->velocity, x->velocity, NULL, NULL);
    check_kind(&s, "a", system->a, s.nv, y->acceleration, x->acceleration, NULL, NULL);
    check_kind(&s, "lambda", system->lambda, system->rows, y->reaction, x->reaction, NULL, NULL);
    check_kind(&s, "x", system->x, s.n, y->state, x->state, s.table->force_by_state, NULL);
    for (uint32_t k = 0; k < s.table->inputs; k++) // they need not stand side by side
        if (s.table->inputs == 1)
            check_kind(&s, "u", tn_input_place(s.world.model, k), 1, y->input, x->input,
                       s.table->force_by_input, NULL);
    close_signals(&s);
}

static void check_model(const char *model, size_t exact) { check_model_with(model, NULL, NULL, exact); }

#define BODIES                                                                               \
    "[model]\ngravity = [0, 0, -9.81]\n[[input]]\nname = 'u'\nunit = 'N'\nvalue = 2\n"       \
    "[[element]]\nname = 'a'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.3, 0.4, 0.5]\n"    \
    "com = [0.1, 0.2, -0.1]\n"                                                               \
    "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.2, 0.1, 0.15]\n"   \
    "position = [1, 0.4, 0.2]\n"                                                             \
    "[[marker]]\nname = 'tip'\ntype = 'frame'\nelement = 'b'\nposition = [0.3, -0.2, 0.1]\n" \
    "rotation = { axis = [0, 0.6, 0.8], angle = '40 [deg]' }\n"

static void test_sensors_of_the_motion(void **state)
{
    (void)state;
    check_model(
        BODIES
        "[[element]]\nname = 'hinge'\ntype = 'revolute'\nmarkers = ["
        "{ element = 'a', position = [0.5, 0, 0] }, { element = 'b', position = [-0.5, -0.4, -0.2] }]\n"
        "[[sensor]]\nname = 'p'\nmarker = 'tip'\noutput = 'position'\n"
        "[[sensor]]\nname = 'v'\nmarker = 'tip'\noutput = 'velocity'\n"
        "[[sensor]]\nname = 'R'\nmarker = 'tip'\noutput = 'rotation'\n"
        "[[sensor]]\nname = 'w'\nmarker = 'tip'\noutput = 'angular_velocity'\n"
        "[[sensor]]\nname = 'd'\nexpression = 'DX(tip, a, a)*DM(tip, a) + u**2'\n"
        "[[sensor]]\nname = 'o'\nexpression = 'YAW(tip, a) + 2*PITCH(tip, a)'\n"
        "[[sensor]]\nname = 's'\nexpression = 'VX(tip, a, tip, a)*VR(tip, a) + WY(tip, a, a)**2'\n"
        "[[sensor]]\nname = 'c'\nexpression = 'COORD(hinge)*RATE(hinge)'\n"
        "[[sensor]]\nname = 'k'\nsystem = 'momentum'\n"
        "[[sensor]]\nname = 'r'\nexpression = 'ACCX(tip, a, tip, a) + WDTZ(b, a, tip)'\n"
        "[[sensor]]\nname = 'e'\nelement = 'b'\noutput = 'rotation'\n",
        3 + 3 + 9 + 3 + 4);
}

static void test_sensors_of_forces(void **state)
{
    (void)state;
    check_model(
        BODIES
        "[[element]]\nname = 'ball'\ntype = 'spherical'\nmarkers = ['ground', 'a']\n"
        "[[element]]\nname = 'rope'\ntype = 'spring_damper'\nmarkers = ['a', 'tip']\n"
        "reference_length = 0.5\nstiffness = '30 + 4*u'\ndamping = '2 + DX(tip)**2'\n"
        "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = 'tip'\n"
        "value = ['u', 'u*VARVAL(g)', '-0.1*VARVAL(h)*VX(tip)']\nlocal = true\n"
        "[[element]]\nname = 'g'\ntype = 'reference_variable'\nexpression = 'SIN(DX(tip)) + 0.3*VARVAL(h)'\n"
        "[[element]]\nname = 'h'\ntype = 'reference_variable'\nintegral = true\n"
        "expression = 'u - 2*VARVAL(h) + VARVAL(g)*VY(tip) + 0.2*JOINT(ball, 0, 2)'\n"
        "[[sensor]]\nname = 'f'\nexpression = 'SFORCE(rope, 0, 2, tip)*VARVAL(h)'\n"
        "[[sensor]]\nname = 'j'\nexpression = 'JOINT(ball, 1, 3, a)'\n"
        "[[sensor]]\nname = 't'\nexpression = 'FM(tip)'\n"
        "[[sensor]]\nname = 'g'\nexpression = 'VARVAL(g)**2 + VARVAL(h)'\n"
        "[[sensor]]\nname = 'z'\nelement = 'push'\noutput = 'force'\n",
        4);
}

/* Forces with states of their own, of parameters that read states, the motion and inputs. */
static void test_states_of_elements(void **state)
{
    (void)state;
    const char *plugin = tn_build_text("creep", tn_read(TENON_SOURCE_DIR "/tests/conformance/creep/creep.c"));
    check_model_with(
        BODIES
        "[[element]]\nname = 'c'\ntype = 'creep'\nmarkers = ['a', 'tip']\nstiffness = '50 + 3*u*VARVAL(h)'\n"
        "time_constant = '1 + 0.1*DX(b)'\nsoftening = 0.3\ndamping = '2 + u'\n"
        "[[element]]\nname = 'h'\ntype = 'reference_variable'\nintegral = true\n"
        "expression = 'SFORCE(c, 0, 2) - VARVAL(h)'\n"
        "[[sensor]]\nname = 'f'\nexpression = 'SFORCE(c, 1, 1)'\n"
        "[[sensor]]\nname = 'x'\nelement = 'c'\noutput = 'spring'\n",
        "creep", plugin, 1);
}

/* Rates of named positions: second derivatives of functions of coordinates. */
static void test_positions_and_their_rates(void **state)
{
    (void)state;
    check_model(
        BODIES
        "[[element]]\nname = 'hinge'\ntype = 'revolute'\nmarkers = ["
        "{ element = 'a', position = [0.5, 0, 0] }, { element = 'b', position = [-0.5, -0.4, -0.2] }]\n"
        "[[element]]\nname = 'm'\ntype = 'reference_variable'\nexpression = 'DM(tip, a)*COORD(hinge)'\n"
        "[[sensor]]\nname = 'p'\nmarker = 'tip'\noutput = 'position'\n"
        "[[sensor]]\nname = 'd'\nexpression = 'DX(tip, a, a)*DM(tip, a)'\n"
        "[[sensor]]\nname = 'o'\nexpression = 'SIN(VARVAL(m)) + YAW(tip, a)'\n"
        "[solver]\ntype = 'linearise'\nstates = ['hinge.angle', 'p.y', 'd', 'o']\n",
        3 + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sensors_of_the_motion), cmocka_unit_test(test_sensors_of_forces),
        cmocka_unit_test(test_states_of_elements), cmocka_unit_test(test_positions_and_their_rates)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
