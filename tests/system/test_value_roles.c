/* test_value_roles.c - one law in every place where numbers may change, by an expression, routines and scripts: the same motion
 *
 * The law is a + b x + c y + d x y + e sin(x), where x and y are what a role reads. A model has the same mechanism once for each way of
 * writing it: `@` in its text is the number of the way, `$` the value. */
#include "harness.h"

#include <math.h>

enum way {
    EXPRESSION,
    VARSUB,
    EXACT,
    PLAIN,
    TABLE,
    LUA,
    LUA_ASKS,
    LUA_EXACT,
    PYTHON,
    PYTHON_ASKS,
    PYTHON_DUAL,
    PYTHON_EXACT,
    WAYS
};

static const char *const names_of_ways[WAYS] = {"expression",
                                                "VARSUB",
                                                "TN_ROUTINE, dual",
                                                "TN_ROUTINE, differences",
                                                "table",
                                                "Lua",
                                                "Lua, asking",
                                                "Lua, derivatives",
                                                "Python",
                                                "Python, asking",
                                                "Python, dual",
                                                "Python, derivatives"};

/* Where the value stands: alone, in the table of a variable, as a function of arguments x, y, or called within an expression. */
enum place { ALONE, BESIDE, FUNCTION, CALLED };

/* Solvers by their letters. Reactions of index 3 are round-off of positions over the square of the step. */
static const struct solver {
    char letter;
    const char *keys;
} solvers[] = {
    {'k', "type = 'rk'\nstep = 2e-3"},
    {'a', "type = 'rk'\ntolerance = 1e-6"},
    {'3', "type = 'generalized_alpha'\nindex = 3\nstep = 2e-3"},
    {'2', "type = 'generalized_alpha'\nindex = 2\nstep = 2e-3"},
    {'r', "type = 'radau'\ntolerance = 1e-6"},
    {'i', "type = 'ida'\ntolerance = 1e-6"},
    {'g', "type = 'gsl_ode'\ntolerance = 1e-6"},
    {'m', "type = 'moreau'\nstep = 2e-3"},
};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

typedef struct role {
    const char *name, *x, *y, *numbers, *columns, *solvers, *model;
    enum place place;
} role;

#define MASS                                                                                                \
    "[[element]]\nname = 'm@'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0.2]\nvelocity = [0.3, 0, " \
    "0]\n"
#define SENSE(name, expression) "[[sensor]]\nname = '" name "@'\nexpression = '" expression "'\n"
#define X SENSE("x", "DX(m@)")
#define XZ X SENSE("z", "DZ(m@)")
#define VARIABLE(keys) "[[element]]\nname = 'v@'\nid = 1@\ntype = 'reference_variable'\n$\n" keys "\n"
#define PUSH(value) "[[element]]\nname = 'push@'\ntype = 'force'\nmarkers = 'm@'\nvalue = [" value ", 0, 0]\n"
#define HINGE                                                                                \
    "[[element]]\nname = 'arm@'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.2, 0.3]\n" \
    "[[element]]\nname = 'hinge@'\ntype = 'revolute'\nmarkers = ['ground', 'arm@']\n"
#define ALL "ka32rigm"

