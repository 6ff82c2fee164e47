/* states.c - random states of a model, and its matrix there as a full one */
#include "states.h"
#include "system/data.h"
#include "system/turns.h"

#include <tenon/turns.h>

#include <math.h>

double *tn_numbers(size_t count)
{
    double *array = calloc(count ? count : 1, sizeof *array);
    assert_non_null(array);
    return array;
}

void tn_probe_open(tn_probe *probe, const char *model, const char *type, const char *plugin)
{
    *probe = (tn_probe){.n = 0};
    tn_world_open(&probe->world, model, type, plugin);
    const tn_system *system = probe->world.system;
    probe->n = system->nv;
    probe->q = tn_numbers(system->nq);
    probe->start = tn_numbers(system->nq);
    probe->v = tn_numbers(probe->n);
    probe->increment = tn_numbers(probe->n);
    memcpy(probe->start, system->q, system->nq * sizeof(double));
}

void tn_probe_follow_states(tn_probe *probe, double factor)
{
    probe->base = tn_numbers(probe->world.system->nx);
    probe->world.system->state_base = probe->base;
    probe->world.system->state_factor = factor;
}

void tn_probe_close(tn_probe *probe)
{
    free(probe->base);
    free(probe->q);
    free(probe->start);
    free(probe->v);
    free(probe->increment);
    tn_world_close(&probe->world);
}

static bool is_short(const double *a, const double *b)
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) < 0.5;
}

/* The cosine between these axes of two frames. */
static double cosine(const double *a, int of_a, const double *b, int of_b)
{
    return a[3 + of_a] * b[3 + of_b] + a[6 + of_a] * b[6 + of_b] + a[9 + of_a] * b[9 + of_b];
}

/* They point along each other, or nearly. */
static bool are_along(const double *a, int of_a, const double *b, int of_b)
{
    return fabs(cosine(a, of_a, b, of_b)) > 0.85;
}

/* The x axis of frame b points along the z axis of frame a. */
static bool is_steep(const double *a, const double *b) { return are_along(a, 2, b, 0); }

/* A bushing whose middle angle is large, or one of whose other angles is near half a turn, where it jumps. */
static bool is_bent(const double *a, const double *b)
{
    return fabs(cosine(a, 0, b, 2)) > 0.6 || fabs(atan2(cosine(a, 1, b, 2), cosine(a, 2, b, 2))) > 3.0 ||
           fabs(atan2(cosine(a, 0, b, 1), cosine(a, 0, b, 0))) > 3.0;
}

/* An angle about one axis near where it is lost. */
static bool is_nearly_lost(const tn_derived *derived, size_t i)
{
    static const char *const names[] = {"ax", "ay", "az"};
    const tn_batch *batch = &derived->batch;
    const tn_marker_place *marker = batch->marker + i * batch->marker_count;
    for (int axis = 0; axis < 3; axis++)
        if (batch->marker_count > 1 && strcmp(derived->name, names[axis]) == 0)
            return are_along(batch->pose + marker[0].pose, (axis + 1) % 3, batch->pose + marker[1].pose,
                             axis);
    return false;
}

/* A distance or an inclination near where it has no slope. */
static bool is_near_an_end(const tn_derived *derived)
{
    bool near = false;
    for (size_t i = 0; derived->kind == TN_COORDINATE && i < derived->batch.count; i++)
        near = near || is_nearly_lost(derived, i) ||
               (strcmp(derived->name, "dm") == 0 ? derived->pose[i] < 0.5
                : strcmp(derived->name, "theta") == 0
                    ? sin(derived->pose[i]) < 0.5
                    : strcmp(derived->name, "pitch") == 0 && cos(derived->pose[i]) < 0.5);
    return near;
}

/* It measures the angle from one x axis to the other, about the first z axis. */
static bool measures_angle(const char *type)
{
    static const char *const types[] = {"torsional_spring_damper", "revolute", "cylindrical", "planar"};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strcmp(type, types[k]) == 0) return true;
    return false;
}

