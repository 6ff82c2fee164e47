/* schema.c - `tenon schema`: the JSON Schema of model files. */
#include "schema/schema.h"

#include "cli/cli.h"
#include "cli/plugin_path.h"

int tn_command_schema(int argc, char **argv)
{
    tn_words words = {0}, directories = {0};
    const tn_option options[] = {
        {"--plugin-path", "DIR", TN_OPTION_WORDS, &directories, "with the types of this directory, too"},
        {0}};
    const tn_usage usage = {
        "schema",
        "Prints the JSON Schema of model files with the types that are installed.\n"
        "Editors complete, explain and check models by it: with Even Better TOML,\n"
        "`tenon schema > tenon.json` and `#:schema ./tenon.json` as a model's first line.",
        NULL,
        0,
        0,
        options};
    int status = 0;
    tn_registry *registry = NULL;
    if (!tn_options_read(&usage, argc, argv, &words, &status)) goto end;
    status = 2;
    if (!(registry = tn_open_registry(&usage, &directories))) goto end;
    tn_registry_load_all(registry, NULL);
    tn_schema_print(registry, stdout);
    status = 0;
end:
    tn_registry_free(registry);
    tn_words_free(&words);
    tn_words_free(&directories);
    return status;
}
