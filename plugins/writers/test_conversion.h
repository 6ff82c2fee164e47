/* test_conversion.h - tests of converting writers: the plugin as the kernel loads it, with the default settings and a folder for its
 * files; recordings that are large, odd or broken; full disks; checks by programs that read the files.
 *
 *     #define TEST_WRITER "vtk"
 *     #include "../test_conversion.h"
 *
 *     static void test_names_are_kept(void **state)
 *     {
 *         test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, 3);
 *         test_odd_names(&c->made);
 *         test_converts(c, NULL);
 *         ...
 *
 *     TEST_OF_CONVERSION(test_names_are_kept), in the list of tests */
#ifndef TENON_TEST_CONVERSION_H
#define TENON_TEST_CONVERSION_H

#include "../../tests/support/test_recording.h"
#include "../solvers/test_host.h"
#include "../../tests/support/full_disk.h"

#include "tenon/plugin.h"

#include <dirent.h>
#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct test_conversion {
    test_host host;
    const tn_writer_type *type;
    const tn_conversion *conversion;
    void *instance;
    char folder[64];
    test_recording made;
} test_conversion;

/* ---- the writer ---------------------------------------------------------------------------------------------- */

static inline const tn_parameter *test_writer_parameter(const test_conversion *c, const char *name)
{
    const tn_parameter *parameter = c->type->parameters;
    while (parameter->name && strcmp(parameter->name, name) != 0)
        parameter++;
    assert_non_null(parameter->name);
    return parameter;
}

/* A number. */
static inline void test_set(test_conversion *c, const char *name, double value)
{
    const tn_parameter *parameter = test_writer_parameter(c, name);
    char *place = (char *)c->instance + parameter->offset;
    if (parameter->kind == TN_KIND_REAL)
        *(double *)(void *)place = value;
    else if (parameter->kind == TN_KIND_INTEGER)
        *(int64_t *)(void *)place = (int64_t)value;
    else
        *(int32_t *)(void *)place = (int32_t)value;
}

static inline void test_set_defaults(test_conversion *c)
{
    c->instance = calloc(1, c->type->instance_size + 1);
    assert_non_null(c->instance);
    for (const tn_parameter *p = c->type->parameters; p->name; p++)
        if (p->kind == TN_KIND_REAL || p->kind == TN_KIND_INTEGER || p->kind == TN_KIND_BOOLEAN)
            test_set(c, p->name, p->flags & TN_OPTIONAL ? (double)NAN : p->standard);
}

static inline int test_setup(void **state)
{
    test_conversion *c = calloc(1, sizeof *c);
    assert_non_null(c);
    test_host_begin(&c->host);
    void *handle = dlopen(TENON_PLUGINS "/" TEST_WRITER ".so", RTLD_NOW | RTLD_LOCAL);
    if (!handle) fail_msg("%s", dlerror());
    const tn_library *(*library)(void) = NULL;
    *(void **)&library = dlsym(handle, TN_PLUGIN_SYMBOL);
    assert_non_null(library);
    assert_string_equal(library()->types[0].kind, TN_WRITER_KIND);
    c->type = library()->types[0].type;
    assert_string_equal(c->type->name, TEST_WRITER);
    assert_true(!c->type->open && !c->type->row && !c->type->close);
    c->conversion = tn_capability_of(c->type->capabilities, TN_CONVERSION_KEY);
    assert_non_null(c->conversion);
    test_set_defaults(c);
    (void)snprintf(c->folder, sizeof c->folder, "/tmp/tenon_" TEST_WRITER "_XXXXXX");
    assert_non_null(mkdtemp(c->folder));
    *state = c;
    return 0;
}

/* Removes what is in the folder; returns the number of files, whose names all begin with the stem of the writer. */
static inline size_t test_empty(const test_conversion *c)
{
    char path[512];
    const char *stem = c->conversion->stem ? c->conversion->stem : c->type->name;
    size_t count = 0;
    DIR *folder = opendir(c->folder);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        (void)snprintf(path, sizeof path, "%s/%s", c->folder, entry->d_name);
        assert_memory_equal(entry->d_name, stem, strlen(stem));
        assert_int_equal(unlink(path), 0);
        count++;
    }
    (void)closedir(folder);
    return count;
}

static inline int test_teardown(void **state)
{
    test_conversion *c = *state;
    (void)test_empty(c);
    assert_int_equal(rmdir(c->folder), 0);
    free(c->instance);
    test_host_end(&c->host);
    free(c);
    return 0;
}

#define TEST_OF_CONVERSION(test) cmocka_unit_test_setup_teardown(test, test_setup, test_teardown)