static bool bends_little(const tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->derived_count; k++)
        if (is_near_an_end(&assembly->derived[k])) return false;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_batch *batch = &assembly->group[k].batch;
        const char *type = assembly->group[k].type->name;
        bool (*const bends)(const double *, const double *) = strcmp(type, "spring_damper") == 0    ? is_short
                                                              : strcmp(type, "creep") == 0          ? is_short
                                                              : strcmp(type, "series") == 0         ? is_short
                                                              : strcmp(type, "linear_bushing") == 0 ? is_bent
                                                              : measures_angle(type)                ? is_steep
                                                                                                    : NULL;
        for (size_t i = 0; bends && i < batch->count; i++)
            if (bends(batch->pose + batch->marker[2 * i].pose, batch->pose + batch->marker[2 * i + 1].pose))
                return false;
    }
    return true;
}

/* Discrete data as an accepted step leaves them. */
static void accept(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->group_count; k++)
        if (assembly->group[k].type->accepted)
            assert_int_equal(assembly->group[k].type->accepted(&assembly->group[k].batch), TN_OK);
    tn_turns_accepted(assembly);
}

static void keep_state(tn_probe *probe)
{
    const tn_system *system = probe->world.system;
    memcpy(probe->q, system->q, system->nq * sizeof(double));
    memcpy(probe->v, system->v, probe->n * sizeof(double));
}

void tn_probe_draw(tn_probe *probe)
{
    tn_system *system = probe->world.system;
    tn_turns_begin(probe->world.assembly);
    do {
        for (uint32_t i = 0; i < probe->n; i++) {
            probe->increment[i] = tn_draw(&probe->random, -1.8, 1.8);
            system->v[i] = tn_draw(&probe->random, -2.0, 2.0);
        }
        assert_int_equal(system->retract(system, probe->start, probe->increment, system->q), TN_OK);
        memset(probe->increment, 0, probe->n * sizeof(double));
        for (uint32_t i = 0; probe->base && i < system->nx; i++)
            probe->base[i] = tn_draw(&probe->random, -2.0, 2.0);
        system->time = tn_draw(&probe->random, 0.0, 3.0);
        assert_int_equal(system->evaluate(system), TN_OK);
    } while (!bends_little(probe->world.assembly));
    accept(probe->world.assembly);
    assert_int_equal(system->evaluate(system), TN_OK);
    keep_state(probe);
}

void tn_probe_follow(tn_probe *probe, const tn_probe *other)
{
    tn_system *system = probe->world.system;
    assert_int_equal(probe->n, other->n);
    memcpy(system->q, other->q, system->nq * sizeof(double));
    memcpy(system->v, other->v, probe->n * sizeof(double));
    memcpy(probe->world.assembly->data->now, other->world.assembly->data->now,
           other->world.assembly->data->size * sizeof(double));
    for (size_t k = 0; k < probe->world.assembly->derived_count; k++) {
        const tn_derived *to = &probe->world.assembly->derived[k], *from = &other->world.assembly->derived[k];
        if (to->kept) memcpy(to->kept, from->kept, TN_KEPT_DOUBLES * to->batch.count * sizeof(double));
    }
    probe->world.assembly->turns->accepted_time = other->world.assembly->turns->accepted_time;
    system->time = other->world.system->time;
    assert_int_equal(system->evaluate(system), TN_OK);
    keep_state(probe);
}

void tn_probe_matrix(tn_probe *probe, double c_mass, double c_damping, double c_stiffness, double *full)
{
    tn_system *system = probe->world.system;
    const tn_matrix *matrix = system->pattern(system);
    assert_non_null(matrix);
    assert_int_equal(system->matrix(system, c_mass, c_damping, c_stiffness), TN_OK);
    memset(full, 0, sizeof(double) * probe->n * probe->n);
    for (uint32_t j = 0; j < probe->n; j++)
        for (int32_t k = matrix->column_start[j]; k < matrix->column_start[j + 1]; k++)
            if ((uint32_t)matrix->row[k] < probe->n)
                full[(size_t)matrix->row[k] * probe->n + j] = matrix->value[k];
}

double tn_largest_of(const double *values, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++)
        if (!(fabs(values[i]) <= largest)) largest = fabs(values[i]);
    return largest;
}
