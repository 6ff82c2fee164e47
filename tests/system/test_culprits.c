/* test_culprits.c - types that fail without a word: the message names the type, its function and its library */
#define _GNU_SOURCE
#include "harness.h"

#include <math.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static const char *plugin; /* careless.so */

static int set_up(void **state)
{
    if (tn_scratch_open(state) != 0) return 1;
    plugin = tn_build_test_plugin("careless");
    return 0;
}

#define MASS "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.5, 0, 0]\n"
#define SPRING \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 4\n"
#define SENSOR "[[sensor]]\nname = 'p'\nelement = 'mass'\noutput = 'position'\n"
#define SOLVER(keys) "[solver]\nend_time = 1\nstep = 0.01\n" keys "\n"

/* Runs a model in which all types that are not installed come from the plugin: it fails, and everybody is told so. */
static tn_outcome run_to_failure(const char *model, const char *results)
{
    static const char *const types[] = {"careless",       "does_not_open", "loses_rows",
                                        "does_not_close", "not_created",   "always_singular",
                                        "identity",       "not_a_number",  "not_solved"};
    const char *text = "[plugins]\n";
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strstr(model, types[k])) text = tn_format("%s%s = '%s'\n", text, types[k], plugin);
    const char *file = tn_write("model.toml", tn_format("%s%s", text, model));
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--trust", "--quiet", "--out", results));
    assert_int_equal(outcome.status, 1);
    assert_string_equal(tn_run_text(results, "run.status"), "failed");
    return outcome;
}

static void check(const char *model, const char *const *words)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = run_to_failure(model, results);
    tn_check_holds(outcome.errors, TN_WORDS("error: the simulation failed at time ", plugin));
    tn_check_holds(outcome.errors, words);
    tn_check_holds(tn_run_text(results, "run.reason"), words);
}

/* ---- solvers --------------------------------------------------------------------------------------------- */

static void check_solver(const char *way, const char *const *words)
{
    check(tn_format(MASS SENSOR SOLVER("type = 'careless'\nway = '%s'"), way), words);
}
#define ADVANCE "`advance` of solver careless (plugin careless 1.2.3, "

static void test_solver_that_ends_at_another_time(void **state)
{
    (void)state;
    check_solver("early", TN_WORDS("at time 0.5 s: " ADVANCE, ") ended at 0.5 s, before `end_time` = 1 s"));
    check_solver("nothing", TN_WORDS("at time 0 s: " ADVANCE, ") ended at 0 s, before `end_time` = 1 s"));
    check_solver("late", TN_WORDS("at time 2 s: " ADVANCE, ") went on to 2 s, beyond `end_time` = 1 s"));
    check_solver("nan_time", TN_WORDS(ADVANCE, ") left a time that is not a number"));
    check_solver("unrecorded",
                 TN_WORDS(ADVANCE, "ended at `end_time` = 1 s, but handed over its last state at 0.75 s"));
}

static void test_solver_that_does_not_move_on(void **state)
{
    (void)state;
    check_solver("back", TN_WORDS(ADVANCE, ") went back in time, from 0.5 s to 0.1 s"));
    check_solver("still", TN_WORDS(ADVANCE, ") does not advance: it handed over 1000 states at 0.25 s"));
}

static void test_solver_that_leaves_no_numbers(void **state)
{
    (void)state;
    check_solver("nan", TN_WORDS("at time 0.5 s: " ADVANCE, "a state that is not finite: `mass.v1` is nan"));
}

static void test_solver_that_returns_without_a_reason(void **state)
{
    (void)state;
    check_solver("fails", TN_WORDS(ADVANCE, ") failed without a reason: unrecoverable failure"));
    check_solver(
        "stops",
        TN_WORDS(ADVANCE, "with the status of an event that has not occurred, before `end_time` = 1 s"));
}

/* What the model asks for is no mistake of the solver, unless it does not listen. */
static void test_solver_that_goes_on_behind_its_end(void **state)
{
    (void)state;
    check(MASS SENSOR SOLVER("type = 'careless'\nway = 'goes_on'\nstop_when = 'time > 0.4'"),
          TN_WORDS(ADVANCE, ") went on to 1 s, but the run was ended at 0.5 s"));
}

/* ---- writers --------------------------------------------------------------------------------------------- */

