/* test_conformance.c - runs the checks of all element and marker types that the plugins of a directory offer
 *
 * The directory is named by the environment variable TENON_PLUGINS, or fixed when this file is compiled. */
#include "cases/cases.h"
#include "checks.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef TENON_PLUGINS
#define TENON_PLUGINS "plugins"
#endif

enum { MOST_TESTS = 4096 };

/* ---- the descriptor ------------------------------------------------------------------------------------ */

static bool always(const tn_loaded_element *type)
{
    (void)type;
    return true;
}

static size_t bytes_of(const tn_parameter *p)
{
    switch ((tn_parameter_kind)p->kind) {
    case TN_KIND_REAL:
        return p->count * sizeof(double);
    case TN_KIND_ROTATION:
        return 9 * sizeof(double);
    case TN_KIND_BOOLEAN:
    case TN_KIND_CHOICE:
        return p->count * sizeof(int32_t);
    case TN_KIND_LIST:
        return sizeof(tn_list);
    case TN_KIND_TEXTS:
        return sizeof(tn_texts);
    default:
        return sizeof(void *);
    }
}

/* Texts for the documentation, parameters inside the instance, and a random instance that is accepted. */
static void run_descriptor(tn_trial *trial)
{
    const tn_loaded_element *type = trial->type;
    if (type->struct_size > sizeof *type) tn_fail(trial, "is of a newer interface");
    if (!type->summary || !type->formula) tn_fail(trial, "has no summary or no formula");
    for (const tn_parameter *p = type->parameters; p && p->name; p++) {
        if (!p->meaning || !p->unit) tn_fail(trial, "parameter %s has no meaning or no unit", p->name);
        if (p->offset + bytes_of(p) > type->instance_size)
            tn_fail(trial, "parameter %s lies outside the instance", p->name);
        if ((p->kind == TN_KIND_CHOICE || p->kind == TN_KIND_CALLABLE) && !p->detail)
            tn_fail(trial, "parameter %s lists no choices or arguments", p->name);
    }
    for (const tn_output *o = type->outputs; o && o->name; o++)
        if (!o->meaning || !o->unit || o->size == 0)
            tn_fail(trial, "output %s has no meaning, unit or size", o->name);
    for (const tn_port *p = type->ports; p && p->name; p++)
        if (!p->meaning || p->minimum > p->maximum || (p->kind > TN_ANY && !tn_is_node(p->kind)))
            tn_fail(trial, "port %s has no meaning, numbers or kind", p->name);
    if (trial->failures == 0 && !tn_draw_instance(trial, true, tn_take_instances(trial, 1).first))
        tn_fail(trial, "no random instance is accepted; last refusal: %s", trial->refusal);
}

static bool is_prepared(const tn_loaded_element *type) { return type->prepare != NULL; }

/* The kernel prepares an instance again after every change of a parameter. */
static void run_prepare_again(tn_trial *trial)
{
    const size_t size = trial->type->instance_size;
    void *instance = tn_take_instances(trial, 1).first;
    for (int k = 0; k < TN_SAMPLES; k++) {
        struct tn_block *mark = tn_mark(trial);
        if (!tn_draw_instance(trial, k % 2 == 0, instance)) {
            tn_fail(trial, "no random instance is accepted; last refusal: %s", trial->refusal);
            return;
        }
        const void *before = tn_take_copy(trial, instance, size);
        if (trial->type->prepare(&trial->host, instance) != TN_OK)
            tn_fail(trial, "refuses what it has completed itself: %s", trial->refusal);
        if (memcmp(before, instance, size) != 0)
            tn_fail(trial, "a second call of prepare changes what the first one completed");
        tn_release(trial, mark);
    }
}

static const tn_check descriptor_checks[] = {{"descriptor is complete", always, run_descriptor}, {0}};
static const tn_check prepare_checks[] = {
    {"prepare has nothing to add the second time", is_prepared, run_prepare_again}, {0}};

/* ---- plugins ------------------------------------------------------------------------------------------- */

static int is_plugin(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 3 && strcmp(entry->d_name + length - 3, ".so") == 0;
}

/* The types of a library, which stay loaded: tests are named by what they are. */
static tn_loaded loaded[MOST_TESTS];
static size_t loaded_count;

