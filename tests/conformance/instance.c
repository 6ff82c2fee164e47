/* instance.c - random instances from the table of parameters, and the choice of dynamic parameters */
#include "harness.h"

#include "model/builder.h"

#include <string.h>

tn_instances tn_take_instances(tn_trial *trial, size_t count)
{
    tn_instances instances = {.count = count, .stride = (trial->type->instance_size + 127) / 64 * 64};
    instances.first = tn_take(trial, count * instances.stride);
    memset(instances.first, 0xff, count * instances.stride);
    return instances;
}

const tn_parameter *tn_find_parameter(const tn_loaded_element *type, const char *name)
{
    for (const tn_parameter *p = type->parameters; p && p->name; p++)
        if (strcmp(p->name, name) == 0) return p;
    return NULL;
}

bool tn_has_callable(const tn_loaded_element *type)
{
    for (const tn_parameter *p = type->parameters; p && p->name; p++)
        if (p->kind == TN_KIND_CALLABLE) return true;
    return false;
}

/* Number of items in a list such as "a|b|c". */
static uint32_t count_items(const char *list, char separator)
{
    uint32_t count = 1;
    for (; list && *list; list++)
        count += *list == separator;
    return count;
}

/* Inside the allowed range, off its ends; an open side reaches 2 beyond the default. */
static double draw_real(tn_trial *trial, const tn_parameter *p)
{
    const double standard = isnan(p->standard) ? 0.0 : p->standard;
    const double low = isinf(p->low) ? fmin(standard, p->high) - 2.0 : p->low;
    const double high = isinf(p->high) ? fmax(standard, p->low) + 2.0 : p->high;
    const double margin = 0.02 * (high - low);
    return tn_draw_between(trial, low + margin, high - margin);
}

/* A number of nodes may be up to a million: a few around the default do. */
static double draw_integer(tn_trial *trial, const tn_parameter *p)
{
    tn_parameter near = *p;
    if (p->high - p->low > 100.0 && isfinite(p->high - p->low)) {
        near.low = fmax(p->low, p->standard - 4.0);
        near.high = fmin(p->high, p->standard + 4.0);
    }
    return round(draw_real(trial, &near));
}

/* Six entries xx yy zz xy xz yz of an inertia that a body can have: positive sums as principal moments. */
static void draw_inertia(tn_trial *trial, double *entries)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const tn_mat3 R = tn_draw_rotation(trial);
    double part[3];
    for (int k = 0; k < 3; k++)
        part[k] = tn_draw_between(trial, 0.1, 1.0);
    const double moment[3] = {part[1] + part[2], part[0] + part[2], part[0] + part[1]};
    for (int e = 0; e < 6; e++) {
        entries[e] = 0.0;
        for (int k = 0; k < 3; k++)
            entries[e] += moment[k] * R.row[row[e]].e[k] * R.row[column[e]].e[k];
    }
}

static void fill_reals(tn_trial *trial, const tn_parameter *p, bool as_default, double *to)
{
    if (p->count == 6 && strcmp(p->unit, "kg m^2") == 0) {
        draw_inertia(trial, to);
        return;
    }
    const bool absent = (p->flags & TN_OPTIONAL) && tn_draw_below(trial, 2);
    const uint32_t given = p->flags & TN_FEWER ? 1 + tn_draw_below(trial, p->count) : p->count;
    for (uint32_t k = 0; k < p->count; k++)
        to[k] = absent || k >= given ? (double)NAN : as_default ? p->standard : draw_real(trial, p);
}

enum { COEFFICIENTS = 3 + TN_MOST_ARGUMENTS }; /* of a callable */

static tn_callable draw_callable(tn_trial *trial, const tn_parameter *p)
{
    const uint32_t arguments = count_items(p->detail, ',');
    double *coefficient = tn_draw_numbers(trial, COEFFICIENTS, 1.0);
    coefficient[0] = arguments < TN_MOST_ARGUMENTS ? arguments : TN_MOST_ARGUMENTS;
    return (tn_callable){coefficient};
}

/* None, when it need not be given, or a few. */
static tn_list draw_list(tn_trial *trial, const tn_parameter *p)
{
    const uint32_t count = tn_draw_below(trial, 5);
    double *value = tn_take(trial, count * sizeof *value);
    for (uint32_t k = 0; k < count; k++)
        value[k] = draw_real(trial, p);
    return (tn_list){value, count};
}

