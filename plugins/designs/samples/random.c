/* random.c - independent random points, each as its variables are distributed */
#include "sample.h"

#define RANDOM(P) P(INTEGER, count, TN_REQUIRED, 0, 1, 1e15, "cases")

/* `random` itself is a function of the C library. */
TN_PARAMETERS(random_points, RANDOM)

static void random_point(const sample *self, uint64_t number, double *u)
{
    for (uint32_t i = 0; i < self->problem->variables; i++)
        u[i] = tn_random_uniform(self->problem->seed, i, number);
}

static tn_status random_open(const tn_host *host, const void *instance, const tn_design_problem *problem,
                             void **self)
{
    return tn_sample_open(host, instance, problem, (uint64_t)((const random_points *)instance)->count,
                          random_point, (sample **)self);
}

/* What others call it. */
TN_SYNONYMS(random_points, {"monte_carlo", NULL, NULL}, {"samples", "count", NULL})

TN_ELSEWHERE(tn_design_type, random)
const tn_design_type random_type = {
    .struct_size = sizeof(tn_design_type),
    .name = "random",
    .parameters = random_points_parameters,
    .instance_size = sizeof(random_points),
    .summary = "independent random points (Monte Carlo)",
    .formula = "u_i uniform in (0, 1); number k of stream i under the seed of the study",
    .literature = "Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC11, 2011",
    .synonyms = random_points_synonyms,
    .open = random_open,
    SAMPLE_FUNCTIONS};
