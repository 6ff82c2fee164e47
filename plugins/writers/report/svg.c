/* svg.c - plots for papers as SVG: columns over time with axes, units and a legend, one file per entry of `svg`, or all in one; curves of
 * a second recording are dashed. uPlot, which draws the plots of the page, has no vectors and needs a browser: axes and ticks of files
 * are drawn here.
 *
 * The time is divided into a thousand strips, in each of which the least and the greatest value are drawn, so that no peak is lost. */
#include "report.h"

enum {
    STRIPS = 1000,
    MOST_CURVES = 12,
    WIDTH = 720,
    HEIGHT = 400,
    LEFT = 78,
    RIGHT = 18,
    TOP = 34,
    BOTTOM = 50
};

typedef struct strip {
    double low, high, low_time, high_time;
} strip;

typedef struct curve {
    const tn_recorded_column *column;
    uint32_t run, table, number;
    strip *strip; /* [STRIPS]; `low` above `high`: empty */
} curve;

typedef struct plot {
    curve curve[MOST_CURVES];
    size_t curves, left_out;
    double time[2], value[2];
} plot;

/* ---- data ------------------------------------------------------------------------------------------------------------- */

static bool add_curve(plot *p, uint32_t run, uint32_t table, uint32_t number,
                      const tn_recorded_column *column)
{
    if (p->curves == MOST_CURVES) return p->left_out++, true;
    curve *c = &p->curve[p->curves++];
    *c = (curve){column, run, table, number, malloc(STRIPS * sizeof *c->strip)};
    for (size_t k = 0; c->strip && k < STRIPS; k++)
        c->strip[k] = (strip){.low = HUGE_VAL, .high = -HUGE_VAL};
    return c->strip != NULL;
}

/* Finds the columns that match a pattern; false where memory runs out. */
static bool find_curves(plot *p, const char *pattern, const tn_recording *const *recording, uint32_t count)
{
    const tn_texts one = {&pattern, 1};
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t t = 0; t < recording[r]->tables; t++) {
            const tn_recorded_table *table = &recording[r]->table[t];
            for (uint32_t c = 1; c < table->columns; c++)
                if ((tn_matches(&one, table->column[c].name) || tn_matches(&one, table->column[c].sensor)) &&
                    !add_curve(p, r, t, c, &table->column[c]))
                    return false;
        }
    return true;
}

static void see(plot *p, curve *c, double time, double value)
{
    if (!isfinite(value) || !isfinite(time)) return;
    const double share = (time - p->time[0]) / (p->time[1] - p->time[0]);
    size_t k = share > 0.0 ? (size_t)(share * STRIPS) : 0;
    if (k >= STRIPS) k = STRIPS - 1;
    strip *s = &c->strip[k];
    if (value < s->low) s->low = value, s->low_time = time;
    if (value > s->high) s->high = value, s->high_time = time;
    p->value[0] = fmin(p->value[0], value);
    p->value[1] = fmax(p->value[1], value);
}

/* Reads the consecutive curves of one table, from `first` on; *next becomes the first one of the next table. */
static tn_status read_table(plot *p, size_t first, size_t *next, const tn_recording *recording)
{
    const curve *c = &p->curve[first];
    size_t last = first + 1;
    while (last < p->curves && p->curve[last].run == c->run && p->curve[last].table == c->table)
        last++;
    *next = last;
    tn_row_reader reader;
    const size_t columns = recording->table[c->table].columns;
    tn_status status = tn_rows_begin(&reader, recording, c->table, 1);
    if (status != TN_OK) return status;
    do {
        status = tn_rows_next(&reader);
        for (uint64_t r = 0; status == TN_OK && r < reader.count; r++)
            for (size_t k = first; k < last; k++)
                see(p, &p->curve[k], reader.value[r * columns],
                    reader.value[r * columns + p->curve[k].number]);
    } while (status == TN_OK && reader.count > 0);
    tn_rows_end(&reader);
    return status;
}

