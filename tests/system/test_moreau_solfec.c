/* test_moreau_solfec.c - the solver by impulses on Solfec's cases, under every constraint solver: against independent integrations
 * (tests/reference/solfec), and no worse than Solfec-1.0 with the same step (the table there) */
#include "promises.h"
#include "reference.h"

#include <math.h>

#define SOLFEC TENON_SOURCE_DIR "/tests/reference/solfec/"
#define SEEDS TENON_SOURCE_DIR "/configs/seeds/solfec_"

static const char *const constraint_solvers[] = {
    "'direct'", "'projected_newton'", "'gauss_seidel'",
    "{ type = 'gauss_seidel', joints = 'swept', tolerance = 1e-12 }", "{ type = 'admm', tolerance = 1e-9 }"};
enum { DIRECT, PROJECTED_NEWTON, GAUSS_SEIDEL, SWEPT, ADMM, CONSTRAINT_SOLVERS };

/* A run that neither fails nor warns; every step is recorded. */
static const tn_csv_table *run(const char *model, int solver, double step, double end)
{
    const char *text =
        tn_format("%s[[sensor]]\nname = 'energy'\nsystem = 'total_energy'\n[solver]\ntype = 'moreau'\n"
                  "step = %.17g\nend_time = %.17g\nconstraint_solver = %s\n",
                  model, step, end, constraint_solvers[solver]);
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("model.toml", text), "--quiet", "--out", results));
    if (outcome.status != 0 || outcome.errors[0])
        fail_msg("%s: exit %d: %s", constraint_solvers[solver], outcome.status, outcome.errors);
    return tn_sensors(results);
}

static double at(const tn_csv_table *t, size_t row, const char *column)
{
    return tn_csv_value(t, row, tn_column_of(t, column));
}

static double spread(const tn_csv_table *t, const char *column)
{
    double largest = 0.0;
    for (size_t row = 0; row < t->rows; row++)
        largest = fmax(largest, fabs(at(t, row, column) - at(t, 0, column)));
    return largest;
}

static void no_more(const char *what, int solver, double step, double found, double most)
{
    if (!(found <= most))
        fail_msg("%s with %s at %g s: %.3g, not below %.3g", what, constraint_solvers[solver], step, found,
                 most);
}

/* ---- cases with a reference ---------------------------------------------------------------------------------- */

/* The largest error of columns whose names begin with `columns`; of R in the middle of steps, by the means of two of them. */
static double error_of(const tn_csv_table *t, const char *file, const char *columns, double step)
{
    tn_csv_table reference;
    double worst = 0.0;
    size_t compared = 0;
    assert_true(tn_csv_read(file, &reference, stderr));
    for (size_t k = 1; k < reference.columns; k++) {
        const char *name = reference.name[k];
        if (strncmp(name, columns, strlen(columns)) != 0) continue;
        for (size_t row = 0; row < reference.rows; row++, compared++) {
            const double time = tn_csv_value(&reference, row, 0);
            const double before = tn_value_at(t, name, time),
                         value = name[0] == 'R' ? 0.5 * (before + tn_value_at(t, name, time + step)) : before;
            const double error = fabs(value - tn_csv_value(&reference, row, k));
            worst = fmax(worst, isfinite(error) ? error : HUGE_VAL);
        }
    }
    assert_true(compared > 0);
    return worst;
}

/* Quantities: a column of the reference, or what has to stay as it is (`energy`, `length`) or zero (`gap`). */
typedef struct bound {
    const char *quantity;
    double solfec, own; /* its error; and what is allowed, which is less, or 1e-9 of the size */
} bound;

