/* latin_hypercube.c - N strata of each variable, each of them hit once; of some such samples the one whose closest points are farthest
 * apart */
#include "sample.h"

#define LATIN_HYPERCUBE(P)                                                                                \
    P(INTEGER, count, TN_REQUIRED, 0, 1, 4294967295.0, "cases")                                           \
    P(INTEGER, tries, 0, 50, 1, 1e6, "samples of which the one with the largest least distance is taken") \
    P(BOOLEAN, centred, 0, 0, "points in the middle of their strata, not at random places in them")

TN_PARAMETERS(latin_hypercube, LATIN_HYPERCUBE)

/* Differences of coordinates for distances in all tries: about a second. */
#define MOST_WORK 2e9

typedef struct strata {
    uint32_t *place; /* [variables][count], stratum of each case */
    uint64_t attempt;
} strata;

/* Streams of random numbers: for each try one for the order and one for the place in the stratum of each variable. */
static uint64_t stream_of(const sample *self, uint64_t attempt, uint32_t variable, uint32_t use)
{
    return 2 * (attempt * self->problem->variables + variable) + use;
}

static void shuffle(const sample *self, uint64_t attempt, uint32_t *place)
{
    for (uint32_t i = 0; i < self->problem->variables; i++, place += self->count) {
        const uint64_t stream = stream_of(self, attempt, i, 0);
        for (uint64_t k = 0; k < self->count; k++) {
            const uint64_t j = tn_random_below(self->problem->seed, stream, k, k + 1);
            place[k] = place[j];
            place[j] = (uint32_t)k;
        }
    }
}

static double coordinate(const sample *self, const strata *data, uint32_t variable, uint64_t number)
{
    const double place = data->place[variable * self->count + number], count = (double)self->count;
    if (((const latin_hypercube *)self->settings)->centred) return (place + 0.5) / count;
    const uint64_t stream = stream_of(self, data->attempt, variable, 1);
    return (place + tn_random_uniform(self->problem->seed, stream, number)) / count;
}

/* 1 itself is at no finite place where the variable has no bounds. */
static void latin_point(const sample *self, uint64_t number, double *u)
{
    for (uint32_t i = 0; i < self->problem->variables; i++)
        u[i] = fmin(coordinate(self, self->data, i, number), 1.0 - 0x1p-53);
}

/* The least square of a distance; it ends below `enough`. */
static double least_distance(const sample *self, const double *points, double enough)
{
    const uint32_t size = self->problem->variables;
    double least = HUGE_VAL;
    for (uint64_t k = 1; k < self->count && least > enough; k++)
        for (uint64_t j = 0; j < k; j++) {
            double sum = 0.0;
            for (uint32_t i = 0; i < size; i++) {
                const double difference = points[k * size + i] - points[j * size + i];
                sum += difference * difference;
            }
            least = fmin(least, sum);
        }
    return least;
}

/* As many tries as about a second allows, at least one. */
static uint64_t tries_of(const sample *self, uint64_t wanted)
{
    const double work = 0.5 * (double)self->count * (double)self->count * self->problem->variables;
    if (wanted <= 1 || work * (double)wanted <= MOST_WORK) return wanted;
    const uint64_t tries = work > MOST_WORK ? 1 : (uint64_t)(MOST_WORK / work);
    tn_say(
        self->host, TN_NOTE,
        "latin_hypercube: distances of %llu cases are many: the best of %llu samples is taken, not of %llu",
        (unsigned long long)self->count, (unsigned long long)tries, (unsigned long long)wanted);
    return tries;
}

static tn_status choose(sample *self, strata *data, uint64_t wanted)
{
    const uint32_t size = self->problem->variables;
    const uint64_t tries = tries_of(self, wanted);
    if (tries > 1) {
        double *points = tn_sample_memory(self->host, self->count, size * sizeof *points), best = -1.0;
        if (!points) return TN_OUT_OF_MEMORY;
        uint64_t chosen = 0;
        for (data->attempt = 0; data->attempt < tries; data->attempt++) {
            shuffle(self, data->attempt, data->place);
            for (uint64_t k = 0; k < self->count; k++)
                latin_point(self, k, points + k * size);
            const double distance = least_distance(self, points, best);
            if (distance > best) best = distance, chosen = data->attempt;
        }
        data->attempt = chosen;
    }
    shuffle(self, data->attempt, data->place);
    return TN_OK;
}

/* Chosen behind the refusal of too large a count. */
static tn_status latin_next(void *self, tn_design_batch *batch)
{
    sample *all = self;
    if (all->begun) return TN_OK;
    strata *data = all->data;
    const uint64_t variables = all->problem->variables;
    data->place = tn_sample_memory(all->host, all->count, (variables ? variables : 1) * sizeof *data->place);
    if (!data->place) return TN_OUT_OF_MEMORY;
    const tn_status status = choose(all, data, (uint64_t)((const latin_hypercube *)all->settings)->tries);
    return status == TN_OK ? tn_sample_next(self, batch) : status;
}

static tn_status latin_open(const tn_host *host, const void *instance, const tn_design_problem *problem,
                            void **self)
{
    const latin_hypercube *settings = instance;
    sample *made = NULL;
    const tn_status status =
        tn_sample_open(host, instance, problem, (uint64_t)settings->count, latin_point, &made);
    *self = made;
    if (status != TN_OK) return status;
    made->data = tn_sample_memory(host, 1, sizeof(strata));
    return made->data ? TN_OK : TN_OUT_OF_MEMORY;
}

/* What others call it. */
TN_SYNONYMS(latin_hypercube, {"lhs", NULL, NULL}, {"latin", NULL, NULL}, {"samples", "count", NULL})

TN_DESIGN(latin_hypercube, .summary = "Latin hypercube: each of N strata of every variable is hit once",
          .formula = "u_i(k) = (pi_i(k) + r)/N, pi_i a random permutation, r uniform in (0, 1) or 1/2;\n"
                     "of `tries` samples the one with max min |u(k) - u(j)|",
          .literature =
              "McKay, Beckman, Conover: A comparison of three methods for selecting values of input "
              "variables, Technometrics 21 (1979) 239-245\n"
              "Johnson, Moore, Ylvisaker: Minimax and maximin distance designs, J. Statist. Plann. "
              "Inference 26 (1990) 131-148",
          .synonyms = latin_hypercube_synonyms, .open = latin_open, .count = tn_sample_count,
          .next = latin_next, .tell = tn_sample_tell, .close = tn_sample_close)
