/* own_matrices.c - the linear solver of the study for matrices of plugins (own_matrices.h)
 *
 * Patterns are copied, as they are part of the state: the pivots of a linear solver depend on earlier matrices. A resumed run restores them
 * before they are opened, and finds them by their pattern. */
#include "extensions/own_matrices.h"

#include "extensions/own_matrix.h"
#include "extensions/solved.h"
#include "system/failure.h"

#include <string.h>

typedef struct own_memory {
    tn_own_matrices table;
    tn_own_matrix *first; /* in the order in which they were opened */
} own_memory;

static own_memory *kept(const tn_assembly *assembly) { return assembly->extension[TN_OWN_EXTENSION]; }

/* ---- one pattern --------------------------------------------------------------------------------------------- */

/* Where memory runs out, that of the model is freed at its end. */
static tn_matrix new_pattern(uint32_t size, size_t entries)
{
    return (tn_matrix){.struct_size = sizeof(tn_matrix),
                       .size = size,
                       .column_start = tn_new(size + 1u, sizeof(int32_t)),
                       .row = tn_new(entries, sizeof(int32_t))};
}

static tn_own_matrix *new_matrix(own_memory *own, uint32_t size, size_t entries, uint32_t parts,
                                 const tn_loaded_linear *type)
{
    tn_own_matrix *made = tn_new(1, sizeof *made), **end = &own->first;
    made->pattern = made->matrix = new_pattern(size, entries);
    made->type = type;
    made->parts = parts;
    made->doubled = parts == 2 && !type->factor_complex;
    made->given = tn_new((size_t)parts * size, sizeof *made->given);
    made->check = tn_new((size_t)2 * parts * size, sizeof *made->check);
    if (made->doubled) {
        made->matrix = new_pattern(2 * size, 4 * entries);
        made->matrix.value = tn_new(4 * entries, sizeof(double));
    }
    while (*end)
        end = &(*end)->next;
    return *end = made;
}

/* The arrays of the pattern, which is constant otherwise. */
static int32_t *starts_of(const tn_own_matrix *m) { return (int32_t *)(uintptr_t)m->pattern.column_start; }
static int32_t *rows_of(const tn_own_matrix *m) { return (int32_t *)(uintptr_t)m->pattern.row; }

static bool has_pattern(const tn_own_matrix *m, const tn_matrix *pattern, uint32_t parts)
{
    return m->parts == parts && m->pattern.size == pattern->size &&
           !memcmp(m->pattern.column_start, pattern->column_start, (pattern->size + 1u) * sizeof(int32_t)) &&
           !memcmp(m->pattern.row, pattern->row, tn_entries_of(pattern) * sizeof(int32_t));
}

static void end_matrix(own_memory *own, tn_own_matrix *m)
{
    for (tn_own_matrix **at = &own->first; *at; at = &(*at)->next)
        if (*at == m) {
            *at = m->next;
            break;
        }
    if (m->self) tn_call(m->type, destroy, m->self);
    if (m->doubled) {
        tn_free((void *)(uintptr_t)m->matrix.column_start);
        tn_free((void *)(uintptr_t)m->matrix.row);
        tn_free(m->matrix.value);
    }
    tn_free(m->given);
    tn_free(m->check);
    tn_free(m->restored);
    tn_free(starts_of(m));
    tn_free(rows_of(m));
    tn_free(m);
}

static tn_status blame(tn_assembly *assembly, const tn_own_matrix *m, const char *function, tn_status status)
{
    if (status == TN_OK || status == TN_OUT_OF_MEMORY) return status;
    return tn_blame(assembly, m->type, function, "has failed for a matrix of size %u: %s", m->matrix.size,
                    tn_status_text(status));
}

static tn_status begin_factors(tn_assembly *assembly, tn_own_matrix *m)
{
    return blame(
        assembly, m, "create",
        tn_call(m->type, create, assembly->system.host, assembly->linear->instance, &m->matrix, &m->self));
}

/* ---- the functions of the table ------------------------------------------------------------------------------ */

static tn_own_matrix *find_waiting(const own_memory *own, const tn_matrix *pattern, uint32_t parts,
                                   const tn_loaded_linear *type)
{
    for (tn_own_matrix *m = own->first; m; m = m->next)
        if (m->waiting && m->type == type && has_pattern(m, pattern, parts)) return m;
    return NULL;
}