static void check_writer(const char *writer, const char *function, const char *table)
{
    check(tn_format(MASS SENSOR SOLVER("type = 'rk'") "[output]\nwriters = ['%s']\nstates = true\n", writer),
          TN_WORDS(tn_format("`%s` of writer %s (plugin careless 1.2.3, ", function, writer),
                   tn_format(") has failed for the table `%s`, so the results cannot be written", table)));
}

static void test_writers(void **state)
{
    (void)state;
    check_writer("does_not_open", "open", "sensors");
    check_writer("loses_rows", "row", "sensors");
    check_writer("does_not_close", "close", "sensors");
}

/* ---- linear solvers -------------------------------------------------------------------------------------- */

static void check_linear(const char *linear, const char *function, const char *what)
{
    check(tn_format(MASS SPRING SENSOR SOLVER("type = 'generalized_alpha'\nlinear = '%s'"), linear),
          TN_WORDS(tn_format("`%s` of linear %s (plugin careless 1.2.3, ", function, linear), what));
}

static void test_linear_solvers(void **state)
{
    (void)state;
    check_linear("not_created", "create", ") has failed for a matrix of size 3: unrecoverable failure");
    check_linear("not_solved", "solve", ") has failed for a matrix of size 3: unrecoverable failure");
    check_linear("always_singular", "factor", ") reports a regular matrix of size 3 as singular");
    check_linear("identity", "solve", ") gives a wrong solution for a matrix of size 3: its residual is");
    check_linear("not_a_number", "solve",
                 ") gives a solution that is not finite for a finite matrix of size 3");
}

static void test_solver_that_asks_too_early(void **state)
{
    (void)state;
    check_solver("no_pattern", TN_WORDS(ADVANCE, "has called factor() without the flag TN_NEEDS_MATRIX"));
}

/* ---- laws ------------------------------------------------------------------------------------------------ */

/* An element on one point; FORCE, TANGENT and ACCEPTED are what its functions do at their ends. */
static const char law[] =
    "#include <tenon/author.h>\n#include <poll.h>\n"
    "#define NAME(P) P(REAL, limit, \"s\", 0, 9.0, 0.0, TN_UNBOUNDED, \"when\")\n"
    "TN_PARAMETERS(law, NAME)\n"
    "TN_FORCE(law, TN_POINT, 1)\n{\n    wrench[0].force = tn_scale(tn_constant(-4.0), marker[0].position);\n"
    "#if TN_VALUES\n    const tn_host *host = context->batch->host;\n    (void)host;\n"
    "    const bool late = context->time > tn_value(self->limit);\n    (void)late;\n    %s\n#endif\n"
    "    return TN_OK;\n}\n"
    "#if TN_VALUES\nstatic TN_UNUSED tn_status tangent(tn_batch *batch)\n{\n"
    "    for (size_t i = 0; i < (size_t)batch->count * 18; i++) batch->tangent[i] = NAN;\n    return "
    "TN_OK;\n}\n"
    "static TN_UNUSED tn_status accepted(tn_batch *batch)\n{\n    if (batch->time > 0.045)\n"
    "        tn_refuse(batch->host, NULL, \"worn out\");\n    return TN_OK;\n}\n"
    "TN_PORTS(law, {\"markers\", \"any\", TN_POINT, 1, 1, 0})\n"
    "TN_ELEMENT(law, .summary = \"law\", .formula = \"-\", .ports = law_ports, TN_CAPABILITIES(%s))\n"
    "TN_LIBRARY(\"laws\", \"1.0.0\", \"Apache-2.0\", \"laws\", {TN_ELEMENT_KIND, &law_type})\n#endif\n";

#define LAW(name, more) "[[element]]\nname = '" name "'\ntype = 'law'\nmarkers = 'mass'\n" more "\n"
#define LAWS LAW("first", "") LAW("second", "limit = 0.045") MASS SENSOR SOLVER("type = 'generalized_alpha'")

/* Runs a model with that law. */
static tn_outcome run_law(const char *model, const char *in_force, const char *functions, const char *results)
{
    const char *library = tn_build_text("law", tn_format(law, in_force, functions));
    const char *file = tn_write("model.toml", tn_format("[plugins]\nlaw = '%s'\n%s", library, model));
    return tn_tenon(TN_WORDS("run", file, "--trust", "--quiet", "--out", results));
}

