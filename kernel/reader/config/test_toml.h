/* test_toml.h - what the tests of documents share: a temporary file, read and checked. */
#ifndef TN_TEST_TOML_H
#define TN_TEST_TOML_H

#include "base/memory.h"
#include "config/test_first_lines.h"
#include "config/toml.h"
#include "config/test_messages.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* A file of the test, its diagnostics and its document. */
typedef struct fixture {
    char path[32];
    tn_diagnostics *diagnostics;
    tn_document *document;
} fixture;

static inline void write_file(fixture *test, const char *text, size_t length)
{
    FILE *stream = fopen(test->path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, length, stream), length);
    assert_int_equal(fclose(stream), 0);
}

static inline void read_bytes(fixture *test, const char *text, size_t length)
{
    write_file(test, text, length);
    test->document = tn_document_read(test->path, test->diagnostics);
}

static inline const tn_toml *read_text(fixture *test, const char *text)
{
    read_bytes(test, text, strlen(text));
    assert_non_null(test->document);
    return tn_document_root(test->document);
}

/* The diagnostics must be `expected`, with the name of the file left out. */
static inline void check_reported(fixture *test, const char *expected)
{
    char text[4096] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_non_null(stream);
    print_messages(test->diagnostics, stream);
    fclose(stream);
    keep_first_lines(text);
    const size_t length = strlen(test->path);
    assert_string_equal(strncmp(text, test->path, length) == 0 ? text + length : text, expected);
}

static inline void check_not_read(fixture *test, const char *text, const char *expected)
{
    read_bytes(test, text, strlen(text));
    assert_null(test->document);
    check_reported(test, expected);
}

static inline void check_place(tn_place place, uint32_t line, uint32_t column)
{
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
}

static inline bool same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static inline int make(void **state)
{
    fixture *test = calloc(1, sizeof *test);
    if (!test) return -1;
    *state = test;
    strcpy(test->path, "/tmp/test_toml_XXXXXX");
    const int descriptor = mkstemp(test->path);
    test->diagnostics = tn_diagnostics_new();
    return descriptor < 0 || close(descriptor) || !test->diagnostics ? -1 : 0;
}

static inline int discard(void **state)
{
    fixture *test = *state;
    unlink(test->path);
    free(test);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, discard)

#endif
