/* tape_builder.c - appends instructions to a tape and folds what is constant (see tape_builder.h). */
#include "expression/tape_builder.h"

#include <math.h>
#include <string.h>

#define NOT_CONSTANT SIZE_MAX

/* Repeated multiplication stays within a few roundings up to here; beyond, pow() is better. */
static const double largest_integer_power = 8.0;

/* ---- instructions ------------------------------------------------------------------------------------------ */

static tn_nature nature_of_number(double number)
{
    return number == 0.0 || number == 1.0 ? TN_LOGICAL : TN_STEPWISE;
}

static tn_nature lesser_nature(tn_nature a, tn_nature b) { return a < b ? a : b; }

/* Of the `operands` values on top together. */
static tn_nature nature_of_operands(const tn_tape_builder *builder, uint32_t operands)
{
    tn_nature nature = TN_LOGICAL;
    for (uint32_t i = 1; i <= operands; i++)
        nature = lesser_nature(nature, builder->nature[builder->depth - i]);
    return nature;
}

/* Of what an instruction makes of them. */
static tn_nature nature_after(const tn_tape_builder *builder, const tn_instruction *instruction,
                              uint32_t operands)
{
    const bool calls = instruction->operation == TN_OPERATION_CALL;
    if (instruction->operation == TN_OPERATION_CONSTANT) return nature_of_number(instruction->constant);
    if (calls && instruction->function->nature) return instruction->function->nature;
    const tn_nature nature = nature_of_operands(builder, operands);
    return instruction->operation == TN_OPERATION_MULTIPLY ? nature : lesser_nature(nature, TN_STEPWISE);
}

/* Appends an instruction that takes `operands` values off the stack and puts one back. */
static const char *append_instruction(tn_tape_builder *builder, tn_instruction instruction, uint32_t operands)
{
    tn_expression *const expression = builder->expression;
    const uint32_t target = builder->depth - operands;
    if (target >= TN_TAPE_REGISTERS) return "more than 256 intermediate values: split the expression up";

    const bool constant = instruction.operation == TN_OPERATION_CONSTANT && !isnan(instruction.constant);
    builder->nature[target] = (uint8_t)nature_after(builder, &instruction, operands);
    builder->constant[target] = constant ? expression->instruction_count : NOT_CONSTANT;
    instruction.target = (uint8_t)target;
    tn_tape_append(builder->arena, expression, &builder->instruction_capacity, instruction, 0);
    builder->depth = target + 1;
    return NULL;
}

void tn_tape_mark(tn_tape_builder *builder, size_t offset)
{
    builder->expression->offset[builder->expression->instruction_count - 1] = (uint32_t)offset;
}

/* Operand number `i` of the `operands` ones on top, or NULL when it is no constant. */
static const double *constant_operand(const tn_tape_builder *builder, uint32_t operands, uint32_t i)
{
    const size_t place = builder->constant[builder->depth - operands + i];
    return place == NOT_CONSTANT ? NULL : &builder->expression->instructions[place].constant;
}

/* Replaces an instruction that would come next, and its operands, by its value when all operands are constants: they are
 * the last instructions then. One outside its domain stays: evaluation says what is wrong with it. */
static bool fold_instruction(tn_tape_builder *builder, tn_instruction instruction, uint32_t operands)
{
    double registers[TN_TAPE_REGISTERS];
    instruction.target = 0;
    for (uint32_t i = 0; i < operands; i++) {
        const double *const operand = constant_operand(builder, operands, i);
        if (!operand) return false;
        registers[i] = *operand;
    }
    if (tn_tape_run(&instruction, 1, NULL, registers, NULL) || !isfinite(registers[0])) return false;
    tn_expression *const expression = builder->expression;
    expression->instruction_count -= operands - 1;
    expression->instructions[expression->instruction_count - 1].constant = registers[0];
    builder->depth -= operands - 1;
    builder->nature[builder->depth - 1] = (uint8_t)nature_of_number(registers[0]);
    return true;
}

static const char *fold_or_append(tn_tape_builder *builder, tn_instruction instruction, uint32_t operands)
{
    return fold_instruction(builder, instruction, operands)
               ? NULL
               : append_instruction(builder, instruction, operands);
}

/* An instruction with a constant in it. */
static const char *append_with_constant(tn_tape_builder *builder, tn_operation operation, double constant,
                                        uint32_t operands)
{
    const tn_instruction instruction = {.operation = (uint8_t)operation, .constant = constant};
    return append_instruction(builder, instruction, operands);
}

const char *tn_tape_constant(tn_tape_builder *builder, double value)
{
    return append_with_constant(builder, TN_OPERATION_CONSTANT, value, 0);
}

