/* test_operators.c - the pieces of the equations that solvers may ask for (tenon/draft/operators.h), and a solver by impulses that uses
 * all of them: on a bouncing mass, a block on an incline, a rope and a chain */
#include "harness.h"

#include <tenon/draft/operators.h>

#include <math.h>

static const char *contact, *rope, *solver;

/* With exact derivatives. */
static const char *build_element(const char *name)
{
    return tn_build_text(name, tn_read(tn_format(TENON_SOURCE_DIR "/tests/system/plugins/%s.c", name)));
}

static int set_up(void **state)
{
    if (tn_scratch_open(state)) return 1;
    contact = build_element("floor_contact");
    rope = build_element("rope");
    solver = tn_build_test_plugin("impulse_euler");
    return contact && rope && solver ? 0 : 1;
}

#define MASS(position)                                                                                     \
    "[model]\ngravity = [0, 0, -10]\n[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 2\nposition " \
    "= " position "\n[[sensor]]\nname = 'p'\nelement = 'mass'\noutput = 'position'\n"
#define FLOOR(frame, law) \
    "[[element]]\nname = 'floor'\ntype = 'floor_contact'\nfloor = " frame "\npoint = 'mass'\n" law "\n"
#define INCLINE "{ element = 'ground', rotation = { axis = [0, 1, 0], angle = '30 [deg]' } }"
#define EULER(end, step) \
    "[output]\nstates = true\n[solver]\ntype = 'impulse_euler'\nend_time = " end "\nstep = " step "\n"

static const char *with_plugins(const char *model)
{
    return tn_format("[plugins]\nfloor_contact = '%s'\nrope = '%s'\nimpulse_euler = '%s'\n%s", contact, rope,
                     solver, model);
}

static tn_outcome run_model(const char *model, const char *word)
{
    const char *file = tn_write("model.toml", with_plugins(model));
    return tn_tenon(TN_WORDS("run", file, "--trust", "--quiet", "--out", "results", word));
}

static const tn_csv_table *simulate(const char *model)
{
    const tn_outcome run = run_model(model, NULL);
    if (run.status != 0 || run.errors[0]) fail_msg("exit %d: %s", run.status, run.errors);
    return tn_sensors(tn_scratch_path("results"));
}

static double largest(const tn_csv_table *table, const char *column, double from)
{
    const size_t place = tn_column_of(table, column);
    double found = -HUGE_VAL;
    for (size_t row = 0; row < table->rows; row++)
        if (table->value[row * table->columns] >= from)
            found = fmax(found, table->value[row * table->columns + place]);
    return found;
}

/* ---- the test solver ------------------------------------------------------------------------------------- */

/* From 1 m with restitution 1/2: it hits at sqrt(0.2) s, and comes up to 1/4 m, then to 1/16 m. */
static void a_mass_bounces_as_high_as_its_restitution_lets_it(void **state)
{
    (void)state;
    const tn_csv_table *t =
        simulate(MASS("[0, 0, 1]") FLOOR("'ground'", "restitution = 0.5") EULER("1.3", "1e-4"));
    assert_true(fabs(largest(t, "p.z", 0.5) - 0.25) < 4e-4);
    assert_true(fabs(largest(t, "p.z", 0.9) - 0.0625) < 4e-4);
    assert_true(fabs(tn_value_at(t, "p.z", 0.4) - 0.2) < 4e-4);
}

/* Without restitution it stays where it lands, and the floor carries it. */
static void a_mass_that_has_landed_rests(void **state)
{
    (void)state;
    const tn_csv_table *t = simulate(MASS("[0, 0, 0.2]") FLOOR("'ground'", "") EULER("1", "1e-3"));
    assert_true(fabs(tn_value_at(t, "p.z", 1.0)) < 1e-12);
    tn_csv_table states = {0};
    assert_true(tn_csv_read(tn_scratch_path("results/states.csv"), &states, stderr));
    assert_true(fabs(tn_value_at(&states, "floor.lambda0", 1.0) - 20.0) < 1e-9);
}

