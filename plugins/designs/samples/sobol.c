/* sobol.c - points of a Sobol sequence, evenly spread, scrambled or not */
#include "sample.h"

#define SOBOL(P)                                                                                     \
    P(INTEGER, count, TN_REQUIRED, 0, 1, 4294967296.0, "cases; best a power of two")                 \
    P(BOOLEAN, scramble, 0, 1,                                                                       \
      "Owen's scrambling by the seed of the study: points stay evenly spread and become random, so " \
      "that means are without bias")

TN_PARAMETERS(sobol, SOBOL)

static void sobol_point(const sample *self, uint64_t number, double *u)
{
    tn_sobol_point(self->data, number, 0, self->problem->variables, u);
}

static tn_status sobol_open(const tn_host *host, const void *instance, const tn_design_problem *problem,
                            void **self)
{
    const sobol *settings = instance;
    for (uint32_t i = 0; i < problem->variables && !settings->scramble; i++)
        if (!problem->variable[i].bounded && !problem->variable[i].levels)
            return tn_refuse(host, "scramble",
                             "the first point is 0 in all coordinates, where variable \"%s\", which has no "
                             "bounds, is infinite: leave `scramble` true",
                             problem->variable[i].name);
    sample *made = NULL;
    tn_status status = tn_sample_open(host, instance, problem, (uint64_t)settings->count, sobol_point, &made);
    *self = made;
    if (status != TN_OK) return status;
    sobol_sequence *sequence = made->data = tn_sample_memory(host, 1, sizeof *sequence);
    if (!sequence) return TN_OUT_OF_MEMORY;
    status = tn_sobol_open(host, problem->variables, settings->scramble, problem->seed, sequence);
    if (status == TN_OK) tn_sobol_note_count(host, "count", made->count);
    return status;
}

/* What others call it. */
TN_SYNONYMS(sobol, {"quasi_random", NULL, NULL}, {"low_discrepancy", NULL, NULL}, {"samples", "count", NULL})

TN_DESIGN(
    sobol, .summary = "points of a Sobol sequence: evenly spread, and more of them extend fewer",
    .formula = "u_i(k) = XOR of the direction numbers of dimension i at the bits of k XOR k/2, scrambled",
    .literature = "Sobol: On the distribution of points in a cube, USSR Comput. Math. Math. Phys. 7 (1967) "
                  "86-112\n"
                  "Joe, Kuo: Constructing Sobol sequences with better two-dimensional projections, SIAM J. "
                  "Sci. Comput. 30 (2008) 2635-2654\n"
                  "Owen: Randomly permuted (t,m,s)-nets and (t,s)-sequences, Springer, 1995\n"
                  "Burley: Practical hash-based Owen scrambling, J. Comput. Graph. Tech. 9 (2020) 1-20",
    .synonyms = sobol_synonyms, .open = sobol_open, SAMPLE_FUNCTIONS)
