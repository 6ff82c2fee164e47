/* material_pairs.c - [[material_pair]] tables: what happens between two materials, for types that ask by names of materials */
#include "tables/tables.h"
#include "values/value_graph.h"

#include <string.h>

/* A pair by its names. */
struct tn_named_pair {
    const char *a, *b;
    tn_material_pair pair;
    const tn_toml *table;
};

#define NUMBER(its_name, its_unit, its_low, its_high, its_meaning, ...)                                    \
    {                                                                                                      \
        .name = #its_name, .meaning = its_meaning, .unit = its_unit, .low = its_low, .high = its_high,     \
        .kind = TN_KIND_REAL, .count = 1, .flags = TN_OPTIONAL,                                            \
        .offset = offsetof(struct tn_named_pair, pair) + offsetof(tn_material_pair, its_name), __VA_ARGS__ \
    }

const tn_parameter tn_material_pair_parameters[] = {
    TN_VALUE_KEY("a", TN_KIND_TEXT, "a material of shapes", .flags = TN_REQUIRED,
                 .offset = offsetof(struct tn_named_pair, a)),
    TN_VALUE_KEY("b", TN_KIND_TEXT, "the other one; it may be the same", .flags = TN_REQUIRED,
                 .offset = offsetof(struct tn_named_pair, b)),
    NUMBER(friction, "", 0.0, TN_UNBOUNDED, "mu, coefficient of friction"),
    NUMBER(static_friction, "", 0.0, TN_UNBOUNDED, "at rest; not below `friction`"),
    NUMBER(restitution, "", 0.0, 1.0, "e, of the velocities before an impact: the share that is given back"),
    NUMBER(restitution_threshold, "m/s", 0.0, TN_UNBOUNDED, "approaching slower than this, no full rebound"),
    NUMBER(stiffness, "N/m^exponent", 0.0, TN_UNBOUNDED, "k of the penalty law"),
    NUMBER(damping, "s/m", 0.0, TN_UNBOUNDED, "c of the penalty law, in place of `restitution`"),
    NUMBER(exponent, "", 1.0, TN_UNBOUNDED, "n of the penalty law; default 1.5", .standard = 1.5),
    {0}};

static bool is_pair(const struct tn_named_pair *pair, const char *one, const char *other)
{
    return (strcmp(pair->a, one) == 0 && strcmp(pair->b, other) == 0) ||
           (strcmp(pair->a, other) == 0 && strcmp(pair->b, one) == 0);
}

static const struct tn_named_pair *find_pair(const tn_reader *reader, const char *one, const char *other)
{
    for (size_t k = 0; one && other && k < reader->pair_count; k++)
        if (is_pair(&reader->pair[k], one, other)) return &reader->pair[k];
    return NULL;
}

/* What is right for each number and wrong for both, and what is probably a slip. */
static bool check_pair(tn_source *source, const tn_toml *table, const struct tn_named_pair *named)
{
    const tn_material_pair *pair = &named->pair;
    const tn_toml *friction = tn_toml_get(table, "friction"), *rest = tn_toml_get(table, "static_friction");
    if (friction && pair->friction > 10.0)
        tn_value_warning(source, friction, "a coefficient of friction of %g: few materials have more than 1",
                         pair->friction);
    if (tn_toml_get(table, "damping") && tn_toml_get(table, "restitution"))
        return tn_source_error(source, tn_toml_get(table, "damping"),
                               "`damping` takes the place of `restitution`: give one of them");
    return !(pair->static_friction < pair->friction) ||
           tn_source_error(source, rest, "`static_friction` is below `friction`, %g", pair->friction);
}

static void read_pair(tn_model *model, const tn_toml *table)
{
    tn_reader *reader = model->reader;
    tn_source *source = &reader->source;
    const size_t before = tn_error_count(reader->diagnostics);
    struct tn_named_pair named = {.pair.struct_size = sizeof named.pair};
    source->item = "[[material_pair]]";
    tn_fill(source, table, tn_material_pair_parameters, sizeof named, &named);
    tn_check_keys(source, table, &(tn_keys){.parameters = {tn_material_pair_parameters}});
    source->item = NULL;
    if (!named.a || !named.b || tn_error_count(reader->diagnostics) != before) return;
    const struct tn_named_pair *known = find_pair(reader, named.a, named.b);
    if (known)
        tn_source_error_at(source, table->key_place.line ? table->key_place : table->place,
                           "`%s` and `%s` have a pair already, in line %u", named.a, named.b,
                           known->table->place.line);
    else if (check_pair(source, table, &named)) {
        named.table = table;
        reader->pair = tn_grow(reader->pair, &reader->pair_capacity, reader->pair_count + 1, sizeof named);
        reader->pair[reader->pair_count++] = named;
    }
}

void tn_material_pairs_read(tn_model *model, const tn_toml *root)
{
    const tn_toml *array = tn_toml_get(root, "material_pair");
    if (array && array->kind != TN_TOML_ARRAY) {
        tn_model_error(model, array->key_place,
                       "`material_pair` is an array of tables: write [[material_pair]]");
        return;
    }
    for (size_t k = 0; array && k < array->count; k++)
        if (array->child[k]->kind == TN_TOML_TABLE)
            read_pair(model, array->child[k]);
        else
            tn_source_error(&model->reader->source, array->child[k], "a table is expected");
}

/* ---- for plugins ------------------------------------------------------------------------------------------------ */

static const tn_material_pair *pair_of(const tn_host *host, const char *one, const char *other)
{
    const struct tn_named_pair *named = find_pair(((const tn_model *)host->self)->reader, one, other);
    return named ? &named->pair : NULL;
}

static const char *meant_by(const tn_host *host, const char *name)
{
    const tn_reader *reader = ((const tn_model *)host->self)->reader;
    tn_nearest search;
    if (!name) return NULL;
    tn_nearest_start(&search, name);
    for (size_t k = 0; k < reader->pair_count; k++) {
        tn_nearest_offer(&search, reader->pair[k].a);
        tn_nearest_offer(&search, reader->pair[k].b);
    }
    return search.best && strcmp(search.best, name) != 0 ? search.best : NULL;
}

const void *tn_reader_extension(const tn_host *host, const char *key)
{
    static const tn_materials materials = {
        .struct_size = sizeof materials, .pair = pair_of, .meant = meant_by};
    (void)host;
    return strcmp(key, TN_MATERIALS_KEY) == 0 ? &materials : tn_questions_extension(key);
}