static const role roles[] = {
    {"force", "DX(m@)", "VX(m@)", "1, -30, -2, 0.5, 3", "x", ALL, MASS X PUSH("$"), ALONE},
    {"force function", "deltaL", "deltaL_t", "0.1, 30, 2, 0.5, 3", "x", ALL,
     MASS X "[[element]]\nname = 'spring@'\ntype = 'spring_damper'\nmarkers = ['ground', "
            "'m@']\nreference_length = 0.9\n"
            "force_function = $\n",
     FUNCTION},
    {"force on a coordinate", "COORD(m@)", "RATE(m@)", "1, -30, -2, 0.5, 3", "x", ALL,
     "[[element]]\nname = 'm@'\ntype = 'mass_1d'\nmass = 1\nposition = 0.4\n" SENSE(
         "x",
         "COORD(m@)") "[[element]]\nname = 'push@'\ntype = 'coordinate_force'\nmarkers = 'm@'\nvalue = $\n",
     ALONE},
    {"stiffness", "DX(m@)", "time", "30, 1, 2, 0.5, 3", "x", ALL,
     MASS X "[[element]]\nname = 'spring@'\ntype = 'spring_damper'\nmarkers = ['ground', "
            "'m@']\nreference_length = 0.9\n"
            "stiffness = $\n",
     ALONE},
    {"motion of an angle", "time", "sin(2*time)", "0.1, 0.3, 0.2, 0.5, 1", "E t", ALL,
     HINGE SENSE("E", "TZ(arm@)") SENSE(
         "t", "COORD(hinge@)") "[[element]]\nname = 'motor@'\ntype = 'motion'\njoint = 'hinge@'\nvalue = $\n",
     ALONE},
    {"motion of a rate", "time", "sin(2*time)", "0.1, 0.3, 0.2, 0.5, 1", "E t", ALL,
     HINGE SENSE("E", "TZ(arm@)")
         SENSE("t", "COORD(hinge@)") "[[element]]\nname = 'motor@'\ntype = 'motion'\njoint = 'hinge@'\nlevel "
                                     "= 'velocity'\nvalue = $\n",
     ALONE},
    {"motion of an acceleration", "time", "sin(2*time)", "0.1, 0.3, 0.2, 0.5, 1", "E t", ALL,
     HINGE SENSE("E", "TZ(arm@)")
         SENSE("t", "COORD(hinge@)") "[[element]]\nname = 'motor@'\ntype = 'motion'\njoint = 'hinge@'\nlevel "
                                     "= 'acceleration'\nvalue = $\n",
     ALONE},
    {"variable", "DX(m@)", "VX(m@)", "1, -30, -2, 0.5, 3", "x v", ALL,
     MASS X VARIABLE("") SENSE("v", "VARVAL(v@)") PUSH("'VARVAL(v@)'"), BESIDE},
    {"equation", "VARVAL(v@)", "DX(m@)", "0.3, 2, 5, 0.1, 0.5", "x v", ALL,
     MASS X VARIABLE("implicit = true") SENSE("v", "VARVAL(v@)") PUSH("'VARVAL(v@)'"), BESIDE},
    {"constraint", "DX(m@)", "DZ(m@)", "0, 0.2, 1, 0.1, 0.3", "x z V", ALL,
     MASS XZ VARIABLE("implicit = true") SENSE("V", "VARVAL(v@)") PUSH("'sin(10*time)'"), BESIDE},
    {"penalty", "DX(m@)", "DZ(m@)", "0, 0.2, 1, 0.1, 0.3", "x z v", ALL,
     MASS XZ VARIABLE("implicit = true\nautobalance = 'penalty'\npenalty = 1000\npenalty1 = 3")
         SENSE("v", "VARVAL(v@)"),
     BESIDE},
    {"servo", "DX(m@)", "time", "-1, 1, -0.3, 0.1, 0.3", "x z V", "ka32rig",
     MASS XZ VARIABLE("implicit = true\nautobalance = 'disabled'") SENSE("V", "VARVAL(v@)")
         PUSH("'VARVAL(v@)'"),
     BESIDE},
    {"integral", "DX(m@)", "VARVAL(v@)", "0.3, 2, -5, 0.1, 0.5", "x v", ALL,
     MASS X VARIABLE("integral = true\ninitial_value = 0.5") SENSE("v", "VARVAL(v@)") PUSH("'-VARVAL(v@)'"),
     BESIDE},
    {"loop of variables", "VARVAL(w@)", "DX(m@)", "0.3, 0.2, 5, 0.1, 0.5", "x v", ALL,
     MASS X VARIABLE("") "[[element]]\nname = 'w@'\nid = 2@\ntype = 'reference_variable'\nexpression = "
                         "'0.3*VARVAL(v@) + 0.1'\n" SENSE("v", "VARVAL(v@)") PUSH("'VARVAL(v@)'"),
     BESIDE},
    {"added mass", "ACCX(m@)", "VX(m@)", "1, -0.5, -2, 0.05, -0.3", "x", "ka32rig", MASS X PUSH("$"), ALONE},
    {"friction of a reaction", "JOINT(rail@, 1, 1)", "VX(m@)", "0, 0.01, -2, 0.05, 0.3", "x", "ka32rig",
     MASS X "[[element]]\nname = 'rail@'\ntype = 'distance'\nmarkers = ['ground', 'm@']\n" PUSH("$"), ALONE},
    {"sensor", "DX(m@)", "ACCX(m@)", "1, -30, -2, 0.5, 3", "s", ALL,
     MASS "[[sensor]]\nname = 's@'\nexpression = $\n" PUSH("'-20*DX(m@)'"), ALONE},
    {"contact law", "DZ(m@)", "VZ(m@)", "40, -200, -20, 0, -3", "z", ALL,
     MASS SENSE("z", "DZ(m@)") "[[element]]\nname = 'floor@'\ntype = 'force'\nmarkers = 'm@'\n"
                               "value = [0, 0, 'IF(DZ(m@) - 0.18: $, 0, 0) - 9.81']\n",
     CALLED},
    {"past", "DX(m@)", "VX(m@)", "1, -30, -2, 0.5, 3", "x", "ka32rigm", MASS X PUSH("'DELAY($, 0.05, 0)'"),
     CALLED},
    {"event", "DX(m@)", "time", "-1.05, 1, 0.1, 0.1, 0.01", "x", ALL,
     MASS X PUSH("-1") "[[change]]\ncrosses = $\nelement = 'push@'\nactive = false\n", ALONE},
    {"block", "DX(m@)", "VX(m@)", "1, -30, -2, 0.5, 3", "x", ALL,
     MASS X "[[element]]\nname = 'block@'\ntype = 'transfer_function'\ninput = $\nnumerator = "
            "[1]\ndenominator = [0.02, 1]\n" PUSH("'ARYVAL(block@)'"),
     ALONE},
    {"sampled block", "DX(m@)", "VX(m@)", "1, -30, -2, 0.5, 3", "x", ALL,
     MASS X "[[element]]\nname = 'block@'\ntype = 'transfer_function'\ninput = $\nnumerator = "
            "[0.5]\ndenominator = [1, -0.5]\n"
            "period = 0.02\n" PUSH("'ARYVAL(block@)'"),
     ALONE},
    {"input", "lift", "VX(m@)", "1, 2, -2, 0.5, 3", "x", ALL, MASS X PUSH("$"), ALONE},
};
enum { ROLES = sizeof roles / sizeof *roles };

