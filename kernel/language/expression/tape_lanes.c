/* tape_lanes.c - values of one compiled expression at many inputs side by side (see tape.h)
 *
 * Each instruction works on all lanes before the next one is looked at: what it costs to find out which one it is vanishes,
 * and the compiler makes vector operations of the loops. The operations on a lane are those of tn_tape_run, in their order. Where lanes
 * take different branches, all branches are worked out that some lane takes, one after the other; lanes.h says who waits. */
#include "expression/lanes.h"
#include "expression/tape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = TN_EXPRESSION_LANES, REGISTERS = 32 };

#define EACH_LANE TN_EACH_LANE

/* Not inside the loop over instructions: there the compiler would unroll the loops over lanes before it sees vectors in them. */
#define OUT_OF_LINE __attribute__((noinline)) static

bool tn_expression_has_lanes(const tn_expression *expression)
{
    for (size_t i = 0; i < expression->instruction_count; i++)
        if (expression->instructions[i].target + 1 >= REGISTERS) return false;
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

/* ---- which way lanes take ---------------------------------------------------------------------------------- */

static size_t first_due(const tn_lanes *lanes)
{
    double first[LANES / 2];
    for (uint32_t k = 0; k < LANES / 2; k++)
        first[k] = lanes->due[k] < lanes->due[k + LANES / 2] ? lanes->due[k] : lanes->due[k + LANES / 2];
    for (uint32_t k = 0; k < LANES / 4; k++)
        first[k] = first[k] < first[k + LANES / 4] ? first[k] : first[k + LANES / 4];
    for (uint32_t k = 1; k < LANES / 4; k++)
        first[0] = first[k] < first[0] ? first[k] : first[0];
    return first[0] < (double)INFINITY ? (size_t)first[0] : SIZE_MAX;
}

/* The lanes that wait for instruction number `now` go along from there on, with the value on top of their stacks. */
OUT_OF_LINE void join_lanes(tn_lanes *lanes, size_t now, double *top)
{
    const double place = (double)now;
    int64_t coming = 0;
    EACH_LANE coming += lanes->due[lane] == place;
    EACH_LANE top[lane] = lanes->due[lane] == place ? lanes->kept[lane] : top[lane];
    EACH_LANE lanes->due[lane] = lanes->due[lane] == place ? (double)INFINITY : lanes->due[lane];
    lanes->along += coming;
    lanes->arrival = lanes->along < LANES ? first_due(lanes) : SIZE_MAX;
}

/* All lanes that go along go on at instruction number `place`, unless others wait in front of it. The instruction to go on at. */
OUT_OF_LINE size_t go_on(tn_lanes *lanes, size_t place, const double *top)
{
    if (place <= lanes->arrival) return place;
    EACH_LANE lanes->kept[lane] = tn_lane_goes_along(lanes, lane) ? top[lane] : lanes->kept[lane];
    EACH_LANE lanes->due[lane] = tn_lane_goes_along(lanes, lane) ? (double)place : lanes->due[lane];
    lanes->along = 0;
    return lanes->arrival;
}

/* Lanes that go along wait for their goals, the first of which is `arrival`; an infinite one is number `next`, to which so many go. The
 * instruction to go on at. */
static inline size_t go_apart(tn_lanes *lanes, const double *goal, const double *top, size_t arrival,
                              size_t next, int64_t stay)
{
    EACH_LANE lanes->kept[lane] = tn_lane_goes_along(lanes, lane) ? top[lane] : lanes->kept[lane];
    EACH_LANE lanes->due[lane] = tn_lane_goes_along(lanes, lane) ? goal[lane] : lanes->due[lane];
    lanes->along = stay;
    if (arrival < lanes->arrival) lanes->arrival = arrival;
    return stay ? next : lanes->arrival;
}

/* The instruction to go on at after an IF in front of number `next`; SIZE_MAX where a lane that goes along has no value. The signs of
 * `side` tell the branches. */
OUT_OF_LINE size_t choose_branches(tn_lanes *lanes, size_t next, const tn_instruction *choice,
                                   const double *side, const double *value)
{
    const size_t zero = next + choice->further[0], positive = next + choice->further[1];
    double goal[LANES];
    int64_t below = 0, above = 0, at = 0;
    EACH_LANE below += (side[lane] < 0.0) & tn_lane_goes_along(lanes, lane);
    EACH_LANE above += (side[lane] > 0.0) & tn_lane_goes_along(lanes, lane);
    EACH_LANE at += (side[lane] == 0.0) & tn_lane_goes_along(lanes, lane);
    if (below + above + at < lanes->along) return SIZE_MAX;
    if (below == lanes->along) return next;
    if (above == lanes->along) return go_on(lanes, positive, value);
    if (at == lanes->along) return go_on(lanes, zero, value);
    EACH_LANE goal[lane] = side[lane] > 0.0 ? (double)positive : (double)zero;
    EACH_LANE goal[lane] = side[lane] < 0.0 ? (double)INFINITY : goal[lane];
    return go_apart(lanes, goal, value, at ? zero : positive, next, below);
}

OUT_OF_LINE size_t choose_soft_branches(tn_lanes *lanes, size_t next, const tn_instruction *choice,
                                        const double *value)
{
    double side[LANES];
    EACH_LANE side[lane] = isnan(value[lane]) ? value[lane] : tn_tape_soft_side(choice, value[lane]);
    return choose_branches(lanes, next, choice, side, value);
}

/* After a SKIP_IF_ZERO. */
OUT_OF_LINE size_t skip_zeros(tn_lanes *lanes, size_t next, const tn_instruction *skip, const double *value)
{
    const size_t further = next + skip->skip;
    double goal[LANES];
    int64_t zeros = 0;
    EACH_LANE zeros += (value[lane] == 0.0) & tn_lane_goes_along(lanes, lane);
    if (zeros == 0) return next;
    if (zeros == lanes->along) return go_on(lanes, further, value);
    EACH_LANE goal[lane] = value[lane] == 0.0 ? (double)further : (double)INFINITY;
    return go_apart(lanes, goal, value, further, next, lanes->along - zeros);
}

/* The instruction to go on at after a jump in front of number `next`; SIZE_MAX where a lane that goes along has no value. */
static size_t jump_lanes(tn_lanes *lanes, size_t next, const tn_instruction *jump, const double *value)
{
    switch ((tn_operation)jump->operation) {
    case TN_OPERATION_IF:
        return choose_branches(lanes, next, jump, value, value);
    case TN_OPERATION_SOFT_IF:
        return choose_soft_branches(lanes, next, jump, value);
    case TN_OPERATION_SKIP_IF_ZERO:
        return skip_zeros(lanes, next, jump, value);
    default:
        return go_on(lanes, next + jump->skip, value);
    }
}

/* ---- instructions ------------------------------------------------------------------------------------------ */

static inline void read_lanes(const double *const *input, double *value)
{
    if (input[1])
        EACH_LANE value[lane] = *input[lane];
    else
        memcpy(value, input[0], LANES * sizeof *value);
}

OUT_OF_LINE bool any_zero(const double *value, const tn_lanes *lanes)
{
    int64_t zero = 0;
    EACH_LANE zero |= (value[lane] == 0.0) & tn_lane_goes_along(lanes, lane);
    return zero;
}

/* As tn_tape_power_of. */
OUT_OF_LINE bool raise_lanes(double *value, int32_t exponent, const tn_lanes *lanes)
{
    double base[LANES];
    if (exponent < 0 && any_zero(value, lanes)) return false;
    EACH_LANE base[lane] = value[lane];
    EACH_LANE value[lane] = 1.0;
    for (uint32_t left = (uint32_t)abs(exponent); left > 0; left >>= 1) {
        if (left & 1) EACH_LANE value[lane] *= base[lane];
        EACH_LANE base[lane] *= base[lane];
    }
    if (exponent < 0) EACH_LANE value[lane] = 1.0 / value[lane];
    return true;
}

OUT_OF_LINE bool any_nan(const double *value, const tn_lanes *lanes)
{
    int64_t nan = 0;
    EACH_LANE nan |= (value[lane] != value[lane]) & tn_lane_goes_along(lanes, lane);
    return nan;
}

/* As tn_tape_call_at: a nan in an argument is no value. */
static bool has_arguments(const tn_instruction *call, const tn_lanes *lanes, tn_lane_values *value)
{
    for (uint64_t left = call->varying; left; left &= left - 1)
        if (any_nan(value[tn_tape_first(left)], lanes)) return false;
    return true;
}

/* Lanes that are left over have the value of the first one. */
static void repeat_first(double *value, uint32_t count)
{
    for (uint32_t lane = count; lane < LANES; lane++)
        value[lane] = value[0];
}

static bool call_each(const tn_instruction *call, const tn_lanes *lanes, uint32_t count,
                      tn_lane_values *value)
{
    for (uint32_t lane = 0; lane < count; lane++) {
        double argument[TN_MOST_ARGUMENTS];
        tn_function_result result = {.partial = NULL};
        if (!tn_lane_goes_along(lanes, lane)) continue;
        for (uint32_t i = 0; i < call->count; i++)
            argument[i] = value[i][lane];
        if (tn_tape_call_at(call, argument, &result)) return false;
        value[0][lane] = argument[0];
    }
    repeat_first(value[0], count);
    return true;
}

/* Those that go along, behind each other; the others are not called. */
static bool call_part_of_family(const tn_instruction *call, const tn_routine *const *routine,
                                const tn_lanes *lanes, uint32_t count, tn_lane_values *value)
{
    tn_lane_values argument[TN_MOST_ARGUMENTS];
    const tn_routine *called[LANES];
    uint32_t place[LANES], calls = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        if (!tn_lane_goes_along(lanes, lane)) continue;
        for (uint32_t i = 0; i < call->count; i++)
            argument[i][calls] = value[i][lane];
        called[calls] = routine[lane];
        place[calls++] = lane;
    }
    if (calls && !called[0]->many(called, calls, *argument, *argument)) return false;
    for (uint32_t k = 0; k < calls; k++)
        value[0][place[k]] = argument[0][k];
    return true;
}

