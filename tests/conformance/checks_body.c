/* checks_body.c - what batches of bodies owe the kernel: a mass matrix, coordinates whose rate and retraction belong
 * together, and energies */
#include "checks.h"
#include "bodies.h"

#include <string.h>

static bool has_own(const tn_loaded_element *type) { return type->body_force || type->residual; }
static bool is_body(const tn_loaded_element *type) { return type->bind || type->mass || has_own(type); }
static bool has_mass(const tn_loaded_element *type) { return type->mass != NULL; }
static bool has_potential(const tn_loaded_element *type) { return type->body_force && type->potential; }

/* ---- mass ---------------------------------------------------------------------------------------------- */

static void check_mass(tn_trial *trial, const tn_bodies *b)
{
    const size_t n = b->nv;
    double *mass = tn_bodies_mass(b);
    for (size_t i = 0; i < b->count && mass; i++) {
        double *M = mass + i * n * n;
        for (size_t k = 0; k < n * n; k++)
            if (M[k] != M[k % n * n + k / n])
                tn_fail(trial, "mass of instance %zu: entry %zu, %zu is %.17g, its mirror image %.17g", i,
                        k / n, k % n, M[k], M[k % n * n + k / n]);
        if (!tn_is_positive(M, n)) tn_fail(trial, "mass of instance %zu is not positive definite", i);
    }
}

static void run_mass(tn_trial *trial) { tn_for_each_bodies(trial, check_mass); }

/* ---- coordinates --------------------------------------------------------------------------------------- */

static bool near(const double *a, const double *b, size_t count, double tolerance)
{
    for (size_t k = 0; k < count; k++)
        if (!(fabs(a[k] - b[k]) <= tolerance * (1.0 + fabs(b[k])))) return false;
    return true;
}

typedef struct motion_sample {
    const tn_bodies *bodies;
    const double *direction;
} motion_sample;

static void sample_motion(const void *data, double step, double *q)
{
    const motion_sample *sample = data;
    (void)tn_bodies_move(sample->bodies, sample->direction, step, q);
}

static void check_rate(tn_trial *trial, const tn_bodies *b)
{
    const size_t size = (size_t)b->count * b->nq;
    double *rate = tn_take_nan(trial, size), *derivative = tn_take_nan(trial, size);
    double *error = tn_take_nan(trial, size);
    const motion_sample sample = {b, b->v};
    if (!tn_bodies_rate(b, b->q, b->v, rate)) return;
    tn_differentiate(trial, sample_motion, &sample, size, derivative, error);
    if (!near(rate, derivative, size, TN_TANGENT_TOLERANCE))
        tn_fail(trial, "rate is not the derivative of retract(q, e v) at e = 0");
}

static void check_retract(tn_trial *trial, const tn_bodies *b)
{
    const size_t size = (size_t)b->count * b->nq;
    double *to = tn_take_nan(trial, size);
    double *zero = tn_take(trial, (size_t)b->count * b->nv * sizeof *zero);
    if (!tn_bodies_retract(b, b->q, zero, to)) return;
    if (!near(to, b->q, size, 1e-15)) tn_fail(trial, "retraction by zero moves a body");

    double *in_place = tn_take_copy(trial, b->q, size * sizeof *in_place);
    if (!tn_bodies_retract(b, b->q, b->v, to) || !tn_bodies_retract(b, in_place, b->v, in_place)) return;
    if (memcmp(to, in_place, size * sizeof *to) != 0)
        tn_fail(trial, "retraction gives another result where source and target are the same memory");

    /* what a retraction delivers lies on the manifold already */
    if (!b->type->normalise) return;
    double *kept = tn_take_copy(trial, to, size * sizeof *kept);
    tn_batch batch = tn_bodies_batch(b, b->q, b->v);
    batch.configuration = kept;
    if (tn_bodies_call(b, "normalise", b->type->normalise, &batch) && !near(kept, to, size, 1e-15))
        tn_fail(trial, "normalise changes what retract delivered");
}

