/* report.c - the writer report: a page with scene, plots and texts of a run, or of two side by side, for any browser; plots as SVG */
#include "study.h"

#define STANDARD_SIZE 50e6
enum { LEAST_PIXELS = 64, MOST_PIXELS = 8192 }; /* of pictures */

/* Reads a number and a unit of bytes, such as "50 MB". */
static bool read_size(const char *text, double *bytes)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"B", 1.0},      {"kB", 1e3},     {"MB", 1e6},    {"GB", 1e9},
                 {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}};
    char *end = NULL;
    const double number = strtod(text, &end);
    if (end == text || !(number > 0.0) || !isfinite(number)) return false;
    while (*end == ' ')
        end++;
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcmp(end, units[k].name) == 0) return *bytes = number * units[k].factor, true;
    return false;
}

static tn_status report_prepare(const tn_host *host, void *instance)
{
    tn_report_settings *settings = instance;
    settings->most_bytes = STANDARD_SIZE;
    if (settings->max_size && !read_size(settings->max_size, &settings->most_bytes))
        return tn_refuse(host, "max_size",
                         "`%s` is no size: a number and B, kB, MB or GB are expected, as in \"50 MB\"",
                         settings->max_size);
    if (settings->most_bytes < 2e6)
        return tn_refuse(host, "max_size", "an empty page has 1 MB: 2 MB are the least");
    const tn_list *size = &settings->png_size;
    if (size->count != 0 && size->count != 2)
        return tn_refuse(host, "png_size", "two numbers are expected, width and height");
    for (size_t k = 0; k < size->count; k++)
        if (!(size->value[k] >= LEAST_PIXELS && size->value[k] <= MOST_PIXELS))
            return tn_refuse(host, "png_size", "%g is not between %d and %d pixels", size->value[k],
                             LEAST_PIXELS, MOST_PIXELS);
    if (settings->without_page && !settings->png.count && !settings->svg.count)
        return tn_refuse(host, "without_page", "there is neither `svg` nor `png`: nothing would be made");
    return TN_OK;
}

static tn_status report_convert(const tn_host *host, const void *instance,
                                const tn_recording *const *recording, uint32_t count, const char *folder)
{
    const tn_report_settings *settings = instance;
    tn_status status = TN_OK;
    if (!settings->without_page || settings->png.count) // pictures are taken of it
        status = tn_make_page(host, settings, recording, count, folder);
    if (status == TN_OK) status = tn_make_plots(host, settings, recording, count, folder);
    if (status == TN_OK) status = tn_make_stills(host, settings, recording, count, folder);
    if (status == TN_OK && settings->without_page && settings->png.count)
        status = tn_remove_page(host, folder);
    return status;
}

static tn_status report_page(const tn_host *host, const void *instance, const tn_recording *recording,
                             const tn_live *live)
{
    return tn_make_live_page(host, instance, recording, live);
}

static const tn_live_pages report_pages = {
    .struct_size = sizeof report_pages, .page = report_page, .more = tn_make_more};

typedef tn_report_settings report, tn_self;
static const tn_parameter report_parameters[] = {TN_REPORT_PARAMETERS(TN_ROW) TN_END};
static const char *const report_endings[] = {NULL};

TN_WRITER(
    report, .summary = "one page of a run for any browser: scene, plots, model, messages; plots as SVG",
    .formula =
        "value = origin + step k;  k by second differences, planes of bytes, deflate (RFC 1951), base64\n"
        "step = 2^-20 of the range of the column;  positions: a quarter of the tolerance",
    .literature = "Deutsch: DEFLATE Compressed Data Format Specification version 1.3, RFC 1951, 1996",
    .prepare = report_prepare, .endings = report_endings,
    TN_CAPABILITIES(TN_HAS(conversion, .most = 2, .convert = report_convert, .pages = &report_pages)))
TN_ELSEWHERE(tn_study_writer_type, study_page)
TN_LIBRARY("report", "1.0.0", "Apache-2.0", "writers of pages for browsers", {TN_WRITER_KIND, &report_type},
           {TN_STUDY_WRITER_KIND, &study_page_type})