static void check_law(const char *in_force, const char *functions, const char *const *words)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = run_law(LAWS, in_force, functions, results);
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, words);
    tn_check_holds(tn_run_text(results, "run.reason"), words);
}

static void test_law_that_refuses(void **state)
{
    (void)state;
    const char *const *words =
        TN_WORDS("at time 0.05 s: law `second` (", "model.toml:8:1): too late by 0.005");
    const char *refuse = "if (late) tn_refuse(host, \"limit\", \"too late by %g\", context->time - 0.045);";
    check_law(refuse, "TN_HAS_FORCE(law)", words);
    check_law(tn_format("if (late) return %s", refuse + sizeof "if (late)"), "TN_HAS_FORCE(law)", words);
    check_law(
        "", "TN_HAS_FORCE(law), TN_HAS(data, .accepted = accepted)",
        TN_WORDS("at time 0.05 s: `accepted` of element law (plugin laws 1.0.0, ", ") refuses: worn out"));
}

static void test_law_that_speaks(void **state)
{
    (void)state;
    const char *say = "if (late) tn_say(host, TN_WARNING, \"it is late\");", *results = tn_scratch_path(NULL);
    tn_outcome outcome = run_law(MASS LAW("only", "limit = 0.995") SENSOR SOLVER("type = 'rk'"), say,
                                 "TN_HAS_FORCE(law)", results);
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors, TN_WORDS("model.toml:8:1: warning: only: at time 1 s: it is late"));
    outcome = run_law(LAWS, say, "TN_HAS_FORCE(law)", tn_scratch_path(NULL));
    tn_check_holds(outcome.errors, TN_WORDS("warning: one of 2 `law`: at time 0.05 s: it is late"));
}

static void test_tangent_that_is_no_number(void **state)
{
    (void)state;
    check_law("", "TN_HAS(force, .force = law_force, .force_tangent = tangent)",
              TN_WORDS("law `first` (", "): its tangent is nan, not a finite number"));
}

/* ---- sizes and setup ------------------------------------------------------------------------------------- */

/* An element on `ports` points whose layout asks for what LAYOUT says. */
static const char sizes[] =
    "#include <tenon/author.h>\nTN_NO_PARAMETERS(sized)\n%s(sized%s)\n{\n    (void)marker, (void)context;\n"
    "    return TN_OK;\n}\n#if TN_VALUES\n"
    "static tn_status layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *self, TN_UNUSED tn_layout "
    "*layout)"
    "\n{\n    %s;\n    return TN_OK;\n}\n"
    "static tn_status prepare(TN_UNUSED const tn_host *host, TN_UNUSED void *self) { return %s; }\n"
    "TN_PORTS(sized, {\"markers\", \"any\", TN_POINT, 1, 40, 0})\n"
    "TN_ELEMENT(sized, .summary = \"sized\", .formula = \"-\", .ports = sized_ports, .layout = layout, "
    ".prepare = prepare, TN_CAPABILITIES(TN_HAS_%s(sized)))\n"
    "TN_LIBRARY(\"sizes\", \"1.0.0\", \"Apache-2.0\", \"sizes\", {TN_ELEMENT_KIND, &sized_type})\n#endif\n";

static void check_refusal(const char *source, size_t markers, const char *const *words)
{
    const char *library = tn_build_text("sized", source), *list = "'mass'";
    for (size_t k = 1; k < markers; k++)
        list = tn_format("%s, 'mass'", list);
    (void)tn_write("model.toml",
                   tn_format("[plugins]\nsized = '%s'\n[[element]]\nname = 'big'\ntype = 'sized'\n"
                             "markers = [%s]\n" MASS SOLVER("type = 'rk'"),
                             library, list));
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", "model.toml", "--trust"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("model.toml:3:1: error: `big`", library));
    tn_check_holds(outcome.errors, words);
}

static const char *constraint_of(const char *layout)
{
    return tn_format(sizes, "TN_CONSTRAINT", "", layout, "TN_OK", "CONSTRAINT");
}

static const char *force_of(const char *layout, const char *prepare)
{
    return tn_format(sizes, "TN_FORCE", ", TN_ANY, 40", layout, prepare, "FORCE");
}

