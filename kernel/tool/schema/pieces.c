/* pieces.c - what every part of the schema is put together from */
#include "schema/schema.h"

#include "base/text.h"

void tn_schema_refer(tn_schema *schema, const char *key, const char *name)
{
    tn_text path = {0};
    tn_text_add(&path, "#/$defs/%s", name);
    tn_json_open(&schema->json, key, '{');
    tn_json_text(&schema->json, "$ref", path.letters);
    tn_free(path.letters);
    tn_json_close(&schema->json);
}

static void describe(tn_schema *schema, const char *description)
{
    if (description) tn_json_text(&schema->json, "description", description);
}

void tn_schema_string(tn_schema *schema, const char *key, const char *description)
{
    tn_json_open(&schema->json, key, '{');
    describe(schema, description);
    tn_json_text(&schema->json, "type", "string");
    tn_json_close(&schema->json);
}

void tn_schema_words(tn_schema *schema, const char *key, const char *const *words)
{
    tn_json_open(&schema->json, key, '[');
    for (; *words; words++)
        tn_json_text(&schema->json, NULL, *words);
    tn_json_close(&schema->json);
}

void tn_schema_array(tn_schema *schema, uint32_t minimum, uint32_t maximum)
{
    tn_json_text(&schema->json, "type", "array");
    if (minimum) tn_json_number(&schema->json, "minItems", minimum);
    if (maximum != UINT32_MAX) tn_json_number(&schema->json, "maxItems", maximum);
}

void tn_schema_open_table(tn_schema *schema, const char *key, const char *description)
{
    tn_json_open(&schema->json, key, '{');
    describe(schema, description);
    tn_json_text(&schema->json, "type", "object");
}

void tn_schema_close_table(tn_schema *schema)
{
    tn_json_boolean(&schema->json, "additionalProperties", false);
    tn_json_close(&schema->json);
}
