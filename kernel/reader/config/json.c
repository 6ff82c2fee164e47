/* json.c - prints JSON (see json.h) */
#include "config/json.h"

#include "config/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bit(const tn_json *json) { return 1ull << json->depth; }

static void start_line(const tn_json *json)
{
    (void)fprintf(json->stream, "\n%*s", (int)(2 * json->depth), "");
}

static void print_quoted(const tn_json *json, const char *text, size_t length)
{
    (void)fputc('"', json->stream);
    for (const char *end = text + length; text < end; text++) {
        const unsigned char letter = (unsigned char)*text;
        const size_t bytes = tn_utf8_length(text, (size_t)(end - text));
        if (!bytes)
            (void)fprintf(json->stream, "\\\\x%02x", letter);
        else if (letter == '"' || letter == '\\')
            (void)fprintf(json->stream, "\\%c", letter);
        else if (letter == '\n')
            (void)fputs("\\n", json->stream);
        else if (letter < 0x20)
            (void)fprintf(json->stream, "\\u%04x", letter);
        else
            (void)fwrite(text, 1, bytes, json->stream);
        if (bytes) text += bytes - 1;
    }
    (void)fputc('"', json->stream);
}

/* What stands in front of a value: a comma, a new line and the key. Plain values of arrays share a line. */
static void start_value(tn_json *json, const char *key, bool is_plain)
{
    const bool shares_line = json->one_line || (is_plain && json->array & bit(json));
    if (json->filled & bit(json)) (void)fputs(shares_line ? ", " : ",", json->stream);
    if (json->depth && !shares_line) {
        start_line(json);
        json->broken |= bit(json);
    }
    json->filled |= bit(json);
    if (!key) return;
    print_quoted(json, key, strlen(key));
    (void)fputs(": ", json->stream);
}

void tn_json_open(tn_json *json, const char *key, char bracket)
{
    start_value(json, key, false);
    (void)fputc(bracket, json->stream);
    json->depth++;
    json->filled &= ~bit(json);
    json->broken &= ~bit(json);
    json->array = bracket == '[' ? json->array | bit(json) : json->array & ~bit(json);
}

void tn_json_close(tn_json *json)
{
    const bool is_array = json->array & bit(json), breaks = json->broken & bit(json);
    json->depth--;
    if (breaks) start_line(json);
    (void)fputc(is_array ? ']' : '}', json->stream);
    if (!json->depth) (void)fputc('\n', json->stream);
}

void tn_json_text_part(tn_json *json, const char *key, const char *text, size_t length)
{
    start_value(json, key, true);
    print_quoted(json, text, length);
}

void tn_json_text(tn_json *json, const char *key, const char *text)
{
    tn_json_text_part(json, key, text, strlen(text));
}

void tn_json_number(tn_json *json, const char *key, double value)
{
    char digits[32] = "null";
    for (int count = 15; isfinite(value) && count <= 17; count++) {
        (void)snprintf(digits, sizeof digits, "%.*g", count, value);
        if (strtod(digits, NULL) == value) break;
    }
    start_value(json, key, true);
    (void)fputs(digits, json->stream);
}

void tn_json_boolean(tn_json *json, const char *key, bool value)
{
    start_value(json, key, true);
    (void)fputs(value ? "true" : "false", json->stream);
}
