/* contents.c - what a checkpoint is made of (see contents.h) */
#define _GNU_SOURCE
#include "restart/contents.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* ---- bytes ------------------------------------------------------------------------------------------------- */

char *tn_spans_add(tn_spans *spans, size_t size)
{
    spans->bytes = tn_grow(spans->bytes, &spans->capacity, spans->used + size, 1);
    spans->used += size;
    return spans->bytes + spans->used - size;
}

static void write_span(tn_state_visitor *visitor, void *data, size_t size)
{
    if (size) memcpy(tn_spans_add((tn_spans *)(void *)visitor, size), data, size);
}

static void read_span(tn_state_visitor *visitor, void *data, size_t size)
{
    tn_spans *self = (tn_spans *)(void *)visitor;
    if (size > self->size - self->used) self->lacks = true;
    if (self->lacks || !size) return;
    memcpy(data, self->bytes + self->used, size);
    self->used += size;
}

tn_spans tn_spans_write(void)
{
    return (tn_spans){.visitor = {.struct_size = sizeof(tn_state_visitor), .bytes = write_span}};
}

tn_spans tn_spans_read(const char *bytes, size_t size)
{
    return (tn_spans){.visitor = {.struct_size = sizeof(tn_state_visitor), .restores = 1, .bytes = read_span},
                      .bytes = (char *)bytes,
                      .size = size};
}

/* ---- sums -------------------------------------------------------------------------------------------------- */

uint64_t tn_sum_bytes(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t k = 0; k < size; k++)
        sum = (sum ^ byte[k]) * UINT64_C(1099511628211);
    return sum;
}

bool tn_sum_file(const char *path, uint64_t *sum)
{
    char piece[1 << 14];
    const int file = (int)TEMP_FAILURE_RETRY(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    ssize_t count = -1;
    *sum = TN_START_OF_SUM;
    if (file < 0) return false;
    while ((count = TEMP_FAILURE_RETRY(read(file, piece, sizeof piece))) > 0)
        *sum = tn_sum_bytes(*sum, piece, (size_t)count);
    const int reason = errno;
    (void)close(file);
    errno = reason;
    return count == 0;
}

bool tn_sum_program(const char *installation, uint64_t *sum)
{
    return tn_sum_file(installation ? installation : "/proc/self/exe", sum);
}

/* ---- how the run was asked for ------------------------------------------------------------------------------ */

enum {
    LONGEST = 1 << 24,
    MOST = 1 << 20
}; /* bytes of a text; objects of a list: more is no number of this file */

static void list_text(const char **text, tn_state_visitor *visitor, tn_arena *arena)
{
    uint64_t size = *text ? strlen(*text) + 1 : 0;
    TN_VISIT(visitor, size);
    if (visitor->restores) *text = size && size <= LONGEST ? tn_arena_new(arena, size + 1) : NULL;
    if (*text) visitor->bytes(visitor, (char *)*text, size);
}

/* The number of objects; where it is read, memory for them. */
static void list_count(uint64_t *count, void **array, size_t size, tn_state_visitor *visitor, tn_arena *arena)
{
    TN_VISIT(visitor, *count);
    if (!visitor->restores) return;
    if (*count > MOST) *count = 0;
    *array = tn_arena_new(arena, (*count + 1) * size);
}

void tn_run_origin_list(tn_run_origin *origin, tn_state_visitor *visitor, tn_arena *arena)
{
    tn_checkpoint *asked = &origin->asked;
    uint64_t overrides = asked->override_count;
    list_text(&origin->version, visitor, arena);
    TN_VISIT(visitor, origin->program);
    const char **const text[] = {&asked->folder, &asked->model, &asked->solver};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        list_text(text[k], visitor, arena);
    list_count(&overrides, (void **)&asked->overrides, sizeof *asked->overrides, visitor, arena);
    asked->override_count = overrides;
    for (size_t k = 0; k < overrides; k++)
        list_text(&asked->overrides[k], visitor, arena);
    TN_VISIT(visitor, asked->threads);
    TN_VISIT(visitor, asked->expanded);
    TN_VISIT(visitor, asked->time);
    list_count(&origin->files, (void **)&origin->file, sizeof *origin->file, visitor, arena);
    for (size_t k = 0; k < origin->files; k++) {
        list_text(&origin->file[k].path, visitor, arena);
        TN_VISIT(visitor, origin->file[k].sum);
    }
    list_count(&origin->places, (void **)&origin->place, sizeof *origin->place, visitor, arena);
    visitor->bytes(visitor, origin->place, origin->places * sizeof *origin->place);
}

/* ---- what the results tell ----------------------------------------------------------------------------------- */

/* Statistics count the entries of the last matrix that are not 0. */
static void list_matrix(tn_equations *equations, tn_state_visitor *visitor)
{
    const tn_matrix *matrix = &equations->matrix;
    if (equations->self && matrix->value)
        tn_visit_numbers(visitor, matrix->value, (size_t)matrix->column_start[matrix->size]);
}

void tn_course_list(tn_study *study, tn_state_visitor *visitor)
{
    double taken = tn_study_wall_time(study);
    tn_diagnostics_list_state(study->diagnostics, visitor);
    tn_results_list_state(&study->results, visitor);
    for (size_t k = 0; k < study->model->sensor_count; k++)
        TN_VISIT(visitor, study->model->sensor[k].told);
    tn_state_copy_list_state(study->assembly, &study->start, visitor);
    tn_phases_list_state(&study->phases, visitor);
    list_matrix(&study->assembly->equations, visitor);
    TN_VISIT(visitor, study->tells_hidden);
    TN_VISIT(visitor, taken);
    if (visitor->restores) study->time_before += taken - tn_study_wall_time(study);
}
