/* factors.c - the blocks G M^-1 G^T + E, their Cholesky factors, and substitutions (see complement.h) */
#include "complement/complement.h"

#include <math.h>
#include <string.h>

/* ---- rows on bodies ---------------------------------------------------------------------------------------- */

/* Frames on rigid bodies are what most joints hold: there all sizes are constants. */
static inline void add_frame(const double *J, const double *row, size_t stride, size_t rows, tn_wide *to)
{
    tn_wide column[6];
    for (size_t k = 0; k < 6; k++, J += 6)
        column[k] = (tn_wide){J[0], J[1], J[2], J[3], J[4], J[5]};
    for (size_t r = 0; r < rows; r++, row += stride) {
        tn_wide sum = to[r];
        for (size_t k = 0; k < 6; k++)
            sum += row[k] * column[k];
        to[r] = sum;
    }
}

/* What one marker makes of G. */
static void add_grip(const tn_joint *joint, const tn_grip *grip, tn_wide *rows)
{
    const tn_end *e = &grip->end;
    const size_t W = joint->group->batch.wrench_size;
    const double *row = tn_rows_of(joint->group, joint->instance) + e->column;
    if (e->J && e->nv == 6 && e->width == 6) {
        add_frame(e->J, row, W, joint->rows, rows);
        return;
    }
    for (size_t r = 0; r < joint->rows; r++, row += W) {
        double *to = (double *)&rows[r] + grip->first;
        for (size_t k = 0; e->J && k < e->width; k++)
            for (size_t j = 0; j < e->nv; j++)
                to[j] += row[k] * e->J[k * e->nv + j];
        for (size_t j = 0; !e->J && j < e->nv; j++)
            to[j] += row[j];
    }
}

static void copy_inverse(const tn_moved_body *body)
{
    const size_t nv = body->nv, rows = body->group->diagonal ? 1 : nv;
    const double *inverse = body->group->inverse + body->index * rows * nv;
    for (size_t k = 0; k < rows; k++)
        memcpy(&body->inverse[k], inverse + k * nv, nv * sizeof *inverse);
}

static void find_by_mass(const tn_hold_on *hold, const tn_moved_body *body, uint32_t rows)
{
    const tn_wide *inverse = body->inverse, *G = hold->rows;
    for (size_t r = 0; r < rows; r++) {
        tn_wide sum = {0.0};
        if (body->group->diagonal) sum = G[r] * inverse[0];
        for (size_t k = 0; !body->group->diagonal && k < body->nv; k++)
            sum += G[r][k] * inverse[k];
        hold->by_mass[r] = sum;
    }
}

static void find_rows(struct tn_complement *c)
{
    for (uint32_t k = 0; k < c->hold_count; k++)
        memset(c->hold[k].rows, 0, c->joint[c->hold[k].joint].rows * sizeof(tn_wide));
    for (uint32_t k = 0; k < c->grip_count; k++) {
        const tn_hold_on *hold = &c->hold[c->grip[k].hold];
        add_grip(&c->joint[hold->joint], &c->grip[k], hold->rows);
    }
    for (uint32_t k = 0; k < c->body_count; k++)
        copy_inverse(&c->body[k]);
    for (uint32_t k = 0; k < c->hold_count; k++) {
        const tn_hold_on *hold = &c->hold[k];
        const tn_moved_body *body = &c->body[hold->body];
        const uint32_t rows = c->joint[hold->joint].rows;
        for (size_t j = 0; j < body->nv; j++)
            for (size_t r = 0; r < rows; r++)
                hold->columns[j][r] = hold->rows[r][j];
        find_by_mass(hold, body, rows);
    }
}

/* ---- the matrix -------------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void add_pair_of(const tn_hold_on *a, const tn_hold_on *b,
                                                              size_t rows, size_t nv, tn_wide *to)
{
    const tn_wide *left = a->by_mass, *right = b->columns;
    for (size_t r = 0; r < rows; r++) {
        tn_wide sum = to[r];
        for (size_t k = 0; k < nv; k++)
            sum += left[r][k] * right[k];
        to[r] = sum;
    }
}

static void add_pair(const struct tn_complement *c, const tn_hold_pair *pair)
{
    const tn_hold_on *a = &c->hold[pair->first], *b = &c->hold[pair->second];
    const size_t rows = c->joint[a->joint].rows, nv = c->body[a->body].nv;
    if (rows == 5 && nv == 6)
        add_pair_of(a, b, 5, 6, pair->to);
    else
        add_pair_of(a, b, rows, nv, pair->to);
}

/* E, a share of the diagonal; a row that nothing can move, or that is left out, stands alone. */
static void add_regularisation(struct tn_complement *c, double share)
{
    for (uint32_t k = 0; k < c->joint_count; k++)
        for (uint32_t r = 0; r < c->joint[k].rows; r++) {
            double *own = (double *)&c->joint[k].own[r] + r;
            const double size = share * *own;
            c->alone[k][r] = size > 0.0 ? 0.0 : 1.0;
            *own = size > 0.0 ? *own + size : 1.0;
        }
}

/* ---- factors ----------------------------------------------------------------------------------------------- */

