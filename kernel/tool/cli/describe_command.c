/* describe_command.c - `tenon describe [NAME]`: all that a type, or every type of a library, says about itself. */
#include "describe/describe.h"

#include "cli/cli.h"
#include "cli/plugin_path.h"
#include "config/plugin_texts.h"

#include <string.h>

/* Describes the type of every kind that has one of this name; `reason` of the first file that should have. */
static bool describe_named(tn_page *page, tn_registry *registry, const char *name, char *reason,
                           size_t reason_size)
{
    for (size_t i = 0; i < tn_kind_count(); i++) {
        const tn_kind *kind = tn_kind_at(i);
        const void *type = tn_registry_find(registry, kind->key, name, reason, reason_size);
        if (type) tn_describe_type(page, kind, type, tn_registry_file_of(registry, type));
    }
    return page->type_count;
}

/* The types of the libraries of this name. */
typedef struct selection {
    tn_page *page;
    const char *library;
} selection;

static void describe_selected(void *data, const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    const selection *of = data;
    if (strcmp(file->library->name, of->library) != 0) return;
    if (of->page->printer == &tn_markdown_printer)
        tn_markdown_row(of->page, kind, type, file);
    else
        tn_describe_type(of->page, kind, type, file);
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

static int describe_types(tn_page *page, tn_registry *registry, const char *name)
{
    char reason[TN_LONGEST_REASON] = "", unused[TN_LONGEST_REASON];
    if (!name || !describe_named(page, registry, name, reason, sizeof reason)) {
        /* where no file is called like it, a library of several types may hold it */
        tn_registry_load_all(registry, NULL);
        if (!name)
            tn_types_visit(registry, NULL, tn_describe_type, page);
        else if (!describe_named(page, registry, name, unused, sizeof unused))
            tn_types_visit(registry, NULL, describe_selected, &(selection){page, name});
    }
    if (name && !page->type_count) return refuse_name(registry, name, reason);
    tn_describe_end(page);
    return 0;
}

int tn_command_describe(int argc, char **argv)
{
    tn_words names = {0}, directories = {0};
    bool markdown = false, json = false;
    const tn_option options[] = {
        {"--markdown", NULL, TN_OPTION_FLAG, &markdown,
         "as the reference section of a page; of a library, a table"},
        {"--json", NULL, TN_OPTION_FLAG, &json, "as JSON: an array of types; without NAME of all types"},
        TN_PLUGIN_PATH_OPTION(&directories),
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
    tn_page page = {.printer = markdown ? &tn_markdown_printer
                               : json   ? &tn_json_printer
                                        : &tn_text_printer,
                    .stream = stdout};
    return describe_types(&page, registry, names.count ? names.word[0] : NULL);
}
