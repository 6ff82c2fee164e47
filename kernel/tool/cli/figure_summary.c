/* figure_summary.c - figures of a run on the terminal (see figure_summary.h) */
#include "cli/figure_summary.h"

#include "cli/text_table.h"

#include <math.h>

enum { MOST_LINES = 20 }; /* of a summary */

/* ---- statistics --------------------------------------------------------------------------------------------- */

static void print_statistics(const tn_figure_column *column)
{
    const char *before = ": ";
    for (int s = 0; s < TN_STATISTICS; s++) {
        const tn_figure *figure = &column->statistic[s];
        if (!(column->statistics & 1u << s)) continue;
        (void)printf("%s%s %.9g", before, tn_statistic_names[s], figure->value);
        if (!isnan(figure->time) && s < TN_MEAN) (void)printf(" at %.6g s", figure->time);
        before = ", ";
    }
}

static void print_times(const tn_figures *figures, const tn_figure_column *column)
{
    const char *before = column->statistics ? ", " : ": ";
    for (size_t k = 0; k < column->times; k++) {
        const tn_figure figure = tn_figure_at(figures, column, k);
        if (figure.known)
            (void)printf("%s%.9g at %.9g s", before, figure.value, figure.time);
        else
            (void)printf("%sno row at %.9g s", before, figure.time);
        before = ", ";
    }
}

static void print_column(void *data, const tn_figures *figures, const tn_figure_column *column)
{
    size_t *lines = data;
    const size_t line = (*lines)++;
    if (line == MOST_LINES) (void)printf("         and more, see run.toml\n");
    if (line >= MOST_LINES) return;
    (void)printf("%s %s", line ? "        " : "figures ", column->name);
    if (column->unit[0]) (void)printf(" [%s]", column->unit);
    print_statistics(column);
    print_times(figures, column);
    (void)putchar('\n');
}

void tn_figures_print(const tn_study *study)
{
    size_t lines = 0;
    tn_figures_visit(tn_recorder_figures(study->recorder), print_column, &lines);
}

/* ---- expectations ------------------------------------------------------------------------------------------- */

static void add_number(tn_text_table *table, bool known, double number)
{
    if (known)
        tn_text_table_add(table, "%.9g", number);
    else
        tn_text_table_add(table, "-");
}

static void add_outcome(tn_text_table *table, const tn_expected_outcome *outcome)
{
    const tn_expectation *e = outcome->expected;
    char words[512];
    tn_text_table_add(table, "%s", tn_expectation_words(e, words, sizeof words));
    tn_text_table_add(table, "%.9g", e->value);
    add_number(table, outcome->got.known, outcome->got.value);
    if (outcome->got.known)
        tn_text_table_add(table, "%.2g", outcome->difference);
    else
        tn_text_table_add(table, "-");
    tn_text_table_add(table, "%.2g", e->tolerance);
    tn_text_table_add(table, "%s", e->unit);
    tn_text_table_add(table, "%s", outcome->holds ? "ok" : "failed");
}

static void print_outcomes(const tn_figures *figures, bool complete)
{
    static const char *const headings[] = {"figure",    "expected", "got", "difference",
                                           "tolerance", "unit",     ""};
    enum { COLUMNS = sizeof headings / sizeof *headings };
    tn_text_table table = {.columns = COLUMNS};
    for (int k = 0; k < COLUMNS; k++)
        tn_text_table_add(&table, "%s", headings[k]);
    for (size_t k = 0; k < tn_expectation_count(figures); k++) {
        const tn_expected_outcome outcome = tn_expectation_outcome(figures, k, complete);
        add_outcome(&table, &outcome);
    }
    (void)putchar('\n');
    tn_text_table_print(&table, stdout);
}

static void tell_failure(const tn_study *study, const tn_expected_outcome *outcome)
{
    const tn_expectation *e = outcome->expected;
    char words[512];
    (void)tn_expectation_words(e, words, sizeof words);
    if (outcome->problem)
        tn_tell(study->diagnostics, TN_SEVERITY_ERROR, e->table->place, "%s cannot be compared: %s", words,
                outcome->problem);
    else
        tn_tell(study->diagnostics, TN_SEVERITY_ERROR, e->table->place,
                "%s is %.17g%s%s, which differs by %.3g from %.17g: %.3g is allowed", words,
                outcome->got.value, e->unit[0] ? " " : "", e->unit, outcome->difference, e->value,
                e->tolerance);
}

bool tn_expectations_tell(const tn_study *study, bool quiet)
{
    const tn_figures *figures = tn_recorder_figures(study->recorder);
    const bool complete = tn_study_is_complete(study);
    const size_t count = tn_expectation_count(figures), failed = tn_expectations_failed(figures, complete);
    if (!quiet && count) print_outcomes(figures, complete);
    for (size_t k = 0; k < count; k++) {
        const tn_expected_outcome outcome = tn_expectation_outcome(figures, k, complete);
        if (!outcome.holds) tell_failure(study, &outcome);
    }
    tn_tell_rest(study->diagnostics);
    if (!quiet) (void)printf("check    %zu of %zu expectations hold\n", count - failed, count);
    return failed == 0;
}
