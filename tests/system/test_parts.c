/* test_parts.c - a model in several files does what the same model in one file does, and can be run again */
#define _GNU_SOURCE
#include "harness.h"

#include <math.h>
#include <sys/stat.h>

#define SOLVER "[solver]\ntype = 'generalized_alpha'\nend_time = 0.2\nstep = 0.01\n"
#define MASS(place) "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = " place "\n"
#define SPRING(rest)                                                                                        \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 'k'\n" \
    "reference_length = 1\n" rest
#define POSITION(name) "[[sensor]]\nname = '" name "'\nelement = '" name "'\noutput = 'position'\n"
#define PART(name, file) "[[part]]\nname = '" name "'\nfile = '" file "'\n"

static const char swing_file[] = "[parameters]\nk = 100\n" MASS("[1.2, 0, 0]") SPRING("") POSITION("mass");

/* Runs a file of the scratch directory; its results. */
static const char *run(const char *file, const char *const *more)
{
    const char *results = tn_scratch_path(NULL);
    const char *words[32] = {"run", file, "--quiet", "--out", results};
    for (size_t k = 0; more && more[k]; k++)
        words[5 + k] = more[k];
    const tn_outcome outcome = tn_tenon(words);
    if (outcome.status != 0) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    assert_string_equal(outcome.errors, "");
    return results;
}

static const tn_csv_table *simulate(const char *model, const char *const *more)
{
    return tn_sensors(run(tn_write("parts.toml", model), more));
}

static const char *sensors_of(const char *results) { return tn_read(tn_format("%s/sensors.csv", results)); }

/* Every column of `a` stands in `b` with equal values. */
static void check_equal(const tn_csv_table *a, const tn_csv_table *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    for (size_t k = 0; k < a->columns; k++) {
        const size_t column = tn_column_of(b, a->name[k]);
        for (size_t row = 0; row < a->rows; row++) {
            const double x = tn_csv_value(a, row, k), y = tn_csv_value(b, row, column);
            if (!(x == y)) fail_msg("%s, row %zu: %.17g and %.17g", a->name[k], row, x, y);
        }
    }
}

/* ---- names and numbers ----------------------------------------------------------------------------------- */

static void columns_carry_the_names_of_parts(void **state)
{
    (void)state;
    (void)tn_write("swing.toml", swing_file);
    (void)tn_write("pair.toml",
                   "[parameters]\nk = 50\n" PART("one", "swing.toml") "parameters = { k = 'k' }\n" PART(
                       "two", "swing.toml") "parameters = { k = '2*k' }\n");
    const tn_csv_table *table = simulate(PART("a", "swing.toml") PART("b", "pair.toml") SOLVER, NULL);
    assert_int_equal(table->columns, 1 + 3 * 3);
    const double a = tn_value_at(table, "a.mass.x", 0.2), one = tn_value_at(table, "b.one.mass.x", 0.2);
    assert_true(tn_value_at(table, "b.two.mass.x", 0.2) == a); /* 2*50 = 100, the default */
    assert_true(one > a + 0.1);                                /* softer: it is still coming */
}

/* A part sees parameters of its own only; those that are handed over are worked out around it. */
static void parameters_are_handed_over(void **state)
{
    (void)state;
    (void)tn_write("swing.toml", swing_file);
    const tn_csv_table *plain =
        simulate("[parameters]\nk = 7\nsoft = 'k*5'\n" PART(
                     "a", "swing.toml") "parameters = { k = 'soft/0.7 [N/m]' }\n" SOLVER,
                 NULL);
    const tn_csv_table *half = simulate(PART("a", "swing.toml") "parameters = { k = 50 }\n" SOLVER, NULL);
    assert_true(fabs(tn_value_at(plain, "a.mass.x", 0.2) - tn_value_at(half, "a.mass.x", 0.2)) < 1e-12);
}

