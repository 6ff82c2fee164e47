/* bodies.c - random bodies and the calls that move them */
#include "bodies.h"
#include "shared_memory.h"

#include <string.h>

tn_batch tn_bodies_batch(const tn_bodies *b, const double *q, const double *v)
{
    return (tn_batch){.struct_size = sizeof(tn_batch),
                      .count = b->count,
                      .host = &b->trial->host,
                      .time = b->time,
                      .gravity = b->gravity,
                      .instance = b->instances.first,
                      .instance_stride = b->instances.stride,
                      .dynamic_count = b->dynamics.count,
                      .dynamic_columns = b->dynamics.columns,
                      .dynamic = b->dynamics.entry,
                      .layout = &b->layout,
                      .q = q,
                      .v = v,
                      .a = b->a};
}

bool tn_bodies_call(const tn_bodies *b, const char *what, tn_batch_function function, tn_batch *batch)
{
    tn_failure failure = {0};
    batch->failure = &failure;
    tn_shared_memory_keep((tn_any_function)function);
    const tn_status status = function(batch);
    tn_shared_memory_compare(what);
    if (status != TN_OK)
        tn_fail(b->trial, "%s failed: %s (%s)", what, tn_status_text(status),
                failure.message ? failure.message : "no message");
    return status == TN_OK;
}

bool tn_bodies_retract(const tn_bodies *b, const double *q, const double *increment, double *to)
{
    if (b->type->flags & TN_VECTOR_SPACE) {
        for (size_t i = 0; i < (size_t)b->count * b->nq; i++)
            to[i] = q[i] + increment[i];
        return true;
    }
    tn_batch batch = tn_bodies_batch(b, q, b->v);
    batch.increment = increment;
    batch.configuration = to;
    return tn_bodies_call(b, "retract", b->type->retract, &batch);
}

bool tn_bodies_rate(const tn_bodies *b, const double *q, const double *v, double *rate)
{
    if (b->type->flags & TN_VECTOR_SPACE) {
        memcpy(rate, v, (size_t)b->count * b->nv * sizeof *rate);
        return true;
    }
    tn_batch batch = tn_bodies_batch(b, q, v);
    batch.rate = rate;
    return tn_bodies_call(b, "rate", b->type->rate, &batch);
}

bool tn_bodies_move(const tn_bodies *b, const double *direction, double step, double *to)
{
    struct tn_block *mark = tn_mark(b->trial);
    const size_t size = (size_t)b->count * b->nv;
    double *increment = tn_take(b->trial, size * sizeof *increment);
    for (size_t i = 0; i < size; i++)
        increment[i] = step * direction[i];
    const bool fine = tn_bodies_retract(b, b->q, increment, to);
    tn_release(b->trial, mark);
    return fine;
}

double *tn_bodies_direction(const tn_bodies *b, uint32_t column)
{
    double *direction = tn_take(b->trial, (size_t)b->count * b->nv * sizeof *direction);
    for (size_t i = 0; i < b->count; i++)
        direction[i * b->nv + column] = 1.0;
    return direction;
}

static bool lay_out(tn_trial *trial, const void *instance, tn_layout *layout)
{
    static const uint32_t no_markers[1] = {0};
    *layout = (tn_layout){.struct_size = sizeof *layout, .port_first = no_markers};
    return !trial->type->layout || trial->type->layout(&trial->host, instance, layout) == TN_OK;
}

/* Draws instance i until its sizes, and the entries that it lists, are those of the first. */
static bool draw_body(tn_trial *trial, tn_bodies *b, uint32_t i)
{
    for (int attempt = 0; attempt < TN_ATTEMPTS; attempt++) {
        tn_layout layout;
        void *instance = tn_instance_at(b->instances, i);
        if (!tn_draw_instance(trial, true, instance)) return false;
        if (!lay_out(trial, instance, &layout)) continue;
        if (i == 0) b->layout = layout;
        if (layout.nq != b->layout.nq || layout.nv != b->layout.nv ||
            layout.own_entries != b->layout.own_entries)
            continue;
        if (i == 0 ? tn_bodies_take_list(b) : tn_bodies_have_list(b, i)) return true;
    }
    return false;
}

