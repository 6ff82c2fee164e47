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
ALWAYS_INLINE double chained(double partial, double derivative)
{
    return derivative != 0.0 ? partial * derivative : 0.0;
}

/* Multiplies the derivatives of a call's arguments by its partial derivatives. */
ALWAYS_INLINE void chain(const tn_instruction *call, const double *partial, uint32_t lanes,
                         double (*derivative)[TN_TAPE_LANES])
{
    double sum[TN_TAPE_LANES] = {0.0};
    for (uint64_t left = call->varying; left; left &= left - 1) {
        const uint32_t i = tn_tape_first(left);
        if (isfinite(partial[i]))
            EACH_LANE sum[lane] += partial[i] * derivative[i][lane];
        else
            EACH_LANE sum[lane] += chained(partial[i], derivative[i][lane]);
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
            along += chained(second[i * count + tn_tape_first(others)], slope[tn_tape_first(others)]);
        slope_sum += chained(partial[i], slope[i]);
        EACH_LANE mixed_sum[lane] +=
            chained(partial[i], mixed[i][lane]) + chained(along, derivative[i][lane]);
    }
    slope[0] = slope_sum;
    EACH_LANE mixed[0][lane] = mixed_sum[lane];
    chain(call, partial, lanes, derivative);
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
    if (!problem) chain(call, partial, lanes, derivative);
    return problem;
}

/* One forward sweep, for the used inputs from number `first` on; `twice`: with second derivatives. */
ALWAYS_INLINE const char *sweep(const tn_expression *expression, const sweep_plan *plan,
                                sweep_registers *registers, const uint32_t lanes, const bool twice)
{
    const tn_instruction *const end = expression->instructions + expression->instruction_count;
    for (const tn_instruction *now = expression->instructions; now < end; now++) {
        double *const v = registers->value + now->target, *const s = registers->slope + now->target;
        double(*const d)[TN_TAPE_LANES] = registers->derivative + now->target;
        double(*const m)[TN_TAPE_LANES] = registers->mixed + now->target;
        const char *problem = NULL;
        switch ((tn_operation)now->operation) {
        case TN_OPERATION_CONSTANT:
        case TN_OPERATION_INPUT: {
            const bool input = now->operation == TN_OPERATION_INPUT;
            v[0] = input ? plan->inputs[now->input] : now->constant;
            EACH_LANE d[0][lane] = 0.0;
            if (input && now->place - plan->first < lanes) d[0][now->place - plan->first] = 1.0;
            if (!twice) break;
            s[0] = input ? plan->direction[now->input] : 0.0;
            EACH_LANE m[0][lane] = 0.0;
            break;
        }
        case TN_OPERATION_ADD:
            v[0] += v[1];
            EACH_LANE d[0][lane] += d[1][lane];
            if (!twice) break;
            s[0] += s[1];
            EACH_LANE m[0][lane] += m[1][lane];
            break;
        case TN_OPERATION_SUBTRACT:
            v[0] -= v[1];
            EACH_LANE d[0][lane] -= d[1][lane];
            if (!twice) break;
            s[0] -= s[1];
            EACH_LANE m[0][lane] -= m[1][lane];
            break;
        case TN_OPERATION_MULTIPLY:
            if (twice) {
                EACH_LANE m[0][lane] =
                    m[0][lane] * v[1] + v[0] * m[1][lane] + d[0][lane] * s[1] + s[0] * d[1][lane];
                s[0] = s[0] * v[1] + v[0] * s[1];
            }
            EACH_LANE d[0][lane] = d[0][lane] * v[1] + v[0] * d[1][lane];
            v[0] *= v[1];
            break;
        case TN_OPERATION_DIVIDE:
            if (v[1] == 0.0) return "division by zero";
            v[0] /= v[1];
            EACH_LANE d[0][lane] = (d[0][lane] - v[0] * d[1][lane]) / v[1];
            if (!twice) break;
            s[0] = (s[0] - v[0] * s[1]) / v[1];
            EACH_LANE m[0][lane] =
                (m[0][lane] - v[0] * m[1][lane] - d[0][lane] * s[1] - s[0] * d[1][lane]) / v[1];
            break;
        case TN_OPERATION_ADD_CONSTANT:
            v[0] += now->constant;
            break;
        case TN_OPERATION_MULTIPLY_CONSTANT:
            v[0] *= now->constant;
            EACH_LANE d[0][lane] *= now->constant;
            if (!twice) break;
            s[0] *= now->constant;
            EACH_LANE m[0][lane] *= now->constant;
            break;
        case TN_OPERATION_DIVIDE_CONSTANT:
            v[0] /= now->constant;
            EACH_LANE d[0][lane] /= now->constant;
            if (!twice) break;
            s[0] /= now->constant;
            EACH_LANE m[0][lane] /= now->constant;
            break;
        case TN_OPERATION_NEGATE:
            v[0] = -v[0];
            EACH_LANE d[0][lane] = -d[0][lane];
            if (!twice) break;
            s[0] = -s[0];
            EACH_LANE m[0][lane] = -m[0][lane];
            break;
        case TN_OPERATION_INTEGER_POWER: {
            /* n x^(n-1) and n (n-1) x^(n-2) without 0 * (1/0): x**0 is 1 everywhere. */
            const int32_t n = now->exponent;
            if (v[0] == 0.0 && n < 0) return "zero to a negative power";
            const double first = n == 0 ? 0.0 : n * tn_tape_power_of(v[0], n - 1);
            if (twice) {
                const double second = n == 0 || n == 1 ? 0.0 : n * (n - 1.0) * tn_tape_power_of(v[0], n - 2);
                EACH_LANE m[0][lane] = first * m[0][lane] + second * s[0] * d[0][lane];
                s[0] *= first;
            }
            EACH_LANE d[0][lane] *= first;
            v[0] = tn_tape_power_of(v[0], n);
            break;
        }
        case TN_OPERATION_CALL:
        case TN_OPERATION_ROUTINE:
            problem = twice ? call_second(now, lanes, v, s, d, m) : call_first(now, lanes, v, d);
            if (problem) return problem;
            break;
        case TN_OPERATION_IF:
            if (isnan(v[0])) return "result is not finite";
            now = tn_tape_branch_of(now, v[0]);
            break;
        case TN_OPERATION_SKIP:
            now += now->skip;
            break;
        case TN_OPERATION_SKIP_IF_ZERO:
            now += v[0] == 0.0 ? now->skip : 0;
            break;
        case TN_OPERATION_SKIP_UNLESS_ZERO:
            now += v[0] != 0.0 ? now->skip : 0;
            break;
        }
    }
    return NULL;
}

