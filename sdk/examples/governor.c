/* governor.c - a source of values: a controller that reads the model by itself, and holds its value within limits
 *
 *     [[signal]]
 *     name = "hold"
 *     type = "governor"
 *     error = "AZ(rod) - 0.5"        # whatever is to become zero, and its rate
 *     rate = "WZ(rod)"
 *     proportional = 200
 *     derivative = 20
 *     limit = 30
 *
 * A torque of value "governor(hold)" then turns the rod to 0.5 rad. */
#include <tenon/author.h>
#include <tenon/draft/values.h>

#include <math.h>

#if TN_VALUES
#define GOVERNOR(P)                                                                  \
    P(TEXT, error, TN_REQUIRED, "expression of what is to become zero")              \
    P(TEXT, rate, TN_REQUIRED, "expression of its rate")                             \
    P(REAL, proportional, TN_ANY_UNIT, 0, 0.0, 0.0, TN_UNBOUNDED, "value per error") \
    P(REAL, derivative, TN_ANY_UNIT, 0, 0.0, 0.0, TN_UNBOUNDED, "value per rate")    \
    P(REAL, limit, TN_ANY_UNIT, 0, 1e30, 0.0, TN_UNBOUNDED, "of the value's size")
TN_PARAMETERS(governor, GOVERNOR)

static const char *governor_reads(const tn_host *host, const void *instance, uint32_t number)
{
    const governor *self = instance;
    (void)host;
    return number == 0 ? self->error : number == 1 ? self->rate : NULL;
}

static double wanted(const governor *self, const double *reading)
{
    return -self->proportional * reading[0] - self->derivative * reading[1];
}

static tn_status governor_value(const void *instance, const double *reading, double *value, double *first,
                                double *second)
{
    const governor *self = instance;
    const double free = wanted(self, reading);
    const bool held = fabs(free) > self->limit;
    *value = held ? copysign(self->limit, free) : free;
    if (first) first[0] = held ? 0.0 : -self->proportional;
    if (first) first[1] = held ? 0.0 : -self->derivative;
    for (int k = 0; second && k < 4; k++)
        second[k] = 0.0;
    return TN_OK;
}

/* The value has kinks where it reaches its limits. */
static uint32_t governor_switch_count(const void *instance)
{
    (void)instance;
    return 2;
}

static void governor_switches(const void *instance, const double *reading, double *switches)
{
    const governor *self = instance;
    switches[0] = wanted(self, reading) - self->limit;
    switches[1] = wanted(self, reading) + self->limit;
}

TN_FUNCTION(governor, .summary = "controller with limits", .value = governor_value,
            TN_CAPABILITIES(TN_HAS(values, .reads = governor_reads, .switch_count = governor_switch_count,
                                   .switches = governor_switches)))
TN_LIBRARY("governor", "1.0.0", "Apache-2.0", "a controller", {TN_FUNCTION_KIND, &governor_type})
#endif
