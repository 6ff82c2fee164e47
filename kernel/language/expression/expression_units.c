/* expression_units.c - the SI unit of an expression's value (see expression_units.h): its tape, run on units in place of numbers */
#include "expression/expression_units.h"

#include "expression/tape.h"

#include <math.h>

/* What waits for the end of the other branches: one value for each branch but the last of every IF around a place. */
enum { MOST_WAITING = 512, LARGEST_POWER = 24, LARGEST_ROOT = 12 };

typedef struct walk {
    const tn_unit_scope *scope;
    const tn_expression *expression;
    tn_unit unit[TN_TAPE_REGISTERS];
    double constant[TN_TAPE_REGISTERS]; /* NaN where a register holds none */
    struct waiting {
        size_t until, from; /* instructions */
        uint32_t target;
        tn_unit unit;
    } waiting[MOST_WAITING];
    size_t waiting_count;
} walk;

static const tn_unit unknown = {.kind = TN_UNIT_UNKNOWN}, any = {.kind = TN_UNIT_ANY},
                     number = {.kind = TN_UNIT_NUMBER};

tn_unit tn_unit_of_text(const char *text)
{
    const tn_dimension *dimension = *text ? tn_dimension_of(text) : NULL;
    return dimension ? (tn_unit){TN_UNIT_KNOWN, dimension} : *text ? unknown : number;
}

tn_unit tn_unit_of_dimension(const tn_dimension *dimension)
{
    if (!dimension) return unknown;
    return tn_dimension_is_number(dimension) ? number : (tn_unit){TN_UNIT_KNOWN, dimension};
}

/* ---- rules ----------------------------------------------------------------------------------------------- */

tn_unit tn_unit_product(tn_unit a, tn_unit b)
{
    if (a.kind == TN_UNIT_NUMBER) return b;
    if (b.kind == TN_UNIT_NUMBER) return a;
    if (a.kind == TN_UNIT_KNOWN && b.kind == TN_UNIT_KNOWN)
        return tn_unit_of_dimension(tn_dimension_product(a.dimension, b.dimension));
    return a.kind == TN_UNIT_ANY && b.kind == TN_UNIT_ANY ? any : unknown;
}

tn_unit tn_unit_quotient(tn_unit a, tn_unit b)
{
    if (b.kind == TN_UNIT_NUMBER) return a;
    if (a.kind == TN_UNIT_NUMBER && b.kind == TN_UNIT_KNOWN)
        return tn_unit_of_dimension(tn_dimension_power(b.dimension, -1, 1));
    if (a.kind == TN_UNIT_KNOWN && b.kind == TN_UNIT_KNOWN)
        return tn_unit_of_dimension(tn_dimension_quotient(a.dimension, b.dimension));
    const bool plain = a.kind == TN_UNIT_ANY || a.kind == TN_UNIT_NUMBER;
    return plain && b.kind == TN_UNIT_ANY ? any : unknown;
}

/* a**exponent, for the exponents 2, 0.5, 1.0/3, ... */
static tn_unit power_of_unit(tn_unit a, double exponent)
{
    if (a.kind != TN_UNIT_KNOWN) return a;
    for (int root = 1; root <= LARGEST_ROOT; root++) {
        const double times = exponent * root;
        if (fabs(times) <= LARGEST_POWER && fabs(times - rint(times)) <= 1e-12)
            return tn_unit_of_dimension(tn_dimension_power(a.dimension, (int)rint(times), root));
    }
    return unknown;
}

/* What depends on time alone is mostly meant as plain numbers: it goes with everything. */
static bool is_time(tn_unit a) { return tn_dimension_is_time(a.dimension); }

static tn_unit sum_of_known(tn_unit a, tn_unit b)
{
    if (a.dimension == b.dimension) return a;
    if (tn_dimension_fits(a.dimension, b.dimension))
        return tn_unit_of_dimension(tn_dimension_sum(a.dimension, b.dimension));
    if (is_time(a) == is_time(b)) return unknown;
    return is_time(a) ? b : a;
}

/* Of two values that are added or compared by instruction number `place`. */
static tn_unit sum_of_units(const walk *w, size_t place, const char *operation, tn_unit a, tn_unit b)
{
    if (a.kind == TN_UNIT_UNKNOWN || b.kind == TN_UNIT_UNKNOWN) return unknown;
    if (a.kind != TN_UNIT_KNOWN && b.kind != TN_UNIT_KNOWN) return a.kind == TN_UNIT_ANY ? a : b;
    if (a.kind != TN_UNIT_KNOWN || b.kind != TN_UNIT_KNOWN) return a.kind == TN_UNIT_KNOWN ? a : b;
    if (!tn_dimension_fits(a.dimension, b.dimension) && !is_time(a) && !is_time(b)) {
        const tn_unit_clash clash = {operation, w->expression->offset[place], a.dimension, b.dimension};
        if (w->scope->report) w->scope->report(w->scope->data, &clash);
    }
    return sum_of_known(a, b);
}

