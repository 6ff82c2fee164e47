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

static double sign_of(double x) { return (double)((x > 0.0) - (x < 0.0)); }

static double share_of(const tn_soft_jump *jump, double value, double *slope)
{
    const double share = jump->offset + value / jump->width;
    *slope = fabs(share) < 1.0 ? 1.0 / jump->width : 0.0;
    return fmin(fmax(share, -1.0), 1.0);
}

static const char *soft_sign(const tn_routine *routine, const double *argument, uint32_t count,
                             tn_function_result *result)
{
    (void)count;
    double slope = 0.0;
    const double share = share_of((const tn_soft_jump *)(const void *)routine, argument[1], &slope);
    const double size = fabs(argument[0]), sign = sign_of(argument[0]);
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

static const char *soft_less(const tn_routine *routine, const double *argument, uint32_t count,
                             tn_function_result *result)
{
    (void)count;
    return soft_comparison(routine, argument, -1.0, result);
}

static const char *soft_greater(const tn_routine *routine, const double *argument, uint32_t count,
                                tn_function_result *result)
{
    (void)count;
    return soft_comparison(routine, argument, 1.0, result);
}

static const char *ramp(const tn_routine *routine, const double *argument, uint32_t count,
                        tn_function_result *result)
{
    (void)count;
    double slope = 0.0;
    result->value = share_of((const tn_soft_jump *)(const void *)routine, argument[0], &slope);
    if (result->partial) result->partial[0] = slope;
    return NULL;
}

/* From truths to shares. */
static const char *ramp_of_truth(const tn_routine *routine, const double *argument, uint32_t count,
                                 tn_function_result *result)
{
    (void)routine, (void)count;
    result->value = 2.0 * argument[0] - 1.0;
    if (result->partial) result->partial[0] = 2.0;
    return NULL;
}

/* Between argument 1, at share -1, and argument 2, at share 1. */
static const char *blend(const tn_routine *routine, const double *argument, uint32_t count,
                         tn_function_result *result)
{
    (void)routine, (void)count;
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

static const tn_routine blend_routine = {.name = "IF", .minimum_count = 3, .maximum_count = 3, .body = blend};
static const tn_routine truth_routine = {
    .name = "IF", .minimum_count = 1, .maximum_count = 1, .body = ramp_of_truth};

const tn_instruction *tn_tape_soft_branch_of(const tn_instruction *instruction, double value)
{
    double slope = 0.0;
    if (!instruction->jump && value > 0.0 && value < 1.0) return instruction;
    if (!instruction->jump) return tn_tape_branch_of(instruction, value);
    const double share = share_of(instruction->jump, value, &slope);
    if (share <= -1.0) return instruction;
    return instruction + (share >= 1.0 ? instruction->further.positive : instruction->further.zero);
}

/* ---- tapes ------------------------------------------------------------------------------------------------- */

static bool is_sign(const tn_instruction *instruction, uint32_t number)
{
    return instruction->operation == TN_OPERATION_CALL && strcmp(instruction->function->name, "SIGN") == 0 &&
           instruction->varying && instruction->place + 1 == number;
}

static bool is_if(const tn_instruction *instruction, uint32_t number)
{
    return instruction->operation == TN_OPERATION_IF && instruction->varying && instruction->place == number;
}

static bool is_comparison(const tn_instruction *instruction, uint32_t number)
{
    return instruction->operation == TN_OPERATION_CALL &&
           tn_comparison_direction(instruction->function) != 0 && instruction->varying &&
           instruction->place == number;
}

static bool is_if_of_truth(const tn_instruction *instruction)
{
    return instruction->operation == TN_OPERATION_IF && instruction->count == 1;
}

const char *tn_expression_jump(const tn_expression *expression, uint32_t number)
{
    for (size_t i = 0; i < expression->instruction_count; i++) {
        if (is_sign(&expression->instructions[i], number)) return "SIGN";
        if (is_if(&expression->instructions[i], number)) return "IF";
        if (is_comparison(&expression->instructions[i], number)) return "comparison";
    }
    return NULL;
}

static tn_expression *copy_of(const tn_expression *expression)
{
    tn_expression *copy = tn_new(1, sizeof *copy);
    *copy = *expression;
    copy->whole = false;
    const size_t instructions = expression->instruction_count * sizeof *copy->instructions;
    const size_t offsets = expression->instruction_count * sizeof *copy->offset;
    const size_t used = expression->used_count * sizeof *copy->used;
    copy->instructions = tn_new(instructions + 1, 1);
    copy->offset = tn_new(offsets + 1, 1);
    copy->used = tn_new(used + 1, 1);
    memcpy(copy->instructions, expression->instructions, instructions);
    memcpy(copy->offset, expression->offset, offsets);
    if (used) memcpy(copy->used, expression->used, used);
    return copy;
}

enum { NEGATIVE, ZERO, POSITIVE };

/* Where the branches of an IF stand, `first` ... `end`; which one is replaced by a blend of which two. */
typedef struct branches {
    size_t choice, first[3], end[3];
    int replaced, low, high;
} branches;

static branches branches_of(const tn_expression *expression, size_t choice)
{
    const tn_instruction *now = &expression->instructions[choice];
    const size_t zero = choice + now->further.zero, positive = choice + now->further.positive;
    const size_t end = zero + expression->instructions[zero].skip + 1;
    const bool truth = now->count == 1;
    return (branches){.choice = choice,
                      .first = {choice + 1, zero + 1, positive + 1},
                      .end = {zero, positive, end},
                      .replaced = truth ? NEGATIVE : ZERO,
                      .low = truth ? ZERO : NEGATIVE,
                      .high = POSITIVE};
}

/* Whether its registers are there, so many further. */
static bool has_room(const tn_expression *expression, size_t first, size_t end, uint32_t further)
{
    for (size_t i = first; i < end; i++) {
        const tn_instruction *now = &expression->instructions[i];
        const uint32_t count = now->count > 2 ? now->count : 2;
        if (now->target + count + further > TN_TAPE_REGISTERS) return false;
    }
    return true;
}

/* Where an instruction comes to stand when a branch is replaced by one longer by `growth`. */
static size_t moved(const branches *all, size_t place, size_t growth)
{
    return place <= all->first[all->replaced] ? place : place + growth;
}

static void renew_skip(const branches *all, size_t place, uint32_t *skip, size_t growth)
{
    *skip = (uint32_t)(moved(all, place + 1 + *skip, growth) - moved(all, place, growth) - 1);
}

/* Jumps over what grows grow. */
static void renew_skips(const tn_expression *expression, const branches *all, size_t growth)
{
    for (size_t i = 0; i < expression->instruction_count; i++) {
        tn_instruction *now = &expression->instructions[i];
        if (i >= all->first[all->replaced] && i < all->end[all->replaced]) continue;
        if (now->operation == TN_OPERATION_IF || now->operation == TN_OPERATION_SOFT_IF) {
            renew_skip(all, i, &now->further.zero, growth);
            renew_skip(all, i, &now->further.positive, growth);
        } else if (now->operation == TN_OPERATION_SKIP || now->operation == TN_OPERATION_SKIP_IF_ZERO) {
            renew_skip(all, i, &now->skip, growth);
        }
    }
}

static size_t put(tn_expression *to, size_t at, const tn_expression *from, size_t first, size_t end,
                  uint32_t further)
{
    for (size_t i = first; i < end; i++, at++) {
        to->instructions[at] = from->instructions[i];
        to->instructions[at].target = (uint8_t)(from->instructions[i].target + further);
        to->offset[at] = from->offset[i];
    }
    return at;
}

static size_t put_call(tn_expression *to, size_t at, const tn_instruction *choice, const tn_routine *routine,
                       uint32_t count)
{
    to->offset[at] = 0;
    to->instructions[at] = (tn_instruction){.operation = TN_OPERATION_ROUTINE,
                                            .target = choice->target,
                                            .count = (uint8_t)count,
                                            .routine = routine,
                                            .varying = (1ull << count) - 1};
    return at + 1;
}

/* Replaces a branch of the IF that is instruction number `choice`; `jump`: NULL for that of a truth. */
static bool soften_if(tn_expression *expression, size_t choice, tn_soft_jump *jump)
{
    const branches all = branches_of(expression, choice);
    const size_t first = all.first[all.replaced], end = all.end[all.replaced], before = end - first;
    const size_t low = all.first[all.low], low_end = all.end[all.low];
    const size_t high = all.first[all.high], high_end = all.end[all.high];
    const size_t length = low_end - low + high_end - high + 2, count = expression->instruction_count,
                 room = count + length;
    if (!has_room(expression, low, low_end, 1) || !has_room(expression, high, high_end, 2)) return false;
    tn_expression to = {.instructions = tn_new(room, sizeof *to.instructions),
                        .offset = tn_new(room, sizeof *to.offset)};
    if (jump)
        jump->routine = (tn_routine){.name = "IF", .minimum_count = 1, .maximum_count = 1, .body = ramp};
    const tn_expression *from = expression;
    size_t at = put_call(&to, put(&to, 0, from, 0, first, 0), &from->instructions[choice],
                         jump ? &jump->routine : &truth_routine, 1);
    at = put(&to, at, from, low, low_end, 1);
    at = put(&to, at, from, high, high_end, 2);
    at = put_call(&to, at, &from->instructions[choice], &blend_routine, 3);
    const size_t tail = at;
    at = put(&to, at, from, end, count, 0);

    // skips are renewed where they stood, and then copied over those that were copied too early
    renew_skips(expression, &all, length - before);
    (void)put(&to, 0, from, 0, first, 0);
    (void)put(&to, tail, from, end, count, 0);
    to.instructions[choice].operation = TN_OPERATION_SOFT_IF;
    to.instructions[choice].jump = jump;
    tn_free(expression->instructions);
    tn_free(expression->offset);
    expression->instructions = to.instructions;
    expression->offset = to.offset;
    expression->instruction_count = at;
    return true;
}

/* A call becomes one of a routine. */
static void soften_call(tn_instruction *instruction, tn_soft_jump *jump)
{
    const int direction = tn_comparison_direction(instruction->function);
    jump->routine = (tn_routine){.name = instruction->function->name,
                                 .minimum_count = 2,
                                 .maximum_count = 2,
                                 .body = direction == 0  ? soft_sign
                                         : direction > 0 ? soft_greater
                                                         : soft_less};
    instruction->operation = TN_OPERATION_ROUTINE;
    instruction->routine = &jump->routine;
    instruction->smoothness = 0;
}

/* All places of one jump, of which there are several where a branch has been copied. */
static bool soften_jump(tn_expression *expression, uint32_t number, tn_soft_jump *jump)
{
    bool good = true;
    for (size_t i = 0; good && i < expression->instruction_count; i++) {
        tn_instruction *now = &expression->instructions[i];
        if (is_if(now, number))
            good = soften_if(expression, i, jump);
        else if (is_sign(now, number) || is_comparison(now, number))
            soften_call(now, jump);
    }
    return good;
}

tn_expression *tn_expression_soften(const tn_expression *expression, tn_soft_jump *const *jump)
{
    tn_expression *copy = copy_of(expression);
    bool good = copy != NULL;
    for (uint32_t number = 0; good && number < expression->switch_count; number++)
        if (jump[number]) good = soften_jump(copy, number, jump[number]);
    for (size_t i = 0; good && i < copy->instruction_count; i++)
        if (is_if_of_truth(&copy->instructions[i])) good = soften_if(copy, i, NULL);
    if (good) return copy;
    tn_expression_free(copy);
    return NULL;
}
