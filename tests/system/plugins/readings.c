/* readings.c - for test_value_sources.c: a function that reads what its texts say, and returns half the sum of their squares times its
 * argument; and one that reads nothing */
#include <tenon/author.h>
#include <tenon/draft/values.h>

#define SQUARES(P)                                                      \
    P(TEXTS, reads, TN_REQUIRED, "expressions whose squares are added") \
    P(TEXT, unit, 0, "of the value")

TN_PARAMETERS(squares, SQUARES)

static const char *squares_reads(const tn_host *host, const void *instance, uint32_t number)
{
    const squares *self = instance;
    (void)host;
    return number < self->reads.count ? self->reads.text[number] : NULL;
}

static const char *squares_unit(const void *instance) { return ((const squares *)instance)->unit; }

static tn_status squares_value(const void *instance, const double *arguments, double *value, double *first,
                               double *second)
{
    const squares *self = instance;
    const size_t n = 1 + self->reads.count;
    double sum = 0.0;
    for (size_t k = 1; k < n; k++)
        sum += 0.5 * arguments[k] * arguments[k];
    *value = arguments[0] * sum;
    for (size_t k = 0; first && k < n; k++)
        first[k] = k ? arguments[0] * arguments[k] : sum;
    for (size_t k = 0; second && k < n; k++)
        for (size_t j = 0; j < n; j++)
            second[k * n + j] = k == j   ? (k ? arguments[0] : 0.0)
                                : j == 0 ? arguments[k]
                                : k == 0 ? arguments[j]
                                         : 0.0;
    return TN_OK;
}

static const char *nothing_reads(const tn_host *host, const void *instance, uint32_t number)
{
    (void)host, (void)instance, (void)number;
    return NULL;
}

static tn_status nothing_value(const void *instance, const double *arguments, double *value, double *first,
                               double *second)
{
    (void)instance, (void)arguments, (void)first, (void)second;
    *value = 1.0;
    return TN_OK;
}

TN_FUNCTION(squares, .summary = "half the sum of squares", .arguments = 1, .value = squares_value,
            TN_CAPABILITIES(TN_HAS(values, .reads = squares_reads, .unit = squares_unit)))

static const tn_function_type nothing_type = {.struct_size = sizeof(tn_function_type),
                                              .name = "nothing",
                                              .summary = "one",
                                              .value = nothing_value,
                                              TN_CAPABILITIES(TN_HAS(values, .reads = nothing_reads))};

TN_LIBRARY("readings", "1.0.0", "Apache-2.0", "functions that read", {TN_FUNCTION_KIND, &squares_type},
           {TN_FUNCTION_KIND, &nothing_type})