static tn_status read_curves(plot *p, const tn_recording *const *recording, uint32_t count)
{
    tn_status status = TN_OK;
    p->time[0] = recording[0]->start_time;
    p->time[1] = recording[0]->time_reached;
    for (uint32_t r = 1; r < count; r++) {
        p->time[0] = fmin(p->time[0], recording[r]->start_time);
        p->time[1] = fmax(p->time[1], recording[r]->time_reached);
    }
    if (!(p->time[1] > p->time[0])) p->time[1] = p->time[0] + 1.0;
    p->value[0] = HUGE_VAL;
    p->value[1] = -HUGE_VAL;
    for (size_t k = 0, next; status == TN_OK && k < p->curves; k = next)
        status = read_table(p, k, &next, recording[p->curve[k].run]);
    if (!(p->value[0] <= p->value[1])) p->value[0] = 0.0, p->value[1] = 0.0;
    const double margin = 0.04 * p->value[1] - 0.04 * p->value[0];
    p->value[0] -= margin > 0.0 ? margin : fmax(0.5 * fabs(p->value[0]), 1e-12);
    p->value[1] += margin > 0.0 ? margin : fmax(0.5 * fabs(p->value[1]), 1e-12);
    return status;
}

/* ---- drawing ---------------------------------------------------------------------------------------------------------- */

/* Colours of Okabe and Ito, which colour-blind people can distinguish. */
static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#000000"};
enum { COLORS = sizeof colors / sizeof *colors };

static void write_text(FILE *file, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            (void)fputs("&lt;", file);
            break;
        case '&':
            (void)fputs("&amp;", file);
            break;
        default:
            (void)fputc(*text, file);
        }
}

static double x_of(const plot *p, double time)
{
    return LEFT + (time - p->time[0]) / (p->time[1] - p->time[0]) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const plot *p, double value)
{
    return HEIGHT - BOTTOM - (value - p->value[0]) / (p->value[1] - p->value[0]) * (HEIGHT - TOP - BOTTOM);
}

/* The distance of ticks: 1, 2 or 5 times a power of ten, about `count` of them in the range. */
static double tick_step(double range, double count)
{
    const double rough = range / count, power = pow(10.0, floor(log10(rough))), share = rough / power;
    return power * (share <= 1.0 ? 1.0 : share <= 2.0 ? 2.0 : share <= 5.0 ? 5.0 : 10.0);
}

static void write_ticks(FILE *file, const plot *p, bool upright)
{
    const double *range = upright ? p->value : p->time;
    const double step = tick_step(range[1] - range[0], upright ? 6.0 : 9.0), first = ceil(range[0] / step);
    for (int k = 0; k < 30 && (first + k) * step <= range[1]; k++) {
        const double value = (first + k) * step;
        if (upright) {
            const double y = y_of(p, value);
            (void)fprintf(file,
                          "<path class=\"grid\" d=\"M%d %.2fH%d\"/><text x=\"%d\" y=\"%.2f\" "
                          "text-anchor=\"end\">%.6g</text>\n",
                          LEFT, y, WIDTH - RIGHT, LEFT - 7, y + 4.0, value);
        } else {
            const double x = x_of(p, value);
            (void)fprintf(file,
                          "<path class=\"grid\" d=\"M%.2f %dV%d\"/><text x=\"%.2f\" y=\"%d\" "
                          "text-anchor=\"middle\">%.6g</text>\n",
                          x, TOP, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 18, value);
        }
    }
}

static void write_point(FILE *file, const plot *p, bool begins, double time, double value)
{
    (void)fprintf(file, "%c%.2f %.2f", begins ? 'M' : 'L', x_of(p, time), y_of(p, value));
}

static void write_curve(FILE *file, const plot *p, const curve *c, size_t color)
{
    bool begins = true;
    (void)fprintf(file, "<path class=\"curve\" stroke=\"%s\"%s d=\"", colors[color % COLORS],
                  c->run ? " stroke-dasharray=\"5 3\"" : "");
    for (size_t k = 0; k < STRIPS; k++) {
        const strip *s = &c->strip[k];
        if (!(s->low <= s->high)) continue;
        const bool low_first = s->low_time <= s->high_time;
        write_point(file, p, begins, low_first ? s->low_time : s->high_time, low_first ? s->low : s->high);
        if (s->low < s->high)
            write_point(file, p, false, low_first ? s->high_time : s->low_time, low_first ? s->high : s->low);
        begins = false;
    }
    (void)fputs("\"/>\n", file);
}

