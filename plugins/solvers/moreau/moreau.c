/* moreau.c - mid-step velocities and impulses after Moreau: the type, its memory, where a run begins and ends (see moreau.h) */
#include "tenon/descriptors.h"

#include "moreau.h"

#include "tenon/kit/run_start.h"

static double *new_array(const tn_host *host, size_t count)
{
    return host->allocate(host, (count > 0 ? count : 1) * sizeof(double));
}

static bool make_arrays(moreau_work *w)
{
    const tn_system *s = w->system;
    double **const of_q[] = {&w->q0, &w->q_m, &w->q_f, &w->q_axes, &w->q1};
    double **const of_v[] = {&w->v0,    &w->a0,    &w->a_past[0], &w->a_past[1], &w->a_past[2],    &w->a_kept,
                             &w->curve, &w->way_f, &w->bent,      &w->shift,     &w->curve_before, &w->f0,
                             &w->f1,    &w->first, &w->last,      &w->v_f,       &w->v1,           &w->P0,
                             &w->P0_m,  &w->Pp,    &w->P1,        &w->c,         &w->V0,           &w->Vp,
                             &w->y,     &w->z,     &w->number};
    double **const of_x[] = {&w->x0, &w->x_rate0};
    double **const of_rows[] = {&w->lambda0,
                                &w->gap,
                                &w->rate,
                                &w->drift,
                                &w->end_gap,
                                &w->end_rate,
                                &w->row_number,
                                &w->lambda_past[0],
                                &w->lambda_past[1],
                                &w->lambda_past[2],
                                &w->mean,
                                &w->kick,
                                &w->turn};
    const struct {
        double **const *list;
        size_t count, size;
    } kind[] = {{of_q, sizeof of_q / sizeof *of_q, s->nq},
                {of_v, sizeof of_v / sizeof *of_v, s->nv},
                {of_x, sizeof of_x / sizeof *of_x, s->nx},
                {of_rows, sizeof of_rows / sizeof *of_rows, s->rows}};
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
        for (size_t i = 0; i < kind[k].count; i++)
            if (!(*kind[k].list[i] = new_array(s->host, kind[k].size))) return false;
    return true;
}

/* Angular vectors have three components; with others momenta are not transported. */
static bool list_triples(moreau_work *work)
{
    const tn_system *system = work->system;
    work->triple = system->host->allocate(system->host, (system->nv / 3 + 1) * sizeof *work->triple);
    if (!work->triple) return false;
    work->plain = system->changing_masses;
    work->turns = !system->vector_space;
    for (uint32_t j = 0; j < system->nv;) {
        if (!system->angular[j]) {
            j++;
            continue;
        }
        if (j + 3 > system->nv || !system->angular[j + 1] || !system->angular[j + 2]) {
            work->plain = true;
            return true;
        }
        work->triple[work->triples++] = j;
        j += 3;
    }
    return true;
}

/* Finds the kinds of rows; passive ones have no impulses. */
static tn_status look_at_rows(moreau_work *work)
{
    tn_system *system = work->system;
    work->only_joints = work->contacts == NULL;
    work->all_positions = true;
    for (uint32_t r = 0; r < system->rows; r++) {
        const uint32_t kind = work->o->row_kind[r];
        work->joints = work->joints || kind == TN_BILATERAL;
        work->only_joints = work->only_joints && kind == TN_BILATERAL;
        work->all_positions = work->all_positions && system->row_level[r] == TN_POSITION_ROW;
        if (kind != TN_PASSIVE) continue;
        char text[200];
        (void)snprintf(
            text, sizeof text,
            "forces of `%s` act in place of its reactions, for which impulses have no meaning: use "
            "generalized_alpha",
            work->o->owner_name(system, work->o->row_owner[r]));
        return system->fail(system, TN_UNSUPPORTED, NULL, text);
    }
    return TN_OK;
}

/* The constraint solver of the model, or the default one. */
static tn_status open_constraint_solver(moreau_work *work)
{
    tn_system *system = work->system;
    const tn_constraint_solver *chosen = system->extension(system, TN_CONSTRAINT_SOLVER_KEY);
    if (chosen && !chosen->type)
        chosen = chosen->standard(system, work->only_joints ? "direct" : "gauss_seidel");
    if (!chosen) return system->fail(system, TN_UNSUPPORTED, NULL, "it needs a constraint solver");
    work->chosen = chosen;
    tn_status status = chosen->type->create(system->host, chosen->instance, chosen->linear, &work->main.self);
    if (status == TN_OK)
        status = chosen->type->create(system->host, chosen->instance, chosen->linear, &work->projection.self);
    return status == TN_OK ? tn_moreau_open_files(work) : status;
}

static tn_status prepare_work(moreau_work *work)
{
    tn_system *system = work->system;
    work->theta = work->settings->theta;
    work->o = system->extension(system, TN_OPERATORS_KEY);
    work->contacts = system->extension(system, TN_CONTACT_ROWS_KEY);
    work->report = tn_step_report_of(system);
    if (!work->o) return system->fail(system, TN_UNSUPPORTED, NULL, "it needs the operators of the system");
    if (!make_arrays(work) || !list_triples(work)) return TN_OUT_OF_MEMORY;
    const tn_status status = look_at_rows(work);
    if (status == TN_OK &&
        (!tn_moreau_make_curve(work) || !tn_moreau_make_driven(work) || !tn_moreau_make_events(work)))
        return TN_OUT_OF_MEMORY;
    return status == TN_OK ? open_constraint_solver(work) : status;
}