/* ---- texts ------------------------------------------------------------------------------------------------- */

/* `text` with a word in place of each such letter. */
static const char *replace(const char *text, char letter, const char *word)
{
    const char *whole = "";
    for (const char *at; (at = strchr(text, letter)); text = at + 1)
        whole = tn_format("%s%.*s%s", whole, (int)(at - text), text, word);
    return tn_format("%s%s", whole, text);
}

/* Its function gets x and y from a call. */
static bool has_arguments(const role *r) { return r->place == FUNCTION || r->place == CALLED; }

static const char *expression_of(const role *r)
{
    double n[5];
    assert_int_equal(sscanf(r->numbers, "%lf, %lf, %lf, %lf, %lf", n, n + 1, n + 2, n + 3, n + 4), 5);
    return tn_format("(%.17g) + (%.17g)*(%s) + (%.17g)*(%s) + (%.17g)*(%s)*(%s) + (%.17g)*sin(%s)", n[0],
                     n[1], r->x, n[2], r->y, n[3], r->x, r->y, n[4], r->x);
}

/* The keys of a way, with | between them. */
static const char *keys_of(const role *r, enum way way)
{
    static const char *const files[WAYS] = {
        [VARSUB] = "library = 'varsub.so'",  [EXACT] = "library = 'dual.so'",
        [PLAIN] = "library = 'plain.so'",    [TABLE] = "library = 'plain.so'",
        [LUA] = "script = 'law.lua'",        [LUA_ASKS] = "script = 'law.lua'",
        [LUA_EXACT] = "script = 'law.lua'",  [PYTHON] = "script = 'law.py'",
        [PYTHON_ASKS] = "script = 'law.py'", [PYTHON_DUAL] = "script = 'law.py'",
        [PYTHON_EXACT] = "script = 'law.py'"};
    static const char *const functions[WAYS] = {
        [VARSUB] = "arguments", [EXACT] = "law",       [PLAIN] = "law",         [TABLE] = "exact",
        [LUA] = "law",          [LUA_ASKS] = "law",    [LUA_EXACT] = "exact",   [PYTHON] = "law",
        [PYTHON_ASKS] = "law",  [PYTHON_DUAL] = "law", [PYTHON_EXACT] = "exact"};
    const char *numbers =
        tn_format("|parameters = '%s'%s", r->numbers, way == PYTHON_DUAL ? "|dual = true" : "");
    if (has_arguments(r))
        return tn_format("%s|function = '%s'|arguments = 2%s", files[way], functions[way], numbers);
    if (way == VARSUB || way == LUA_ASKS || way == PYTHON_ASKS)
        return tn_format("%s|function = 'role_%d'%s", files[way], (int)(r - roles), numbers);
    return tn_format("%s|function = '%s'|reads = ['%s', '%s']%s", files[way], functions[way], r->x, r->y,
                     numbers);
}

