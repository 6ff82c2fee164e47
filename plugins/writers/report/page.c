/* page.c - report.html, and the page of a run that goes on: head, blocks of numbers, style and program in one file; frames and rows are
 * thinned where it would be too large */
#define _GNU_SOURCE
#include "report.h"

#include <errno.h>
#include <limits.h>

enum { LEAST_PAGE_FRAMES = 120, MOST_ATTEMPTS = 8 };

/* Facts of one recording that do not depend on the thinning. */
typedef struct part {
    const tn_recording *recording;
    tn_bytes model;
    tn_column_facts **facts; /* [tables][columns] */
} part;

typedef struct page {
    const tn_host *host;
    const tn_report_settings *settings;
    const tn_live *live; /* or NULL */
    part *part;
    uint32_t parts;
    tn_bytes head, store;
    size_t model_bytes, motion_bytes, row_bytes; /* in the store */
    uint64_t most_frames, frames;                /* allowed, taken at most */
    bool has_told;                               /* that frames are left out */
    uint64_t thin, rows;                         /* the longest table */
} page;

/* ---- the parts ----------------------------------------------------------------------------------------------------- */

static tn_status begin_part(page *p, part *of, const tn_recording *recording)
{
    of->recording = recording;
    of->facts = calloc(recording->tables ? recording->tables : 1, sizeof *of->facts);
    if (!of->facts) return TN_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < recording->tables; k++) {
        const tn_recorded_table *table = recording->table + k;
        if (table->rows > p->rows) p->rows = table->rows;
        of->facts[k] = calloc(table->columns ? table->columns : 1, sizeof **of->facts);
        if (!of->facts[k]) return TN_OUT_OF_MEMORY;
    }
    return tn_put_model(&of->model, &p->store, p->host, recording);
}

static void end_page(page *p)
{
    for (uint32_t k = 0; p->part && k < p->parts; k++) {
        for (uint32_t t = 0; p->part[k].facts && t < p->part[k].recording->tables; t++)
            free(p->part[k].facts[t]);
        free(p->part[k].facts);
        tn_bytes_free(&p->part[k].model);
    }
    free(p->part);
    tn_bytes_free(&p->head);
    tn_bytes_free(&p->store);
}

static tn_status begin_page(page *p, const tn_recording *const *recording)
{
    p->part = calloc(p->parts, sizeof *p->part);
    if (!p->part) return TN_OUT_OF_MEMORY;
    tn_status status = TN_OK;
    for (uint32_t k = 0; status == TN_OK && k < p->parts; k++)
        status = begin_part(p, p->part + k, recording[k]);
    p->model_bytes = p->store.used;
    return status;
}

/* ---- one attempt --------------------------------------------------------------------------------------------------- */

static tn_status put_motion(page *p, const tn_recording *recording)
{
    tn_motion motion;
    const double tolerance = p->settings->tolerance;
    const size_t before = p->store.used;
    tn_status status = tn_choose_frames(recording, p->most_frames, tolerance, &motion);
    tn_put_name(&p->head, "motion");
    if (status == TN_OK) status = tn_put_motion(&p->head, &p->store, recording, &motion, tolerance);
    free(motion.frame);
    if (motion.dropped && !p->has_told)
        tn_say(p->host, TN_WARNING,
               "report: %llu of %llu frames are left out: a position or rotation is not finite",
               (unsigned long long)motion.dropped, (unsigned long long)recording->frames);
    p->has_told = p->has_told || motion.dropped;
    if (motion.count > p->frames) p->frames = motion.count;
    p->motion_bytes += p->store.used - before;
    return status;
}

static tn_status put_tables(page *p, const part *of)
{
    const size_t before = p->store.used;
    tn_status status = TN_OK;
    tn_put_name(&p->head, "tables");
    tn_put(&p->head, "[");
    for (uint32_t k = 0; status == TN_OK && k < of->recording->tables; k++) {
        if (k) tn_put(&p->head, ",");
        status = tn_put_table(&p->head, &p->store, of->recording, k, of->facts[k], p->thin, p->settings);
    }
    tn_put(&p->head, "]");
    p->row_bytes += p->store.used - before;
    return status;
}

static tn_status attempt(page *p)
{
    tn_status status = TN_OK;
    p->head.used = 0;
    p->store.used = p->model_bytes;
    p->motion_bytes = p->row_bytes = 0;
    p->frames = 0;
    tn_put(&p->head, "{\"format\":\"tenon-report\",\"version\":1,\"block\":%u,\"thin\":%llu,\"exact\":%u",
           TN_BLOCK_BYTES, (unsigned long long)p->thin, p->settings->exact != 0);
    tn_put_pair(&p->head, "title", p->settings->title ? p->settings->title : p->part->recording->title);
    tn_put_pair(&p->head, "max_size", p->settings->max_size ? p->settings->max_size : "50 MB");
    tn_put_made(&p->head);
    if (p->live) tn_put_live(&p->head, p->live);
    tn_put_name(&p->head, "runs");
    for (uint32_t k = 0; status == TN_OK && k < p->parts; k++) {
        tn_put(&p->head, k ? "," : "[");
        tn_bytes_add(&p->head, p->part[k].model.at, p->part[k].model.used);
        status = put_motion(p, p->part[k].recording);
        if (status == TN_OK) status = put_tables(p, p->part + k);
        tn_put(&p->head, "}");
    }
    tn_put(&p->head, "]}");
    if (status == TN_OK && (p->head.failed || p->store.failed)) status = TN_OUT_OF_MEMORY;
    return status;
}

/* ---- size ---------------------------------------------------------------------------------------------------------- */

