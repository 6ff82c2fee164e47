/* advance_thread.c - lets advance() of a solver stand between steps (see advance_thread.h) */
#include "run/advance_thread.h"

#include "system/accept.h"

#include <pthread.h>

/* Whose turn it is stands behind a lock; all else belongs to the thread whose turn it is. */
struct tn_advance_thread {
    pthread_mutex_t mutex;
    pthread_cond_t turned;
    bool solver_runs;
    pthread_t thread;
    const tn_solver_plan *plan;
    tn_assembly *assembly;
    tn_memory *memory;
    tn_step_observer observer;
    double until; /* s */
    bool begun, single, closing, over;
    tn_status status; /* of advance() */
};

/* ---- turns ----------------------------------------------------------------------------------------------- */

static void give_turn(tn_advance_thread *self, bool to_solver)
{
    (void)pthread_mutex_lock(&self->mutex);
    self->solver_runs = to_solver;
    (void)pthread_cond_signal(&self->turned);
    (void)pthread_mutex_unlock(&self->mutex);
}

static void await_turn(tn_advance_thread *self, bool of_solver)
{
    (void)pthread_mutex_lock(&self->mutex);
    while (self->solver_runs != of_solver)
        (void)pthread_cond_wait(&self->turned, &self->mutex);
    (void)pthread_mutex_unlock(&self->mutex);
}

/* ---- the solver's thread --------------------------------------------------------------------------------- */

static tn_status see_step(void *data, const tn_accepted_step *step)
{
    tn_advance_thread *self = data;
    const bool passes = self->single && step->length > 0.0;
    if (!self->begun || passes || (!self->single && self->assembly->system.time >= self->until)) {
        self->begun = true;
        give_turn(self, false);
        await_turn(self, true);
    }
    return self->closing ? TN_EVENT : TN_OK;
}

static void *run_solver(void *data)
{
    tn_advance_thread *self = data;
    self->status = TN_OUT_OF_MEMORY;
    (void)tn_attempt(self->memory, self->status = tn_call(self->plan->type, advance, self->plan->instance,
                                                          &self->assembly->system));
    self->over = true;
    give_turn(self, false);
    return NULL;
}

/* ---- the caller's thread --------------------------------------------------------------------------------- */

tn_status tn_advance_thread_begin(tn_advance_thread **thread, const tn_solver_plan *plan,
                                  tn_assembly *assembly)
{
    tn_advance_thread *self = tn_new(1, sizeof *self);
    *self = (tn_advance_thread){.plan = plan,
                                .assembly = assembly,
                                .memory = tn_memory_now(),
                                .observer = {.see = see_step, .data = self, .next = HUGE_VAL},
                                .solver_runs = true};
    (void)pthread_mutex_init(&self->mutex, NULL);
    (void)pthread_cond_init(&self->turned, NULL);
    tn_accept_observe(assembly, &self->observer);
    if (pthread_create(&self->thread, NULL, run_solver, self) != 0) {
        tn_accept_unobserve(assembly, &self->observer);
        tn_free(self);
        return assembly->system.fail(&assembly->system, TN_FATAL, NULL,
                                     "no thread can be started for the solver");
    }
    await_turn(self, false);
    *thread = self;
    return TN_OK;
}

void tn_advance_thread_go_on(tn_advance_thread *self, double until, bool single)
{
    self->until = until;
    self->single = single;
    give_turn(self, true);
    await_turn(self, false);
}

bool tn_advance_thread_is_over(const tn_advance_thread *self) { return self->over; }

tn_status tn_advance_thread_end(tn_advance_thread **thread)
{
    tn_advance_thread *self = *thread;
    self->closing = true;
    if (!self->over) give_turn(self, true);
    (void)pthread_join(self->thread, NULL);
    tn_accept_unobserve(self->assembly, &self->observer);
    (void)pthread_mutex_destroy(&self->mutex);
    (void)pthread_cond_destroy(&self->turned);
    const tn_status status = self->status;
    tn_free(self);
    *thread = NULL;
    return status;
}