/* It slides by g (sin 30 - mu cos 30), where the method of Euler adds h/2 v; and stays where friction is enough. */
static void a_block_on_an_incline_slides_or_sticks(void **state)
{
    (void)state;
    const tn_csv_table *t = simulate(MASS("[0, 0, 0]") FLOOR(INCLINE, "friction = 0.3") EULER("1", "1e-3"));
    const double a = 10.0 * (0.5 - 0.3 * sqrt(0.75)), way = 0.5 * a * (1.0 + 1e-3);
    assert_true(fabs(tn_value_at(t, "p.x", 1.0) - way * sqrt(0.75)) < 1e-11);
    assert_true(fabs(tn_value_at(t, "p.z", 1.0) + way * 0.5) < 1e-11);
    t = simulate(MASS("[0, 0, 0]") FLOOR(INCLINE, "friction = 0.6") EULER("1", "1e-3"));
    assert_true(fabs(tn_value_at(t, "p.x", 1.0)) < 1e-12 && fabs(tn_value_at(t, "p.z", 1.0)) < 1e-12);
}

/* A mass falls 0.5 m until its rope is tight, hangs there, and swings on from the side. */
static void a_rope_holds_only_when_it_is_tight(void **state)
{
    (void)state;
    const tn_csv_table *t =
        simulate(MASS("[0, 0, -0.5]") "[[element]]\nname = 'rope'\ntype = 'rope'\nmarkers = "
                                      "['ground', 'mass']\nlength = 1\n" EULER("1", "1e-3"));
    assert_true(fabs(tn_value_at(t, "p.z", 0.2) + 0.5 + 0.2) < 2e-3); /* free fall */
    assert_true(fabs(tn_value_at(t, "p.z", 1.0) + 1.0) < 1e-9);
}

#define LINK(n, x, before, at)                                                                       \
    "[[element]]\nname = 'link" n                                                                    \
    "'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.09, 0.09]\nposition = [" x                 \
    ", 0, 0]\n[[element]]\nname = 'joint" n "'\ntype = 'spherical'\nmarkers = [{ element = '" before \
    "', position = [" at ", 0, 0] }, { element = 'link" n "', position = [-0.5, 0, 0] }]\n"
#define CHAIN                                                                                           \
    "[model]\ngravity = [0, 0, -10]\n" LINK("1", "0.5", "ground", "0") LINK("2", "1.5", "link1", "0.5") \
        LINK("3", "2.5", "link2", "0.5") "[[sensor]]\nname = 'p'\nelement = 'link3'\noutput = 'position'\n"

static double end_of_chain(const char *type, const char *step)
{
    const tn_csv_table *t =
        simulate(tn_format("%s[solver]\ntype = '%s'\nend_time = 0.5\nstep = %s\n", CHAIN, type, step));
    return tn_value_at(t, "p.x", 0.5);
}

/* Order 1: half the step, half the error. */
static void a_chain_moves_as_under_another_solver(void **state)
{
    (void)state;
    const double exact = end_of_chain("generalized_alpha", "1e-4");
    const double coarse = end_of_chain("impulse_euler", "1e-3") - exact,
                 fine = end_of_chain("impulse_euler", "5e-4") - exact;
    assert_true(fabs(coarse) < 0.02 && fabs(coarse) > 1e-6);
    assert_true(fabs(coarse / fine - 2.0) < 0.05);
}

static void the_guard_watches_operators(void **state)
{
    (void)state;
    const char *model = MASS("[0, 0, 1]") FLOOR("'ground'", "restitution = 0.5") EULER("0.6", "1e-3");
    const tn_csv_table *t = simulate(model);
    const double alone = tn_value_at(t, "p.z", 0.6);
    const tn_outcome run = run_model(model, "--guard");
    assert_int_equal(run.status, 0);
    assert_true(tn_value_at(tn_sensors(tn_scratch_path("results")), "p.z", 0.6) == alone);
}

/* ---- mistakes -------------------------------------------------------------------------------------------- */

static void check_refusal(const char *model, const char *const *words)
{
    const tn_outcome run = run_model(model, NULL);
    assert_int_not_equal(run.status, 0);
    tn_check_holds(run.errors, words);
}

static void solvers_that_take_rows_for_equations_are_refused(void **state)
{
    (void)state;
    check_refusal(
        MASS("[0, 0, 1]") FLOOR("'ground'", "") "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-3\n",
        TN_WORDS("model.toml:", "`rk` takes all constraints for equations", "`floor` (floor_contact)"));
}

static void coefficients_that_are_none_are_told(void **state)
{
    (void)state;
    check_refusal(MASS("[0, 0, 1]") FLOOR("'ground'", "friction = -1") EULER("1", "1e-3"),
                  TN_WORDS("`floor`", "its friction must be a number of at least 0"));
    check_refusal(MASS("[0, 0, 1]") FLOOR("'ground'", "restitution = 2") EULER("1", "1e-3"),
                  TN_WORDS("`floor`", "its restitution must be between 0 and 1"));
}

