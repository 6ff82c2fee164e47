/* columns.c - what the impulse of a row does to the velocities, row by row
 *
 * Where A has no entries between bodies, a column reaches the bodies of its row, by the dense block of each. Else, and where joints are
 * eliminated, it reaches all coordinates, by the sparse factors. */
#include "gauss_seidel.h"

#define NOT_FACTORED SIZE_MAX

void free_columns(columns *c)
{
    free(c->of);
    free(c->body);
    free(c->value);
    free(c->factor);
    free(c->factor_of);
    free(c->body_of);
}

/* ---- by bodies --------------------------------------------------------------------------------------------------- */

static bool number_bodies(columns *c, const tn_impulse_problem *p)
{
    if (!tn_grow_array(&c->body_of, &c->body_of_room, p->nv + (size_t)1, sizeof *c->body_of)) return false;
    if (!tn_grow_array(&c->factor_of, &c->factor_of_room, p->bodies + (size_t)1, sizeof *c->factor_of))
        return false;
    size_t factors = 0; /* of all bodies, since others are in contact in the next problem */
    for (uint32_t b = 0; b < p->bodies; b++) {
        const size_t n = p->body_start[b + 1] - p->body_start[b];
        factors += n * n;
        for (uint32_t j = p->body_start[b]; j < p->body_start[b + 1]; j++)
            c->body_of[j] = b;
    }
    return tn_grow_array(&c->factor, &c->factor_room, factors, sizeof *c->factor);
}

/* The bodies that row r reaches, and room for its column; columns ascend, and so do bodies. */
static bool open_column(columns *c, const tn_impulse_problem *p, uint32_t r)
{
    column *own = &c->of[r];
    *own = (column){.first = c->value_count, .body = {(uint32_t)c->body_count, (uint32_t)c->body_count}};
    for (uint32_t e = p->row_start[r]; e < p->row_start[r + 1]; e++) {
        const uint32_t body = c->body_of[p->column[e]];
        if (own->body[1] > own->body[0] && c->body[own->body[1] - 1] == body) continue;
        if (!tn_grow_array(&c->body, &c->body_room, c->body_count + 1, sizeof *c->body)) return false;
        c->body[c->body_count++] = body;
        own->body[1]++;
        own->size += p->body_start[body + 1] - p->body_start[body];
    }
    c->value_count += own->size;
    if (!tn_grow_array(&c->value, &c->value_room, c->value_count + 1, sizeof *c->value)) return false;
    memset(c->value + own->first, 0, own->size * sizeof *c->value);
    double *to = c->value + own->first;
    uint32_t at = own->body[0];
    for (uint32_t e = p->row_start[r]; e < p->row_start[r + 1]; e++) {
        const uint32_t body = c->body_of[p->column[e]];
        for (; c->body[at] != body; at++)
            to += p->body_start[c->body[at] + 1] - p->body_start[c->body[at]];
        to[p->column[e] - p->body_start[body]] = p->value[e];
    }
    return true;
}

/* LU of the block of a body, by rows, without exchanges: masses, and what forces add to them, are positive. Each is factored once. */
static tn_status factor_body(columns *c, const tn_impulse_problem *p, uint32_t body)
{
    const tn_matrix *A = p->matrix;
    const uint32_t first = p->body_start[body], n = p->body_start[body + 1] - first;
    if (c->factor_of[body] != NOT_FACTORED) return TN_OK;
    double *F = c->factor + c->factor_count;
    c->factor_of[body] = c->factor_count;
    c->factor_count += (size_t)n * n;
    memset(F, 0, (size_t)n * n * sizeof *F);
    for (uint32_t j = 0; j < n; j++)
        for (int32_t e = A->column_start[first + j]; e < A->column_start[first + j + 1]; e++)
            if ((uint32_t)A->row[e] >= first && (uint32_t)A->row[e] < first + n)
                F[((uint32_t)A->row[e] - first) * n + j] = A->value[e];
    for (uint32_t k = 0; k < n; k++) {
        if (!(fabs(F[k * n + k]) > 0.0)) return TN_RETRY;
        for (uint32_t i = k + 1; i < n; i++) {
            const double factor = F[i * n + k] /= F[k * n + k];
            for (uint32_t j = k + 1; factor != 0.0 && j < n; j++)
                F[i * n + j] -= factor * F[k * n + j];
        }
    }
    return TN_OK;
}

