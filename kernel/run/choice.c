/* choice.c - linear solvers, constraint solvers and writers: chosen by a name, or by a table with their parameters */
#include "run/plan.h"

#include "config/standard.h"

#include "plugin/call_site.h"

#include <string.h>

static const tn_location unnamed = {{"model", 0, 0}, NULL};
static const tn_toml standard_writer = {
    .kind = TN_TOML_STRING, .text = TN_STANDARD_WRITER, .length = sizeof TN_STANDARD_WRITER - 1};

/* The type that is chosen; NULL after reporting, at `otherwise` where nothing is written. */
static const void *find_type(tn_model *model, const char *kind, const tn_toml *node, const tn_toml *otherwise,
                             const char *standard)
{
    const tn_toml *name = node && node->kind == TN_TOML_TABLE ? tn_toml_get(node, "type") : node;
    if (node && !name) {
        tn_source_missing_key(&model->reader->source, node, "type", kind, NULL);
        return NULL;
    }
    if (!name) return tn_model_type(model, kind, otherwise ? &otherwise->at : &unnamed, standard);
    if (name->kind == TN_TOML_STRING) return tn_model_type(model, kind, &name->at, name->text);
    tn_value_error(&model->reader->source, name, "the name of a %s is expected",
                   strcmp(kind, TN_LINEAR_KIND) == 0              ? "linear solver"
                   : strcmp(kind, TN_CONSTRAINT_SOLVER_KIND) == 0 ? "constraint solver"
                                                                  : kind);
    return NULL;
}

static const char *const type_alone[] = {"type", NULL};

/* An instance with the parameters that a table gives, or the standard ones; NULL after reporting. */
static void *make_instance_besides(tn_model *model, const tn_type_head *type, const tn_toml *node,
                                   const char *const *words, tn_status (*prepare)(const tn_host *, void *))
{
    static const tn_toml nothing = {.kind = TN_TOML_TABLE};
    const tn_location *at = node ? &node->at : &unnamed;
    const bool is_table = node && node->kind == TN_TOML_TABLE;
    const size_t errors = tn_error_count(model->reader->diagnostics);
    void *instance = tn_arena_new(&model->arena, type->instance_size + 1);
    tn_fill(&model->reader->source, is_table ? node : &nothing, type->parameters, type->instance_size,
            instance);
    if (is_table)
        tn_check_keys(
            &model->reader->source, node,
            &(tn_keys){.words = words, .parameters = {type->parameters}, .synonyms = {type->synonyms}});
    if (tn_error_count(model->reader->diagnostics) != errors) return NULL;
    const size_t before = tn_setup_begin(model, at, NULL);
    const tn_status status =
        prepare ? tn_call_at(type, "prepare", NULL, prepare(&model->host, instance)) : TN_OK;
    if (tn_setup_end(model, at, NULL, type, "prepare", before, status) != TN_OK) return NULL;
    tn_instance_own(model, type, NULL, instance);
    return instance;
}

static void *make_instance(tn_model *model, const tn_type_head *type, const tn_toml *node,
                           tn_status (*prepare)(const tn_host *, void *))
{
    return make_instance_besides(model, type, node, type_alone, prepare);
}

tn_other_choice tn_choose_other(tn_model *model, const tn_toml *node, const tn_other_kind *kind)
{
    tn_other_choice choice = {find_type(model, kind->key, node, NULL, kind->standard), NULL};
    tn_status (*prepare)(const tn_host *, void *) = NULL;
    if (!choice.type) return choice;
    memcpy(&prepare, (const char *)choice.type + kind->prepare, sizeof prepare);
    choice.instance =
        make_instance_besides(model, (const tn_type_head *)choice.type, node, kind->words, prepare);
    if (!choice.instance) choice.type = NULL;
    return choice;
}

tn_linear_choice tn_choose_linear(tn_model *model, const tn_toml *node, const tn_toml *otherwise)
{
    tn_linear_choice choice = {find_type(model, TN_LINEAR_KIND, node, otherwise, TN_STANDARD_LINEAR), NULL};
    if (!choice.type) return choice;
    choice.instance = make_instance(model, (const tn_type_head *)choice.type, node, choice.type->prepare);
    if (!choice.instance) choice.type = NULL;
    return choice;
}

tn_linear_choice tn_find_linear(tn_model *model, const char *name)
{
    tn_linear_choice choice = {tn_registry_find(model->registry, TN_LINEAR_KIND, name, NULL, 0), NULL};
    if (!choice.type) return choice;
    choice.instance = make_instance(model, (const tn_type_head *)choice.type, NULL, choice.type->prepare);
    if (!choice.instance) choice.type = NULL;
    return choice;
}

tn_writer_choice tn_choose_writer(tn_model *model, const tn_toml *node)
{
    tn_writer_choice choice = {
        find_type(model, TN_WRITER_KIND, node ? node : &standard_writer, NULL, TN_STANDARD_WRITER), NULL};
    if (!choice.type) return choice;
    choice.instance = make_instance(model, (const tn_type_head *)choice.type, node, choice.type->prepare);
    if (!choice.instance) choice.type = NULL;
    return choice;
}

tn_constraint_choice tn_choose_constraint_solver(tn_model *model, const tn_toml *node, const char *name)
{
    tn_constraint_choice choice = {find_type(model, TN_CONSTRAINT_SOLVER_KIND, node, NULL, name), NULL};
    if (!choice.type) return choice;
    choice.instance = make_instance(model, (const tn_type_head *)choice.type, node, choice.type->prepare);
    if (!choice.instance) choice.type = NULL;
    return choice;
}
