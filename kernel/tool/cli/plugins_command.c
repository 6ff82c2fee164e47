/* plugins_command.c - `tenon plugins`: the types that are installed, and a report on every file that was looked at. */
#include "cli/cli.h"
#include "cli/plugin_path.h"
#include "cli/text_table.h"
#include "config/plugin_texts.h"
#include "plugin/kinds.h"

/* A row of the table of types. */
static void add_type_row(void *data, const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    tn_text_table *table = data;
    const tn_description description = tn_type_description(kind, type);
    tn_text_table_add(table, "%s", kind->key);
    tn_text_table_add(table, "%s", description.name);
    tn_text_table_add(table, "%s", description.summary);
    tn_text_table_add(table, "%s", file->library->version);
    tn_text_table_add(table, "%s", file->library->licence);
    tn_text_table_add(table, "%s", file->path);
}

static void print_types(tn_registry *registry)
{
    static const char *const headings[] = {"kind", "name", "summary", "version", "licence", "library"};
    tn_text_table table = {.columns = sizeof headings / sizeof headings[0]};
    for (size_t i = 0; i < table.columns; i++)
        tn_text_table_add(&table, "%s", headings[i]);
    tn_types_visit(registry, NULL, add_type_row, &table);
    tn_text_table_print(&table, stdout);
    if (table.count == table.columns) puts("no types were found");
}

/* A row of the table of what is not there. */
static void add_left_out(void *data, const char *kind, const char *name, const char *packages)
{
    tn_text_table *table = data;
    tn_text_table_add(table, "%s", kind);
    tn_text_table_add(table, "%s", name);
    tn_text_table_add(table, "%s", *packages ? packages : "-");
}

static void print_left_out(tn_registry *registry)
{
    tn_text_table table = {.columns = 3};
    tn_text_table_add(&table, "%s", "kind");
    tn_text_table_add(&table, "%s", "name");
    tn_text_table_add(&table, "%s", "Debian package to install");
    tn_left_out_visit(registry, add_left_out, &table);
    if (table.count == table.columns) return;
    puts("\nnot built (./build.sh deps all installs what is missing, ./build.sh build builds it):");
    tn_text_table_print(&table, stdout);
}

static void print_files(const tn_registry *registry)
{
    static const char *const verdicts[] = {
        [TN_LOADED] = "loaded", [TN_REFUSED] = "refused", [TN_SKIPPED] = "skipped"};
    printf("\nfiles examined: %zu\n", tn_registry_file_count(registry));
    for (size_t i = 0; i < tn_registry_file_count(registry); i++) {
        const tn_plugin_file *file = tn_registry_file(registry, i);
        printf("%-8s %s%s%s\n", verdicts[file->verdict], file->path, file->reason ? ": " : "",
               file->reason ? file->reason : "");
    }
}

int tn_command_plugins(int argc, char **argv)
{
    const char *directory = NULL;
    const tn_option options[] = {
        {"--path", "DIR", TN_OPTION_TEXT, &directory, "search this directory instead of the search path"},
        {0}};
    const tn_usage usage = {"plugins",
                            "Lists the installed types, then every file that the loader examined.\n"
                            "It searches TENON_PLUGIN_PATH and the installation.",
                            NULL,
                            0,
                            0,
                            options};
    tn_words words = {0};
    int status = 0;
    if (!tn_options_read(&usage, argc, argv, &words, &status)) return status;
    tn_registry *registry =
        tn_open_registry(&usage, &(tn_words){.word = &directory, .count = directory != NULL});
    if (!registry) return 2;
    tn_registry_load_all(registry, directory);
    print_types(registry);
    print_left_out(registry);
    print_files(registry);
    return 0;
}
