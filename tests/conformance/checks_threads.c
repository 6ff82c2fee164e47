/* checks_threads.c - what types promise to the threads of a run: two calls at a time, on other instances, give what each gives alone */
#define _GNU_SOURCE
#include "checks.h"
#include "scene.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 100 };

/* One of two threads. */
typedef struct caller {
    const tn_scene *scene;
    pthread_barrier_t *barrier;
    double *wrench;
    const double *expected;
    size_t bytes;
    bool differs;
} caller;

static void *call_again_and_again(void *data)
{
    caller *self = data;
    for (int k = 0; k < ROUNDS; k++) {
        (void)pthread_barrier_wait(self->barrier);
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

static void check_calls_side_by_side(tn_trial *trial, const tn_scene *scene)
{
    const size_t size = (size_t)scene->count * scene->wrench_size;
    uint32_t *order = tn_take(trial, scene->count * sizeof *order);
    for (uint32_t i = 0; i < scene->count; i++)
        order[i] = scene->count - 1 - i;
    const tn_scene reversed = tn_scene_reordered(scene, order);
    if (scene->callables || scene->layout.scratch) return;
    pthread_barrier_t barrier;
    pthread_t thread;
    caller first = {.scene = scene, .expected = alone(trial, scene, size)},
           second = {.scene = &reversed, .expected = alone(trial, &reversed, size)};
    if (!first.expected || !second.expected) return;
    first.barrier = second.barrier = &barrier;
    first.bytes = second.bytes = size * sizeof(double);
    first.wrench = tn_take_nan(trial, size);
    second.wrench = tn_take_nan(trial, size);
    if (pthread_barrier_init(&barrier, NULL, 2) != 0 ||
        pthread_create(&thread, NULL, call_again_and_again, &second) != 0)
        abort();
    (void)call_again_and_again(&first);
    (void)pthread_join(thread, NULL);
    (void)pthread_barrier_destroy(&barrier);
    if (first.differs || second.differs)
        tn_fail(trial, "two calls at a time give other forces than one: it keeps something outside of its "
                       "batch, and needs "
                       "the flag TN_ONE_THREAD");
}

static void run_calls_side_by_side(tn_trial *trial) { tn_for_each_scene(trial, 1, check_calls_side_by_side); }

static bool serves_several_threads(const tn_loaded_element *type)
{
    return tn_is_connector(type) && !(type->flags & TN_ONE_THREAD);
}

const tn_check tn_thread_checks[] = {
    {"two calls at a time do not disturb each other", serves_several_threads, run_calls_side_by_side}, {0}};
