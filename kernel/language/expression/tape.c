/* tape.c - values of a compiled expression, and what is known about it (see tape.h). */
#include "expression/tape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double tn_tape_power_of(double base, int32_t exponent)
{
    double result = 1.0;
    for (uint32_t left = (uint32_t)abs(exponent); left > 0; left >>= 1) {
        if (left & 1) result *= base;
        base *= base;
    }
    return exponent < 0 ? 1.0 / result : result;
}

/* NaN is stopped here, as MAX or a comparison would make a plausible number of it. */
const char *tn_tape_call_at(const tn_instruction *instruction, double *value, tn_function_result *result)
{
    for (uint64_t left = instruction->varying; left; left &= left - 1)
        if (isnan(value[tn_tape_first(left)])) return "result is not finite";
    const char *const problem =
        instruction->operation == TN_OPERATION_CALL
            ? instruction->function->body(value, instruction->count, result)
            : instruction->routine->body(instruction->routine, value, instruction->count, result);
    value[0] = result->value;
    return problem;
}

static void tell_switches(const tn_instruction *call, const double *argument, double *switches)
{
    if (call->operation == TN_OPERATION_ROUTINE) {
        const tn_routine *const routine = call->routine;
        if (routine->switches) routine->switches(routine, argument, call->count, switches);
    } else if (call->function->switches) {
        call->function->switches(argument, switches);
    }
}

const tn_instruction *tn_tape_branch_of(const tn_instruction *instruction, double value)
{
    if (instruction->operation == TN_OPERATION_SOFT_IF) value = tn_tape_soft_side(instruction, value);
    if (value < 0.0) return instruction;
    return instruction + instruction->further[value > 0.0];
}

const char *tn_tape_run(const tn_instruction *instructions, size_t count, const double *inputs,
                        double *registers, double *switches)
{
    const tn_instruction *const end = instructions + count;
    for (const tn_instruction *now = instructions; now < end; now++) {
        double *const value = registers + now->target;
        switch ((tn_operation)now->operation) {
        case TN_OPERATION_CONSTANT:
            value[0] = now->constant;
            break;
        case TN_OPERATION_INPUT:
            value[0] = inputs[now->input];
            break;
        case TN_OPERATION_ADD:
            value[0] += value[1];
            break;
        case TN_OPERATION_SUBTRACT:
            value[0] -= value[1];
            break;
        case TN_OPERATION_MULTIPLY:
            value[0] *= value[1];
            break;
        case TN_OPERATION_DIVIDE:
            if (value[1] == 0.0) return "division by zero";
            value[0] /= value[1];
            break;
        case TN_OPERATION_ADD_CONSTANT:
            value[0] += now->constant;
            break;
        case TN_OPERATION_MULTIPLY_CONSTANT:
            value[0] *= now->constant;
            break;
        case TN_OPERATION_DIVIDE_CONSTANT:
            value[0] /= now->constant;
            break;
        case TN_OPERATION_NEGATE:
            value[0] = -value[0];
            break;
        case TN_OPERATION_INTEGER_POWER:
            if (value[0] == 0.0 && now->exponent < 0) return "zero to a negative power";
            value[0] = tn_tape_power_of(value[0], now->exponent);
            break;
        case TN_OPERATION_CALL:
        case TN_OPERATION_ROUTINE: {
            if (switches && now->varying) tell_switches(now, value, switches + now->place);
            tn_function_result result = {.partial = NULL};
            const char *const problem = tn_tape_call_at(now, value, &result);
            if (problem) return problem;
            break;
        }
        case TN_OPERATION_IF:
            if (switches && now->varying) switches[now->place] = value[0];
            __attribute__((fallthrough));
        case TN_OPERATION_SOFT_IF:
            if (isnan(value[0])) return "result is not finite";
            now = tn_tape_branch_of(now, value[0]);
            break;
        case TN_OPERATION_SKIP:
            now += now->skip;
            break;
        case TN_OPERATION_SKIP_IF_ZERO:
            now += value[0] == 0.0 ? now->skip : 0;
            break;
        }
    }
    return NULL;
}

bool tn_expression_value(const tn_expression *expression, const double *inputs, double *value,
                         const char **problem)
{
    double registers[TN_TAPE_REGISTERS];
    *problem = tn_tape_run(expression->instructions, expression->instruction_count, inputs, registers, NULL);
    if (*problem) return false;
    *value = registers[0];
    if (!isfinite(*value)) *problem = "result is not finite";
    return !*problem;
}

bool tn_expression_is_constant(const tn_expression *expression) { return expression->used_count == 0; }

bool tn_expression_is_logical(const tn_expression *expression) { return expression->logical; }

bool tn_expression_has_instants(const tn_expression *expression, size_t *offset)
{
    *offset = expression->instant;
    return expression->has_instants;
}

bool tn_expression_uses(const tn_expression *expression, uint32_t input, size_t *offset)
{
    for (uint32_t i = 0; i < expression->used_count; i++) {
        if (expression->used[i].input != input) continue;
        if (offset) *offset = expression->used[i].offset;
        return true;
    }
    return false;
}

/* ---- branches ---------------------------------------------------------------------------------------------- */

uint32_t tn_expression_switch_count(const tn_expression *expression) { return expression->switch_count; }

bool tn_expression_switches(const tn_expression *expression, const double *inputs, double *switches,
                            const char **problem)
{
    double registers[TN_TAPE_REGISTERS];
    for (uint32_t i = 0; i < expression->switch_count; i++)
        switches[i] = (double)NAN;
    *problem =
        tn_tape_run(expression->instructions, expression->instruction_count, inputs, registers, switches);
    return !*problem;
}

bool tn_expression_is_smooth(const tn_expression *expression, int32_t order, const char **function)
{
    for (size_t i = 0; i < expression->instruction_count; i++) {
        const tn_instruction *const now = &expression->instructions[i];
        if (!now->varying || now->smoothness >= order) continue;
        *function = now->operation == TN_OPERATION_CALL      ? now->function->name
                    : now->operation == TN_OPERATION_ROUTINE ? now->routine->name
                                                             : "IF";
        return false;
    }
    *function = NULL;
    return true;
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

void tn_tape_append(tn_arena *arena, tn_expression *tape, size_t *capacity, tn_instruction instruction,
                    uint32_t offset)
{
    size_t same = *capacity;
    const size_t count = tape->instruction_count++;
    tape->offset = tn_arena_grow(arena, tape->offset, &same, count + 1, sizeof *tape->offset);
    tape->instructions =
        tn_arena_grow(arena, tape->instructions, capacity, count + 1, sizeof *tape->instructions);
    tape->instructions[count] = instruction;
    tape->offset[count] = offset;
}

tn_expression *tn_tape_pack(const tn_expression *loose)
{
    const size_t instructions = loose->instruction_count * sizeof *loose->instructions,
                 used = loose->used_count * sizeof *loose->used,
                 offsets = loose->instruction_count * sizeof *loose->offset;
    tn_expression *whole = tn_new(1, sizeof *whole + instructions + used + offsets);
    char *behind = (char *)(whole + 1);
    *whole = *loose;
    whole->instructions = memcpy(behind, loose->instructions, instructions);
    whole->used = (tn_used_input *)(void *)(behind + instructions);
    if (used) memcpy(whole->used, loose->used, used);
    whole->offset = memcpy(behind + instructions + used, loose->offset, offsets);
    return whole;
}

void tn_expression_free(tn_expression *expression) { tn_free(expression); }