/* What test_setup() has made, with a recording of these numbers: see test_recording_make(). */
static inline test_conversion *test_begin(void **state, uint64_t rows, uint32_t columns, uint64_t frames)
{
    test_conversion *c = *state;
    test_recording_make(&c->made, rows, columns, frames);
    return c;
}

static inline tn_status test_convert(test_conversion *c, const tn_recording *recording)
{
    c->host.message[0] = 0;
    return c->conversion->convert(&c->host.table, c->instance, &recording, 1, c->folder);
}

/* With this message, or a part of it; NULL: without any. */
static inline void test_converts(test_conversion *c, const char *message)
{
    assert_int_equal(test_convert(c, &c->made.recording), TN_OK);
    if (message ? !strstr(c->host.message, message) : *c->host.message)
        fail_msg("`%s` instead of `%s`", c->host.message, message ? message : "");
}

/* ---- full disks ---------------------------------------------------------------------------------------------- */

static inline tn_status test_convert_on_full_disk(test_conversion *c, rlim_t bytes)
{
    const struct rlimit before = test_fill_disk(bytes);
    const tn_status status = test_convert(c, &c->made.recording);
    test_free_disk(before);
    return status;
}

/* The size of the largest file in the folder. */
static inline rlim_t test_largest(const test_conversion *c)
{
    char path[512];
    struct stat status;
    rlim_t largest = 0;
    DIR *folder = opendir(c->folder);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        (void)snprintf(path, sizeof path, "%s/%s", c->folder, entry->d_name);
        if (entry->d_name[0] != '.' && stat(path, &status) == 0 && (rlim_t)status.st_size > largest)
            largest = (rlim_t)status.st_size;
    }
    (void)closedir(folder);
    return largest;
}

/* Disks with room for none, some and all but one of the bytes of the largest file: the message names the file each time. */
static inline void test_full_disks(test_conversion *c, rlim_t disks)
{
    assert_int_equal(test_convert(c, &c->made.recording), TN_OK);
    const rlim_t whole = test_largest(c);
    assert_true(test_empty(c) > 0);
    for (rlim_t k = 0; k < disks; k++) {
        const rlim_t bytes = k * (whole - 1) / (disks - 1);
        const tn_status status = test_convert_on_full_disk(c, bytes);
        if (status != TN_FATAL)
            fail_msg("%s: status %d with %lu of %lu bytes", c->type->name, status, bytes, whole);
        if (!strstr(c->host.message, c->folder) || !strstr(c->host.message, "File too large"))
            fail_msg("%lu of %lu bytes: %s", bytes, whole, c->host.message);
        (void)test_empty(c);
    }
    assert_int_equal(test_convert(c, &c->made.recording), TN_OK); /* there is room again */
    assert_int_equal(test_largest(c), whole);
}

/* ---- programs that read files -------------------------------------------------------------------------------- */

static inline int test_run(const test_conversion *c, const char *program, const char *script,
                           const char *arguments)
{
    char command[1024];
    (void)snprintf(command, sizeof command, "%s " TENON_SOURCE_DIR "/plugins/writers/%s/%s %s %s", program,
                   c->type->name, script, c->folder, arguments);
    const int result = system(command);
    return WIFEXITED(result) ? WEXITSTATUS(result) : -1;
}

/* Runs a script with the folder as its first argument, with the Python on the path or else that of the system. A status of 77, where both
 * lack a module or a program is not installed, is a failure only if TENON_NO_SKIPS is set. */
static inline void test_check(const test_conversion *c, const char *program, const char *script,
                              const char *arguments)
{
    int result = test_run(c, program, script, arguments);
    if (result == 77 && !strcmp(program, "python3"))
        result = test_run(c, "/usr/bin/python3", script, arguments);
    if (result == 77 && !getenv("TENON_NO_SKIPS")) {
        printf("not checked: %s\n", script);
        return;
    }
    if (result != 0) fail_msg("%s %s %s: %d", script, c->folder, arguments, result);
}

/* ---- recordings ---------------------------------------------------------------------------------------------- */

/* Moving bodies in a grid, each with a shape, and springs between neighbours. */
typedef struct test_crowd {
    tn_recording recording;
    tn_recorded_track *track;
    tn_recorded_drawing *drawing;
    char (*name)[32];
    double frame_step;
} test_crowd;

