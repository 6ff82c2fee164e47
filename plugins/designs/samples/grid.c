/* grid.c - a full factorial: all combinations of levels of the variables */
#include "sample.h"

enum { MOST_VARIABLES = 64 }; /* of two levels there are 1.8e19 combinations */

#define GRID(P)                                                                                         \
    P(REALS, levels, MOST_VARIABLES, 0, "", TN_OPTIONAL | TN_FEWER, 0.0, 1.0, 1e9,                      \
      "values of the variables with a range, evenly spaced with both ends: one number for all, or one " \
      "for each variable; a variable with a list takes all its values, whatever stands here; default 5")

TN_PARAMETERS(grid, GRID)

#define STANDARD_LEVELS 5.0

static uint32_t count_given(const grid *self)
{
    uint32_t count = 0;
    while (count < MOST_VARIABLES && !isnan(self->levels[count]))
        count++;
    return count;
}

/* Levels of a variable; 0 after refusing. */
static uint64_t levels_of(const tn_host *host, const grid *self, const tn_design_problem *problem, uint32_t i)
{
    const tn_design_variable *variable = &problem->variable[i];
    if (variable->levels) return variable->levels;
    if (!variable->bounded) {
        (void)tn_refuse(
            host, NULL,
            "variable \"%s\" has no bounds, so that a grid has no ends; give it a range or a list, "
            "or take a sample such as \"latin_hypercube\"",
            variable->name);
        return 0;
    }
    const uint32_t given = count_given(self);
    const double wanted = given == 0 ? STANDARD_LEVELS : self->levels[given == 1 ? 0 : i];
    if (wanted == floor(wanted)) return (uint64_t)wanted;
    (void)tn_refuse(host, "levels", "variable \"%s\" has %g levels: a whole number is expected",
                    variable->name, wanted);
    return 0;
}

void tn_grid_point(const sample *self, uint64_t number, double *u)
{
    const uint64_t *levels = self->data;
    for (uint32_t i = self->problem->variables; i-- > 0;) {
        const double k = (double)(number % levels[i]), count = (double)levels[i];
        number /= levels[i];
        if (self->problem->variable[i].levels)
            u[i] = (k + 0.5) / count;
        else
            u[i] = levels[i] == 1 ? 0.5 : k / (count - 1.0);
    }
}

static tn_status grid_open(const tn_host *host, const void *instance, const tn_design_problem *problem,
                           void **self)
{
    const grid *settings = instance;
    const uint32_t given = count_given(settings);
    if (given > 1 && given != problem->variables)
        return tn_refuse(host, "levels",
                         "`levels` has %u numbers for %u variables: give one, or one for each", given,
                         problem->variables);
    uint64_t *levels = tn_sample_memory(host, problem->variables, sizeof *levels), count = 1;
    if (!levels) return TN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < problem->variables; i++) {
        if (!(levels[i] = levels_of(host, settings, problem, i))) return TN_INVALID;
        if (__builtin_mul_overflow(count, levels[i], &count))
            return tn_refuse(host, NULL, "there are more than 1.8e19 combinations of levels");
    }
    sample *made = NULL;
    const tn_status status = tn_sample_open(host, instance, problem, count, tn_grid_point, &made);
    *self = made;
    if (status == TN_OK) made->data = levels;
    return status;
}

/* What others call it. */
TN_SYNONYMS(grid, {"full_factorial", NULL, NULL}, {"factorial", NULL, NULL},
            {"multidim_parameter_study", NULL, NULL}, {"partitions", "levels", NULL})

TN_DESIGN(grid, .summary = "all combinations of levels of the variables (full factorial)",
          .formula = "u_i = k/(levels_i - 1), k = 0, ..., levels_i - 1;  N = product of all levels",
          .synonyms = grid_synonyms, .open = grid_open, SAMPLE_FUNCTIONS)