/* A mechanism with its value, by one way. */
static const char *mechanism_of(const role *r, enum way way)
{
    static const char *const types[WAYS] = {[VARSUB] = "routine",
                                            [EXACT] = "routine",
                                            [PLAIN] = "routine",
                                            [TABLE] = "routine",
                                            [LUA] = "lua",
                                            [LUA_ASKS] = "lua",
                                            [LUA_EXACT] = "lua",
                                            [PYTHON] = "python",
                                            [PYTHON_ASKS] = "python",
                                            [PYTHON_DUAL] = "python",
                                            [PYTHON_EXACT] = "python"};
    const char *keys = way == EXPRESSION ? NULL : keys_of(r, way),
               *value = keys ? tn_format("{ %s }", replace(keys, '|', ", ")) : NULL, *signal = "";
    if (!keys) {
        value = tn_format(r->place == CALLED   ? "%s"
                          : r->place == BESIDE ? "expression = '%s'"
                                               : "'%s'",
                          expression_of(r));
    } else if (r->place == CALLED) {
        signal =
            tn_format("[[signal]]\nname = 'law@'\ntype = '%s'\n%s\n", types[way], replace(keys, '|', "\n"));
        value = tn_format("%s(law@, %s, %s)", types[way], r->x, r->y);
    } else if (r->place == BESIDE && way == PYTHON_DUAL) {
        value = tn_format("expression = %s", value);
    } else if (r->place == BESIDE) {
        value = tn_format("type_of = '%s'\n%s", way < LUA ? "library" : "script", replace(keys, '|', "\n"));
    }
    return replace(tn_format("%s%s", signal, replace(r->model, '$', value)), '@', tn_format("%d", way));
}

static const char *model_of(const role *r, const struct solver *solver)
{
    const char *text = "[[input]]\nname = 'lift'\nvalue = 0.7\n";
    for (enum way way = EXPRESSION; way < WAYS; way++)
        text = tn_format("%s%s", text, mechanism_of(r, way));
    return tn_format("%s[solver]\n%s\nend_time = 0.3\n", text, solver->keys);
}

/* ---- files ------------------------------------------------------------------------------------------------- */