/* Opens a pattern; writes *opened. */
static void make_matrix(tn_assembly *assembly, const tn_matrix *pattern, uint32_t parts, void **opened)
{
    const tn_loaded_linear *type = assembly->linear->type;
    tn_own_matrix *m = find_waiting(kept(assembly), pattern, parts, type);
    if (!m) {
        m = new_matrix(kept(assembly), pattern->size, tn_entries_of(pattern), parts, type);
        memcpy(starts_of(m), pattern->column_start, (pattern->size + 1u) * sizeof(int32_t));
        memcpy(rows_of(m), pattern->row, tn_entries_of(pattern) * sizeof(int32_t));
        if (m->doubled) tn_own_double_pattern(m);
    }
    m->waiting = false;
    *opened = m;
}

static tn_status open_matrix(const tn_own_matrices *own, const tn_matrix *pattern, uint32_t is_complex,
                             void **opened)
{
    tn_assembly *assembly = own->self;
    *opened = NULL;
    if (!assembly->linear->type) return TN_UNSUPPORTED;
    if (is_complex && (tn_entries_of(pattern) > INT32_MAX / 4 || pattern->size > INT32_MAX / 2))
        return TN_UNSUPPORTED;
    const bool made = tn_attempt(tn_memory_now(), make_matrix(assembly, pattern, is_complex ? 2 : 1, opened));
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

static tn_status factor_now(tn_own_matrix *m, const double *value)
{
    tn_own_take_values(m, value);
    return tn_is_complex(m) ? tn_call(m->type, factor_complex, m->self, &m->matrix, value)
                            : tn_call(m->type, factor, m->self, &m->matrix);
}

static tn_status factor(const tn_own_matrices *own, void *opened, const double *value)
{
    tn_assembly *assembly = own->self;
    tn_own_matrix *m = opened;
    if (!tn_are_finite(value, m->parts * tn_entries_of(&m->pattern))) return TN_RETRY;
    const double start = tn_clock(assembly, TN_PHASES, 0.0);
    tn_status status = m->self ? TN_OK : begin_factors(assembly, m);
    if (status != TN_OK) return status;
    status = factor_now(m, value);
    (void)tn_clock(assembly, TN_FACTORISATION, start);
    assembly->statistics.factorisations++;
    tn_accuracy_factored(&m->accuracy);
    return status == TN_RETRY ? status : blame(assembly, m, "factor", status);
}

static tn_status check_solution(tn_assembly *assembly, tn_own_matrix *m, double *x)
{
    const size_t numbers = m->parts * (size_t)m->pattern.size;
    if (!tn_are_finite(x, numbers))
        return tn_blame(assembly, m->type, "solve",
                        "gives a solution that is not finite for a finite matrix of size %u", m->matrix.size);
    if (!tn_accuracy_needs_given(&m->accuracy)) return TN_OK;
    const double fault = tn_solved_refine(&(tn_solved){.type = m->type,
                                                       .self = m->self,
                                                       .matrix = &m->matrix,
                                                       .value = m->value,
                                                       .is_complex = tn_is_complex(m),
                                                       .given = m->given,
                                                       .terms = m->check,
                                                       .trial = m->check + numbers},
                                          &m->accuracy, x);
    if (fault == 0.0) return TN_OK;
    return tn_blame(assembly, m->type, "solve",
                    "gives a wrong solution for a matrix of size %u: its residual is %.2g of the terms",
                    m->matrix.size, fault);
}

static tn_status solve(const tn_own_matrices *own, void *opened, double *right_hand_side)
{
    tn_assembly *assembly = own->self;
    tn_own_matrix *m = opened;
    const size_t numbers = m->parts * (size_t)m->pattern.size;
    if (!m->self) return TN_FATAL;
    if (!tn_are_finite(right_hand_side, numbers)) return TN_RETRY;
    tn_accuracy_given(&m->accuracy, right_hand_side, numbers, m->given);
    const double start = tn_clock(assembly, TN_PHASES, 0.0);
    const tn_status status = tn_is_complex(m) ? tn_call(m->type, solve_complex, m->self, right_hand_side)
                                              : tn_call(m->type, solve, m->self, right_hand_side);
    (void)tn_clock(assembly, TN_SOLUTION, start);
    assembly->statistics.linear_solves++;
    if (status != TN_OK) return blame(assembly, m, "solve", status);
    return check_solution(assembly, m, right_hand_side);
}

static void close_matrix(const tn_own_matrices *own, void *opened)
{
    if (opened) end_matrix(kept(own->self), opened);
}

static void make_table(tn_assembly *assembly)
{
    own_memory *own = tn_assembly_new(assembly, 1, sizeof *own);
    own->table = (tn_own_matrices){.struct_size = sizeof own->table,
                                   .self = assembly,
                                   .open = open_matrix,
                                   .factor = factor,
                                   .solve = solve,
                                   .close = close_matrix};
    assembly->extension[TN_OWN_EXTENSION] = own;
}

const tn_own_matrices *tn_own_matrices_of(tn_assembly *assembly)
{
    if (!kept(assembly)) (void)tn_attempt(tn_memory_now(), make_table(assembly));
    return kept(assembly) ? &kept(assembly)->table : NULL;
}

/* ---- state --------------------------------------------------------------------------------------------------- */

static void begin_anew(tn_own_matrix *m)
{
    if (m->self) tn_call(m->type, destroy, m->self);
    m->self = NULL;
    m->accuracy = (tn_accuracy){0};
}

bool tn_own_matrices_forget(tn_assembly *assembly)
{
    bool forgets = false;
    for (tn_own_matrix *m = kept(assembly) ? kept(assembly)->first : NULL; m; m = m->next)
        if (m->self && !m->type->state) {
            begin_anew(m);
            forgets = true;
        }
    return forgets;
}

/* The matrix with a restored pattern: an open one, or a new one that waits to be opened. */
static tn_own_matrix *place_restored(tn_assembly *assembly, tn_own_matrix *read)
{
    for (tn_own_matrix *m = kept(assembly)->first; m; m = m->next)
        if (m != read && !m->matched && m->type == read->type &&
            has_pattern(m, &read->pattern, read->parts)) {
            end_matrix(kept(assembly), read);
            return m;
        }
    if (read->doubled) tn_own_double_pattern(read);
    read->waiting = true;
    return read;
}

/* The values that the caller had given, where solutions of restored factors are held against them. */
static void list_values(tn_own_matrix *m, tn_state_visitor *visitor)
{
    const size_t count = m->doubled ? tn_entries_of(&m->matrix) : m->parts * tn_entries_of(&m->pattern);
    if (visitor->restores && !m->doubled && !m->restored) m->restored = tn_new(count, sizeof(double));
    if (visitor->restores) m->value = m->doubled ? m->matrix.value : m->restored;
    tn_visit_numbers(visitor, (double *)(uintptr_t)m->value, count);
}

static void list_matrix(tn_assembly *assembly, tn_own_matrix *m, tn_state_visitor *visitor)
{
    uint32_t size = m ? m->pattern.size : 0, parts = m ? m->parts : 1;
    uint64_t entries = m ? tn_entries_of(&m->pattern) : 0;
    TN_VISIT(visitor, size);
    TN_VISIT(visitor, parts);
    TN_VISIT(visitor, entries);
    if (visitor->restores) m = new_matrix(kept(assembly), size, entries, parts, assembly->linear->type);
    visitor->bytes(visitor, starts_of(m), (size + 1u) * sizeof(int32_t));
    visitor->bytes(visitor, rows_of(m), entries * sizeof(int32_t));
    if (visitor->restores) m = place_restored(assembly, m);
    m->matched = true;
    bool seen = m->self != NULL && m->type->state;
    TN_VISIT(visitor, seen);
    if (visitor->restores) begin_anew(m);
    if (!seen || (!m->self && begin_factors(assembly, m) != TN_OK)) return;
    (void)tn_call(m->type, state, m->self, &m->matrix, visitor);
    TN_VISIT(visitor, m->accuracy);
    if (tn_accuracy_needs_given(&m->accuracy)) list_values(m, visitor);
}

/* Matrices that the restored state does not contain begin anew. */
static void drop_unmatched(tn_assembly *assembly)
{
    for (tn_own_matrix *m = kept(assembly)->first, *next; m; m = next) {
        next = m->next;
        if (!m->matched && m->waiting)
            end_matrix(kept(assembly), m);
        else if (!m->matched)
            begin_anew(m);
    }
}

void tn_own_matrices_list_state(tn_assembly *assembly, tn_state_visitor *visitor)
{
    uint32_t count = 0;
    for (const tn_own_matrix *m = kept(assembly) ? kept(assembly)->first : NULL; m; m = m->next)
        count++;
    TN_VISIT(visitor, count);
    if (!tn_own_matrices_of(assembly)) return;
    for (tn_own_matrix *m = kept(assembly)->first; m; m = m->next)
        m->matched = false;
    tn_own_matrix *m = kept(assembly)->first;
    for (uint32_t k = 0; k < count; k++, m = m && !visitor->restores ? m->next : m)
        list_matrix(assembly, m, visitor);
    if (visitor->restores) drop_unmatched(assembly);
}

void tn_own_matrices_close(tn_assembly *assembly)
{
    for (tn_own_matrix *m = kept(assembly) ? kept(assembly)->first : NULL, *next; m; m = next) {
        next = m->next;
        if (m->waiting) end_matrix(kept(assembly), m);
    }
}
