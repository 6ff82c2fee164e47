/* checks_threads.c - what types promise to the threads of a run: two calls at a time, on other instances, give what each gives alone */
#define _GNU_SOURCE
#include "checks.h"
#include "scene.h"
#include "shared_memory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 100, SCENES = 5 };

/* One of two threads. */
typedef struct caller {
    const tn_scene *scene;
    atomic_uint *arrived;
    double *wrench;
    const double *expected;
    size_t bytes;
    bool differs;
} caller;

/* Both are called within a microsecond of each other, where both have a core: none sleeps. */
static void meet(atomic_uint *arrived, unsigned round)
{
    atomic_fetch_add(arrived, 1);
    for (int looks = 0; atomic_load(arrived) < 2 * (round + 1); looks++)
        if (looks > 10000) (void)sched_yield();
}

static void *call_again_and_again(void *data)
{
    caller *self = data;
    for (unsigned k = 0; k < ROUNDS; k++) {
        meet(self->arrived, k);
        (void)tn_scene_try_force(self->scene, self->wrench);
        if (memcmp(self->wrench, self->expected, self->bytes) != 0) self->differs = true;
    }
    return NULL;
}

static double *alone(tn_trial *trial, const tn_scene *scene, size_t size)
{
    double *wrench = tn_take_nan(trial, size);
    return tn_scene_try_force(scene, wrench) == TN_OK ? wrench : NULL;
}

/* In a few scenes of each combination: a thread costs more than many calls. */
static void check_calls_side_by_side(tn_trial *trial, const tn_scene *scene)
{
    if (scene->callables || scene->layout.scratch || tn_draw_below(trial, TN_SAMPLES / SCENES) > 0) return;
    const size_t size = (size_t)scene->count * scene->wrench_size;
    uint32_t *order = tn_take(trial, scene->count * sizeof *order);
    for (uint32_t i = 0; i < scene->count; i++)
        order[i] = scene->count - 1 - i;
    const tn_scene reversed = tn_scene_reordered(scene, order);
    atomic_uint arrived = 0;
    pthread_t thread;
    caller first = {.scene = scene, .expected = alone(trial, scene, size)},
           second = {.scene = &reversed, .expected = alone(trial, &reversed, size)};
    if (!first.expected || !second.expected) return;
    first.arrived = second.arrived = &arrived;
    first.bytes = second.bytes = size * sizeof(double);
    first.wrench = tn_take_nan(trial, size);
    second.wrench = tn_take_nan(trial, size);
    if (pthread_create(&thread, NULL, call_again_and_again, &second) != 0) abort();
    (void)call_again_and_again(&first);
    (void)pthread_join(thread, NULL);
    if (first.differs || second.differs)
        tn_fail(trial, "two calls at a time give other forces than one: it keeps something outside of its "
                       "batch, and needs "
                       "the flag TN_ONE_THREAD");
}

static void run_calls_side_by_side(tn_trial *trial) { tn_for_each_scene(trial, 1, check_calls_side_by_side); }

static bool may_be_called_twice(const tn_loaded_element *type)
{
    return tn_is_connector(type) && !(type->flags & TN_ONE_THREAD);
}

const tn_check tn_thread_checks[] = {
    {"two calls at a time do not disturb each other", may_be_called_twice, run_calls_side_by_side}, {0}};

/* What all the checks before have seen. */
static void run_static_variables(tn_trial *trial)
{
    const char *writer = tn_shared_memory_writer();
    if (writer && !(trial->type->flags & TN_ONE_THREAD))
        tn_fail(trial, "%s writes static variables, which all calls share: it needs the flag TN_ONE_THREAD",
                writer);
}

static bool always(const tn_loaded_element *type)
{
    (void)type;
    return true;
}

const tn_check tn_static_checks[] = {{"nothing is kept in static variables", always, run_static_variables},
                                     {0}};