static void repeats_and_changes_work_in_parts(void **state)
{
    (void)state;
    (void)tn_write("row.toml",
                   "[parameters]\nn = 2\n[[repeat]]\ncount = 'n'\n"
                   "[[repeat.element]]\nname = 'm{i}'\ntype = 'mass_point'\nmass = 1\n"
                   "position = ['i', 0, 0]\nvelocity = ['i', 0, 0]\n"
                   "[[repeat.sensor]]\nname = 'm{i}'\nelement = 'm{i}'\noutput = 'position'\n"
                   "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = 'm0'\nvalue = [1, 0, 0]\n"
                   "[[change]]\ntime = 0.1\nelement = 'push'\nactive = false\n");
    const tn_csv_table *table =
        simulate(PART("a", "row.toml") PART("b", "row.toml") "parameters = { n = 3 }\n" SOLVER, NULL);
    assert_int_equal(table->columns, 1 + 3 * 5);
    assert_true(fabs(tn_value_at(table, "b.m2.x", 0.2) - 2.4) < 1e-12);
    assert_true(fabs(tn_value_at(table, "a.m0.x", 0.2) - (0.005 + 0.01)) < 1e-6);
}

static void messages_of_a_run_name_the_part(void **state)
{
    (void)state;
    (void)tn_write("swing.toml", swing_file);
    const char *model = tn_write(
        "parts.toml", PART("a", "swing.toml") "set = { 'element.mass.position' = [0, 0, 0] }\n" SOLVER);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", model, "--quiet"));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("spring_damper `a.spring`", "swing.toml:8:1", "points coincide"));
}

/* ---- places ---------------------------------------------------------------------------------------------- */

/* All that has a place, in the axes of a part: a body with both kinds of angular velocity, a mass, a ground. */
#define BODY(name, place, turn, velocity, spin)                                                  \
    "[[element]]\nname = '" name                                                                 \
    "'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.2, 0.25, 0.01, 0, 0]\n"                 \
    "com = [0.1, 0.02, 0.03]\nposition = " place "\n" turn "velocity = " velocity "\n" spin "\n" \
    "[[sensor]]\nname = '" name "'\nelement = '" name "'\noutput = 'position'\n"                 \
    "[[sensor]]\nname = '" name "_R'\nelement = '" name "'\noutput = 'rotation'\n"
#define POINT(place, velocity)                                                                               \
    "[[element]]\nname = 'point'\ntype = 'mass_point'\nmass = 1\nposition = " place "\nvelocity = " velocity \
    "\n" POSITION("point")
#define TIES(base)                                                                                        \
    "[[element]]\nname = 'base'\ntype = 'ground'\nposition = " base "\n"                                  \
    "[[element]]\nname = 'tie'\ntype = 'spring_damper'\nstiffness = 50\ndamping = 1\nreference_length = " \
    "0.3\n"                                                                                               \
    "markers = ['base', { element = 'body', position = [0.2, 0, 0.1] }]\n"                                \
    "[[element]]\nname = 'link'\ntype = 'spring_damper'\nstiffness = 20\nmarkers = ['other', 'point']\n"  \
    "[[element]]\nname = 'origin'\ntype = 'spring_damper'\nstiffness = 5\nmarkers = ['ground', 'point']\n"

/* Two quarter turns and two shifts; what is written out is what they give: (x, y, z) in the inner part becomes
 * (z + 1, x + 2.5, y + 3). The turns are exact, and so are all the bits. */
