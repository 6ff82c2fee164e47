/* trial_model.c - small models that use a type (see trial_model.h): what stands around it, by its kind */
#include "cli/trial_model.h"

#include "base/text.h"
#include "cli/trial_element.h"
#include "config/toml.h"
#include "config/standard.h"
#include "config/printed_text.h"

#include <tenon/draft/impulses.h>

#include <string.h>

/* ---- what all models have -------------------------------------------------------------------------------- */

static void write_head(FILE *to, const tn_trial_subject *subject)
{
    (void)fprintf(to, "# %s %s\n[plugins]\n%s = ", subject->kind->key, subject->name, subject->name);
    tn_toml_print_text(to, subject->library, strlen(subject->library));
    (void)fputs("\n\n[model]\ngravity = [0.5, -0.25, -9.81]\n", to);
}

static void write_sums(FILE *to)
{
    (void)fputs("\n[[sensor]]\nname = \"balance\"\nsystem = \"energy_balance\"\n"
                "\n[[sensor]]\nname = \"energy\"\nsystem = \"total_energy\"\n",
                to);
}

#define TIMES "end_time = 0.01\nstep = 0.001\n"

static void write_usual_solver(FILE *to, tn_trial_extra extra)
{
    (void)fputs(extra == TN_TRIAL_FREE_STEPS ? "\n[solver]\ntype = \"" TN_TRIAL_ADAPTIVE
                                               "\"\norder = 5\nadaptive = true\n" TIMES
                                             : "\n[solver]\ntype = \"" TN_TRIAL_IMPLICIT "\"\n" TIMES,
                to);
}

/* ---- solvers, linear and constraint solvers, writers -------------------------------------------------------------------- */

/* A body on a spring, and, unless it is free, on a hinge. */
static void write_pendulum(FILE *to, bool is_free)
{
    (void)fputs("\n[[element]]\nname = \"pendulum\"\ntype = \"" TN_TRIAL_BODY
                "\"\nmass = 2\ninertia = [0.2, 0.3, 0.4]\nposition = [1, 0, 0]\n"
                "\n[[element]]\nname = \"spring\"\ntype = \"" TN_TRIAL_SPRING
                "\"\nmarkers = [{ element = \"ground\", position = [0, 0, 2] }, \"pendulum\"]\n"
                "reference_length = 1\nstiffness = 100\ndamping = 1\n"
                "\n[[sensor]]\nname = \"position\"\nelement = \"pendulum\"\noutput = \"position\"\n",
                to);
    if (!is_free)
        (void)fputs("\n[[element]]\nname = \"hinge\"\ntype = \"" TN_TRIAL_JOINT "\"\nmarkers = ["
                    "\"ground\", { element = \"pendulum\", position = [-1, 0, 0] }]\n",
                    to);
}

/* The type with its parameters as an entry of another table. */
static void write_type_entry(FILE *to, const tn_trial_subject *subject, const tn_trial_values *values)
{
    (void)fprintf(to, "{ type = \"%s\"", subject->name);
    tn_trial_write_values(to, subject->parameters, values, ", ", "");
    (void)fputs(" }", to);
}

static void write_solver(FILE *to, const tn_trial_subject *subject, const tn_trial_shape *shape,
                         tn_trial_extra extra)
{
    const tn_loaded_solver *type = subject->type;
    const bool adaptive =
        type->flags & TN_ONLY_ADAPTIVE || (type->flags & TN_ADAPTIVE && extra == TN_TRIAL_FREE_STEPS);
    write_pendulum(to, shape->use > 0);
    write_sums(to);
    (void)fprintf(to, "\n[solver]\ntype = \"%s\"\n" TIMES "%s", type->name,
                  adaptive ? "adaptive = true\n" : "");
    tn_trial_write_values(to, type->parameters, &shape->values, "", "\n");
}

static void write_linear(FILE *to, const tn_trial_subject *subject, const tn_trial_shape *shape)
{
    write_pendulum(to, shape->use > 0);
    write_usual_solver(to, TN_TRIAL_PLAIN);
    (void)fputs("linear = ", to);
    write_type_entry(to, subject, &shape->values);
    (void)fputs("\n", to);
}

/* Joints alone, as any constraint solver can find their impulses. */
static void write_constraint_solver(FILE *to, const tn_trial_subject *subject, const tn_trial_shape *shape)
{
    write_pendulum(to, false);
    write_sums(to);
    (void)fputs("\n[solver]\ntype = \"" TN_TRIAL_BY_IMPULSES "\"\n" TIMES "constraint_solver = ", to);
    write_type_entry(to, subject, &shape->values);
    (void)fputs("\n", to);
}

static void write_writer(FILE *to, const tn_trial_subject *subject, const tn_trial_shape *shape)
{
    write_pendulum(to, false);
    write_sums(to);
    write_usual_solver(to, TN_TRIAL_PLAIN);
    (void)fputs("\n[output]\nstates = true\nwriters = [", to);
    write_type_entry(to, subject, &shape->values);
    (void)fputs("]\n", to);
}

/* ---- functions of expressions ---------------------------------------------------------------------------- */

/* The arguments that are not left out: the first one varies, the others are zero, or are not. A signal stands in front, or as
 * the third one where the data are those of another function. */
static void write_call(FILE *to, const tn_function_type *type, const tn_trial_shape *shape)
{
    const bool by_instance =
        ((const tn_loaded_function *)(const void *)type)->argument_count; /* none, by default */
    const uint32_t all = by_instance       ? 0
                         : shape->use & 1u ? type->arguments
                                           : type->arguments - type->optional;
    const bool has_data = type->parameters && type->parameters->name;
    (void)fprintf(to, "%s(%s%s", type->name, has_data ? "data" : "", has_data && all ? ", " : "");
    for (uint32_t k = 0; k < all; k++) {
        (void)fprintf(to, k ? ", %g" : "0.5 + time", shape->use & 2u ? 0.5 + 0.25 * k : 0.0);
        if (type->data_of && k == 1) (void)fputs(", data", to);
    }
    (void)fputs(")", to);
}

