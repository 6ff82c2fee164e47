/* contact_models.h - pieces of models with contact by impulses, and runs of them under all constraint solvers for cones */
#ifndef TENON_TESTS_SYSTEM_CONTACT_MODELS_H
#define TENON_TESTS_SYSTEM_CONTACT_MODELS_H

#include "harness.h"

#include <math.h>

static const char *const solvers[] = {"gauss_seidel", "projected_newton", "admm"};
enum { PROJECTED_NEWTON = 1, SOLVERS = sizeof solvers / sizeof *solvers };

static inline const tn_csv_table *run_words(const char *path, const char *const *words)
{
    const char *results = tn_scratch_path(NULL), *all[16] = {"run", path, "--quiet", "--out", results};
    for (int k = 0; words[k]; k++)
        all[5 + k] = words[k];
    const tn_outcome outcome = tn_tenon(all);
    if (outcome.status != 0 || outcome.errors[0])
        fail_msg("%s: exit %d: %s", path, outcome.status, outcome.errors);
    return tn_sensors(results);
}

static inline const char *config(const char *name)
{
    return tn_format(TENON_SOURCE_DIR "/configs/%s.toml", name);
}

static inline double last(const tn_csv_table *table, const char *column)
{
    return table->value[(table->rows - 1) * table->columns + tn_column_of(table, column)];
}

static inline double least(const tn_csv_table *table, const char *column)
{
    double found = HUGE_VAL;
    for (size_t row = 0; row < table->rows; row++)
        found = fmin(found, table->value[row * table->columns + tn_column_of(table, column)]);
    return found;
}

static inline void expect(double value, double expected, double tolerance, const char *of)
{
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%s: %.12g instead of %.12g", of, value, expected);
}

/* ---- pieces of models -------------------------------------------------------------------------------------- */

#define PAIR(friction, restitution) \
    "[[material_pair]]\na = 'm'\nb = 'm'\nfriction = " friction "\nrestitution = " restitution "\n"
#define BODY(name, mass, inertia, more) \
    "[[element]]\nname = '" name "'\ntype = 'rigid_body'\nmass = " mass "\ninertia = " inertia "\n" more "\n"
#define SHAPE(name, element, more) \
    "[[marker]]\nname = '" name "'\ntype = 'shape'\nelement = '" element "'\nmaterial = 'm'\n" more "\n"
#define SPHERE(radius) "kind = 'sphere'\nradius = " radius
#define PLANE "kind = 'plane'"
#define CONTACT(shapes, more) \
    "[[element]]\nname = 'contact'\ntype = 'contact'\nlaw = 'impulse'\nshapes = [" shapes "]\n" more "\n"
#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\nexpression = '" expression "'\n"
#define OUTPUT(name, element, output) \
    "[[sensor]]\nname = '" name "'\nelement = '" element "'\noutput = '" output "'\n"
#define SYSTEM(name) "[[sensor]]\nname = '" name "'\nsystem = '" name "'\n"
#define GRAVITY(g) "[model]\ngravity = [0, 0, -" g "]\n"

/* By one of the constraint solvers, with a tolerance where it is given. */
static inline const tn_csv_table *simulate(const char *model, int solver, const char *tolerance, double step,
                                           double end)
{
    const char *path = tn_write(
        "model.toml",
        tn_format("%s[solver]\ntype = 'moreau'\nstep = %.17g\nend_time = %.17g\n[solver.constraint_solver]\n"
                  "type = '%s'\n%s%s\n",
                  model, step, end, solvers[solver], tolerance ? "tolerance = " : "",
                  tolerance ? tolerance : ""));
    return run_words(path, TN_WORDS(NULL));
}

#endif
