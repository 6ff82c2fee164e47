/* test_rank.h - rows of mechanisms, joint by joint, for the tests of redundant rows. */
#ifndef TN_TEST_RANK_H
#define TN_TEST_RANK_H

#include "analysis/rank.h"

#include "config/plugin_texts.h"
#include "plugin/loader.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const tn_loaded_linear *dense; /* NULL: not built, LAPACK is missing */

static inline int load_dense(void **state)
{
    static tn_loaded library;
    tn_reason reason;
    (void)state;
    if (tn_load(TENON_PLUGINS "/dense.so", &tn_reader_loading, &library, &reason) == TN_LOADED)
        dense = library.types[0].type;
    return 0;
}

static inline void needs_dense(void)
{
    if (!dense) skip();
}

/* ---- systems of rows --------------------------------------------------------------------------------------- */

typedef struct mechanism {
    tn_row_matrix matrix;
    uint8_t *active;
    uint32_t *body_start, bodies, entries;
    double (*centre)[3]; /* of the bodies */
} mechanism;

#define GROUND UINT32_MAX

static inline mechanism begin(uint32_t bodies, uint32_t width, uint32_t rows, uint32_t entries)
{
    mechanism m = {.matrix = {.columns = bodies * width,
                              .row_start = calloc(rows + 1u, sizeof(uint32_t)),
                              .column = calloc(entries + 1u, sizeof(uint32_t)),
                              .value = calloc(entries + 1u, sizeof(double))},
                   .active = malloc(rows + 1u),
                   .body_start = calloc(bodies + 1u, sizeof(uint32_t)),
                   .bodies = bodies,
                   .centre = calloc(bodies + 1u, sizeof(double[3]))};
    memset(m.active, 1, rows + 1u);
    for (uint32_t b = 0; b <= bodies; b++)
        m.body_start[b] = b * width;
    return m;
}

static inline void end(mechanism *m)
{
    free(m->matrix.row_start);
    free(m->matrix.column);
    free(m->matrix.value);
    free(m->active);
    free(m->body_start);
    free(m->centre);
}

static inline void add_entry(mechanism *m, uint32_t column, double value)
{
    if (value == 0.0) return;
    m->matrix.column[m->entries] = column;
    m->matrix.value[m->entries++] = value;
}

static inline void end_row(mechanism *m) { m->matrix.row_start[++m->matrix.rows] = m->entries; }

static inline void cross(const double *a, const double *b, double *c)
{
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Bodies have six columns: velocity of the centre, angular velocity; a < b in a row, ground is last. */
static inline void add_motion(mechanism *m, uint32_t body, double sign, const double *along,
                              const double *about)
{
    for (uint32_t k = 0; k < 6 && body != GROUND; k++)
        add_entry(m, 6 * body + k, sign * (k < 3 ? along ? along[k] : 0.0 : about[k - 3]));
}

static inline void coincide(mechanism *m, uint32_t a, uint32_t b, const double *point,
                            const double *direction)
{
    for (int k = 0; k < 2; k++) {
        const uint32_t body = k ? b : a;
        double arm[3], moment[3];
        for (int c = 0; c < 3 && body != GROUND; c++)
            arm[c] = point[c] - m->centre[body][c];
        if (body == GROUND) continue;
        cross(arm, direction, moment);
        add_motion(m, body, k ? -1.0 : 1.0, direction, moment);
    }
    end_row(m);
}

static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static inline void spherical(mechanism *m, uint32_t a, uint32_t b, const double *point)
{
    for (int k = 0; k < 3; k++)
        coincide(m, a, b, point, axes[k]);
}

/* Rows: coincidence x, y, z, then no rotation about the two other axes. */
static inline void revolute(mechanism *m, uint32_t a, uint32_t b, const double *point, int axis)
{
    spherical(m, a, b, point);
    for (int k = 1; k <= 2; k++) {
        add_motion(m, a, 1.0, NULL, axes[(axis + k) % 3]);
        add_motion(m, b, -1.0, NULL, axes[(axis + k) % 3]);
        end_row(m);
    }
}

static inline tn_status find(const mechanism *m, const tn_loaded_linear *type, tn_rank *result)
{
    const tn_column_bodies bodies = {m->bodies, m->body_start};
    return tn_rank_find(&m->matrix, m->active, &bodies, type, NULL, result);
}

#endif
