/* test_errors.h - what the tests of wrong models share: a right one, one change to it, and what is reported. */
#ifndef TN_TEST_ERRORS_H
#define TN_TEST_ERRORS_H

#include "config/test_messages.h"
#include "config/plugin_texts.h"
#include "config/test_first_lines.h"
#include "run/study.h"
#include "units/units.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* The lines are counted in the expected places: element 4, 9 and 15, solver 21. */
static const char right_model[] = "[model]\n"
                                  "name = \"right\"\n"
                                  "\n"
                                  "[[element]]\n"
                                  "name = \"mass\"\n"
                                  "type = \"mass_point\"\n"
                                  "mass = 1\n"
                                  "\n"
                                  "[[element]]\n"
                                  "name = \"body\"\n"
                                  "type = \"rigid_body\"\n"
                                  "mass = 1\n"
                                  "inertia = [1, 1, 1]\n"
                                  "\n"
                                  "[[element]]\n"
                                  "name = \"spring\"\n"
                                  "type = \"spring_damper\"\n"
                                  "markers = [\"ground\", \"mass\"]\n"
                                  "stiffness = 100\n"
                                  "\n"
                                  "[solver]\n"
                                  "type = \"rk\"\n"
                                  "end_time = 1\n"
                                  "step = 0.1\n"
                                  "\n";

/* `old` (NULL: the end, line 26) of the right model becomes `new`; `errors` are the lines that are then printed,
 * without the name of the file: "" where the model stays right. */
typedef struct change {
    const char *old, *new, *errors;
} change;

static tn_registry *registry;

static int open_registry(void **state)
{
    (void)state;
    registry = tn_registry_new(TENON_BINARY, tn_reader_loading);
    return 0;
}

static int close_registry(void **state)
{
    (void)state;
    tn_units_close();
    return 0;
}

/* What is reported about a model, malloc'd, with or without what is shown of its files; wherever `cut` stands in it, so many
 * letters are taken out. */
static char *reported_of(const char *path, bool all, const char *cut, size_t letters)
{
    char *text = NULL;
    size_t size = 0;
    tn_diagnostics *diagnostics = tn_diagnostics_new();
    tn_document *document = tn_document_read(path, diagnostics);
    tn_model *read = document ? tn_model_read(document, diagnostics, registry, false) : NULL;
    tn_plan plan = {0};
    if (read) tn_plan_read(read, &(tn_study_options){.writes = true}, &plan);
    FILE *stream = open_memstream(&text, &size);
    print_messages(diagnostics, stream);
    (void)fclose(stream);
    if (read) tn_model_release(read);
    if (!all) keep_first_lines(text);
    for (char *place; (place = strstr(text, cut));
         memmove(place, place + letters, strlen(place + letters) + 1))
        ;
    return text;
}

/* Likewise about a text, with the name of the file taken out. */
static char *reported(const char *model)
{
    char path[] = "/tmp/test_errors_XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    assert_true(fputs(model, file) >= 0 && fclose(file) == 0);
    char *text = reported_of(path, false, path, sizeof path);
    (void)unlink(path);
    return text;
}

static inline void check_change(const change *changed)
{
    const char *old = changed->old ? strstr(right_model, changed->old) : right_model + sizeof right_model - 1;
    assert_non_null(old);
    const size_t size = sizeof right_model + strlen(changed->new);
    char *model = calloc(1, size);
    assert_non_null(model);
    (void)snprintf(model, size, "%.*s%s%s", (int)(old - right_model), right_model, changed->new,
                   old + (changed->old ? strlen(changed->old) : 0));
    char *errors = reported(model);
    if (strcmp(errors, changed->errors) != 0) print_error("changed to: %s\n", changed->new);
    assert_string_equal(errors, changed->errors);
    free(errors);
    free(model);
}

#define CHECK_CHANGES(changes)                                       \
    for (size_t k = 0; k < sizeof(changes) / sizeof *(changes); k++) \
    check_change(&(changes)[k])

#endif
