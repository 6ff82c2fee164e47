/* schema_command.c - `tenon schema`: the JSON Schema of model files, and of studies. */
#include "schema/schema.h"

#include "cli/cli.h"
#include "cli/plugin_path.h"

/* Plugins whose types are missing in the schema; true when there are none. */
static bool report_missing_types(const tn_registry *registry)
{
    bool complete = true;
    for (size_t k = 0; k < tn_registry_file_count(registry); k++) {
        const tn_plugin_file *file = tn_registry_file(registry, k);
        if (file->verdict != TN_REFUSED) continue;
        (void)fprintf(stderr, "error: %s is omitted from the schema: %s\n", file->path, file->reason);
        complete = false;
    }
    return complete;
}

int tn_command_schema(int argc, char **argv)
{
    tn_words words = {0}, directories = {0};
    bool of_studies = false;
    const tn_option options[] = {
        {"--study", NULL, TN_OPTION_FLAG, &of_studies, "the schema of studies, not of models"},
        TN_PLUGIN_PATH_OPTION(&directories),
        {0}};
    const tn_usage usage = {
        "schema",
        "Prints the JSON Schema of model files, or of studies, with the installed types.\n"
        "Editors complete, explain and check models by it: with Even Better TOML,\n"
        "`tenon schema > tenon.json` and `#:schema ./tenon.json` as a model's first line.\n"
        "If a plugin cannot be loaded, it is named and the exit status is 1.",
        NULL,
        0,
        0,
        options};
    int status = 0;
    if (!tn_options_read(&usage, argc, argv, &words, &status)) return status;
    tn_registry *registry = tn_open_registry(&usage, &directories);
    if (!registry) return 2;
    tn_registry_load_all(registry, NULL);
    (of_studies ? tn_schema_print_study : tn_schema_print)(registry, stdout);
    return report_missing_types(registry) ? 0 : 1;
}
