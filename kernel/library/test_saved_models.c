/* test_saved_models.c - all models of configs/, under several solvers, saved at random moments and restored in other models */
#define _GNU_SOURCE
#include "library/test_library.h"
#include "library/test_models.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __SANITIZE_ADDRESS__ /* each step takes some ten times as long */
enum { STEPS = 12, MOMENTS = 4 };
#else
enum { STEPS = 30, MOMENTS = 10 };
#endif
enum { BEHIND = 4, MOST_VELOCITIES = 200 };

static size_t moments = MOMENTS; /* of STEPS at which a run is saved, about */

static const struct {
    const char *type; /* NULL: as the model says */
    const char *override[2];
} solvers[] = {{NULL, {NULL}},
               {"rk", {"solver.order=5", "solver.adaptive=true"}},
               {"rk", {NULL}},
               {"generalized_alpha", {NULL}},
               {"generalized_alpha", {"solver.adaptive=true", "solver.relative_tolerance=1e-5"}},
               {"gsl_ode", {"solver.stepper='rkf45'", "solver.adaptive=true"}},
               {"gsl_ode", {"solver.stepper='rk1imp'"}},
               {"radau", {"solver.tolerance=1e-5"}}};

/* Time, q, v and sensors. */
typedef struct moment {
    double *number;
    size_t count;
} moment;

static tenon_model *open_model(const char *path, size_t solver)
{
    tenon_options options = tn_test_options();
    tenon_model *model = NULL;
    options.solver = solvers[solver].type;
    options.overrides = solvers[solver].override;
    while (options.override_count < 2 && solvers[solver].override[options.override_count])
        options.override_count++;
    options.trust = 1;
    if (tenon_open_file(path, &options, &model) == TENON_OK) return model;
    tenon_close(model); /* that solver does not take this model */
    return NULL;
}

static moment look(tenon_model *model)
{
    tenon_sizes sizes = {.size = sizeof sizes};
    tn_test_good(model, tenon_sizes_of(model, &sizes));
    const size_t q = sizes.coordinates, v = sizes.velocities;
    moment now = {.count = 1 + q + v + tenon_sensor_count(model)};
    now.number = calloc(now.count, sizeof *now.number);
    assert_non_null(now.number);
    now.number[0] = tenon_time(model);
    tn_test_good(model, tenon_state(model, now.number + 1, now.number + 1 + q));
    tn_test_good(model, tenon_sensor_values(model, now.number + 1 + q + v));
    return now;
}

static void check_moment(tenon_model *model, const moment *known, const char *path, const char *what)
{
    moment now = look(model);
    if (now.count != known->count || memcmp(now.number, known->number, now.count * sizeof *now.number) != 0)
        fail_msg("%s: %s differs at %.17g s, %.17g s", path, what, now.number[0], known->number[0]);
    free(now.number);
}

static uint64_t chance = 7;

static size_t draw(size_t below)
{
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(chance >> 33) % below;
}

/* The states of a run that nobody saves; how many steps it has. */
static int follow(tenon_model *model, moment *trail)
{
    int steps = 0;
    trail[0] = look(model);
    while (steps < STEPS && tenon_step(model) == TENON_OK)
        trail[++steps] = look(model);
    return steps;
}

static void restore_and_step(tenon_model *model, const char *bytes, size_t size, const moment *trail,
                             int count, const char *path)
{
    tn_test_good(model, tenon_restore(model, bytes, size));
    for (int k = 0; k <= count; k++) {
        check_moment(model, &trail[k], path, "a restored run");
        if (k < count) tn_test_good(model, tenon_step(model));
    }
}

/* Whether the model could be run under that solver at all. */
static bool check_run(const char *path, size_t solver)
{
    moment trail[STEPS + 1];
    tenon_model *plain = open_model(path, solver);
    tenon_sizes sizes = {.size = sizeof sizes};
    if (!plain || tenon_sizes_of(plain, &sizes) != TENON_OK || sizes.velocities > MOST_VELOCITIES ||
        tenon_start(plain) != TENON_OK) {
        tenon_close(plain);
        return false;
    }
    const int steps = follow(plain, trail);
    tenon_model *model = open_model(path, solver), *other = open_model(path, solver);
    for (int k = 0; k < steps; k++) {
        if (draw(STEPS) < moments) {
            size_t size = 0;
            tn_test_good(model, tenon_save(model, NULL, 0, &size));
            char *bytes = malloc(size);
            assert_non_null(bytes);
            tn_test_good(model, tenon_save(model, bytes, size, &size));
            restore_and_step(other, bytes, size, &trail[k], steps - k < BEHIND ? steps - k : BEHIND, path);
            free(bytes);
        }
        if (k == 0) tn_test_good(model, tenon_start(model));
        check_moment(model, &trail[k], path, "a run that was saved");
        tn_test_good(model, tenon_step(model));
    }
    for (int k = 0; k <= steps; k++)
        free(trail[k].number);
    tenon_close(plain);
    tenon_close(model);
    tenon_close(other);
    return steps > 0;
}

static void states_of_all_models_are_whole(void **state)
{
    (void)state;
    size_t runs = 0;
    char **found = tn_test_find_models();
    for (size_t k = 0; found[k]; k++)
        for (size_t solver = 0; solver < sizeof solvers / sizeof *solvers; solver++)
            runs += check_run(found[k], solver) ? 1 : 0;
    tn_test_free_models(found);
    assert_true(runs > 200);
}

/* Dependent joints, whose factors a constraint solver keeps from problem to problem. */
static void impulses_go_on_from_every_step(void **state)
{
    (void)state;
    moments = STEPS;
    assert_true(check_run(TENON_SOURCE_DIR "/configs/seeds/solfec_pinned_bar.toml", 0));
    moments = MOMENTS;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(impulses_go_on_from_every_step),
                                       cmocka_unit_test(states_of_all_models_are_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
