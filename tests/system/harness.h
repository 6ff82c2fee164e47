/* harness.h - models as text: run by the program, or assembled in this process.
 *
 * The tests of one program share a scratch directory, made and removed by the group's setup and teardown.
 * Texts, paths and tables that these functions return live until it is removed. */
#ifndef TENON_TESTS_SYSTEM_HARNESS_H
#define TENON_TESTS_SYSTEM_HARNESS_H

#include "cli/csv_table.h"
#include "run/recorder.h"
#include "system/accept.h"
#include "system/assembly.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* Under the thread sanitizer signals wait until the program calls the C library. */
#if defined(__SANITIZE_THREAD__)
#define TN_THREADS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TN_THREADS_SANITIZED 1
#endif
#endif
#ifndef TN_THREADS_SANITIZED
#define TN_THREADS_SANITIZED 0
#endif

/* Source of a loop without an end, that a signal gets into; it needs <poll.h>. */
#if TN_THREADS_SANITIZED
#define TN_ENDLESS_LOOP "for (;;) (void)poll(NULL, 0, 1);"
#else
#define TN_ENDLESS_LOOP "for (volatile int k = 0;; k++) continue;"
#endif

/* Under this one or another everything takes several times as long, and the functions of memory are the sanitizer's. */
#if defined(__SANITIZE_ADDRESS__)
#define TN_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TN_SANITIZED 1
#endif
#endif
#ifndef TN_SANITIZED
#define TN_SANITIZED TN_THREADS_SANITIZED
#endif

/* ---- the scratch directory ----------------------------------------------------------------------------- */

int tn_scratch_open(void **state);
int tn_scratch_close(void **state);
TN_PRINTF(1, 2) const char *tn_format(const char *format, ...);
/* Path of a file there; of one that does not exist yet, for NULL. */
const char *tn_scratch_path(const char *name);
/* Writes a file there; its path. */
const char *tn_write(const char *name, const char *text);
const char *tn_read(const char *path);
/* Whether a file of configs/ is one of a model: NAME.toml, but no study, NAME_study.toml. */
bool tn_is_model(const char *path);
/* Fails unless the text holds all of these words (TN_WORDS below). */
void tn_check_holds(const char *text, const char *const *words);
/* Fails unless these are one line, and what is shown below it of a file. */
void tn_check_one_message(const char *errors);

/* ---- the program --------------------------------------------------------------------------------------- */

/* A list of words that ends with NULL, for the functions below. */
#define TN_WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

typedef struct tn_outcome {
    int status; /* exit status; 128 + number of the signal that ended it */
    const char *output, *errors;
} tn_outcome;

/* Any program, started in the scratch directory; `await` gives what became of it. */
typedef struct tn_child {
    pid_t process;
    const char *output, *errors; /* files */
} tn_child;

tn_child tn_start(const char *program, const char *const *words);
tn_outcome tn_await(tn_child child);
/* `tenon` with these words. */
tn_outcome tn_tenon(const char *const *words);
/* Runs a model (text) with further words (or NULL) to its end; anything but success fails the test. */
const tn_csv_table *tn_simulate(const char *model, const char *const *more);
/* The sensors in a directory of results. */
const tn_csv_table *tn_sensors(const char *directory);
/* A value of run.toml in a directory of results by its path, such as "run.status" or "run.notes.0": a text, or a number.
 * The file must be valid TOML and hold it. */
const char *tn_run_text(const char *directory, const char *path);
double tn_run_number(const char *directory, const char *path);
/* Column by name; a missing one fails the test. */
size_t tn_column_of(const tn_csv_table *table, const char *name);
/* A value of the row at this time, which must exist. */
double tn_value_at(const tn_csv_table *table, const char *column, double time);
/* Of the values of a column of two tables with as many rows, more than 10. */
double tn_largest_difference(const tn_csv_table *a, const tn_csv_table *b, const char *column);
/* The values of a column of two tables with as many rows, more than 3, differ by at most tolerance (1 + |value of b|). */
void tn_check_column(const tn_csv_table *a, const tn_csv_table *b, const char *column, double tolerance);

/* Builds a plugin from its text with all passes, NAME.so in the scratch directory; its path. */
const char *tn_build_text(const char *name, const char *text);
/* Starts `tenon run NAME.toml`, 1 s of a mass in steps of `step`, with an element of a type NAME that exerts no force, but runs this C code
 * in each evaluation; `includes` stand in front of it. */
tn_child tn_start_with_code(const char *name, const char *includes, const char *code, double step,
                            const char *results);
/* An element type of the project or of tn_build_text(), or a folder of the project, compiled for values only,
 * TYPE_values.so in the scratch
 * directory; its path. */
const char *tn_build_without_passes(const char *type);
/* The same with the complex-step pass in place of dual numbers, TYPE_complex.so. */
const char *tn_build_complex_step(const char *type);
/* NAME.so in the scratch directory from plugins/NAME.c of these tests, for values only; its path. */
const char *tn_build_test_plugin(const char *name);

/* Where a plugin is not there the test is skipped; with TENON_NO_SKIPS in the environment, as `./build.sh test` has it, it fails. */
void tn_need_plugin(const char *name);
/* Whether it is there; those of the project's own libraries always are. */
bool tn_has_plugin(const char *name);

/* ---- a model in this process --------------------------------------------------------------------------- */

typedef struct tn_world {
    tn_diagnostics *diagnostics;
    tn_document *document;
    tn_registry *registry;
    tn_model *model;
    tn_plan plan;
    tn_assembly *assembly;
    tn_system *system;
} tn_world;

/* Reads and assembles; errors fail the test. `plugin` (or NULL) is a file that stands in for the type
 * `type`. */
void tn_world_open(tn_world *world, const char *model, const char *type, const char *plugin);
/* The same with these services in place of all there are. */
void tn_world_open_with(tn_world *world, const char *model, const char *type, const char *plugin,
                        const tn_services *services);
void tn_world_close(tn_world *world);
/* Solves with the linear solver of the first solver. */
void tn_world_open_linear(tn_world *world);
/* Takes the model to where its only solver begins, as a run does. */
tn_status tn_world_begin(tn_world *world);
/* Runs that solver by the protocol of accepted steps (system/accept.h), of which `see` (or NULL) is an observer. */
tn_status tn_world_advance(tn_world *world, tn_status (*see)(void *data, const tn_accepted_step *step),
                           void *data);

/* ---- random numbers, the same ones in every run -------------------------------------------------------- */

typedef struct tn_random {
    uint64_t state;
} tn_random;

/* Between low and high. */
double tn_draw(tn_random *random, double low, double high);

#endif
