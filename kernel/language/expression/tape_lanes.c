/* tape_lanes.c - values of one compiled expression at many inputs side by side (see tape.h)
 *
 * Each instruction works on all lanes before the next one is looked at: what it costs to find out which one it is vanishes,
 * and the compiler makes vector operations of the loops. The operations on a lane are those of tn_tape_run, in their order. */
#include "expression/tape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = TN_EXPRESSION_LANES, REGISTERS = 32 };

/* Bits of a double: numbers that are not finite have all those of INFINITE, and nan is larger. Lanes are compared as integers, which
 * the compiler does side by side. */
static const uint64_t SIGN = 0x8000000000000000u, INFINITE = 0x7ff0000000000000u;

#define EACH_LANE for (uint32_t lane = 0; lane < LANES; lane++)

bool tn_expression_has_lanes(const tn_expression *expression)
{
    for (size_t i = 0; i < expression->instruction_count; i++) {
        const tn_instruction *const now = &expression->instructions[i];
        if (now->operation >= TN_OPERATION_IF || now->target + 1 >= REGISTERS) return false;
    }
    return true;
}

bool tn_expression_needs_one_thread(const tn_expression *expression)
{
    for (size_t i = 0; i < expression->instruction_count; i++) {
        const tn_instruction *const now = &expression->instructions[i];
        if (now->operation == TN_OPERATION_ROUTINE && now->routine->one_thread) return true;
    }
    return false;
}

/* The same for all routines of a family. */
static tn_instruction of_family(tn_instruction instruction)
{
    if (instruction.operation == TN_OPERATION_ROUTINE && instruction.routine->family)
        instruction.routine = instruction.routine->family;
    return instruction;
}

int tn_expression_compare(const tn_expression *a, const tn_expression *b)
{
    if (a == b) return 0;
    if (a->instruction_count != b->instruction_count)
        return a->instruction_count < b->instruction_count ? -1 : 1;
    if (a->used_count != b->used_count) return a->used_count < b->used_count ? -1 : 1;
    for (uint32_t i = 0; i < a->used_count; i++)
        if (a->used[i].input != b->used[i].input) return a->used[i].input < b->used[i].input ? -1 : 1;
    if (memcmp(a->instructions, b->instructions, a->instruction_count * sizeof *a->instructions) == 0)
        return 0;
    int order = 0;
    for (size_t i = 0; i < a->instruction_count && order == 0; i++) {
        const tn_instruction left = of_family(a->instructions[i]), right = of_family(b->instructions[i]);
        order = memcmp(&left, &right, sizeof left);
    }
    return order;
}

uint32_t tn_expression_used_count(const tn_expression *expression) { return expression->used_count; }

uint32_t tn_expression_used(const tn_expression *expression, uint32_t place)
{
    return expression->used[place].input;
}

const tn_routine *tn_expression_routine(const tn_expression *expression, uint32_t k)
{
    for (size_t i = 0; i < expression->instruction_count; i++)
        if (expression->instructions[i].operation == TN_OPERATION_ROUTINE && k-- == 0)
            return expression->instructions[i].routine;
    return NULL;
}

const tn_routine *tn_expression_only_call(const tn_expression *expression, uint32_t first, uint32_t *count)
{
    *count = (uint32_t)expression->instruction_count - 1;
    const tn_instruction *const call = &expression->instructions[*count];
    if (call->operation != TN_OPERATION_ROUTINE || call->count != *count) return NULL;
    for (uint32_t i = 0; i < *count; i++) {
        const tn_instruction *const now = &expression->instructions[i];
        if (now->operation != TN_OPERATION_INPUT || now->input != first + i) return NULL;
    }
    return call->routine;
}

static inline void read_lanes(const double *const *input, double *value)
{
    if (input[1])
        EACH_LANE value[lane] = *input[lane];
    else
        memcpy(value, input[0], LANES * sizeof *value);
}

