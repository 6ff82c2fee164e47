/* report.c - the writer report: a page with scene, plots and texts of a run, or of two side by side, for any browser; plots as SVG */
#include "report.h"

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
static const tn_conversion report_conversion = {
    .struct_size = sizeof report_conversion, .most = 2, .convert = report_convert, .pages = &report_pages};
static const tn_capability report_capabilities[] = {{TN_CONVERSION_KEY, &report_conversion}, {NULL, NULL}};

static const tn_parameter report_parameters[] = {
    {.name = "max_size",
     .meaning = "largest size of the page, such as \"20 MB\"; default 50 MB. Frames, then rows are "
                "thinned to it, and the page says by how much",
     .unit = "",
     .offset = offsetof(tn_report_settings, max_size),
     .kind = TN_KIND_TEXT,
     .count = 1},
    {.name = "frames",
     .meaning = "largest number of frames of the motion; 0: as many as `tolerance` needs, at most 2000",
     .unit = "",
     .low = 0,
     .high = 1e6,
     .offset = offsetof(tn_report_settings, frames),
     .kind = TN_KIND_INTEGER,
     .count = 1},
    {.name = "tolerance",
     .meaning =
         "allowed error of the motion between frames, as a share of the size of the model, and in radians",
     .unit = "",
     .standard = 1e-3,
     .low = 1e-7,
     .high = 0.1,
     .offset = offsetof(tn_report_settings, tolerance),
     .kind = TN_KIND_REAL,
     .count = 1},
    {.name = "channels",
     .meaning = "columns or sensors of the page; * stands for any characters; default: all",
     .unit = "",
     .offset = offsetof(tn_report_settings, channels),
     .kind = TN_KIND_TEXTS,
     .count = 1},
    {.name = "title",
     .meaning = "title of the page; default: that of the model",
     .unit = "",
     .offset = offsetof(tn_report_settings, title),
     .kind = TN_KIND_TEXT,
     .count = 1},
    {.name = "exact",
     .meaning =
         "keep all bits of all values; otherwise they are rounded to 2^-20 of the range of their column",
     .unit = "",
     .offset = offsetof(tn_report_settings, exact),
     .kind = TN_KIND_BOOLEAN,
     .count = 1},
    {.name = "svg",
     .meaning = "plots as SVG files, one per entry: a column, a sensor, or several by *",
     .unit = "",
     .offset = offsetof(tn_report_settings, svg),
     .kind = TN_KIND_TEXTS,
     .count = 1},
    {.name = "svg_sheet",
     .meaning = "all plots of `svg` below each other in one file, report.svg",
     .unit = "",
     .offset = offsetof(tn_report_settings, svg_sheet),
     .kind = TN_KIND_BOOLEAN,
     .count = 1},
    {.name = "png",
     .meaning = "times of pictures of the scene, report_1.png and so on; needs chromium",
     .unit = "s",
     .offset = offsetof(tn_report_settings, png),
     .low = -TN_UNBOUNDED,
     .high = TN_UNBOUNDED,
     .kind = TN_KIND_LIST,
     .count = 1},
    {.name = "png_size",
     .meaning = "width and height of pictures in pixels; default [1600, 900]",
     .unit = "",
     .offset = offsetof(tn_report_settings, png_size),
     .low = 0.0,
     .high = TN_UNBOUNDED,
     .kind = TN_KIND_LIST,
     .count = 1},
    {.name = "png_page",
     .meaning = "pictures of the whole page, in place of the scene alone",
     .unit = "",
     .offset = offsetof(tn_report_settings, png_page),
     .kind = TN_KIND_BOOLEAN,
     .count = 1},
    {.name = "without_page",
     .meaning = "nothing but what `svg` and `png` ask for is made",
     .unit = "",
     .offset = offsetof(tn_report_settings, without_page),
     .kind = TN_KIND_BOOLEAN,
     .count = 1},
    {.name = NULL},
};

static const char *const report_endings[] = {NULL};

static const tn_writer_type report_type = {
    .struct_size = sizeof(tn_writer_type),
    .name = "report",
    .parameters = report_parameters,
    .instance_size = sizeof(tn_report_settings),
    .summary = "one page of a run for any browser: scene, plots, model, messages; plots as SVG",
    .formula =
        "value = origin + step k;  k by second differences, planes of bytes, deflate (RFC 1951), base64\n"
        "step = 2^-20 of the range of the column;  positions: a quarter of the tolerance",
    .literature = "Deutsch: DEFLATE Compressed Data Format Specification version 1.3, RFC 1951, 1996",
    .capabilities = report_capabilities,
    .prepare = report_prepare,
    .endings = report_endings,
};

static const tn_type report_types[] = {{TN_WRITER_KIND, &report_type}, {NULL, NULL}};

static const tn_library report_library = {
    .struct_size = sizeof(tn_library),
    .abi_major = TN_ABI_MAJOR,
    .abi_minor = TN_ABI_MINOR,
    .name = "report",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .summary = "writer of pages for browsers",
    .types = report_types,
};

TN_EXPORT const tn_library *tn_plugin_library(void);
const tn_library *tn_plugin_library(void) { return &report_library; }
