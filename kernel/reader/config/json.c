/* json.c - prints JSON (see json.h) */
#include "config/json.h"

#include "config/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static uint64_t depth_bit(const tn_json *json) { return 1ull << json->depth; }

static void start_json_line(const tn_json *json)
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

/* Before a value: a comma, a new line and the key. Plain values of arrays share a line. */
static void start_value(tn_json *json, const char *key, bool is_plain)
{
    const bool shares_line = json->one_line || (is_plain && json->array & depth_bit(json));
    if (json->filled & depth_bit(json)) (void)fputs(shares_line ? ", " : ",", json->stream);
    if (json->depth && !shares_line) {
        start_json_line(json);
        json->broken |= depth_bit(json);
    }
    json->filled |= depth_bit(json);
    if (!key) return;
    print_quoted(json, key, strlen(key));
    (void)fputs(": ", json->stream);
}

void tn_json_open(tn_json *json, const char *key, char bracket)
{
    start_value(json, key, false);
    (void)fputc(bracket, json->stream);
    json->depth++;
    json->filled &= ~depth_bit(json);
    json->broken &= ~depth_bit(json);
    json->array = bracket == '[' ? json->array | depth_bit(json) : json->array & ~depth_bit(json);
}

void tn_json_close(tn_json *json)
{
    const bool is_array = json->array & depth_bit(json), breaks = json->broken & depth_bit(json);
    json->depth--;
    if (breaks) start_json_line(json);
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

/* A bracket, number or boolean of a format; what is after it. */
static const char *print_token(tn_json *json, const char *key, const char *format, va_list *values)
{
    char *end = NULL;
    if (*format == '{' || *format == '[') {
        tn_json_open(json, key, *format);
    } else if (*format == '}' || *format == ']') {
        tn_json_close(json);
    } else if (*format == '%') {
        if (*++format == 'd')
            tn_json_boolean(json, key, va_arg(*values, int));
        else
            tn_json_number(json, key, *format == 'u' ? va_arg(*values, unsigned) : va_arg(*values, double));
    } else if (*format == 't' || *format == 'f') {
        tn_json_boolean(json, key, *format == 't');
        while (isalpha((unsigned char)format[1]))
            format++;
    } else {
        tn_json_number(json, key, strtod(format, &end));
        return end;
    }
    return format + 1;
}

void tn_json_print(tn_json *json, const char *format, ...)
{
    char letters[64];
    const char *key = NULL;
    va_list values;
    va_start(values, format);
    while (*(format += strspn(format, " ,"))) {
        const bool is_value = strncmp(format, "%s", 2) == 0;
        if (*format != '\'' && !is_value) {
            format = print_token(json, key, format, &values);
            key = NULL;
            continue;
        }
        const char *text = is_value ? va_arg(values, const char *) : format + 1;
        const size_t length = !text ? 0 : is_value ? strlen(text) : strcspn(text, "'");
        format += is_value ? 2 : length + 2;
        const bool is_key = *format == ':';
        if (!is_key && text) tn_json_text_part(json, key, text, length);
        key = !is_key ? NULL : is_value ? text : letters;
        if (is_key && !is_value) (void)snprintf(letters, sizeof letters, "%.*s", (int)length, text);
        format += is_key;
    }
    va_end(values);
}
