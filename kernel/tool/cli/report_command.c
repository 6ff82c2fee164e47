/* report_command.c - `tenon report`: the page of a run, or of two; pictures and plots of it. Its options are parameters of a writer. */
#include "cli/cli.h"
#include "cli/conversion.h"
#include "cli/plugin_path.h"
#include "record/recording.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define WRITER "report"

/* ---- what is asked for ------------------------------------------------------------------------------------------ */

typedef struct request {
    const tn_usage *usage;
    tn_words directories, times, plots, set, path;
    const char *page, *picture, *plot, *size;
    bool whole, unread; /* unread: the results are none, which who makes files of them tells */
    tn_delivery delivery[3];
    tn_deliveries deliveries;
} request;

/* 0, or 2 after a message. */
static int deliver(request *r, const char *option, const char *path, const char *ending)
{
    if (!path) return 0;
    const tn_delivery to = {option, ending, path};
    const size_t length = strlen(path), end = strlen(ending);
    const bool named = length > end && strcasecmp(path + length - end, ending) == 0;
    if (!named && !tn_delivery_is_folder(&to))
        return tn_wrong_usage(r->usage, "%s makes a file *%s, not \"%s\"; a folder is there, or ends with /",
                              option, ending, path);
    r->delivery[r->deliveries.count++] = to;
    r->deliveries.delivery = r->delivery;
    return 0;
}

static bool is_number(const char *word, double *number)
{
    char *end = NULL;
    *number = strtod(word, &end);
    return end > word && !*end && isfinite(*number);
}

/* WxH */
static bool is_size(const char *word, double *size)
{
    char rest = 0;
    int width = 0, height = 0;
    const bool good = sscanf(word, "%5dx%5d%c", &width, &height, &rest) == 2 && width > 0 && height > 0;
    size[0] = width;
    size[1] = height;
    return good;
}

static int check(request *r)
{
    double number, size[2];
    int status = deliver(r, "--out", r->page, ".html");
    if (status == 0) status = deliver(r, "--png", r->picture, ".png");
    if (status == 0) status = deliver(r, "--svg", r->plot, ".svg");
    if (status != 0) return status;
    if (!r->picture && (r->times.count || r->size || r->whole))
        return tn_wrong_usage(r->usage, "%s belongs to --png",
                              r->times.count ? "--at"
                              : r->size      ? "--size"
                                             : "--whole");
    if (!r->plot && r->plots.count) return tn_wrong_usage(r->usage, "--plot belongs to --svg");
    for (size_t k = 0; k < r->times.count; k++)
        if (!is_number(r->times.word[k], &number))
            return tn_wrong_usage(r->usage, "--at takes a time in s, not \"%s\"", r->times.word[k]);
    if (r->size && !is_size(r->size, size))
        return tn_wrong_usage(r->usage, "--size takes pixels as in 1600x900, not \"%s\"", r->size);
    for (size_t k = 0; k < r->set.count; k++)
        if (!strchr(r->set.word[k], '='))
            return tn_wrong_usage(r->usage, "--set takes KEY=VALUE, not \"%s\"", r->set.word[k]);
    return 0;
}

/* ---- what the results have ---------------------------------------------------------------------------------------- */

/* The recordings, where they can be read: who makes the files says what is wrong with others. */
static size_t read_results(const tn_words *directories, tn_recording **recording)
{
    tn_diagnostics *diagnostics = tn_diagnostics_new();
    size_t count = 0;
    for (size_t k = 0; k < directories->count; k++) {
        tn_text reason = {0};
        const int folder = open(directories->word[k], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0) continue;
        recording[count] = tn_recording_open(folder, directories->word[k], diagnostics, &reason);
        count += recording[count] != NULL;
        (void)close(folder);
        tn_free(reason.letters);
    }
    return count;
}

/* Times of pictures lie within the runs; without any it is the end. */
static int choose_times(request *r, tn_recording *const *recording, size_t count)
{
    double start = HUGE_VAL, end = -HUGE_VAL, time;
    for (size_t k = 0; k < count; k++) {
        start = fmin(start, recording[k]->start_time);
        end = fmax(end, recording[k]->time_reached);
    }
    for (size_t k = 0; k < r->times.count; k++)
        if (is_number(r->times.word[k], &time) && !(time >= start && time <= end))
            return tn_wrong_usage(r->usage, "--at %s: the run goes from %.9g to %.9g s", r->times.word[k],
                                  start, end);
    tn_text last = {0};
    tn_text_add(&last, "%.17g", end);
    if (!r->times.count) tn_words_add(&r->times, last.letters);
    if (r->times.count > 1 && !tn_delivery_is_folder(&(tn_delivery){"--png", ".png", r->picture}))
        return tn_wrong_usage(r->usage, "--png %s is one file for %zu times: a folder takes them, as in %s/",
                              r->picture, r->times.count, "pictures");
    return 0;
}

static bool has_word(const tn_words *words, const char *word)
{
    for (size_t k = 0; k < words->count; k++)
        if (strcmp(words->word[k], word) == 0) return true;
    return false;
}

/* All sensors, or columns as well. */
static void list_names(tn_recording *const *recording, size_t count, bool columns, tn_words *names)
{
    for (size_t k = 0; k < count; k++)
        for (uint32_t t = 0; t < recording[k]->tables; t++) {
            const tn_recorded_table *table = &recording[k]->table[t];
            for (uint32_t c = 1; c < table->columns; c++) {
                if (!has_word(names, table->column[c].sensor)) tn_words_add(names, table->column[c].sensor);
                if (columns && !has_word(names, table->column[c].name))
                    tn_words_add(names, table->column[c].name);
            }
        }
}