/* The place of `input` among the used ones, new at the end when it was not used before. */
static uint32_t find_place(tn_tape_builder *builder, uint32_t input, size_t offset)
{
    tn_expression *const expression = builder->expression;
    for (uint32_t place = 0; place < expression->used_count; place++)
        if (expression->used[place].input == input) return place;
    expression->used = tn_arena_grow(builder->arena, expression->used, &builder->used_capacity,
                                     expression->used_count + (size_t)1, sizeof *expression->used);
    expression->used[expression->used_count] = (tn_used_input){.input = input, .offset = offset};
    return expression->used_count++;
}

const char *tn_tape_input(tn_tape_builder *builder, uint32_t input, bool steps, size_t offset)
{
    const tn_instruction instruction = {
        .operation = TN_OPERATION_INPUT, .place = find_place(builder, input, offset), .input = input};
    const char *const problem = append_instruction(builder, instruction, 0);
    if (!problem) builder->nature[builder->depth - 1] = steps ? TN_STEPWISE : TN_CONTINUOUS;
    return problem;
}

/* ---- operators --------------------------------------------------------------------------------------------- */

/* Takes the constant off the stack that is the left one of two operands; all later instructions are the right one's. */
static double take_left(tn_tape_builder *builder)
{
    tn_expression *const expression = builder->expression;
    const size_t place = builder->constant[builder->depth - 2];
    tn_instruction *const taken = expression->instructions + place;
    const double constant = taken->constant;
    expression->instruction_count--;
    memmove(taken, taken + 1, (expression->instruction_count - place) * sizeof *taken);
    memmove(expression->offset + place, expression->offset + place + 1,
            (expression->instruction_count - place) * sizeof *expression->offset);
    for (size_t i = place; i < expression->instruction_count; i++)
        expression->instructions[i].target--;
    builder->constant[builder->depth - 2] = NOT_CONSTANT;
    builder->nature[builder->depth - 2] = builder->nature[builder->depth - 1];
    builder->depth--;
    return constant;
}

/* A constant on the right moves into the instruction. */
static const char *operate_right(tn_tape_builder *builder, tn_operation operation, double constant)
{
    builder->expression->instruction_count--;
    builder->depth--;
    const bool subtracts = operation == TN_OPERATION_SUBTRACT;
    const tn_operation into = operation == TN_OPERATION_MULTIPLY ? TN_OPERATION_MULTIPLY_CONSTANT
                              : operation == TN_OPERATION_DIVIDE ? TN_OPERATION_DIVIDE_CONSTANT
                                                                 : TN_OPERATION_ADD_CONSTANT;
    return append_with_constant(builder, into, subtracts ? -constant : constant, 1);
}

/* So does one on the left, except that of a quotient. */
static const char *operate_left(tn_tape_builder *builder, tn_operation operation)
{
    const double constant = take_left(builder);
    if (operation == TN_OPERATION_MULTIPLY)
        return append_with_constant(builder, TN_OPERATION_MULTIPLY_CONSTANT, constant, 1);
    const char *problem = NULL;
    if (operation == TN_OPERATION_SUBTRACT)
        problem = append_instruction(builder, (tn_instruction){.operation = TN_OPERATION_NEGATE}, 1);
    return problem ? problem : append_with_constant(builder, TN_OPERATION_ADD_CONSTANT, constant, 1);
}

const char *tn_tape_operation(tn_tape_builder *builder, tn_operation operation)
{
    const uint32_t operands = operation == TN_OPERATION_NEGATE ? 1 : 2;
    const tn_instruction instruction = {.operation = (uint8_t)operation};
    if (fold_instruction(builder, instruction, operands)) return NULL;
    if (operands == 1) return append_instruction(builder, instruction, 1);

    const double *const left = constant_operand(builder, 2, 0), *const right =
                                                                    constant_operand(builder, 2, 1);
    const bool quotient = operation == TN_OPERATION_DIVIDE;
    if (right && !left && !(quotient && *right == 0.0)) return operate_right(builder, operation, *right);
    if (left && !right && !quotient) return operate_left(builder, operation);
    return append_instruction(builder, instruction, 2);
}

/* A small integer exponent moves from the stack into the instruction. */
const char *tn_tape_power(tn_tape_builder *builder)
{
    const double *const exponent = constant_operand(builder, 2, 1);
    const bool small = exponent && fabs(*exponent) <= largest_integer_power && *exponent == rint(*exponent);
    if (!small) return tn_tape_call(builder, &tn_operator_power, 2);

    const tn_instruction instruction = {.operation = TN_OPERATION_INTEGER_POWER,
                                        .exponent = (int32_t)*exponent};
    builder->expression->instruction_count--;
    builder->depth--;
    return fold_or_append(builder, instruction, 1);
}

/* ---- calls ------------------------------------------------------------------------------------------------- */

/* The arguments that are numbers already, NaN for the others: for each of these a bit. */
static uint64_t find_varying(const tn_tape_builder *builder, uint32_t count, double *argument)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double *const constant = constant_operand(builder, count, i);
        argument[i] = constant ? *constant : (double)NAN;
        bits |= (uint64_t)!constant << i;
    }
    return bits;
}