/* ---- the operators themselves ---------------------------------------------------------------------------- */

static void fill(tn_random *random, double *x, size_t count)
{
    for (size_t k = 0; k < count; k++)
        x[k] = tn_draw(random, -1.0, 1.0);
}

static double product_of(const double *x, const double *y, size_t count)
{
    double sum = 0.0;
    for (size_t k = 0; k < count; k++)
        sum += x[k] * y[k];
    return sum;
}

/* M^-1 M x = x, and M is block-diagonal by bodies. */
static void check_masses(tn_system *system, const tn_operators *o, tn_random *random)
{
    double *x = tn_new(system->nv, sizeof *x), *y = tn_new(system->nv, sizeof *y);
    fill(random, x, system->nv);
    assert_int_equal(o->mass_multiply(system, x, y), TN_OK);
    assert_int_equal(o->mass_solve(system, y), TN_OK);
    for (uint32_t j = 0; j < system->nv; j++)
        assert_true(fabs(x[j] - y[j]) < 1e-11);
    assert_true(o->body_start[0] == 0 && o->body_start[o->bodies] == system->nv);
    for (uint32_t b = 0; b < o->bodies; b++) {
        assert_true(o->body_start[b] < o->body_start[b + 1]);
        memset(x, 0, system->nv * sizeof *x);
        for (uint32_t j = o->body_start[b]; j < o->body_start[b + 1]; j++)
            x[j] = 1.0 + j;
        assert_int_equal(o->mass_multiply(system, x, y), TN_OK);
        for (uint32_t j = 0; j < system->nv; j++)
            assert_true(y[j] == 0.0 || (j >= o->body_start[b] && j < o->body_start[b + 1]));
    }
}

/* G x is what constraint_product() says; lambda . G x = x . G^T lambda; columns ascend. */
static void check_rows(tn_system *system, const tn_operators *o, tn_random *random)
{
    const size_t nv = system->nv, rows = system->rows;
    double *x = tn_new(nv, sizeof *x), *sum = tn_new(nv, sizeof *sum);
    double *Gx = tn_new(rows, sizeof *Gx), *other = tn_new(rows, sizeof *other),
           *lambda = tn_new(rows, sizeof *lambda);
    fill(random, x, nv);
    fill(random, lambda, rows);
    o->rows_multiply(system, x, Gx);
    system->constraint_product(system, x, other);
    for (size_t r = 0; r < rows; r++) {
        assert_true(fabs(Gx[r] - other[r]) < 1e-12 * (1.0 + fabs(Gx[r])));
        assert_true(o->row_kind[r] == TN_BILATERAL && o->row_start[r] < o->row_start[r + 1]);
        assert_non_null(o->owner_name(system, o->row_owner[r]));
        for (uint32_t e = o->row_start[r]; e + 1 < o->row_start[r + 1]; e++)
            assert_true(o->column[e] < o->column[e + 1] && o->column[e + 1] < nv);
    }
    o->rows_transposed_add(system, lambda, sum);
    assert_true(fabs(product_of(lambda, Gx, rows) - product_of(x, sum, nv)) < 1e-11 * (double)(rows + nv));
}

/* f alone, and with reactions: the difference is G^T lambda. */
static void check_forces(tn_system *system, const tn_operators *o, tn_random *random)
{
    double *force = tn_new(system->nv, sizeof *force), *gap = tn_new(system->rows, sizeof *gap),
           *rate = tn_new(system->rows, sizeof *rate), *other = tn_new(system->rows, sizeof *other);
    fill(random, system->lambda, system->rows);
    assert_int_equal(o->begin_step(system), TN_OK);
    memcpy(force, system->force, system->nv * sizeof *force);
    o->rows_transposed_add(system, system->lambda, force);
    assert_int_equal(o->row_values(system, gap, rate), TN_OK);
    assert_int_equal(system->constraint_rate(system, other), TN_OK);
    for (uint32_t r = 0; r < system->rows; r++)
        assert_true(other[r] == (o->row_kind[r] == TN_BILATERAL ? rate[r] : 0.0));
    assert_int_equal(system->evaluate(system), TN_OK);
    for (uint32_t j = 0; j < system->nv; j++)
        assert_true(fabs(force[j] - system->force[j]) < 1e-9 * (1.0 + fabs(force[j])));
}

