/* contents.h - what a checkpoint is made of, as spans of bytes: contents.c lists them for both ways. */
#ifndef TN_RESTART_CONTENTS_H
#define TN_RESTART_CONTENTS_H

#include "restart/restart.h"

#include <tenon/draft/append.h>

/* A file that the run has read, and the sum of its bytes. */
typedef struct tn_read_file {
    const char *path;
    uint64_t sum;
} tn_read_file;

/* How the run was asked for, and by what it is run; then where its tables stand. */
typedef struct tn_run_origin {
    tn_checkpoint asked;
    const char *version; /* of the program */
    uint64_t program;    /* the sum of its file */
    tn_read_file *file;
    uint64_t files;
    tn_table_place *place;
    uint64_t places;
} tn_run_origin;

/* What is found when a checkpoint is read. */
struct tn_checkpoint_rest {
    tn_run_origin origin;
    const char *course, *state; /* bytes */
    size_t course_size, state_size;
    uint64_t device, inode; /* of the file */
};

/* Texts and lists that are read lie in `arena`. */
void tn_run_origin_list(tn_run_origin *origin, tn_state_visitor *visitor, tn_arena *arena);
/* What the results tell besides the state: messages, times on the wall, and where the solver began. */
void tn_course_list(tn_study *study, tn_state_visitor *visitor);

/* Bytes that are written into a growing memory, or read from one; `lacks`: there were fewer than were asked for. */
typedef struct tn_spans {
    tn_state_visitor visitor;
    char *bytes;
    size_t used, size, capacity;
    bool lacks;
} tn_spans;
tn_spans tn_spans_write(void);
tn_spans tn_spans_read(const char *bytes, size_t size);
/* Room for more, which counts as written. */
char *tn_spans_add(tn_spans *spans, size_t size);

#define TN_START_OF_SUM UINT64_C(14695981039346656037)
/* FNV-1a. */
uint64_t tn_sum_bytes(uint64_t sum, const void *bytes, size_t size);
/* False with errno. */
bool tn_sum_file(const char *path, uint64_t *sum);
/* Of the program, or the library that it works by. */
bool tn_sum_program(const char *installation, uint64_t *sum);

/* The first line of the file: a word, its format, the number and the sum of the bytes behind it. */
#define TN_FIRST_LINE TN_CHECKPOINT_WORD "1 %020zu %016" PRIx64 "\n"
enum { TN_FIRST_LENGTH = sizeof TN_CHECKPOINT_WORD - 1 + 2 + 20 + 1 + 16 + 1 };

#endif
