/* tape_derivatives.c - exact derivatives of a compiled expression, carried forward beside the values (see tape.h).
 *
 * One text serves the gradient and the second derivatives, and any number of lanes: the compiler makes a loop of its own
 * for each combination. */
#include "expression/tape.h"

#include <math.h>

/* All of a sweep: value f, slope df along the direction, derivatives of both with respect to the input of each lane. */
typedef struct sweep_registers {
    double value[TN_TAPE_REGISTERS], slope[TN_TAPE_REGISTERS];
    double derivative[TN_TAPE_REGISTERS][TN_TAPE_LANES], mixed[TN_TAPE_REGISTERS][TN_TAPE_LANES];
} sweep_registers;

/* What a sweep works out. */
typedef struct sweep_plan {
    const double *inputs, *direction; /* direction: NULL for a gradient */
    uint32_t first;                   /* number of the used input of the first lane */
} sweep_plan;

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define EACH_LANE for (uint32_t lane = 0; lane < lanes; lane++)

/* partial * derivative, where the partial derivative may be missing as long as nothing varies. */
ALWAYS_INLINE double chained_product(double partial, double derivative)
{
    return derivative != 0.0 ? partial * derivative : 0.0;
}

/* Multiplies the derivatives of a call's arguments by its partial derivatives. */
ALWAYS_INLINE void chain_partials(const tn_instruction *call, const double *partial, uint32_t lanes,
                                  double (*derivative)[TN_TAPE_LANES])
{
    double sum[TN_TAPE_LANES] = {0.0};
    for (uint64_t left = call->varying; left; left &= left - 1) {
        const uint32_t i = tn_tape_first(left);
        if (isfinite(partial[i]))
            EACH_LANE sum[lane] += partial[i] * derivative[i][lane];
        else
            EACH_LANE sum[lane] += chained_product(partial[i], derivative[i][lane]);
    }
    EACH_LANE derivative[0][lane] = sum[lane];
}

/* Kept out of line: only one expression in many calls something, and arguments may be many. */
__attribute__((noinline)) static const char *call_second(const tn_instruction *call, uint32_t lanes,
                                                         double *value, double *slope,
                                                         double (*derivative)[TN_TAPE_LANES],
                                                         double (*mixed)[TN_TAPE_LANES])
{
    const uint32_t count = call->count;
    double partial[TN_MOST_ARGUMENTS] = {0.0}, second[TN_MOST_ARGUMENTS * TN_MOST_ARGUMENTS];
    for (uint32_t i = 0; i < count * count; i++)
        second[i] = 0.0;
    tn_function_result result = {.partial = partial, .second = second, .varying = call->varying};
    const char *const problem = tn_tape_call_at(call, value, &result);
    if (problem) return problem;

    double slope_sum = 0.0, mixed_sum[TN_TAPE_LANES] = {0.0};
    for (uint64_t left = call->varying; left; left &= left - 1) {
        const uint32_t i = tn_tape_first(left);
        double along = 0.0; /* change of partial derivative i */
        for (uint64_t others = call->varying; others; others &= others - 1)
            along += chained_product(second[i * count + tn_tape_first(others)], slope[tn_tape_first(others)]);
        slope_sum += chained_product(partial[i], slope[i]);
        EACH_LANE mixed_sum[lane] +=
            chained_product(partial[i], mixed[i][lane]) + chained_product(along, derivative[i][lane]);
    }
    slope[0] = slope_sum;
    EACH_LANE mixed[0][lane] = mixed_sum[lane];
    chain_partials(call, partial, lanes, derivative);
    return NULL;
}

ALWAYS_INLINE const char *call_first(const tn_instruction *call, uint32_t lanes, double *value,
                                     double (*derivative)[TN_TAPE_LANES])
{
    double partial[TN_MOST_ARGUMENTS];
    for (uint32_t i = 0; i < call->count; i++)
        partial[i] = 0.0;
    tn_function_result result = {.partial = partial, .varying = call->varying};
    const char *const problem = tn_tape_call_at(call, value, &result);
    if (!problem) chain_partials(call, partial, lanes, derivative);
    return problem;
}

/* The registers of an instruction, its target first: values, changes along the direction, derivatives, and those of the
 * changes; the last two by lanes. */
typedef struct operands {
    double *v, *s;
    double (*d)[TN_TAPE_LANES], (*m)[TN_TAPE_LANES];
} operands;

