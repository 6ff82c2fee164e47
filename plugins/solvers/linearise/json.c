/* json.c - linear.json: names, units, the operating point and all matrices as text (linearise.h) */
#include "linearise.h"

/* Names are letters, digits, points and primes; reasons may hold anything. */
static void put_text(linear_bytes *to, const char *text)
{
    linear_put(to, "\"", 1);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            linear_say(to, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            linear_say(to, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            linear_put(to, text, 1);
    linear_put(to, "\"", 1);
}

/* All digits; what is no number is null. */
static void put_number(linear_bytes *to, double value)
{
    if (isfinite(value))
        linear_say(to, "%.17g", value);
    else
        linear_say(to, "null");
}

static void put_matrix(linear_bytes *to, const char *name, const linear_matrix *m, bool last)
{
    linear_say(to, "    \"%s\": [", name);
    for (size_t r = 0; r < m->rows; r++) {
        linear_say(to, "%s[", r ? ",\n      " : "\n      ");
        for (size_t c = 0; c < m->columns; c++) {
            if (c) linear_say(to, ", ");
            put_number(to, linear_row(m, r)[c]);
        }
        linear_say(to, "]");
    }
    linear_say(to, m->rows ? "\n    ]%s\n" : "]%s\n", last ? "" : ",");
}

/* Entries that are not zero, as [row, column, value] from 0 on: most of such matrices are. */
static void put_sparse(linear_bytes *to, const char *name, const linear_matrix *m, bool last)
{
    const char *before = "";
    linear_say(to, "    \"%s\": {\"rows\": %zu, \"columns\": %zu, \"entries\": [", name, m->rows, m->columns);
    for (size_t r = 0; r < m->rows; r++)
        for (size_t c = 0; c < m->columns; c++) {
            if (linear_row(m, r)[c] == 0.0) continue;
            linear_say(to, "%s[%zu, %zu, ", before, r, c);
            put_number(to, linear_row(m, r)[c]);
            linear_say(to, "]");
            before = ", ";
        }
    linear_say(to, "]}%s\n", last ? "" : ",");
}

static void put_names(linear_bytes *to, const char *name, const linear_name *list, size_t count,
                      const char *kind, const char *indent, bool last)
{
    linear_say(to, "%s\"%s\": [", indent, name);
    for (size_t k = 0; k < count; k++) {
        linear_say(to, "%s\n%s  {\"name\": ", k ? "," : "", indent);
        put_text(to, list[k].name);
        linear_say(to, ", \"unit\": ");
        put_text(to, list[k].unit);
        linear_say(to, ", \"value\": ");
        put_number(to, list[k].value);
        if (kind && list[k].kind) {
            linear_say(to, ", \"%s\": ", kind);
            put_text(to, list[k].kind);
        }
        linear_say(to, "}");
    }
    linear_say(to, "%s%s]%s\n", count ? "\n" : "", count ? indent : "", last ? "" : ",");
}

static void put_minimal(linear_bytes *to, const linear_form *form)
{
    put_matrix(to, "A", &form->A, false);
    put_matrix(to, "B", &form->B, false);
    put_matrix(to, "C", &form->C, false);
    put_matrix(to, "D", &form->D, true);
}

static void put_descriptor(linear_bytes *to, const linear_form *form)
{
    put_sparse(to, "E", &form->E, false);
    put_sparse(to, "A", &form->A, false);
    put_sparse(to, "B", &form->B, false);
    put_sparse(to, "C", &form->C, false);
    put_sparse(to, "D", &form->D, true);
}

static void put_point(const linear_work *work, linear_bytes *to)
{
    linear_say(to, "  \"operating_point\": {\"time\": ");
    put_number(to, work->system->time);
    linear_say(to, ", \"moving\": %s, \"out_of_balance\": ", work->moves ? "true" : "false");
    put_number(to, work->rest);
    linear_say(to, "},\n  \"inexact\": [");
    for (size_t k = 0; k < work->inexact_count; k++) {
        linear_say(to, k ? ", " : "");
        put_text(to, work->inexact[k]);
    }
    linear_say(to, "],\n");
}

void linear_json(const linear_work *work, linear_bytes *to)
{
    linear_say(to, "{\n");
    put_point(work, to);
    put_names(to, "inputs", work->input_name, work->inputs, NULL, "  ", false);
    put_names(to, "outputs", work->output_name, work->outputs, "derivatives", "  ", false);
    put_names(to, "states", work->state_name, work->minimal.A.rows, "kind", "  ", false);
    linear_say(to, "  \"minimal\": {\n");
    put_minimal(to, &work->minimal);
    linear_say(to, "  },\n");
    if (work->step > 0.0) {
        linear_say(to, "  \"discrete\": {\n    \"step\": %.17g,\n", work->step);
        put_matrix(to, "A", &work->discrete.A, false);
        put_matrix(to, "B", &work->discrete.B, true);
        linear_say(to, "  },\n");
    }
    linear_say(to, "  \"descriptor\": {\n");
    put_names(to, "states", work->descriptor_name, work->descriptor.A.rows, "kind", "    ", false);
    put_descriptor(to, &work->descriptor);
    linear_say(to, "  }\n}\n");
}
