/* modes.h - runs of `eigen`, and the modes that they write. */
#ifndef TENON_TESTS_SYSTEM_MODES_H
#define TENON_TESTS_SYSTEM_MODES_H

#include "harness.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EIGEN(keys) "[[solver]]\ntype = 'eigen'\n" keys
#define GRAVITY "[model]\ngravity = [0, 0, -9.81]\n"

enum { MOST = 512 };

/* ---- runs and their modes ---------------------------------------------------------------------------------- */

typedef struct modes {
    size_t count;
    double re[MOST], im[MOST], frequency[MOST], damping[MOST], mass[MOST][6];
    char first[MOST][64];
} modes;

static const char *results;

static inline tn_outcome run_to(const char *model, int status, const char *const *more)
{
    const char *words[24] = {"run", tn_write("eigen.toml", model), "--out", results = tn_scratch_path(NULL)};
    for (size_t k = 0; more && more[k]; k++)
        words[4 + k] = more[k];
    const tn_outcome outcome = tn_tenon(words);
    if (outcome.status != status) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    return outcome;
}

static inline const modes *read_modes(const char *file)
{
    static modes read;
    const char *line = tn_read(tn_format("%s/%s", results, file));
    read.count = 0;
    while ((line = strchr(line, '\n')) != NULL && line[1]) {
        const size_t k = read.count++;
        char *end = NULL;
        assert_true(k < MOST && strtoul(++line, &end, 10) == k + 1);
        double *const number[] = {&read.re[k],      &read.im[k],      &read.frequency[k], &read.damping[k],
                                  &read.mass[k][0], &read.mass[k][1], &read.mass[k][2],   &read.mass[k][3],
                                  &read.mass[k][4], &read.mass[k][5]};
        for (size_t n = 0; n < sizeof number / sizeof *number; n++)
            *number[n] = strtod(end + 1, &end);
        (void)snprintf(read.first[k], sizeof read.first[k], "%.*s", (int)strcspn(end + 1, ","), end + 1);
    }
    return &read;
}

static inline const modes *find_modes(const char *model, const char *const *more)
{
    (void)run_to(model, 0, more);
    return read_modes("modes.csv");
}

static inline void check_number(const char *what, double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance * fmax(fabs(wanted), 1e-300)))
        fail_msg("%s is %.17g, not %.17g: %.2g", what, found, wanted, found / wanted - 1.0);
}

/* The same eigenvalues, each as often, to a relative tolerance; zeros are exact ones. */
static inline void check_same(const modes *a, const modes *b, double tolerance)
{
    static bool taken[MOST];
    assert_int_equal(a->count, b->count);
    memset(taken, 0, sizeof taken);
    for (size_t k = 0; k < a->count; k++) {
        size_t nearest = MOST;
        double least = INFINITY;
        for (size_t l = 0; l < b->count; l++) {
            const double distance = hypot(a->re[k] - b->re[l], a->im[k] - b->im[l]);
            if (taken[l] || !(distance < least)) continue;
            least = distance;
            nearest = l;
        }
        assert_true(nearest < MOST);
        taken[nearest] = true;
        if (!(least <= tolerance * hypot(a->re[k], a->im[k])))
            fail_msg("eigenvalue %zu is (%.17g, %.17g), and (%.17g, %.17g)", k + 1, a->re[k], a->im[k],
                     b->re[nearest], b->im[nearest]);
    }
}

static inline void check_absolute(const char *what, double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance)) fail_msg("%s is %.17g, not %.17g", what, found, wanted);
}

#endif
