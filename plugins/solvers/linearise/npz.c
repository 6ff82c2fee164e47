/* npz.c - linear.npz: arrays of NumPy in a ZIP archive without compression (linearise.h)
 *
 * Format of arrays: NumPy Enhancement Proposal 1. Names are arrays of UTF-32 texts of one length. Dates of the archive are its earliest:
 * results do not depend on when they were made. */
#include "linearise.h"

#include <stdlib.h>

enum { EARLIEST_DATE = 1 << 5 | 1 }; /* 1 January 1980 */

static uint32_t checksum(const unsigned char *byte, size_t count)
{
    uint32_t sum = 0xffffffffu;
    for (size_t k = 0; k < count; k++) {
        sum ^= byte[k];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    return ~sum;
}

/* Little-endian. */
static void put_integer(linear_bytes *to, uint32_t value, size_t size)
{
    for (size_t k = 0; k < size; k++) {
        const unsigned char byte = (unsigned char)(value >> 8 * k);
        linear_put(to, &byte, 1);
    }
}

/* The header of an array ends at a multiple of 64 bytes. */
static void put_header(linear_bytes *to, const char *type, const char *shape)
{
    char text[256];
    const int length =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    const size_t used = 10 + (size_t)length + 1, padding = (64 - used % 64) % 64;
    linear_put(to, "\x93NUMPY\x01", 8); /* version 1.0: the zero behind the text is its second number */
    put_integer(to, (uint32_t)(used + padding - 10), 2);
    linear_put(to, text, (size_t)length);
    for (size_t k = 0; k < padding; k++)
        linear_put(to, " ", 1);
    linear_put(to, "\n", 1);
}

static void put_matrix(linear_bytes *to, const linear_matrix *m)
{
    char shape[64];
    (void)snprintf(shape, sizeof shape, "%zu, %zu", m->rows, m->columns);
    put_header(to, "<f8", shape);
    for (size_t k = 0; k < m->rows * m->columns; k++) {
        uint64_t bits = 0;
        memcpy(&bits, &m->value[k], sizeof bits);
        put_integer(to, (uint32_t)bits, 4);
        put_integer(to, (uint32_t)(bits >> 32), 4);
    }
}

/* The next character of UTF-8; bytes that are none stand for themselves. */
static uint32_t next_character(const unsigned char **text)
{
    const unsigned char *at = *text;
    const unsigned more = at[0] >= 0xf0 ? 3 : at[0] >= 0xe0 ? 2 : at[0] >= 0xc0 ? 1 : 0;
    uint32_t character = more ? at[0] & (0x3fu >> more) : at[0];
    for (unsigned k = 1; k <= more; k++) {
        if ((at[k] & 0xc0) != 0x80) {
            *text = at + 1;
            return at[0];
        }
        character = character << 6 | (at[k] & 0x3fu);
    }
    *text = at + 1 + more;
    return character;
}

static size_t characters_of(const char *text)
{
    size_t count = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at; count++)
        (void)next_character(&at);
    return count;
}

static void put_names(linear_bytes *to, const linear_name *list, size_t count)
{
    size_t longest = 1;
    char type[32], shape[32];
    for (size_t k = 0; k < count; k++)
        if (characters_of(list[k].name) > longest) longest = characters_of(list[k].name);
    (void)snprintf(type, sizeof type, "<U%zu", longest);
    (void)snprintf(shape, sizeof shape, "%zu,", count);
    put_header(to, type, shape);
    for (size_t k = 0; k < count; k++) {
        size_t written = 0;
        for (const unsigned char *at = (const unsigned char *)list[k].name; *at; written++)
            put_integer(to, next_character(&at), 4);
        for (; written < longest; written++)
            put_integer(to, 0, 4);
    }
}

/* What stands in front of a file, and once more in the list at the end. */
static void put_file(linear_bytes *to, const char *name, uint32_t sum, size_t size, bool listed, size_t at)
{
    const uint32_t length = (uint32_t)strlen(name);
    put_integer(to, listed ? 0x02014b50u : 0x04034b50u, 4);
    if (listed) put_integer(to, 20, 2);
    put_integer(to, 20, 2);
    put_integer(to, 0, 2); /* no flags, */
    put_integer(to, 0, 2); /* stored as it is */
    put_integer(to, 0, 2);
    put_integer(to, EARLIEST_DATE, 2);
    put_integer(to, sum, 4);
    put_integer(to, (uint32_t)size, 4);
    put_integer(to, (uint32_t)size, 4);
    put_integer(to, length, 2);
    put_integer(to, 0, 2);
    if (listed) {
        put_integer(to, 0, 2); /* no comment, first disk, no attributes */
        put_integer(to, 0, 2);
        put_integer(to, 0, 2);
        put_integer(to, 0, 4);
        put_integer(to, (uint32_t)at, 4);
    }
    linear_put(to, name, length);
}

void linear_npz(const linear_entry *entry, size_t count, linear_bytes *to)
{
    linear_bytes list = {0}, array = {0};
    for (size_t k = 0; k < count && !to->failed && !array.failed; k++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s.npy", entry[k].name);
        array.count = 0;
        if (entry[k].matrix)
            put_matrix(&array, entry[k].matrix);
        else
            put_names(&array, entry[k].list, entry[k].count);
        const uint32_t sum = array.failed ? 0 : checksum(array.byte, array.count);
        put_file(&list, name, sum, array.count, true, to->count);
        put_file(to, name, sum, array.count, false, 0);
        linear_put(to, array.byte, array.count);
    }
    const size_t begin = to->count;
    linear_put(to, list.byte, list.count);
    put_integer(to, 0x06054b50u, 4);
    put_integer(to, 0, 4);
    put_integer(to, (uint32_t)count, 2);
    put_integer(to, (uint32_t)count, 2);
    put_integer(to, (uint32_t)list.count, 4);
    put_integer(to, (uint32_t)begin, 4);
    put_integer(to, 0, 2);
    to->failed = to->failed || list.failed || array.failed;
    free(list.byte);
    free(array.byte);
}
