/* test_results_kept.c - what a run that is killed at any moment leaves: its last moment lacks in the log, and files that writers make
 * of it are there as a whole or not at all
 *
 * tests/soak has the same with 100 kills. */
#define _GNU_SOURCE
#include "checkpoints.h"
#include "recordings.h"

#include <dirent.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static const struct {
    const char *name, *stem;
} writers[] = {{"hdf5", "results"}, {"vtk", "vtk"}, {"glb", "scene"}, {"report", "report"}};
enum { WRITERS = sizeof writers / sizeof *writers, MOST_FILES = 4000 };

static const char *results;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void done(tn_outcome outcome)
{
    if (outcome.status != 0) fail_msg("exit %d: %s", outcome.status, outcome.errors);
}

/* ---- files of writers ---------------------------------------------------------------------------------------- */

typedef struct made_file {
    const char *name;
    char *bytes;
    size_t size;
} made_file;

typedef struct made_files {
    made_file file[MOST_FILES];
    size_t count;
} made_files;

static int compare_names(const void *one, const void *other)
{
    return strcmp(((const made_file *)one)->name, ((const made_file *)other)->name);
}

/* A page says in which minute it was made. */
static void blank_time(const made_file *file)
{
    static const char key[] = "\"made\":\"", time[] = "2000-01-01 00:00 UTC";
    char *place = memmem(file->bytes, file->size, key, sizeof key - 1);
    if (!place) return;
    place += sizeof key - 1;
    assert_true(place + sizeof time <= file->bytes + file->size && place[sizeof time - 1] == '"');
    memcpy(place, time, sizeof time - 1);
}

static void read_file(made_file *file, const char *path)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    file->size = (size_t)ftell(stream);
    file->bytes = malloc(file->size + 1);
    rewind(stream);
    assert_non_null(file->bytes);
    assert_int_equal(fread(file->bytes, 1, file->size, stream), file->size);
    (void)fclose(stream);
    blank_time(file);
}

/* Those in the results that begin so. */
static void find_files(made_files *files, const char *stem)
{
    DIR *folder = opendir(results);
    assert_non_null(folder);
    files->count = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        const char *name = entry->d_name;
        const size_t length = strlen(stem);
        if (strncmp(name, stem, length) != 0 || !strchr("._-", name[length])) continue;
        assert_true(files->count < MOST_FILES);
        made_file *file = &files->file[files->count++];
        file->name = tn_format("%s", name);
        read_file(file, tn_format("%s/%s", results, name));
    }
    (void)closedir(folder);
    qsort(files->file, files->count, sizeof *files->file, compare_names);
}

static void free_files(made_files *files)
{
    for (size_t k = 0; k < files->count; k++)
        free(files->file[k].bytes);
    files->count = 0;
}

static bool is_main(const char *name) { return !strpbrk(name, "_-"); }

static void check_bytes(const made_file *file, const made_file *right)
{
    size_t at = 0;
    while (at < file->size && at < right->size && file->bytes[at] == right->bytes[at])
        at++;
    if (at == file->size && at == right->size) return;
    const size_t from = at > 40 ? at - 40 : 0;
    fail_msg("%s has %zu bytes, not %zu: at byte %zu `%.*s`, not `%.*s`", right->name, file->size,
             right->size, at, (int)(file->size - from < 120 ? file->size - from : 120), file->bytes + from,
             (int)(right->size - from < 120 ? right->size - from : 120), right->bytes + from);
}

/* Whatever is there is whole, and what lists the others comes last. */
static void check_parts(const made_files *part, const made_files *whole)
{
    bool has_main = false;
    for (size_t k = 0; k < part->count; k++) {
        const made_file *right =
            bsearch(&part->file[k], whole->file, whole->count, sizeof *whole->file, compare_names);
        if (!right) fail_msg("%s is left over", part->file[k].name);
        check_bytes(&part->file[k], right);
        has_main = has_main || is_main(right->name);
    }
    if (has_main && part->count != whole->count) fail_msg("%s is there before others", whole->file[0].name);
}

/* ---- kills ----------------------------------------------------------------------------------------------------- */

static const char model[] =
    "[model]\ngravity = [0, 0, -9.81]\n"
    "[[repeat]]\nvariable = 'k'\ncount = 30\n[[repeat.element]]\nname = 'body{k}'\ntype = 'rigid_body'\nmass "
    "= "
    "1\n"
    "inertia = [1, 2, 2.5]\nposition = ['2*k', 0, 0]\nangular_velocity = [1, '0.1*k', 3]\n"
    "[[sensor]]\nname = 'z'\nexpression = 'DZ(body3)'\n"
    "[solver]\ntype = 'rk'\nend_time = 10\nstep = 1e-3\n[output]\ninterval = 1e-3\n";

static tn_random dice = {23};

static tn_child start_conversion(const char *writer)
{
    return tn_start(TENON_BINARY, TN_WORDS("convert", results, "--to", writer));
}

static void convert(const char *writer) { done(tn_await(start_conversion(writer))); }

