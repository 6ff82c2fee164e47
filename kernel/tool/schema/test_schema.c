/* test_schema.c - the schema knows all that the kernel reads. What it says of models: tests/schema. */
#include "tables/tables.h"
#include "schema/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void check_words(const tn_keys *keys)
{
    for (const char *const *word = keys->words; *word; word++)
        if (!tn_schema_knows(*word)) fail_msg("the schema does not know [%s]", *word);
}

static void every_key_at_the_top_of_a_file_is_known(void **state)
{
    (void)state;
    check_words(&tn_model_keys);
    check_words(&tn_part_file_keys);
    for (uint32_t kind = 0; kind < TN_TEMPLATE_KINDS; kind++)
        if (!tn_schema_knows(tn_item_keys[kind]))
            fail_msg("the schema does not know [[%s]]", tn_item_keys[kind]);
    assert_false(tn_schema_knows("elements"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_key_at_the_top_of_a_file_is_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