static const struct {
    const char *name;
    double step, end;
    bound bound[5];
} cases[] = {
    /* C1, C2 */
    {"pinned_bar",
     1e-3,
     2,
     {{"p", 4.5e-7, 1e-11}, {"w", 1.9e-5, 1e-10}, {"R", 1.5e-4, 1e-6}, {"energy", 3.2e-9, 1e-12}}},
    {"link_pendulum",
     1e-2,
     10,
     {{"p", 1.2e-3, 3e-6}, {"R", 0.43, 1e-2}, {"length", 1e-9, 1e-9}, {"energy", 3.7e-3, 1e-5}}},
    {"link_pendulum",
     1e-3,
     10,
     {{"p", 1.2e-5, 1e-9}, {"R", 0.056, 1e-4}, {"length", 2.4e-9, 1e-11}, {"energy", 3.7e-5, 1e-9}}},
    /* C8, C9 */
    {"box_pendulum",
     5e-4,
     10,
     {{"p", 8.6e-6, 1e-9}, {"w", HUGE_VAL, 1e-9}, {"R", HUGE_VAL, 1e-2}, {"energy", 4e-9, 2e-9}}},
    {"two_boxes",
     2e-3,
     5,
     {{"b", 1.4e-3, 1e-6}, {"R", 87, 2}, {"gap", 5.4e-5, 1e-9}, {"energy", 4.2e-5, 4.2e-5}}},
    {"two_boxes",
     1e-3,
     5,
     {{"b", 3.4e-4, 1e-7}, {"R", 62, 0.5}, {"gap", 1.4e-5, 1e-10}, {"energy", 2.8e-5, 5e-6}}},
    {"two_boxes",
     5e-4,
     5,
     {{"b", 8.7e-5, 1e-8}, {"R", 7.3, 0.1}, {"gap", 3.4e-6, 1e-10}, {"energy", 5e-7, 5e-7}}},
    /* C11 */
    {"driven_pendulum", 1e-3, 2, {{"p", 2.4e-3, 1e-9}, {"w", HUGE_VAL, 1e-8}, {"R", HUGE_VAL, 2e-2}}},
    /* C12 */
    {"two_bodies_on_spring", 1e-2, 5, {{"b.", 2.0e-3, 2e-4}, {"b_damped", 2.0e-4, 1e-4}}},
    {"two_bodies_on_spring", 1e-3, 5, {{"b.", 2.0e-5, 2e-6}, {"b_damped", 2.0e-6, 1e-6}}},
    /* C14, of which Solfec's errors are not known */
    {"spring_direction_fixed",
     1e-3,
     2,
     {{"c", HUGE_VAL, 1e-5}, {"p", HUGE_VAL, 1e-5}, {"w", HUGE_VAL, 1e-4}}},
    {"spring_direction_first",
     1e-3,
     2,
     {{"c", HUGE_VAL, 1e-4}, {"p", HUGE_VAL, 1e-4}, {"w", HUGE_VAL, 2e-3}}},
    /* C16, behind its landing; and a chain */
    {"shock_absorber", 1e-3, 0.5, {{"d", 1.4e-3, 1e-5}, {"v", HUGE_VAL, 1e-3}}},
    {"driven_chain", 1e-3, 3, {{"first", HUGE_VAL, 1e-9}, {"last", HUGE_VAL, 1e-8}, {"R", HUGE_VAL, 1e-3}}},
};
enum { CASES = sizeof cases / sizeof *cases };

static double measure(const tn_csv_table *t, size_t c, const char *quantity)
{
    if (strcmp(quantity, "energy") == 0 || strcmp(quantity, "length") == 0) return spread(t, quantity);
    if (strcmp(quantity, "gap") == 0) return tn_largest_in(t, quantity);
    return error_of(t, tn_format(SOLFEC "%s.csv", cases[c].name), quantity, cases[c].step);
}

/* One step longer, for the means of reactions. */
static void cases_are_at_least_as_accurate_as_in_solfec(void **state)
{
    (void)state;
    for (size_t c = 0; c < CASES; c++)
        for (int s = 0; s < (TN_SANITIZED ? 2 : CONSTRAINT_SOLVERS); s++) {
            const char *model = tn_read(tn_format(SOLFEC "%s.toml", cases[c].name));
            const tn_csv_table *t = run(model, s, cases[c].step, cases[c].end + cases[c].step);
            for (const bound *b = cases[c].bound; b < cases[c].bound + 5 && b->quantity; b++) {
                assert_true(b->own <= b->solfec);
                no_more(tn_format("%s: %s", cases[c].name, b->quantity), s, cases[c].step,
                        measure(t, c, b->quantity), b->own);
            }
        }
}

/* Errors of order 4 of joints fall by 4096 where steps become an eighth, but for the passes that long steps take more; of springs, of order
 * 2, by 4 where steps are halved. */