const char *tn_tape_call(tn_tape_builder *builder, const tn_function *function, uint32_t count)
{
    tn_expression *const expression = builder->expression;
    double argument[TN_MOST_ARGUMENTS] = {0.0};
    const tn_instruction instruction = {.operation = TN_OPERATION_CALL,
                                        .count = (uint8_t)count,
                                        .smoothness = function->smoothness,
                                        .place = expression->switch_count,
                                        .function = function,
                                        .varying = find_varying(builder, count, argument)};
    const char *const problem = function->refuse ? function->refuse(argument) : NULL;
    if (problem) return problem;
    if (instruction.varying) expression->switch_count += function->switch_count;
    return fold_or_append(builder, instruction, count);
}

const char *tn_tape_routine(tn_tape_builder *builder, const tn_routine *routine, uint32_t count)
{
    double argument[TN_MOST_ARGUMENTS] = {0.0};
    int32_t smoothness = 0;
    const uint64_t varying = find_varying(builder, count, argument);
    const char *const problem =
        routine->inspect ? routine->inspect(routine, argument, count, &smoothness) : NULL;
    if (problem) return problem;
    if (smoothness > TN_SMOOTH) smoothness = TN_SMOOTH;
    if (smoothness < TN_JUMPS) smoothness = TN_JUMPS;
    const tn_instruction instruction = {.operation = TN_OPERATION_ROUTINE,
                                        .count = (uint8_t)count,
                                        .smoothness = (int8_t)smoothness,
                                        .place = builder->expression->switch_count,
                                        .routine = routine,
                                        .varying = varying};
    if (varying) builder->expression->switch_count += routine->switch_count;
    return fold_or_append(builder, instruction, count);
}

/* ---- branches ---------------------------------------------------------------------------------------------- */

/* The value on top comes from one branch or the other. */
static void mark_joined(tn_tape_builder *builder) { builder->constant[builder->depth - 1] = NOT_CONSTANT; }

bool tn_tape_is_logical(const tn_tape_builder *builder)
{
    return nature_of_operands(builder, 1) == TN_LOGICAL;
}

void tn_tape_note_instant(tn_tape_builder *builder, size_t offset)
{
    tn_expression *const expression = builder->expression;
    if (expression->has_instants || nature_of_operands(builder, 2) != TN_CONTINUOUS) return;
    expression->has_instants = true;
    expression->instant = offset;
}

const char *tn_tape_branch(tn_tape_builder *builder, size_t *branch)
{
    const tn_nature nature = nature_of_operands(builder, 1);
    const char *const problem =
        append_instruction(builder, (tn_instruction){.operation = TN_OPERATION_SKIP_IF_ZERO}, 1);
    *branch = builder->expression->instruction_count - 1;
    if (!problem) builder->nature[builder->depth - 1] = (uint8_t)nature;
    return problem;
}

void tn_tape_join(tn_tape_builder *builder, size_t branch)
{
    builder->expression->instructions[branch].skip = tn_tape_distance(builder->expression, branch);
    mark_joined(builder);
}

const char *tn_tape_if_start(tn_tape_builder *builder, tn_tape_if *choice)
{
    tn_expression *const expression = builder->expression;
    const bool logical = tn_tape_is_logical(builder); /* it switches where its comparisons do */
    const tn_instruction instruction = {.operation = TN_OPERATION_IF,
                                        .count = logical,
                                        .smoothness = TN_JUMPS,
                                        .place = expression->switch_count,
                                        .varying = !logical && !constant_operand(builder, 1, 0)};
    *choice = (tn_tape_if){.start = expression->instruction_count, .nature = TN_LOGICAL};
    const char *const problem = append_instruction(builder, instruction, 1);
    if (instruction.varying) expression->switch_count++;
    builder->depth--;
    return problem;
}

const char *tn_tape_if_branch(tn_tape_builder *builder, tn_tape_if *choice)
{
    choice->skip[choice->branches] = builder->expression->instruction_count;
    choice->nature = lesser_nature(choice->nature, nature_of_operands(builder, 1));
    const char *const problem =
        append_instruction(builder, (tn_instruction){.operation = TN_OPERATION_SKIP}, 1);
    builder->depth--;
    tn_instruction *const start = &builder->expression->instructions[choice->start];
    start->further[choice->branches++] = tn_tape_distance(builder->expression, choice->start);
    return problem;
}

void tn_tape_if_end(tn_tape_builder *builder, const tn_tape_if *choice)
{
    for (uint32_t i = 0; i < 2; i++)
        builder->expression->instructions[choice->skip[i]].skip =
            tn_tape_distance(builder->expression, choice->skip[i]);
    builder->nature[builder->depth - 1] =
        (uint8_t)lesser_nature(choice->nature, nature_of_operands(builder, 1));
    mark_joined(builder);
}
