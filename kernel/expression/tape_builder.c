/* tape_builder.c - appends instructions to a tape and folds what is constant (see tape_builder.h). */
#include "expression/tape_builder.h"

#include <math.h>
#include <stdlib.h>

/* Repeated multiplication stays within a few roundings up to here; beyond, pow() is better. */
static const double largest_integer_power = 8.0;

/* Appends an instruction that takes `operands` values off the stack and puts one back. */
static const char *append(tn_tape_builder *builder, tn_instruction instruction, uint32_t operands)
{
    tn_expression *const expression = builder->expression;
    const uint32_t target = builder->depth - operands;
    if (target >= TN_TAPE_REGISTERS) return "more than 256 intermediate values: split the expression up";

    if (expression->instruction_count == builder->instruction_capacity) {
        const size_t capacity = builder->instruction_capacity ? 2 * builder->instruction_capacity : 16;
        tn_instruction *const grown = realloc(expression->instructions, capacity * sizeof *grown);
        if (!grown) return "out of memory";
        expression->instructions = grown;
        builder->instruction_capacity = capacity;
    }
    instruction.target = (uint16_t)target;
    expression->instructions[expression->instruction_count++] = instruction;
    builder->depth = target + 1;
    return NULL;
}

/* Replaces the last instruction and its operands by their value when all operands are constants. One outside
 * its domain stays: evaluation says what is wrong with it. */
static void fold(tn_tape_builder *builder, uint32_t operands)
{
    tn_expression *const expression = builder->expression;
    if (expression->instruction_count - builder->fold_begins < (size_t)operands + 1) return;
    tn_instruction *const first = expression->instructions + expression->instruction_count - operands - 1;
    for (uint32_t i = 0; i < operands; i++)
        if (first[i].operation != TN_OPERATION_CONSTANT) return;

    double registers[TN_TAPE_REGISTERS];
    if (tn_tape_run(first, (size_t)operands + 1, NULL, registers)) return;
    const double value = registers[first->target];
    if (!isfinite(value)) return;
    first->constant = value;
    expression->instruction_count -= operands;
}

const char *tn_tape_constant(tn_tape_builder *builder, double value)
{
    return append(builder, (tn_instruction){.operation = TN_OPERATION_CONSTANT, .constant = value}, 0);
}

/* The place of `input` among the used ones, new at the end when it was not used before. */
static const char *note_use(tn_tape_builder *builder, uint32_t input, size_t offset, uint32_t *place)
{
    tn_expression *const expression = builder->expression;
    for (*place = 0; *place < expression->used_count; ++*place)
        if (expression->used[*place].input == input) return NULL;

    if (expression->used_count == builder->used_capacity) {
        const uint32_t capacity = builder->used_capacity ? 2 * builder->used_capacity : 4;
        tn_used_input *const grown = realloc(expression->used, capacity * sizeof *grown);
        if (!grown) return "out of memory";
        expression->used = grown;
        builder->used_capacity = capacity;
    }
    expression->used[expression->used_count++] = (tn_used_input){.input = input, .offset = offset};
    return NULL;
}

const char *tn_tape_input(tn_tape_builder *builder, uint32_t input, size_t offset)
{
    uint32_t place;
    const char *const problem = note_use(builder, input, offset, &place);
    if (problem) return problem;
    return append(builder, (tn_instruction){.operation = TN_OPERATION_INPUT, .count = place, .input = input},
                  0);
}

const char *tn_tape_operation(tn_tape_builder *builder, tn_operation operation)
{
    const uint32_t operands = operation == TN_OPERATION_NEGATE ? 1 : 2;
    const char *const problem = append(builder, (tn_instruction){.operation = (uint16_t)operation}, operands);
    if (!problem) fold(builder, operands);
    return problem;
}

const char *tn_tape_call(tn_tape_builder *builder, const tn_function *function, uint32_t count)
{
    const tn_instruction instruction = {.operation = TN_OPERATION_CALL, .count = count, .function = function};
    const char *const problem = append(builder, instruction, count);
    if (!problem) fold(builder, count);
    return problem;
}

const char *tn_tape_routine(tn_tape_builder *builder, const tn_routine *routine, uint32_t count)
{
    const tn_instruction instruction = {
        .operation = TN_OPERATION_ROUTINE, .count = count, .routine = routine};
    const char *const problem = append(builder, instruction, count);
    if (!problem) fold(builder, count);
    return problem;
}

/* A small integer exponent moves from the stack into the instruction. */
const char *tn_tape_power(tn_tape_builder *builder)
{
    tn_expression *const expression = builder->expression;
    const tn_instruction *const last = expression->instructions + expression->instruction_count - 1;
    const bool small =
        expression->instruction_count > builder->fold_begins && last->operation == TN_OPERATION_CONSTANT &&
        fabs(last->constant) <= largest_integer_power && last->constant == rint(last->constant);
    if (!small) return tn_tape_call(builder, &tn_operator_power, 2);

    const tn_instruction instruction = {.operation = TN_OPERATION_INTEGER_POWER,
                                        .exponent = (int32_t)last->constant};
    expression->instruction_count--;
    builder->depth--;
    const char *const problem = append(builder, instruction, 1);
    if (!problem) fold(builder, 1);
    return problem;
}

const char *tn_tape_branch(tn_tape_builder *builder, tn_operation skip, size_t *branch)
{
    const char *const problem = append(builder, (tn_instruction){.operation = (uint16_t)skip}, 1);
    *branch = builder->expression->instruction_count - 1;
    builder->depth--;
    return problem;
}

void tn_tape_join(tn_tape_builder *builder, size_t branch)
{
    tn_expression *const expression = builder->expression;
    expression->instructions[branch].skip = (uint32_t)(expression->instruction_count - branch - 1);
    builder->fold_begins = expression->instruction_count;
}
