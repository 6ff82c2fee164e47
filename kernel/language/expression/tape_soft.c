/* tape_soft.c - copies of tapes in which jumps are steep laws (see tape.h).
 *
 * SIGN(a, b) becomes s |a|, and a > b becomes (1 + s)/2. IF(e: n, z, p) takes its outer branches where s is -1 or 1; its middle
 * branch becomes n (1 - s)/2 + p (1 + s)/2: a ramp makes s of e, copies of both outer branches follow in the registers behind,
 * and a blend ends it. IF(c: n, z, p) of a truth c, which is 0 or 1, never takes its first branch: where c is between, the blend
 * of z and p stands in its place, with s = 2 c - 1. All that is new are calls, which the interpreters know. */
#include "expression/tape.h"

#include <math.h>
#include <string.h>

/* ---- laws -------------------------------------------------------------------------------------------------- */

#define SOFT_BODY(name)                                                                                \
    static const char *name(__attribute__((unused)) const tn_routine *routine, const double *argument, \
                            __attribute__((unused)) uint32_t count, tn_function_result *result)

static double share_of(const tn_soft_jump *jump, double value, double *slope)
{
    const double share = jump->offset + value / jump->width;
    *slope = fabs(share) < 1.0 ? 1.0 / jump->width : 0.0;
    return fmin(fmax(share, -1.0), 1.0);
}

SOFT_BODY(soft_sign)
{
    double slope = 0.0;
    const double share = share_of((const tn_soft_jump *)(const void *)routine, argument[1], &slope);
    const double size = fabs(argument[0]), sign = tn_sign_of(argument[0]);
    result->value = share * size;
    if (!result->partial) return NULL;
    result->partial[0] = share * sign;
    result->partial[1] = slope * size;
    if (result->second) result->second[1] = result->second[2] = slope * sign;
    return NULL;
}

/* The share of the truth that a comparison of this direction has. */
static const char *soft_comparison(const tn_routine *routine, const double *argument, double direction,
                                   tn_function_result *result)
{
    double slope = 0.0;
    const double difference = argument[0] - argument[1];
    const double share = share_of((const tn_soft_jump *)(const void *)routine, difference, &slope);
    result->value = 0.5 * (1.0 + direction * share);
    if (!result->partial) return NULL;
    result->partial[0] = 0.5 * direction * slope;
    result->partial[1] = -result->partial[0];
    return NULL;
}

SOFT_BODY(soft_less) { return soft_comparison(routine, argument, -1.0, result); }

SOFT_BODY(soft_greater) { return soft_comparison(routine, argument, 1.0, result); }

SOFT_BODY(ramp)
{
    double slope = 0.0;
    result->value = share_of((const tn_soft_jump *)(const void *)routine, argument[0], &slope);
    if (result->partial) result->partial[0] = slope;
    return NULL;
}

/* From truths to shares. */
SOFT_BODY(ramp_of_truth)
{
    result->value = 2.0 * argument[0] - 1.0;
    if (result->partial) result->partial[0] = 2.0;
    return NULL;
}

/* Between argument 1, at share -1, and argument 2, at share 1. */
SOFT_BODY(blend)
{
    const double share = argument[0], half = 0.5 * (argument[2] - argument[1]);
    result->value = 0.5 * (argument[1] + argument[2]) + share * half;
    if (!result->partial) return NULL;
    result->partial[0] = half;
    result->partial[1] = 0.5 * (1.0 - share);
    result->partial[2] = 0.5 * (1.0 + share);
    if (!result->second) return NULL;
    result->second[1] = result->second[3] = -0.5;
    result->second[2] = result->second[6] = 0.5;
    return NULL;
}

static const tn_routine blend_routine = {.name = "IF", .body = blend};
static const tn_routine truth_routine = {.name = "IF", .body = ramp_of_truth};

double tn_tape_soft_side(const tn_instruction *instruction, double value)
{
    double slope = 0.0;
    if (instruction->jump) return trunc(share_of(instruction->jump, value, &slope));
    return value > 0.0 && value < 1.0 ? -1.0 : value;
}

/* ---- tapes ------------------------------------------------------------------------------------------------- */

/* The switching function at whose zero an instruction jumps, where it can be softened, and the name of the jump; else UINT32_MAX. */
static uint32_t find_jump(const tn_instruction *instruction, const char **name)
{
    const bool calls = instruction->operation == TN_OPERATION_CALL;
    if (!(calls || instruction->operation == TN_OPERATION_IF) || !instruction->varying) return UINT32_MAX;
    *name = !calls ? "IF" : tn_comparison_direction(instruction->function) ? "comparison" : "SIGN";
    if (!calls || tn_comparison_direction(instruction->function)) return instruction->place;
    return strcmp(instruction->function->name, "SIGN") == 0 ? instruction->place + 1 : UINT32_MAX;
}

const char *tn_expression_jump(const tn_expression *expression, uint32_t number)
{
    const char *name = NULL;
    for (size_t i = 0; i < expression->instruction_count; i++)
        if (find_jump(&expression->instructions[i], &name) == number) return name;
    return NULL;
}

