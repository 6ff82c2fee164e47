/* sliding.c - jumps that the state stays at, such as dry friction at rest
 *
 * Where the laws of both sides of a jump drive its switching function to zero, the motion slides along that zero: in the limit
 * the law takes a value between those of its sides (Filippov). A solver that switches to and fro makes no progress there. When
 * it says so, or switches at every step of a fixed length, such jumps become steep laws of a told width (tape_soft.c). Under
 * implicit solvers their share is that of the last step and a correction, so that rest is rest; else it follows from the
 * state alone. */
#include "values/value_events.h"

#include "values/state_values.h"

#include <math.h>
#include <string.h>

#define NEARNESS \
    10.0 /* times further than the state moves in the time at hand, where a jump is not asked about */
#define PROBE 1e-3 /* of that time, to find rates over */

#define FADING 0.99 /* of how far switching functions are known to move in a step, from step to step */

enum { LINGERING = 16 }; /* steps of a fixed length that end nearer to a jump than that */

typedef struct jump {
    tn_soft_jump soft;
    uint32_t law, number; /* the switching function in its expression */
    double value, rate;   /* of the switching function: now */
    double before, reach; /* at the step before; how far it moves in a step */
    /* steps in a row that ended near zero; those after which that was asked about in vain */
    uint32_t near, asked;
    uint32_t swings; /* of a held one, wider than its law */
    uint64_t passed; /* times that it was stepped over */
    /* the first jump at the same place: itself, unless another one of its law is there, too */
    uint32_t leader;
    double along; /* 1: its switching function is that of the leader; -1: the opposite */
    bool held, implicit, told;
    bool suspect; /* may be led to from where the solver asks, */
    double start; /* and its switching function there */
} jump;

/* An expression that jumps. */
typedef struct law {
    tn_dynamic_value *dynamic;
    const tn_expression *sharp;
    tn_expression *soft;   /* in force while some jump is held; else NULL */
    tn_soft_jump **entry;  /* [switches] those that are held */
    double *value;         /* [switches] */
    uint32_t first, count; /* of its jumps */
} law;

typedef struct tn_sliding {
    law *law;
    jump *jump;
    size_t laws, jumps;
    bool renewed; /* laws have become others since the last accepted step */
    uint32_t held, implicit;
    double *state;         /* q, v, v', x, lambda while others are probed */
    double *moved, *found; /* [nv] */
} tn_sliding;

/* ---- building -------------------------------------------------------------------------------------------- */

static bool may_slide(const tn_model *model, const tn_dynamic_value *dynamic)
{
    return tn_value_acts(model, dynamic) && dynamic->loop == TN_NONE && !dynamic->live.argument_count;
}

static void add_law(tn_sliding *sliding, tn_dynamic_value *dynamic)
{
    const tn_expression *expression = dynamic->live.expression;
    const uint32_t switches = tn_expression_switch_count(expression);
    law *l = &sliding->law[sliding->laws];
    *l = (law){.dynamic = dynamic, .sharp = expression, .first = (uint32_t)sliding->jumps};
    for (uint32_t k = 0; k < switches; k++) {
        if (!tn_expression_jump(expression, k)) continue;
        sliding->jump[sliding->jumps++] = (jump){.law = (uint32_t)sliding->laws, .number = k};
        l->count++;
    }
    if (!l->count) return;
    l->entry = tn_new(switches, sizeof *l->entry);
    l->value = tn_new(switches, sizeof *l->value);
    sliding->laws++;
}

/* ---- switching functions --------------------------------------------------------------------------------- */

/* At the last evaluated markers, by the expression as it was written; NaN where it decides on nothing. */
static void find_switching_values(tn_assembly *assembly)
{
    tn_sliding *sliding = assembly->value_events->sliding;
    for (size_t i = 0; i < sliding->laws; i++) {
        law *l = &sliding->law[i];
        tn_live_value live = l->dynamic->live;
        live.expression = l->sharp;
        if (!l->dynamic->off) tn_live_switches(assembly, &live, l->value);
        for (uint32_t k = l->first; k < l->first + l->count; k++)
            sliding->jump[k].value = l->dynamic->off ? (double)NAN : l->value[sliding->jump[k].number];
    }
}