static inline void test_crowd_pose(double time, uint32_t track, double *pose)
{
    const double half = 0.5 * (1.0 + 0.001 * track) * time;
    pose[0] = (double)(track % 32) + 0.3 * sin(time + track);
    pose[1] = (double)(track / 32) + 0.3 * cos(time + track);
    pose[2] = 0.1 * time;
    pose[3] = cos(half);
    pose[4] = 0.6 * sin(half);
    pose[5] = 0.0;
    pose[6] = 0.8 * sin(half);
}

static inline tn_status test_crowd_frame(const tn_recording *recording, uint64_t first, uint64_t count,
                                         double *time, double *pose, TN_UNUSED double *wrench)
{
    const test_crowd *crowd = recording->self;
    if (first + count > recording->frames) return TN_INVALID;
    for (uint64_t f = 0; f < count; f++) {
        const double at = (double)(first + f) * crowd->frame_step;
        if (time) time[f] = at;
        for (uint32_t k = 0; pose && k < recording->tracks; k++)
            test_crowd_pose(at, k, pose + 7 * (f * recording->tracks + k));
    }
    return TN_OK;
}

static inline void test_crowd_make(test_crowd *crowd, uint32_t bodies, uint64_t frames)
{
    test_recording one;
    test_recording_make(&one, 2, TEST_FIRST_COLUMNS, 2);
    *crowd = (test_crowd){.recording = one.recording, .frame_step = 10.0 / (double)(frames - 1)};
    crowd->track = calloc(bodies, sizeof *crowd->track);
    crowd->drawing = calloc(2 * bodies, sizeof *crowd->drawing);
    crowd->name = calloc(bodies, sizeof *crowd->name);
    assert_true(crowd->track && crowd->drawing && crowd->name);
    for (uint32_t k = 0; k < bodies; k++) {
        (void)snprintf(crowd->name[k], sizeof crowd->name[k], "row%u.body%u", k / 32, k);
        crowd->track[k] = one.track[0];
        crowd->track[k].name = crowd->name[k];
        crowd->drawing[k] = one.drawing[k % 2];
        crowd->drawing[k].name = crowd->name[k];
        crowd->drawing[k].place[0].track = k;
        crowd->drawing[bodies + k] = one.drawing[3];
        crowd->drawing[bodies + k].place[0].track = k;
        crowd->drawing[bodies + k].place[1].track = (k + 1) % bodies;
    }
    crowd->recording.self = crowd;
    crowd->recording.tracks = bodies;
    crowd->recording.track = crowd->track;
    crowd->recording.drawings = 2 * bodies;
    crowd->recording.drawing = crowd->drawing;
    crowd->recording.wrenches = crowd->recording.tables = crowd->recording.events = crowd->recording.modes =
        0;
    crowd->recording.frames = frames;
    crowd->recording.frame = test_crowd_frame;
}

static inline void test_crowd_free(test_crowd *crowd)
{
    free(crowd->track);
    free(crowd->drawing);
    free(crowd->name);
}

/* Every third frame of the test recording has a position that is not finite. */
static inline tn_status test_broken_frame(const tn_recording *recording, uint64_t first, uint64_t count,
                                          double *time, double *pose, double *wrench)
{
    const tn_status status = test_recording_frame(recording, first, count, time, pose, wrench);
    for (uint64_t f = 0; f < count; f++)
        if (pose && (first + f) % 3 == 1)
            pose[7 * (f * TEST_TRACKS + 1)] = (first + f) % 2 ? (double)NAN : (double)INFINITY;
    return status;
}

/* The forces of the last frame are not recorded, as where a run has failed. */
static inline tn_status test_lost_forces(const tn_recording *recording, uint64_t first, uint64_t count,
                                         double *time, double *pose, double *wrench)
{
    const tn_status status = test_recording_frame(recording, first, count, time, pose, wrench);
    for (size_t k = 0; wrench && count > 0 && first + count == recording->frames && k < 6; k++)
        wrench[6 * (count - 1) + k] = (double)NAN;
    return status;
}

/* Names with letters that are syntax in JSON, XML, HDF5 or paths. */
static inline void test_odd_names(test_recording *t)
{
    t->track[0].name = "a/b \"quoted\" <&> 'x'";
    t->track[1].name = "B\xc3\xa4r.\xe8\xbb\x8a";
    t->track[2].name = "line\nbreak\\.]]>";
    t->drawing[0].name = t->track[0].name;
    t->recording.title = "</script> & \"title\" \xe2\x82\xac";
    t->column[1].sensor = t->column[1].name = "a/b";
    t->column[2].sensor = t->column[2].name = "a_b";
    t->column[3].sensor = t->column[3].name = "time";
    t->wrench[0].element = ". /..";
}

#endif
