/* test_linearisation.c - the pieces of linearised equations (tenon/draft/linearisation.h) against differences, in own axes and in still
 * ones */
#include "states.h"

#include <tenon/draft/linearisation.h>

#include <math.h>

#define BICYCLE TENON_SOURCE_DIR "/configs/seeds/bicycle.toml"

typedef struct linear {
    tn_world world;
    tn_system *system;
    const tn_linearisation *table;
    double *q, *increment, *above, *below;
} linear;

static void open_linear(linear *l, const char *model)
{
    tn_world_open(&l->world, model, NULL, NULL);
    l->system = l->world.system;
    l->table = l->system->extension(l->system, TN_LINEARISATION_KEY);
    assert_non_null(l->table);
    assert_int_equal(l->table->struct_size, sizeof *l->table);
    const size_t most = l->system->nq + l->system->nv + l->system->rows + l->system->nx + 1;
    l->q = tn_numbers(most);
    l->increment = tn_numbers(most);
    l->above = tn_numbers(most);
    l->below = tn_numbers(most);
}

static void close_linear(linear *l)
{
    free(l->q);
    free(l->increment);
    free(l->above);
    free(l->below);
    tn_world_close(&l->world);
}

static double entry(const tn_sparse *A, uint32_t row, uint32_t column)
{
    for (int32_t e = A->column_start[column]; e < A->column_start[column + 1]; e++)
        if ((uint32_t)A->row[e] == row) return A->value[e];
    return 0.0;
}

/* Any state, accelerations and multipliers, near the start. */
static void draw(linear *l, unsigned seed)
{
    tn_system *system = l->system;
    srand(seed);
#define SOME ((double)rand() / RAND_MAX - 0.5)
    for (uint32_t i = 0; i < system->nv; i++) {
        l->increment[i] = 0.2 * SOME;
        system->v[i] += 2.0 * SOME;
        system->a[i] = 3.0 * SOME;
    }
    for (uint32_t r = 0; r < system->rows; r++)
        system->lambda[r] = 100.0 * SOME;
    assert_int_equal(system->retract(system, system->q, l->increment, system->q), TN_OK);
    memset(l->increment, 0, system->nv * sizeof(double));
}

/* ---- differences ------------------------------------------------------------------------------------------- */

/* M a - f - G^T lambda, then the values of velocity rows. */
static void measure(const linear *l, double *value)
{
    tn_system *system = l->system;
    assert_int_equal(system->evaluate(system), TN_OK);
    assert_int_equal(system->residual(system, system->a, value), TN_OK);
    assert_int_equal(system->constraint_rate(system, value + system->nv), TN_OK);
}

static void move(linear *l, bool of_q, uint32_t j, double h)
{
    tn_system *system = l->system;
    if (!of_q) {
        system->v[j] += h;
        return;
    }
    l->increment[j] = h;
    assert_int_equal(system->retract(system, l->q, l->increment, system->q), TN_OK);
    l->increment[j] = 0.0;
}

static void differentiate(linear *l, bool of_q, uint32_t j)
{
    tn_system *system = l->system;
    const double h = 1e-5, before = system->v[j];
    memcpy(l->q, system->q, system->nq * sizeof(double));
    move(l, of_q, j, h);
    measure(l, l->above);
    if (!of_q) system->v[j] = before;
    move(l, of_q, j, -h);
    measure(l, l->below);
    if (!of_q) system->v[j] = before;
    memcpy(system->q, l->q, system->nq * sizeof(double));
    for (uint32_t i = 0; i < system->nv + system->rows; i++)
        l->above[i] = (l->above[i] - l->below[i]) / (2.0 * h);
}

static double largest_of(const tn_sparse *A)
{
    double largest = 0.0;
    for (int32_t e = 0; e < A->column_start[A->columns]; e++)
        largest = fmax(largest, fabs(A->value[e]));
    return largest;
}