/* The laws as they are held now. False without room: they stay as they were. */
static bool renew_law(tn_assembly *assembly, law *l)
{
    const tn_sliding *sliding = assembly->value_events->sliding;
    bool any = false;
    for (uint32_t k = l->first; k < l->first + l->count; k++) {
        jump *j = &sliding->jump[k];
        l->entry[j->number] = j->held ? &j->soft : NULL;
        any = any || j->held;
    }
    tn_expression *soft = any ? tn_expression_soften(l->sharp, l->entry) : NULL;
    if (any && !soft) return false;
    tn_expression_free(l->soft);
    l->soft = soft;
    l->dynamic->live.expression = soft ? soft : l->sharp;
    tn_values_renew(assembly, true);
    return true;
}

/* ---- both sides of a jump -------------------------------------------------------------------------------- */

/* Copies the state to where it is kept, or `back`. */
static void copy_state(const tn_assembly *assembly, bool back)
{
    const tn_system *system = &assembly->system;
    double *kept = assembly->value_events->sliding->state;
    const struct {
        double *value;
        size_t count;
    } part[] = {{system->q, system->nq},
                {system->v, system->nv},
                {system->a, system->nv},
                {system->x, system->nx},
                {system->lambda, system->rows}};
    for (size_t k = 0; k < sizeof part / sizeof *part; kept += part[k++].count)
        memcpy(back ? part[k].value : kept, back ? kept : part[k].value, part[k].count * sizeof *kept);
}

static void restore_system_state(tn_assembly *assembly, double time)
{
    assembly->system.time = time;
    copy_state(assembly, true);
}

/* Rates of all switching functions along the motion under the laws in force. False: something refuses. */
static bool find_switching_rates(tn_assembly *assembly, double step)
{
    tn_sliding *sliding = assembly->value_events->sliding;
    tn_system *system = &assembly->system;
    const double time = system->time;
    bool good = system->evaluate(system) == TN_OK && system->accelerate(system, sliding->found) == TN_OK;
    find_switching_values(assembly);
    for (size_t k = 0; k < sliding->jumps; k++)
        sliding->jump[k].rate = -sliding->jump[k].value;
    for (uint32_t i = 0; i < system->nx; i++)
        system->x[i] += step * system->x_rate[i];
    for (uint32_t i = 0; i < system->nv; i++) {
        sliding->moved[i] = step * (system->v[i] + 0.5 * step * sliding->found[i]);
        system->v[i] += step * sliding->found[i];
    }
    system->time = time + step;
    good = good && system->retract(system, system->q, sliding->moved, system->q) == TN_OK;
    good = good && tn_evaluate_markers(assembly) == TN_OK;
    if (good) find_switching_values(assembly);
    for (size_t k = 0; k < sliding->jumps; k++)
        sliding->jump[k].rate = (sliding->jump[k].rate + sliding->jump[k].value) / step;
    restore_system_state(assembly, time);
    return good;
}

/* 1 where two jumps switch by the same function, -1 where by opposite ones, as a > b and b > a do; else 0. */
static double are_together(const jump *a, const jump *b)
{
    if (a->law != b->law || a->held || b->held || (a->value == 0.0 && a->rate == 0.0)) return 0.0;
    if (a->value == b->value && a->rate == b->rate) return 1.0;
    return a->value == -b->value && a->rate == -b->rate ? -1.0 : 0.0;
}

/* Jumps of a law that stand at one place are passed together: each alone may lead nowhere. */
static void find_leaders(tn_sliding *sliding)
{
    for (uint32_t k = 0; k < sliding->jumps; k++) {
        jump *j = &sliding->jump[k];
        j->leader = k;
        j->along = 1.0;
        for (uint32_t other = sliding->law[j->law].first; other < k && j->leader == k; other++) {
            const double along = are_together(&sliding->jump[other], j);
            if (sliding->jump[other].leader != other || along == 0.0) continue;
            j->leader = other;
            j->along = along;
        }
    }
}

