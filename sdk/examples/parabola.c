/* parabola.c - a function of expressions with data of its own */
#include <tenon/author.h>
#if TN_VALUES
#define PARABOLA(P) P(LIST, factors, TN_ANY_UNIT, TN_REQUIRED, "of 1, x and x^2")
TN_PARAMETERS(parabola, PARABOLA)

static tn_status parabola_prepare(const tn_host *host, void *instance)
{
    const parabola *self = instance;
    if (self->factors.count == 3) return TN_OK;
    return tn_refuse(host, "factors", "three factors are needed, not %zu", (size_t)self->factors.count);
}

static tn_status parabola_value(const void *instance, const double *arguments, double *value, double *first,
                                double *second)
{
    const double *a = ((const parabola *)instance)->factors.value, x = arguments[0];
    if (x < 0.0) return TN_RETRY; /* no value here; .domain may say why */
    *value = a[0] + a[1] * x + a[2] * x * x;
    if (first) first[0] = a[1] + 2.0 * a[2] * x;
    if (second) second[0] = 2.0 * a[2];
    return TN_OK;
}

TN_FUNCTION(parabola, .summary = "parabola", .arguments = 1, .prepare = parabola_prepare,
            .value = parabola_value)
TN_LIBRARY("parabola", "1.0.0", "Apache-2.0", "parabola", {TN_FUNCTION_KIND, &parabola_type})
#endif