static tn_status moreau_begin(const void *instance, tn_system *system, TN_UNUSED void *before, void **solver)
{
    moreau_work *work = *solver = system->host->allocate(system->host, sizeof *work);
    if (!work) return TN_OUT_OF_MEMORY;
    *work = (moreau_work){.settings = instance, .system = system};
    tn_status status = prepare_work(work);
    if (status != TN_OK) return status;
    status = tn_evaluate_start(system);
    if (status == TN_OK) status = tn_moreau_choose_forces(work);
    if (status == TN_OK) status = tn_evaluate_start(system);
    if (status != TN_OK) return status;
    work->grid = tn_step_grid_make(system->time, system->run->end_time, system->run->step);
    work->stand.revision = system->revision;
    work->stand.time = system->time;
    work->stand.done = 1.0;
    work->stand.seen = work->stand.end = system->time;
    work->stand.stiffness = HUGE_VAL;
    work->stand.anew = 1;
    work->stand.accepted++;
    return system->accept(system);
}

static tn_status moreau_step(void *solver, double until, uint64_t most)
{
    return tn_moreau_steps(solver, until, most);
}

static void moreau_end(void *solver)
{
    moreau_work *work = solver;
    if (work->stand.unsolved)
        tn_say(work->system->host, TN_WARNING,
               "%llu steps went on with impulses that were not solved to the tolerance",
               (unsigned long long)work->stand.unsolved);
    tn_moreau_tell_shared(work);
    if (work->chosen) {
        tn_moreau_free_problem(&work->main, work->chosen->type);
        tn_moreau_free_problem(&work->projection, work->chosen->type);
        if (work->A_system) work->chosen->linear->close(work->chosen->linear, work->A_system);
    }
    free(work->contact_impulse);
    free(work->mean_rate);
    free(work->row_residual);
    free(work->files.guess);
    work->files.guess = NULL;
    free(work->share.kind);
    free(work->share.row);
    free(work->share.v);
    memset(&work->share, 0, sizeof work->share);
    work->chosen = NULL;
    work->A_system = NULL;
    work->contact_impulse = work->mean_rate = work->row_residual = NULL;
}

/* Prediction and first guesses are of the system's own accelerations and multipliers. Whether forces are solved for is found at the
 * start, which a run that goes on does not see. */
static void moreau_state(void *solver, tn_state_visitor *visitor)
{
    moreau_work *work = solver;
    const uint32_t implicit = work->stand.implicit;
    TN_VISIT(visitor, work->grid);
    TN_VISIT(visitor, work->stand);
    double *const of_v[] = {work->curve, work->curve_before, work->f0};
    for (size_t k = 0; k < sizeof of_v / sizeof *of_v; k++)
        tn_visit_numbers(visitor, of_v[k], work->system->nv);
    for (int k = 0; k < PAST; k++) {
        tn_visit_numbers(visitor, work->a_past[k], work->system->nv);
        tn_visit_numbers(visitor, work->lambda_past[k], work->system->rows);
    }
    tn_visit_numbers(visitor, work->kick, work->system->rows);
    tn_visit_numbers(visitor, work->G0, work->o->row_start[work->system->rows]);
    if (work->stand.implicit != implicit && !tn_moreau_make_matrix(work)) return;
    TN_VISIT(visitor, work->A_known);
    TN_VISIT(visitor, work->A_block_diagonal);
    tn_visit_numbers(visitor, work->A_value, (size_t)work->A_start[work->system->nv]);
    tn_visit_numbers(visitor, work->M_value, (size_t)work->A_start[work->system->nv]);
    // what constraint solvers keep is of another A
    if (visitor->restores) work->main.matrix_taken = work->projection.matrix_taken = 0;
}

static const tn_stepping_capability moreau_stepping = {.struct_size = sizeof moreau_stepping,
                                                       .begin = moreau_begin,
                                                       .step = moreau_step,
                                                       .end = moreau_end,
                                                       .state = moreau_state};
static const tn_capability moreau_capabilities[] = {{TN_STEPPING_KEY, &moreau_stepping}, {NULL, NULL}};

static tn_status moreau_advance(const void *instance, tn_system *system)
{
    return tn_advance_in_steps(&moreau_stepping, instance, system);
}

static tn_status moreau_prepare(const tn_host *host, TN_UNUSED void *instance, tn_run *run)
{
    if (run->end_time > run->start_time && !(run->step > 0.0))
        return tn_refuse(host, "step", "a fixed step needs `step` above zero");
    return TN_OK;
}

static tn_status moreau_check(const tn_host *host, TN_UNUSED const void *instance, const tn_system *system)
{
    if (!system->coupled_accelerations) return TN_OK;
    return tn_refuse(host, NULL,
                     "forces of this model read accelerations or reactions, which moreau knows as means of "
                     "steps only: use "
                     "generalized_alpha");
}

