/* full_disk.h - a full disk for tests: no file of this process grows beyond a number of bytes, and a write beyond it fails. */
#ifndef TENON_TEST_FULL_DISK_H
#define TENON_TEST_FULL_DISK_H

#include <signal.h>
#include <sys/resource.h>

/* Returns the limit from before, for test_free_disk(). */
static inline struct rlimit test_fill_disk(rlim_t bytes)
{
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit full = {bytes, before.rlim_max};
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    return before;
}

static inline void test_free_disk(struct rlimit before)
{
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

#endif