/* Copies what one sweep found out to its inputs; NULL, or what is not finite. */
static const char *deliver(const tn_expression *expression, const sweep_registers *registers, uint32_t first,
                           double *gradient, double *product)
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
ALWAYS_INLINE bool derive(const tn_expression *expression, sweep_plan plan, double *value, double *gradient,
                          double *product, const bool twice, const char **problem)
{
    const uint32_t used = expression->used_count;
    sweep_registers registers;
    for (plan.first = 0; plan.first < used; plan.first += TN_TAPE_LANES) {
        *problem = used <= 2   ? sweep(expression, &plan, &registers, 2, twice)
                   : used <= 4 ? sweep(expression, &plan, &registers, 4, twice)
                               : sweep(expression, &plan, &registers, TN_TAPE_LANES, twice);
        if (!*problem) *problem = deliver(expression, &registers, plan.first, gradient, product);
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
    return derive(expression, (sweep_plan){.inputs = inputs}, value, gradient, NULL, false, problem);
}

bool tn_expression_second(const tn_expression *expression, const double *inputs, const double *direction,
                          double *value, double *gradient, double *product, const char **problem)
{
    for (uint32_t i = 0; i < expression->input_count; i++)
        gradient[i] = product[i] = 0.0;
    if (expression->used_count == 0) return tn_expression_value(expression, inputs, value, problem);
    return derive(expression, (sweep_plan){.inputs = inputs, .direction = direction}, value, gradient,
                  product, true, problem);
}
