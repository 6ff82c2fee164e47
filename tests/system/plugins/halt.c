/* halt.c - two solvers that seek a single state: the one in which all that moves stands still at once; `halt_in_steps` has the
 * capability of steps */
#include <tenon/author.h>
#if TN_VALUES
#include <tenon/draft/stepping.h>

TN_NO_PARAMETERS(halt)

static tn_status stand_still(tn_system *system)
{
    system->time = system->run->start_time;
    for (uint32_t i = 0; i < system->nv; i++)
        system->v[i] = 0.0;
    tn_status status = system->evaluate(system);
    if (status == TN_OK) status = system->accelerate(system, system->a);
    if (status != TN_OK) return system->fail(system, status, NULL, "all is to stand still");
    return system->accept(system);
}

static tn_status halt_advance(TN_UNUSED const void *instance, tn_system *system) { return stand_still(system); }

static tn_status begin(TN_UNUSED const void *instance, tn_system *system, TN_UNUSED void *before, void **work)
{
    *work = system;
    return stand_still(system);
}

/* It has come to its end before a step is asked for. */
static tn_status step(TN_UNUSED void *work, TN_UNUSED double until, TN_UNUSED uint64_t most)
{
    return TN_FATAL;
}

static void end(TN_UNUSED void *work) {}
static void state(TN_UNUSED void *work, TN_UNUSED tn_state_visitor *visitor) {}

static const tn_stepping_capability stepping = {
    .struct_size = sizeof stepping, .begin = begin, .step = step, .end = end, .state = state};
static const tn_capability capabilities[] = {{TN_STEPPING_KEY, &stepping}, {NULL, NULL}};

TN_SOLVER(halt, .summary = "stands still", .formula = "v = 0", .flags = TN_SINGLE_STATE,
          .advance = halt_advance)

static const tn_solver_type in_steps = {.struct_size = sizeof(tn_solver_type),
                                        .name = "halt_in_steps",
                                        .summary = "stands still",
                                        .formula = "v = 0",
                                        .literature = "",
                                        .parameters = halt_parameters,
                                        .instance_size = sizeof(halt),
                                        .flags = TN_SINGLE_STATE,
                                        .capabilities = capabilities,
                                        .advance = halt_advance};

TN_LIBRARY("halt", "1.0.0", "Apache-2.0", "solvers of a single state", {TN_SOLVER_KIND, &halt_type},
           {TN_SOLVER_KIND, &in_steps})
#endif