static void write_function(FILE *to, const tn_trial_subject *subject, const tn_trial_shape *shape)
{
    const tn_function_type *type = subject->type;
    const bool has_data = type->parameters && type->parameters->name;
    if (has_data || type->data_of) {
        (void)fprintf(to, "\n[[signal]]\nname = \"data\"\ntype = \"%s\"\n",
                      has_data ? type->name : type->data_of);
        /* data of another function are of the only type of which a table is known */
        if (has_data)
            tn_trial_write_values(to, type->parameters, &shape->values, "", "\n");
        else
            (void)fputs("x = [0, 1, 2, 3, 4, 5, 6]\ny = [0, 1, 4, 2, 3, 1, 0]\n", to);
    }
    write_pendulum(to, false);
    (void)fputs("\n[[element]]\nname = \"user\"\ntype = \"" TN_TRIAL_SPRING
                "\"\nmarkers = [{ element = \"ground\", position = [3, 0, 0] }, \"pendulum\"]\n"
                "stiffness = 50\nforce = \"",
                to);
    write_call(to, type, shape);
    (void)fputs("\"\n\n[[sensor]]\nname = \"value\"\nexpression = \"", to);
    write_call(to, type, shape);
    (void)fputs("\"\n", to);
    write_usual_solver(to, TN_TRIAL_PLAIN);
}

/* ---- measures -------------------------------------------------------------------------------------------- */

/* Of forces that a spring exerts. */
static void write_measure(FILE *to, const tn_trial_subject *subject)
{
    static const char *const arguments[] = {[TN_MEASURE_MARKER] = "(pendulum)",
                                            [TN_MEASURE_FORCE] = "(user, 1, 2)",
                                            [TN_MEASURE_CONSTRAINT] = "(user, 1, 2)",
                                            [TN_MEASURE_VARIABLE] = "(row, pendulum, 2)"};
    const tn_measure_type *type = subject->type;
    write_pendulum(to, false);
    (void)fputs(
        "\n[[element]]\nname = \"user\"\ntype = \"" TN_TRIAL_SPRING
        "\"\nmarkers = [{ element = \"ground\", position = [3, 0, 0] }, \"pendulum\"]\n"
        "stiffness = 50\n\n[[element]]\nname = \"row\"\ntype = \"" TN_TRIAL_VARIABLE
        "\"\nexpression = \"DM(pendulum)\"\nimplicit = true\nautobalance = \"penalty\"\n\n[[sensor]]\nname = "
        "\"value\"\nexpression = \"",
        to);
    (void)fprintf(to, "%s%s\"\n", type->name, arguments[type->form]);
    write_usual_solver(to, TN_TRIAL_PLAIN);
}

/* ---- all kinds ------------------------------------------------------------------------------------------- */

/* The number of a way as digits: what is written first changes most often. */
static tn_trial_shape shape_of(unsigned way, tn_trial_extra extra)
{
    static const unsigned lengths[] = {7, 3, 2, 1};
    const unsigned ports = way / 4 % 4, use = way / 16 % 4;
    return (tn_trial_shape){.values = {.most = extra == TN_TRIAL_MOST_VALUES,
                                       .all = way % 2 || extra == TN_TRIAL_ALL_VALUES,
                                       .length = lengths[ports]},
                            .swapped = way / 2 % 2,
                            .ports = extra == TN_TRIAL_ALL_PORTS ? TN_TRIAL_PORTS_FILLED : ports,
                            .use = extra == TN_TRIAL_OTHER_USE ? (use + 1) % 4 : use,
                            .silent = way / 64 % 2};
}

bool tn_trial_coincides(const tn_trial_subject *subject, unsigned way)
{
    const tn_trial_shape shape = shape_of(way, TN_TRIAL_PLAIN);
    return tn_trial_stand_together(subject, &shape);
}

static void write_model(FILE *to, const tn_trial_subject *subject, const tn_trial_shape *shape,
                        tn_trial_extra extra)
{
    const char *kind = subject->kind->key;
    write_head(to, subject);
    if (!strcmp(kind, TN_SOLVER_KIND)) {
        write_solver(to, subject, shape, extra);
    } else if (!strcmp(kind, TN_LINEAR_KIND)) {
        write_linear(to, subject, shape);
    } else if (!strcmp(kind, TN_CONSTRAINT_SOLVER_KIND)) {
        write_constraint_solver(to, subject, shape);
    } else if (!strcmp(kind, TN_WRITER_KIND)) {
        write_writer(to, subject, shape);
    } else if (!strcmp(kind, TN_FUNCTION_KIND)) {
        write_function(to, subject, shape);
    } else if (!strcmp(kind, TN_MEASURE_KIND)) {
        write_measure(to, subject);
    } else {
        if (!strcmp(kind, TN_MARKER_KIND))
            tn_trial_write_marker(to, subject, shape, extra);
        else
            tn_trial_write_element(to, subject, shape, extra);
        write_sums(to);
        write_usual_solver(to, extra);
    }
}

char *tn_trial_model(const tn_trial_subject *subject, unsigned way, tn_trial_extra extra)
{
    const tn_trial_shape shape = shape_of(way, extra);
    tn_text_file text;
    tn_text_file_open(&text);
    write_model(text.file, subject, &shape, extra);
    return tn_text_file_close(&text);
}