/* Reactions of whole steps: v as by hand, and lambda the mean ones. */
static void check_step(tn_system *system, const tn_operators *o, tn_random *random)
{
    const size_t nv = system->nv, rows = system->rows;
    double *v = tn_new(nv, sizeof *v), *impulse = tn_new(rows, sizeof *impulse);
    assert_int_equal(o->begin_step(system), TN_OK);
    fill(random, impulse, rows);
    for (size_t j = 0; j < nv; j++)
        v[j] = 0.25 * system->force[j];
    o->rows_transposed_add(system, impulse, v);
    assert_int_equal(o->mass_solve(system, v), TN_OK);
    for (size_t j = 0; j < nv; j++)
        v[j] += system->v[j];
    assert_int_equal(o->end_step(system, impulse, 0.25), TN_OK);
    for (size_t j = 0; j < nv; j++)
        assert_true(fabs(v[j] - system->v[j]) < 1e-10 * (1.0 + fabs(v[j])));
    for (size_t r = 0; r < rows; r++)
        assert_true(system->lambda[r] == impulse[r] / 0.25);
}

static void operators_agree_with_the_equations(void **state)
{
    (void)state;
    static const char *const models[] = {
        "configs/benchmarks/chain.toml",        "configs/benchmarks/car.toml",
        "configs/benchmarks/slider_crank.toml", "configs/benchmarks/iftomm_a04_bricard.toml",
        "configs/seeds/mecanum.toml",           "configs/seeds/gear_rack_and_pinion.toml",
        "configs/seeds/bicycle.toml",           "configs/benchmarks/bushings.toml"};
    tn_random random = {20261124};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        tn_world world;
        tn_world_open(&world, tn_format("[include]\nfiles = ['%s/%s']\n", TENON_SOURCE_DIR, models[k]), NULL,
                      NULL);
        tn_world_open_linear(&world);
        tn_system *system = world.system;
        const tn_operators *o = system->extension(system, TN_OPERATORS_KEY);
        assert_non_null(o);
        assert_ptr_equal(o, system->extension(system, TN_OPERATORS_KEY));
        assert_null(system->extension(system, "tenon.operators/2"));
        for (uint32_t j = 0; j < system->nv; j++)
            system->v[j] += tn_draw(&random, -0.1, 0.1);
        assert_int_equal(o->begin_step(system), TN_OK);
        check_masses(system, o, &random);
        check_rows(system, o, &random);
        check_forces(system, o, &random);
        check_step(system, o, &random);
        tn_world_close(&world);
    }
}

#define BODY(name, place)                                                                   \
    "[[element]]\nname = '" name                                                            \
    "'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.3, 0.2, 0.1]\nposition = " place        \
    "\nrotation = { axis = [1, 2, 3], angle = 0.7 }\nangular_velocity = [0.4, -0.3, 0.9]\n" \
    "velocity = [0.3, 0.5, -0.2]\n"
#define CORNERS                                                                 \
    BODY("a", "[0, 0, 1]")                                                      \
    BODY("b", "[0.4, 1, 0.2]")                                                  \
    "[[element]]\nname = 'floor'\ntype = 'floor_contact'\nfloor = { element = " \
    "'a', position = [0.1, 0, 0.2] }\n"                                         \
    "point = { element = 'b', position = [0.2, -0.1, 0.3] }\nfriction = "       \
    "0.4\nrestitution = 0.2\n"                                                  \
    "[[element]]\nname = 'rope'\ntype = 'rope'\nlength = 3\nmarkers = [{ "      \
    "element = 'a', position = [0, 0.3, 0] }, "                                 \
    "{ element = 'b', position = [0.1, 0, 0] }]\n"                              \
    "[[element]]\nname = 'joint'\ntype = 'spherical'\nmarkers = ['ground', { "  \
    "element = 'a', position = [0, 0, 1] }]\n"

#define ALPHA "[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 1e-3\n" /* for its linear solver */