/* The legend is a single line in small letters, as several lines would cover the plot. */
static void write_legend(FILE *file, const plot *p, uint32_t runs, const size_t *color)
{
    double x = LEFT;
    for (size_t k = 0; k < p->curves; k++) {
        const curve *c = &p->curve[k];
        (void)fprintf(file,
                      "<path class=\"curve\" stroke=\"%s\"%s d=\"M%.1f %dh18\"/><text x=\"%.1f\" y=\"%d\">",
                      colors[color[k] % COLORS], c->run ? " stroke-dasharray=\"5 3\"" : "", x, TOP - 16,
                      x + 23.0, TOP - 12);
        write_text(file, c->column->name);
        if (runs > 1) (void)fputs(c->run ? " (B)" : " (A)", file);
        (void)fputs("</text>\n", file);
        x += 45.0 + 6.8 * (double)(strlen(c->column->name) + (runs > 1 ? 4 : 0));
    }
}

/* The common unit of all curves. */
static const char *common_unit(const plot *p)
{
    for (size_t k = 1; k < p->curves; k++)
        if (strcmp(p->curve[k].column->unit, p->curve->column->unit) != 0) return "";
    return p->curve->column->unit;
}

static bool has_one_name(const plot *p)
{
    for (size_t k = 1; k < p->curves; k++)
        if (strcmp(p->curve[k].column->name, p->curve->column->name) != 0) return false;
    return true;
}

/* Columns of the second run have the colours of those of the first. */
static void choose_colors(const plot *p, size_t *color)
{
    size_t next = 0;
    for (size_t k = 0; k < p->curves; k++) {
        color[k] = SIZE_MAX;
        for (size_t j = 0; j < k; j++)
            if (strcmp(p->curve[j].column->name, p->curve[k].column->name) == 0) color[k] = color[j];
        if (color[k] == SIZE_MAX) color[k] = next++;
    }
}

/* `top`: where it begins in a sheet. */
static void write_plot(FILE *file, const plot *p, uint32_t runs, double top)
{
    size_t color[MOST_CURVES];
    choose_colors(p, color);
    (void)fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" y=\"%.0f\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
        "%d\">\n"
        "<style>text{font:12px sans-serif;fill:#222}.grid{stroke:#ddd}.curve{fill:none;stroke-width:1.5;"
        "stroke-linejoin:round}</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
        top, WIDTH, HEIGHT, WIDTH, HEIGHT);
    write_ticks(file, p, false);
    write_ticks(file, p, true);
    (void)fprintf(file,
                  "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#555\"/>\n",
                  LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    for (size_t k = 0; k < p->curves; k++)
        write_curve(file, p, &p->curve[k], color[k]);
    write_legend(file, p, runs, color);
    (void)fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">time [s]</text>\n",
                  (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12);
    const char *unit = common_unit(p);
    (void)fprintf(file, "<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">",
                  (TOP + HEIGHT - BOTTOM) / 2);
    const bool one = has_one_name(p);
    if (one) write_text(file, p->curve->column->name);
    if (*unit) {
        (void)fputs(one ? " [" : "[", file);
        write_text(file, unit);
        (void)fputc(']', file);
    }
    (void)fputs("</text>\n</svg>\n", file);
}

/* ---- files ------------------------------------------------------------------------------------------------------------ */

/* The name of a file: letters and digits of the pattern, and _ for other characters. */
static void name_file(const char *pattern, size_t number, char name[96])
{
    int length = snprintf(name, 96, "report_%zu_", number + 1);
    for (; *pattern && length > 0 && length < 90; pattern++) {
        const bool plain = (*pattern >= 'a' && *pattern <= 'z') || (*pattern >= 'A' && *pattern <= 'Z') ||
                           (*pattern >= '0' && *pattern <= '9') || *pattern == '.';
        name[length++] = plain ? *pattern : '_';
    }
    (void)snprintf(name + length, 96 - (size_t)length, ".svg");
}

