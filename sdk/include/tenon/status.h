/* tenon/status.h - the return value of every callback, and the version of the binary interface.
 *
 * Everything in these headers is plain data or a function pointer: a plugin does not link to Tenon. Tags on function pointers:
 * [setup] runs on one thread and may allocate through the host; [hot] may run on any thread, at the same time on different
 * batches: no allocation, no I/O, no globals. */
#ifndef TENON_STATUS_H
#define TENON_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel loads a plugin with its own major number, unless it uses features of a later minor number. */
#define TN_ABI_MAJOR 1u
#define TN_ABI_MINOR 0u

/* Severities, mildest first; a batch reports its worst. Any other value counts as TN_FATAL. */
#define TN_STATUS_LIST(X)                                                            \
    X(TN_OK, 0, "ok")                                                                \
    X(TN_RETRY, 1, "outside the domain here; a smaller step may do")                 \
    X(TN_EVENT, 2, "the state changed discontinuously, or the run was asked to end") \
    X(TN_INVALID, 3, "wrong parameter or model")                                     \
    X(TN_OUT_OF_MEMORY, 4, "out of memory")                                          \
    X(TN_UNSUPPORTED, 5, "operation not offered")                                    \
    X(TN_FATAL, 6, "unrecoverable failure")

#define TN_STATUS_MEMBER(name, value, text) name = value,
typedef enum tn_status { TN_STATUS_LIST(TN_STATUS_MEMBER) TN_STATUS_IS_32_BITS = 0x7fffffff } tn_status;
#undef TN_STATUS_MEMBER

/* The text of a status; "unrecoverable failure" for any value outside the list. */
static inline const char *tn_status_text(tn_status status)
{
#define TN_STATUS_CASE(name, value, text) \
    if (status == name) return text;
    TN_STATUS_LIST(TN_STATUS_CASE)
#undef TN_STATUS_CASE
    return "unrecoverable failure";
}

/* The severer of two statuses, values outside the list counting as TN_FATAL. */
static inline tn_status tn_worse(tn_status a, tn_status b)
{
    if ((unsigned)a > (unsigned)TN_FATAL) a = TN_FATAL;
    if ((unsigned)b > (unsigned)TN_FATAL) b = TN_FATAL;
    return a < b ? b : a;
}

#define TN_EXPORT __attribute__((visibility("default")))
#define TN_UNUSED __attribute__((unused))
/* A function that becomes part of its caller, so that arguments which are constant there are so in it, too. */
#define TN_INLINE static inline __attribute__((always_inline, unused))
#define TN_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#ifdef __cplusplus
#define TN_STATIC_ASSERT(condition, text) static_assert(condition, text)
#define TN_C_LINKAGE extern "C"
#define TN_END \
    {          \
    } /* the entry that ends a table */
#else
#define TN_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#define TN_C_LINKAGE
#define TN_END \
    {          \
        0      \
    }
#endif

TN_STATIC_ASSERT(sizeof(tn_status) == 4, "a status crosses the interface as 32 bits");
TN_STATIC_ASSERT(sizeof(void *) == 8, "the binary interface is defined for 64-bit machines");

#endif
