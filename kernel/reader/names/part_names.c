/* part_names.c - what names mean in a part of a model: its own things, and those around it that it uses */
#include "names/reader.h"

#include <string.h>

const tn_part *tn_part_enter(tn_model *model, const tn_part *part)
{
    const tn_part *before = model->reader->part;
    if (!part) return before;
    model->reader->part = part;
    model->reader->source.parameters = (tn_parameters *)&part->parameters;
    model->reader->source.part = part->name;
    return before;
}

const char *tn_part_name(tn_model *model, const char *name)
{
    const char *part = model->reader->part->name;
    if (part[0]) return tn_arena_print(&model->arena, "%s.%s", part, name);
    return tn_arena_text(&model->arena, name, strlen(name));
}

/* True when a part may use `name`: it is listed, or something that it is part of. */
static bool may_use(const tn_part *part, const char *name)
{
    for (size_t k = 0; part->uses && k < part->uses->count; k++) {
        const tn_toml *node = part->uses->child[k];
        if (node->kind == TN_TOML_STRING && strncmp(node->text, name, node->length) == 0 &&
            (name[node->length] == '.' || !name[node->length]))
            return true;
    }
    return false;
}

/* The number of what is called `name` in one part. */
static uint32_t find_in(const tn_part *part, const tn_names *names, const char *name)
{
    if (!part->name[0]) return tn_names_find(names, name);
    char near[256];
    const size_t length = strlen(part->name), rest = strlen(name) + 1;
    char *full = length + 1 + rest <= sizeof near ? near : tn_new(length + 1 + rest, 1);
    memcpy(full, part->name, length);
    full[length] = '.';
    memcpy(full + length + 1, name, rest);
    const uint32_t found = tn_names_find(names, full);
    if (full != near) tn_free(full);
    return found;
}

uint32_t tn_part_find(const tn_model *model, const tn_names *names, const char *name)
{
    for (const tn_part *part = model->reader->part;; part = part->outer) {
        const uint32_t found = find_in(part, names, name);
        if (found != TN_NO_NAME || !part->outer || !may_use(part, name)) return found;
    }
}

void tn_part_offer_one(const tn_model *model, const char *name, tn_nearest *search)
{
    const size_t length = strlen(model->reader->part->name);
    if (strchr(name, '(')) return; /* a marker that a call has made */
    if (!length)
        tn_nearest_offer(search, name);
    else if (strncmp(name, model->reader->part->name, length) == 0 && name[length] == '.')
        tn_nearest_offer(search, name + length + 1);
}

void tn_part_offer(const tn_model *model, const tn_names *names, tn_nearest *search)
{
    for (size_t k = 0; k < names->count; k++)
        tn_part_offer_one(model, names->name[k], search);
    for (size_t k = 0; model->reader->part->uses && k < model->reader->part->uses->count; k++)
        if (model->reader->part->uses->child[k]->kind == TN_TOML_STRING)
            tn_nearest_offer(search, model->reader->part->uses->child[k]->text);
}

bool tn_part_has(tn_model *model, const char *name)
{
    return tn_part_find(model, &model->names, name) != TN_NO_NAME ||
           tn_part_find(model, &model->reader->signal_names, name) != TN_NO_NAME ||
           tn_part_find(model, &model->reader->input_names, name) != TN_NO_NAME ||
           tn_part_find(model, &model->reader->part_names, name) != TN_NO_NAME ||
           tn_item_is_present(model, name);
}

bool tn_part_is_outside(tn_model *model, const char *name)
{
    const tn_part *part = model->reader->part;
    bool found = false;
    while (model->reader->part->outer && !found) {
        (void)tn_part_enter(model, model->reader->part->outer);
        found = tn_part_has(model, name);
    }
    (void)tn_part_enter(model, part);
    return found;
}

/* An input that the current part would read if it listed it. */
static bool is_input_outside(const tn_model *model, const char *name)
{
    bool found = false;
    for (const tn_part *outer = model->reader->part->outer; outer && !found; outer = outer->outer)
        found = find_in(outer, &model->reader->input_names, name) != TN_NO_NAME;
    return found;
}

bool tn_part_explain_parameter(const tn_model *model, const char *name, char *message, size_t size)
{
    for (const tn_part *outer = model->reader->part->outer; outer; outer = outer->outer)
        if (tn_names_find(&outer->parameters.names, name) != TN_NO_NAME) {
            (void)tn_print_cut(message, size,
                               "`%s` is a parameter outside of this part: declare it in the part, and pass "
                               "it by [[part]] with parameters = { %s = \"%s\" }",
                               name, name, name);
            return true;
        }
    if (is_input_outside(model, name)) {
        (void)tn_print_cut(message, size, "`%s` is outside of this part: list it in `[part] uses`", name);
        return true;
    }
    const char *dot = strrchr(name, '.');
    if (!dot) return false;
    const char *part = tn_arena_text(model->reader->source.arena, name, (size_t)(dot - name));
    if (tn_part_find(model, &model->reader->part_names, part) == TN_NO_NAME) return false;
    (void)tn_print_cut(message, size, "the parameters of part `%s` are known in its own file only", part);
    return true;
}
