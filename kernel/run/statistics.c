/* statistics.c - what a run has cost (see statistics.h) */
#include "run/statistics.h"

#include "config/printed_text.h"
#include "run/constraint_solver.h"
#include "run/linear_choice.h"
#include "system/linear.h"

#include <tenon/draft/linear.h>

#include <string.h>
#include <sys/resource.h>

const char *const tn_phase_names[TN_PHASES] = {"markers",       "connectors", "matrix",
                                               "factorisation", "solution",   "output"};

/* What was expected of the linear solver, where the matrix is large, and whether it was chosen for that. */
/* Factorisations that the linear solver of the last part has left to another method. */
static void write_fallbacks(FILE *file, const tn_assembly *assembly)
{
    const tn_loaded_linear *type = assembly->linear->type;
    const tn_fallback_capability *known = type ? tn_capability_of(type->capabilities, TN_FALLBACK_KEY) : NULL;
    const char *to = "";
    if (!known || !assembly->equations.self) return;
    const uint64_t count =
        tn_call_at(type, "fallbacks", NULL, known->fallbacks(assembly->equations.self, &to));
    if (count > 0)
        (void)fprintf(file, "linear_fallbacks = %llu # factorisations by %s\n", (unsigned long long)count,
                      to);
}

static void write_linear(FILE *file, const tn_study *study)
{
    const tn_loaded_linear *type = study->assembly->linear->type;
    const tn_linear_expectation *expected = tn_linear_expected(study);
    if (type) tn_toml_print_line(file, "linear", type->name);
    write_fallbacks(file, study->assembly);
    if (!expected) return;
    tn_toml_print_line(file, "linear_chosen_by", expected->chosen_by);
    (void)fprintf(file,
                  "expected_factor_entries = %.0f\nexpected_factor_operations = %.0f\n"
                  "expected_factor_memory = %.0f # bytes\n",
                  expected->cost.entries, expected->cost.operations, expected->cost.memory);
}

/* Entries of the factors that the linear solver has at last, where it tells. */
static void find_fill(const tn_study *study, tn_run_statistics *found)
{
    const tn_assembly *assembly = study->assembly;
    const tn_equations *equations = &assembly->equations;
    const tn_loaded_linear *type = assembly->linear->type;
    double entries = 0.0, operations = 0.0;
    if (!type || !type->estimate || !equations->self) return;
    if (tn_call(type, estimate, equations->self, &entries, &operations) != TN_OK) return;
    const tn_matrix *matrix = &equations->matrix;
    for (int32_t e = 0; e < matrix->column_start[matrix->size]; e++)
        found->matrix += matrix->value[e] != 0.0;
    found->factors = entries;
    found->linear = type->name;
}

tn_run_statistics tn_run_statistics_of(const tn_study *study)
{
    tn_run_statistics found = {.governor = tn_step_governor(study->assembly)};
    const tn_step_counts *counts = tn_step_counts_now(study->assembly);
    if (counts) memcpy(found.rejected, counts->rejected, sizeof found.rejected);
    for (int k = 0; k < TN_PHASES; k++)
        found.phase[k] = tn_phase_time(&study->phases, (enum tn_phase)k);
    found.first_factorisation = study->phases.first_factorisation;
    find_fill(study, &found);
    return found;
}

const char *tn_governor_name(const tn_study *study, const tn_governor *governor)
{
    return tn_item_name(study->model, governor->group->item[governor->instance]);
}

static void write_counts(FILE *file, const tn_study *study, const tn_run_statistics *found)
{
    const tn_statistics *s = &study->assembly->statistics;
    const struct {
        const char *name;
        uint64_t count;
    } counts[] = {{"rows", tn_recorder_rows(study->recorder).rows},
                  {"steps", s->steps},
                  {"rejected_steps", s->rejected_steps},
                  {"rejected_by_error", found->rejected[TN_REJECTED_ERROR]},
                  {"rejected_by_iteration", found->rejected[TN_REJECTED_ITERATION]},
                  {"rejected_by_domain", found->rejected[TN_REJECTED_DOMAIN]},
                  {"shortened_for_events", found->rejected[TN_REJECTED_EVENT]},
                  {"newton_iterations", s->newton_iterations},
                  {"evaluations", s->evaluations},
                  {"matrices", s->matrices},
                  {"factorisations", s->factorisations},
                  {"linear_solves", s->linear_solves},
                  {"events", s->events}};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        (void)fprintf(file, "%s = %llu\n", counts[k].name, (unsigned long long)counts[k].count);
    (void)fprintf(file, "smallest_step = %.17g # s\nlargest_step = %.17g # s\n", s->smallest_step,
                  s->largest_step);
}

static void write_governor(FILE *file, const tn_study *study, const tn_governor *governor)
{
    if (!governor->group) return;
    const char *name = tn_governor_name(study, governor);
    (void)fputs("governed_by = ", file);
    tn_toml_print_text(file, name, strlen(name));
    (void)fprintf(file, " # %s %u\ngoverned_share = %.4f\n", governor->of_state ? "state" : "coordinate",
                  governor->coordinate, (double)governor->count / (double)governor->all);
}

/* Of solvers by impulses: what has become of their problems. */
static void write_impulses(FILE *file, const tn_study *study)
{
    const tn_impulse_totals *totals = tn_impulse_totals_of(study->assembly);
    if (!totals) return;
    (void)fprintf(file,
                  "impulse_problems = %llu\nimpulse_iterations = %llu\nimpulse_fallbacks = %llu\n"
                  "impulse_problems_not_solved = %llu\nworst_impulse_error = %.6g\n",
                  (unsigned long long)totals->problems, (unsigned long long)totals->iterations,
                  (unsigned long long)totals->fallbacks, (unsigned long long)totals->not_solved,
                  totals->worst_error);
    if (!(totals->worst_error > 0.0)) return;
    const char *name = tn_item_name(study->model, totals->worst_owner);
    (void)fprintf(file, "worst_impulse_merit = %.6g\nworst_impulse_time = %.17g # s\nworst_impulse_of = ",
                  totals->worst_merit, totals->worst_time);
    tn_toml_print_text(file, name, strlen(name));
    (void)fputs("\n", file);
}

void tn_run_statistics_write(FILE *file, const tn_study *study)
{
    const tn_run_statistics found = tn_run_statistics_of(study);
    struct rusage usage = {0};
    (void)getrusage(RUSAGE_SELF, &usage);
    (void)fputs("\n[run.statistics]\n", file);
    write_counts(file, study, &found);
    write_governor(file, study, &found.governor);
    write_impulses(file, study);
    write_linear(file, study);
    if (found.factors > 0.0)
        (void)fprintf(file, "matrix_entries = %.0f\nfactor_entries = %.0f\n", found.matrix, found.factors);
    (void)fprintf(file, "load_time = %.6f # s\nassembly_time = %.6f # s\nwall_time = %.9f # s\n",
                  study->load_time, study->assembly_time, study->wall_time);
    for (int k = 0; k < TN_PHASES; k++)
        (void)fprintf(file, "%s_time = %.9f # s\n", tn_phase_names[k], found.phase[k]);
    (void)fprintf(file, "linear_time = %.9f # s\nfirst_factorisation_time = %.9f # s\n",
                  found.phase[TN_FACTORISATION] + found.phase[TN_SOLUTION], found.first_factorisation);
    (void)fprintf(file, "peak_memory = %ld # bytes\n", usage.ru_maxrss * 1024L);
}