static void test_limits_of_elements(void **state)
{
    (void)state;
    check_refusal(constraint_of("layout->position_rows = 17"), 1,
                  TN_WORDS("`big` has 17 rows: a sized has at most 16"));
    check_refusal(constraint_of("layout->position_rows = 1"), 9,
                  TN_WORDS("`big` has 9 markers: a sized has at most 8"));
    check_refusal(force_of("(void)layout", "TN_OK"), 33,
                  TN_WORDS("`big` has 33 markers: a sized has at most 32"));
    check_refusal(force_of("layout->nd = 4294967295u", "TN_OK"), 1,
                  TN_WORDS("`big` has 4294967295 discrete data: a sized has at most 1000000"));
}

static void test_setup_that_fails_without_a_word(void **state)
{
    (void)state;
    check_refusal(force_of("return TN_FATAL", "TN_OK"), 1,
                  TN_WORDS("`big`: `layout` of element sized (plugin sizes 1.0.0, ",
                           ") has failed without a reason: unrecoverable failure"));
    check_refusal(force_of("(void)layout", "TN_INVALID"), 1,
                  TN_WORDS("`big`: `prepare` of element sized (plugin sizes 1.0.0, ",
                           ") has failed without a reason: wrong parameter or model"));
}

/* ---- bodies and markers ---------------------------------------------------------------------------------- */

static void check_body(const char *body, int status, const char *const *words)
{
    const char *file = tn_write(
        "model.toml",
        tn_format("[plugins]\n%s = '%s'\n[[element]]\nname = 'sledge'\ntype = '%s'\n"
                  "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nstiffness = 4\n"
                  "markers = [{element = 'ground', position = [9, 0, 0]}, 'sledge']\n" SOLVER("type = 'rk'"),
                  body, plugin, body));
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", file, "--trust", "--quiet", "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, status);
    tn_check_holds(outcome.errors, words);
}

/* The spring that reads the marker would be the first to suffer. */
static void test_bodies(void **state)
{
    (void)state;
    check_body("lost_body", 1,
               TN_WORDS("at time 0 s: lost_body `sledge` (",
                        "): its pose of a marker on it is nan, not a finite number"));
    check_body(
        "unfinished_body", 2,
        TN_WORDS(
            "model.toml:3:1: error: `sledge` carries markers, but its type unfinished_body has no function "
            "`pose`",
            plugin));
}

/* ---- markers --------------------------------------------------------------------------------------------- */

/* Markers in the middle of two points; KINEMATICS, TANGENT and FIXED are what goes wrong. */
static const char middle[] =
    "#include <tenon/author.h>\n"
    "#define NAME(P) P(REAL, bad, \"\", 0, 1.0, 0.0, 1.0, \"whether\")\nTN_PARAMETERS(middle, NAME)\n"
    "TN_KINEMATICS(middle, TN_POINT, TN_POINT, 1)\n{\n    out->position = marker[0].position;\n"
    "    out->velocity = marker[0].velocity;\n"
    "    const bool late = tn_value(self->bad) > 0.5 && context->time > 0.045;\n    (void)late;\n    %s\n"
    "    return TN_OK;\n}\n#if TN_VALUES\n"
    "static TN_UNUSED tn_status tangent(tn_batch *batch)\n{\n"
    "    const tn_status status = middle_kinematics_tangent(batch);\n"
    "    if (batch->time > 0.045) batch->tangent[18 * batch->count - 1] = NAN;\n    return status;\n}\n"
    "static tn_status middle_place(const void *self, tn_attachment *attachment)\n{\n"
    "    attachment->position[1] = ((const middle *)self)->bad > 0.5 ? NAN : 0.0;\n    return TN_OK;\n}\n"
    "TN_PORTS(middle, {\"markers\", \"one\", TN_POINT, 1, 1, 0})\n"
    "static const tn_marker_type fixed_type = {.struct_size = sizeof(tn_marker_type), .kind = TN_POINT,\n"
    "    .name = \"fixed_middle\", .summary = \"fixed\", .formula = \"-\", .parameters = middle_parameters,\n"
    "    .instance_size = sizeof(middle), TN_CAPABILITIES(TN_HAS(place, .local_pose = middle_place))};\n"
    "TN_MARKER(middle, .kind = TN_POINT, .summary = \"middle\", .formula = \"-\", .ports = middle_ports, "
    "TN_CAPABILITIES(%s))\n"
    "TN_LIBRARY(\"middles\", \"1.0.0\", \"Apache-2.0\", \"middles\", {TN_MARKER_KIND, &middle_type},\n"
    "    {TN_MARKER_KIND, &fixed_type})\n#endif\n";