static void run_coordinates(tn_trial *trial)
{
    tn_bodies bodies;
    if (!tn_draw_bodies(trial, (tn_dynamics){0}, &bodies)) return;
    check_rate(trial, &bodies);
    check_retract(trial, &bodies);
}

/* ---- transport ----------------------------------------------------------------------------------------- */

static bool has_transport(const tn_loaded_element *type) { return type->transport && type->rigid_motion; }

static double *transport(tn_trial *trial, const tn_bodies *b, const double *from, double *to,
                         const double *vector)
{
    tn_batch batch = tn_bodies_batch(b, from, b->v);
    batch.target = to;
    batch.vector[0] = vector;
    batch.transported[0] = tn_take_nan(trial, (size_t)b->count * b->nv);
    return tn_bodies_call(b, "transport", b->type->transport, &batch) ? batch.transported[0] : NULL;
}

/* Angular parts of unit angular velocities about the ground axes, as the type measures them at `q`: [3][count][nv]. */
static double *ground_axes(tn_trial *trial, const tn_bodies *b, const double *q)
{
    const size_t n = (size_t)b->count * b->nv;
    double *axes = tn_take(trial, 3 * n * sizeof *axes);
    tn_batch batch = tn_bodies_batch(b, q, b->v);
    batch.rigid_motion = tn_take_nan(trial, 6 * n);
    if (!tn_bodies_call(b, "rigid_motion", b->type->rigid_motion, &batch)) return NULL;
    for (size_t k = 0; k < 3 * n; k++)
        if (strcmp(b->type->velocity_units[k % n % b->nv], "rad") == 0)
            axes[k] = batch.rigid_motion[k % n * 6 + 3 + k / n];
    return axes;
}

static void check_transport(tn_trial *trial, const tn_bodies *b)
{
    const size_t n = (size_t)b->count * b->nv;
    double *to = tn_take_nan(trial, (size_t)b->count * b->nq),
           *from = tn_take_copy(trial, b->q, (size_t)b->count * b->nq * sizeof *from);
    if (!tn_bodies_retract(b, b->q, b->v, to)) return;
    const double *before = ground_axes(trial, b, from), *behind = ground_axes(trial, b, to);
    if (!before || !behind) return;
    for (size_t axis = 0; axis < 3; axis++) {
        const double *moved = transport(trial, b, from, to, before + axis * n);
        if (moved && !near(moved, behind + axis * n, n, 1e-14))
            tn_fail(trial, "transport turns an angular vector along ground axis %zu", axis);
    }
    const double *there = transport(trial, b, from, to, b->v);
    const double *back = there ? transport(trial, b, to, from, there) : NULL;
    if (back && !near(back, b->v, n, 1e-14)) tn_fail(trial, "transport there and back changes a vector");

    tn_batch batch = tn_bodies_batch(b, from, NULL);
    batch.target = to;
    for (int k = 0; k < 2; k++)
        batch.vector[k] = batch.transported[k] = tn_take_copy(trial, b->v, n * sizeof *there);
    if (there && tn_bodies_call(b, "transport", b->type->transport, &batch) &&
        (memcmp(batch.transported[0], there, n * sizeof *there) != 0 ||
         memcmp(batch.transported[1], there, n * sizeof *there) != 0))
        tn_fail(trial, "transport gives another result where source and target are the same memory, or for a "
                       "second vector");
}

static void run_transport(tn_trial *trial) { tn_for_each_bodies(trial, check_transport); }

/* ---- outputs and energies ------------------------------------------------------------------------------ */

/* 1/2 v M v, compared with what the type says. */
static void check_kinetic_energy(tn_trial *trial, const tn_bodies *b, const double *energy)
{
    const size_t n = b->nv;
    const double *mass = tn_bodies_mass(b);
    for (size_t i = 0; i < b->count && mass; i++) {
        double expected = 0.0;
        for (size_t k = 0; k < n * n; k++)
            expected += 0.5 * mass[i * n * n + k] * b->v[i * n + k / n] * b->v[i * n + k % n];
        if (!(fabs(energy[i] - expected) <= TN_ROUNDING * fabs(expected)))
            tn_fail(trial, "kinetic energy of instance %zu is %.15g, but v M v / 2 = %.15g", i, energy[i],
                    expected);
    }
}

