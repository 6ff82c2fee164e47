/* files.c - the results as files in the folder of the run: linear.json, linear.npz and linear.mat (linearise.h) */
#include "linearise.h"

#include <stdarg.h>
#include <stdlib.h>

/* ---- bytes ---------------------------------------------------------------------------------------------------------- */

void linear_put(linear_bytes *to, const void *bytes, size_t count)
{
    if (to->failed || !count) return;
    if (to->count + count > to->capacity) {
        const size_t capacity = 2 * (to->count + count);
        unsigned char *more = realloc(to->byte, capacity);
        to->failed = !more;
        if (!more) return;
        to->byte = more;
        to->capacity = capacity;
    }
    memcpy(to->byte + to->count, bytes, count);
    to->count += count;
}

void linear_say(linear_bytes *to, const char *format, ...)
{
    char text[LINEAR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    (void)tn_print_cut_list(text, sizeof text, format, arguments);
    va_end(arguments);
    linear_put(to, text, strlen(text));
}

/* ---- what there is ---------------------------------------------------------------------------------------------------- */

static void add_matrix(linear_entry *entry, size_t *count, const char *name, const linear_matrix *matrix)
{
    entry[(*count)++] = (linear_entry){.name = name, .matrix = matrix};
}

static void add_list(linear_entry *entry, size_t *count, const char *name, const linear_name *list,
                     size_t names)
{
    entry[(*count)++] = (linear_entry){.name = name, .list = list, .count = names};
}

size_t linear_entries(const linear_work *work, linear_entry *entry)
{
    const linear_form *minimal = &work->minimal, *full = &work->descriptor;
    size_t count = 0;
    add_matrix(entry, &count, "A", &minimal->A);
    add_matrix(entry, &count, "B", &minimal->B);
    add_matrix(entry, &count, "C", &minimal->C);
    add_matrix(entry, &count, "D", &minimal->D);
    add_matrix(entry, &count, "descriptor_E", &full->E);
    add_matrix(entry, &count, "descriptor_A", &full->A);
    add_matrix(entry, &count, "descriptor_B", &full->B);
    add_matrix(entry, &count, "descriptor_C", &full->C);
    add_matrix(entry, &count, "descriptor_D", &full->D);
    if (work->step > 0.0) {
        add_matrix(entry, &count, "discrete_A", &work->discrete.A);
        add_matrix(entry, &count, "discrete_B", &work->discrete.B);
    }
    add_list(entry, &count, "states", work->state_name, minimal->A.rows);
    add_list(entry, &count, "descriptor_states", work->descriptor_name, full->A.rows);
    add_list(entry, &count, "inputs", work->input_name, work->inputs);
    add_list(entry, &count, "outputs", work->output_name, work->outputs);
    return count;
}

/* ---- files ------------------------------------------------------------------------------------------------------------ */

static tn_status write_file(linear_work *work, const tn_tables *tables, const char *name,
                            linear_bytes *content)
{
    char written[TN_TABLE_NAME] = "";
    tn_status status = TN_OUT_OF_MEMORY;
    if (!content->failed) status = tables->write(work->system, name, content->byte, content->count, written);
    free(content->byte);
    *content = (linear_bytes){0};
    return status;
}

/* Values of the operating point, in the order of the lists: of states, inputs, outputs. */
static bool make_values(linear_work *work, linear_entry *entry, size_t *count, linear_matrix value[5])
{
    static const char *const name[] = {"state_values", "input_values", "output_values", "time",
                                       "discrete_step"};
    const linear_name *const list[] = {work->state_name, work->input_name, work->output_name};
    const size_t sizes[] = {work->minimal.A.rows, work->inputs, work->outputs, 1, 1};
    for (size_t k = 0; k < 5; k++) {
        if (!linear_new(work, &value[k], 1, sizes[k])) return false;
        for (size_t i = 0; k < 3 && i < sizes[k]; i++)
            value[k].value[i] = list[k][i].value;
        if (k < 4 || work->step > 0.0) add_matrix(entry, count, name[k], &value[k]);
    }
    value[3].value[0] = work->system->time;
    value[4].value[0] = work->step;
    return true;
}

tn_status linear_write_files(linear_work *work)
{
    tn_system *system = work->system;
    const tn_tables *tables = system->extension(system, TN_TABLES_KEY);
    linear_entry entry[LINEAR_ENTRIES];
    linear_matrix value[5];
    linear_bytes content = {0};
    if (!tables) {
        tn_say(system->host, TN_NOTE, "no results are written, so that the matrices go nowhere");
        return TN_OK;
    }
    size_t count = linear_entries(work, entry);
    if (!make_values(work, entry, &count, value)) return TN_OUT_OF_MEMORY;
    linear_json(work, &content);
    tn_status status = write_file(work, tables, "linear.json", &content);
    if (status != TN_OK) return status;
    linear_npz(entry, count, &content);
    status = write_file(work, tables, "linear.npz", &content);
    if (status != TN_OK) return status;
    if (!linear_has_mat()) {
        tn_say(system->host, TN_NOTE, "linear.mat is left out: this build has no libmatio");
        return TN_OK;
    }
    if (linear_mat(entry, count, &content)) return write_file(work, tables, "linear.mat", &content);
    free(content.byte);
    tn_say(system->host, TN_WARNING, "linear.mat is left out: libmatio could not make it");
    return TN_OK;
}
