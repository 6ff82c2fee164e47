/* saltelli.c - the cases for Sobol indices: two samples A and B, and those where one column is that of the other one */
#include "saltelli.h"

#define SALTELLI(P)                                                                                    \
    P(INTEGER, count, TN_REQUIRED, 0, 2, 4294967296.0,                                                 \
      "rows N of the samples, best a power of two: N (d + 2) cases for d variables, N (2 d + 2) with " \
      "`second_order`")                                                                                \
    P(BOOLEAN, second_order, 0, 0, "indices of pairs of variables, too")                               \
    P(INTEGER, resamples, 0, 300, 20, 100000, "samples of the bootstrap, for intervals of 95 %")

TN_PARAMETERS(saltelli, SALTELLI)

static void saltelli_point(const sample *self, uint64_t number, double *u)
{
    const saltelli_plan *plan = self->data;
    const uint32_t variables = self->problem->variables;
    const uint64_t size = saltelli_size(plan, variables), row = number / size, place = number % size;
    const bool of_b = place == 1 || place >= 2u + variables;
    tn_sobol_point(&plan->sequence, row, of_b ? variables : 0, variables, u);
    if (place < 2) return;
    const uint32_t i = (uint32_t)((place - 2) % variables);
    tn_sobol_point(&plan->sequence, row, of_b ? i : variables + i, 1, &u[i]);
}

static tn_status saltelli_open(const tn_host *host, const void *instance, const tn_design_problem *problem,
                               void **self)
{
    const saltelli *settings = instance;
    const uint32_t variables = problem->variables;
    sample *made = NULL;
    if (variables == 0) return tn_refuse(host, NULL, "there are no variables whose indices could be found");
    saltelli_plan *plan = tn_sample_memory(host, 1, sizeof *plan);
    if (!plan) return TN_OUT_OF_MEMORY;
    *plan = (saltelli_plan){.rows = (uint64_t)settings->count,
                            .second_order = settings->second_order,
                            .resamples = (uint32_t)settings->resamples};
    tn_status status = tn_sobol_open(host, 2 * variables, true, problem->seed, &plan->sequence);
    if (status == TN_OK)
        status = tn_sample_open(host, instance, problem, plan->rows * saltelli_size(plan, variables),
                                saltelli_point, &made);
    *self = made;
    if (status != TN_OK) return status;
    made->data = plan;
    made->keeps = true;
    tn_sobol_note_count(host, "count", plan->rows);
    return TN_OK;
}

/* What others call it. */
TN_SYNONYMS(saltelli, {"sobol_indices", NULL, NULL}, {"variance_based", NULL, NULL},
            {"sensitivity", NULL, NULL}, {"samples", "count", NULL})

TN_DESIGN(
    saltelli,
    .summary = "Sobol indices: shares of the variance of a response by variables (Saltelli, Jansen)",
    .formula = "S_i = mean(y_B (y_ABi - y_A))/V,  S_Ti = mean((y_A - y_ABi)^2)/(2 V)\n"
               "S_ij = mean(y_BAi y_ABj - y_A y_B)/V - S_i - S_j",
    .literature =
        "Saltelli, Annoni, Azzini, Campolongo, Ratto, Tarantola: Variance based sensitivity analysis of "
        "model "
        "output, Comput. Phys. Commun. 181 (2010) 259-270\n"
        "Jansen: Analysis of variance designs for model output, Comput. Phys. Commun. 117 (1999) 35-43\n"
        "Saltelli: Making best use of model evaluations to compute sensitivity indices, Comput. Phys. "
        "Commun. "
        "145 (2002) 280-297",
    .synonyms = saltelli_synonyms, .open = saltelli_open, .answer = tn_saltelli_answer, SAMPLE_FUNCTIONS)