ALWAYS_INLINE void load_operand(operands at, const tn_instruction *now, const sweep_plan *plan,
                                uint32_t lanes, bool twice)
{
    const bool input = now->operation == TN_OPERATION_INPUT;
    at.v[0] = input ? plan->inputs[now->input] : now->constant;
    EACH_LANE at.d[0][lane] = 0.0;
    if (input && now->place - plan->first < lanes) at.d[0][now->place - plan->first] = 1.0;
    if (!twice) return;
    at.s[0] = input ? plan->direction[now->input] : 0.0;
    EACH_LANE at.m[0][lane] = 0.0;
}

/* `sign`: 1 or -1. */
ALWAYS_INLINE void add_operands(operands at, double sign, uint32_t lanes, bool twice)
{
    at.v[0] += sign * at.v[1];
    EACH_LANE at.d[0][lane] += sign * at.d[1][lane];
    if (!twice) return;
    at.s[0] += sign * at.s[1];
    EACH_LANE at.m[0][lane] += sign * at.m[1][lane];
}

ALWAYS_INLINE void multiply_operands(operands at, uint32_t lanes, bool twice)
{
    double *const v = at.v, *const s = at.s;
    if (twice) {
        EACH_LANE at.m[0][lane] =
            at.m[0][lane] * v[1] + v[0] * at.m[1][lane] + at.d[0][lane] * s[1] + s[0] * at.d[1][lane];
        s[0] = s[0] * v[1] + v[0] * s[1];
    }
    EACH_LANE at.d[0][lane] = at.d[0][lane] * v[1] + v[0] * at.d[1][lane];
    v[0] *= v[1];
}

ALWAYS_INLINE const char *divide_operands(operands at, uint32_t lanes, bool twice)
{
    double *const v = at.v, *const s = at.s;
    if (v[1] == 0.0) return "division by zero";
    v[0] /= v[1];
    EACH_LANE at.d[0][lane] = (at.d[0][lane] - v[0] * at.d[1][lane]) / v[1];
    if (!twice) return NULL;
    s[0] = (s[0] - v[0] * s[1]) / v[1];
    EACH_LANE at.m[0][lane] =
        (at.m[0][lane] - v[0] * at.m[1][lane] - at.d[0][lane] * s[1] - s[0] * at.d[1][lane]) / v[1];
    return NULL;
}

ALWAYS_INLINE void multiply_by(operands at, double factor, uint32_t lanes, bool twice)
{
    at.v[0] *= factor;
    EACH_LANE at.d[0][lane] *= factor;
    if (!twice) return;
    at.s[0] *= factor;
    EACH_LANE at.m[0][lane] *= factor;
}

ALWAYS_INLINE void divide_by(operands at, double divisor, uint32_t lanes, bool twice)
{
    at.v[0] /= divisor;
    EACH_LANE at.d[0][lane] /= divisor;
    if (!twice) return;
    at.s[0] /= divisor;
    EACH_LANE at.m[0][lane] /= divisor;
}

/* n x^(n-1) and n (n-1) x^(n-2) without 0 * (1/0): x**0 is 1 everywhere. */
ALWAYS_INLINE const char *raise_operand(operands at, int32_t n, uint32_t lanes, bool twice)
{
    double *const v = at.v;
    if (v[0] == 0.0 && n < 0) return "zero to a negative power";
    const double first = n == 0 ? 0.0 : n * tn_tape_power_of(v[0], n - 1);
    if (twice) {
        const double second = n == 0 || n == 1 ? 0.0 : n * (n - 1.0) * tn_tape_power_of(v[0], n - 2);
        EACH_LANE at.m[0][lane] = first * at.m[0][lane] + second * at.s[0] * at.d[0][lane];
        at.s[0] *= first;
    }
    EACH_LANE at.d[0][lane] *= first;
    v[0] = tn_tape_power_of(v[0], n);
    return NULL;
}