/* As tn_tape_power_of. */
static bool raise_lanes(double *value, int32_t exponent)
{
    double base[LANES];
    bool zero = false;
    EACH_LANE zero |= value[lane] == 0.0;
    if (zero && exponent < 0) return false;
    EACH_LANE base[lane] = value[lane];
    EACH_LANE value[lane] = 1.0;
    for (uint32_t left = (uint32_t)abs(exponent); left > 0; left >>= 1) {
        if (left & 1) EACH_LANE value[lane] *= base[lane];
        EACH_LANE base[lane] *= base[lane];
    }
    if (exponent < 0) EACH_LANE value[lane] = 1.0 / value[lane];
    return true;
}

static bool call_lanes(const tn_instruction *instruction, double (*value)[LANES])
{
    EACH_LANE
    {
        double argument[TN_MOST_ARGUMENTS];
        tn_function_result result = {.partial = NULL};
        for (uint32_t i = 0; i < instruction->count; i++)
            argument[i] = value[i][lane];
        if (tn_tape_call_at(instruction, argument, &result)) return false;
        value[0][lane] = argument[0];
    }
    return true;
}

/* As tn_tape_call_at: a nan in an argument is no value. */
static bool call_family(const tn_instruction *instruction, const tn_routine *const *routine, uint32_t count,
                        double (*value)[LANES])
{
    uint64_t nan = 0;
    for (uint64_t left = instruction->varying; left; left &= left - 1) {
        uint64_t bits[LANES];
        memcpy(bits, value[tn_tape_first(left)], sizeof bits);
        EACH_LANE nan |= (bits[lane] & ~SIGN) > INFINITE;
    }
    return !nan && routine[0]->many(routine, count, *value, *value);
}

bool tn_expression_value_lanes(const tn_expression *expression, const double *const *inputs,
                               const tn_routine *const *routines, uint32_t count, double *values)
{
    double registers[REGISTERS][LANES];
    for (size_t i = 0; i < expression->instruction_count; i++) {
        const tn_instruction *const now = &expression->instructions[i];
        double(*const value)[LANES] = registers + now->target, *const a = value[0];
        const double *const b = registers[now->target + 1];
        bool zero = false;
        switch ((tn_operation)now->operation) {
        case TN_OPERATION_CONSTANT:
            EACH_LANE a[lane] = now->constant;
            break;
        case TN_OPERATION_INPUT:
            read_lanes(&inputs[now->place * LANES], a);
            break;
        case TN_OPERATION_ADD:
            EACH_LANE a[lane] += b[lane];
            break;
        case TN_OPERATION_SUBTRACT:
            EACH_LANE a[lane] -= b[lane];
            break;
        case TN_OPERATION_MULTIPLY:
            EACH_LANE a[lane] *= b[lane];
            break;
        case TN_OPERATION_DIVIDE:
            EACH_LANE zero |= b[lane] == 0.0;
            if (zero) return false;
            EACH_LANE a[lane] /= b[lane];
            break;
        case TN_OPERATION_ADD_CONSTANT:
            EACH_LANE a[lane] += now->constant;
            break;
        case TN_OPERATION_MULTIPLY_CONSTANT:
            EACH_LANE a[lane] *= now->constant;
            break;
        case TN_OPERATION_DIVIDE_CONSTANT:
            EACH_LANE a[lane] /= now->constant;
            break;
        case TN_OPERATION_NEGATE:
            EACH_LANE a[lane] = -a[lane];
            break;
        case TN_OPERATION_INTEGER_POWER:
            if (!raise_lanes(a, now->exponent)) return false;
            break;
        case TN_OPERATION_ROUTINE:
            if (!(now->routine->family ? call_family(now, routines, count, value) : call_lanes(now, value)))
                return false;
            routines += LANES;
            break;
        default:
            if (!call_lanes(now, value)) return false;
        }
    }
    uint64_t bits[LANES], wrong = 0;
    memcpy(bits, registers[0], sizeof bits);
    EACH_LANE wrong |= (bits[lane] & INFINITE) == INFINITE;
    memcpy(values, registers[0], sizeof registers[0]);
    return !wrong;
}