static bool call_family(const tn_instruction *call, const tn_routine *const *routine, const tn_lanes *lanes,
                        uint32_t count, tn_lane_values *value)
{
    if (!has_arguments(call, lanes, value)) return false;
    const bool called = tn_lanes_together(lanes) ? routine[0]->many(routine, count, *value, *value)
                                                 : call_part_of_family(call, routine, lanes, count, value);
    repeat_first(value[0], count);
    return called;
}

static bool call_function(const tn_instruction *call, const tn_lanes *lanes, uint32_t count,
                          tn_lane_values *value)
{
    if (!call->function->lanes) return call_each(call, lanes, count, value);
    return has_arguments(call, lanes, value) && call->function->lanes(value, call->count, lanes);
}

/* The routines that are called behind instructions number `from` to `to` - 1, from those that are called at `from` on. */
static const tn_routine *const *pass_routines(const tn_expression *expression, size_t from, size_t to,
                                              const tn_routine *const *routines)
{
    for (size_t i = from; routines && i < to; i++)
        routines += expression->instructions[i].operation == TN_OPERATION_ROUTINE ? LANES : 0;
    return routines;
}

/* Numbers that are not finite have all these bits. They are compared as integers, which the compiler does side by side. */
static const uint64_t INFINITE = 0x7ff0000000000000u;

