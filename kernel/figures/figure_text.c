/* figure_text.c - figures of a run in run.toml, and in words (see figures.h) */
#include "figures/figures.h"

#include "config/printed_text.h"

#include <math.h>
#include <string.h>

/* TOML has no sign before nan that says anything. */
static void write_number(FILE *file, double value)
{
    if (isnan(value))
        (void)fputs("nan", file);
    else
        (void)fprintf(file, "%.17g", value);
}

static void write_entry(FILE *file, const char *key, double value)
{
    (void)fprintf(file, "%s = ", key);
    write_number(file, value);
    (void)fputc('\n', file);
}

/* ---- sensors ------------------------------------------------------------------------------------------------ */

static void write_statistics(FILE *file, const tn_figure_column *column)
{
    for (int s = 0; s < TN_STATISTICS; s++) {
        const tn_figure *figure = &column->statistic[s];
        if (!(column->statistics & 1u << s)) continue;
        write_entry(file, tn_statistic_names[s], figure->value);
        if (isnan(figure->time)) continue;
        (void)fprintf(file, "%s_time = ", tn_statistic_names[s]);
        write_number(file, figure->time);
        (void)fputs(" # s\n", file);
    }
}

/* A time that no row is at has none. */
static void write_times(FILE *file, const tn_figures *figures, const tn_figure_column *column)
{
    if (column->times) (void)fputs("at = [\n", file);
    for (size_t k = 0; k < column->times; k++) {
        const tn_figure figure = tn_figure_at(figures, column, k);
        (void)fputs("    { time = ", file);
        write_number(file, figure.time);
        if (figure.known) {
            (void)fputs(", value = ", file);
            write_number(file, figure.value);
        }
        (void)fputs(" },\n", file);
    }
    if (column->times) (void)fputs("]\n", file);
}

static void write_column(void *data, const tn_figures *figures, const tn_figure_column *column)
{
    FILE *file = data;
    (void)fputs("\n[[run.sensor]]\n", file);
    tn_toml_print_line(file, "column", column->name);
    if (column->unit[0]) tn_toml_print_line(file, "unit", column->unit);
    write_statistics(file, column);
    write_times(file, figures, column);
}

/* ---- expectations --------------------------------------------------------------------------------------------- */

const char *tn_expectation_words(const tn_expectation *expected, char *text, size_t size)
{
    char solver[32] = "";
    if (expected->solver >= 0) (void)snprintf(solver, sizeof solver, " of solver %d", (int)expected->solver);
    if (isnan(expected->time))
        (void)tn_print_cut(text, size, "%s of %s%s", tn_statistic_names[expected->statistic],
                           expected->column, solver);
    else
        (void)tn_print_cut(text, size, "%s at %.9g s%s", expected->column, expected->time, solver);
    return text;
}

static void write_expectation(FILE *file, const tn_expected_outcome *outcome)
{
    const tn_expectation *e = outcome->expected;
    (void)fputs("\n[[run.expectation]]\n", file);
    tn_toml_print_line(file, "sensor", e->column);
    if (isnan(e->time))
        tn_toml_print_line(file, "statistic", tn_statistic_names[e->statistic]);
    else
        write_entry(file, "at", e->time);
    if (e->solver >= 0) (void)fprintf(file, "solver = %d\n", (int)e->solver);
    if (e->unit[0]) tn_toml_print_line(file, "unit", e->unit);
    write_entry(file, "expected", e->value);
    if (outcome->got.known) {
        write_entry(file, "got", outcome->got.value);
        write_entry(file, "difference", outcome->difference);
    }
    write_entry(file, "tolerance", e->tolerance);
    (void)fprintf(file, "holds = %s\n", outcome->holds ? "true" : "false");
    if (outcome->problem) tn_toml_print_line(file, "reason", outcome->problem);
    if (e->source) tn_toml_print_line(file, "source", e->source);
}

void tn_figures_write(FILE *file, const tn_figures *figures, bool finished)
{
    tn_figures_visit(figures, write_column, file);
    for (size_t k = 0; k < tn_expectation_count(figures); k++) {
        const tn_expected_outcome outcome = tn_expectation_outcome(figures, k, finished);
        write_expectation(file, &outcome);
    }
}