static void run_outputs(tn_trial *trial)
{
    enum { FIRST = 17, SOME = 5 };
    tn_bodies b;
    if (!tn_draw_bodies(trial, (tn_dynamics){0}, &b)) return;
    const tn_output *outputs = b.type->outputs;
    for (uint32_t o = 0; b.type->output && outputs && outputs[o].name; o++) {
        const size_t size = outputs[o].size;
        double *value = tn_take_nan(trial, b.count * size), *some = tn_take_nan(trial, SOME * size);
        tn_batch batch = tn_bodies_batch(&b, b.q, b.v);
        batch.output = o;
        batch.value = value;
        if (!tn_bodies_call(&b, outputs[o].name, b.type->output, &batch)) return;
        batch.first = FIRST;
        batch.count = SOME;
        batch.value = some;
        if (!tn_bodies_call(&b, outputs[o].name, b.type->output, &batch)) return;
        if (!tn_all_finite(value, b.count * size))
            tn_fail(trial, "output %s is not written or not finite", outputs[o].name);
        if (memcmp(value + FIRST * size, some, SOME * size * sizeof *value) != 0)
            tn_fail(trial, "output %s depends on the range that is asked for", outputs[o].name);
        if (strcmp(outputs[o].name, "kinetic_energy") == 0 && size == 1 && b.type->mass)
            check_kinetic_energy(trial, &b, value);
    }
}

static void sample_potential(const void *data, double step, double *energy)
{
    const motion_sample *sample = data;
    const tn_bodies *b = sample->bodies;
    struct tn_block *mark = tn_mark(b->trial);
    double *q = tn_take_nan(b->trial, (size_t)b->count * b->nq);
    (void)tn_bodies_move(b, sample->direction, step, q);
    tn_batch batch = tn_bodies_batch(b, q, b->v);
    batch.value = energy;
    (void)tn_bodies_call(b, "potential", b->type->potential, &batch);
    tn_release(b->trial, mark);
}

/* d(potential)/dt = - power of the body's force on itself; gyroscopic forces have none. */
static void run_potential(tn_trial *trial)
{
    tn_bodies b;
    trial->conservative = true;
    if (!tn_draw_bodies(trial, (tn_dynamics){0}, &b)) return;
    const motion_sample sample = {&b, b.v};
    double *rate = tn_take_nan(trial, b.count), *error = tn_take_nan(trial, b.count);
    tn_batch batch = tn_bodies_batch(&b, b.q, b.v);
    batch.force = tn_take_nan(trial, (size_t)b.count * b.nv);
    if (!tn_bodies_call(&b, "body_force", b.type->body_force, &batch)) return;
    tn_differentiate(trial, sample_potential, &sample, b.count, rate, error);
    tn_comparison comparison = {0};
    for (size_t i = 0; i < b.count; i++) {
        double power = 0.0;
        for (size_t k = i * b.nv; k < (i + 1) * b.nv; k++)
            power += batch.force[k] * b.v[k];
        const double scale = tn_largest(batch.force + i * b.nv, b.nv) * tn_largest(b.v + i * b.nv, b.nv);
        if (!tn_agrees(&comparison, -power, rate[i], error[i], scale))
            tn_fail(trial, "instance %zu: power %.15g, rate of the potential %.15g", i, power, rate[i]);
    }
    tn_conclude(trial, &comparison);
}

const tn_check tn_body_checks[] = {
    {"mass matrix is symmetric and positive", has_mass, run_mass},
    {"rate, retraction and normalisation belong together", is_body, run_coordinates},
    {"transport keeps angular vectors in ground axes", has_transport, run_transport},
    {"outputs are complete, kinetic energy is v M v / 2", is_body, run_outputs},
    {"force on itself follows from the potential", has_potential, run_potential},
    {0}};
