/* save.c - the state of a run to bytes and back (see state.h) */
#include "state/state.h"

#include "extensions/complex_equations.h"
#include "extensions/own_matrices.h"
#include "extensions/equations_state.h"
#include "system/accept.h"
#include "system/linear.h"

#include <inttypes.h>
#include <string.h>

/* ---- visitors -------------------------------------------------------------------------------------------- */

/* Counts bytes, copies them to `to`, or overwrites them with those `from` there. */
typedef struct walk {
    tn_state_visitor visitor;
    char *to;
    const char *from;
    size_t count, size; /* bytes passed; bytes there are */
} walk;

static void pass_bytes(tn_state_visitor *visitor, void *data, size_t size)
{
    walk *self = (walk *)(void *)visitor;
    const bool fits = size <= self->size - (self->count < self->size ? self->count : self->size);
    if (size && fits && self->to) memcpy(self->to + self->count, data, size);
    if (size && fits && self->from) memcpy(data, self->from + self->count, size);
    self->count += size;
}

static walk walk_over(char *to, const char *from, size_t size)
{
    return (walk){
        .visitor = {.struct_size = sizeof(tn_state_visitor), .restores = from != NULL, .bytes = pass_bytes},
        .to = to,
        .from = from,
        .size = size};
}

/* ---- what the bytes are of ------------------------------------------------------------------------------- */

static uint64_t sum_of(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes; /* FNV-1a */
    for (size_t k = 0; k < size; k++)
        sum = (sum ^ byte[k]) * UINT64_C(1099511628211);
    return sum;
}

/* Of the model as it was read, with its overrides and further sensors. */
static uint64_t sum_of_model(tn_study *study)
{
    if (study->sum_of_model) return study->sum_of_model;
    const char *text = tn_model_print(study->model, false);
    uint64_t sum = sum_of(UINT64_C(14695981039346656037), text, strlen(text));
    const tenon_options *asked = &study->options->asked;
    for (size_t k = 0; k < asked->sensor_count; k++)
        sum = sum_of(sum, asked->sensors[k], strlen(asked->sensors[k]) + 1);
    return study->sum_of_model = sum;
}

static const char first_word[] = "tenon-state";

/* One line for each thing that must be the same. */
static void print_origin(tn_study *study, tn_text *text)
{
    tn_text_add(text, "%s 1\nprogram tenon %s\nmodel %s %016" PRIx64 "\n", first_word, TENON_VERSION,
                tn_document_path(study->document), sum_of_model(study));
    for (size_t k = 0; k < tn_registry_file_count(study->registry); k++) {
        const tn_plugin_file *plugin = tn_registry_file(study->registry, k);
        if (plugin->verdict == TN_LOADED)
            tn_text_add(text, "plugin %s %s %016" PRIx64 "\n", plugin->library->name,
                        plugin->library->version, plugin->hash);
    }
}

/* ---- save ------------------------------------------------------------------------------------------------ */

static size_t list_all(tn_study *study, walk *over)
{
    uint64_t number = study->running.number;
    double start = study->plan.solver[number].run.start_time;
    TN_VISIT(&over->visitor, number);
    TN_VISIT(&over->visitor, start);
    (void)tn_state_list_model(study, &over->visitor);
    tn_state_list_solver(study, &over->visitor);
    return over->count;
}

static void begin_anew(tn_study *study, tn_text *anew)
{
    tn_assembly *assembly = study->assembly;
    const tn_solver_run *running = &study->running;
    if (running->owner->forget && tn_call(running->owner, forget, running->work))
        tn_text_list(anew, running->owner->name);
    const bool own = tn_equations_forget(assembly, &assembly->equations);
    const bool complex = tn_complex_forget(assembly);
    const bool served = tn_own_matrices_forget(assembly);
    if (tn_equations_forget(assembly, &assembly->least_norm) || own || complex || served)
        tn_text_list(anew, assembly->linear->type->name);
}

bool tn_state_hides(tn_study *study, tn_text *names)
{
    const tn_assembly *assembly = study->assembly;
    const tn_solver_run *running = &study->running;
    const tn_loaded_solver *solver = running->work ? running->owner : NULL;
    const tn_loaded_linear *linear = assembly->linear->type;
    const bool of_solver =
        solver && solver->forget && (!solver->hides || tn_call(solver, hides, running->work));
    const bool of_linear = linear && !linear->state;
    if (of_solver) tn_text_list(names, solver->name);
    if (of_linear) tn_text_list(names, linear->name);
    return of_solver || of_linear;
}

size_t tn_state_save(tn_study *study, void *bytes, size_t capacity, tn_text *anew)
{
    tn_text head = {0};
    print_origin(study, &head);
    walk counted = walk_over(NULL, NULL, 0);
    const size_t count = list_all(study, &counted);
    /* the line behind these has always the same length */
    const size_t first = head.length + strlen("bytes 00000000000000000000 0000000000000000\n\n"),
                 size = first + count;
    if (bytes && size <= capacity) {
        begin_anew(study, anew);
        walk copied = walk_over((char *)bytes + first, NULL, count);
        (void)list_all(study, &copied);
        tn_text_add(&head, "bytes %020zu %016" PRIx64 "\n\n", count,
                    sum_of(UINT64_C(14695981039346656037), (char *)bytes + first, count));
        memcpy(bytes, head.letters, first);
    }
    tn_free(head.letters);
    return size;
}

/* ---- restore --------------------------------------------------------------------------------------------- */

/* The text from `from` on up to the end of its line; NULL behind the last line. */
static const char *end_of_line(const char *from, const char *end)
{
    return from < end ? memchr(from, '\n', (size_t)(end - from)) : NULL;
}

