/* npz.c - arrays of linear.npz (see npz.h): a ZIP archive whose files are stored as they are. */
#include "npz.h"

#include "harness.h"

#include <stdint.h>
#include <stdio.h>

static uint32_t integer_at(const unsigned char *byte, size_t size)
{
    uint32_t value = 0;
    for (size_t k = size; k-- > 0;)
        value = value << 8 | byte[k];
    return value;
}

static unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be read", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *byte = test_malloc(*size + 1);
    assert_int_equal(fread(byte, 1, *size, file), *size);
    (void)fclose(file);
    return byte;
}

/* An array of doubles: its header, then the numbers. */
static tn_npz_matrix read_array(const unsigned char *array, size_t size)
{
    const size_t header = 10 + integer_at(array + 8, 2);
    char text[256] = "";
    tn_npz_matrix m = {0};
    assert_memory_equal(array, "\x93NUMPY\x01", 8);
    assert_true(header < sizeof text && header <= size && header % 64 == 0);
    memcpy(text, array + 10, header - 10);
    assert_non_null(strstr(text, "'<f8'"));
    assert_int_equal(sscanf(strstr(text, "'shape': ("), "'shape': (%zu, %zu)", &m.rows, &m.columns), 2);
    assert_int_equal(size - header, m.rows * m.columns * sizeof(double));
    double *value = (double *)(uintptr_t)tn_format("%*s", (int)(size - header + 8), "");
    memcpy(value, array + header, size - header);
    m.value = value;
    return m;
}

tn_npz_matrix tn_npz_read(const char *directory, const char *name)
{
    size_t size = 0;
    unsigned char *byte = read_bytes(tn_format("%s/linear.npz", directory), &size);
    const char *wanted = tn_format("%s.npy", name);
    tn_npz_matrix m = {0};
    size_t at = 0;
    bool found = false;
    for (; at + 30 < size && integer_at(byte + at, 4) == 0x04034b50u;) {
        const size_t content = integer_at(byte + at + 18, 4), length = integer_at(byte + at + 26, 2);
        const unsigned char *own = byte + at + 30;
        assert_int_equal(integer_at(byte + at + 8, 2), 0); // as it is
        if (length == strlen(wanted) && memcmp(own, wanted, length) == 0) {
            m = read_array(own + length, content);
            found = true;
        }
        at += 30 + length + content;
    }
    test_free(byte);
    if (!found) fail_msg("%s has no array %s", directory, name);
    return m;
}