static const char c_text[] =
    "#include <tenon/routine.h>\n"
    "TN_ROUTINE(law)\n{\n"
    "    const tn_real *at = call->arguments ? argument : reading, x = at[0], y = at[1];\n"
    "    const double *p = parameter;\n"
    "    return p[0] + p[1] * x + p[2] * y + p[3] * x * y + p[4] * tn_sin(x);\n"
    "}\n"
    "#if TN_VALUES\n"
    "static tn_status exact(tn_routine_call *call)\n{\n"
    "    const double *at = call->arguments ? call->argument : call->reading, x = at[0], y = at[1], *p = "
    "call->parameter;\n"
    "    call->value = p[0] + p[1] * x + p[2] * y + p[3] * x * y + p[4] * sin(x);\n"
    "    if (call->first) call->first[0] = p[1] + p[3] * y + p[4] * cos(x), call->first[1] = p[2] + p[3] * "
    "x;\n"
    "    if (call->second) {\n"
    "        call->second[0] = -p[4] * sin(x);\n"
    "        call->second[1] = call->second[2] = p[3];\n"
    "        call->second[3] = 0.0;\n"
    "    }\n"
    "    return TN_OK;\n}\n"
    "TN_EXPORT extern const tn_routine_table tn_routine_exact;\n"
    "const tn_routine_table tn_routine_exact = {sizeof(tn_routine_table), 2, 0, exact};\n"
    "#endif\n";

#define VARSUB_HEAD(name)                                                                          \
    "void " name "(int *id, double *time, double *par, int *npar, int *dflag, int *iflag, double " \
    "*value)\n{\n"
#define VARSUB_TAIL "    *value = par[0] + par[1] * x + par[2] * y + par[3] * x * y + par[4] * sin(x);\n}\n"

/* A function for each role, which asks for what it reads. */
static const char *varsub_text(void)
{
    const char *text = "#include <tenon/routine.h>\n#include <math.h>\n" VARSUB_HEAD(
        "arguments") "    const double x = par[5], y = par[6];\n" VARSUB_TAIL;
    for (int k = 0; k < ROLES; k++)
        text = tn_format("%s" VARSUB_HEAD("role_%d") "    double x, y;\n    int wrong;\n"
                                                     "    c_sysfnc(\"%s\", 0, 0, &x, &wrong);\n    "
                                                     "c_sysfnc(\"%s\", 0, 0, &y, &wrong);\n" VARSUB_TAIL,
                         text, k, replace(roles[k].x, '@', tn_format("%d", VARSUB)),
                         replace(roles[k].y, '@', tn_format("%d", VARSUB)));
    return text;
}

static const char *lua_text(void)
{
    const char *text = "local sin, cos = math.sin, math.cos\n"
                       "function law(x, y, a, b, c, d, e) return a + b*x + c*y + d*x*y + e*sin(x) end\n"
                       "function exact(x, y, a, b, c, d, e)\n"
                       "  return law(x, y, a, b, c, d, e), b + d*y + e*cos(x), c + d*x\nend\n";
    for (int k = 0; k < ROLES; k++)
        text = tn_format("%sfunction role_%d(id, time, par)\n"
                         "  return law(sysfnc('%s') + 0, sysfnc('%s') + 0, table.unpack(par))\nend\n",
                         text, k, replace(roles[k].x, '@', tn_format("%d", LUA_ASKS)),
                         replace(roles[k].y, '@', tn_format("%d", LUA_ASKS)));
    return text;
}

static const char *python_text(void)
{
    const char *text = "from math import sin, cos\n"
                       "def law(x, y, a, b, c, d, e):\n    return a + b*x + c*y + d*x*y + e*sin(x)\n"
                       "def exact(x, y, a, b, c, d, e):\n    return law(x, y, a, b, c, d, e), [b + d*y + "
                       "e*cos(x), c + d*x]\n";
    for (int k = 0; k < ROLES; k++)
        text = tn_format("%sdef role_%d(id, time, par, npar, dflag, iflag):\n"
                         "    return law(sysfnc('%s'), sysfnc('%s'), *par)\n",
                         text, k, replace(roles[k].x, '@', tn_format("%d", PYTHON_ASKS)),
                         replace(roles[k].y, '@', tn_format("%d", PYTHON_ASKS)));
    return text;
}

