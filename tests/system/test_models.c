/* test_models.c - every model of configs/ is right and runs to its end
 *
 * Models stand in the folders of configs/, and nothing else with their ending does but studies, NAME_study.toml: the parts of car.toml
 * stand in a folder car/ beside it. */
#define _GNU_SOURCE
#include "harness.h"

#include <ftw.h>
#include <math.h>

enum { MODELS = 2 }; /* how deep they stand: configs/first/model.toml */

enum { MOST_MODELS = 256 };
static const char *models[MOST_MODELS], *pieces[MOST_MODELS];
static size_t count, piece_count;

static int add(const char *path, const struct stat *status, int kind, struct FTW *position)
{
    (void)status;
    if (kind != FTW_F || !tn_is_model(path)) return 0;
    const bool is_piece = position->level > MODELS;
    if ((is_piece ? piece_count : count) == MOST_MODELS) return 1; /* one of them would not be tested */
    if (is_piece)
        pieces[piece_count++] = tn_format("%s", path);
    else
        models[count++] = tn_format("%s", path);
    return 0;
}

static int find_models(void **state)
{
    if (tn_scratch_open(state) != 0) return 1;
    return nftw(TENON_SOURCE_DIR "/configs", add, 16, FTW_PHYS) == 0 && count > 0 ? 0 : 1;
}

/* Benchmarks are made for measuring: they run for a moment, and small where they have a size `n`. */
static size_t shorten(const char *path, const char **words)
{
    size_t used = 0;
    if (!strstr(path, "/benchmarks/")) return 0;
    tn_diagnostics *diagnostics = tn_diagnostics_new();
    tn_document *document = tn_document_read(path, diagnostics);
    assert_non_null(document);
    const tn_toml *root = tn_document_root(document), *parameters = tn_toml_get(root, "parameters");
    const tn_toml *solver = tn_toml_get(root, "solver"), *step = solver ? tn_toml_get(solver, "step") : NULL;
    if (parameters && tn_toml_get(parameters, "n")) {
        words[used++] = "--set";
        words[used++] = "parameters.n=4";
    }
    if (step && step->real > 0.0) {
        words[used++] = "--set";
        words[used++] = tn_format("solver.end_time=%.17g", 100.0 * step->real);
    }
    return used;
}

static void test_models_are_right(void **state)
{
    (void)state;
    for (size_t k = 0; k < count; k++) {
        const tn_outcome outcome = tn_tenon(TN_WORDS("check", models[k], "--trust"));
        if (outcome.status != 0) fail_msg("%s: exit %d: %s", models[k], outcome.status, outcome.errors);
        assert_null(strstr(outcome.errors, "warning:"));
        assert_non_null(strstr(outcome.output, "degrees of freedom: "));
    }
}

static void test_models_run(void **state)
{
    (void)state;
    for (size_t k = 0; k < count; k++) {
        const char *results = tn_scratch_path(NULL),
                   *words[16] = {"run", models[k], "--trust", "--quiet", "--out", results};
        (void)shorten(models[k], words + 6);
        const tn_outcome outcome = tn_tenon(words);
        if (outcome.status != 0) fail_msg("%s: exit %d: %s", models[k], outcome.status, outcome.errors);
        assert_string_equal(outcome.errors, "");
        const tn_csv_table *sensors = tn_sensors(results);
        assert_true(sensors->rows > 0);
        for (size_t i = 0; i < sensors->rows * sensors->columns; i++)
            if (!isfinite(sensors->value[i]))
                fail_msg("%s: %s is not finite in row %zu", models[k], sensors->name[i % sensors->columns],
                         i / sensors->columns);
    }
}

/* The model that has the name of a piece's folder names the piece. */
static void test_pieces_belong_to_models(void **state)
{
    (void)state;
    for (size_t k = 0; k < piece_count; k++) {
        const char *file = strrchr(pieces[k], '/');
        const char *model = tn_format("%.*s.toml", (int)(file - pieces[k]), pieces[k]),
                   *folder = strrchr(model, '/');
        tn_check_holds(tn_read(model),
                       TN_WORDS(tn_format("\"%.*s%s\"", (int)strlen(folder) - 6, folder + 1, file)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models_are_right),
                                       cmocka_unit_test(test_pieces_belong_to_models),
                                       cmocka_unit_test(test_models_run)};
    return cmocka_run_group_tests(tests, find_models, tn_scratch_close);
}
