/* many_threads.c - models of configs/, opened, stepped and closed on several threads at a time: the numbers are those of one thread.
 *
 * usage: many_threads CONFIGS. Made for a library that was built with ThreadSanitizer (library.py). */
#include <tenon/tenon.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 6, STEPS = 20, SENSORS = 64 };

static const struct {
    const char *file, *override;
} models[] = {
    {"seeds/input.toml", NULL},
    {"seeds/conditions.toml", NULL},
    {"seeds/bicycle.toml", NULL},
    {"seeds/mecanum.toml", NULL},
    {"seeds/reference_variable_robot.toml", NULL},
    {"seeds/spring_damper_user_function.toml", NULL},
    {"seeds/gear_rack_and_pinion.toml", NULL},
    {"first/spring_damper.toml", NULL},
    {"parts/car.toml", NULL},
    {"benchmarks/car.toml", NULL},
    {"benchmarks/expression_forces.toml", NULL},
    {"benchmarks/variable_chain.toml", "parameters.n=50"},
    {"missing.toml", NULL}, /* a model that is wrong, among the others */
};
enum { MODELS = sizeof models / sizeof *models };

typedef struct outcome {
    tenon_status opened;
    double time, sensor[SENSORS];
} outcome;

static const char *configs;
static outcome alone[MODELS], together[THREADS][MODELS];

static outcome run(size_t k)
{
    char path[1024];
    const tenon_options options = {sizeof options, .overrides = &models[k].override,
                                   .override_count = models[k].override != NULL};
    tenon_model *model = NULL;
    outcome o;
    memset(&o, 0, sizeof o);
    (void)snprintf(path, sizeof path, "%s/%s", configs, models[k].file);
    o.opened = tenon_open_file(path, &options, &model);
    for (int step = 0; step < STEPS && o.opened == TENON_OK && tenon_step(model) == TENON_OK; step++)
        ;
    for (size_t s = 0; s < SENSORS && o.opened == TENON_OK && s < tenon_sensor_count(model); s++)
        (void)tenon_sensor_value(model, s, &o.sensor[s]);
    o.time = o.opened == TENON_OK ? tenon_time(model) : 0.0;
    tenon_close(model);
    return o;
}

/* Every thread begins with another model. */
static void *run_all(void *number)
{
    const size_t thread = (size_t)(uintptr_t)number;
    for (size_t k = 0; k < MODELS; k++)
        together[thread][(k + thread) % MODELS] = run((k + thread) % MODELS);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    size_t different = 0, opened = 0;
    configs = argv[argc - 1];
    for (uintptr_t t = 0; t < THREADS; t++)
        if (pthread_create(&thread[t], NULL, run_all, (void *)t) != 0) return 2;
    for (size_t t = 0; t < THREADS; t++)
        if (pthread_join(thread[t], NULL) != 0) return 2;
    for (size_t k = 0; k < MODELS; k++) {
        alone[k] = run(k);
        opened += alone[k].opened == TENON_OK;
        for (size_t t = 0; t < THREADS; t++)
            different += memcmp(&alone[k], &together[t][k], sizeof alone[k]) != 0;
    }
    printf("%zu models opened, %zu of %d runs differ\n", opened, different, THREADS * MODELS);
    return different || opened != MODELS - 1;
}