static void a_part_in_a_part_moves_as_if_written_out(void **state)
{
    (void)state;
    (void)tn_write("inner.toml",
                   BODY("body", "[0.25, 0.5, 0.75]", "", "[1, 2, 4]", "angular_velocity = [1, 2, 3]")
                       BODY("other", "[-0.5, 0.25, 0]", "rotation = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]\n",
                            "[0, 0, 0]", "angular_velocity_ground = [1, 2, 4]")
                           POINT("[1, 0.5, 0.25]", "[0, 1, 0]") TIES("[0, 0, 1]"));
    (void)tn_write("outer.toml",
                   PART("inner", "inner.toml") "position = [0.5, 0, 0]\n"
                                               "rotation = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]\n");
    static const char gravity[] = "[model]\ngravity = [0, 1, -9.81]\n";
    const tn_csv_table *parts = simulate(
        tn_format("%s" PART("outer", "outer.toml") "position = [1, 2, 3]\n"
                                                   "rotation = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]\n" SOLVER,
                  gravity),
        NULL);
    (void)tn_write("flat.toml",
                   BODY("body", "[1.75, 2.75, 3.5]", "rotation = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]\n",
                        "[4, 1, 2]", "angular_velocity = [1, 2, 3]")
                       BODY("other", "[1, 2, 3.25]", "rotation = [[0, 1, 0], [1, 0, 0], [0, 0, -1]]\n",
                            "[0, 0, 0]", "angular_velocity_ground = [4, 1, 2]")
                           POINT("[1.25, 3.5, 3.5]", "[0, 0, 1]") TIES("[2, 2.5, 3]"));
    (void)tn_write("between.toml", PART("inner", "flat.toml"));
    check_equal(parts, simulate(tn_format("%s" PART("outer", "between.toml") SOLVER, gravity), NULL));
}

static void a_body_without_a_place_cannot_be_moved(void **state)
{
    (void)state;
    const char *plugin = tn_scratch_path("unplaced.so");
    const tn_outcome built = tn_await(tn_start(
        "sh", TN_WORDS("-c", tn_format("cc -std=gnu17 -fPIC -fvisibility=hidden -shared -I " TENON_SOURCE_DIR
                                       "/sdk/include " TENON_SOURCE_DIR
                                       "/tests/system/plugins/unplaced.c -o %s -lm",
                                       plugin))));
    if (built.status != 0) fail_msg("%s", built.errors);
    (void)tn_write("loose.toml", MASS("[1, 0, 0]"));
    const char *const plugins = tn_format("[plugins]\nmass_point = '%s'\n", plugin);
    const char *model = tn_write("parts.toml", tn_format("%s" PART("a", "loose.toml") SOLVER, plugins));
    assert_int_equal(tn_tenon(TN_WORDS("check", model, "--trust")).status, 0);
    model = tn_write("parts.toml",
                     tn_format("%s" PART("a", "loose.toml") "position = [1, 0, 0]\n" SOLVER, plugins));
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", model, "--trust"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors,
                   TN_WORDS("loose.toml:1:1: error: `mass_point` does not say which of its parameters "
                            "is its place: it cannot be moved with the part (in part `a`"));
}

/* ---- a car ----------------------------------------------------------------------------------------------- */

/* One corner of configs/parts/car.toml without parts: name, x and y of its place, stiffness, speed, arrival, side. */
static const char corner[] =
    "[[element]]\nname = '%1$s_wheel'\ntype = 'mass_point'\nmass = 40\nposition = ['%2$s', '%3$s', 0.3]\n"
    "[[element]]\nname = '%1$s_post'\ntype = 'ground'\nposition = ['%2$s', '%3$s', 0]\n"
    "[[element]]\nname = '%1$s_tire'\ntype = 'spring_damper'\nmarkers = ['%1$s_post', '%1$s_wheel']\n"
    "reference_length = '0.3 + spline(bump, %5$s*(time - (%6$s)))'\nstiffness = '200 [N/mm]'\ndamping = 200\n"
    "[[element]]\nname = '%1$s_along'\ntype = 'spring_damper'\nreference_length = 1\nstiffness = "
    "1e5\ndamping = 500\n"
    "markers = [{ element = '%1$s_post', position = [1, 0, 0.3] }, '%1$s_wheel']\n"
    "[[element]]\nname = '%1$s_across'\ntype = 'spring_damper'\nreference_length = 1\nstiffness = "
    "1e5\ndamping = 500\n"
    "markers = [{ element = '%1$s_post', position = [0, %7$s, 0.3] }, '%1$s_wheel']\n"
    "[[element]]\nname = '%1$s_strut'\ntype = 'spring_damper'\nstiffness = %4$s\ndamping = 1500\n"
    "markers = [{ element = 'chassis', position = ['%2$s', '%3$s', '-height + 0.3 + 0.4'] }, '%1$s_wheel']\n"
    "reference_length = '0.4 + 2500/%4$s'\n"
    "[[element]]\nname = '%1$s_link'\ntype = 'spring_damper'\nreference_length = 0.5\nstiffness = "
    "5e5\ndamping = 2000\n"
    "markers = [{ element = 'chassis', position = ['%2$s + 0.5', '%3$s', '-height + 0.3'] }, '%1$s_wheel']\n"
    "[[element]]\nname = '%1$s_side'\ntype = 'spring_damper'\nreference_length = 0.6\nstiffness = "
    "5e5\ndamping = 2000\n"
    "markers = [{ element = 'chassis', position = ['%2$s', '%3$s - 0.6*(%7$s)', '-height + 0.3'] }, "
    "'%1$s_wheel']\n"
    "[[sensor]]\nname = '%1$s_wheel'\nelement = '%1$s_wheel'\noutput = 'displacement'\n";

