/* descriptor.c - the descriptor form E z' = A z + B u, y = C z + D u in all coordinates (linearise.h)
 *
 *     z = (xi, eta, x, l), or (xi, eta, x, l, a) where something reads accelerations, a = eta':
 *
 *     xi'     = eta - T xi
 *     M eta'  = -D eta - K xi + B l + F x + F_u u          (or eta' = a, and this row without a rate)
 *     x'      = X z + X_u u
 *     0       = G xi  of position rows,   0 = A eta + L xi  of velocity rows
 *
 * Multipliers are those of independent rows, by which others are the least ones that do the same. */
#include "linearise.h"

typedef struct places {
    size_t xi, eta, x, l, a, size;
} places;

static void add_entries(linear_matrix *to, size_t row, size_t column, double factor,
                        const linear_matrix *from)
{
    for (size_t r = 0; r < from->rows; r++)
        for (size_t c = 0; c < from->columns; c++)
            linear_row(to, row + r)[column + c] += factor * linear_row(from, r)[c];
}

static void add_unit(linear_matrix *to, size_t row, size_t column, size_t count)
{
    for (size_t k = 0; k < count; k++)
        linear_row(to, row + k)[column + k] += 1.0;
}

/* Rows from `row` on of numbers with these derivatives. */
static void add_slopes(const linear_work *work, const places *at, const linear_slopes *slopes, size_t row,
                       linear_matrix *by_z, linear_matrix *by_u)
{
    add_entries(by_z, row, at->xi, 1.0, &slopes->position);
    add_entries(by_z, row, at->eta, 1.0, &slopes->velocity);
    add_entries(by_z, row, at->x, 1.0, &slopes->state);
    if (work->reads_accelerations) add_entries(by_z, row, at->a, 1.0, &slopes->acceleration);
    for (size_t k = 0; k < slopes->reaction.rows; k++)
        for (size_t n = 0; n < work->rows; n++)
            for (size_t r = 0; r < work->independent; r++)
                linear_row(by_z, row + k)[at->l + r] +=
                    linear_row(&slopes->reaction, k)[n] * linear_row(&work->spread, n)[r];
    add_entries(by_u, row, 0, 1.0, &slopes->input);
}

static void add_motion(const linear_work *work, const places *at, linear_form *to)
{
    const size_t balance = work->reads_accelerations ? at->a : at->eta;
    add_unit(&to->E, at->xi, at->xi, work->nv);
    add_unit(&to->A, at->xi, at->eta, work->nv);
    add_entries(&to->A, at->xi, at->xi, -1.0, &work->T);
    if (work->reads_accelerations) {
        add_unit(&to->E, at->eta, at->eta, work->nv);
        add_unit(&to->A, at->eta, at->a, work->nv);
        add_entries(&to->A, balance, at->a, -1.0, &work->M);
    } else {
        add_entries(&to->E, balance, at->eta, 1.0, &work->M);
    }
    add_entries(&to->A, balance, at->eta, -1.0, &work->D);
    add_entries(&to->A, balance, at->xi, -1.0, &work->K);
    add_entries(&to->A, balance, at->x, 1.0, &work->by_state);
    add_entries(&to->B, balance, 0, 1.0, &work->by_input);
    for (size_t r = 0; r < work->independent; r++) {
        const bool position = r < work->position_rows;
        for (size_t i = 0; i < work->nv; i++) {
            linear_row(&to->A, balance + i)[at->l + r] = linear_row(&work->B, i)[work->row[r]];
            linear_row(&to->A, at->l + r)[(position ? at->xi : at->eta) + i] =
                linear_row(&work->R, work->row[r])[i];
            if (!position) linear_row(&to->A, at->l + r)[at->xi + i] = linear_row(&work->L, work->row[r])[i];
        }
    }
}

/* "cart.q0", "cart.v0", "cart.a0", by the body; multipliers by their number among all rows. */
static void list_names(linear_work *work, const places *at)
{
    for (size_t i = 0; i < work->nv; i++) {
        uint32_t first = 0, count = 0;
        const char *owner = work->statics->owner(work->system, (uint32_t)i, &first, &count);
        const size_t own = i - first;
        work->descriptor_name[at->xi + i] =
            (linear_name){linear_print(work, "%s.q%zu", owner, own), "", (double)NAN, "position"};
        work->descriptor_name[at->eta + i] =
            (linear_name){linear_print(work, "%s.v%zu", owner, own), "", work->system->v[i], "rate"};
        if (work->reads_accelerations)
            work->descriptor_name[at->a + i] = (linear_name){linear_print(work, "%s.a%zu", owner, own), "",
                                                             work->system->a[i], "acceleration"};
    }
    for (size_t k = 0; k < work->states; k++)
        work->descriptor_name[at->x + k] = work->state_name[work->free_count + work->velocity_count + k];
    for (size_t r = 0; r < work->independent; r++)
        work->descriptor_name[at->l + r] = (linear_name){linear_print(work, "lambda%u", work->row[r]), "",
                                                         work->system->lambda[work->row[r]], "multiplier"};
}

tn_status linear_describe(linear_work *work)
{
    const size_t nv = work->nv;
    places at = {.eta = nv, .x = 2 * nv, .l = 2 * nv + work->states};
    at.a = at.l + work->independent;
    at.size = at.a + (work->reads_accelerations ? nv : 0);
    linear_form *to = &work->descriptor;
    work->descriptor_name = linear_array(work, at.size, sizeof *work->descriptor_name);
    if (!work->descriptor_name || !linear_new(work, &to->E, at.size, at.size) ||
        !linear_new(work, &to->A, at.size, at.size) || !linear_new(work, &to->B, at.size, work->inputs) ||
        !linear_new(work, &to->C, work->outputs, at.size) ||
        !linear_new(work, &to->D, work->outputs, work->inputs))
        return TN_OUT_OF_MEMORY;
    add_motion(work, &at, to);
    add_unit(&to->E, at.x, at.x, work->states);
    add_slopes(work, &at, &work->rate, at.x, &to->A, &to->B);
    add_slopes(work, &at, &work->to_output, 0, &to->C, &to->D);
    list_names(work, &at);
    return TN_OK;
}