/* Those at the place of this one become steep laws, or sharp again. */
static bool hold_jumps(tn_assembly *assembly, uint32_t leader, bool held)
{
    tn_sliding *sliding = assembly->value_events->sliding;
    law *l = &sliding->law[sliding->jump[leader].law];
    for (uint32_t k = l->first; k < l->first + l->count; k++)
        if (sliding->jump[k].leader == leader) sliding->jump[k].held = held;
    return renew_law(assembly, l);
}

static void set_laws(tn_sliding *sliding, uint32_t leader, double width, double offset)
{
    const law *l = &sliding->law[sliding->jump[leader].law];
    for (uint32_t k = l->first; k < l->first + l->count; k++) {
        jump *j = &sliding->jump[k];
        if (j->leader != leader) continue;
        j->soft.width = width;
        j->soft.offset = j->along * offset;
    }
}

/* Whether both sides of a jump lead to it; the rate at which the faster one does. */
static bool is_led_to(tn_assembly *assembly, uint32_t leader, double step, double *rate)
{
    double of_side[2] = {0.0};
    tn_sliding *sliding = assembly->value_events->sliding;
    set_laws(sliding, leader, HUGE_VAL, 0.0);
    bool good = hold_jumps(assembly, leader, true);
    for (int k = 0; k < 2 && good; k++) {
        set_laws(sliding, leader, HUGE_VAL, k ? 2.0 : -2.0);
        good = find_switching_rates(assembly, step);
        of_side[k] = sliding->jump[leader].rate;
    }
    *rate = fmax(of_side[0], -of_side[1]);
    if (good && of_side[0] > 0.0 && of_side[1] < 0.0) return true;
    (void)hold_jumps(assembly, leader, false);
    return false;
}

/* Whether the law in force leads to the jump, from near by. */
static bool is_suspect(const jump *j, double time)
{
    const double reach = NEARNESS * time * fabs(j->rate);
    return !j->held && isfinite(j->value) && fabs(j->value) <= reach && j->value * j->rate <= 0.0;
}

/* The jumps at the place of this one slide from now on, as wide as they move in `time`: their number. */
static uint32_t begin_sliding(tn_sliding *sliding, uint32_t leader, double width, bool implicit)
{
    uint32_t found = 0;
    const law *l = &sliding->law[sliding->jump[leader].law];
    const double start = sliding->jump[leader].start;
    set_laws(sliding, leader, width, implicit ? (double)((start > 0.0) - (start < 0.0)) : 0.0);
    for (uint32_t k = l->first; k < l->first + l->count; k++) {
        jump *j = &sliding->jump[k];
        if (j->leader != leader) continue;
        j->implicit = implicit;
        j->told = k != leader;
        found++;
    }
    return found;
}

static uint32_t find_sliding(tn_assembly *assembly, double time, uint32_t implicit)
{
    tn_system *system = &assembly->system;
    tn_sliding *sliding = assembly->value_events->sliding;
    const double now = system->time;
    uint32_t found = 0;
    if (!sliding->jumps || !(time > 0.0)) return 0;
    copy_state(assembly, false);
    const bool good = find_switching_rates(assembly, PROBE * time);
    if (system->evaluate(system) == TN_OK) find_switching_values(assembly);
    find_leaders(sliding);
    for (size_t k = 0; k < sliding->jumps; k++) {
        jump *j = &sliding->jump[k];
        j->suspect = good && j->leader == k && is_suspect(j, time);
        j->start = j->value;
    }
    for (uint32_t k = 0; k < sliding->jumps; k++) {
        double rate = 0.0;
        if (sliding->jump[k].suspect && is_led_to(assembly, k, PROBE * time, &rate))
            found += begin_sliding(sliding, k, rate * time, implicit);
    }
    restore_system_state(assembly, now);
    (void)system->evaluate(system);
    sliding->held += found;
    sliding->implicit += implicit ? found : 0;
    sliding->renewed = sliding->renewed || found;
    return found;
}