/* The lines of a text that say something. */
static int count_lines(const char *text)
{
    int count = 0;
    for (const char *line = text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        assert_non_null(end);
        count += *line != '\n' && *line != '#';
    }
    return count;
}

/* The part of a text from one word to the next one. */
static const char *between(const char *text, const char *first, const char *last)
{
    const char *start = strstr(text, first), *end = start ? strstr(start, last) : NULL;
    assert_non_null(end);
    return tn_format("%.*s", (int)(end - start), start);
}

static void four_uses_of_a_file_are_what_is_written_out_four_times(void **state)
{
    (void)state;
    const char *file = TENON_SOURCE_DIR "/configs/parts/car.toml", *car = tn_read(file);
    assert_true(count_lines(car) <= 60);
    const char *bump = "[[signal]]\nname = 'bump'\nfile = '" TENON_SOURCE_DIR "/configs/parts/car/bump.csv'\n"
                       "interpolation = 'steffen'\noutside = 'constant'\n";
    const char *corners = tn_format(
        "%s%s%s%s", tn_format(corner, "front_left", "front", "half_track", "22000", "speed", "start", "1"),
        tn_format(corner, "front_right", "front", "-half_track", "22000", "0", "0", "-1"),
        tn_format(corner, "rear_left", "-rear", "half_track", "19000", "speed",
                  "start + (front + rear)/speed", "1"),
        tn_format(corner, "rear_right", "-rear", "-half_track", "19000", "0", "0", "-1"));
    const char *flat =
        tn_format("%s%s[[sensor]]\nname = 'chassis'\nelement = 'chassis'\noutput = 'position'\n%s%s",
                  between(car, "[model]", "[[signal]]"), bump, corners, strstr(car, "[solver]"));
    const char *parts = sensors_of(run(file, NULL)),
               *whole = sensors_of(run(tn_write("flat.toml", flat), NULL));
    /* the names of the columns differ, and nothing else */
    assert_string_equal(strchr(parts, '\n'), strchr(whole, '\n'));
}

/* ---- --set ----------------------------------------------------------------------------------------------- */

static const char stack[] = "[parameters]\nk = 100\n" PART(
    "a", "swing.toml") "parameters = { k = 'k' }\n" PART("b", "deep.toml") MASS("[1.1, 0, 0]") SPRING("")
    POSITION(
        "mass") "[[repeat]]\ncount = 2\n[[repeat.element]]\nname = 'r{i}'\ntype = 'mass_point'\nmass = 1\n"
                "velocity = [1, 0, 0]\n[[repeat.sensor]]\nname = 'r{i}'\nelement = 'r{i}'\noutput = "
                "'position'\n"
                "[[change]]\ntime = 0.1\nelement = 'spring'\nparameter = 'stiffness'\nvalue = 50\n"
                "[[solver]]\ntype = 'rk'\nend_time = 0.1\nstep = 0.01\n"
                "[[solver]]\ntype = 'generalized_alpha'\nend_time = 0.2\nstep = 0.01\n";