/* How the residuals change along v, by a central difference. */
static void differentiate_gaps(tn_system *system, const tn_operators *o, double *change)
{
    const double h = 1e-5;
    double *q = tn_new(system->nq, sizeof *q), *way = tn_new(system->nv, sizeof *way);
    double *gap = tn_new(system->rows, sizeof *gap), *rate = tn_new(system->rows, sizeof *rate);
    memcpy(q, system->q, system->nq * sizeof *q);
    for (int sign = -1; sign <= 1; sign += 2) {
        for (uint32_t j = 0; j < system->nv; j++)
            way[j] = sign * h * system->v[j];
        assert_int_equal(system->retract(system, q, way, system->q), TN_OK);
        assert_int_equal(o->begin_step(system), TN_OK);
        assert_int_equal(o->row_values(system, gap, rate), TN_OK);
        for (uint32_t r = 0; r < system->rows; r++)
            change[r] += sign * gap[r] / (2.0 * h);
    }
    memcpy(system->q, q, system->nq * sizeof *q);
    assert_int_equal(o->begin_step(system), TN_OK);
}

/* Rows of contacts are there for the operators; for all else they are 0, and their multipliers act. */
static void unilateral_rows_are_rows_for_operators_alone(void **state)
{
    (void)state;
    tn_world world;
    tn_world_open(&world, tn_format("%s" CORNERS ALPHA, with_plugins("")), NULL, NULL);
    tn_world_open_linear(&world);
    tn_system *system = world.system;
    const tn_operators *o = system->extension(system, TN_OPERATORS_KEY);
    assert_non_null(o);
    assert_int_equal(system->rows, 7);
    assert_int_equal(o->bodies, 2);
    double change[7] = {0.0}, gap[7], rate[7], other[7], product[7];
    differentiate_gaps(system, o, change);
    assert_int_equal(o->row_values(system, gap, rate), TN_OK);
    assert_int_equal(system->constraint_rate(system, other), TN_OK);
    o->rows_multiply(system, system->v, product);
    uint32_t cones = 0;
    for (uint32_t r = 0; r < system->rows; r++) {
        const bool bilateral = o->row_kind[r] == TN_BILATERAL;
        assert_true(fabs(rate[r] - product[r]) < 1e-12 && other[r] == (bilateral ? rate[r] : 0.0));
        if (system->row_level[r] == TN_POSITION_ROW) assert_true(fabs(change[r] - rate[r]) < 1e-8);
        if (system->row_level[r] == TN_VELOCITY_ROW) assert_true(gap[r] == 0.0 && fabs(rate[r]) > 1e-3);
        cones += o->row_kind[r] == TN_CONE_NORMAL;
        if (o->row_kind[r] >= TN_CONE_NORMAL) {
            assert_string_equal(o->owner_name(system, o->row_owner[r]), "floor");
            assert_true(o->friction[r] == 0.4 && o->restitution[r] == 0.2);
        }
    }
    assert_int_equal(cones, 1);

    /* v' with multipliers of contacts: those of the joint are found, these stay */
    tn_random random = {7};
    check_masses(system, o, &random);
    check_forces(system, o, &random);
    double lambda[7], a[12];
    memcpy(lambda, system->lambda, sizeof lambda);
    assert_int_equal(system->evaluate(system), TN_OK);
    assert_int_equal(system->accelerate(system, a), TN_OK);
    for (uint32_t r = 0; r < system->rows; r++)
        assert_true((o->row_kind[r] == TN_BILATERAL) == (system->lambda[r] != lambda[r]));
    double force[12];
    assert_int_equal(o->begin_step(system), TN_OK);
    memcpy(force, system->force, sizeof force);
    o->rows_transposed_add(system, system->lambda, force);
    assert_int_equal(o->mass_solve(system, force), TN_OK);
    for (uint32_t j = 0; j < system->nv; j++)
        assert_true(fabs(force[j] - a[j]) < 1e-9 * (1.0 + fabs(a[j])));
    tn_world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mass_bounces_as_high_as_its_restitution_lets_it),
        cmocka_unit_test(a_mass_that_has_landed_rests),
        cmocka_unit_test(a_block_on_an_incline_slides_or_sticks),
        cmocka_unit_test(a_rope_holds_only_when_it_is_tight),
        cmocka_unit_test(a_chain_moves_as_under_another_solver),
        cmocka_unit_test(the_guard_watches_operators),
        cmocka_unit_test(solvers_that_take_rows_for_equations_are_refused),
        cmocka_unit_test(coefficients_that_are_none_are_told),
        cmocka_unit_test(operators_agree_with_the_equations),
        cmocka_unit_test(unilateral_rows_are_rows_for_operators_alone),
    };
    return cmocka_run_group_tests_name("operators", tests, set_up, tn_scratch_close);
}