static inline bool are_finite(const double *value)
{
    uint64_t bits[LANES], wrong = 0;
    memcpy(bits, value, sizeof bits);
    EACH_LANE wrong |= (bits[lane] & INFINITE) == INFINITE;
    return !wrong;
}

bool tn_expression_value_lanes(const tn_expression *expression, const double *const *inputs,
                               const tn_routine *const *routines, uint32_t count, double *values)
{
    tn_lane_values registers[REGISTERS];
    tn_lanes lanes;
    lanes.along = LANES;
    lanes.arrival = SIZE_MAX;
    EACH_LANE lanes.due[lane] = (double)INFINITY;
    for (size_t i = 0, next;; i = next) {
        /* the instruction in front of a place where ways meet leaves its value on top, too */
        if (i == lanes.arrival) join_lanes(&lanes, i, registers[expression->instructions[i - 1].target]);
        if (i == expression->instruction_count) break;
        const tn_instruction *const now = &expression->instructions[i];
        tn_lane_values *const value = registers + now->target;
        double *const a = value[0];
        const double *const b = registers[now->target + 1];
        next = i + 1;
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
            if (any_zero(b, &lanes)) return false;
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
            if (!raise_lanes(a, now->exponent, &lanes)) return false;
            break;
        case TN_OPERATION_CALL:
            if (!call_function(now, &lanes, count, value)) return false;
            break;
        case TN_OPERATION_ROUTINE:
            if (!(now->routine->family ? call_family(now, routines, &lanes, count, value)
                                       : call_each(now, &lanes, count, value)))
                return false;
            routines += LANES;
            break;
        case TN_OPERATION_IF:
        case TN_OPERATION_SOFT_IF:
        case TN_OPERATION_SKIP:
        case TN_OPERATION_SKIP_IF_ZERO:
            next = jump_lanes(&lanes, next, now, a);
            if (next == SIZE_MAX) return false;
            routines = pass_routines(expression, i + 1, next, routines);
            break;
        }
    }
    memcpy(values, registers[0], sizeof registers[0]);
    return are_finite(values);
}