static void write_stack(void)
{
    (void)tn_write("swing.toml", swing_file);
    (void)tn_write("deep.toml", PART("in", "swing.toml"));
}

static void an_override_reaches_everything(void **state)
{
    (void)state;
    write_stack();
    const tn_csv_table *plain = simulate(stack, NULL);
    const struct {
        const char *set, *column;
    } cases[] = {{"part.a.parameters.k=50", "a.mass.x"},
                 {"part.0.parameters.k=50", "a.mass.x"},
                 {"part.a.element.spring.stiffness=k/2", "a.mass.x"},
                 {"part.0.element.spring.stiffness=0.05 [N/mm]", "a.mass.x"},
                 {"element.a.spring.stiffness=50", "a.mass.x"},
                 {"element.b.in.spring.stiffness=50", "b.in.mass.x"},
                 {"part.b.part.in.element.spring.stiffness=50", "b.in.mass.x"},
                 {"part.b.part.in.parameters={ k = 50 }", "b.in.mass.x"},
                 {"part.a.position=[0.1, 0, 0]", "a.mass.x"},
                 {"part.a.rotation={ axis = [0, 0, 1], angle = 1 }", "a.mass.x"},
                 {"part.a.sensor.mass.output=velocity", "a.mass.x"},
                 {"part.a.sensor.0.output=velocity", "a.mass.x"},
                 {"repeat.0.element.r{i}.velocity=[2, 0, 0]", "r1.x"},
                 {"repeat.0.element.0.velocity=['1 + i', 0, 0]", "r1.x"},
                 {"change.0.value=20", "mass.x"},
                 {"solver.1.step=0.02", "mass.x"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const tn_csv_table *other = simulate(stack, TN_WORDS("--set", cases[k].set));
        if (tn_value_at(other, cases[k].column, 0.2) == tn_value_at(plain, cases[k].column, 0.2))
            fail_msg("%s changes nothing", cases[k].set);
    }
    /* what means the same gives the same */
    check_equal(
        simulate(stack, TN_WORDS("--set", "parameters.k=50")),
        simulate(stack, TN_WORDS("--set", "element.spring.stiffness=50", "--set", "part.a.parameters.k=50")));
    check_equal(simulate(stack, TN_WORDS("--set", "element.a.spring.stiffness=30", "--set",
                                         "part.a.element.spring.stiffness=100")),
                plain);
}

static void a_wrong_override_says_so(void **state)
{
    (void)state;
    write_stack();
    const char *model = tn_write("parts.toml", stack);
    const struct {
        const char *set, *error;
    } wrong[] = {
        {"part.c.parameters.k=3", ": error: \"part\" has no item named \"c\""},
        {"part.2.parameters.k=3", ": error: \"part\" has no item named \"2\""},
        {"part.a.parameters.kk=3", ":1:1: error: the part has no parameter `kk`"},
        {"part.a.positon=[1, 0, 0]", ":1:1: error: unknown key `positon`: did you mean `position`?"},
        {"part.a=3",
         ": error: \"part\" is an array: an item is chosen by its name or number, and a key must follow"},
        {"part=3", ":1:1: error: `part` is an array of tables: write [[part]]"},
        {"part.a.element.spring.stifness=3",
         ":1:1: error: unknown key `stifness`: did you mean `stiffness`? (in part `a`)"},
        {"part.a.element.sprng.stiffness=3",
         ":1:1: error: \"element\" has no item named \"sprng\": did you mean \"spring\"?"},
        {"element.a.sprng.stiffness=3",
         ":1:1: error: \"element\" has no item named \"sprng\": did you mean \"spring\"?"},
        {"element.sprin.stiffness=3",
         ": error: \"element\" has no item named \"sprin\": did you mean \"spring\"?"},
        {"part.a.element.spring.stiffness=soft", ":1:1: error: unknown name `soft` (in part `a`)"},
        {"part.b.part.out.parameters.k=3", ":1:1: error: \"part\" has no item named \"out\""},
        {"part.a.solver.step=3",
         ":1:1: error: `solver` belongs into the file of the model, not into that of a part"},
        {"part.a.set=3", ":1:1: error: `set` is a table of values by path"},
        {"include.files=['x.toml']",
         ": error: [include] has been read already: what is to be included stands in the file"},
        {"part.a.include.files=['x']", ":1:1: error: [include] has been read already"},
        {"part.a.file=none.toml", ":1:1: error: `"},
        {"change.1.value=3", ": error: \"change\" has no item named \"1\""},
        {"solver.2.step=3", ": error: \"solver\" has no item named \"2\""},
        {"solver.step=3", ": error: \"solver\" is an array: an item is chosen by its name or number"},
        {"repeat.0.element.q.mass=3", ": error: \"repeat.0.element\" has no item named \"q\""}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const tn_outcome outcome = tn_tenon(TN_WORDS("check", model, "--set", wrong[k].set));
        if (outcome.status != 2) fail_msg("%s is accepted", wrong[k].set);
        const char *path = tn_format("--set %.*s", (int)strcspn(wrong[k].set, "="), wrong[k].set);
        tn_check_holds(outcome.errors, TN_WORDS(tn_format("%s%s", path, wrong[k].error)));
    }
    /* without any element of its own the model has those of its parts only */
    model = tn_write("parts.toml", PART("left", "swing.toml") SOLVER);
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", model, "--set", "element.lef.spring.stiffness=3"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("\"element\" has no item named \"lef\": did you mean \"left\"?"));
}

