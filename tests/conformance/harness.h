/* harness.h - what every conformance check needs: guarded memory, random numbers and instances, a host, and
 * numerical derivatives.
 *
 * The checks drive element types through their descriptors alone, so a type of any plugin gets them for
 * free. Every random choice follows from the seed of the trial: a failure can be repeated. */
#ifndef TENON_TESTS_HARNESS_H
#define TENON_TESTS_HARNESS_H

#include <tenon/algebra.h>
#include "config/plugin_texts.h"
#include "plugin/loader.h"

/* Random instances and states per check; the sanitizers see a few. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { TN_SAMPLES = 150 };
#else
enum { TN_SAMPLES = 1000 };
#endif

enum {
    TN_ATTEMPTS = 100, /* draws before a type counts as refusing */
    TN_MOST_DYNAMICS = 32,
    TN_MOST_ARGUMENTS = 16
};

/* Relative tolerances: identities that hold to rounding, and comparison with numerical derivatives. */
#define TN_ROUNDING 1e-12
#define TN_TANGENT_TOLERANCE 1e-9

/* One check of one type. */
typedef struct tn_trial {
    const tn_loaded_element *type;
    const tn_loaded_marker
        *marker; /* of a marker type: `type` stands in for it, its kinematics as the force */
    tn_loaded_element stand_in;
    tn_host host;
    uint64_t random;
    struct tn_block *blocks;
    bool conservative; /* instances are drawn without damping and without driven forces */
    const unsigned char
        *integers; /* an instance whose integers the next ones take, too; NULL: they are drawn */
    size_t failures;
    char failure[512]; /* the first one */
    char refusal[256]; /* what the type said last through host->error */
    char setting[256]; /* ports and parameters in hand, for messages */
} tn_trial;

void tn_trial_open(tn_trial *trial, const tn_loaded_element *type);
void tn_trial_open_marker(tn_trial *trial, const tn_loaded_marker *type);
void tn_trial_close(tn_trial *trial);
/* Notes a failure; only the text of the first is kept. */
TN_PRINTF(2, 3) void tn_fail(tn_trial *trial, const char *format, ...);

/* Zeroed memory aligned to 64 bytes. Writing beyond its ends is a failure of the trial; what stands there
 * reads as NaN. tn_release gives back all that was taken since the mark. */
void *tn_take(tn_trial *trial, size_t bytes);
double *tn_take_nan(tn_trial *trial, size_t count);
void *tn_take_copy(tn_trial *trial, const void *from, size_t bytes);
struct tn_block *tn_mark(const tn_trial *trial);
void tn_release(tn_trial *trial, struct tn_block *mark);

double tn_draw_between(tn_trial *trial, double low, double high);
uint32_t tn_draw_below(tn_trial *trial, uint32_t limit);
tn_vec3 tn_draw_vector(tn_trial *trial, double size);
tn_mat3 tn_draw_rotation(tn_trial *trial);
double *tn_draw_numbers(tn_trial *trial, size_t count, double size);

static inline tn_vec3 tn_read_vector(const double *e) { return tn_vector(e[0], e[1], e[2]); }
static inline void tn_write_vector(double *to, tn_vec3 a)
{
    for (int i = 0; i < 3; i++)
        to[i] = a.e[i];
}
tn_mat3 tn_read_matrix(const double *e);
void tn_write_matrix(double *to, tn_mat3 a);
/* Rotation by the rotation vector `a` (Rodrigues). */
tn_mat3 tn_turn(tn_vec3 a);
/* Largest absolute value; NaN when there is one. */
double tn_largest(const double *values, size_t count);
bool tn_all_finite(const double *values, size_t count);

/* Instances as the batches of a kernel hold them, further apart than their size; NaN stands between them. */
typedef struct tn_instances {
    size_t count, stride;
    unsigned char *first;
} tn_instances;

tn_instances tn_take_instances(tn_trial *trial, size_t count);
static inline void *tn_instance_at(tn_instances instances, size_t i)
{
    return instances.first + i * instances.stride;
}
/* Fills one instance from the table of parameters and prepares it; false when the type refuses all draws. */
bool tn_draw_instance(tn_trial *trial, bool callables, void *instance);
const tn_parameter *tn_find_parameter(const tn_loaded_element *type, const char *name);
bool tn_has_callable(const tn_loaded_element *type);

/* Which parameters of a batch are dynamic. */
typedef enum tn_dynamic_choice { TN_NO_DYNAMICS, TN_ALL_DYNAMICS, TN_SOME_DYNAMICS } tn_dynamic_choice;
typedef struct tn_dynamics {
    uint32_t count, columns;
    tn_dynamic entry[TN_MOST_DYNAMICS];
    bool callable[TN_MOST_DYNAMICS]; /* of the entries */
} tn_dynamics;

tn_dynamics tn_choose_dynamics(const tn_loaded_element *type, tn_dynamic_choice choice);
/* Adds `step` to the double of dynamic column `column` in all instances, or to the value of the callable. */
void tn_shift_dynamic(tn_trial *trial, const tn_dynamics *dynamics, uint32_t column, double step,
                      tn_instances instances);

/* Values of `count` functions of one variable at `step`. */
typedef void (*tn_sample_function)(const void *data, double step, double *values);
/* Their derivatives at zero by extrapolated central differences, and estimates of the errors. */
void tn_differentiate(tn_trial *trial, tn_sample_function sample, const void *data, size_t count,
                      double *derivative, double *error);

/* Exact derivatives against numerical ones. Where a kink or the edge of the domain keeps the differences
 * from converging nothing is compared; a hundredth of the entries may be like that. */
typedef struct tn_comparison {
    size_t entries, undecided;
} tn_comparison;
bool tn_agrees(tn_comparison *comparison, double exact, double derivative, double error, double scale);
void tn_conclude(tn_trial *trial, const tn_comparison *comparison);

#endif
