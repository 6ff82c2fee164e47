/* conditions.h - models whose motion crosses something at a time that is known, and the solvers that look for it */
#ifndef TENON_TESTS_SYSTEM_CONDITIONS_H
#define TENON_TESTS_SYSTEM_CONDITIONS_H

#include "harness.h"

#include <math.h>
#include <unistd.h>

/* z = 1 - 5 t^2, but for the thrust */
#define BALL                                                                                                 \
    "[model]\ngravity = [0, 0, -10]\n[[element]]\nname = 'ball'\ntype = 'mass_point'\nmass = 1\nposition = " \
    "[0, 0, "                                                                                                \
    "1]\n[[sensor]]\nname = 'p'\nelement = 'ball'\noutput = 'position'\n"
#define THRUST "[[element]]\nname = 'thrust'\ntype = 'force'\nmarkers = 'ball'\nvalue = [0, 0, 0]\n"
/* x = cos(2 t) */
#define SWING                                                                                            \
    "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n[[element]]\nname = " \
    "'s'\ntype = 'force'\nmarkers = 'm'\nvalue = ['-4*DX(m)', 0, 0]\n[[sensor]]\nname = 'p'\n"           \
    "element = 'm'\noutput = 'position'\n"
#define TOLERANCES "relative_tolerance = 1e-11\nabsolute_tolerance = 1e-12\n"

static const char *const adaptive[] = {"type = 'rk'\norder = 5\n" TOLERANCES, "type = 'radau'\n" TOLERANCES,
                                       "type = 'gsl_ode'\nstepper = 'rk8pd'\n" TOLERANCES,
                                       "type = 'gsl_ode'\nstepper = 'msadams'\n" TOLERANCES,
                                       "type = 'gsl_ode'\nstepper = 'bsimp'\n" TOLERANCES};
static const char *const fixed[] = {"type = 'rk'\nstep = 0.01\n", "type = 'generalized_alpha'\nstep = 0.01\n",
                                    "type = 'gsl_ode'\nstepper = 'rk4'\nadaptive = false\nstep = 0.01\n",
                                    "type = 'gsl_ode'\nstepper = 'rk4imp'\nadaptive = false\nstep = 0.01\n"};

/* gsl_ode is there where GSL is. */
static inline bool has_gsl(void) { return access(TENON_PLUGINS "/gsl_ode.so", R_OK) == 0; }
static inline size_t adaptive_count(void) { return has_gsl() ? sizeof adaptive / sizeof *adaptive : 2; }
static inline size_t fixed_count(void) { return has_gsl() ? sizeof fixed / sizeof *fixed : 2; }

static const char *results, *messages, *output;

static inline const tn_csv_table *run(const char *model)
{
    results = tn_scratch_path(NULL);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", tn_write("model.toml", model), "--out", results,
                                                 "--plugin-path", tn_scratch_path("")));
    if (outcome.status != 0) fail_msg("%s%s", model, outcome.errors);
    messages = outcome.errors;
    output = outcome.output;
    return tn_sensors(results);
}

static inline const tn_csv_table *solve(const char *model, const char *solver, const char *end)
{
    return run(tn_format("%s[solver]\n%send_time = %s\n", model, solver, end));
}

static inline double event_time(int number)
{
    return tn_run_number(results, tn_format("run.event.%d.time", number));
}
static inline double end_time(void) { return tn_run_number(results, "run.end_time"); }

static inline double last(const tn_csv_table *table, const char *column)
{
    return tn_csv_value(table, table->rows - 1, tn_column_of(table, column));
}

static inline void near(const char *what, double value, double right, double tolerance)
{
    if (!(fabs(value - right) <= tolerance)) fail_msg("%s: %.17g, not %.17g", what, value, right);
}

static inline void says(const char *text, const char *word, bool wanted)
{
    if ((strstr(text, word) != NULL) != wanted)
        fail_msg("\"%s\" is %sthere: %s", word, wanted ? "not " : "", text);
}

#endif
