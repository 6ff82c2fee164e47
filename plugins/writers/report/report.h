/* report.h - what the files of the writer report share: growing memory, JSON, codes of numbers, and the parts of a page.
 *
 * A page has a head in JSON, which describes its contents, and a store of compressed numbers, to which the head refers by offset and
 * length. bytes.c has growing memory and JSON, codec.c the codes, pack.c their compression and base64; table.c reads rows and codes
 * columns, motion.c chooses frames, tracks.c codes them; head.c writes the model, page.c chooses what is in the page, html.c
 * writes its file, live.c what has come since; svg.c plots for papers; stills.c and
 * browser.c take pictures of the page. study_page.c, study_rows.c make the page of a study. */
#ifndef TENON_REPORT_H
#define TENON_REPORT_H

#include "tenon/author.h"

#include "tenon/draft/recording.h"
#include "tenon/kit/result_file.h"

#include <stdlib.h>
#include <string.h>

/* ---- settings --------------------------------------------------------------------------------------------------- */

/* most_bytes: max_size as a number. */
#define TN_REPORT_PARAMETERS(P)                                                                          \
    P(TEXT, max_size, 0,                                                                                 \
      "largest size of the page, such as \"20 MB\"; default 50 MB. Frames, then rows are "               \
      "thinned to it, and the page says by how much")                                                    \
    P(INTEGER, frames, 0, 0, 0, 1e6,                                                                     \
      "largest number of frames of the motion; 0: as many as `tolerance` needs, at most 2000")           \
    P(REAL, tolerance, "", 0, 1e-3, 1e-7, 0.1,                                                           \
      "allowed error of the motion between frames, as a share of the size of the model, and in radians") \
    P(TEXTS, channels, 0,                                                                                \
      "columns or sensors of the page; * stands for any characters, ? for one; default: all")            \
    P(TEXT, title, 0, "title of the page; default: that of the model")                                   \
    P(BOOLEAN, exact, 0, 0,                                                                              \
      "keep all bits of all values; otherwise they are rounded to 2^-20 of the range of their column")   \
    P(TEXTS, svg, 0, "plots as SVG files, one per entry: a column, a sensor, or several by *")           \
    P(BOOLEAN, svg_sheet, 0, 0, "all plots of `svg` below each other in one file, report.svg")           \
    P(LIST, png, "s", 0, "times of pictures of the scene, report_1.png and so on; needs chromium")       \
    P(LIST, png_size, "", 0, "width and height of pictures in pixels; default [1600, 900]")              \
    P(BOOLEAN, png_page, 0, 0, "pictures of the whole page, in place of the scene alone")                \
    P(BOOLEAN, without_page, 0, 0, "nothing but what `svg` and `png` ask for is made")                   \
    P(PRIVATE, double, most_bytes)

typedef struct tn_report_settings {
    TN_REPORT_PARAMETERS(TN_FIELD)
} tn_report_settings;

/* ---- bytes.c: growing memory and JSON ---------------------------------------------------------------------------- */

typedef struct tn_bytes {
    unsigned char *at;
    size_t used, room;
    bool failed; /* memory ran out: nothing more is added */
} tn_bytes;

bool tn_bytes_reserve(tn_bytes *bytes, size_t more);
void tn_bytes_add(tn_bytes *bytes, const void *data, size_t count);
void tn_bytes_free(tn_bytes *bytes);

TN_PRINTF(2, 3) void tn_put(tn_bytes *json, const char *format, ...);
void tn_put_text(tn_bytes *json, const char *text);                     /* in quotes; NULL is "" */
void tn_put_name(tn_bytes *json, const char *name);                     /* ,"name": */
void tn_put_pair(tn_bytes *json, const char *name, const char *text);   /* ,"name":"text" */
void tn_put_number(tn_bytes *json, double value);                       /* null where it is not finite */
void tn_put_numbers(tn_bytes *json, const double *value, size_t count); /* [1,2] */
bool tn_matches(const tn_texts *patterns, const char *name);            /* of tenon/kit/name_pattern.h */

/* ---- codec.c: numbers as integers whose second differences are small, transposed by bytes ------------------------- */

/* Values are origin + step * code. */
typedef struct tn_code_scale {
    double origin, step;
} tn_code_scale;

tn_code_scale tn_scale_of(double low, double high, bool integers);
int32_t tn_code_of(tn_code_scale scale, double value);
double tn_time_step(double largest); /* the last bit of `largest`, of which times are multiples */
/* Second differences with the sign in the lowest bit, as planes of bytes: out [count * bytes of a code]. */
void tn_code_planes16(const int16_t *code, size_t count, unsigned char *out);
void tn_code_planes32(const int32_t *code, size_t count, unsigned char *out);
void tn_code_planes64(const int64_t *code, size_t count, unsigned char *out);
void tn_bits_planes64(const double *value, size_t count, unsigned char *out);

/* ---- pack.c: compression and base64 --------------------------------------------------------------------------------- */