/* Plots are of columns and sensors that there are; without any there is one for each sensor. */
static int choose_plots(request *r, tn_recording *const *recording, size_t count)
{
    tn_words names = {0};
    const bool take_all = !r->plots.count;
    list_names(recording, count, !take_all, &names);
    if (!names.count) return tn_wrong_usage(r->usage, "--svg: the results have no rows of sensors");
    for (size_t k = 0; k < r->plots.count; k++) {
        const char *word = r->plots.word[k];
        if (strchr(word, '*') || has_word(&names, word)) continue;
        tn_nearest search;
        tn_nearest_start(&search, word);
        for (size_t n = 0; n < names.count; n++)
            tn_nearest_offer(&search, names.word[n]);
        return search.best
                   ? tn_wrong_usage(r->usage,
                                    "--plot: there is no column or sensor \"%s\": did you mean \"%s\"?", word,
                                    search.best)
                   : tn_wrong_usage(r->usage, "--plot: there is no column or sensor \"%s\"", word);
    }
    // names of the recordings end with them
    for (size_t n = 0; n < names.count && take_all; n++) {
        tn_text name = {0};
        tn_text_add(&name, "%s", names.word[n]);
        tn_words_add(&r->plots, name.letters);
    }
    return 0;
}

static int choose(request *r)
{
    tn_recording *recording[2];
    const size_t count = r->picture || r->plot ? read_results(&r->directories, recording) : 0;
    int status = 0;
    r->unread = (r->picture || r->plot) && !count;
    if (count && r->picture) status = choose_times(r, recording, count);
    if (count && r->plot && status == 0) status = choose_plots(r, recording, count);
    for (size_t k = 0; k < count; k++)
        tn_recording_close(recording[k]);
    return status;
}

/* ---- the writer --------------------------------------------------------------------------------------------------- */

/* The options as its parameters. */
static const char *print_writer(const request *r)
{
    double size[2], time = 0.0;
    tn_text text = {0};
    if (r->unread) return WRITER;
    tn_text_add(&text, "{type = \"" WRITER "\"");
    if (r->deliveries.count && !r->page) tn_text_add(&text, ", without_page = true");
    if (r->picture) {
        for (size_t k = 0; k < r->times.count; k++)
            if (is_number(r->times.word[k], &time))
                tn_text_add(&text, "%s%.17g", k ? ", " : ", png = [", time);
        tn_text_add(&text, "]%s", r->whole ? ", png_page = true" : "");
        if (r->size && is_size(r->size, size))
            tn_text_add(&text, ", png_size = [%.0f, %.0f]", size[0], size[1]);
    }
    for (size_t k = 0; r->plot && k < r->plots.count; k++) {
        tn_text_add(&text, "%s", k ? ", " : ", svg = [");
        tn_add_toml_text(&text, r->plots.word[k], strlen(r->plots.word[k]));
    }
    if (r->plot)
        tn_text_add(&text, "], svg_sheet = %s",
                    tn_delivery_is_folder(&(tn_delivery){"--svg", ".svg", r->plot}) ? "false" : "true");
    for (size_t k = 0; k < r->set.count; k++)
        tn_add_toml_pair(&text, r->set.word[k], strlen(r->set.word[k]));
    tn_text_add(&text, "}");
    return text.letters;
}

/* ---- the command -------------------------------------------------------------------------------------------------- */

static int make(request *r)
{
    tn_words writers = {0};
    int status = check(r);
    if (status == 0) status = choose(r);
    if (status != 0) return status;
    tn_words_add(&writers, print_writer(r));
    return tn_conversion_make(&r->directories, &writers, "--set", &r->path,
                              r->deliveries.count ? &r->deliveries : NULL);
}

int tn_command_report(int argc, char **argv)
{
    request r = {.usage = NULL};
    const tn_option options[] = {
        {"--out", "FILE", TN_OPTION_TEXT, &r.page, "the page goes there; a file *.html, or a folder"},
        {"--png", "FILE", TN_OPTION_TEXT, &r.picture,
         "a picture of the scene, taken by chromium: a file *.png, or a folder"},
        {"--at", "TIME", TN_OPTION_WORDS, &r.times,
         "time of a picture, s; may be repeated for a folder. Default: the end"},
        {"--size", "WxH", TN_OPTION_TEXT, &r.size, "pixels of a picture; default 1600x900"},
        {"--whole", NULL, TN_OPTION_FLAG, &r.whole, "pictures of the whole page in place of the scene"},
        {"--svg", "FILE", TN_OPTION_TEXT, &r.plot,
         "plots: a file *.svg with all of them below each other, or a folder\nwith a file for each"},
        {"--plot", "NAME", TN_OPTION_WORDS, &r.plots,
         "a column or sensor, * stands for any letters, ? for one; may be repeated. Default:\na plot for "
         "each sensor"},
        {"--set", "KEY=VALUE", TN_OPTION_WORDS, &r.set, "another parameter of the writer `" WRITER "`"},
        TN_PLUGIN_PATH_OPTION(&r.path),
        {0}};
    const tn_usage usage = {
        "report",
        "Makes a page of the results of a run, or of two side by side: report.html in the first directory.\n"
        "With --out, --png or --svg it makes these files only, and the results stay as they are.",
        "DIR [DIR2]",
        1,
        2,
        options};
    int status = 0;
    r.usage = &usage;
    if (!tn_options_read(&usage, argc, argv, &r.directories, &status)) return status;
    return make(&r);
}
