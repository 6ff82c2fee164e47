/* test_schema.c - the schema knows all that the kernel reads. What it says of models: tests/schema. */
#define _GNU_SOURCE
#include "cases/cases.h"
#include "tables/tables.h"
#include "schema/schema.h"

#include "config/plugin_texts.h"
#include "config/printed_text.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static char *properties; /* of a model file */

static void check_key(const char *key)
{
    char line[64];
    (void)snprintf(line, sizeof line, "\n    \"%s\": {", key);
    if (!strstr(properties, line)) fail_msg("the schema does not know [%s]", key);
}

static void check_words(const tn_keys *keys)
{
    for (const char *const *word = keys->words; *word; word++)
        check_key(*word);
}

static void every_key_at_the_top_of_a_file_is_known(void **state)
{
    (void)state;
    tn_text_file text;
    tn_text_file_open(&text);
    tn_schema_print(tn_registry_new(NULL, tn_reader_loading), text.file);
    properties = tn_text_file_close(&text);
    *strstr(properties, "\n  \"additionalProperties\"") = 0;
    check_words(&tn_model_keys);
    check_words(&tn_part_file_keys);
    for (uint32_t kind = 0; kind < TN_TEMPLATE_KINDS; kind++)
        check_key(tn_item_keys[kind]);
}

static void check_keys_of(const char *const *words)
{
    for (; *words; words++) {
        char key[64];
        (void)snprintf(key, sizeof key, "\"%s\": {", *words);
        if (!strstr(properties, key)) fail_msg("the schema of studies does not know %s", *words);
    }
}

static void every_key_of_a_study_is_known(void **state)
{
    (void)state;
    tn_text_file text;
    tn_text_file_open(&text);
    tn_schema_print_study(tn_registry_new(NULL, tn_reader_loading), text.file);
    properties = tn_text_file_close(&text);
    check_keys_of(tn_study_words);
    check_keys_of(tn_variable_words);
    check_keys_of(tn_response_words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_key_at_the_top_of_a_file_is_known),
                                       cmocka_unit_test(every_key_of_a_study_is_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