static void check_column(const linear *l, const char *name, const tn_sparse *A, uint32_t j,
                         const double *column)
{
    const double largest = largest_of(A);
    for (uint32_t i = 0; i < A->rows; i++)
        if (!(fabs(entry(A, i, j) - column[i]) <= 1e-7 * fmax(largest, 1.0)))
            fail_msg("%s(%u, %u) is %.12g, by differences %.12g; the largest is %.3g", name, i, j,
                     entry(A, i, j), column[i], largest);
    (void)l;
}

static void check_velocity_rows(const linear *l, const tn_sparse *A, const char *name, uint32_t j)
{
    const double largest = largest_of(A), *column = l->above + l->system->nv;
    for (uint32_t r = 0; r < l->system->rows; r++)
        if (l->system->row_level[r] == TN_VELOCITY_ROW &&
            !(fabs(entry(A, r, j) - column[r]) <= 1e-7 * fmax(largest, 1.0)))
            fail_msg("%s(%u, %u) is %.12g, by differences %.12g", name, r, j, entry(A, r, j), column[r]);
}

static void check_model(const char *model)
{
    linear l;
    open_linear(&l, model);
    draw(&l, 7);
    assert_int_equal(l.table->find(l.system, TN_OWN_AXES), TN_OK);
    for (uint32_t j = 0; j < l.system->nv; j++) {
        differentiate(&l, true, j);
        check_column(&l, "K", &l.table->stiffness, j, l.above);
        check_velocity_rows(&l, &l.table->row_slopes, "L", j);
        differentiate(&l, false, j);
        check_column(&l, "D", &l.table->damping, j, l.above);
        check_velocity_rows(&l, &l.table->rows, "A", j);
    }
    assert_null(l.table->inexact(l.system, 0, NULL));
    close_linear(&l);
}

static void test_rolling_wheels(void **state)
{
    (void)state;
    check_model(tn_read(BICYCLE));
}

static void test_joints_and_forces(void **state)
{
    (void)state;
    check_model(
        "[model]\ngravity = [0, 0, -9.81]\n[[element]]\nname = 'a'\ntype = 'rigid_body'\nmass = 2\n"
        "inertia = [1, 2, 2.5]\nposition = [1, 0, 0]\nangular_velocity = [1, 2, 3]\n"
        "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 2, 2.5]\n"
        "position = [2, 0.1, 0]\n[[element]]\nname = 'hinge'\ntype = 'revolute'\n"
        "markers = ['ground', { element = 'a', position = [-1, 0, 0] }]\n[[element]]\nname = 'ball'\n"
        "type = 'spherical'\nmarkers = [{ element = 'a', position = [0.5, 0, 0] }, { element = 'b', "
        "position = [-0.5, -0.1, 0] }]\n[[element]]\nname = 'bush'\ntype = 'linear_bushing'\n"
        "markers = ['ground', 'b']\nstiffness = [100, 200, 300, 1000, 2000, 3000]\n"
        "damping = [1, 2, 3, 10, 20, 30]\n"
        "[[element]]\nname = 'rod'\ntype = 'distance'\nmarkers = [{ element = 'ground', position = [0, 3, "
        "0] }, { element = 'b', position = [0.3, 0.2, 0.1] }]\n[solver]\ntype = 'rk'\nend_time = 1\nstep "
        "= 0.1\n");
}

/* Masses that change with the configuration, where accelerations count; a constraint that is an expression. */
static void test_changing_masses_and_expressions(void **state)
{
    (void)state;
    const char *plugin = tn_build_text(
        "double_pendulum", tn_read(TENON_SOURCE_DIR "/tests/conformance/double_pendulum/double_pendulum.c"));
    check_model(tn_format(
        "[plugins]\ndouble_pendulum = '%s'\n[model]\ngravity = [0.5, -9.81, 0]\n"
        "[[element]]\nname = 'pendulum'\ntype = 'double_pendulum'\nmass = [2, 1.5]\ninertia = [0.2, 0.1]\n"
        "length = [1, 0.8]\nangle = [0.3, -0.8]\nrate = [1, -0.5]\n"
        "[[marker]]\nname = 'tip'\ntype = 'frame'\nelement = 'pendulum'\nposition = [0.8, 0.1, 0]\n"
        "[[element]]\nname = 'load'\ntype = 'rigid_body'\nmass = 0.4\ninertia = [0.1, 0.1, 0.15]\n"
        "position = [1.5, -0.6, 0]\n[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['tip', "
        "'load']\n"
        "stiffness = 30\ndamping = 0.3\nreference_length = 0.5\n[[element]]\nname = 'path'\n"
        "type = 'reference_variable'\nexpression = 'DZ(load) - 0.2*SIN(DX(load)*DY(tip))'\nimplicit = true\n"
        "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n",
        plugin));
}