static double size_of(const page *p)
{
    const double blocks = (double)(p->store.used / TN_BLOCK_BYTES + 1);
    return (double)p->head.used + 4.0 / 3.0 * (double)p->store.used + 80.0 * blocks +
           (double)(tn_page_style_end - tn_page_style) + (double)(tn_page_program_end - tn_page_program) +
           2000.0;
}

/* Chooses fewer frames, then fewer rows; false where nothing can be thinned any more. */
static bool thin(page *p)
{
    const double frames = 4.0 / 3.0 * (double)p->motion_bytes, rows = 4.0 / 3.0 * (double)p->row_bytes,
                 room = p->settings->most_bytes - (size_of(p) - frames - rows),
                 least = frames * fmin(1.0, LEAST_PAGE_FRAMES / fmax(1.0, (double)p->frames)),
                 allowed = fmin(frames, fmax(room - rows, least));
    bool any = false;
    if (allowed < frames && p->frames > LEAST_PAGE_FRAMES) {
        p->most_frames = (uint64_t)fmax(LEAST_PAGE_FRAMES, 0.95 * (double)p->frames * allowed / frames);
        any = true;
    }
    if (room - allowed < rows && p->rows / p->thin > 20) {
        const double factor = room > allowed ? fmin(16.0, 1.05 * rows / (room - allowed)) : 16.0;
        p->thin = (uint64_t)ceil((double)p->thin * fmax(factor, 1.05));
        any = true;
    }
    return any;
}

/* Of the frames that the page would have. */
static void tell_thinned(const page *p, uint64_t frames)
{
    char rows[128] = "", motion[128] = "";
    if (p->thin > 1)
        (void)snprintf(rows, sizeof rows, "1 row of %llu, with the least and greatest values of the others",
                       (unsigned long long)p->thin);
    if (p->frames < frames)
        (void)snprintf(motion, sizeof motion, "%s%llu frames in place of %llu", rows[0] ? ", and " : "",
                       (unsigned long long)p->frames, (unsigned long long)frames);
    if (rows[0] || motion[0])
        tn_say(p->host, TN_NOTE, "report: for `max_size` the page has %s%s", rows, motion);
}

static tn_status fit(page *p)
{
    const double megabytes = 1e-6;
    tn_status status = attempt(p);
    const uint64_t frames = p->frames;
    for (int k = 0; k < MOST_ATTEMPTS && status == TN_OK && size_of(p) > p->settings->most_bytes; k++) {
        if (!thin(p)) break;
        status = attempt(p);
    }
    if (status != TN_OK) return status;
    if (size_of(p) > p->settings->most_bytes)
        tn_say(p->host, TN_WARNING,
               "report: the page has %.1f MB, more than `max_size`, although frames and rows were thinned: "
               "name fewer "
               "`channels`",
               megabytes * size_of(p));
    else
        tell_thinned(p, frames);
    return TN_OK;
}

/* ---- the file -------------------------------------------------------------------------------------------------------- */

static void write_page(const page *p, FILE *file)
{
    const char *title = p->settings->title ? p->settings->title : p->part->recording->title;
    tn_write_html(file, &(tn_html){.title = title,
                                   .style = {tn_page_style, tn_page_style_end},
                                   .program = {tn_page_program, tn_page_program_end},
                                   .head = &p->head,
                                   .store = &p->store,
                                   .is_live = p->live != NULL});
}

static tn_status put_file(const page *p, const char *folder)
{
    tn_result_file result;
    if (tn_result_open(&result, p->host, "report", folder, "report.html") != TN_OK) return TN_FATAL;
    write_page(p, result.file);
    return tn_result_close(&result);
}

/* Hands over what is printed to a live page. */
static ssize_t take_bytes(void *cookie, const char *bytes, size_t count)
{
    const tn_live *live = cookie;
    live->put(live, bytes, count);
    return (ssize_t)count;
}

static tn_status put_live_page(const page *p)
{
    FILE *file = fopencookie((void *)(uintptr_t)p->live, "w", (cookie_io_functions_t){.write = take_bytes});
    if (!file) return TN_OUT_OF_MEMORY;
    write_page(p, file);
    return fclose(file) == 0 ? TN_OK : TN_OUT_OF_MEMORY;
}

static tn_status make_page(page *p, const tn_recording *const *recording, const char *folder)
{
    p->thin = 1;
    p->most_frames = (uint64_t)p->settings->frames;
    tn_status status = begin_page(p, recording);
    if (status == TN_OK) status = fit(p);
    if (status == TN_OK) status = p->live ? put_live_page(p) : put_file(p, folder);
    end_page(p);
    if (status == TN_OUT_OF_MEMORY)
        tn_say(p->host, TN_ERROR, "report: there is not enough memory for the page");
    return status;
}

tn_status tn_make_page(const tn_host *host, const tn_report_settings *settings,
                       const tn_recording *const *recording, uint32_t count, const char *folder)
{
    page p = {.host = host, .settings = settings, .parts = count};
    return make_page(&p, recording, folder);
}

tn_status tn_make_live_page(const tn_host *host, const tn_report_settings *settings,
                            const tn_recording *recording, const tn_live *live)
{
    page p = {.host = host, .settings = settings, .live = live, .parts = 1};
    return make_page(&p, &recording, NULL);
}

tn_status tn_remove_page(const tn_host *host, const char *folder)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/report.html", folder);
    if (remove(path) == 0) return TN_OK;
    tn_say(host, TN_ERROR, "report: %s cannot be removed: %s", path, strerror(errno));
    return TN_FATAL;
}