static tn_status write_file(const tn_host *host, const char *folder, const char *name, const plot *p,
                            uint32_t runs)
{
    tn_result_file file;
    if (tn_result_open(&file, host, "report", folder, name) == TN_OK) write_plot(file.file, p, runs, 0.0);
    return tn_result_close(&file);
}

static void end_plot(plot *p)
{
    for (size_t k = 0; k < p->curves; k++)
        free(p->curve[k].strip);
    *p = (plot){0};
}

/* Without curves, after a warning, where nothing has this name. */
static tn_status read_plot(plot *p, const tn_host *host, const char *pattern,
                           const tn_recording *const *recording, uint32_t count)
{
    *p = (plot){0};
    if (!find_curves(p, pattern, recording, count)) return TN_OUT_OF_MEMORY;
    if (!p->curves)
        return tn_say(host, TN_WARNING, "report: `svg`: there is no column or sensor `%s`", pattern), TN_OK;
    if (p->left_out)
        tn_say(host, TN_WARNING, "report: `svg`: `%s` are more than %d columns: %zu are left out", pattern,
               MOST_CURVES, p->left_out);
    return read_curves(p, recording, count);
}

static tn_status make_plot(const tn_host *host, const char *pattern, size_t number,
                           const tn_recording *const *recording, uint32_t count, const char *folder)
{
    plot p;
    char name[96];
    tn_status status = read_plot(&p, host, pattern, recording, count);
    if (status == TN_OK && p.curves) {
        name_file(pattern, number, name);
        if (status == TN_OK) status = write_file(host, folder, name, &p, count);
    }
    end_plot(&p);
    return status;
}

/* How many plots a sheet has. */
static size_t count_plots(const tn_texts *patterns, const tn_recording *const *recording, uint32_t count)
{
    size_t plots = 0;
    for (uint64_t k = 0; k < patterns->count; k++) {
        plot p = {0};
        plots += find_curves(&p, patterns->text[k], recording, count) && p.curves;
        end_plot(&p);
    }
    return plots;
}

/* `file` may be NULL: nothing but warnings. */
static tn_status write_plots(FILE *file, const tn_host *host, const tn_texts *patterns,
                             const tn_recording *const *recording, uint32_t count)
{
    tn_status status = TN_OK;
    double top = 0.0;
    for (uint64_t k = 0; status == TN_OK && k < patterns->count; k++) {
        plot p;
        status = read_plot(&p, host, patterns->text[k], recording, count);
        if (status == TN_OK && p.curves && file) {
            write_plot(file, &p, count, top);
            top += HEIGHT;
        }
        end_plot(&p);
    }
    return status;
}

static tn_status make_sheet(const tn_host *host, const tn_texts *patterns,
                            const tn_recording *const *recording, uint32_t count, const char *folder)
{
    const size_t plots = count_plots(patterns, recording, count);
    tn_status status = TN_OK;
    tn_result_file file;
    if (!plots) return write_plots(NULL, host, patterns, recording, count); // warns
    if (tn_result_open(&file, host, "report", folder, "report.svg") == TN_OK) {
        (void)fprintf(file.file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\">\n",
                      WIDTH, plots * HEIGHT);
        status = write_plots(file.file, host, patterns, recording, count);
        (void)fputs("</svg>\n", file.file);
    }
    return tn_worse(status, tn_result_close(&file));
}

tn_status tn_make_plots(const tn_host *host, const tn_report_settings *settings,
                        const tn_recording *const *recording, uint32_t count, const char *folder)
{
    tn_status status = TN_OK;
    if (settings->svg_sheet) return make_sheet(host, &settings->svg, recording, count, folder);
    for (uint64_t k = 0; status == TN_OK && k < settings->svg.count; k++)
        status = make_plot(host, settings->svg.text[k], (size_t)k, recording, count, folder);
    return status;
}