#define MIDDLE(name, keys) "[[marker]]\nname = '" name "'\ntype = 'middle'\nmarkers = 'mass'\n" keys "\n"
#define HELD(name)                                                                                          \
    "[[element]]\nname = 'on_" name "'\ntype = 'spring_damper'\nstiffness = 4\nmarkers = ['ground', '" name \
    "']\n"

static tn_outcome run_middle(const char *model, const char *in_kinematics, const char *functions)
{
    const char *library = tn_build_text("middle", tn_format(middle, in_kinematics, functions));
    const char *file = tn_write("model.toml", tn_format("[plugins]\nmiddle = '%s'\nfixed_middle = '%s'\n%s",
                                                        library, library, model));
    return tn_tenon(TN_WORDS("run", file, "--trust", "--quiet", "--out", tn_scratch_path(NULL)));
}

/* Of two markers the second one is bad; the spring on it, and the mass below it, only suffer. */
static void check_middle(const char *in_kinematics, const char *functions, const char *words)
{
    static const char *const solvers[] = {SOLVER("type = 'generalized_alpha'"), SOLVER("type = 'rk'")};
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        const tn_outcome outcome = run_middle(tn_format(MIDDLE("good", "bad = 0") MIDDLE("poor", "")
                                                            MASS HELD("good") HELD("poor") "%s",
                                                        solvers[k]),
                                              in_kinematics, functions);
        assert_int_equal(outcome.status, 1);
        tn_check_holds(outcome.errors, TN_WORDS("middle `poor` (", "model.toml:9:1): ", words));
    }
}

static void test_markers_that_are_no_numbers(void **state)
{
    (void)state;
    check_middle("if (late) out->position.e[0] = out->position.e[0] * (double)NAN;",
                 "TN_HAS_KINEMATICS(middle)", "its pose is nan, not a finite number");
    check_middle("if (late) out->velocity.e[0] = out->velocity.e[0] * (double)NAN;",
                 "TN_HAS_KINEMATICS(middle)", "its twist is nan, not a finite number");
    check_middle("", "TN_HAS(kinematics, .kinematics = middle_kinematics, .kinematics_tangent = tangent)",
                 "its tangent is nan, not a finite number");
}

static void test_places_that_are_no_numbers(void **state)
{
    (void)state;
    const tn_outcome outcome =
        run_middle("[[marker]]\nname = 'poor'\ntype = 'fixed_middle'\nelement = 'mass'\n" MASS HELD("poor")
                       SOLVER("type = 'rk'"),
                   "", "TN_HAS_KINEMATICS(middle)");
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors,
                   TN_WORDS("model.toml:17:22: error: `poor`: `local_pose` of marker fixed_middle "
                            "(plugin middles 1.0.0, ",
                            ") gives a place that is not finite"));
}

/* ---- tangents of bodies ---------------------------------------------------------------------------------- */

