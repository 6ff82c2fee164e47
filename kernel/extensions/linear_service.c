/* linear_service.c - sparse linear systems for constraint solvers (see linear_service.h)
 *
 * Patterns are copied, so that they can be state: a linear solver's pivots depend on the matrices that it has seen. A run that goes on
 * from a checkpoint restores systems before the constraint solver asks for them, and hands them over by their pattern. */
#include "extensions/linear_service.h"

#include "system/failure.h"
#include "system/linear.h"

#include <string.h>

typedef struct served {
    struct served *next;
    tn_matrix matrix; /* a pattern of its own; `value` is that of the last factor() */
    const tn_loaded_linear *type;
    void *self;   /* of the linear solver; NULL: begins anew */
    bool waiting; /* restored, and not asked for yet */
    bool matched; /* while a state is restored: it is in there */
} served;

typedef struct service_memory {
    tn_linear_service table;
    served *first; /* in the order in which they were asked for */
} service_memory;

static service_memory *kept(const tn_assembly *assembly) { return assembly->extension[TN_SERVICE_EXTENSION]; }

static size_t entries_of(const tn_matrix *matrix) { return (size_t)matrix->column_start[matrix->size]; }

/* ---- systems ------------------------------------------------------------------------------------------------- */

static served *new_served(service_memory *m, uint32_t size, size_t entries, const tn_loaded_linear *type)
{
    served *made = tn_new(1, sizeof *made), **end = &m->first; /* what lacks memory is the model's to free */
    made->matrix = (tn_matrix){.struct_size = sizeof made->matrix,
                               .size = size,
                               .column_start = tn_new(size + 1u, sizeof(int32_t)),
                               .row = tn_new(entries, sizeof(int32_t))};
    made->type = type;
    while (*end)
        end = &(*end)->next;
    return *end = made;
}

/* The pattern, which others only read. */
static int32_t *starts_of(const served *s) { return (int32_t *)(uintptr_t)s->matrix.column_start; }
static int32_t *rows_of(const served *s) { return (int32_t *)(uintptr_t)s->matrix.row; }

static bool has_pattern(const served *s, const tn_matrix *matrix)
{
    return s->matrix.size == matrix->size &&
           !memcmp(s->matrix.column_start, matrix->column_start, (matrix->size + 1u) * sizeof(int32_t)) &&
           !memcmp(s->matrix.row, matrix->row, entries_of(matrix) * sizeof(int32_t));
}

static void end_served(service_memory *m, served *s)
{
    for (served **at = &m->first; *at; at = &(*at)->next)
        if (*at == s) {
            *at = s->next;
            break;
        }
    if (s->self) tn_call(s->type, destroy, s->self);
    tn_free(starts_of(s));
    tn_free(rows_of(s));
    tn_free(s);
}

static tn_status blame(tn_assembly *assembly, const served *s, const char *function, tn_status status)
{
    if (status == TN_OK || status == TN_RETRY || status == TN_OUT_OF_MEMORY) return status;
    return tn_blame(assembly, s->type, function, "has failed for a matrix of size %u: %s", s->matrix.size,
                    tn_status_text(status));
}

static tn_status begin_served(tn_assembly *assembly, served *s)
{
    const tn_status status =
        tn_call(s->type, create, assembly->system.host, assembly->linear->instance, &s->matrix, &s->self);
    return blame(assembly, s, "create", status == TN_RETRY ? TN_FATAL : status);
}

/* ---- the functions of the table ------------------------------------------------------------------------------ */

static served *find_waiting(const service_memory *m, const tn_matrix *matrix, const tn_loaded_linear *type)
{
    for (served *s = m->first; s; s = s->next)
        if (s->waiting && s->type == type && has_pattern(s, matrix)) return s;
    return NULL;
}

/* Into *system. */
static void make_served(tn_assembly *assembly, const tn_matrix *matrix, void **system)
{
    const tn_loaded_linear *type = assembly->linear->type;
    served *s = find_waiting(kept(assembly), matrix, type);
    if (!s) {
        s = new_served(kept(assembly), matrix->size, entries_of(matrix), type);
        memcpy(starts_of(s), matrix->column_start, (matrix->size + 1u) * sizeof(int32_t));
        memcpy(rows_of(s), matrix->row, entries_of(matrix) * sizeof(int32_t));
    }
    s->waiting = false;
    *system = s;
}

