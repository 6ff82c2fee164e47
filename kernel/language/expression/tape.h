/* tape.h - the instructions of a compiled expression.
 *
 * Instructions work on a stack of registers whose positions are fixed when the tape is built: each one reads
 * its operands from register `target` upwards and leaves its result in `target`. */
#ifndef TN_TAPE_H
#define TN_TAPE_H

#include "expression/expression.h"
#include "expression/functions.h"

#include <stdint.h>

enum {
    TN_TAPE_REGISTERS = 256, /* held on the C stack during an evaluation */
    TN_TAPE_LANES = 8        /* inputs that one sweep differentiates for */
};

typedef enum tn_operation {
    TN_OPERATION_CONSTANT,
    TN_OPERATION_INPUT,
    TN_OPERATION_ADD,
    TN_OPERATION_SUBTRACT,
    TN_OPERATION_MULTIPLY,
    TN_OPERATION_DIVIDE,
    TN_OPERATION_ADD_CONSTANT,
    TN_OPERATION_MULTIPLY_CONSTANT,
    TN_OPERATION_DIVIDE_CONSTANT,
    TN_OPERATION_NEGATE,
    TN_OPERATION_INTEGER_POWER,
    TN_OPERATION_CALL,
    TN_OPERATION_ROUTINE,      /* a call of a function of the model */
    TN_OPERATION_IF,           /* goes on where the value is negative, else so many instructions further */
    TN_OPERATION_SKIP,         /* goes `skip` instructions further; registers stay as they are */
    TN_OPERATION_SKIP_IF_ZERO, /* the same, only where the value is zero */
    TN_OPERATION_SOFT_IF       /* an IF in which a ramp takes the place of a branch: tape_soft.c */
} tn_operation;

typedef struct tn_instruction {
    uint8_t operation; /* tn_operation */
    uint8_t target;
    uint8_t count;     /* call: number of arguments; if: 1 when its value is 0 or 1 */
    int8_t smoothness; /* call and if: how many derivatives are continuous, up to TN_SMOOTH */
    uint32_t place;    /* input: its place in `used`; call and if: number of its first switching function */
    union {
        double constant;
        uint32_t input;
        int32_t exponent;
        const tn_function *function;
        const tn_routine *routine;
        uint32_t skip;
        uint32_t further[2]; /* to the branches of zero and of positive values */
    };
    union {
        uint64_t varying;         /* call: bit i when argument i varies */
        const tn_soft_jump *jump; /* soft if; NULL where its value is 0, 1 or between */
    };
} tn_instruction;

typedef struct tn_used_input {
    uint32_t input;
    size_t offset; /* of its first occurrence in the text */
} tn_used_input;

/* All arrays follow it in one block, except while it is built. */
struct tn_expression {
    tn_instruction *instructions;
    uint32_t *offset; /* of the operator or name that an instruction stands for, in the text */
    size_t instruction_count;
    tn_used_input *used;
    uint32_t used_count;
    uint32_t input_count;
    uint32_t switch_count;
    bool logical, has_instants;
    size_t instant; /* in the text */
};

/* The first of the arguments that `left` has a bit for; loops take it off by left &= left - 1. */
static inline uint32_t tn_tape_first(uint64_t left) { return (uint32_t)__builtin_ctzll(left); }

/* A copy in one block: thousands of expressions that are evaluated one after the other are read in the order of the memory. */
tn_expression *tn_tape_pack(const tn_expression *loose);
/* The end of a tape that grows in an arena; `offset` is the place in the text. */
void tn_tape_append(tn_arena *arena, tn_expression *tape, size_t *capacity, tn_instruction instruction,
                    uint32_t offset);

/* How many instructions follow number `from` so far. */
static inline uint32_t tn_tape_distance(const tn_expression *tape, size_t from)
{
    return (uint32_t)(tape->instruction_count - from - 1);
}

/* Runs instructions[0..count) on registers[TN_TAPE_REGISTERS]; `switches` (may be NULL) gets the switching functions of
 * all that are not skipped. NULL, or why there is no value. */
const char *tn_tape_run(const tn_instruction *instructions, size_t count, const double *inputs,
                        double *registers, double *switches);

/* base**exponent by repeated squaring, so that x**2 is x*x and x**3 is x*x*x. */
double tn_tape_power_of(double base, int32_t exponent);
/* Calls a function on the values from value[0] upwards; its result replaces value[0]. NULL, or why there is none. */
const char *tn_tape_call_at(const tn_instruction *instruction, double *value, tn_function_result *result);
/* Where to go on from an IF, which may be soft, whose value is not NaN. */
const tn_instruction *tn_tape_branch_of(const tn_instruction *instruction, double value);
/* Negative, zero or positive, like the branch that a soft IF takes at this value. */
double tn_tape_soft_side(const tn_instruction *instruction, double value);

#endif
