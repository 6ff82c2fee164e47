/* test_host.h - a host for the tests of plugins: counts and frees what was allocated, keeps the last message.
 * */
#ifndef TENON_TEST_HOST_H
#define TENON_TEST_HOST_H

#include "tenon/plugin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct test_host {
    tn_host table; /* what the plugin sees */
    void *blocks[1024];
    size_t block_count;
    char message[512], parameter[64];
} test_host;

static inline void *test_allocate(const tn_host *table, size_t bytes)
{
    test_host *host = table->self;
    assert_true(host->block_count < sizeof host->blocks / sizeof host->blocks[0]);
    return host->blocks[host->block_count++] = calloc(1, bytes);
}

static inline void test_message(const tn_host *table, tn_level level, const char *text)
{
    (void)level;
    test_host *host = table->self;
    (void)snprintf(host->message, sizeof host->message, "%s", text);
}

static inline void test_error(const tn_host *table, const char *parameter, const char *text)
{
    test_host *host = table->self;
    (void)snprintf(host->parameter, sizeof host->parameter, "%s", parameter ? parameter : "");
    (void)snprintf(host->message, sizeof host->message, "%s", text);
}

static inline void test_host_begin(test_host *host)
{
    *host = (test_host){.table = {.struct_size = sizeof(tn_host),
                                  .self = host,
                                  .allocate = test_allocate,
                                  .message = test_message,
                                  .error = test_error}};
}

static inline void test_host_end(test_host *host)
{
    for (size_t i = 0; i < host->block_count; i++)
        free(host->blocks[i]);
}

#endif