/* A velocity row whose offset changes with the position: a river, in which a boat is carried along. */
static const char river[] =
    "#include <tenon/author.h>\n#define RIVER(P)\nTN_PARAMETERS(river, RIVER)\n"
    "TN_CONSTRAINT(river)\n{\n    const tn_vec3 aside = tn_axis(marker[0].rotation, 1);\n"
    "    const tn_real x = marker[0].position.e[0], y = marker[0].position.e[1];\n"
    "    row[0] = tn_dot(aside, marker[0].velocity) - 0.3 * x * y - 0.2 * y * y;\n"
    "    return TN_OK;\n}\n#if TN_VALUES\n"
    "static tn_status river_layout(const tn_host *host, const void *instance, tn_layout *layout)\n"
    "{\n    (void)host, (void)instance;\n    layout->velocity_rows = 1;\n    return TN_OK;\n}\n"
    "TN_PORTS(river, {\"markers\", \"boat\", TN_FRAME, 1, 1, 0})\n"
    "TN_ELEMENT(river, .summary = \"a river\", .formula = \"see its source\",\n"
    "           TN_CAPABILITIES(TN_HAS_CONSTRAINT(river)), .ports = river_ports, .layout = "
    "river_layout)\nTN_LIBRARY(\"river\", \"1.0.0\", \"Apache-2.0\", \"a river\", {TN_ELEMENT_KIND, "
    "&river_type})\n#endif\n";

static void test_offsets_of_velocity_rows(void **state)
{
    (void)state;
    check_model(tn_format(
        "[plugins]\nriver = '%s'\n[[element]]\nname = 'boat'\ntype = 'rigid_body'\nmass = 2\n"
        "inertia = [1, 2, 2.5]\nposition = [1, 0.7, 0.3]\n[[element]]\nname = 'stream'\ntype = 'river'\n"
        "markers = [{ element = 'boat', position = [0.1, 0.2, 0.3] }]\n[solver]\ntype = 'rk'\n"
        "end_time = 1\nstep = 0.1\n",
        tn_build_text("river", river)));
}

/* A velocity row that turns with time: how its offset changes is not known apart from that. */
static void test_rows_that_depend_on_time_are_named(void **state)
{
    (void)state;
    linear l;
    const char
        *why = "",
        *turning = tn_build_text(
            "turning",
            "#include <tenon/author.h>\n#define TURNING(P)\nTN_PARAMETERS(turning, TURNING)\n"
            "TN_CONSTRAINT(turning)\n{\n    const tn_vec3 v = marker[0].velocity;\n"
            "    row[0] = v.e[0] * tn_cos(tn_time(context)) + v.e[1] * tn_sin(tn_time(context));\n    return "
            "TN_OK;\n}\n"
            "#if TN_VALUES\nstatic tn_status turning_layout(const tn_host *host, const void *instance, "
            "tn_layout *layout)\n{\n    (void)host, (void)instance;\n    layout->velocity_rows = 1;\n"
            "    return TN_OK;\n}\nTN_PORTS(turning, {\"markers\", \"point\", TN_POINT, 1, 1, 0})\n"
            "TN_ELEMENT(turning, .summary = \"turning\", .formula = \"see its source\",\n"
            "           TN_CAPABILITIES(TN_HAS_CONSTRAINT(turning)), .ports = turning_ports, .layout = "
            "turning_layout)\nTN_LIBRARY(\"turning\", \"1.0.0\", \"Apache-2.0\", \"turning\", "
            "{TN_ELEMENT_KIND, &turning_type})\n#endif\n");
    open_linear(&l, tn_format("[plugins]\nturning = '%s'\n[[element]]\nname = 'm'\ntype = 'mass_point'\n"
                              "mass = 2\n[[element]]\nname = 'blade'\ntype = 'turning'\nmarkers = ['m']\n"
                              "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n",
                              turning));
    assert_int_equal(l.table->find(l.system, TN_OWN_AXES), TN_OK);
    assert_string_equal(l.table->inexact(l.system, 0, &why), "blade");
    assert_non_null(strstr(why, "depend on time"));
    assert_null(l.table->inexact(l.system, 1, &why));
    close_linear(&l);
}

