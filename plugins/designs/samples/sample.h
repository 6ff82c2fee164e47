/* sample.h - designs whose points are all known at the start: what the types of this library have in common */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <tenon/author.h>
#include <tenon/kit/design_responses.h>
#include <tenon/kit/random.h>

#include <math.h>

typedef struct sample sample;
struct sample {
    const tn_host *host;
    const tn_design_problem *problem;
    const void *settings; /* the instance of the type */
    uint64_t count;       /* cases */
    /* Writes the point of a case [variables]. */
    void (*point)(const sample *self, uint64_t number, double *u);
    void *data;     /* of the type */
    double *u;      /* [variables], of a point */
    bool begun;     /* its only batch has been asked for */
    bool keeps;     /* what comes of the cases is kept: for answers */
    double *kept;   /* [count][numbers] */
    uint8_t *done;  /* [count] */
    double *effort; /* [count] s */
};

/* Makes `*self`; `point` and the rest are those of the type. */
tn_status tn_sample_open(const tn_host *host, const void *settings, const tn_design_problem *problem,
                         uint64_t count, void (*point)(const sample *self, uint64_t number, double *u),
                         sample **self);
double tn_sample_count(const void *self);
tn_status tn_sample_next(void *self, tn_design_batch *batch);
tn_status tn_sample_tell(void *self, const tn_design_results *results);
void tn_sample_close(void *self);

/* Zeroed memory for that many things of a size; NULL where there is none, or the product is too large. */
void *tn_sample_memory(const tn_host *host, uint64_t count, uint64_t size);

/* The combination of levels of that number; `self->data` is how many each variable has, uint64_t [variables]. The last variable changes
 * from case to case, the first one least often. */
void tn_grid_point(const sample *self, uint64_t number, double *u);

#define SAMPLE_FUNCTIONS \
    .count = tn_sample_count, .next = tn_sample_next, .tell = tn_sample_tell, .close = tn_sample_close

/* ---- sobol_points.c -------------------------------------------------------------------------------------------- */

/* Direction numbers [dimensions][32]; NULL without memory. */
typedef struct sobol_sequence {
    uint32_t dimensions;
    const uint32_t *direction;
    const uint32_t *seed; /* [dimensions] of the scrambling; NULL: none */
    uint64_t random;      /* seed of the digits behind the 32nd */
} sobol_sequence;

/* Refuses, at the whole table, more dimensions than there are numbers for. */
tn_status tn_sobol_open(const tn_host *host, uint32_t dimensions, bool scramble, uint64_t seed,
                        sobol_sequence *sequence);
/* Coordinates first, ..., first + count - 1 of point `number`, counted from 0, below 2^32. */
void tn_sobol_point(const sobol_sequence *sequence, uint64_t number, uint32_t first, uint32_t count,
                    double *u);
/* A note where a count is no power of two. */
void tn_sobol_note_count(const tn_host *host, const char *key, uint64_t count);

#endif
