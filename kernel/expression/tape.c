/* tape.c - values and exact gradients of a compiled expression (see tape.h). */
#include "expression/tape.h"

#include <math.h>
#include <stdlib.h>

/* By repeated squaring, so that x**2 is x*x and x**3 is x*x*x. */
static double integer_power(double base, int32_t exponent)
{
    double result = 1.0;
    for (uint32_t left = (uint32_t)abs(exponent); left > 0; left >>= 1) {
        if (left & 1) result *= base;
        base *= base;
    }
    return exponent < 0 ? 1.0 / result : result;
}

/* Calls a function on the values from value[0] upwards; the result replaces value[0]. NaN is stopped here, as
 * MAX or a comparison would make a plausible number of it. */
static const char *call(const tn_instruction *instruction, double *value, tn_function_result *result)
{
    for (uint32_t i = 0; i < instruction->count; i++)
        if (isnan(value[i])) return "result is not finite";
    const char *const problem =
        instruction->operation == TN_OPERATION_CALL
            ? instruction->function->body(value, instruction->count, result)
            : instruction->routine->body(instruction->routine, value, instruction->count, result);
    value[0] = result->value;
    return problem;
}

const char *tn_tape_run(const tn_instruction *instructions, size_t count, const double *inputs,
                        double *registers)
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
        case TN_OPERATION_NEGATE:
            value[0] = -value[0];
            break;
        case TN_OPERATION_INTEGER_POWER:
            if (value[0] == 0.0 && now->exponent < 0) return "zero to a negative power";
            value[0] = integer_power(value[0], now->exponent);
            break;
        case TN_OPERATION_CALL:
        case TN_OPERATION_ROUTINE: {
            tn_function_result result = {.partial = NULL};
            const char *const problem = call(now, value, &result);
            if (problem) return problem;
            break;
        }
        case TN_OPERATION_SKIP_IF_ZERO:
            now += value[0] == 0.0 ? now->skip : 0;
            break;
        case TN_OPERATION_SKIP_UNLESS_ZERO:
            now += value[0] != 0.0 ? now->skip : 0;
            break;
        }
    }
    return NULL;
}

/* Registers of a sweep: values, and next to each its derivatives with respect to TN_TAPE_LANES inputs. */
typedef struct dual_registers {
    double value[TN_TAPE_REGISTERS];
    double derivative[TN_TAPE_REGISTERS][TN_TAPE_LANES];
} dual_registers;

#define EACH_LANE for (int lane = 0; lane < TN_TAPE_LANES; lane++)

/* Chain rule of a function. An argument that does not vary adds nothing, even where its partial is NaN. */
static const char *call_with_partials(const tn_instruction *instruction, double *value,
                                      double (*derivative)[TN_TAPE_LANES])
{
    double partial[TN_TAPE_REGISTERS];
    tn_function_result result = {.partial = partial};
    const char *const problem = call(instruction, value, &result);
    if (problem) return problem;

    double sum[TN_TAPE_LANES] = {0.0};
    for (uint32_t i = 0; i < instruction->count; i++)
        EACH_LANE sum[lane] += derivative[i][lane] != 0.0 ? partial[i] * derivative[i][lane] : 0.0;
    EACH_LANE derivative[0][lane] = sum[lane];
    return NULL;
}