/* ---- states ------------------------------------------------------------------------------------------------ */

/* Forces and rates that read integrals, directly and by way of others; one that reads no motion; an element with a state of its own,
 * and a parameter that reads an integral. */
static const char states_model[] =
    "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 2\nposition = [1, 0.2, 0.1]\nvelocity = [1, 0, 2]\n"
    "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 2, 2.5]\nposition = [2, 0.1, 0]\n"
    "angular_velocity = [1, 2, 3]\n"
    "[[element]]\nname = 'i'\ntype = 'reference_variable'\nexpression = 'DX(m)*VARVAL(j) - 2*VARVAL(i)'\n"
    "integral = true\ninitial_value = 0.3\n"
    "[[element]]\nname = 'j'\ntype = 'reference_variable'\nexpression = '1 - VARVAL(j)**2 + 0.1*VARVAL(k)'\n"
    "integral = true\ninitial_value = 0.4\n"
    "[[element]]\nname = 'k'\ntype = 'reference_variable'\nexpression = 'VARVAL(u)*WZ(b)'\nintegral = true\n"
    "initial_value = 0.2\n"
    "[[element]]\nname = 'u'\ntype = 'reference_variable'\nexpression = 'SIN(VARVAL(i)) + VY(m)*DZ(b)'\n"
    "[[element]]\nname = 'drive'\ntype = 'force'\nmarkers = ['m']\nvalue = ['VARVAL(u) + DY(m)', "
    "'VARVAL(j)', '3*VARVAL(k)*VX(m)']\n"
    "[[element]]\nname = 'motor'\ntype = 'torque'\nmarkers = ['b']\nvalue = [0, 'VARVAL(j)', "
    "'VARVAL(i)*DX(m)']\n"
    "[[element]]\nname = 'c'\ntype = 'creep'\nmarkers = ['m', { element = 'b', position = [0.1, 0.2, 0.3] "
    "}]\n"
    "stiffness = '100 + 3*VARVAL(i)*DZ(m)'\ntime_constant = 0.7\ndamping = '5*VARVAL(j)'\nsoftening = 0.3\n"
    "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n";

/* The residual, then the rates of states. */
static void measure_states(const linear *l, double *value)
{
    tn_system *system = l->system;
    assert_int_equal(system->evaluate(system), TN_OK);
    assert_int_equal(system->residual(system, system->a, value), TN_OK);
    memcpy(value + system->nv, system->x_rate, l->table->states * sizeof *value);
}

/* The derivative along coordinate j of q, of v, or of x. */
static void differentiate_states(linear *l, int kind, uint32_t j)
{
    tn_system *system = l->system;
    const double h = 1e-5;
    double *number = kind == 1 ? &system->v[j] : &system->x[j];
    const double before = kind ? *number : 0.0;
    memcpy(l->q, system->q, system->nq * sizeof(double));
    for (int side = 0; side < 2; side++) {
        if (kind)
            *number = before + (side ? -h : h);
        else
            move(l, true, j, side ? -h : h);
        measure_states(l, side ? l->below : l->above);
    }
    if (kind)
        *number = before;
    else
        memcpy(system->q, l->q, system->nq * sizeof(double));
    for (uint32_t i = 0; i < system->nv + l->table->states; i++)
        l->above[i] = (l->above[i] - l->below[i]) / (2.0 * h);
}