static bool compile(const char *source, const char *name)
{
    const char *command =
        tn_format("cc -std=gnu17 -O2 -shared -fPIC -I" TENON_SOURCE_DIR "/sdk/include %s -o %s -lm", source,
                  tn_scratch_path(name));
    const tn_outcome made = tn_await(tn_start("/bin/sh", TN_WORDS("-c", command)));
    if (made.status) print_error("%s", made.errors);
    return made.status == 0;
}

static int set_up(void **state)
{
    if (tn_scratch_open(state)) return 1;
    const char *source = tn_write("texts.c", c_text);
    const tn_outcome built = tn_tenon(TN_WORDS("build", source, "-o", tn_scratch_path("dual.so")));
    if (built.status) print_error("%s", built.errors);
    (void)tn_write("law.lua", lua_text());
    (void)tn_write("law.py", python_text());
    return built.status || !compile(source, "plain.so") ||
           !compile(tn_write("varsub.c", varsub_text()), "varsub.so");
}

/* ---- comparison -------------------------------------------------------------------------------------------- */

static bool has_differences(enum way way)
{
    return way == VARSUB || way == PLAIN || way == LUA || way == LUA_ASKS || way == PYTHON ||
           way == PYTHON_ASKS;
}

/* The largest difference of a column of one way from that of the expression; *size: the largest value. */
static double difference_of(const tn_csv_table *table, const char *column, enum way way, double *size)
{
    const size_t own = tn_column_of(table, tn_format("%s0", column)),
                 other = tn_column_of(table, tn_format("%s%d", column, way));
    double largest = 0.0;
    *size = 0.0;
    for (size_t row = 0; row < table->rows; row++) {
        const double *at = table->value + row * table->columns;
        largest = fmax(largest, isfinite(at[other]) ? fabs(at[own] - at[other]) : HUGE_VAL);
        *size = fmax(*size, fabs(at[own]));
    }
    return largest;
}

/* Tells all that differs; how many. */
static int compare(const role *r, const struct solver *solver, const tn_csv_table *table)
{
    int faults = 0;
    for (const char *at = r->columns; *at; at += strcspn(at, " "), at += strspn(at, " "))
        for (enum way way = VARSUB; way < WAYS; way++) {
            const char *name = tn_format("%.*s", (int)strcspn(at, " "), at);
            double size;
            const double difference = difference_of(table, name, way, &size);
            const bool reaction = *name < 'a' && strstr(solver->keys, "index");
            const double tolerance = reaction ? 1e-7 : has_differences(way) ? 1e-9 : 1e-12;
            if (table->rows > 3 && size > 0.0 && difference <= tolerance * (1.0 + size)) continue;
            print_error("%s, %s: `%s` of %g differs by %g\n", r->name, names_of_ways[way], name, size,
                        difference);
            faults++;
        }
    return faults;
}

static int run_and_compare(const role *r, const struct solver *solver)
{
    const char *model = tn_write("role.toml", model_of(r, solver));
    const tn_outcome run = tn_tenon(TN_WORDS("run", model, "--trust", "--quiet", "--out", "results"));
    if (run.status == 0) return compare(r, solver, tn_sensors(tn_scratch_path("results")));
    print_error("%s: exit %d: %s", r->name, run.status, run.errors);
    return 1;
}

static void a_value_is_the_same_in_all_languages(void **state)
{
    int faults = 0;
    for (size_t k = 0; k < ROLES; k++)
        if (strchr(roles[k].solvers, ((const struct solver *)*state)->letter))
            faults += run_and_compare(&roles[k], *state);
    assert_int_equal(faults, 0);
}

int main(void)
{
    tn_need_plugin("python");
    tn_need_plugin("lua");
    struct CMUnitTest tests[SOLVERS];
    for (int k = 0; k < SOLVERS; k++)
        tests[k] = (struct CMUnitTest){.name = solvers[k].keys,
                                       .test_func = a_value_is_the_same_in_all_languages,
                                       .initial_state = (void *)(uintptr_t)&solvers[k]};
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}
