/* tenon/writer.h - writers of results, and functions for expressions. */
#ifndef TENON_WRITER_H
#define TENON_WRITER_H

#include "tenon/type.h"

typedef struct tn_column {
    const char *name, *unit;
} tn_column;

typedef struct tn_writer_type {
    /* as in all types: see type.h */
    uint32_t struct_size, reserved;
    const char *name;
    const tn_parameter *parameters;
    size_t instance_size;
    const char *summary, *formula, *literature;
    const tn_synonym *synonyms;
    uint32_t flags, reserved_too;
    const tn_capability *capabilities;
    void (*release)(const tn_host *host, void *instance);

    /* What follows the name of a table in the names of its files, up to NULL: ".csv". run.toml lists these files. The kernel
     * refuses a run that would overwrite files of other programs, and removes those of an earlier run before open(), which
     * creates new ones (O_CREAT | O_EXCL, or "wx" of fopen(), which follow no link). */
    const char *const *endings;
    /* [setup] Checks and completes one instance, the parameters of `writers = [{type = "...", ...}]`; NULL: nothing to do. */
    tn_status (*prepare)(const tn_host *host, void *instance);
    /* [setup] A table called `table` in `directory`; the first column is time. Columns live until close. */
    tn_status (*open)(const tn_host *host, const void *instance, const char *directory, const char *table,
                      const tn_column *columns, size_t column_count, void **self);
    /* Writes one row. Rows must survive a killed process, except for the last ones: they are passed to the system, as whole rows, by a
     * write() that is repeated if interrupted (EINTR), each row at once, or buffered rows with the first row that comes 50 ms or more
     * after the last write(). A writer that buffers rows has `flush` of draft/append.h, too, so that none is lost in a crash, and may
     * report a full disk later, at the latest in close(). TN_FATAL if the disk is full. A status other than TN_OK of open(), row() or
     * close() ends the run as failed, with the writer, its library and the table named. */
    tn_status (*row)(void *self, const double *values);
    /* Ends the table. TN_FATAL if a part of it may be missing. */
    tn_status (*close)(void *self);
} tn_writer_type;

/* A function for expressions, such as a spline. One with parameters is made by [[signal]] tables: an expression
 * calls it as `spline(name, x)` with the name of the signal in front of the arguments; where the signal has a `file`, its columns are
 * the lists of the type in their order. One without parameters is called as it is. The name is in lower case
 * and none of the built-in ones. */
typedef struct tn_function_type {
    /* as in all types: see type.h */
    uint32_t struct_size, reserved;
    const char *name;
    const tn_parameter *parameters;
    size_t instance_size;
    const char *summary, *formula, *literature;
    const tn_synonym *synonyms;
    uint32_t flags;
    uint32_t arguments; /* numbers of a call, 1 to TN_ARGUMENTS */
    const tn_capability *capabilities;
    void (*release)(const tn_host *host, void *instance);

    uint32_t
        optional; /* how many of the last arguments may be left out in a call, not all: they are 0 then */
    uint32_t reserved_too;
    /* Another function whose [[signal]] tables it takes; it has no parameters, and prepare() gets an instance with those of that
     * one as the model gives them. An expression calls it as cubspl(x, z, name): the signal is the third argument. NULL: none. */
    const char *data_of;
    /* [setup] Checks and completes one instance; NULL: nothing to do. */
    tn_status (*prepare)(const tn_host *host, void *instance);
    /* [hot] value, first (one per argument) and second (row by row) derivatives; the latter two may be NULL.
     * TN_RETRY outside the domain. A derivative that does not exist may be NaN. */
    tn_status (*value)(const void *instance, const double *arguments, double *value, double *first,
                       double *second);
    /* [setup] Says for messages where value() returns TN_RETRY: "its data reach from 0 to 3". NULL: nowhere. */
    const char *(*domain)(const tn_host *host, const void *instance);
    /* [setup] Looks at the arguments of a call, NaN for those that are not known before the run: TN_INVALID when
     * one of the others is not allowed. Tells how many derivatives of the value are continuous, -1 when it may
     * jump. NULL: all are allowed; 0. */
    tn_status (*inspect)(const void *instance, const double *arguments, int32_t *smoothness);
} tn_function_type;

#endif
