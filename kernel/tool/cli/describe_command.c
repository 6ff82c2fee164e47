/* describe_command.c - `tenon describe [NAME]`: all that a type, or every type of a library, says about itself. */
#include "describe/describe.h"

#include "cli/cli.h"
#include "cli/plugin_path.h"
#include "config/plugin_texts.h"

#include <string.h>

/* One form on its way out. */
typedef struct output {
    const tn_printer *printer;
    tn_page page;
} output;

static void describe_one(void *data, const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    output *to = data;
    tn_describe_type(to->printer, &to->page, kind, type, file);
}

/* Describes the type of every kind that has one of this name; `reason` of the first file that should have. */
static bool describe_named(output *to, tn_registry *registry, const char *name, char *reason,
                           size_t reason_size)
{
    for (size_t i = 0; i < tn_kind_count(); i++) {
        const tn_kind *kind = tn_kind_at(i);
        const void *type = tn_registry_find(registry, kind->key, name, reason, reason_size);
        if (!type) continue;
        if (!to->page.type_count) to->printer->start(&to->page);
        describe_one(to, kind, type, tn_registry_file_of(registry, type));
    }
    if (to->page.type_count) to->printer->end(&to->page);
    return to->page.type_count;
}

/* The types of the libraries of this name. */
typedef struct selection {
    output *to;
    const char *library;
} selection;

static void describe_selected(void *data, const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    const selection *of = data;
    output *to = of->to;
    if (strcmp(file->library->name, of->library) != 0) return;
    if (to->printer == &tn_markdown_printer) {
        tn_markdown_row(&to->page, kind, type, file);
        return;
    }
    if (!to->page.type_count) to->printer->start(&to->page);
    describe_one(to, kind, type, file);
}

static bool describe_library(output *to, tn_registry *registry, const char *name)
{
    selection of = {to, name};
    tn_types_visit(registry, NULL, describe_selected, &of);
    if (to->page.type_count) to->printer->end(&to->page);
    return to->page.type_count;
}

static void describe_all(output *to, tn_registry *registry)
{
    tn_registry_load_all(registry, NULL);
    to->printer->start(&to->page);
    tn_types_visit(registry, NULL, describe_one, to);
    to->printer->end(&to->page);
}

static int refuse_name(tn_registry *registry, const char *name, const char *reason)
{
    tn_nearest search;
    tn_nearest_start(&search, name);
    tn_registry_offer(registry, NULL, &search);
    char *synonyms = tn_type_synonyms(registry, NULL, name);
    fprintf(stderr, "tenon describe: unknown type \"%s\": %s", name, reason);
    if (synonyms)
        fprintf(stderr, "; did you mean %s?", synonyms);
    else if (search.best)
        fprintf(stderr, "; did you mean \"%s\"?", search.best);
    fprintf(stderr, "\n");
    return 2;
}

static int describe_types(output *to, tn_registry *registry, const char *name)
{
    char reason[TN_LONGEST_REASON] = "", unused[TN_LONGEST_REASON];
    if (!name) {
        describe_all(to, registry);
        return 0;
    }
    if (describe_named(to, registry, name, reason, sizeof reason)) return 0;
    /* no file is called like it: a library of several types may hold it */
    tn_registry_load_all(registry, NULL);
    if (describe_named(to, registry, name, unused, sizeof unused)) return 0;
    if (describe_library(to, registry, name)) return 0;
    return refuse_name(registry, name, reason);
}

int tn_command_describe(int argc, char **argv)
{
    tn_words names = {0}, directories = {0};
    bool markdown = false, json = false;
    const tn_option options[] = {
        {"--markdown", NULL, TN_OPTION_FLAG, &markdown,
         "as the reference section of a page; of a library, a table"},
        {"--json", NULL, TN_OPTION_FLAG, &json, "as JSON: an array of types; without NAME of all types"},
        {"--plugin-path", "DIR", TN_OPTION_WORDS, &directories, "search this directory first"},
        {0}};
    const tn_usage usage = {
        "describe", "Describes a type, or each type of a library: formula, parameters, ports, outputs.",
        "NAME",     0,
        1,          options};
    int status = 0;
    if (!tn_options_read(&usage, argc, argv, &names, &status)) return status;
    if (markdown && json) return tn_wrong_usage(&usage, "--markdown and --json exclude each other");
    if (!names.count && !json) return tn_wrong_usage(&usage, "NAME is needed");
    tn_registry *registry = tn_open_registry(&usage, &directories);
    if (!registry) return 2;
    output to = {.printer = markdown ? &tn_markdown_printer
                            : json   ? &tn_json_printer
                                     : &tn_text_printer,
                 .page = {.stream = stdout}};
    return describe_types(&to, registry, names.count ? names.word[0] : NULL);
}
