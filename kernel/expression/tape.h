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
    TN_OPERATION_NEGATE,
    TN_OPERATION_INTEGER_POWER,
    TN_OPERATION_CALL,
    TN_OPERATION_ROUTINE,      /* a call of a function of the model */
    TN_OPERATION_SKIP_IF_ZERO, /* goes `skip` instructions further; registers stay as they are */
    TN_OPERATION_SKIP_UNLESS_ZERO
} tn_operation;

typedef struct tn_instruction {
    uint16_t operation; /* tn_operation */
    uint16_t target;
    uint32_t count; /* call: number of arguments; input: its place in `used` */
    union {
        double constant;
        uint32_t input;
        int32_t exponent;
        const tn_function *function;
        const tn_routine *routine;
        uint32_t skip;
    };
} tn_instruction;

typedef struct tn_used_input {
    uint32_t input;
    size_t offset; /* of its first occurrence in the text */
} tn_used_input;

struct tn_expression {
    tn_instruction *instructions;
    size_t instruction_count;
    tn_used_input *used;
    uint32_t used_count;
    uint32_t input_count;
};

/* Runs instructions[0..count) on registers[TN_TAPE_REGISTERS]. NULL, or why it has no value. */
const char *tn_tape_run(const tn_instruction *instructions, size_t count, const double *inputs,
                        double *registers);

#endif