/* ---- run.toml -------------------------------------------------------------------------------------------- */

/* A folder with all that names files: parts, data, parts with data, values that name data, repeats with data. */
static const char *write_folder(void)
{
    (void)mkdir(tn_scratch_path("my models"), 0700);
    (void)mkdir(tn_scratch_path("my models/\"parts\" \xC3\xBC"), 0700);
#define BELOW(name) "my models/\"parts\" \xC3\xBC/" name
    (void)tn_write(BELOW("a.csv"), "t,x,y\n0,1,0\n1,2,3\n2,5,1\n");
    (void)tn_write(BELOW("b_0.csv"), "0 1\n1 2\n2 4\n");
    (void)tn_write(BELOW("b_1.csv"), "0 3\n1 2\n2 5\n");
    (void)tn_write(
        BELOW("swing.toml"),
        "[part]\nuses = ['far']\n[parameters]\nk = 100\n[[signal]]\nname = 'near'\nfile = 'a.csv'\n" MASS(
            "[1.2, 0, 0]") SPRING("force = 'spline(near, time) + spline(far, time)'\n") POSITION("mass"));
    (void)tn_write(BELOW("more.toml"), "[[signal]]\nname = 'far'\nfile = 'a.csv'\ncolumns = [0, 2]\n");
    return tn_write(
        "my models/model.toml",
        "[include]\nfiles = ['\"parts\" \xC3\xBC/more.toml']\n[parameters]\nm = 2\n"
        "[[part]]\nname = 'a'\nfile = '\"parts\" \xC3\xBC/swing.toml'\nparameters = { k = '100/m' }\n"
        "[[part]]\nname = 'b'\nfile = '\"parts\" \xC3\xBC/swing.toml'\n"
        "set = { 'signal.near.file' = '\"parts\" \xC3\xBC/b_1.csv', 'element.mass.mass' = 3 }\n"
        "[[signal]]\nname = 'm'\nx = [0, 1, 2]\ny = [0, 1, '4 [mm]']\n"
        "[[repeat]]\ncount = 2\nvariable = 'm_'\n"
        "[[repeat.signal]]\nname = 'c{m_}'\nfile = '\"parts\" \xC3\xBC/b_{m_}.csv'\ncolumns = ['0*m_', 1]\n"
        "[[repeat.element]]\nname = 'r{m_}'\ntype = 'mass_point'\nmass = 'm + m_'\nid = '10 + m_'\n"
        "position = { value = ['m_', 0, 0], unit = 'mm' }\n"
        "[[repeat.element]]\nname = 'push{m_}'\ntype = 'force'\nmarkers = ['r{m_}']\n"
        "value = ['spline(c{m_}, time + m_) + spline(m, m_) + spline(a.near, m_)', 0, 0]\n"
        "[[repeat.sensor]]\nname = 'r{m_}'\nelement = 'r{m_}'\noutput = 'position'\n" SOLVER);
}

