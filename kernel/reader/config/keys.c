/* keys.c - the keys that a table may have and must have */
#include "config/keys.h"

#include <ctype.h>
#include <string.h>

/* The next letter or digit, in lower case, and the way behind it; 0 at the end. */
static int next_letter(const char **text)
{
    while (**text && !isalnum((unsigned char)**text))
        (*text)++;
    return **text ? tolower((unsigned char)*(*text)++) : 0;
}

bool tn_is_same_word(const char *a, const char *b)
{
    int letter = 0;
    do {
        letter = next_letter(&a);
        if (letter != next_letter(&b)) return false;
    } while (letter);
    return true;
}

const char *tn_unit_words(const tn_parameter *parameter)
{
    return parameter->unit && parameter->unit[0] ? parameter->unit : "no unit";
}

const tn_toml *tn_parameter_node(const tn_toml *table, const char *name)
{
    const char *dot = strchr(name, '.');
    if (!dot) return tn_toml_get(table, name);
    const tn_toml *inner = tn_toml_find(table, name, (size_t)(dot - name));
    return inner ? tn_toml_get(inner, dot + 1) : NULL;
}

/* A key under test, in the table that the word `prefix` leads to (NULL: in the outermost one). */
typedef struct candidate {
    const char *prefix, *key;
    bool is_table;  /* parameters lie below it */
    bool searching; /* it is not known: the nearest one is wanted */
    tn_nearest search;
} candidate;

/* The name of a parameter as seen from the candidate's table; NULL when it lies elsewhere. */
static const char *name_below(const tn_parameter *parameter, const char *prefix)
{
    if (!prefix) return parameter->name;
    const size_t length = strlen(prefix);
    const bool below = strncmp(parameter->name, prefix, length) == 0 && parameter->name[length] == '.';
    return below ? parameter->name + length + 1 : NULL;
}

static bool is_parameter(candidate *tested, const tn_parameter *parameters)
{
    for (; parameters && parameters->name; parameters++) {
        const char *name = name_below(parameters, tested->prefix);
        if (!name) continue;
        const size_t length = strcspn(name, ".");
        tested->is_table = name[length] == '.';
        if (strlen(tested->key) == length && strncmp(tested->key, name, length) == 0) return true;
        if (tested->searching && !tested->is_table) tn_nearest_offer(&tested->search, name);
    }
    return false;
}

/* What other programs call so is meant, whatever is near. */
static void find_synonym(candidate *tested, const tn_keys *keys)
{
    for (int k = 0; k < 2; k++)
        for (const tn_synonym *synonym = keys->synonyms[k]; synonym && synonym->other; synonym++)
            if (synonym->own && tn_is_same_word(synonym->other, tested->key))
                tested->search.best = synonym->own;
}

static bool is_among(candidate *tested, const tn_keys *keys)
{
    for (const char *const *word = keys->words; !tested->prefix && word && *word; word++) {
        if (strcmp(*word, tested->key) == 0) return true;
        if (tested->searching) tn_nearest_offer(&tested->search, *word);
    }
    return is_parameter(tested, keys->parameters[0]) || is_parameter(tested, keys->parameters[1]) ||
           is_parameter(tested, keys->others);
}

/* Whether a key is known; else the search holds the nearest one. */
static bool is_known(candidate *tested, const tn_keys *keys)
{
    if (is_among(tested, keys)) return true;
    tested->searching = true;
    tn_nearest_start(&tested->search, tested->key);
    if (is_among(tested, keys)) return true;
    if (!tested->prefix) find_synonym(tested, keys);
    return false;
}

const tn_toml *tn_meant(const tn_toml *table, const char *key, const tn_keys *keys)
{
    const tn_toml *node = tn_toml_get(table, key);
    for (size_t k = 0; !node && k < table->count; k++) {
        candidate tested = {.key = table->child[k]->key};
        if (!is_known(&tested, keys) && tested.search.best && strcmp(tested.search.best, key) == 0)
            node = table->child[k];
    }
    return node;
}

static void report_unknown_keys(tn_source *source, const tn_toml *table, const char *prefix,
                                const tn_keys *keys)
{
    for (size_t k = 0; k < table->count; k++) {
        const tn_toml *node = table->child[k];
        candidate tested = {.prefix = prefix, .key = node->key};
        if (!is_known(&tested, keys))
            tn_source_unknown_key(source, node, &tested.search);
        else if (tested.is_table && node->kind == TN_TOML_TABLE)
            report_unknown_keys(source, node, node->key, keys);
        else if (tested.is_table)
            tn_source_error(source, node, "`%s` is a table", node->key);
    }
}

/* NULL for what holds no numbers. */
static const char *unit_of_numbers(const tn_parameter *parameter)
{
    const bool has_numbers = parameter->kind == TN_KIND_REAL || parameter->kind == TN_KIND_INTEGER ||
                             parameter->kind == TN_KIND_LIST || parameter->kind == TN_KIND_CALLABLE;
    return has_numbers ? tn_unit_words(parameter) : NULL;
}

static void report_missing_keys(tn_source *source, const tn_toml *table, const tn_parameter *parameters,
                                const tn_keys *keys)
{
    for (const tn_parameter *parameter = parameters; parameter && parameter->name; parameter++)
        if (parameter->flags & TN_REQUIRED && !tn_parameter_node(table, parameter->name) &&
            !tn_meant(table, parameter->name, keys))
            tn_source_missing_key(source, table, parameter->name, parameter->meaning,
                                  unit_of_numbers(parameter));
}

void tn_check_keys(tn_source *source, const tn_toml *table, const tn_keys *keys)
{
    report_unknown_keys(source, table, NULL, keys);
    report_missing_keys(source, table, keys->parameters[0], keys);
    report_missing_keys(source, table, keys->parameters[1], keys);
}