/* False after a message. A library of several types has a name for each of them: it is taken once. */
static bool load(const char *directory, const char *name)
{
    char path[4096];
    tn_reason reason;
    const int length = snprintf(path, sizeof path, "%s/%s", directory, name);
    if (length < 0 || (size_t)length >= sizeof path || loaded_count == MOST_TESTS) {
        (void)fprintf(stderr, "%s/%s is one library too many, or has too long a name\n", directory, name);
        return false;
    }
    tn_loaded *next = &loaded[loaded_count];
    if (tn_load(path, &tn_reader_loading, next, &reason) != TN_LOADED) {
        (void)fprintf(stderr, "%s: %s\n", path, reason.text);
        return false;
    }
    for (size_t k = 0; k < loaded_count; k++)
        if (loaded[k].library == next->library) return true;
    loaded_count++;
    return true;
}

/* ---- tests --------------------------------------------------------------------------------------------- */

typedef struct item {
    const tn_loaded_element *type; /* or */
    const tn_loaded_marker *marker;
    const tn_check *check;
    char name[128];
} item;

static item items[MOST_TESTS];
static struct CMUnitTest tests[MOST_TESTS];
static size_t test_count;

static void run_item(void **state)
{
    const item *it = *state;
    tn_trial trial;
    if (it->marker)
        tn_trial_open_marker(&trial, it->marker);
    else
        tn_trial_open(&trial, it->type);
    it->check->run(&trial);
    tn_trial_close(&trial);
    if (trial.failures) fail_msg("%s (%zu failures)", trial.failure, trial.failures);
}

static void add_tests(const tn_loaded_element *type, const tn_loaded_marker *marker, const tn_check *checks)
{
    for (; checks->meaning; checks++) {
        if (!checks->applies(type)) continue;
        if (test_count == MOST_TESTS) {
            (void)fprintf(stderr, "there are more than %d tests\n", MOST_TESTS);
            exit(1);
        }
        item *it = &items[test_count];
        *it = (item){.type = type, .marker = marker, .check = checks};
        (void)snprintf(it->name, sizeof it->name, "%s: %s", type ? type->name : marker->name,
                       checks->meaning);
        tests[test_count++] =
            (struct CMUnitTest){.name = it->name, .test_func = run_item, .initial_state = it};
    }
}

static void add_marker(const tn_loaded_marker *type)
{
    add_tests(NULL, type, descriptor_checks);
    if (type->ports && type->ports->name) add_tests(NULL, type, tn_derived_checks);
    add_tests(NULL, type, tn_static_checks);
}

static void add_library(const tn_loaded *library)
{
    for (size_t k = 0; k < library->type_count; k++) {
        const tn_loaded_type *t = &library->types[k];
        if (strcmp(t->kind->key, TN_MARKER_KIND) == 0) add_marker(t->type);
        if (strcmp(t->kind->key, TN_ELEMENT_KIND) != 0) continue;
        add_tests(t->type, NULL, descriptor_checks);
        add_tests(t->type, NULL, prepare_checks);
        add_tests(t->type, NULL, tn_connector_checks);
        add_tests(t->type, NULL, tn_constraint_checks);
        add_tests(t->type, NULL, tn_unknowns_checks);
        add_tests(t->type, NULL, tn_reaction_checks);
        add_tests(t->type, NULL, tn_coordinate_checks);
        add_tests(t->type, NULL, tn_mechanics_checks);
        add_tests(t->type, NULL, tn_body_checks);
        add_tests(t->type, NULL, tn_own_checks);
        add_tests(t->type, NULL, tn_attachment_checks);
        add_tests(t->type, NULL, tn_thread_checks);
        add_tests(t->type, NULL, tn_static_checks);
    }
}

int main(void)
{
    const char *directory = getenv("TENON_PLUGINS");
    struct dirent **entries = NULL;
    int failed = 0;
    if (!directory) directory = TENON_PLUGINS;
    tn_kinds_add(tn_study_kinds, tn_study_kind_count);
    const int count = scandir(directory, &entries, is_plugin, alphasort);
    for (int k = 0; k < count; k++) {
        failed += !load(directory, entries[k]->d_name);
        free(entries[k]);
    }
    free(entries);
    for (size_t k = 0; k < loaded_count; k++)
        add_library(&loaded[k]);
    if (test_count == 0) {
        (void)fprintf(stderr, "%s holds no plugin with an element or a marker\n", directory);
        return 1;
    }
    return _cmocka_run_group_tests("conformance", tests, test_count, NULL, NULL) != 0 || failed;
}
