/* harness.c - trials: guarded memory, random numbers, and the host that plugins see */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

/* Guards stand in front of an array and behind it. Who writes to an array of nothing does so for all instances. */
enum { ALIGNMENT = 64, GUARD = 512, GUARD_OF_NOTHING = 1 << 16 };

/* A signalling NaN, which is another one when something was added to it. */
static const uint64_t guard = UINT64_C(0x7ff4dead5afe7e40);

typedef struct tn_block {
    struct tn_block *next;
    size_t bytes, whole;
} tn_block;

void *tn_take(tn_trial *trial, size_t bytes)
{
    const size_t behind = bytes ? GUARD : GUARD_OF_NOTHING;
    const size_t whole = (ALIGNMENT + GUARD + bytes + behind + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    tn_block *block = aligned_alloc(ALIGNMENT, whole);
    if (!block) {
        (void)fprintf(stderr, "out of memory\n");
        abort();
    }
    for (size_t i = 0; i < whole; i += sizeof guard)
        memcpy((unsigned char *)block + i, &guard, sizeof guard);
    *block = (tn_block){trial->blocks, bytes, whole};
    trial->blocks = block;
    return memset((unsigned char *)block + ALIGNMENT + GUARD, 0, bytes);
}

double *tn_take_nan(tn_trial *trial, size_t count)
{
    double *numbers = tn_take(trial, count * sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (double)NAN;
    return numbers;
}

void *tn_take_copy(tn_trial *trial, const void *from, size_t bytes)
{
    void *copy = tn_take(trial, bytes);
    if (bytes) memcpy(copy, from, bytes);
    return copy;
}

struct tn_block *tn_mark(const tn_trial *trial) { return trial->blocks; }

static bool is_intact(const tn_block *block, size_t from, size_t to)
{
    const unsigned char *memory = (const unsigned char *)block;
    while (from < to && memory[from] == ((const unsigned char *)&guard)[from % sizeof guard])
        from++;
    return from == to;
}

void tn_release(tn_trial *trial, struct tn_block *mark)
{
    while (trial->blocks != mark) {
        tn_block *block = trial->blocks;
        if (!is_intact(block, ALIGNMENT, ALIGNMENT + GUARD))
            tn_fail(trial, "wrote in front of an array of %zu bytes", block->bytes);
        if (!is_intact(block, ALIGNMENT + GUARD + block->bytes, block->whole))
            tn_fail(trial, "wrote beyond the end of an array of %zu bytes", block->bytes);
        trial->blocks = block->next;
        free(block);
    }
}

void tn_fail(tn_trial *trial, const char *format, ...)
{
    if (trial->failures++ > 0) return;
    const int used = snprintf(trial->failure, sizeof trial->failure, "[%s] ", trial->setting);
    va_list arguments;
    va_start(arguments, format);
    if (used >= 0 && (size_t)used < sizeof trial->failure)
        (void)vsnprintf(trial->failure + used, sizeof trial->failure - (size_t)used, format, arguments);
    va_end(arguments);
}

/* ---- the host ------------------------------------------------------------------------------------------ */

static void *host_allocate(const tn_host *host, size_t bytes) { return tn_take(host->self, bytes); }

static void host_message(const tn_host *host, tn_level level, const char *text)
{
    (void)host, (void)level, (void)text;
}

static void host_error(const tn_host *host, const char *parameter, const char *text)
{
    tn_trial *trial = host->self;
    (void)snprintf(trial->refusal, sizeof trial->refusal, "%s: %s", parameter ? parameter : "", text);
}

static void host_parallel_for(const tn_host *host, size_t count, size_t grain,
                              void (*task)(void *data, size_t first, size_t last), void *data)
{
    (void)host, (void)grain;
    /* the upper half first: no order may be relied upon */
    task(data, count / 2, count);
    task(data, 0, count / 2);
}

/* A user's function: sum of c_k a_k, plus c a_0^2 and a constant, with exact partial derivatives. */
static tn_status host_call(const tn_host *host, tn_callable callable, const double *arguments, double *value,
                           double *partials)
{
    (void)host;
    const double *coefficient = callable.handle;
    const int count = (int)coefficient[0];
    const double curvature = coefficient[1 + count];
    *value = curvature * arguments[0] * arguments[0] + coefficient[2 + count];
    for (int k = 0; k < count; k++) {
        *value += coefficient[1 + k] * arguments[k];
        if (partials) partials[k] = coefficient[1 + k] + (k == 0 ? 2.0 * curvature * arguments[0] : 0.0);
    }
    return TN_OK;
}

static const void *host_extension(const tn_host *host, const char *key)
{
    (void)host, (void)key;
    return NULL;
}

void tn_trial_open(tn_trial *trial, const tn_loaded_element *type)
{
    *trial = (tn_trial){.type = type, .random = 0x9e3779b97f4a7c15u};
    for (const char *c = type->name; *c; c++)
        trial->random = (trial->random ^ (unsigned char)*c) * 0x100000001b3u;
    trial->host = (tn_host){.struct_size = sizeof(tn_host),
                            .self = trial,
                            .allocate = host_allocate,
                            .message = host_message,
                            .error = host_error,
                            .parallel_for = host_parallel_for,
                            .call = host_call,
                            .extension = host_extension};
}

void tn_trial_open_marker(tn_trial *trial, const tn_loaded_marker *type)
{
    tn_loaded_element stand_in = {.struct_size = sizeof stand_in,
                                  .name = type->name,
                                  .summary = type->summary,
                                  .formula = type->formula,
                                  .parameters = type->parameters,
                                  .ports = type->ports,
                                  .instance_size = type->instance_size,
                                  .prepare = type->prepare,
                                  .layout = type->layout,
                                  .force = type->kinematics};
    tn_trial_open(trial, &stand_in);
    trial->marker = type;
    trial->stand_in = stand_in;
    trial->type = &trial->stand_in;
}

void tn_trial_close(tn_trial *trial) { tn_release(trial, NULL); }

/* ---- random numbers: xorshift64* (Vigna 2016) ---------------------------------------------------------- */

static uint64_t draw(tn_trial *trial)
{
    uint64_t x = trial->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    trial->random = x;
    return x * 0x2545f4914f6cdd1du;
}

double tn_draw_between(tn_trial *trial, double low, double high)
{
    return low + (high - low) * ((double)(draw(trial) >> 11) * 0x1p-53);
}

uint32_t tn_draw_below(tn_trial *trial, uint32_t limit) { return (uint32_t)((draw(trial) >> 32) % limit); }

tn_vec3 tn_draw_vector(tn_trial *trial, double size)
{
    tn_vec3 r;
    for (int i = 0; i < 3; i++)
        r.e[i] = tn_draw_between(trial, -size, size);
    return r;
}

double *tn_draw_numbers(tn_trial *trial, size_t count, double size)
{
    double *numbers = tn_take(trial, count * sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = tn_draw_between(trial, -size, size);
    return numbers;
}

/* Uniform over all rotations: a quaternion uniform in the ball. */
tn_mat3 tn_draw_rotation(tn_trial *trial)
{
    for (;;) {
        const tn_quaternion p = {tn_draw_between(trial, -1.0, 1.0), tn_draw_between(trial, -1.0, 1.0),
                                 tn_draw_between(trial, -1.0, 1.0), tn_draw_between(trial, -1.0, 1.0)};
        const double square = p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z;
        if (square > 0.01 && square < 1.0) return tn_rotation_of(p);
    }
}

/* ---- small algebra ------------------------------------------------------------------------------------- */

tn_mat3 tn_read_matrix(const double *e)
{
    tn_mat3 r;
    for (int i = 0; i < 3; i++)
        r.row[i] = tn_read_vector(e + 3 * i);
    return r;
}

void tn_write_matrix(double *to, tn_mat3 a)
{
    for (int i = 0; i < 3; i++)
        tn_write_vector(to + 3 * i, a.row[i]);
}

tn_mat3 tn_turn(tn_vec3 a)
{
    const double angle = tn_norm(a);
    if (angle == 0.0) return tn_identity();
    const tn_vec3 n = tn_scale(1.0 / angle, a);
    const double half = sin(0.5 * angle), rest = 2.0 * half * half; /* 1 - cos without cancellation */
    tn_mat3 columns;
    for (int j = 0; j < 3; j++) {
        const tn_vec3 e = tn_vector(j == 0, j == 1, j == 2), c = tn_cross(n, e);
        columns.row[j] = tn_add(e, tn_add(tn_scale(sin(angle), c), tn_scale(rest, tn_cross(n, c))));
    }
    return tn_transpose(columns);
}

double tn_largest(const double *values, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++)
        if (!(fabs(values[i]) <= largest)) largest = fabs(values[i]);
    return largest;
}

bool tn_all_finite(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}