/* One forward sweep, for the used inputs number first .. first + TN_TAPE_LANES - 1. */
static const char *sweep(const tn_expression *expression, const double *inputs, uint32_t first,
                         dual_registers *registers)
{
    const tn_instruction *const end = expression->instructions + expression->instruction_count;
    for (const tn_instruction *now = expression->instructions; now < end; now++) {
        double *const value = registers->value + now->target;
        double(*const derivative)[TN_TAPE_LANES] = registers->derivative + now->target;
        switch ((tn_operation)now->operation) {
        case TN_OPERATION_CONSTANT:
            value[0] = now->constant;
            EACH_LANE derivative[0][lane] = 0.0;
            break;
        case TN_OPERATION_INPUT:
            value[0] = inputs[now->input];
            EACH_LANE derivative[0][lane] = 0.0;
            if (now->count - first < TN_TAPE_LANES) derivative[0][now->count - first] = 1.0;
            break;
        case TN_OPERATION_ADD:
            value[0] += value[1];
            EACH_LANE derivative[0][lane] += derivative[1][lane];
            break;
        case TN_OPERATION_SUBTRACT:
            value[0] -= value[1];
            EACH_LANE derivative[0][lane] -= derivative[1][lane];
            break;
        case TN_OPERATION_MULTIPLY:
            EACH_LANE derivative[0][lane] = derivative[0][lane] * value[1] + value[0] * derivative[1][lane];
            value[0] *= value[1];
            break;
        case TN_OPERATION_DIVIDE:
            if (value[1] == 0.0) return "division by zero";
            value[0] /= value[1];
            EACH_LANE derivative[0][lane] = (derivative[0][lane] - value[0] * derivative[1][lane]) / value[1];
            break;
        case TN_OPERATION_NEGATE:
            value[0] = -value[0];
            EACH_LANE derivative[0][lane] = -derivative[0][lane];
            break;
        case TN_OPERATION_INTEGER_POWER: {
            if (value[0] == 0.0 && now->exponent < 0) return "zero to a negative power";
            /* x**0 is 1 everywhere: its derivative must not pass through 0 * (1/0). */
            const double slope =
                now->exponent == 0 ? 0.0 : now->exponent * integer_power(value[0], now->exponent - 1);
            value[0] = integer_power(value[0], now->exponent);
            EACH_LANE derivative[0][lane] *= slope;
            break;
        }
        case TN_OPERATION_CALL:
        case TN_OPERATION_ROUTINE: {
            const char *const problem = call_with_partials(now, value, derivative);
            if (problem) return problem;
            break;
        }
        case TN_OPERATION_SKIP_IF_ZERO:
            now += value[0] == 0.0 ? now->skip : 0;
            break;
        case TN_OPERATION_SKIP_UNLESS_ZERO:
            now += value[0] != 0.0 ? now->skip : 0;
            break;
        }
    }
    return NULL;
}

bool tn_expression_value(const tn_expression *expression, const double *inputs, double *value,
                         const char **problem)
{
    double registers[TN_TAPE_REGISTERS];
    *problem = tn_tape_run(expression->instructions, expression->instruction_count, inputs, registers);
    if (*problem) return false;
    *value = registers[0];
    if (!isfinite(*value)) *problem = "result is not finite";
    return !*problem;
}

bool tn_expression_gradient(const tn_expression *expression, const double *inputs, double *value,
                            double *gradient, const char **problem)
{
    for (uint32_t i = 0; i < expression->input_count; i++)
        gradient[i] = 0.0;
    if (expression->used_count == 0) return tn_expression_value(expression, inputs, value, problem);

    dual_registers registers;
    for (uint32_t first = 0; first < expression->used_count; first += TN_TAPE_LANES) {
        *problem = sweep(expression, inputs, first, &registers);
        if (*problem) return false;
        for (uint32_t lane = 0; lane < TN_TAPE_LANES && first + lane < expression->used_count; lane++) {
            gradient[expression->used[first + lane].input] = registers.derivative[0][lane];
            if (!isfinite(registers.derivative[0][lane])) *problem = "derivative is not finite";
        }
        *value = registers.value[0];
        if (!isfinite(*value)) *problem = "result is not finite";
        if (*problem) return false;
    }
    return true;
}

bool tn_expression_is_constant(const tn_expression *expression) { return expression->used_count == 0; }

bool tn_expression_uses(const tn_expression *expression, uint32_t input, size_t *offset)
{
    for (uint32_t i = 0; i < expression->used_count; i++) {
        if (expression->used[i].input != input) continue;
        if (offset) *offset = expression->used[i].offset;
        return true;
    }
    return false;
}

void tn_expression_free(tn_expression *expression)
{
    if (!expression) return;
    free(expression->instructions);
    free(expression->used);
    free(expression);
}
