/* harness.c - scratch files, runs of the program, and models assembled in this process */
#define _GNU_SOURCE
#include "harness.h"

#include "config/plugin_texts.h"
#include "config/test_messages.h"
#include "system/accept.h"
#include "changes/changes.h"
#include "analysis/energy.h"
#include "analysis/redundancy.h"
#include "run/constraint_solver.h"
#include "run/all_services.h"
#include "run/study.h"
#include "system/linear.h"
#include "start/start.h"
#include "system/project.h"
#include "units/units.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the scratch directory ----------------------------------------------------------------------------- */

static char directory[] = "/tmp/tenon-test-system-XXXXXX";
static tn_arena texts;
static tn_csv_table tables[256];
static size_t table_count;

int tn_scratch_open(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : 1;
}

static int discard(const char *path, const struct stat *status, int kind, struct FTW *position)
{
    (void)status, (void)kind, (void)position;
    return remove(path);
}

int tn_scratch_close(void **state)
{
    (void)state;
    table_count = 0;
    tn_arena_free(&texts);
    return nftw(directory, discard, 16, FTW_DEPTH | FTW_PHYS);
}

const char *tn_format(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    assert_true(length >= 0);
    const char *copy = tn_arena_text(&texts, text, (size_t)length);
    free(text);
    return copy;
}

const char *tn_scratch_path(const char *name)
{
    static unsigned count;
    return name ? tn_format("%s/%s", directory, name) : tn_format("%s/%u", directory, count++);
}

const char *tn_write(const char *name, const char *text)
{
    const char *path = tn_scratch_path(name);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
    return path;
}

const char *tn_read(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = fopen(path, "r");
    if (!stream) fail_msg("%s: %s", path, strerror(errno));
    const ssize_t length = getdelim(&text, &size, '\0', stream);
    const char *copy = tn_arena_text(&texts, text ? text : "", length > 0 ? (size_t)length : 0);
    free(text);
    (void)fclose(stream);
    return copy;
}

bool tn_is_model(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".toml") == 0 && !strstr(path, "_study.toml");
}

void tn_check_holds(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (!strstr(text, *words)) fail_msg("\"%s\" is missing in: %s", *words, text);
}

void tn_check_one_message(const char *errors)
{
    const char *line = strchr(errors, '\n');
    assert_true(line && errors[0] != ' ');
    for (line++; *line; line = strchr(line, '\n') + 1)
        if (*line != ' ' || !strchr(line, '\n')) fail_msg("more than one message: %s", errors);
}

/* ---- the program --------------------------------------------------------------------------------------- */

static void redirect(const char *path, int to)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, to) < 0) _exit(126);
}

/* A file is there before its program is, which may be killed before it has begun. */
static void make_empty(const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(file >= 0);
    (void)close(file);
}

tn_child tn_start(const char *program, const char *const *words)
{
    tn_child child = {.output = tn_scratch_path(NULL), .errors = tn_scratch_path(NULL)};
    const char *arguments[64] = {program};
    for (size_t k = 0; words[k]; k++) {
        assert_true(k < 62);
        arguments[k + 1] = words[k];
    }
    make_empty(child.output);
    make_empty(child.errors);
    (void)fflush(NULL);
    child.process = fork();
    assert_true(child.process >= 0);
    if (child.process > 0) return child;
    redirect(child.output, STDOUT_FILENO);
    redirect(child.errors, STDERR_FILENO);
    if (chdir(directory) != 0) _exit(126);
    (void)execvp(program, (char *const *)(uintptr_t)arguments);
    _exit(127);
}