static void check_close(const char *what, uint32_t row, uint32_t column, double exact, double found)
{
    if (!(fabs(exact - found) <= 1e-7 * fmax(1.0, fabs(exact))))
        fail_msg("%s(%u, %u) is %.12g, by differences %.12g", what, row, column, exact, found);
}

/* F, R and H, all of them exact. */
static void check_states(const char *model, uint32_t expected)
{
    linear l;
    open_linear(&l, model);
    const uint32_t nv = l.system->nv, n = l.table->states;
    assert_int_equal(n, expected);
    draw(&l, 11);
    assert_int_equal(l.table->find(l.system, TN_OWN_AXES), TN_OK);
    for (uint32_t j = 0; j < nv; j++)
        for (uint32_t kind = 0; kind < 2; kind++) {
            differentiate_states(&l, (int)kind, j);
            for (uint32_t k = 0; k < n; k++)
                check_close("R", k, kind * nv + j, l.table->rate_by_motion[k * 2 * nv + kind * nv + j],
                            l.above[nv + k]);
        }
    double largest = 0.0;
    for (uint32_t j = 0; j < n; j++) {
        differentiate_states(&l, 2, j);
        for (uint32_t k = 0; k < n; k++)
            check_close("H", k, j, l.table->rate_by_state[k * n + j], l.above[nv + k]);
        for (uint32_t i = 0; i < nv; i++) {
            check_close("F", i, j, l.table->force_by_state[i * n + j], -l.above[i]);
            largest = fmax(largest, fabs(l.above[i]));
        }
    }
    assert_true(largest > 0.1);
    assert_null(l.table->inexact(l.system, 0, NULL));
    close_linear(&l);
}

static const char *build_creep(void)
{
    return tn_build_text("creep", tn_read(TENON_SOURCE_DIR "/tests/conformance/creep/creep.c"));
}

static void test_states_of_values_and_elements(void **state)
{
    (void)state;
    check_states(tn_format("[plugins]\ncreep = '%s'\n%s", build_creep(), states_model), 5);
}

/* A filter has states, and no force: x' = (signal - x) / tau. */
static const char filter[] =
    "#include <tenon/author.h>\n#define FILTER(P) \\\n"
    "    P(REAL, signal, \"\", TN_DYNAMIC, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, \"what is filtered\") \\\n"
    "    P(REAL, tau, \"s\", TN_DYNAMIC, 0.5, 1e-9, TN_UNBOUNDED, \"its time constant\")\n"
    "TN_PARAMETERS(filter, FILTER)\nTN_RATES(filter, TN_POINT, 1)\n{\n    (void)marker;\n"
    "    rate[0] = (self->signal - x[0]) / self->tau;\n    return TN_OK;\n}\n#if TN_VALUES\n"
    "static tn_status filter_layout(const tn_host *host, const void *instance, tn_layout *layout)\n"
    "{\n    (void)host, (void)instance;\n    layout->nx = 1;\n    return TN_OK;\n}\n"
    "TN_PORTS(filter, {\"markers\", \"where it stands\", TN_POINT, 1, 1, 0})\n"
    "TN_ELEMENT(filter, .summary = \"a filter\", .formula = \"see its source\",\n"
    "           TN_CAPABILITIES(TN_HAS_RATES(filter)), .ports = filter_ports, .layout = filter_layout)\n"
    "TN_LIBRARY(\"filter\", \"1.0.0\", \"Apache-2.0\", \"a filter\", {TN_ELEMENT_KIND, "
    "&filter_type})\n#endif\n";

/* States of elements without forces, which read integrals and motions; forces of elements with states, which others read; an element
 * that is not active. */
