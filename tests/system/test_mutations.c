/* test_mutations.c - models that are cut off or disturbed anywhere are read to the end: each is right, or has errors
 * with places, and the sanitizers find nothing */
#include "harness.h"

#include "units/units.h"
#include "config/plugin_texts.h"
#include "config/test_messages.h"
#include "run/all_services.h"
#include "run/study.h"
#include "system/assembly.h"

#include <sys/stat.h>

static const char *const names[] = {"car.toml", "car/suspension.toml", "car/bump.csv"};
enum { FILES = sizeof names / sizeof *names };

static const char *const pieces[] = {"\"",
                                     "[",
                                     "[[",
                                     "]",
                                     "{",
                                     "}",
                                     "=",
                                     ".",
                                     "\n",
                                     "#",
                                     "part",
                                     "uses",
                                     "[part]\n",
                                     "[[part]]\n",
                                     "-1",
                                     "0",
                                     "''",
                                     "{i}",
                                     "spline(",
                                     "bump",
                                     "1e999",
                                     "[include]\nfiles = ['car.toml']\n",
                                     "\xC3\xBC",
                                     "chassis",
                                     "car/suspension.toml"};
enum { PIECES = sizeof pieces / sizeof *pieces };

static size_t pick(tn_random *random, size_t count)
{
    return (size_t)tn_draw(random, 0.0, (double)count - 1e-9);
}

/* A text that ends early, or lacks something, or has something more, or both. */
static const char *mutate(tn_random *random, const char *text)
{
    const size_t length = strlen(text), at = pick(random, length + 1);
    const size_t left = length - at, cut = pick(random, (left < 40 ? left : 40) + 1);
    switch (pick(random, 4)) {
    case 0:
        return tn_format("%.*s", (int)at, text);
    case 1:
        return tn_format("%.*s%s", (int)at, text, text + at + cut);
    case 2:
        return tn_format("%.*s%s%s", (int)at, text, pieces[pick(random, PIECES)], text + at);
    default:
        return tn_format("%.*s%s%s", (int)at, text, pieces[pick(random, PIECES)], text + at + cut);
    }
}

/* Writes the messages on a model. */
static void report(const char *path, FILE *stream, bool *good)
{
    tn_registry *registry = tn_registry_new(TENON_BINARY, tn_reader_loading);
    tn_diagnostics *diagnostics = tn_diagnostics_new();
    tn_document *document = tn_document_read(path, diagnostics);
    tn_model *model = document ? tn_model_read(document, diagnostics, registry, false) : NULL;
    tn_plan plan = {0};
    if (model) tn_plan_read(model, &(tn_study_options){.writes = true}, &plan);
    if (tn_error_count(diagnostics) == 0) (void)tn_assemble(model, &tn_all_services);
    *good = tn_error_count(diagnostics) == 0;
    print_messages(diagnostics, stream);
    if (model) tn_model_release(model);
}

/* The messages on a model. */
static const char *reported(const char *path, bool *good)
{
    static tn_memory memory;
    const char *file = tn_scratch_path("said");
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    assert_true(tn_attempt(&memory, report(path, stream, good)));
    tn_memory_release(&memory);
    assert_int_equal(fclose(stream), 0);
    return tn_read(file);
}

static void test_disturbed_models(void **state)
{
    (void)state;
    const char *text[FILES];
    for (int k = 0; k < FILES; k++)
        text[k] = tn_read(tn_format(TENON_SOURCE_DIR "/configs/parts/%s", names[k]));
    assert_int_equal(mkdir(tn_scratch_path("car"), 0700), 0);
    tn_random random = {.state = 7};
    int right = 0, wrong = 0;
    for (int round = 0; round < 400; round++) {
        for (int k = 0; k < FILES; k++)
            (void)tn_write(names[k], k == round % FILES ? mutate(&random, text[k]) : text[k]);
        bool good = false;
        const char *said = reported(tn_scratch_path("car.toml"), &good);
        right += good;
        wrong += !good;
        if (good != (strstr(said, "error: ") == NULL)) fail_msg("round %d: %s", round, said);
        /* every error has its place; what it shows of a file begins with a blank */
        for (const char *line = said; *line; line = strchr(line, '\n') + 1) {
            const char *const end = strchr(line, '\n'), *const place = strstr(line, "toml:");
            const bool placed = place && place < end;
            if (!end || !(placed || *line == ' ' || strncmp(line, "... and", 7) == 0))
                fail_msg("round %d: %s", round, said);
        }
    }
    assert_true(right > 20 && wrong > 100);
    tn_units_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_disturbed_models)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
