/* signal_text.c - text put together in a signal handler (see signal_text.h) */
#include "run/signal_text.h"

#include "config/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* Ends the text with dots, behind whole letters. */
static void cut_text(tn_signal_text *text, bool within_letter)
{
    while (within_letter && text->used > 0 && (text->byte[text->used - 1] & 0xC0) == 0x80)
        text->used--;
    if (within_letter && text->used > 0) text->used--;
    memcpy(text->byte + text->used, "...", sizeof "...");
    text->used = sizeof text->byte;
}

static void put_part(tn_signal_text *text, const char *part)
{
    const size_t room = sizeof text->byte - sizeof "...", length = strlen(part);
    if (text->used > room) return; /* it is cut */
    const bool fits = text->used + length <= room;
    size_t kept = fits ? length : *part == '\\' ? 0 : room - text->used; /* no half of an escape */
    while (!fits && kept > 0 && (part[kept] & 0xC0) == 0x80)
        kept--;
    memcpy(text->byte + text->used, part, kept);
    text->used += kept;
    text->byte[text->used] = '\0';
    if (!fits) cut_text(text, !kept && (*part & 0xC0) == 0x80);
}

static void put_byte(tn_signal_text *text, char byte) { put_part(text, (const char[]){byte, '\0'}); }

void tn_put(tn_signal_text *text, ...)
{
    va_list parts;
    va_start(parts, text);
    for (const char *part; (part = va_arg(parts, const char *));)
        put_part(text, part);
    va_end(parts);
}

static const char hexadecimal[] = "0123456789abcdef";

static void put_number(tn_signal_text *text, uint64_t value, unsigned base)
{
    char digits[20];
    size_t count = 0;
    do {
        digits[count++] = hexadecimal[value % base];
        value /= base;
    } while (value);
    while (count)
        put_byte(text, digits[--count]);
}

void tn_put_integer(tn_signal_text *text, uint64_t value) { put_number(text, value, 10); }

void tn_put_address(tn_signal_text *text, const void *address)
{
    put_part(text, "0x");
    put_number(text, (uintptr_t)address, 16);
}

/* ---- real numbers ---------------------------------------------------------------------------------------- */

enum { DIGITS = 9 };

/* A positive number as d.dddddddd times 10^exponent: its DIGITS digits as an integer, and the exponent. */
static uint64_t decimal_digits(double value, int *exponent)
{
    const uint64_t end = 1000000000, first = end / 10; /* 10^DIGITS, and the least number of as many digits */
    long double scaled = (long double)value;
    int e = 0;
    for (; scaled >= 10.0L; e++)
        scaled /= 10.0L;
    for (; scaled < 1.0L; e--)
        scaled *= 10.0L;
    uint64_t digits = (uint64_t)(scaled * (long double)first + 0.5L);
    if (digits == end) {
        digits = first;
        e++;
    }
    *exponent = e;
    return digits;
}

/* `count` digits with a point before digit number `point`, and without zeros at the end of the fraction. */
static void put_decimal(tn_signal_text *text, const char *digit, int count, int point)
{
    if (point <= 0) put_part(text, "0.");
    for (int k = point; k < 0; k++)
        put_byte(text, '0');
    while (count > point && count > 1 && digit[count - 1] == '0')
        count--;
    for (int k = 0; k < count; k++) {
        if (k && k == point) put_byte(text, '.');
        put_byte(text, digit[k]);
    }
}

void tn_put_real(tn_signal_text *text, double value)
{
    if (signbit(value)) put_byte(text, '-');
    value = fabs(value);
    if (isnan(value) || isinf(value) || value == 0.0) {
        put_part(text, isnan(value) ? "nan" : value == 0.0 ? "0" : "inf");
        return;
    }
    int exponent = 0;
    uint64_t rest = decimal_digits(value, &exponent);
    char digit[DIGITS];
    for (int k = DIGITS; k-- > 0; rest /= 10)
        digit[k] = (char)('0' + rest % 10);
    if (exponent >= -4 && exponent < DIGITS) {
        put_decimal(text, digit, DIGITS, exponent + 1);
        return;
    }
    put_decimal(text, digit, DIGITS, 1);
    put_part(text, exponent < 0 ? "e-" : "e+");
    const uint64_t size = (uint64_t)(exponent < 0 ? -exponent : exponent);
    if (size < 10) put_byte(text, '0');
    put_number(text, size, 10);
}

/* ---- strings and files ----------------------------------------------------------------------------------- */

/* "\u001f", or "\\xe9" for what is no code point. */
static void put_code(tn_signal_text *text, bool point, unsigned char byte)
{
    const char high = hexadecimal[byte / 16], low = hexadecimal[byte % 16];
    put_part(text, point ? (const char[]){'\\', 'u', '0', '0', high, low, '\0'}
                         : (const char[]){'\\', '\\', 'x', high, low, '\0'});
}

void tn_put_escaped(tn_signal_text *text, const char *part)
{
    for (size_t left = strlen(part), size; left > 0; left -= size, part += size) {
        const unsigned char byte = (unsigned char)*part;
        size = tn_utf8_length(part, left);
        if (size == 0) {
            put_code(text, false, byte);
            size = 1;
        } else if (byte == '"' || byte == '\\') {
            put_part(text, byte == '"' ? "\\\"" : "\\\\");
        } else if (byte < 0x20 || byte == 0x7f) {
            put_code(text, true, byte);
        } else {
            char point[5] = "";
            memcpy(point, part, size);
            put_part(text, point);
        }
    }
}

bool tn_write_bytes(int file, const void *bytes, size_t size)
{
    for (const char *next = bytes; size > 0;) {
        const ssize_t count = write(file, next, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        next += count;
        size -= (size_t)count;
    }
    return true;
}

bool tn_write_text(int file, const char *text) { return tn_write_bytes(file, text, strlen(text)); }