/* Start values of every body, carried off by a random increment: any state that retraction reaches. */
static bool draw_states(tn_trial *trial, tn_bodies *b)
{
    const size_t nq = (size_t)b->count * b->nq, nv = (size_t)b->count * b->nv;
    const tn_layout *l = &b->layout;
    double *start = tn_take(trial, nq * sizeof(double)), *speed = tn_take(trial, nv * sizeof(double));
    double *x = tn_take(trial, l->nx * sizeof(double)), *s = tn_take(trial, l->ns * sizeof(double));
    double *d = tn_take(trial, l->nd * sizeof(double));
    b->q = tn_take_nan(trial, nq);
    b->v = tn_draw_numbers(trial, nv, 2.0);
    b->a = tn_draw_numbers(trial, nv, 2.0);
    for (size_t i = 0; i < b->count && trial->type->initial; i++)
        if (trial->type->initial(&trial->host, tn_instance_at(b->instances, i), start + i * b->nq,
                                 speed + i * b->nv, x, s, d) != TN_OK) {
            tn_fail(trial, "initial failed: %s", trial->refusal);
            return false;
        }
    if (!tn_all_finite(start, nq) || !tn_all_finite(speed, nv)) {
        tn_fail(trial, "start values are not finite");
        return false;
    }
    return tn_bodies_retract(b, start, tn_draw_numbers(trial, nv, 2.0), b->q);
}

bool tn_draw_bodies(tn_trial *trial, tn_dynamics dynamics, tn_bodies *b)
{
    const tn_loaded_element *type = trial->type;
    *b = (tn_bodies){.trial = trial,
                     .type = type,
                     .count = TN_SAMPLES,
                     .instances = tn_take_instances(trial, TN_SAMPLES),
                     .dynamics = dynamics,
                     .time = tn_draw_between(trial, 0.0, 2.0)};
    tn_write_vector(b->gravity, tn_draw_vector(trial, 10.0));
    bool drawn = true;
    for (uint32_t i = 0; i < b->count && drawn; i++) {
        /* numbers of nodes or modes: as many as the first body has */
        trial->integers = i > 0 && type->own_pattern ? b->instances.first : NULL;
        drawn = draw_body(trial, b, i);
    }
    trial->integers = NULL;
    if (!drawn) {
        tn_fail(trial, "no random instance is accepted; last refusal: %s", trial->refusal);
        return false;
    }
    b->nq = b->layout.nq;
    b->nv = b->layout.nv;
    if (!(type->flags & TN_VECTOR_SPACE) && !(type->rate && type->retract && type->normalise)) {
        tn_fail(trial, "is no vector space and lacks rate, retract or normalise");
        return false;
    }
    if ((type->flags & TN_VECTOR_SPACE) && b->nq != b->nv) {
        tn_fail(trial, "is no vector space: nq = %u, nv = %u", b->nq, b->nv);
        return false;
    }
    return draw_states(trial, b);
}

void tn_for_each_bodies(tn_trial *trial, tn_bodies_check check)
{
    for (int choice = TN_NO_DYNAMICS; choice <= TN_SOME_DYNAMICS; choice++) {
        const tn_dynamics dynamics = tn_choose_dynamics(trial->type, (tn_dynamic_choice)choice);
        if (choice != TN_NO_DYNAMICS && dynamics.count == 0) continue;
        struct tn_block *mark = tn_mark(trial);
        tn_bodies bodies;
        (void)snprintf(trial->setting, sizeof trial->setting, "%s dynamic",
                       (const char *const[]){"not", "all", "some"}[choice]);
        if (tn_draw_bodies(trial, dynamics, &bodies)) check(trial, &bodies);
        tn_release(trial, mark);
    }
}
