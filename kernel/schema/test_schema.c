/* test_schema.c - the schema knows all that the kernel reads. What it says of models: tests/schema. */
#include "schema/schema.h"

#include "model/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void every_key_at_the_top_of_a_model_is_known(void **state)
{
    (void)state;
    for (const char *const *word = tn_model_keys.words; *word; word++)
        if (!tn_schema_knows(*word)) fail_msg("the schema does not know [%s]", *word);
    for (uint32_t kind = 0; kind < TN_TEMPLATE_KINDS; kind++)
        if (!tn_schema_knows(tn_item_keys[kind]))
            fail_msg("the schema does not know [[%s]]", tn_item_keys[kind]);
    assert_false(tn_schema_knows("elements"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_key_at_the_top_of_a_model_is_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