/* Writes a soft tape from a sharp one, branch by branch. */
typedef struct softener {
    const tn_expression *from;
    tn_soft_jump *const *jump;
    tn_expression to;
    size_t capacity;
    tn_arena arena;
    bool fits; /* there are registers for all copies */
} softener;

/* Appends an instruction whose registers are so many `further`; its number. */
static size_t put_instruction(softener *s, tn_instruction instruction, uint32_t offset, uint32_t further)
{
    const uint32_t count = instruction.count > 2 ? instruction.count : 2;
    if (further && instruction.target + count + further > TN_TAPE_REGISTERS) s->fits = false;
    instruction.target = (uint8_t)(instruction.target + further);
    tn_tape_append(&s->arena, &s->to, &s->capacity, instruction, offset);
    return s->to.instruction_count - 1;
}

static void put_routine(softener *s, const tn_instruction *choice, const tn_routine *routine, uint32_t count,
                        uint32_t further)
{
    const tn_instruction call = {.operation = TN_OPERATION_ROUTINE,
                                 .target = choice->target,
                                 .count = (uint8_t)count,
                                 .routine = routine,
                                 .varying = (1ull << count) - 1};
    (void)put_instruction(s, call, 0, further);
}

static void put_range(softener *s, size_t first, size_t end, uint32_t further);

/* The IF that is instruction number `place`; where a blend replaces one of its branches it is soft. */
static size_t put_if(softener *s, size_t place, uint32_t further)
{
    enum { NEGATIVE, ZERO, POSITIVE, NEITHER };
    const tn_instruction *from = s->from->instructions, *choice = &from[place];
    const size_t zero = place + choice->further[0], positive = place + choice->further[1];
    const size_t after = zero + 1 + from[zero].skip;
    const size_t first[] = {place + 1, zero + 1, positive + 1}, end[] = {zero, positive, after};
    const bool truth = choice->count == 1;
    tn_soft_jump *const jump = choice->varying ? s->jump[choice->place] : NULL;
    const int replaced = truth ? NEGATIVE : jump ? ZERO : NEITHER, low = truth ? ZERO : NEGATIVE;
    tn_instruction start = *choice;
    if (replaced != NEITHER) {
        start.operation = TN_OPERATION_SOFT_IF;
        start.jump = jump;
    }
    if (jump) jump->routine = (tn_routine){.name = "IF", .body = ramp};

    size_t skip[2];
    const size_t started = put_instruction(s, start, s->from->offset[place], further);
    for (int branch = NEGATIVE; branch <= POSITIVE; branch++) {
        if (branch == replaced) {
            put_routine(s, choice, jump ? &jump->routine : &truth_routine, 1, further);
            put_range(s, first[low], end[low], further + 1);
            put_range(s, first[POSITIVE], end[POSITIVE], further + 2);
            put_routine(s, choice, &blend_routine, 3, further);
        } else {
            put_range(s, first[branch], end[branch], further);
        }
        if (branch == POSITIVE) break;
        skip[branch] = put_instruction(s, from[end[branch]], s->from->offset[end[branch]], further);
        s->to.instructions[started].further[branch] = tn_tape_distance(&s->to, started);
    }
    for (int branch = NEGATIVE; branch < POSITIVE; branch++)
        s->to.instructions[skip[branch]].skip = tn_tape_distance(&s->to, skip[branch]);
    return after;
}

/* A call becomes one of a routine. */
static void soften_call(tn_instruction *call, tn_soft_jump *jump)
{
    const int direction = tn_comparison_direction(call->function);
    jump->routine = (tn_routine){.name = call->function->name,
                                 .body = direction == 0  ? soft_sign
                                         : direction > 0 ? soft_greater
                                                         : soft_less};
    call->operation = TN_OPERATION_ROUTINE;
    call->routine = &jump->routine;
    call->smoothness = 0;
}

static void put_range(softener *s, size_t first, size_t end, uint32_t further)
{
    for (size_t i = first; i < end && s->fits;) {
        tn_instruction now = s->from->instructions[i];
        const char *unused = NULL;
        const uint32_t number = find_jump(&now, &unused);
        if (now.operation == TN_OPERATION_IF) {
            i = put_if(s, i, further);
            continue;
        }
        if (number != UINT32_MAX && s->jump[number]) soften_call(&now, s->jump[number]);
        const size_t place = put_instruction(s, now, s->from->offset[i++], further);
        if (now.operation != TN_OPERATION_SKIP_IF_ZERO) continue;
        put_range(s, i, i + now.skip, further);
        s->to.instructions[place].skip = tn_tape_distance(&s->to, place);
        i += now.skip;
    }
}

tn_expression *tn_expression_soften(const tn_expression *expression, tn_soft_jump *const *jump)
{
    softener s = {.from = expression, .jump = jump, .to = *expression, .fits = true};
    s.to.instructions = NULL;
    s.to.offset = NULL;
    s.to.instruction_count = 0;
    put_range(&s, 0, expression->instruction_count, 0);
    tn_expression *soft = s.fits ? tn_tape_pack(&s.to) : NULL;
    tn_arena_free(&s.arena);
    return soft;
}