/* One forward sweep, for the used inputs from number `first` on; `twice`: with second derivatives. */
ALWAYS_INLINE const char *sweep_tape(const tn_expression *expression, const sweep_plan *plan,
                                     sweep_registers *registers, const uint32_t lanes, const bool twice)
{
    const tn_instruction *const end = expression->instructions + expression->instruction_count;
    for (const tn_instruction *now = expression->instructions; now < end; now++) {
        const operands at = {registers->value + now->target, registers->slope + now->target,
                             registers->derivative + now->target, registers->mixed + now->target};
        const char *problem = NULL;
        switch ((tn_operation)now->operation) {
        case TN_OPERATION_CONSTANT:
        case TN_OPERATION_INPUT:
            load_operand(at, now, plan, lanes, twice);
            break;
        case TN_OPERATION_ADD:
            add_operands(at, 1.0, lanes, twice);
            break;
        case TN_OPERATION_SUBTRACT:
            add_operands(at, -1.0, lanes, twice);
            break;
        case TN_OPERATION_MULTIPLY:
            multiply_operands(at, lanes, twice);
            break;
        case TN_OPERATION_DIVIDE:
            problem = divide_operands(at, lanes, twice);
            break;
        case TN_OPERATION_ADD_CONSTANT:
            at.v[0] += now->constant;
            break;
        case TN_OPERATION_MULTIPLY_CONSTANT:
            multiply_by(at, now->constant, lanes, twice);
            break;
        case TN_OPERATION_DIVIDE_CONSTANT:
            divide_by(at, now->constant, lanes, twice);
            break;
        case TN_OPERATION_NEGATE:
            multiply_by(at, -1.0, lanes, twice);
            break;
        case TN_OPERATION_INTEGER_POWER:
            problem = raise_operand(at, now->exponent, lanes, twice);
            break;
        case TN_OPERATION_CALL:
        case TN_OPERATION_ROUTINE:
            problem =
                twice ? call_second(now, lanes, at.v, at.s, at.d, at.m) : call_first(now, lanes, at.v, at.d);
            break;
        case TN_OPERATION_IF:
        case TN_OPERATION_SOFT_IF:
            if (isnan(at.v[0])) return "result is not finite";
            now = tn_tape_branch_of(now, at.v[0]);
            break;
        case TN_OPERATION_SKIP:
            now += now->skip;
            break;
        case TN_OPERATION_SKIP_IF_ZERO:
            now += at.v[0] == 0.0 ? now->skip : 0;
            break;
        }
        if (problem) return problem;
    }
    return NULL;
}

/* Copies what one sweep found out to its inputs; NULL, or what is not finite. */
static const char *deliver_derivatives(const tn_expression *expression, const sweep_registers *registers,
                                       uint32_t first, double *gradient, double *product)
{
    const uint32_t left = expression->used_count - first, lanes = left < TN_TAPE_LANES ? left : TN_TAPE_LANES;
    const char *problem = NULL;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        const uint32_t input = expression->used[first + lane].input;
        gradient[input] = registers->derivative[0][lane];
        if (!isfinite(gradient[input])) problem = "derivative is not finite";
        if (!product) continue;
        product[input] = registers->mixed[0][lane];
        if (!isfinite(product[input])) problem = "second derivative is not finite";
    }
    return isfinite(registers->value[0]) ? problem : "result is not finite";
}

/* Sweep by sweep over all used inputs, of which there are some; `product`: NULL for a gradient. */
ALWAYS_INLINE bool derive_expression(const tn_expression *expression, sweep_plan plan, double *value,
                                     double *gradient, double *product, const bool twice,
                                     const char **problem)
{
    const uint32_t used = expression->used_count;
    sweep_registers registers;
    for (plan.first = 0; plan.first < used; plan.first += TN_TAPE_LANES) {
        *problem = used <= 2   ? sweep_tape(expression, &plan, &registers, 2, twice)
                   : used <= 4 ? sweep_tape(expression, &plan, &registers, 4, twice)
                               : sweep_tape(expression, &plan, &registers, TN_TAPE_LANES, twice);
        if (!*problem) *problem = deliver_derivatives(expression, &registers, plan.first, gradient, product);
        if (*problem) return false;
    }
    *value = registers.value[0];
    return true;
}

bool tn_expression_gradient(const tn_expression *expression, const double *inputs, double *value,
                            double *gradient, const char **problem)
{
    for (uint32_t i = 0; i < expression->input_count; i++)
        gradient[i] = 0.0;
    if (expression->used_count == 0) return tn_expression_value(expression, inputs, value, problem);
    return derive_expression(expression, (sweep_plan){.inputs = inputs}, value, gradient, NULL, false,
                             problem);
}

bool tn_expression_second(const tn_expression *expression, const double *inputs, const double *direction,
                          double *value, double *gradient, double *product, const char **problem)
{
    for (uint32_t i = 0; i < expression->input_count; i++)
        gradient[i] = product[i] = 0.0;
    if (expression->used_count == 0) return tn_expression_value(expression, inputs, value, problem);
    return derive_expression(expression, (sweep_plan){.inputs = inputs, .direction = direction}, value,
                             gradient, product, true, problem);
}
