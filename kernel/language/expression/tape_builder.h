/* tape_builder.h - appends instructions to a tape; the parser calls it in the order of evaluation.
 *
 * All functions return NULL, or text that lasts as long as what it is about and says what is wrong. */
#ifndef TN_TAPE_BUILDER_H
#define TN_TAPE_BUILDER_H

#include "expression/tape.h"

typedef struct tn_tape_builder {
    tn_expression *expression; /* being built, with its arrays in this arena */
    tn_arena *arena;
    size_t instruction_capacity;
    size_t used_capacity;
    uint32_t depth; /* registers in use */
    /* By register: number of the instruction that put a constant there and nothing else, or SIZE_MAX. */
    size_t constant[TN_TAPE_REGISTERS];
    uint8_t nature[TN_TAPE_REGISTERS]; /* tn_nature of what a register holds */
} tn_tape_builder;

/* Where what the last instruction stands for is in the text. */
void tn_tape_mark(tn_tape_builder *builder, size_t offset);

const char *tn_tape_constant(tn_tape_builder *builder, double value);
const char *tn_tape_input(tn_tape_builder *builder, uint32_t input, bool steps, size_t offset);
/* + - * / and the change of sign. */
const char *tn_tape_operation(tn_tape_builder *builder, tn_operation operation);
const char *tn_tape_power(tn_tape_builder *builder);
/* Says at once when constant arguments are out of range. */
const char *tn_tape_call(tn_tape_builder *builder, const tn_function *function, uint32_t count);
const char *tn_tape_routine(tn_tape_builder *builder, const tn_routine *routine, uint32_t count);

/* Whether the value on top is 0 or 1. */
bool tn_tape_is_logical(const tn_tape_builder *builder);
/* The operator at `offset` is going to compare the two values on top for equality. */
void tn_tape_note_instant(tn_tape_builder *builder, size_t offset);

/* Where the value on top is zero it is the result, and what follows, up to tn_tape_join, is left out. */
const char *tn_tape_branch(tn_tape_builder *builder, size_t *branch);
void tn_tape_join(tn_tape_builder *builder, size_t branch);

/* IF takes the value on top off the stack. Then the three branches, each of which leaves one value: tn_tape_if_branch
 * follows the first and the second, tn_tape_if_end the third. */
typedef struct tn_tape_if {
    size_t start, skip[2];
    uint32_t branches;
    tn_nature nature; /* of all branches so far */
} tn_tape_if;
const char *tn_tape_if_start(tn_tape_builder *builder, tn_tape_if *choice);
const char *tn_tape_if_branch(tn_tape_builder *builder, tn_tape_if *choice);
void tn_tape_if_end(tn_tape_builder *builder, const tn_tape_if *choice);

#endif