/* Bytes of a block, which are 16 MiB of base64. */
#define TN_BLOCK_BYTES (12u << 20)

typedef struct tn_packed {
    size_t place, bytes; /* in the store */
} tn_packed;

bool tn_pack(tn_bytes *store, const void *data, size_t size, tn_packed *packed);
/* Packs data and writes "at":0,"bytes":12; false where memory runs out. */
bool tn_put_packed(tn_bytes *json, tn_bytes *store, const void *data, size_t size);
size_t tn_base64(const unsigned char *data, size_t count,
                 char *out); /* out [4 * ((count + 2) / 3)]; its length */

/* ---- table.c: rows -------------------------------------------------------------------------------------------------- */

typedef struct tn_column_facts {
    double low, high, low_time, high_time; /* of finite values; `low` above `high`: there are none */
    double first, last, mean, rms;         /* over time */
    double span;                           /* s: of the means */
    uint64_t finite;
    bool integers;
} tn_column_facts;

/* Reads rows piece by piece; of each group of `2 thin` rows two, with the least and greatest values of their columns. */
typedef struct tn_row_reader {
    const tn_recording *recording;
    uint32_t table;
    uint64_t thin;            /* 1: all rows */
    uint64_t next;            /* the next row of the table */
    uint64_t raw_rows, piece; /* rows that fit into `raw`, `value` */
    double *raw, *value;      /* [piece][columns] */
    uint64_t count;           /* rows in `value` */
} tn_row_reader;

uint64_t tn_rows_kept(uint64_t rows, uint64_t thin);
tn_status tn_rows_begin(tn_row_reader *reader, const tn_recording *recording, uint32_t table, uint64_t thin);
tn_status tn_rows_next(tn_row_reader *reader); /* `count` is 0 after the last */
void tn_rows_end(tn_row_reader *reader);

/* Writes "codec":"d64","step":1,"at":0,"bytes":12 of times; those that are not finite become 0. Memory: code [count], planes [8 count]. */
bool tn_put_times(tn_bytes *json, tn_bytes *store, const double *time, size_t count, int64_t *code,
                  unsigned char *planes);
/* `facts` [columns] are computed where `thin` is 1, and used otherwise. */
tn_status tn_put_table(tn_bytes *json, tn_bytes *store, const tn_recording *recording, uint32_t table,
                       tn_column_facts *facts, uint64_t thin, const tn_report_settings *settings);

/* ---- motion.c, tracks.c: frames --------------------------------------------------------------------------------------- */

typedef struct tn_motion {
    uint64_t *frame;         /* [count] numbers of the frames of the page */
    uint64_t count, dropped; /* dropped: frames that are not finite */
    double tolerance[2];     /* m, rad: of thinning; 0: no frame is left out */
    double reach;            /* m: the largest range of a coordinate */
} tn_motion;

tn_status tn_choose_frames(const tn_recording *recording, uint64_t most, double tolerance, tn_motion *motion);
tn_status tn_put_motion(tn_bytes *json, tn_bytes *store, const tn_recording *recording,
                        const tn_motion *motion, double tolerance);

/* ---- head.c, page.c, svg.c ---------------------------------------------------------------------------------------------- */

tn_status tn_put_model(tn_bytes *json, tn_bytes *store, const tn_host *host, const tn_recording *recording);
void tn_put_course(tn_bytes *json, const tn_recording *recording); /* of what changes while a run goes on */
tn_status tn_make_page(const tn_host *host, const tn_report_settings *settings,
                       const tn_recording *const *recording, uint32_t count, const char *folder);
tn_status tn_make_live_page(const tn_host *host, const tn_report_settings *settings,
                            const tn_recording *recording, const tn_live *live);
tn_status tn_make_plots(const tn_host *host, const tn_report_settings *settings,
                        const tn_recording *const *recording, uint32_t count, const char *folder);
tn_status tn_make_stills(const tn_host *host, const tn_report_settings *settings,
                         const tn_recording *const *recording, uint32_t count, const char *folder);
tn_status tn_remove_page(const tn_host *host, const char *folder);

/* ---- html.c: a page as a file -------------------------------------------------------------------------------------------- */

typedef struct tn_html {
    const char *title;
    const char *style[2], *program[2]; /* from, to */
    const tn_bytes *head, *store;
    bool is_live; /* it asks its server for more */
} tn_html;

void tn_write_html(FILE *file, const tn_html *page);
void tn_put_made(tn_bytes *head); /* ,"made":"when" */

/* live.c: pages of runs that go on */
void tn_put_live(tn_bytes *json, const tn_live *live); /* ,"live":{...} */
tn_status tn_make_more(const tn_host *host, const void *settings, const tn_recording *piece,
                       const tn_live *live);

/* embed.c: style and program of the pages of runs and of studies */
extern const char tn_page_style[], tn_page_style_end[], tn_page_program[], tn_page_program_end[];
extern const char tn_study_style[], tn_study_style_end[], tn_study_program[], tn_study_program_end[];

#endif
