/* linearise.c - state equations between inputs and sensors about the current state: parameters, what is asked for, messages. The
 * equations are in equations.c, their forms in coordinates.c, reduce.c, descriptor.c and discrete.c. */
#include "tenon/descriptors.h"
#include "tenon/kit/one_state.h"

#include "linearise.h"

#include <stdarg.h>

#define BALANCED 1e-6                           /* of the forces in play */
enum { MOST_UNKNOWNS = 3000, MOST_NOTED = 24 }; /* elements that are named for one reason */

static tn_status refuse_entry(linear_work *work, const char *list, size_t entry, const char *text)
{
    char key[64];
    (void)snprintf(key, sizeof key, "%s.%zu", list, entry);
    return tn_refuse(work->system->host, key, "%s", text);
}

/* Each entry of `states` is one position. */
tn_status linear_refuse_position(linear_work *work, size_t number, const char *format, ...)
{
    char text[LINEAR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    (void)tn_print_cut_list(text, sizeof text, format, arguments);
    va_end(arguments);
    return refuse_entry(work, "states", number, text);
}

static tn_status refuse_output(linear_work *work, uint32_t number, const char *why)
{
    const tn_texts *names = &work->settings->outputs;
    size_t entry = 0;
    for (size_t k = 0; k < names->count; k++) {
        uint32_t first = 0;
        const uint32_t count = work->signals->find_output(work->system, names->text[k], &first);
        if (number - first < count) entry = k;
    }
    return refuse_entry(work, "outputs", entry,
                        linear_print(work, "`%s` %s", work->signals->output(work->system, number).name, why));
}

/* ---- what is asked for --------------------------------------------------------------------------------------------- */

typedef uint32_t (*search)(tn_system *system, const char *name, uint32_t *first);

/* The numbers of all names of a list; where none is given, all of them. */
static uint32_t *choose(linear_work *work, const tn_texts *names, search find, uint32_t all, size_t *count)
{
    size_t needed = names->text ? 0 : all;
    uint32_t first = 0;
    for (uint64_t k = 0; k < names->count; k++)
        needed += find(work->system, names->text[k], &first);
    uint32_t *number = linear_array(work, needed, sizeof *number);
    *count = 0;
    for (uint32_t k = 0; number && !names->text && k < all; k++)
        number[(*count)++] = k;
    for (uint64_t k = 0; number && k < names->count; k++) {
        const uint32_t found = find(work->system, names->text[k], &first);
        for (uint32_t c = 0; c < found; c++)
            number[(*count)++] = first + c;
    }
    return number;
}

static tn_status choose_all(linear_work *work)
{
    const tn_signals *s = work->signals;
    const linear_instance *settings = work->settings;
    work->input = choose(work, &settings->inputs, s->find_input, s->inputs, &work->inputs);
    work->output = choose(work, &settings->outputs, s->find_output, s->outputs, &work->outputs);
    work->position = choose(work, &settings->states, s->find_position, 0, &work->positions);
    work->input_name = linear_array(work, work->inputs, sizeof *work->input_name);
    work->output_name = linear_array(work, work->outputs, sizeof *work->output_name);
    work->inexact = linear_array(work, work->states + 64, sizeof *work->inexact);
    return work->input && work->output && work->position && work->input_name && work->output_name &&
                   work->inexact
               ? TN_OK
               : TN_OUT_OF_MEMORY;
}

/* ---- what is found -------------------------------------------------------------------------------------------------- */

static void note_inexact(linear_work *work, tn_level level, const char *text)
{
    tn_say(work->system->host, level, "%s", text);
    work->inexact[work->inexact_count++] = text;
}

/* Sums over time have no place among outputs, nor has what has no derivative here: named ones are refused, others left out. */
static tn_status sort_outputs(linear_work *work)
{
    static const char *const kind[] = {"exact", "differences"};
    size_t kept = 0;
    char left[LINEAR_TEXT / 2] = "";
    for (size_t k = 0; k < work->outputs; k++) {
        const tn_signal_info info = work->signals->output(work->system, work->output[k]);
        const char *why =
            info.derivative == TN_FORMLESS_SIGNAL
                ? "is no function of the state and the inputs: it sums up over time, or belongs to a step"
            : info.derivative == TN_BROKEN_SIGNAL ? "has no value, or no derivative, at this state"
                                                  : NULL;
        if (!why) {
            work->output[kept++] = work->output[k];
            continue;
        }
        if (work->settings->outputs.text) return refuse_output(work, work->output[k], why);
        const size_t used = strlen(left);
        (void)tn_print_cut(left + used, sizeof left - used, "%s`%s`", used ? ", " : "", info.name);
    }
    work->outputs = kept;
    if (*left)
        tn_say(work->system->host, TN_NOTE,
               "left out, as they are no functions of the state, or have no derivative here: %s", left);
    for (size_t k = 0; k < work->outputs; k++) {
        const tn_signal_info info = work->signals->output(work->system, work->output[k]);
        work->output_name[k] = (linear_name){info.name, info.unit, info.value, kind[info.derivative]};
    }
    for (size_t k = 0; k < work->inputs; k++) {
        const tn_signal_info info = work->signals->input(work->system, work->input[k]);
        work->input_name[k] = (linear_name){info.name, info.unit, info.value, NULL};
    }
    return TN_OK;
}

static tn_status check_positions(linear_work *work)
{
    for (size_t k = 0; k < work->positions; k++) {
        const tn_signal_info info = work->signals->position(work->system, work->position[k]);
        if (info.derivative == TN_FORMLESS_SIGNAL)
            return linear_refuse_position(
                work, k, "`%s` is no function of positions alone, so that it has no rate among the states",
                info.name);
        if (info.derivative != TN_EXACT_SIGNAL)
            return linear_refuse_position(work, k, "`%s` has no derivative at this state", info.name);
    }
    return TN_OK;
}

/* One warning for all outputs that have no rules. */
static void warn_of_differences(linear_work *work)
{
    char names[LINEAR_TEXT / 2] = "";
    for (size_t k = 0; k < work->outputs; k++) {
        if (strcmp(work->output_name[k].kind, "differences") != 0) continue;
        const size_t used = strlen(names);
        (void)tn_print_cut(names + used, sizeof names - used, "%s`%s`", used ? ", " : "",
                           work->output_name[k].name);
    }
    if (*names)
        note_inexact(work, TN_WARNING,
                     linear_print(work,
                                  "derivatives of %s are found by differences, as those of all outputs of "
                                  "elements and of the system, of accelerations of what moves, and of "
                                  "forces by way of coordinates",
                                  names));
}

static void note_rest(linear_work *work, size_t noted, const char *what)
{
    if (noted > MOST_NOTED)
        note_inexact(work, TN_WARNING, linear_print(work, "%zu others %s", noted - MOST_NOTED, what));
}

/* What the kernel names; rates of states are taken from the signals, which say by themselves what these lack. */
static void warn_of_elements(linear_work *work)
{
    tn_system *system = work->system;
    const char *why = "", *name;
    uint32_t here = 0;
    size_t noted = 0;
    for (uint32_t k = 0; (name = work->equations->inexact(system, k, &why)); k++)
        if (strcmp(why, TN_RATES_READ_REACTIONS) != 0 && noted++ < MOST_NOTED)
            note_inexact(work, TN_WARNING, linear_print(work, "`%s` %s", name, why));
    note_rest(work, noted, "have no exact derivatives, either");
    noted = 0;
    for (uint32_t k = 0; (name = work->equations->switching(system, k, &why, &here)); k++)
        if (noted++ < MOST_NOTED)
            note_inexact(work, here ? TN_WARNING : TN_NOTE, linear_print(work, "`%s` %s", name, why));
    note_rest(work, noted, "switch, too");
}

static void warn(linear_work *work)
{
    tn_system *system = work->system;
    warn_of_elements(work);
    for (uint32_t k = 0; k < work->states; k++) {
        const tn_signal_info info = work->signals->state(system, k);
        if (info.derivative == TN_PARTIAL_SIGNAL)
            note_inexact(
                work, TN_WARNING,
                linear_print(work,
                             "the rate of `%s` reads accelerations of what moves, or forces by way of "
                             "coordinates: how these turn with the motion is left out",
                             info.name));
    }
    if (system->slide)
        note_inexact(work, TN_WARNING,
                     "forces jump, such as dry friction: where the state is at a jump the matrices "
                     "are those of one side");
    if (work->independent < work->rows && work->reads_reactions)
        note_inexact(work, TN_WARNING,
                     "outputs read reactions of constraints that depend on each other: how the least "
                     "ones turn with the positions is left out");
    warn_of_differences(work);
    if (work->moves)
        tn_say(system->host, TN_NOTE,
               "the state moves: the equations are those of motions beside it, with coefficients as they "
               "are at this time");
}

static tn_status check_balance(linear_work *work)
{
    if (!(work->rest > BALANCED)) return TN_OK;
    const char *text = linear_print(work,
                                    "the state is no equilibrium and no steady motion: %.3g of the forces in "
                                    "play is out of balance%s%s%s",
                                    work->rest, work->worst ? ", most of all at `" : "",
                                    work->worst ? work->worst : "", work->worst ? "`" : "");
    if (!work->settings->force)
        return tn_refuse(work->system->host, "force",
                         "%s; seek it by `[[solver]] type = \"static\"` before, or set `force = true`", text);
    note_inexact(work, TN_WARNING, linear_print(work, "%s; the matrices hold for a moment only", text));
    return TN_OK;
}

/* ---- the run -------------------------------------------------------------------------------------------------------- */

static tn_status prepare(linear_work *work, const void *instance, tn_system *system)
{
    work->settings = instance;
    work->system = system;
    work->nv = system->nv;
    work->rows = system->rows;
    work->states = system->nx - system->quadratures;
    work->step = system->run->step_given ? system->run->step : 0.0;
    work->signals = system->extension(system, TN_SIGNALS_KEY);
    work->equations = system->extension(system, TN_LINEARISATION_KEY);
    work->statics = system->extension(system, TN_STATICS_KEY);
    if (!work->signals || !work->equations || !work->statics) return TN_OUT_OF_MEMORY;
    if (work->signals->delays)
        return tn_refuse(system->host, NULL,
                         "the model reads values of the past (`DELAY`), which are no states: it has no "
                         "state equations of finite size");
    return choose_all(work);
}

/* Accelerations, and the multipliers that belong to them. */
static tn_status find_accelerations(linear_work *work)
{
    tn_system *system = work->system;
    tn_status status = system->evaluate(system);
    double *a = linear_array(work, work->nv, sizeof *a);
    if (!a) return TN_OUT_OF_MEMORY;
    if (status == TN_OK && work->nv) status = system->accelerate(system, a);
    if (status != TN_OK) return system->fail(system, status, NULL, "this state is to be linearised");
    memcpy(system->a, a, work->nv * sizeof *a);
    return TN_OK;
}

static tn_status linearise(linear_work *work)
{
    tn_status status = find_accelerations(work);
    if (status == TN_OK) status = linear_find_equations(work);
    if (status == TN_OK) status = check_positions(work);
    if (status == TN_OK) status = sort_outputs(work);
    if (status == TN_OK) status = check_balance(work);
    if (status == TN_OK) status = linear_find_coordinates(work);
    if (status == TN_OK) status = linear_reduce(work);
    if (status == TN_OK) status = linear_describe(work);
    if (status == TN_OK) status = linear_discretise(work);
    if (status != TN_OK) return status;
    warn(work);
    tn_say(work->system->host, TN_NOTE,
           "linearised: %zu states (%zu positions, %zu rates, %zu of elements), %zu inputs, %zu outputs",
           work->minimal.A.rows, work->free_count, work->velocity_count, work->states, work->inputs,
           work->outputs);
    return linear_write_files(work);
}

static tn_status linearise_begin(const void *instance, tn_system *system, TN_UNUSED void *before,
                                 void **solver)
{
    linear_work *work = *solver = system->host->allocate(system->host, sizeof *work);
    if (!work) return TN_OUT_OF_MEMORY;
    if (system->time < system->run->start_time) system->time = system->run->start_time;
    tn_status status = prepare(work, instance, system);
    if (status == TN_OK) status = linearise(work);
    if (status == TN_OK) status = system->evaluate(system);
    if (status != TN_OK) return status;
    system->statistics->steps++;
    return system->accept(system);
}

TN_ONE_STATE(linearise)

static tn_status linearise_check(const tn_host *host, TN_UNUSED const void *instance, const tn_system *system)
{
    const uint64_t unknowns = 2 * (uint64_t)system->nv + system->rows + system->nx;
    if (unknowns <= MOST_UNKNOWNS) return TN_OK;
    return tn_refuse(
        host, "type",
        "the model has %llu coordinates, velocities, multipliers and states: `linearise` works with "
        "full matrices of up to %d",
        (unsigned long long)unknowns, MOST_UNKNOWNS);
}

#define AT(member) (uint32_t) offsetof(linear_instance, member)

static const tn_parameter linearise_parameters[] = {
    {.name = "inputs",
     .meaning = "names of the [[input]]s u; default: all",
     .unit = "",
     .detail = TN_INPUT_NAMES,
     .offset = AT(inputs),
     .kind = TN_KIND_TEXTS,
     .count = 1},
    {.name = "outputs",
     .meaning = "names of the [[sensor]]s y, or of one component, \"tip.x\"; default: all",
     .unit = "",
     .detail = TN_SENSOR_NAMES,
     .offset = AT(outputs),
     .kind = TN_KIND_TEXTS,
     .count = 1},
    {.name = "states",
     .meaning =
         "names of positions that, with their rates, are the states: coordinates of joints, "
         "\"hinge.angle\", elements or markers with one coordinate, bodies with one motion, sensors of "
         "positions; default: coordinates of its own",
     .unit = "",
     .detail = TN_POSITION_NAMES,
     .offset = AT(states),
     .kind = TN_KIND_TEXTS,
     .count = 1},
    {.name = "force",
     .meaning = "true: also where forces are out of balance",
     .unit = "",
     .high = 1,
     .offset = AT(force),
     .kind = TN_KIND_BOOLEAN,
     .count = 1},
    {0}};

static const tn_synonym linearise_synonyms[] = {
    {"linearize", NULL, NULL}, {"linearization", NULL, NULL},  {"linmod", NULL, NULL},
    {"linear", NULL, NULL},    {"state_matrices", NULL, NULL}, {"state_space", NULL, NULL},
    {NULL, NULL, NULL}};

static const tn_solver_type linearise_type = {
    .struct_size = sizeof(tn_solver_type),
    .name = "linearise",
    .parameters = linearise_parameters,
    .instance_size = sizeof(linear_instance),
    .summary = "linearised state equations A, B, C, D between inputs and sensors, about the current state",
    .formula = "z' = A z + B u, y = C z + D u with z = (p, p', x); E z' = A z + B u in all coordinates\n"
               "with step h: z(t + h) = exp(A h) z + int_0^h exp(A s) ds B u",
    .literature =
        "Golub, Van Loan: Matrix Computations, 4th ed., Johns Hopkins University Press 2013\n"
        "Higham: The scaling and squaring method for the matrix exponential revisited, SIAM J. Matrix Anal. "
        "Appl. 26 (2005) 1179",
    .synonyms = linearise_synonyms,
    .flags = TN_NEEDS_MATRIX | TN_SINGLE_STATE,
    .capabilities = linearise_capabilities,
    .check = linearise_check,
    .advance = linearise_advance};

TN_LIBRARY("linearise", "1.0.0", "Apache-2.0", "linearised state equations",
           {TN_SOLVER_KIND, &linearise_type})