static void test_states_without_forces_and_forces_that_are_read(void **state)
{
    (void)state;
    check_states(
        tn_format(
            "[plugins]\nfilter = '%s'\ncreep = '%s'\n%s[[element]]\nname = 'f'\ntype = 'filter'\n"
            "markers = ['m']\nsignal = 'VARVAL(i)*DX(m) + VY(m)'\ntau = '1 + VARVAL(j)**2'\n[[element]]\n"
            "name = 'load'\ntype = 'reference_variable'\nexpression = 'SFORCE(c, 1, 2) - VARVAL(load)'\n"
            "integral = true\n[[element]]\nname = 'felt'\ntype = 'force'\nmarkers = ['b']\n"
            "value = ['0.3*SFORCE(c, 1, 3)', 0, 'VARVAL(load)']\n[[element]]\nname = 'away'\n"
            "type = 'creep'\nmarkers = ['ground', 'b']\nstiffness = '20 + VARVAL(j)'\nactive = false\n",
            tn_build_text("filter", filter), build_creep(), states_model),
        9);
}

/* ---- still axes -------------------------------------------------------------------------------------------- */

static void check_equal(const char *name, const tn_sparse *A, double *kept)
{
    const double largest = largest_of(A);
    for (int32_t e = 0; e < A->column_start[A->columns]; e++)
        if (!(fabs(A->value[e] - kept[e]) <= 1e-12 * largest))
            fail_msg("entry %d of %s is %.15g, and %.15g behind a turn", e, name, kept[e], A->value[e]);
    free(kept);
}

static double *copy_of(const tn_sparse *A)
{
    const size_t count = (size_t)A->column_start[A->columns];
    double *copy = tn_numbers(count);
    memcpy(copy, A->value, count * sizeof *copy);
    return copy;
}

/* The wheels of a bicycle that rolls straight ahead have turned: the equations are the same, in still axes only. */
static void test_equations_do_not_turn_with_wheels(void **state)
{
    (void)state;
    linear l;
    open_linear(&l, tn_read(BICYCLE));
    memset(l.system->v, 0, l.system->nv * sizeof(double));
    for (uint32_t body = 0; body < 4; body++)
        l.system->v[6 * body] = 4.6;
    l.system->v[16] = 4.6 / 0.3; // the rear wheel, then the front one, about their axles
    l.system->v[22] = 4.6 / 0.35;
    const tn_sparse *const part[] = {&l.table->mass, &l.table->damping,    &l.table->stiffness,
                                     &l.table->rows, &l.table->row_slopes, &l.table->reactions};
    static const char *const names[] = {"M", "D", "K", "G", "L", "B"};
    double *kept[6];
    assert_int_equal(l.table->find(l.system, TN_STILL_AXES), TN_OK);
    for (int k = 0; k < 6; k++)
        kept[k] = copy_of(part[k]);
    assert_true(largest_of(&l.table->transport) == 0.0);
    l.increment[16] = 0.7;
    l.increment[22] = -1.1;
    assert_int_equal(l.system->retract(l.system, l.system->q, l.increment, l.system->q), TN_OK);
    assert_int_equal(l.table->find(l.system, TN_STILL_AXES), TN_OK);
    for (int k = 0; k < 6; k++)
        check_equal(names[k], part[k], kept[k]);
    assert_int_equal(l.table->find(l.system, TN_OWN_AXES), TN_OK);
    assert_true(largest_of(&l.table->transport) > 10.0);
    close_linear(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rolling_wheels),
                                       cmocka_unit_test(test_joints_and_forces),
                                       cmocka_unit_test(test_changing_masses_and_expressions),
                                       cmocka_unit_test(test_offsets_of_velocity_rows),
                                       cmocka_unit_test(test_rows_that_depend_on_time_are_named),
                                       cmocka_unit_test(test_states_of_values_and_elements),
                                       cmocka_unit_test(test_states_without_forces_and_forces_that_are_read),
                                       cmocka_unit_test(test_equations_do_not_turn_with_wheels)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