/* Sends SIGKILL at a random moment of a process that would take so long. */
static void kill_within(tn_child child, double seconds)
{
    tn_checkpoint_wait(tn_draw(&dice, 0.0, seconds < 0.9 ? seconds : 0.9));
    (void)kill(child.process, SIGKILL);
    (void)tn_await(child);
}

static void check_killed_conversions(const char *writer, const char *stem)
{
    static made_files whole, part;
    const double begun = now();
    convert(writer);
    const double taken = now() - begun;
    find_files(&whole, stem);
    assert_true(whole.count > 0);
    for (int k = 0; k < 5; k++) {
        kill_within(start_conversion(writer), taken);
        find_files(&part, stem);
        check_parts(&part, &whole);
        free_files(&part);
        assert_string_equal(tn_run_text(results, "run.status"), "finished");
    }
    convert(writer);
    find_files(&part, stem);
    check_parts(&part, &whole);
    assert_int_equal(part.count, whole.count);
    assert_false(tn_checkpoint_exists(tn_format("%s/.conversion.part", results)));
    free_files(&part);
    free_files(&whole);
}

static void killed_conversions_leave_whole_files(void **state)
{
    (void)state;
    results = tn_scratch_path(NULL);
    done(tn_tenon(TN_WORDS("run", tn_write("model.toml", model), "--quiet", "--out", results)));
    for (int w = 0; w < WRITERS; w++)
        if (tn_has_plugin(writers[w].name)) check_killed_conversions(writers[w].name, writers[w].stem);
}

static const char *all_writers(void)
{
    const char *list = "'csv'";
    for (int w = 0; w < WRITERS; w++)
        if (tn_has_plugin(writers[w].name)) list = tn_format("%s, '%s'", list, writers[w].name);
    return tn_format("output.writers=[%s]", list);
}

static tn_child start_run(void)
{
    return tn_start(TENON_BINARY,
                    TN_WORDS("run", "model.toml", "--quiet", "--out", results, "--set", all_writers()));
}

/* A page file of Linux may end a write that is killed. */
static void check_table(const char *right)
{
    const char *path = tn_format("%s/sensors.csv", results),
               *table = tn_checkpoint_exists(path) ? tn_read(path) : "";
    const size_t length = strlen(table);
    assert_int_equal(strncmp(table, right, length), 0);
    assert_true(length == 0 || table[length - 1] == '\n' || length % (size_t)sysconf(_SC_PAGESIZE) == 0);
}

/* What is there of each writer is what it makes of the log later. */
static void check_writers(void)
{
    static made_files whole, part;
    for (int w = 0; w < WRITERS; w++) {
        if (!tn_has_plugin(writers[w].name)) continue;
        find_files(&part, writers[w].stem);
        convert(writers[w].name);
        find_files(&whole, writers[w].stem);
        check_parts(&part, &whole);
        free_files(&part);
        free_files(&whole);
    }
}

static void killed_runs_leave_whole_files(void **state)
{
    (void)state;
    (void)tn_write("model.toml", model);
    results = tn_scratch_path(NULL);
    const double begun = now();
    done(tn_await(start_run()));
    const double taken = now() - begun;
    const char *right = tn_read(tn_format("%s/sensors.csv", results));
    for (int k = 0; k < 5; k++) {
        kill_within(start_run(), taken);
        check_table(right);
        const char *log = tn_format("%s/rows.tnl", results);
        if (!tn_checkpoint_exists(log) || strlen(tn_read(log)) == 0) continue; /* the run had not begun */
        done(tn_tenon(TN_WORDS("recover", results)));
        check_table(right);
        check_writers();
    }
}

/* ---- runs that go on -------------------------------------------------------------------------------------------- */

/* Short steps, then long ones. */
static void rows_do_not_wait_for_steps_that_take_long(void **state)
{
    (void)state;
    results = tn_scratch_path(NULL);
    const tn_child child = tn_start_with_code(
        "slow", "#include <unistd.h>\n", "    if (tn_value(tn_time(context)) > 0.5005) (void)usleep(100000);",
        1e-3, results);
    const char *table = tn_format("%s/sensors.csv", results);
    for (int tries = 0; tries < 1000; tries++) { /* of steps that take 0.4 s */
        tn_checkpoint_wait(0.01);
        if (tn_checkpoint_exists(table) && strstr(tn_read(table), "\n0.503")) break;
    }
    const size_t rows = tn_sensors(results)->rows;
    assert_true(rows >= 504);
    tn_recording *recording = tn_record_open(results);
    if (recording->table[0].rows < rows)
        fail_msg("%zu rows, %zu in the log", rows, (size_t)recording->table[0].rows);
    tn_recording_close(recording);
    (void)kill(child.process, SIGKILL);
    (void)tn_await(child);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(killed_conversions_leave_whole_files),
                                       cmocka_unit_test(killed_runs_leave_whole_files),
                                       cmocka_unit_test(rows_do_not_wait_for_steps_that_take_long)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