tn_outcome tn_await(tn_child child)
{
    int status = 0;
    while (waitpid(child.process, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    return (tn_outcome){.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                        .output = tn_read(child.output),
                        .errors = tn_read(child.errors)};
}

tn_outcome tn_tenon(const char *const *words) { return tn_await(tn_start(TENON_BINARY, words)); }

const tn_csv_table *tn_simulate(const char *model, const char *const *more)
{
    const char *results = tn_scratch_path(NULL), *file = tn_write("model.toml", model);
    const char *words[64] = {"run", file, "--quiet", "--out", results};
    for (size_t k = 0; more && more[k]; k++) {
        assert_true(5 + k + 1 < sizeof words / sizeof *words);
        words[5 + k] = more[k];
    }
    const tn_outcome outcome = tn_tenon(words);
    if (outcome.status != 0) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    return tn_sensors(results);
}

const tn_csv_table *tn_sensors(const char *results)
{
    assert_true(table_count < sizeof tables / sizeof *tables);
    tn_csv_table *table = &tables[table_count];
    if (!tn_csv_read(tn_format("%s/sensors.csv", results), table, stderr)) fail();
    table_count++;
    return table;
}

/* Hands the value at `path` to one of the two results that is not NULL. */
static void read_run_file(const char *results, const char *path, const char **text, double *number)
{
    tn_diagnostics *diagnostics = tn_diagnostics_new();
    tn_document *document = tn_document_read(tn_format("%s/run.toml", results), diagnostics);
    print_messages(diagnostics, stderr);
    if (!document) fail_msg("%s/run.toml is no valid TOML", results);
    const tn_toml *value = tn_document_root(document);
    for (const char *key = path; value && *key;) {
        const size_t length = strcspn(key, ".");
        const char *word = tn_format("%.*s", (int)length, key);
        const size_t index = strtoul(word, NULL, 10);
        if (value->kind == TN_TOML_ARRAY)
            value = index < value->count ? value->child[index] : NULL;
        else
            value = tn_toml_get(value, word);
        key += length + (key[length] == '.');
    }
    if (!value || (text && value->kind != TN_TOML_STRING)) fail_msg("run.toml has no text %s", path);
    if (text) *text = tn_format("%s", value->text);
    if (number && value->kind != TN_TOML_INTEGER && value->kind != TN_TOML_REAL)
        fail_msg("run.toml has no number %s", path);
    if (number) *number = value->real;
}

const char *tn_run_text(const char *results, const char *path)
{
    const char *text = NULL;
    read_run_file(results, path, &text, NULL);
    return text;
}

double tn_run_number(const char *results, const char *path)
{
    double number = (double)NAN;
    read_run_file(results, path, NULL, &number);
    return number;
}

size_t tn_column_of(const tn_csv_table *table, const char *name)
{
    const size_t column = tn_csv_column(table, name);
    if (column == SIZE_MAX) fail_msg("no column %s", name);
    return column;
}

double tn_value_at(const tn_csv_table *table, const char *column, double time)
{
    const size_t c = tn_column_of(table, column);
    for (size_t row = 0; row < table->rows; row++)
        if (fabs(tn_csv_value(table, row, 0) - time) <= 1e-9) return tn_csv_value(table, row, c);
    fail_msg("no row at %g s", time);
    return (double)NAN;
}

double tn_largest_difference(const tn_csv_table *a, const tn_csv_table *b, const char *column)
{
    const size_t here = tn_column_of(a, column), there = tn_column_of(b, column);
    double largest = 0.0;
    assert_true(a->rows > 10 && a->rows == b->rows);
    for (size_t row = 0; row < a->rows; row++)
        largest = fmax(largest, fabs(tn_csv_value(a, row, here) - tn_csv_value(b, row, there)));
    return largest;
}

void tn_check_column(const tn_csv_table *a, const tn_csv_table *b, const char *column, double tolerance)
{
    const size_t here = tn_column_of(a, column), there = tn_column_of(b, column);
    assert_true(a->rows > 3 && a->rows == b->rows);
    for (size_t row = 0; row < a->rows; row++) {
        const double x = tn_csv_value(a, row, here), y = tn_csv_value(b, row, there);
        if (!(fabs(x - y) <= tolerance * (1.0 + fabs(y))))
            fail_msg("%s, row %zu: %.17g, %.17g", column, row, x, y);
    }
}

/* Runs a shell command that must succeed. */
static void run_command(const char *command)
{
    const tn_outcome outcome = tn_await(tn_start("sh", TN_WORDS("-c", command)));
    if (outcome.status != 0) fail_msg("%s: %s", command, outcome.errors);
}

#define COMPILE \
    "cc -std=gnu17 -O1 -fPIC -fvisibility=hidden -ffp-contract=off -I " TENON_SOURCE_DIR "/sdk/include "

const char *tn_build_text(const char *name, const char *text)
{
    const char *plugin = tn_scratch_path(tn_format("%s.so", name));
    run_command(tn_format("mkdir -p %s", name));
    const char *source = tn_write(tn_format("%s/%s.c", name, name), text);
    run_command(tn_format("TENON_SDK=" TENON_SOURCE_DIR "/sdk " TENON_BINARY " build --no-trial %s -o %s",
                          source, plugin));
    return plugin;
}

tn_child tn_start_with_code(const char *name, const char *includes, const char *code, double step,
                            const char *results)
{
    const char *plugin = tn_build_text(
        name, tn_format("#include <tenon/author.h>\n%s"
                        "TN_NO_PARAMETERS(%s)\nTN_FORCE(%s, TN_POINT, 1)\n{\n    (void)marker;\n%s\n"
                        "    wrench[0].force = tn_zero();\n    return TN_OK;\n}\n"
                        "TN_PORTS(%s, {\"markers\", \"any\", TN_POINT, 1, 1, 0})\n"
                        "TN_ELEMENT(%s, .summary = \"runs code\", .formula = \"-\", .ports = %s_ports, "
                        "TN_CAPABILITIES(TN_HAS_FORCE(%s)))\n"
                        "TN_LIBRARY(\"%s\", \"1.0.0\", \"Apache-2.0\", \"runs code\", {TN_ELEMENT_KIND, "
                        "&%s_type})\n",
                        includes, name, name, code, name, name, name, name, name, name));
    const char *model = tn_write(tn_format("%s.toml", name),
                                 tn_format("[plugins]\n%s = '%s'\n"
                                           "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\n"
                                           "[[element]]\nname = 'code'\ntype = '%s'\nmarkers = 'mass'\n"
                                           "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
                                           "[solver]\ntype = 'rk'\nend_time = 1\nstep = %.17g\n",
                                           name, plugin, name, step));
    return tn_start(TENON_BINARY, TN_WORDS("run", model, "--trust", "--quiet", "--out", results));
}

/* Of a type built by tn_build_text(), of a folder of the project, or of an element type. */
static const char *folder_of(const char *type)
{
    if (strchr(type, '/')) return tn_format(TENON_SOURCE_DIR "/%s", type);
    const char *own = tn_scratch_path(type);
    return access(own, R_OK) == 0 ? own : tn_format(TENON_SOURCE_DIR "/plugins/elements/%s", type);
}

static const char *plugin_of(const char *type, const char *pass)
{
    const char *slash = strrchr(type, '/');
    return tn_scratch_path(tn_format("%s_%s.so", slash ? slash + 1 : type, pass));
}

const char *tn_build_without_passes(const char *type)
{
    const char *folder = folder_of(type), *plugin = plugin_of(type, "values");
    run_command(tn_format(COMPILE "-shared $(ls %s/*.c | grep -v /test_) -o %s -lm", folder, plugin));
    return plugin;
}

const char *tn_build_complex_step(const char *type)
{
    const char *folder = folder_of(type), *plugin = plugin_of(type, "complex");
    run_command(tn_format(
        "set -e; objects=; for file in $(ls %s/*.c | grep -v /test_); do stem=$(basename $file .c); " COMPILE
        "-DTN_EXACT -c $file -o $stem.0.o; " COMPILE "-DTN_PASS=2 -c $file -o $stem.2.o; "
        "objects=\"$objects $stem.0.o $stem.2.o\"; done; cc -shared $objects -o %s -lm",
        folder, plugin));
    return plugin;
}

const char *tn_build_test_plugin(const char *name)
{
    const char *plugin = tn_scratch_path(tn_format("%s.so", name));
    run_command(
        tn_format(COMPILE "-shared " TENON_SOURCE_DIR "/tests/system/plugins/%s.c -o %s -lm", name, plugin));
    return plugin;
}

bool tn_has_plugin(const char *name) { return access(tn_format(TENON_PLUGINS "/%s.so", name), R_OK) == 0; }

void tn_need_plugin(const char *name)
{
    if (tn_has_plugin(name)) return;
    if (getenv("TENON_NO_SKIPS")) fail_msg("there is no plugin %s", name);
    skip();
}

/* ---- a model in this process --------------------------------------------------------------------------- */

void tn_world_open_with(tn_world *world, const char *model, const char *type, const char *plugin,
                        const tn_services *services)
{
    *world = (tn_world){.diagnostics = tn_diagnostics_new(),
                        .registry = tn_registry_new(TENON_BINARY, tn_reader_loading)};
    if (plugin) tn_registry_map(world->registry, type, plugin);
    world->document = tn_document_read(tn_write("model.toml", model), world->diagnostics);
    if (world->document) {
        world->model = tn_model_read(world->document, world->diagnostics, world->registry, true);
        tn_plan_read(world->model, &(tn_study_options){.asked.check_only = 1, .writes = true}, &world->plan);
    }
    if (tn_error_count(world->diagnostics) == 0) world->assembly = tn_assemble(world->model, services);
    print_messages(world->diagnostics, stderr);
    if (!world->assembly) fail_msg("the model is refused");
    world->system = &world->assembly->system;
}

void tn_world_open(tn_world *world, const char *model, const char *type, const char *plugin)
{
    tn_world_open_with(world, model, type, plugin, &tn_all_services);
}

void tn_world_close(tn_world *world)
{
    tn_linear_close(world->assembly);
    tn_model_release(world->model);
    tn_units_close();
}

void tn_world_open_linear(tn_world *world)
{
    const tn_linear_choice *linear = &world->plan.solver[0].linear;
    assert_non_null(linear->type);
    tn_linear_open(world->assembly, linear->type, linear->instance);
}

tn_status tn_world_begin(tn_world *world)
{
    assert_int_equal(world->plan.solver_count, 1);
    tn_assembly *assembly = world->assembly;
    const tn_solver_plan *plan = &world->plan.solver[0];
    bool changed = false;
    tn_accept_begin(assembly, &plan->run, plan->stop);
    if (plan->linear.type) tn_world_open_linear(world);
    tn_constraint_solver_open(assembly, plan);
    tn_status status = tn_changes_apply(assembly, plan->run.start_time, &changed);
    if (status == TN_OK) status = tn_make_consistent(assembly, true);
    if (status == TN_OK) status = tn_redundancy_renew(assembly);
    if (status == TN_OK) status = tn_evaluate_markers(assembly);
    if (status == TN_OK) tn_ledger_start(assembly);
    return status;
}

tn_status tn_world_advance(tn_world *world, tn_status (*see)(void *data, const tn_accepted_step *step),
                           void *data)
{
    tn_step_observer observer = {.see = see, .data = data, .next = HUGE_VAL};
    const tn_solver_plan *plan = &world->plan.solver[0];
    tn_status status = tn_world_begin(world);
    if (status != TN_OK) return status;
    if (see) tn_accept_observe(world->assembly, &observer);
    status = plan->type->advance(plan->instance, world->system);
    tn_accept_unobserve(world->assembly, &observer);
    return status;
}

/* ---- random numbers: xorshift64* (Vigna 2016) ---------------------------------------------------------- */

double tn_draw(tn_random *random, double low, double high)
{
    uint64_t x = random->state ? random->state : 0x9e3779b97f4a7c15u;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return low + (high - low) * ((double)((x * 0x2545f4914f6cdd1du) >> 11) * 0x1p-53);
}