static void solve_body(const double *F, uint32_t n, double *x)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            x[i] -= F[i * n + j] * x[j];
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t j = i + 1; j < n; j++)
            x[i] -= F[i * n + j] * x[j];
        x[i] /= F[i * n + i];
    }
}

static tn_status divide_by_bodies(columns *c, const tn_impulse_problem *p, const bool *swept)
{
    tn_status status = TN_OK;
    for (uint32_t r = 0; status == TN_OK && r < p->rows; r++) {
        double *x = c->value + c->of[r].first;
        for (uint32_t k = c->of[r].body[0]; swept[r] && status == TN_OK && k < c->of[r].body[1]; k++) {
            const uint32_t body = c->body[k], n = p->body_start[body + 1] - p->body_start[body];
            status = factor_body(c, p, body);
            if (status == TN_OK) solve_body(c->factor + c->factor_of[body], n, x);
            x += n;
        }
    }
    return status;
}

static tn_status find_by_bodies(columns *c, const tn_impulse_problem *p, const bool *swept)
{
    if (!number_bodies(c, p)) return TN_OUT_OF_MEMORY;
    c->factor_count = 0;
    for (uint32_t b = 0; b < p->bodies; b++)
        c->factor_of[b] = NOT_FACTORED;
    for (uint32_t r = 0; r < p->rows; r++)
        if (swept[r] && !open_column(c, p, r)) return TN_OUT_OF_MEMORY;
    return divide_by_bodies(c, p, swept);
}

/* ---- by the system ----------------------------------------------------------------------------------------------- */

static tn_status find_by_system(columns *c, const tn_impulse_problem *p, const bool *swept, tn_saddle *saddle)
{
    tn_status status = tn_saddle_renew(saddle, p);
    for (uint32_t r = 0; status == TN_OK && r < p->rows; r++) {
        if (!swept[r]) continue;
        c->of[r] = (column){.first = c->value_count, .size = p->nv};
        c->value_count += p->nv;
        if (!tn_grow_array(&c->value, &c->value_room, c->value_count + 1, sizeof *c->value))
            return TN_OUT_OF_MEMORY;
        double *x = c->value + c->of[r].first;
        memset(x, 0, p->nv * sizeof *x);
        for (uint32_t e = p->row_start[r]; e < p->row_start[r + 1]; e++)
            x[p->column[e]] = p->value[e];
        status = tn_saddle_spread(saddle, x);
    }
    return status;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

tn_status find_columns(columns *c, const tn_impulse_problem *problem, const bool *swept, tn_saddle *saddle)
{
    c->body_count = c->value_count = 0;
    if (!tn_grow_array(&c->of, &c->of_room, problem->rows + (size_t)1, sizeof *c->of))
        return TN_OUT_OF_MEMORY;
    return c->kind == BY_BODIES ? find_by_bodies(c, problem, swept)
                                : find_by_system(c, problem, swept, saddle);
}

void add_column(const columns *c, const tn_impulse_problem *problem, uint32_t r, double change, double *z)
{
    const column *own = &c->of[r];
    const double *x = c->value + own->first;
    if (c->kind == BY_SYSTEM)
        for (uint32_t j = 0; j < problem->nv; j++)
            z[j] += change * x[j];
    for (uint32_t k = own->body[0]; c->kind == BY_BODIES && k < own->body[1]; k++)
        for (uint32_t j = problem->body_start[c->body[k]]; j < problem->body_start[c->body[k] + 1]; j++)
            z[j] += change * *x++;
}

double couple(const columns *c, const tn_impulse_problem *problem, uint32_t of, uint32_t r)
{
    const column *own = &c->of[r];
    double sum = 0.0;
    for (uint32_t e = problem->row_start[of]; e < problem->row_start[of + 1]; e++) {
        const uint32_t j = problem->column[e];
        size_t at = own->first + j;
        if (c->kind == BY_BODIES) {
            uint32_t k = own->body[0];
            for (at = own->first; k < own->body[1] && c->body[k] != c->body_of[j]; k++)
                at += problem->body_start[c->body[k] + 1] - problem->body_start[c->body[k]];
            if (k == own->body[1]) continue;
            at += j - problem->body_start[c->body_of[j]];
        }
        sum += problem->value[e] * c->value[at];
    }
    return sum;
}
