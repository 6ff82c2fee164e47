/* list.c - cases one by one: case k takes value k of every list */
#include "sample.h"

TN_NO_PARAMETERS(list)

static void list_point(const sample *self, uint64_t number, double *u)
{
    for (uint32_t i = 0; i < self->problem->variables; i++)
        u[i] = ((double)number + 0.5) / (double)self->count;
}

static tn_status list_open(const tn_host *host, const void *instance, const tn_design_problem *problem,
                           void **self)
{
    const tn_design_variable *variable = problem->variable;
    for (uint32_t i = 0; i < problem->variables; i++) {
        if (!variable[i].levels)
            return tn_refuse(
                host, NULL,
                "variable \"%s\" has no list of values, of which each case takes one; \"grid\" and "
                "samples take ranges",
                variable[i].name);
        if (variable[i].levels != variable[0].levels)
            return tn_refuse(host, NULL,
                             "the lists of \"%s\" and \"%s\" have %u and %u values: case k takes value k of "
                             "each, so that they need as many; \"grid\" takes all combinations",
                             variable[0].name, variable[i].name, variable[0].levels, variable[i].levels);
    }
    return tn_sample_open(host, instance, problem, problem->variables ? variable[0].levels : 1, list_point,
                          (sample **)self);
}

/* What others call it. */
TN_SYNONYMS(list, {"table", NULL, NULL}, {"list_parameter_study", NULL, NULL})

TN_DESIGN(list, .summary = "case k takes value k of the list of every variable",
          .formula = "u_i = (k + 1/2)/N, k = 0, ..., N - 1", .synonyms = list_synonyms, .open = list_open,
          SAMPLE_FUNCTIONS)