#define PARAMETER_OF(key, field, type, its_unit, text, ...)                                         \
    {                                                                                               \
        .name = key, .meaning = text, .unit = its_unit, .offset = offsetof(moreau_settings, field), \
        .kind = type, .count = 1, __VA_ARGS__                                                       \
    }
#define PARAMETER(field, type, text, ...) PARAMETER_OF(#field, field, type, "", text, __VA_ARGS__)
static const tn_parameter moreau_parameters[] = {
    PARAMETER(law, TN_KIND_CHOICE,
              "what joints do in a step: `position`: stand still at its end, where positions are exact; "
              "`velocity`: the mean of the "
              "velocities of both ends vanishes in the middle, as in Solfec, and positions drift",
              .detail = "position|velocity", .standard = BY_POSITION),
    PARAMETER(theta, TN_KIND_REAL,
              "share of the end of the step in velocities and forces; 1/2 is of second order, 1 damps what "
              "is faster than the step",
              .standard = 0.5, .low = 0.5, .high = 1.0),
    PARAMETER(forces, TN_KIND_CHOICE,
              "whether forces are solved for, by their derivatives; automatic: where there are any, or "
              "events, or changes",
              .detail = "automatic|implicit|explicit", .standard = AUTOMATIC),
    PARAMETER(on_failure, TN_KIND_CHOICE,
              "where the impulses of a step are not found to the tolerance: halve it, down to min_step or a "
              "1024th; go on with the best "
              "ones, and warn; stop",
              .detail = "halve|continue|stop", .standard = HALVE),
    PARAMETER_OF("problems.folder", folder, TN_KIND_TEXT, "",
                 "the folder into which the problems of steps are written as files of FCLib (`fclib`); it is "
                 "made where it is missing. Standard: none are written"),
    PARAMETER_OF("problems.which", which, TN_KIND_CHOICE, "",
                 "all, or those only that are not solved to the tolerance", .detail = "all|failed",
                 .standard = ALL_PROBLEMS),
    PARAMETER_OF("problems.from", files_from, TN_KIND_REAL, "s", "steps that start then or later",
                 .low = -HUGE_VAL, .high = HUGE_VAL, .flags = TN_OPTIONAL),
    PARAMETER_OF("problems.until", files_until, TN_KIND_REAL, "s", "steps that start before",
                 .low = -HUGE_VAL, .high = HUGE_VAL, .flags = TN_OPTIONAL),
    PARAMETER_OF("problems.most", most_files, TN_KIND_INTEGER, "", "files at most", .standard = 1000.0,
                 .low = 1.0, .high = 1e6),
    {.name = NULL},
};

static const tn_synonym synonyms[] = {{"moreau_jean", NULL, NULL},
                                      {"nonsmooth", NULL, NULL},
                                      {"NSC", NULL, NULL},
                                      {"time_stepping", NULL, NULL},
                                      {"solfec", NULL, "law = \"velocity\""},
                                      {NULL, NULL, NULL}};

static const tn_solver_type moreau_type = {
    .struct_size = sizeof(tn_solver_type),
    .synonyms = synonyms,
    .flags = TN_NEEDS_MATRIX | TN_UNILATERAL_ROWS | TN_BY_IMPULSES,
    .capabilities = moreau_capabilities,
    .name = "moreau",
    .summary = "impulses after Moreau: joints, contacts, friction and impacts in steps of fixed length",
    .formula =
        "q_m = q0 [+] (1 - theta) h v0,  q1 = q_m [+] theta h v1\n"
        "A (V1 - Vp) = h f - (Pp - P0) + C + G^T p,  A = M + theta h D + (theta h)^2 K\n"
        "u1 = r_e + G (V1 - Vp) = 0 of joints;  u1 + e min(u0, 0) >= 0, p_N >= 0, Coulomb's law of contacts\n"
        "C = h/6 (S0 - 2 S + S1),  S = f + G^T lambda, where motions are smooth\n"
        "P = M v keeps its direction in space",
    .literature =
        "Moreau: Numerical aspects of the sweeping process, Comput. Methods Appl. Mech. Eng. 177 (1999) "
        "329-349\n"
        "Jean: The non-smooth contact dynamics method, Comput. Methods Appl. Mech. Eng. 177 (1999) 235-257\n"
        "Koziara, Bicanic: A distributed memory parallel multibody contact dynamics code, Int. J. Numer. "
        "Methods Eng. 87 (2011) 437-456\n"
        "Simo, Wong: Unconditionally stable algorithms for rigid body dynamics that exactly preserve energy "
        "and momentum, Int. J. Numer. "
        "Methods Eng. 31 (1991) 19-52",
    .parameters = moreau_parameters,
    .instance_size = sizeof(moreau_settings),
    .prepare = moreau_prepare,
    .check = moreau_check,
    .advance = moreau_advance,
};

TN_LIBRARY("moreau", "1.0.0", "Apache-2.0", "impulses after Moreau", {TN_SOLVER_KIND, &moreau_type})