static void fill_parameter(tn_trial *trial, const tn_parameter *p, bool callables, unsigned char *instance)
{
    void *to = instance + p->offset;
    /* what need not be given stands at its default now and then */
    const bool as_default = !(p->flags & (TN_REQUIRED | TN_OPTIONAL)) && tn_draw_below(trial, 8) == 0;
    switch ((tn_parameter_kind)p->kind) {
    case TN_KIND_REAL:
        fill_reals(trial, p, as_default, to);
        break;
    case TN_KIND_ROTATION:
        tn_write_matrix(to, as_default ? tn_identity() : tn_draw_rotation(trial));
        break;
    case TN_KIND_INTEGER:
        if (trial->integers)
            memcpy(to, trial->integers + p->offset, sizeof(int64_t));
        else
            *(int64_t *)to = (int64_t)(as_default ? p->standard : draw_integer(trial, p));
        break;
    case TN_KIND_BOOLEAN:
        for (uint32_t k = 0; k < p->count; k++)
            ((int32_t *)to)[k] = (int32_t)tn_draw_below(trial, 2);
        break;
    case TN_KIND_CHOICE:
        *(int32_t *)to = (int32_t)tn_draw_below(trial, count_items(p->detail, '|'));
        break;
    case TN_KIND_TEXT:
        *(const char **)to = (p->flags & TN_REQUIRED) ? "text" : NULL;
        break;
    case TN_KIND_FILE:
        *(const char **)to = (p->flags & TN_REQUIRED) ? "/dev/null" : NULL;
        break;
    case TN_KIND_TEXTS:
        *(tn_texts *)to = (tn_texts){NULL, 0};
        break;
    case TN_KIND_CALLABLE:
        *(tn_callable *)to =
            callables || (p->flags & TN_REQUIRED) ? draw_callable(trial, p) : (tn_callable){NULL};
        break;
    case TN_KIND_LIST:
        *(tn_list *)to = draw_list(trial, p);
        break;
    default:
        tn_fail(trial, "parameter %s has the unknown kind %u", p->name, p->kind);
    }
}

/* Parameters that dissipate or drive, by the names that all types give them. */
static bool is_not_conservative(const tn_parameter *p)
{
    return strstr(p->name, "damping") || strstr(p->name, "friction") || strcmp(p->name, "force") == 0 ||
           strcmp(p->name, "torque") == 0 || strcmp(p->name, "velocity_offset") == 0;
}

bool tn_draw_instance(tn_trial *trial, bool callables, void *instance)
{
    const tn_loaded_element *type = trial->type;
    for (int attempt = 0; attempt < TN_ATTEMPTS; attempt++) {
        memset(instance, 0, type->instance_size);
        for (const tn_parameter *p = type->parameters; p && p->name; p++) {
            if (type->readable && !(p->flags & TN_REQUIRED))
                tn_parameter_set_default(p, instance); /* sizes of a block's numbers depend on each other */
            else
                fill_parameter(trial, p, callables, instance);
            if (trial->conservative && p->kind == TN_KIND_REAL && is_not_conservative(p))
                memset((unsigned char *)instance + p->offset, 0, p->count * sizeof(double));
        }
        if (!type->prepare || type->prepare(&trial->host, instance) == TN_OK) return true;
    }
    return false;
}

tn_dynamics tn_choose_dynamics(const tn_loaded_element *type, tn_dynamic_choice choice)
{
    tn_dynamics all = {0}, some = {0};
    for (const tn_parameter *p = type->parameters; p && p->name; p++)
        if (p->flags & TN_DYNAMIC && all.count < TN_MOST_DYNAMICS) {
            all.callable[all.count] = p->kind == TN_KIND_CALLABLE;
            all.entry[all.count++] = (tn_dynamic){.offset = p->offset, .count = p->count, .kind = p->kind};
            all.columns += p->count;
        }
    if (choice == TN_ALL_DYNAMICS) return all;
    /* every other one, last first: the list may hold any of them in any order */
    if (choice == TN_SOME_DYNAMICS)
        for (uint32_t k = all.count; k > 0; k -= k > 1 ? 2 : 1) {
            some.callable[some.count] = all.callable[k - 1];
            some.entry[some.count++] = all.entry[k - 1];
            some.columns += all.entry[k - 1].count;
        }
    return some;
}

/* A callable of its own for this instance: others share the one that it had. */
static void shift_callable(tn_trial *trial, tn_callable *callable, double step)
{
    if (!callable->handle) return;
    double *coefficient = tn_take_copy(trial, callable->handle, COEFFICIENTS * sizeof *coefficient);
    coefficient[2 + (int)coefficient[0]] += step;
    callable->handle = coefficient;
}

void tn_shift_dynamic(tn_trial *trial, const tn_dynamics *dynamics, uint32_t column, double step,
                      tn_instances instances)
{
    uint32_t entry = 0;
    while (column >= dynamics->entry[entry].count)
        column -= dynamics->entry[entry++].count;
    const size_t place = dynamics->entry[entry].offset + column * sizeof(double);
    for (size_t i = 0; i < instances.count; i++) {
        void *number = (unsigned char *)tn_instance_at(instances, i) + place;
        if (dynamics->callable[entry])
            shift_callable(trial, number, step);
        else
            *(double *)number += step;
    }
}