static uint32_t slide_on_jumps(tn_system *system, double time, uint32_t implicit)
{
    volatile uint32_t found = 0;
    (void)tn_attempt(tn_memory_now(), found = find_sliding((tn_assembly *)system, time, implicit));
    return found;
}

void tn_sliding_build(tn_assembly *assembly)
{
    tn_model *model = assembly->model;
    size_t switches = 0;
    const size_t count = model->values->dynamic_count;
    tn_dynamic_value *dynamic = model->values->dynamic;
    for (size_t k = 0; k < count; k++)
        switches += tn_expression_switch_count(dynamic[k].live.expression);
    if (!switches) return;
    tn_sliding *sliding = assembly->value_events->sliding = tn_new(1, sizeof *sliding);
    sliding->law = tn_new(count, sizeof *sliding->law);
    sliding->jump = tn_new(switches, sizeof *sliding->jump);
    for (size_t k = 0; k < count; k++)
        if (may_slide(model, &dynamic[k])) add_law(sliding, &dynamic[k]);
    if (!sliding->jumps) return;
    tn_system *system = &assembly->system;
    system->slide = slide_on_jumps;
    sliding->state = tn_new(system->nq + 2 * (size_t)system->nv + system->nx + system->rows, sizeof(double));
    sliding->moved = tn_new(system->nv, sizeof(double));
    sliding->found = tn_new(system->nv, sizeof(double));
}

/* ---- accepted steps -------------------------------------------------------------------------------------- */

static void warn_of_jump(tn_assembly *assembly, jump *j)
{
    tn_model *model = assembly->model;
    const law *l = &assembly->value_events->sliding->law[j->law];
    const tn_location *at = model->host_at;
    const char *item = model->host_item;
    j->told = true;
    tn_host_point(model, &l->dynamic->live.node->at, tn_item_name(model, l->dynamic->item));
    tn_say(&model->host, TN_WARNING,
           "`%s`: at %.9g s the motion stays at a jump of its %s, as dry friction at rest does: from now on "
           "a steep law over %.3g (SI units) on both sides of zero replaces the jump%s; to choose the "
           "steepness, write a smooth law, such as TANH(v/0.01) for SIGN(1,v)",
           l->dynamic->parameter->name, assembly->system.time, tn_expression_jump(l->sharp, j->number),
           j->soft.width, j->implicit ? ", with a memory from step to step" : "");
    tn_host_point(model, at, item);
}

/* Steps of a fixed length step over jumps: what stays as near to one as it moves in a step may be held there by the stages of
 * steps that lie on both sides. True where it has stayed for long. */
static bool lingers_at_jump(jump *j)
{
    const double change = fabs(j->value - j->before);
    j->reach = fmax(isfinite(change) ? change : 0.0, FADING * j->reach);
    j->before = j->value;
    j->near = fabs(j->value) <= j->reach ? j->near + 1 : 0;
    if (j->near < LINGERING || j->near < 2 * j->asked) return false;
    j->asked = j->near;
    return true;
}

/* A law that is too steep for the step makes it swing from side to side. */
static void widen_law(jump *j, double before)
{
    if (j->implicit || before * j->value >= 0.0 || fabs(j->value) < 0.5 * j->soft.width) return;
    if (++j->swings < LINGERING) return;
    j->swings = 0;
    j->soft.width *= 2.0;
    j->told = false;
}

static void watch_jumps(tn_assembly *assembly, double step)
{
    tn_sliding *sliding = assembly->value_events->sliding;
    bool any = false;
    find_switching_values(assembly);
    for (size_t k = 0; k < sliding->jumps; k++) {
        jump *j = &sliding->jump[k];
        const double before = j->before;
        if (before * j->value < 0.0 && !j->held) j->passed++;
        if (lingers_at_jump(j) && !j->held) any = true;
        if (j->held) widen_law(j, before);
    }
    if (any) (void)slide_on_jumps(&assembly->system, step, 0);
}