static void run_toml_can_be_run_anywhere(void **state)
{
    (void)state;
    const char *model = write_folder();
    const char *const sets[][7] = {
        {NULL},
        {"--expanded", NULL},
        {"--set", "part.a.signal.near.file=\"parts\" \xC3\xBC/b_0.csv", "--set", "element.a.mass.mass=1.5",
         NULL},
        {"--expanded", "--set", "part.a.parameters.k=1 [N/mm]", "--set", "part.b.position=[1, 2, 3]", NULL},
        {"--set", "signal.m.y=[0, 2, \"8 [mm]\"]", "--set", "part.b.element.spring.stiffness=k*2", NULL}};
    const char *first = NULL;
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        const char *results = run(model, sets[k]), *again = run(tn_format("%s/run.toml", results), NULL);
        assert_string_equal(sensors_of(results), sensors_of(again));
        if (k == 0) first = sensors_of(results);
        if (k == 1) assert_string_equal(sensors_of(results), first);
        if (k > 1) assert_string_not_equal(sensors_of(results), first);
        assert_string_equal(sensors_of(run(tn_format("%s/run.toml", again), NULL)), sensors_of(again));
    }
}

/* A repeat variable is replaced in expressions, and neither in units nor in the names of signals. */
static void expanding_leaves_units_and_names(void **state)
{
    (void)state;
    const char *model = tn_write(
        "units.toml",
        "[[signal]]\nname = 'm'\nx = [0, 1, 2]\ny = [0, 1, 4]\n"
        "[[repeat]]\ncount = 3\nvariable = 'm'\n"
        "[[repeat.element]]\nname = 'p{m}'\ntype = 'mass_point'\nmass = '1 + m [kg]'\n"
        "position = ['10*m [m]', 0, '2*m']\n"
        "velocity = { value = ['m', '1e1*m', 0], unit = 'm/s' }\n"
        "[[repeat.sensor]]\nname = 'p{m}'\nelement = 'p{m}'\noutput = 'position'\n"
        "[[repeat.sensor]]\nname = 's{m}'\nexpression = 'spline(m, m + time) + Spline (m,m)'\n" SOLVER);
    const char *results = run(model, TN_WORDS("--expanded")),
               *again = run(tn_format("%s/run.toml", results), NULL);
    assert_null(strstr(tn_read(tn_format("%s/run.toml", results)), "[[repeat"));
    assert_string_equal(sensors_of(results), sensors_of(again));
    assert_string_equal(sensors_of(results), sensors_of(run(model, NULL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_carry_the_names_of_parts),
        cmocka_unit_test(parameters_are_handed_over),
        cmocka_unit_test(repeats_and_changes_work_in_parts),
        cmocka_unit_test(messages_of_a_run_name_the_part),
        cmocka_unit_test(a_part_in_a_part_moves_as_if_written_out),
        cmocka_unit_test(a_body_without_a_place_cannot_be_moved),
        cmocka_unit_test(four_uses_of_a_file_are_what_is_written_out_four_times),
        cmocka_unit_test(an_override_reaches_everything),
        cmocka_unit_test(a_wrong_override_says_so),
        cmocka_unit_test(run_toml_can_be_run_anywhere),
        cmocka_unit_test(expanding_leaves_units_and_names),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