bool tn_state_refuse(tn_text *reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tn_text_add_list(reason, format, arguments);
    va_end(arguments);
    return false;
}

/* A line of the bytes is not the one that stands for the model at hand. */
static bool refuse_line(tn_text *reason, const char *line, int length, const char *own, int own_length)
{
    if (length > 6 && strncmp(line, "model ", 6) == 0)
        return tn_state_refuse(reason, "the state is of another model: of %.*s, and this is %.*s", length - 6,
                               line + 6, own_length - 6, own_length > 6 ? own + 6 : own);
    if (length > 7 && strncmp(line, "plugin ", 7) == 0) {
        const bool both = own_length > 7 && strncmp(own, "plugin ", 7) == 0;
        return tn_state_refuse(reason,
                               "the state was saved with another plugin: with %.*s, and loaded is %.*s",
                               length - 7, line + 7, both ? own_length - 7 : 4, both ? own + 7 : "none");
    }
    if (length > 8 && strncmp(line, "program ", 8) == 0)
        return tn_state_refuse(reason, "the state was saved by another program: by %.*s, and this is %.*s",
                               length - 8, line + 8, own_length - 8, own_length > 8 ? own + 8 : own);
    if (length > 6 && strncmp(line, "bytes ", 6) == 0)
        return tn_state_refuse(reason, "the state was saved without the plugin %.*s", own_length - 7,
                               own + 7);
    return tn_state_refuse(reason, "these bytes are no state of a run");
}

/* Where the spans begin, whose number is `count`; NULL after a refusal. */
static const char *check_origin(tn_study *study, const char *bytes, size_t size, size_t *count,
                                tn_text *reason)
{
    const char *end = bytes + size, *line = bytes, *next;
    tn_text head = {0};
    print_origin(study, &head);
    const char *own = head.letters, *own_next;
    bool good = true;
    for (; good && *own; own = own_next + 1, line = next + 1) {
        own_next = strchr(own, '\n');
        next = end_of_line(line, end);
        if (!next || next - line > TN_LONGEST_REASON)
            good = tn_state_refuse(reason,
                                   size < head.length && memcmp(head.letters, size ? bytes : "", size) == 0
                                       ? "the state is truncated: its head is not whole"
                                       : "these bytes are no state of a run");
        else if (next - line != own_next - own || memcmp(line, own, (size_t)(next - line)) != 0)
            good = refuse_line(reason, line, (int)(next - line), own, (int)(own_next - own));
    }
    tn_free(head.letters);
    if (!good) return NULL;
    char words[64] = "";
    next = end_of_line(line, end);
    if (next && (size_t)(next - line) < sizeof words) memcpy(words, line, (size_t)(next - line));
    uint64_t stated = 0, sum = 0;
    if (next && strncmp(line, "plugin ", 7) == 0) {
        (void)refuse_line(reason, line, (int)(next - line), "", 0);
        return NULL;
    }
    if (!next || next + 1 >= end || next[1] != '\n' ||
        sscanf(words, "bytes %" SCNu64 " %" SCNx64, &stated, &sum) != 2) {
        (void)tn_state_refuse(reason, "the state is truncated: its head is not whole");
        return NULL;
    }
    const char *first = next + 2;
    *count = (size_t)(end - first);
    if (*count != stated)
        (void)tn_state_refuse(reason, "the state is truncated: it has %zu bytes of %" PRIu64, *count, stated);
    else if (sum_of(UINT64_C(14695981039346656037), first, *count) != sum)
        (void)tn_state_refuse(reason, "the state has been altered: the sum of its bytes is another one");
    else
        return first;
    return NULL;
}

bool tn_state_check(tn_study *study, const void *bytes, size_t size, tn_text *reason)
{
    size_t count = 0;
    return check_origin(study, bytes, size, &count, reason) != NULL;
}

/* Lets the solver that the bytes are of begin; what it hands over is not heard of. */
static tn_status place_solver(tn_study *study, size_t number, double start)
{
    tn_acceptance *acceptance = study->assembly->acceptance;
    acceptance->is_deaf = true;
    const tn_status status = tn_solvers_place(study, number, start);
    acceptance->is_deaf = false;
    return status;
}

static tn_status restore_all(tn_study *study, const char *from, size_t size)
{
    walk over = walk_over(NULL, from, size);
    tn_system *system = &study->assembly->system;
    uint64_t number = 0;
    double start = 0.0;
    TN_VISIT(&over.visitor, number);
    TN_VISIT(&over.visitor, start);
    if (number >= study->plan.solver_count) return TN_FATAL;
    const size_t head = over.count;
    if (!tn_state_list_model(study, &over.visitor)) return TN_FATAL;
    const bool same = study->running.number == number && study->running.begun &&
                      study->plan.solver[number].run.start_time == start;
    if (!same) {
        const tn_status status = place_solver(study, number, start);
        if (status != TN_OK) return status;
        over.count = head;
        (void)tn_state_list_model(study, &over.visitor);
    }
    /* what is found in every evaluation, before the numbers that it starts from once more */
    (void)system->evaluate(system);
    over.count = head;
    (void)tn_state_list_model(study, &over.visitor);
    tn_state_list_solver(study, &over.visitor);
    return over.count == size ? TN_OK : TN_FATAL;
}

tn_status tn_state_restore(tn_study *study, const void *bytes, size_t size, tn_text *reason)
{
    size_t count = 0;
    const char *first = check_origin(study, bytes, size, &count, reason);
    if (!first) return TN_INVALID;
    const bool ended = study->running.number >= study->plan.solver_count;
    if (!ended || tn_study_reopen(study)) return restore_all(study, first, count);
    (void)tn_state_refuse(reason, "the run has ended, and its results are written");
    return TN_INVALID;
}