/* Eliminates the rows of a joint from each other, in all of its blocks; false where a pivot is not positive. */
static inline __attribute__((always_inline)) bool factor_own(const struct tn_complement *c,
                                                             const tn_joint *joint, size_t rows)
{
    tn_wide *own = joint->own;
    double reciprocal[TN_WIDE], lower[TN_WIDE][TN_WIDE];
    for (size_t j = 0; j < rows; j++) {
        const double pivot = own[j][j];
        if (!(pivot > 0.0 && pivot < HUGE_VAL)) return false;
        reciprocal[j] = 1.0 / pivot;
        for (size_t i = j + 1; i < rows; i++) {
            const double factor = own[i][j] * reciprocal[j];
            own[i] -= factor * own[j];
            lower[i][j] = factor;
            for (uint32_t k = joint->beside; k < joint->behind; k++)
                c->coupling[k].block[i] -= factor * c->coupling[k].block[j];
        }
    }
    for (size_t j = 0; j < rows; j++) {
        for (size_t l = 0; l < j; l++)
            own[j][l] = lower[j][l];
        own[j][j] = reciprocal[j];
        for (uint32_t k = joint->beside; k < joint->behind; k++)
            c->coupling[k].divided[j] = reciprocal[j] * c->coupling[k].block[j];
    }
    return true;
}

/* to -= A^T B, both [rows][...]. */
static inline __attribute__((always_inline)) void update_block(tn_wide *A, tn_wide *B, size_t rows,
                                                               size_t to_rows, tn_wide *to)
{
    for (size_t r = 0; r < to_rows; r++) {
        tn_wide sum = to[r];
        for (size_t k = 0; k < rows; k++)
            sum -= A[k][r] * B[k];
        to[r] = sum;
    }
}

static inline __attribute__((always_inline)) bool eliminate_rows(const struct tn_complement *c,
                                                                 const tn_joint *joint, size_t rows)
{
    tn_wide **to = c->update + joint->update;
    if (!factor_own(c, joint, rows)) return false;
    for (uint32_t k = joint->beside; k < joint->behind; k++) {
        const size_t to_rows = c->joint[c->coupling[k].other].rows;
        for (uint32_t l = k; l < joint->behind; l++)
            update_block(c->coupling[k].divided, c->coupling[l].block, rows, to_rows, *to++);
    }
    return true;
}

/* The number of rows is a constant of the copies for common joints. */
static bool eliminate(const struct tn_complement *c, const tn_joint *joint)
{
    return joint->rows == 5   ? eliminate_rows(c, joint, 5)
           : joint->rows == 3 ? eliminate_rows(c, joint, 3)
                              : eliminate_rows(c, joint, joint->rows);
}

bool tn_complement_factor(const tn_assembly *assembly, struct tn_complement *c)
{
    find_rows(c);
    memset(c->memory, 0, c->block_rows * sizeof(tn_wide));
    for (uint32_t k = 0; k < c->pair_count; k++)
        add_pair(c, &c->pair[k]);
    add_regularisation(c, assembly->redundancy.share);
    for (uint32_t k = 0; k < c->joint_count; k++)
        if (!eliminate(c, &c->joint[k])) return false;
    return true;
}

/* ---- substitutions ----------------------------------------------------------------------------------------- */

/* Numbers that are worked out one by one, as one vector: what stands in memory in parts is read late. */
static inline void join(const double *e, tn_wide *to)
{
    *to = (tn_wide){e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7]};
}

/* The rest of a joint becomes D^-1 L^-1 of it, and those beside it lose their part. */
static inline __attribute__((always_inline)) void forwards(const struct tn_complement *c,
                                                           const tn_joint *joint, size_t rows, tn_wide *rest)
{
    double sum[TN_WIDE] = {0.0};
    for (size_t k = 0; k < rows; k++) {
        sum[k] = (*rest)[k];
        for (size_t l = 0; l < k; l++)
            sum[k] -= joint->own[k][l] * sum[l];
    }
    for (uint32_t b = joint->beside; b < joint->behind; b++) {
        tn_wide other = c->rest[c->coupling[b].other];
        for (size_t k = 0; k < rows; k++)
            other -= sum[k] * c->coupling[b].divided[k];
        c->rest[c->coupling[b].other] = other;
    }
    for (size_t k = 0; k < rows; k++)
        sum[k] *= joint->own[k][k];
    join(sum, rest);
}

static inline __attribute__((always_inline)) void backwards(const struct tn_complement *c,
                                                            const tn_joint *joint, size_t rows, tn_wide *rest)
{
    double sum[TN_WIDE] = {0.0};
    for (size_t k = rows; k-- > 0;) {
        tn_wide p = {0.0};
        for (uint32_t b = joint->beside; b < joint->behind; b++)
            p += c->coupling[b].divided[k] * c->rest[c->coupling[b].other];
        sum[k] = (*rest)[k] - (((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7])));
        for (size_t l = k + 1; l < rows; l++)
            sum[k] -= joint->own[l][k] * sum[l];
    }
    join(sum, rest);
}

void tn_complement_substitute(struct tn_complement *c)
{
    for (uint32_t k = 0; k < c->joint_count; k++) {
        const tn_joint *joint = &c->joint[k];
        if (joint->rows == 5)
            forwards(c, joint, 5, &c->rest[k]);
        else
            forwards(c, joint, joint->rows, &c->rest[k]);
    }
    for (uint32_t k = c->joint_count; k-- > 0;) {
        const tn_joint *joint = &c->joint[k];
        if (joint->rows == 5)
            backwards(c, joint, 5, &c->rest[k]);
        else
            backwards(c, joint, joint->rows, &c->rest[k]);
    }
}
