/* bytes.c - growing memory, JSON in it, and patterns of names. */
#include "report.h"

#include "tenon/kit/name_pattern.h"

#include <stdarg.h>

bool tn_bytes_reserve(tn_bytes *bytes, size_t more)
{
    if (bytes->failed) return false;
    if (more <= bytes->room - bytes->used) return true;
    size_t room = bytes->room ? bytes->room : 4096;
    while (room - bytes->used < more) {
        if (room > SIZE_MAX / 2) return bytes->failed = true, false;
        room += room / 2;
    }
    unsigned char *larger = realloc(bytes->at, room);
    if (!larger) return bytes->failed = true, false;
    bytes->at = larger;
    bytes->room = room;
    return true;
}

void tn_bytes_add(tn_bytes *bytes, const void *data, size_t count)
{
    if (!count || !tn_bytes_reserve(bytes, count)) return;
    memcpy(bytes->at + bytes->used, data, count);
    bytes->used += count;
}

void tn_bytes_free(tn_bytes *bytes)
{
    free(bytes->at);
    *bytes = (tn_bytes){0};
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------- */

void tn_put(tn_bytes *json, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text)
        json->failed = true; // only numbers and keys are printed: they are never this long
    else
        tn_bytes_add(json, text, (size_t)length);
}

/* Escapes `<`, which would begin a tag within the script of the page, and control characters. */
static bool is_plain(unsigned char c) { return c >= 0x20 && c != '"' && c != '\\' && c != '<' && c != 0x7f; }

void tn_put_text(tn_bytes *json, const char *text)
{
    tn_bytes_add(json, "\"", 1);
    for (const char *at = text ? text : ""; *at;) {
        size_t plain = 0;
        while (at[plain] && is_plain((unsigned char)at[plain]))
            plain++;
        tn_bytes_add(json, at, plain);
        at += plain;
        if (!*at) break;
        tn_put(json, "\\u%04x", (unsigned)(unsigned char)*at++);
    }
    tn_bytes_add(json, "\"", 1);
}

void tn_put_name(tn_bytes *json, const char *name) { tn_put(json, ",\"%s\":", name); }

void tn_put_pair(tn_bytes *json, const char *name, const char *text)
{
    tn_put_name(json, name);
    tn_put_text(json, text);
}

void tn_put_number(tn_bytes *json, double value)
{
    if (!isfinite(value))
        tn_put(json, "null");
    else if (fabs(value) < 1e15 && value == (double)(int64_t)value)
        tn_put(json, "%lld", (long long)value);
    else
        tn_put(json, "%.17g", value);
}

void tn_put_numbers(tn_bytes *json, const double *value, size_t count)
{
    tn_put(json, "[");
    for (size_t i = 0; i < count; i++) {
        if (i) tn_put(json, ",");
        tn_put_number(json, value[i]);
    }
    tn_put(json, "]");
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

bool tn_matches(const tn_texts *patterns, const char *name)
{
    for (uint64_t k = 0; k < patterns->count; k++)
        if (tn_name_fits(patterns->text[k], name)) return true;
    return false;
}