/* Of those arguments of a call whose bits are set. */
static tn_unit sum_of_arguments(const walk *w, size_t place, const tn_unit *argument, uint64_t chosen)
{
    const tn_instruction *call = &w->expression->instructions[place];
    tn_unit all = any;
    for (uint32_t k = 0; k < call->count; k++)
        if (chosen >> k & 1) all = sum_of_units(w, place, call->function->name, all, argument[k]);
    return all;
}

static tn_unit call_unit(const walk *w, size_t place, const tn_unit *argument, const double *constant)
{
    const tn_function *function = w->expression->instructions[place].function;
    if (function == &tn_operator_power)
        return isnan(constant[1]) ? unknown : power_of_unit(*argument, constant[1]);
    (void)sum_of_arguments(w, place, argument, function->compared);
    if (function->summed) return sum_of_arguments(w, place, argument, function->summed);
    switch ((tn_value_unit)function->unit) {
    case TN_VALUE_NUMBER:
        return number;
    case TN_VALUE_ANGLE:
        return tn_unit_of_text("rad");
    case TN_VALUE_ROOT:
        return power_of_unit(*argument, 0.5);
    default:
        return unknown;
    }
}

/* ---- walk ------------------------------------------------------------------------------------------------ */

/* Branches that end in front of an instruction. */
static void join_branches(walk *w, size_t place)
{
    while (w->waiting_count && w->waiting[w->waiting_count - 1].until == place) {
        const struct waiting *branch = &w->waiting[--w->waiting_count];
        tn_unit *last = &w->unit[branch->target];
        *last = sum_of_units(w, branch->from, "IF", branch->unit, *last);
        w->constant[branch->target] = (double)NAN;
    }
}

static void wait_for_others(walk *w, size_t place)
{
    const tn_instruction *skip = &w->expression->instructions[place];
    if (w->waiting_count == MOST_WAITING) return;
    w->waiting[w->waiting_count++] =
        (struct waiting){place + 1 + skip->skip, place, skip->target, w->unit[skip->target]};
}

/* The unit that an instruction leaves in its target. */
static tn_unit unit_after(walk *w, size_t place)
{
    const tn_instruction *instruction = &w->expression->instructions[place];
    const tn_unit *operand = &w->unit[instruction->target];
    switch ((tn_operation)instruction->operation) {
    case TN_OPERATION_CONSTANT:
        return any;
    case TN_OPERATION_INPUT:
        return w->scope->unit_of(w->scope->data, instruction->input);
    case TN_OPERATION_ADD:
        return sum_of_units(w, place, "+", operand[0], operand[1]);
    case TN_OPERATION_SUBTRACT:
        return sum_of_units(w, place, "-", operand[0], operand[1]);
    case TN_OPERATION_MULTIPLY:
        return tn_unit_product(operand[0], operand[1]);
    case TN_OPERATION_DIVIDE:
        return tn_unit_quotient(operand[0], operand[1]);
    case TN_OPERATION_ADD_CONSTANT:
        return sum_of_units(w, place, "+", operand[0], any);
    case TN_OPERATION_MULTIPLY_CONSTANT:
        return tn_unit_product(operand[0], any);
    case TN_OPERATION_DIVIDE_CONSTANT:
        return tn_unit_quotient(operand[0], any);
    case TN_OPERATION_INTEGER_POWER:
        return power_of_unit(operand[0], instruction->exponent);
    case TN_OPERATION_CALL:
        return call_unit(w, place, operand, &w->constant[instruction->target]);
    case TN_OPERATION_ROUTINE:
        return instruction->routine->unit ? tn_unit_of_dimension(tn_dimension_si(instruction->routine->unit))
                                          : unknown;
    case TN_OPERATION_NEGATE:
    case TN_OPERATION_IF:
    case TN_OPERATION_SKIP:
    case TN_OPERATION_SKIP_IF_ZERO:
        return operand[0];
    default:
        return unknown;
    }
}

tn_unit tn_expression_unit(const tn_expression *expression, const tn_unit_scope *scope)
{
    walk w;
    w.scope = scope;
    w.expression = expression;
    w.waiting_count = 0;
    for (size_t place = 0; place < expression->instruction_count; place++) {
        const tn_instruction *instruction = &expression->instructions[place];
        const bool constant = instruction->operation == TN_OPERATION_CONSTANT;
        join_branches(&w, place);
        const bool skips = instruction->operation >= TN_OPERATION_SKIP &&
                           instruction->operation <= TN_OPERATION_SKIP_IF_ZERO;
        if (skips) wait_for_others(&w, place);
        w.unit[instruction->target] = unit_after(&w, place);
        w.constant[instruction->target] = constant ? instruction->constant : (double)NAN;
    }
    join_branches(&w, expression->instruction_count);
    return w.unit[expression->instructions[expression->instruction_count - 1].target];
}