static void errors_fall_by_their_order(void **state)
{
    (void)state;
    static const struct {
        const char *name, *quantity;
        double step, end, fine, least;
    } list[] = {{"pinned_bar", "p", 1e-2, 2, 0.125, 1e3},
                {"link_pendulum", "p", 1e-2, 10, 0.125, 1e3},
                {"box_pendulum", "p", 1e-2, 5, 0.125, 1e3},
                {"two_boxes", "b", 1e-2, 5, 0.125, 1e3},
                {"driven_pendulum", "p", 1e-2, 2, 0.125, 1e3},
                {"driven_chain", "last", 1e-2, 3, 0.125, 1e3},
                {"two_bodies_on_spring", "b", 2e-3, 5, 0.5, 3.7},
                {"spring_direction_fixed", "c", 2e-3, 2, 0.5, 3.7},
                {"spring_direction_first", "c", 2e-3, 2, 0.5, 3.7},
                {"shock_absorber", "d", 1e-3, 0.5, 0.5, 3.7}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        const char *model = tn_read(tn_format(SOLFEC "%s.toml", list[k].name)),
                   *file = tn_format(SOLFEC "%s.csv", list[k].name);
        const double h = list[k].step;
        const double coarse = error_of(run(model, DIRECT, h, list[k].end), file, list[k].quantity, h),
                     fine = error_of(run(model, DIRECT, list[k].fine * h, list[k].end), file,
                                     list[k].quantity, h);
        if (!(coarse / fine > list[k].least)) fail_msg("%s: %.3g, %.3g", list[k].name, coarse, fine);
    }
}

/* ---- models -------------------------------------------------------------------------------------------------- */

static const char *const seeds[] = {"double_pendulum", "driven_chain",       "link_pendulum",
                                    "pinned_bar",      "prescribed_motions", "two_bodies_on_spring"};
enum { MODELS = sizeof seeds / sizeof *seeds };

/* A model of configs/seeds with another table [solver], of which the end time stays. */
static const tn_csv_table *run_seed(const char *name, const char *solver)
{
    const char *text = tn_read(tn_format(SEEDS "%s.toml", name)), *begin = strstr(text, "[solver]\n");
    assert_true(begin != NULL);
    const char *end = strstr(begin, "end_time"), *behind = strstr(begin, "[output]");
    assert_true(end != NULL && behind != NULL);
    return tn_simulate(tn_format("%.*s[solver]\n%s\n%.*s%s", (int)(begin - text), text, solver,
                                 (int)(behind - end), end, behind),
                       NULL);
}

/* The expected results of the model; reactions are those of moreau. */
static void check_promises(const tn_csv_table *t, const char *name, double factor, double least,
                           bool reactions)
{
    const char *text = tn_read(tn_format(SEEDS "%s.toml", name));
    tn_promise promise;
    int count = 0;
    for (; tn_next_promise(&text, &promise); count++) {
        if (promise.column[0] == 'R' && !reactions) continue;
        const double error = fabs(tn_value_at(t, promise.column, promise.time) - promise.value);
        if (!(error <= fmax(factor * promise.tolerance, least)))
            fail_msg("%s: %s(%g s) is off by %.3g", name, promise.column, promise.time, error);
    }
    assert_true(count > 1);
}

static void models_have_their_expected_results_with_every_constraint_solver(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++)
        for (int s = 0; s < (TN_SANITIZED ? 1 : CONSTRAINT_SOLVERS); s++)
            check_promises(
                run_seed(seeds[m], tn_format("type = 'moreau'\nstep = %s\nconstraint_solver = %s",
                                             strcmp(seeds[m], "prescribed_motions") ? "1e-3" : "8e-3",
                                             constraint_solvers[s])),
                seeds[m], 1.0, 0.0, true);
}

static void models_run_under_solvers_of_all_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        double factor, least;
    } solvers[] = {{"type = 'radau'\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-12", 10.0, 1e-10},
                   {"type = 'rk'\nstep = 5e-4", 10.0, 0.0},
                   {"type = 'generalized_alpha'\nstep = 1e-3", 1.0, 5e-3}};
    for (int m = 0; m < MODELS; m++)
        for (int s = 0; s < 3; s++)
            check_promises(run_seed(seeds[m], solvers[s].keys), seeds[m], solvers[s].factor, solvers[s].least,
                           false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_are_at_least_as_accurate_as_in_solfec),
        cmocka_unit_test(errors_fall_by_their_order),
        cmocka_unit_test(models_have_their_expected_results_with_every_constraint_solver),
        cmocka_unit_test(models_run_under_solvers_of_all_kinds),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