static tn_status create_system(const tn_linear_service *service, const tn_matrix *matrix, void **system)
{
    tn_assembly *assembly = service->self;
    *system = NULL;
    if (!assembly->linear->type) return TN_UNSUPPORTED;
    const bool made = tn_attempt(tn_memory_now(), make_served(assembly, matrix, system));
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

static tn_status factor_system(const tn_linear_service *service, void *system, const tn_matrix *matrix)
{
    tn_assembly *assembly = service->self;
    served *s = system;
    const double start = tn_clock(assembly, TN_PHASES, 0.0);
    tn_status status = s->self ? TN_OK : begin_served(assembly, s);
    if (status != TN_OK) return status;
    s->matrix.value = matrix->value;
    status = tn_call(s->type, factor, s->self, &s->matrix);
    (void)tn_clock(assembly, TN_FACTORISATION, start);
    assembly->statistics.factorisations++;
    return blame(assembly, s, "factor", status);
}

/* What is no number comes of one in the matrix or on the right, or of a matrix that is all but singular. */
static tn_status solve_system(const tn_linear_service *service, void *system, double *right_hand_side)
{
    tn_assembly *assembly = service->self;
    const served *s = system;
    if (!s->self) return TN_FATAL;
    const double start = tn_clock(assembly, TN_PHASES, 0.0);
    assembly->statistics.linear_solves++;
    const tn_status status = tn_call(s->type, solve, s->self, right_hand_side);
    (void)tn_clock(assembly, TN_SOLUTION, start);
    if (status != TN_OK) return blame(assembly, s, "solve", status == TN_RETRY ? TN_FATAL : status);
    return tn_are_finite(right_hand_side, s->matrix.size) ? TN_OK : TN_RETRY;
}

static void destroy_system(const tn_linear_service *service, void *system)
{
    tn_assembly *assembly = service->self;
    if (system) end_served(kept(assembly), system);
}

static void make_service(tn_assembly *assembly)
{
    service_memory *m = tn_assembly_new(assembly, 1, sizeof *m);
    m->table = (tn_linear_service){.struct_size = sizeof m->table,
                                   .self = assembly,
                                   .create = create_system,
                                   .factor = factor_system,
                                   .solve = solve_system,
                                   .destroy = destroy_system};
    assembly->extension[TN_SERVICE_EXTENSION] = m;
}

const tn_linear_service *tn_linear_service_of(tn_assembly *assembly)
{
    if (!kept(assembly)) (void)tn_attempt(tn_memory_now(), make_service(assembly));
    return kept(assembly) ? &kept(assembly)->table : NULL;
}

/* ---- state --------------------------------------------------------------------------------------------------- */

static void begin_anew(served *s)
{
    if (s->self) tn_call(s->type, destroy, s->self);
    s->self = NULL;
}

bool tn_linear_service_forget(tn_assembly *assembly)
{
    bool forgets = false;
    for (served *s = kept(assembly) ? kept(assembly)->first : NULL; s; s = s->next)
        if (s->self && !s->type->state) {
            begin_anew(s);
            forgets = true;
        }
    return forgets;
}

/* The system that a restored pattern belongs to: one that is there, or one that waits. */
static served *place_restored(tn_assembly *assembly, served *read)
{
    for (served *s = kept(assembly)->first; s; s = s->next)
        if (s != read && !s->matched && s->type == read->type && has_pattern(s, &read->matrix)) {
            end_served(kept(assembly), read);
            return s;
        }
    read->waiting = true;
    return read;
}

static void list_served(tn_assembly *assembly, served *s, tn_state_visitor *visitor)
{
    uint32_t size = s ? s->matrix.size : 0;
    uint64_t entries = s ? entries_of(&s->matrix) : 0;
    TN_VISIT(visitor, size);
    TN_VISIT(visitor, entries);
    if (visitor->restores) s = new_served(kept(assembly), size, entries, assembly->linear->type);
    visitor->bytes(visitor, starts_of(s), (size + 1u) * sizeof(int32_t));
    visitor->bytes(visitor, rows_of(s), entries * sizeof(int32_t));
    if (visitor->restores) s = place_restored(assembly, s);
    s->matched = true;
    bool seen = s->self != NULL && s->type->state;
    TN_VISIT(visitor, seen);
    if (visitor->restores) begin_anew(s);
    if (!seen || (!s->self && begin_served(assembly, s) != TN_OK)) return;
    (void)tn_call(s->type, state, s->self, &s->matrix, visitor);
}

/* Those that a restored state does not know begin anew. */
static void drop_unmatched(tn_assembly *assembly)
{
    for (served *s = kept(assembly)->first, *next; s; s = next) {
        next = s->next;
        if (!s->matched && s->waiting)
            end_served(kept(assembly), s);
        else if (!s->matched)
            begin_anew(s);
    }
}

void tn_linear_service_list_state(tn_assembly *assembly, tn_state_visitor *visitor)
{
    uint32_t count = 0;
    for (const served *s = kept(assembly) ? kept(assembly)->first : NULL; s; s = s->next)
        count++;
    TN_VISIT(visitor, count);
    if (!tn_linear_service_of(assembly)) return;
    for (served *s = kept(assembly)->first; s; s = s->next)
        s->matched = false;
    served *s = kept(assembly)->first;
    for (uint32_t k = 0; k < count; k++, s = s && !visitor->restores ? s->next : s)
        list_served(assembly, s, visitor);
    if (visitor->restores) drop_unmatched(assembly);
}

void tn_linear_service_close(tn_assembly *assembly)
{
    for (served *s = kept(assembly) ? kept(assembly)->first : NULL, *next; s; s = next) {
        next = s->next;
        if (s->waiting) end_served(kept(assembly), s);
    }
}
