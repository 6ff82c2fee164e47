/* lines.c - the result of a case as a line of JSON, which a worker writes and the driver reads */
#include "cases/cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_text(tn_text *text, const char *key, const char *value)
{
    tn_text_add(text, ", \"%s\": \"", key);
    for (const char *c = value; *c; c++) {
        const unsigned char letter = (unsigned char)*c;
        if (letter == '"' || letter == '\\')
            tn_text_add(text, "\\%c", letter);
        else if (letter < ' ' || letter == 0x7f)
            tn_text_add(text, "\\u%04x", letter);
        else
            tn_text_add_letters(text, c, 1);
    }
    tn_text_add(text, "\"");
}

/* Numbers are texts in hexadecimal notation, which are read as they were. */
static void add_number(tn_text *text, const char *key, double value)
{
    if (isfinite(value))
        tn_text_add(text, ", \"%s\": \"%a\"", key, value);
    else
        tn_text_add(text, ", \"%s\": null", key);
}

void tn_case_line_print(tn_text *text, const tn_case_result *result, uint32_t numbers)
{
    char hash[2 * TN_HASH_SIZE + 1];
    tn_hash_print(&result->hash, hash);
    tn_text_add(text, "{\"case\": %llu, \"hash\": \"%s\", \"status\": \"%s\", \"attempt\": %u",
                (unsigned long long)result->number, hash, tn_case_status_names[result->status],
                result->attempt);
    add_text(text, "reason", result->reason);
    add_text(text, "place", result->place);
    add_text(text, "host", result->host);
    add_text(text, "solver", result->solver);
    add_number(text, "end_time", result->end_time);
    add_number(text, "wall", result->wall);
    add_number(text, "cpu", result->cpu);
    add_number(text, "started", result->started);
    tn_text_add(text, ", \"memory\": %llu, \"responses\": [", (unsigned long long)result->memory);
    for (uint32_t k = 0; k < numbers; k++)
        if (isfinite(result->response[k]))
            tn_text_add(text, "%s\"%a\"", k ? ", " : "", result->response[k]);
        else
            tn_text_add(text, "%snull", k ? ", " : "");
    tn_text_add(text, "]}\n");
}

/* ---- reading: keys in the order in which they are written ----------------------------------------------------- */

typedef struct reading {
    const char *at, *end;
    tn_arena *arena;
    bool good;
} reading;

static void skip(reading *r, const char *text)
{
    const size_t length = strlen(text);
    if (!r->good || (size_t)(r->end - r->at) < length || memcmp(r->at, text, length) != 0)
        r->good = false;
    else
        r->at += length;
}

static void skip_key(reading *r, const char *key)
{
    skip(r, ", \"");
    skip(r, key);
    skip(r, "\": ");
}

static const char *read_text(reading *r)
{
    skip(r, "\"");
    if (!r->good) return "";
    const char *close = r->at;
    while (close < r->end && *close != '"')
        close += *close == '\\' && close + 1 < r->end ? 2 : 1;
    if (close >= r->end) {
        r->good = false;
        return "";
    }
    char *text = tn_arena_text(r->arena, r->at, (size_t)(close - r->at)), *to = text;
    for (const char *from = text; *from; from++) {
        if (*from != '\\') {
            *to++ = *from;
        } else if (from[1] == 'u' && strlen(from) >= 6) {
            char digits[5] = {from[2], from[3], from[4], from[5], '\0'};
            *to++ = (char)strtoul(digits, NULL, 16);
            from += 5;
        } else if (from[1]) {
            *to++ = *++from;
        }
    }
    *to = '\0';
    r->at = close + 1;
    return text;
}

static double read_number(reading *r)
{
    if (r->good && r->end - r->at >= 4 && memcmp(r->at, "null", 4) == 0) {
        r->at += 4;
        return (double)NAN;
    }
    char *end = NULL;
    skip(r, "\"");
    const double value = r->good ? strtod(r->at, &end) : (double)NAN;
    if (r->good && (end == r->at || end > r->end)) r->good = false;
    if (r->good) r->at = end;
    skip(r, "\"");
    return value;
}

static uint64_t read_integer(reading *r)
{
    char *end = NULL;
    const uint64_t value = r->good ? strtoull(r->at, &end, 10) : 0;
    if (r->good && (end == r->at || end > r->end)) r->good = false;
    if (r->good) r->at = end;
    return value;
}

static tn_case_status read_status(reading *r)
{
    const char *word = read_text(r);
    for (int k = 0; k < TN_CASE_STATUSES; k++)
        if (strcmp(tn_case_status_names[k], word) == 0) return (tn_case_status)k;
    r->good = false;
    return TN_CASE_LOST;
}

bool tn_case_line_read(const char *line, size_t length, uint32_t numbers, tn_arena *arena,
                       tn_case_result *result)
{
    /* a copy that ends, as functions of the C library look for it */
    const char *text = tn_arena_text(arena, line, length);
    reading r = {text, text + length, arena, true};
    double *response = tn_arena_new(arena, (numbers + 1) * sizeof *response);
    skip(&r, "{\"case\": ");
    result->number = read_integer(&r);
    skip_key(&r, "hash");
    const char *hash = read_text(&r);
    if (strlen(hash) != (size_t)2 * TN_HASH_SIZE || !tn_hash_read(hash, &result->hash)) return false;
    skip_key(&r, "status");
    result->status = read_status(&r);
    skip_key(&r, "attempt");
    result->attempt = (uint32_t)read_integer(&r);
    const struct {
        const char *key, **text;
    } texts[] = {{"reason", &result->reason},
                 {"place", &result->place},
                 {"host", &result->host},
                 {"solver", &result->solver}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        skip_key(&r, texts[k].key);
        *texts[k].text = read_text(&r);
    }
    const struct {
        const char *key;
        double *number;
    } times[] = {{"end_time", &result->end_time},
                 {"wall", &result->wall},
                 {"cpu", &result->cpu},
                 {"started", &result->started}};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        skip_key(&r, times[k].key);
        *times[k].number = read_number(&r);
    }
    skip_key(&r, "memory");
    result->memory = read_integer(&r);
    skip_key(&r, "responses");
    skip(&r, "[");
    for (uint32_t k = 0; k < numbers; k++) {
        if (k) skip(&r, ", ");
        response[k] = read_number(&r);
    }
    skip(&r, "]}");
    result->response = response;
    return r.good && r.at == r.end;
}