/* Kept out of line: most models have no jumps. */
__attribute__((noinline)) static tn_status accept_step_on_jumps(tn_assembly *assembly, double step)
{
    tn_sliding *sliding = assembly->value_events->sliding;
    tn_system *system = &assembly->system;
    const bool whole = !system->run->adaptive && step > 0.99 * system->run->step; // no part of a step
    if (whole) watch_jumps(assembly, step);
    if (!sliding->held) return TN_OK;
    for (size_t k = 0; k < sliding->jumps; k++)
        if (sliding->jump[k].held && !sliding->jump[k].told) warn_of_jump(assembly, &sliding->jump[k]);
    if (!sliding->renewed) return TN_OK;
    sliding->renewed = false;
    system->revision++;
    tn_status status = system->evaluate(system);
    if (status == TN_OK) status = system->accelerate(system, system->a);
    return status == TN_OK ? TN_OK : system->fail(system, status, NULL, "a jump became a steep law here");
}

tn_status tn_sliding_accepted(tn_assembly *assembly, double step)
{
    const tn_sliding *sliding = assembly->value_events->sliding;
    return sliding && sliding->jumps ? accept_step_on_jumps(assembly, step) : TN_OK;
}

uint64_t tn_sliding_passed(const tn_assembly *assembly, tn_passed_visitor *visit, void *data)
{
    const tn_sliding *sliding = assembly->value_events->sliding;
    uint64_t all = 0;
    for (size_t k = 0; sliding && k < sliding->jumps; k++) {
        const jump *j = &sliding->jump[k];
        const law *l = &sliding->law[j->law];
        all += j->passed;
        if (j->passed)
            visit(data, j->passed, tn_item_name(assembly->model, l->dynamic->item),
                  l->dynamic->parameter->name);
    }
    return all;
}

void tn_sliding_remember(tn_assembly *assembly)
{
    tn_sliding *sliding = assembly->value_events->sliding;
    if (!sliding || !sliding->implicit || tn_evaluate_markers(assembly) != TN_OK) return;
    find_switching_values(assembly);
    for (size_t k = 0; k < sliding->jumps; k++) {
        jump *j = &sliding->jump[k];
        if (j->held && j->implicit && isfinite(j->value))
            j->soft.offset = fmin(fmax(j->soft.offset + j->value / j->soft.width, -1.0), 1.0);
    }
}

/* ---- state ----------------------------------------------------------------------------------------------- */

static void list_jump(jump *j, tn_state_visitor *visitor)
{
    double *const number[] = {&j->value, &j->rate,  &j->before,     &j->reach,
                              &j->along, &j->start, &j->soft.width, &j->soft.offset};
    uint32_t *const count[] = {&j->near, &j->asked, &j->swings, &j->leader};
    bool *const truth[] = {&j->held, &j->implicit, &j->told, &j->suspect};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++)
        tn_visit_numbers(visitor, number[k], 1);
    for (int k = 0; k < 4; k++) {
        TN_VISIT(visitor, *count[k]);
        TN_VISIT(visitor, *truth[k]);
    }
    TN_VISIT(visitor, j->passed);
}

void tn_sliding_list_state(tn_assembly *assembly, tn_state_visitor *visitor)
{
    tn_sliding *sliding = assembly->value_events->sliding;
    if (!sliding) return;
    for (size_t k = 0; k < sliding->jumps; k++)
        list_jump(&sliding->jump[k], visitor);
    TN_VISIT(visitor, sliding->renewed);
    TN_VISIT(visitor, sliding->held);
    TN_VISIT(visitor, sliding->implicit);
    for (size_t k = 0; visitor->restores && k < sliding->laws; k++)
        (void)renew_law(assembly, &sliding->law[k]);
}