/* A wheel whose angle is kept as cosine and sine; the tangent of its own force is no number from a time on. */
static const char wheel[] =
    "#include <tenon/author.h>\n"
    "#define NAME(P) P(REAL, limit, \"s\", 0, 9.0, 0.0, TN_UNBOUNDED, \"when\")\nTN_PARAMETERS(wheel, NAME)\n"
    "TN_BODY_FORCE(wheel, 2, 1)\n{\n    force[0] = -q[1] - v[0];\n    return TN_OK;\n}\n#if TN_VALUES\n"
    "static tn_status wheel_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *self, tn_layout "
    "*layout)\n"
    "{\n    layout->nq = 2;\n    layout->nv = 1;\n    return TN_OK;\n}\n"
    "static tn_status wheel_initial(TN_UNUSED const tn_host *host, TN_UNUSED const void *self, double *q, "
    "double *v,\n"
    "    TN_UNUSED double *x, TN_UNUSED double *s, TN_UNUSED double *d)\n"
    "{\n    q[0] = cos(1.0);\n    q[1] = sin(1.0);\n    v[0] = 0.0;\n    return TN_OK;\n}\n"
    "#define EACH for (size_t i = 0; i < batch->count; i++)\n"
    "static tn_status wheel_mass(tn_batch *batch)\n{\n    EACH batch->mass[i] = 1.0;\n    return TN_OK;\n}\n"
    "static tn_status wheel_rate(tn_batch *batch)\n{\n    EACH {\n"
    "        batch->rate[2 * i] = -batch->v[i] * batch->q[2 * i + 1];\n"
    "        batch->rate[2 * i + 1] = batch->v[i] * batch->q[2 * i];\n    }\n    return TN_OK;\n}\n"
    "static tn_status wheel_retract(tn_batch *batch)\n{\n    EACH {\n"
    "        const double angle = atan2(batch->q[2 * i + 1], batch->q[2 * i]) + batch->increment[i];\n"
    "        batch->configuration[2 * i] = cos(angle);\n        batch->configuration[2 * i + 1] = "
    "sin(angle);\n    }\n"
    "    return TN_OK;\n}\n"
    "static tn_status wheel_tangent(tn_batch *batch)\n{\n"
    "    const tn_status status = wheel_body_force_tangent(batch);\n"
    "    EACH if (batch->time >= ((const wheel *)tn_instance(batch, i))->limit) batch->tangent[2 * i] = "
    "NAN;\n"
    "    return status;\n}\n"
    "TN_ELEMENT(wheel, .summary = \"wheel\", .formula = \"-\", .layout = wheel_layout, .initial = "
    "wheel_initial,\n"
    "    TN_CAPABILITIES(TN_HAS(body, .mass = wheel_mass, .body_force = wheel_body_force,\n"
    "                           .body_force_tangent = wheel_tangent),\n"
    "                    TN_HAS(configuration, .rate = wheel_rate, .retract = wheel_retract)))\n"
    "TN_LIBRARY(\"wheels\", \"1.0.0\", \"Apache-2.0\", \"wheels\", {TN_ELEMENT_KIND, &wheel_type})\n#endif\n";

/* One of many, so that it is not among those that are handled together first. */
static void test_tangents_of_bodies_that_are_no_numbers(void **state)
{
    (void)state;
    const char *library = tn_build_text("wheel", wheel);
    const char *file =
        tn_write("model.toml", tn_format("[plugins]\nwheel = '%s'\n[[repeat]]\nvariable = 'i'\ncount = 300\n"
                                         "[[repeat.element]]\nname = 'wheel_{i}'\ntype = 'wheel'\n"
                                         "limit = '9 - 9*(i == 280)'\n" SOLVER("type = 'generalized_alpha'"),
                                         library));
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", file, "--trust", "--quiet", "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors,
                   TN_WORDS("wheel `wheel_280` (", "): its tangent is nan, not a finite number"));
}

/* ---- results --------------------------------------------------------------------------------------------- */

/* The run goes on, and the user is told once. */
static void check_told(const char *functions, const char *sensor, const char *words)
{
    const char *text = tn_format(law, "", functions), *end = strstr(text, "TN_PORTS");
    const char *more =
        "TN_OUTPUTS(law, {\"load\", \"of it\", \"N\", 1, 0})\n"
        "TN_OUTPUT(law, TN_POINT, 1)\n{\n    value[0] = context->time > 0.045 ? (double)NAN : 1.0;\n"
        "    return TN_OK;\n}\n"
        "TN_POTENTIAL(law, TN_POINT, 1)\n{\n    return context->time > 0.045 ? (double)NAN : 1.0;\n}\n"
        "TN_DISSIPATION(law, TN_POINT, 1)\n{\n    return context->time > 0.045 ? -3.0 : 1.0;\n}\n";
    const char *library = tn_build_text("law", tn_format("%.*s%s%s", (int)(end - text), text, more, end));
    const char *file = tn_write("model.toml", tn_format("[plugins]\nlaw = '%s'\n" MASS LAW("first", "")
                                                            SOLVER("type = 'rk'") "%s",
                                                        library, sensor));
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", file, "--trust", "--quiet", "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors, TN_WORDS("model.toml:8:1: warning: ", "(plugin laws 1.0.0, ", words));
}

