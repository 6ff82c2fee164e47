/* tenon/draft/design.h - designs, a kind of plugin: they choose the cases of a study, and say what the responses mean. Samples, grids, searches and
 * calibrations are designs.
 *
 * A design sees the unit cube: each variable is a coordinate from 0 to 1, which the kernel takes through the inverse of the distribution function
 * of the variable. A uniform sample of the cube is thus a sample of the variables as they are distributed; a variable with a list of values takes
 * number floor(u levels) of them.
 *
 * A study calls next() for a batch of points, runs their cases, which may take place in any order and on many machines, hands over what came of
 * them by tell(), and begins anew; a batch without points ends it. Then answer() says what follows from all of it. The points depend on the
 * parameters, the problem, and what was told, alone: a study that goes on asks for the same batches again, and cases that are done already are
 * told at once.
 *
 * This kernel implements it; it may change until it moves one folder up. */
#ifndef TENON_DRAFT_DESIGN_H
#define TENON_DRAFT_DESIGN_H

#include "tenon/type.h"

#define TN_DESIGN_KIND "design"

typedef struct tn_design_variable {
    const char *name, *unit;
    uint32_t levels;  /* values of its list; 0: it has a range or a distribution */
    uint32_t bounded; /* 1: 0 and 1 stand for numbers, 0: for infinity, as of a normal distribution */
    double
        start; /* coordinate of the value that the model gives, from 0 to 1; 1/2 where that lies outside or is none */
    double low,
        high; /* value at 0 and 1, as numbers of the unit; of a list without numbers 0 and levels - 1 */
    const char *const
        *text; /* [levels] the values of its list as texts, for sentences; NULL: none are at hand */
} tn_design_variable;

typedef enum tn_design_limit {
    TN_NO_LIMIT = 0,
    TN_AT_MOST = 1,
    TN_AT_LEAST = 2,
    TN_DESIGN_LIMIT_IS_32_BITS = 0x7fffffff
} tn_design_limit;

typedef struct tn_design_response {
    const char *name, *unit;
    uint32_t first,
        size; /* its numbers among those of a case: 1; or as many as it is compared with measured data, or sampled, at */
    uint32_t is_data; /* 1: these are differences from measured data, over the standard deviation of each */
    uint32_t limited; /* tn_design_limit */
    double limit;
} tn_design_response;

typedef struct tn_design_problem {
    uint32_t struct_size;
    uint32_t variables, responses;
    uint32_t numbers; /* of a case: those of all responses, one after the other */
    const tn_design_variable *variable;
    const tn_design_response *response;
    uint64_t seed;
} tn_design_problem;

/* What next() fills. */
typedef struct tn_design_batch tn_design_batch;
struct tn_design_batch {
    uint32_t struct_size, reserved;
    void *self; /* the kernel's own */
    /* Adds a case with this point [variables], which is copied. TN_OUT_OF_MEMORY ends the study. */
    tn_status (*add)(tn_design_batch *batch, const double *point);
};

/* What has come of the cases of a batch, in the order in which they were added. */
typedef struct tn_design_results {
    uint32_t struct_size, reserved;
    uint64_t count;
    const double *point;  /* [count][variables] */
    const double *number; /* [count][numbers]; NaN where the case has none */
    const uint8_t *done;  /* [count] 1: the case has run to its end, and all numbers are finite */
    const double *effort; /* [count] s of processor time that the run of the case took */
} tn_design_results;

/* Where answer() puts what it has found. */
typedef struct tn_answer {
    const char *name;        /* "total effect", "optimum", "correlation" */
    int32_t response;        /* number of the response that it is about; -1: none */
    int32_t variable, other; /* numbers of variables; -1: none */
    int64_t point;           /* number of a case, in the order in which the design has added them; -1: none */
    double value;            /* in `unit`; of a coordinate of a variable: `is_coordinate` */
    double low, high;        /* 95 % interval; NaN: none */
    uint32_t is_coordinate;  /* 1: value, low and high are coordinates of `variable`, shown as its values */
    uint32_t reserved;
    const char *unit; /* "" for a bare number; NULL with is_coordinate */
} tn_answer;

typedef struct tn_design_answers tn_design_answers;
struct tn_design_answers {
    uint32_t struct_size, reserved;
    void *self;
    tn_status (*add)(tn_design_answers *answers, const tn_answer *answer);
    /* A sentence for people: what was found, or what of it cannot be trusted, such as how many cases were left out. */
    tn_status (*say)(tn_design_answers *answers, tn_level level, const char *text);
};

typedef struct tn_design_type {
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

    /* [setup] Checks and completes one instance, the keys of [design]; NULL: nothing to do. */
    tn_status (*prepare)(const tn_host *host, void *instance);
    /* [setup] Begins. What does not suit the problem is refused by tn_refuse() at a parameter, or at NULL for the whole table: a grid of a
     * variable without bounds, a response that is not there (tn_refuse with the nearest name). `problem` lives until close(). */
    tn_status (*open)(const tn_host *host, const void *instance, const tn_design_problem *problem,
                      void **self);
    /* [setup] The number of cases that there will be, or at most: before the first next(), which may be refused for it. */
    double (*count)(const void *self);
    /* [setup] The next batch; without any point: the design is done. */
    tn_status (*next)(void *self, tn_design_batch *batch);
    /* [setup] What has come of it. */
    tn_status (*tell)(void *self, const tn_design_results *results);
    /* [setup] What follows. NULL: nothing but the cases. */
    tn_status (*answer)(const void *self, tn_design_answers *answers);
    /* [setup] Ends; memory of the host is freed by it. */
    void (*close)(void *self);
} tn_design_type;

#define TN_DESIGN(type_name, ...) TN_DESCRIPTOR(tn_design_type, type_name, __VA_ARGS__)

#endif
