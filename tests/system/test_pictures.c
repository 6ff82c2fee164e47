/* test_pictures.c - what is made of the runs of all models of configs/: pages in a browser, scenes by the validator of glTF, files that
 * VTK reads */
#define _GNU_SOURCE
#include "harness.h"

#include <ftw.h>
#include <unistd.h>

/* Sanitized ones run much slower: some models stand for all. */
enum { MODELS = 2, MOST_MODELS = 256, EVERY = TN_SANITIZED ? 16 : 1 };
static const char *models[MOST_MODELS];
static size_t count;
static const char *results; /* a folder for each */

static int add(const char *path, TN_UNUSED const struct stat *status, int kind, struct FTW *position)
{
    if (kind != FTW_F || !tn_is_model(path) || position->level > MODELS) return 0;
    if (count == MOST_MODELS) return 1;
    models[count++] = tn_format("%s", path);
    return 0;
}

static int in_order(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* configs/first/chain.toml: FOLDER/first_chain */
static const char *folder_of(const char *model)
{
    const char *name = model + strlen(TENON_SOURCE_DIR "/configs/"), *slash = strchr(name, '/');
    return tn_format("%s/%.*s_%.*s", results, (int)(slash - name), name,
                     (int)(strlen(slash) - sizeof ".toml"), slash + 1);
}

static void run(const char *model)
{
    const bool is_long = strstr(model, "/variable_chain.toml") != NULL;
    const tn_outcome outcome = tn_tenon(TN_WORDS(
        "run", model, "--trust", "--quiet", "--out", folder_of(model), "--set",
        "output.writers=['csv', 'report', 'glb']", is_long ? "--set" : NULL, "solver.end_time=0.01"));
    if (outcome.status != 0) fail_msg("%s: exit %d: %s", model, outcome.status, outcome.errors);
}

static int run_all(void **state)
{
    if (tn_scratch_open(state) != 0 || nftw(TENON_SOURCE_DIR "/configs", add, 16, FTW_PHYS) != 0) return 1;
    qsort(models, count, sizeof *models, in_order);
    results = tn_scratch_path("runs");
    if (!tn_has_plugin("report")) return 0;
    for (size_t k = 0; k < count; k += EVERY)
        run(models[k]);
    return 0;
}

/* The test is skipped, or fails as in tn_need_plugin(). */
static void leave_out(const char *missing)
{
    if (getenv("TENON_NO_SKIPS")) fail_msg("not there: %s", missing);
    skip();
}

/* Whether a program is there; else the test is left out. */
static void need(const char *condition)
{
    tn_need_plugin("report");
    if (tn_await(tn_start("sh", TN_WORDS("-c", condition))).status != 0) leave_out(condition);
}

/* A status of 77 stands for what the command needs and cannot get. */
static void check(const char *command)
{
    const tn_outcome outcome = tn_await(tn_start("sh", TN_WORDS("-c", command)));
    if (outcome.status == 77) leave_out(outcome.errors);
    if (outcome.status != 0) fail_msg("%s\n%s%s", command, outcome.output, outcome.errors);
}

static void pages_of_all_models_work_in_a_browser(void **state)
{
    (void)state;
    if (TN_SANITIZED) skip(); /* a browser is not, and has all pages in the build that is not either */
    need("command -v node && command -v \"${CHROMIUM:-chromium}\"");
    check(tn_format("node '" TENON_SOURCE_DIR "/plugins/writers/report/browser/check_models.mjs' '%s'",
                    results));
}

static void scenes_of_all_models_are_valid(void **state)
{
    (void)state;
    need("command -v node && command -v npm");
    check(tn_format(
        "cd '%s' && mkdir scenes && for run in */scene.glb; do ln -s \"../$run\" scenes/$(dirname $run).glb; "
        "done && bash '" TENON_SOURCE_DIR "/plugins/writers/glb/validate.sh' scenes '" TENON_PLUGINS
        "/../tests'",
        results));
}

static void vtk_reads_models(void **state)
{
    (void)state;
    static const char *const some[] = {"parts_car",
                                       "seeds_bicycle",
                                       "contact_stack",
                                       "contact_spheres",
                                       "seeds_solfec_shock_absorber",
                                       "benchmarks_iftomm_a02_four_bar"};
    const char *folders = "";
    need("python3 -c 'import vtkmodules' || /usr/bin/python3 -c 'import vtkmodules'");
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        const char *folder = tn_format("%s/%s", results, some[k]);
        if (access(folder, F_OK) != 0 && EVERY > 1) continue;
        const tn_outcome outcome = tn_tenon(TN_WORDS("convert", folder, "--to", "vtk,most_frames=20"));
        if (outcome.status != 0) fail_msg("%s: exit %d: %s", folder, outcome.status, outcome.errors);
        folders = tn_format("%s '%s'", folders, folder);
    }
    check(tn_format("python=python3; $python -c 'import vtkmodules' 2>/dev/null || python=/usr/bin/python3; "
                    "$python '" TENON_SOURCE_DIR "/plugins/writers/vtk/check_model.py' %s",
                    folders));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pages_of_all_models_work_in_a_browser),
                                       cmocka_unit_test(scenes_of_all_models_are_valid),
                                       cmocka_unit_test(vtk_reads_models)};
    return cmocka_run_group_tests(tests, run_all, tn_scratch_close);
}
