/* toml_print.c - the tree as TOML text, in the order of the tree.
 *
 * Tables of the top level and arrays of tables get headers, all other tables are written inline. */
#include "config/toml_internal.h"

#include "config/utf8.h"
#include "config/printed_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The keys of a header, innermost first. */
typedef struct header {
    const struct header *parent;
    const char *key;
} header;

enum { VALUES_PER_LINE = 10 };

/* How many characters stand for themselves, up to the first one that may not. */
static size_t plain_length(const char *text, size_t length)
{
    size_t plain = 0;
    while (plain < length && text[plain] >= ' ' && text[plain] < 0x7F && text[plain] != '"' &&
           text[plain] != '\\')
        plain++;
    return plain;
}

void tn_toml_print_text(FILE *stream, const char *text, size_t length)
{
    static const char letters[] = "btn\0fr"; /* of the escapes for the characters 8 to 13 */
    fputc('"', stream);
    for (size_t i = 0; i < length;) {
        const size_t size = tn_utf8_length(text + i, length - i), plain = plain_length(text + i, length - i);
        const unsigned char c = (unsigned char)text[i];
        if (plain)
            fwrite(text + i, 1, plain, stream);
        else if (size == 0)
            fprintf(stream, "\\\\x%02x", (unsigned)c);
        else if (c == '"' || c == '\\')
            fprintf(stream, "\\%c", c);
        else if (c >= 8 && c <= 13 && letters[c - 8])
            fprintf(stream, "\\%c", letters[c - 8]);
        else if (c < ' ' || c == 0x7F)
            fprintf(stream, "\\u%04X", (unsigned)c);
        else
            fwrite(text + i, 1, size, stream);
        i += plain ? plain : size ? size : 1;
    }
    fputc('"', stream);
}

static void print_key(FILE *stream, const char *key)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const size_t length = strlen(key);
    if (length > 0 && strspn(key, bare) == length)
        fputs(key, stream);
    else
        tn_toml_print_text(stream, key, length);
}

/* The shortest text that reads as the same number, and as a real one. */
static void print_real(FILE *stream, double real)
{
    char text[40];
    if (!isfinite(real)) {
        fputs(isnan(real) ? "nan" : real > 0 ? "inf" : "-inf", stream);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, real);
        const double again = strtod(text, NULL);
        if (memcmp(&again, &real, sizeof real) == 0) break;
    }
    fprintf(stream, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

static void print_value(FILE *stream, const tn_toml *value);

static void print_array(FILE *stream, const tn_toml *array)
{
    fputc('[', stream);
    for (size_t i = 0; i < array->count; i++) {
        if (i > 0) fputs(i % VALUES_PER_LINE == 0 ? ",\n    " : ", ", stream);
        print_value(stream, array->child[i]);
    }
    fputc(']', stream);
}

static void print_inline_table(FILE *stream, const tn_toml *table)
{
    fputs(table->count > 0 ? "{ " : "{", stream);
    for (size_t i = 0; i < table->count; i++) {
        if (i > 0) fputs(", ", stream);
        print_key(stream, table->child[i]->key);
        fputs(" = ", stream);
        print_value(stream, table->child[i]);
    }
    fputs(table->count > 0 ? " }" : "}", stream);
}

static void print_value(FILE *stream, const tn_toml *value)
{
    if (value->kind == TN_TOML_STRING)
        tn_toml_print_text(stream, value->text, value->length);
    else if (value->kind == TN_TOML_INTEGER)
        fprintf(stream, "%lld", (long long)value->integer);
    else if (value->kind == TN_TOML_REAL)
        print_real(stream, value->real);
    else if (value->kind == TN_TOML_BOOLEAN)
        fputs(value->integer ? "true" : "false", stream);
    else if (value->kind == TN_TOML_ARRAY)
        print_array(stream, value);
    else if (value->kind == TN_TOML_TABLE)
        print_inline_table(stream, value);
    else /* a date */
        fputs(value->text, stream);
}

static bool is_array_of_tables(const tn_toml *value)
{
    if (value->kind != TN_TOML_ARRAY) return false;
    for (size_t i = 0; i < value->count; i++)
        if (value->child[i]->kind != TN_TOML_TABLE) return false;
    return value->count > 0;
}

static void print_keys(FILE *stream, const header *keys)
{
    if (keys->parent) print_keys(stream, keys->parent);
    if (keys->parent) fputc('.', stream);
    print_key(stream, keys->key);
}

static void print_table(FILE *stream, const tn_toml *table, const header *keys);

/* A table with its header, `[..]` or `[[..]]`, and a blank line above unless it is the first line. */
static void print_headed_table(FILE *stream, const tn_toml *table, const header *keys, bool is_item)
{
    if (ftell(stream) > 0) fputc('\n', stream);
    fputs(is_item ? "[[" : "[", stream);
    print_keys(stream, keys);
    fputs(is_item ? "]]\n" : "]\n", stream);
    print_table(stream, table, keys);
}

/* What has no header comes first: it would belong to the last header otherwise. */
static void print_table(FILE *stream, const tn_toml *table, const header *keys)
{
    for (size_t i = 0; i < table->count; i++) {
        const tn_toml *child = table->child[i];
        if (is_array_of_tables(child) || (!keys && child->kind == TN_TOML_TABLE)) continue;
        print_key(stream, child->key);
        fputs(" = ", stream);
        print_value(stream, child);
        fputc('\n', stream);
    }
    for (size_t i = 0; i < table->count; i++) {
        const tn_toml *child = table->child[i];
        const header own = {keys, child->key};
        if (!keys && child->kind == TN_TOML_TABLE) print_headed_table(stream, child, &own, false);
        const size_t items = is_array_of_tables(child) ? child->count : 0;
        for (size_t j = 0; j < items; j++)
            print_headed_table(stream, child->child[j], &own, true);
    }
}

char *tn_toml_print(const tn_toml *root)
{
    tn_text_file text;
    tn_text_file_open(&text);
    print_table(text.file, root, NULL);
    return tn_text_file_close(&text);
}