static void test_results_that_cannot_be(void **state)
{
    (void)state;
    check_told("TN_HAS_FORCE(law)), .outputs = law_outputs, .output = (law_output",
               "[[sensor]]\nname = 'load'\nelement = 'first'\noutput = 'load'\n",
               ") gives a number that is not finite; nan is recorded where the sensor has no value");
    check_told("TN_HAS_FORCE(law), TN_HAS(energy, .potential = law_potential)",
               "[[sensor]]\nname = 'energy'\nsystem = 'potential_energy'\n",
               ") gives nan J, but an energy must be finite");
    check_told("TN_HAS_FORCE(law), TN_HAS(energy, .dissipation = law_dissipation)",
               "[[sensor]]\nname = 'lost'\nelement = 'first'\noutput = 'dissipated_energy'\n",
               ") gives -3 W, but dissipated power must not be negative");
}

/* ---- loops ----------------------------------------------------------------------------------------------- */

static void wait_for(double seconds)
{
    (void)nanosleep(&(struct timespec){(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))}, NULL);
}

/* Waits until the program has written these words; a test that waits in vain is ended by the time limit of all tests. */
static void wait_for_words(const char *file, const char *words)
{
    while (access(file, F_OK) != 0 || !strstr(tn_read(file), words))
        wait_for(0.05);
}

/* The first signal says where the program is, the second one ends it there. */
static void test_law_that_loops(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL), *place = "it is in force of element law `second` (";
    const char *library = tn_build_text(
        "law", tn_format(law, "if (late) { fputs(\"looping\\n\", stderr); " TN_ENDLESS_LOOP " }",
                         "TN_HAS_FORCE(law)"));
    (void)tn_write("model.toml", tn_format("[plugins]\nlaw = '%s'\n" MASS LAW("second", "limit = 0.045")
                                               SENSOR SOLVER("type = 'rk'"),
                                           library));
    const tn_child child =
        tn_start(TENON_BINARY, TN_WORDS("run", "model.toml", "--trust", "--quiet", "--out", results));
    wait_for_words(child.errors, "looping");
    (void)kill(child.process, SIGINT);
    wait_for_words(child.errors, "Ctrl-C once more ends it here");
    (void)kill(child.process, SIGINT);
    const tn_outcome outcome = tn_await(child);
    tn_check_holds(outcome.errors,
                   TN_WORDS("note: no step has been accepted since the program was asked to end: at "
                            "time 0.05 s: ",
                            place, "plugin laws 1.0.0, ", library));
    assert_int_equal(outcome.status, 128 + SIGINT);
    assert_string_equal(tn_run_text(results, "run.status"), "interrupted");
}

static void test_library_that_loops(void **state)
{
    (void)state;
    (void)tn_write("endless.c", "#include <tenon/plugin.h>\n#include <poll.h>\n"
                                "TN_EXPORT const tn_library *tn_plugin_library(void);\n"
                                "const tn_library *tn_plugin_library(void)\n{\n    " TN_ENDLESS_LOOP "\n}\n");
    const tn_outcome outcome = tn_await(tn_start(
        "sh", TN_WORDS("-c", "TENON_SDK=" TENON_SOURCE_DIR "/sdk " TENON_BINARY " build endless.c")));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("tenon build: endless.so was built, but is refused: "
                                            "`tn_plugin_library` did not return within 5 s"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solver_that_ends_at_another_time),
        cmocka_unit_test(test_solver_that_does_not_move_on),
        cmocka_unit_test(test_solver_that_leaves_no_numbers),
        cmocka_unit_test(test_solver_that_returns_without_a_reason),
        cmocka_unit_test(test_solver_that_goes_on_behind_its_end),
        cmocka_unit_test(test_writers),
        cmocka_unit_test(test_linear_solvers),
        cmocka_unit_test(test_solver_that_asks_too_early),
        cmocka_unit_test(test_law_that_refuses),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_markers_that_are_no_numbers),
        cmocka_unit_test(test_places_that_are_no_numbers),
        cmocka_unit_test(test_tangents_of_bodies_that_are_no_numbers),
        cmocka_unit_test(test_results_that_cannot_be),
        cmocka_unit_test(test_law_that_loops),
        cmocka_unit_test(test_library_that_loops),
        cmocka_unit_test(test_limits_of_elements),
        cmocka_unit_test(test_setup_that_fails_without_a_word),
        cmocka_unit_test(test_law_that_speaks),
        cmocka_unit_test(test_tangent_that_is_no_number),
    };
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}
