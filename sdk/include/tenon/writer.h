/* tenon/writer.h - how results are kept; and the two kinds that extend expressions. */
#ifndef TENON_WRITER_H
#define TENON_WRITER_H

#include "tenon/host.h"

typedef struct tn_column {
    const char *name, *unit;
} tn_column;

typedef struct tn_writer_type {
    uint32_t struct_size;
    uint32_t flags;
    const char *name, *summary, *formula, *literature;
    /* [setup] A table called `table` in `directory`; the first column is time. Columns live until close. */
    tn_status (*open)(const tn_host *host, const char *directory, const char *table, const tn_column *columns,
                      size_t column_count, void **self);
    /* One row; what was written must survive a killed process. TN_FATAL when the disk is full. */
    tn_status (*row)(void *self, const double *values);
    /* TN_FATAL when something of the table may be missing. */
    tn_status (*close)(void *self);

    /* Since interface 1.1. What follows the name of a table in the names of its files, up to NULL: ".csv". They are listed
     * in run.toml. Files that other programs have made are not replaced: the run is refused. Those of an earlier run
     * are gone before open(), which makes new ones. */
    const char *const *endings;
} tn_writer_type;

/* A function for expressions, such as a spline. One with parameters is made by [[signal]] tables: an expression
 * calls it as `spline(name, x)` with the name of the signal in front of the arguments. */
typedef struct tn_function_type {
    uint32_t struct_size;
    uint32_t arguments;
    const char *name, *summary, *formula, *literature;
    const tn_parameter *parameters;
    size_t instance_size;
    tn_status (*prepare)(const tn_host *host, void *instance);
    /* [hot] value, first (one per argument) and second (row by row) derivatives; the latter two may be NULL.
     * TN_RETRY outside the domain. A derivative that does not exist may be NaN. */
    tn_status (*value)(const void *instance, const double *arguments, double *value, double *first,
                       double *second);

    /* Since interface 1.1. How many of the last arguments may be left out in a call: they are 0 then. */
    uint32_t optional;
    uint32_t reserved;
    /* [setup] Says for messages where value() returns TN_RETRY: "its data reach from 0 to 3". NULL: nowhere. */
    const char *(*domain)(const tn_host *host, const void *instance);
    /* Another function whose [[signal]] tables it takes; it has no parameters, and prepare() gets a
     * copy of an instance of that one. An expression calls it as cubspl(x, z, name): the signal is the third argument. */
    const char *data_of;
    /* [setup] Looks at the arguments of a call, NaN for those that are not known before the run: TN_INVALID when
     * one of the others is not allowed. Tells how many derivatives of the value are continuous, -1 when it may
     * jump. NULL: all are allowed; 0. */
    tn_status (*inspect)(const void *instance, const double *arguments, int32_t *smoothness);
} tn_function_type;

/* An interpreter for user routines. */
typedef struct tn_script_type {
    uint32_t struct_size;
    uint32_t flags;
    const char *name, *summary, *formula, *literature;
    /* [setup] Loads a file and looks up a function of `arguments` numbers. */
    tn_status (*open)(const tn_host *host, const char *path, const char *function, uint32_t arguments,
                      void **self);
    tn_status (*call)(void *self, const double *arguments, double *value);
    void (*close)(void *self);
} tn_script_type;

#endif
