/* plugin_texts.c - what models and expressions ask of the names and units in a plugin's tables (see plugin_texts.h) */
#define _GNU_SOURCE
#include "config/plugin_texts.h"

#include "base/names.h"
#include "config/fill.h"
#include "expression/expression.h"
#include "plugin/checks.h"

#include <tenon/draft/impulses.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { MOST_KEYS = 8 };

/* Keys of the tables of each kind in a model, which no parameter or port can have. */
static const struct {
    const char *kind, *key[MOST_KEYS];
} tables[] = {
    {TN_ELEMENT_KIND, {"name", "type", "id", "when", "active", "pinned"}},
    {TN_MARKER_KIND, {"name", "type", "id", "when", "element"}},
    {TN_SOLVER_KIND, {"type"}},
    {TN_LINEAR_KIND, {"type"}},
    {TN_CONSTRAINT_SOLVER_KIND, {"type"}},
    {TN_WRITER_KIND, {"type"}},
    {TN_FUNCTION_KIND, {"name", "type", "id", "when", "file", "columns"}},
};

static const char *const *keys_of(const tn_kind *kind)
{
    static const char *const none[] = {NULL};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        if (!strcmp(tables[k].kind, kind->key)) return tables[k].key;
    return none;
}

/* The number of parameters and ports that are called so. */
static size_t count_named(const tn_description *type, const char *name)
{
    size_t count = 0;
    for (const tn_parameter *parameter = type->parameters; parameter && parameter->name; parameter++)
        count += !strcmp(parameter->name, name);
    for (const tn_port *port = type->ports; port && port->name; port++)
        count += !strcmp(port->name, name);
    return count;
}

/* Every key of a table in a model has one meaning. */
static bool check_key(const tn_kind *kind, const tn_description *type, const char *key, tn_reason *reason)
{
    size_t count = count_named(type, key);
    for (const char *const *word = keys_of(kind); *word; word++)
        count += !strcmp(*word, key);
    return count == 1 ||
           tn_wrong(reason, "key `%s` of %s \"%s\" would have two meanings", key, kind->key, type->name);
}

static bool check_keys(const tn_kind *kind, const tn_description *type, tn_reason *reason)
{
    for (const tn_parameter *parameter = type->parameters; parameter && parameter->name; parameter++)
        if (!check_key(kind, type, parameter->name, reason)) return false;
    for (const tn_port *port = type->ports; port && port->name; port++)
        if (!check_key(kind, type, port->name, reason)) return false;
    return true;
}

/* What is meant by another name must be there. */
static bool check_synonyms(const tn_description *type, tn_reason *reason)
{
    for (const tn_synonym *synonym = type->synonyms; synonym && synonym->other; synonym++)
        if (synonym->own && !count_named(type, synonym->own))
            return tn_wrong(reason, "\"%s\" has no parameter or port \"%s\", which others call \"%s\"",
                            type->name, synonym->own, synonym->other);
    return true;
}

/* Expressions call a function by its name in lower case; it cannot hide their own. */
static bool check_callable_name(const tn_kind *kind, const char *name, tn_reason *reason)
{
    if (!tn_is_name(name) || name[strcspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")])
        return tn_wrong(reason, "%s \"%s\" cannot be called: its name needs lower-case letters, digits and _",
                        kind->key, name);
    if (tn_expression_reserved(name))
        return tn_wrong(reason, "%s \"%s\" has a name that expressions use themselves", kind->key, name);
    return true;
}

static bool check_measure(const tn_kind *kind, const tn_measure_type *type, tn_reason *reason)
{
    const bool of_marker = type->form == TN_MEASURE_MARKER;
    if (!check_callable_name(kind, type->name, reason)) return false;
    if (type->form < TN_MEASURE_MARKER || type->form > TN_MEASURE_VARIABLE)
        return tn_wrong(reason, "measure \"%s\" has no form that this kernel knows", type->name);
    if (of_marker ? type->component < TN_FORCE_MAGNITUDE || type->component > TN_TORQUE_Z
                  : type->component != 0)
        return tn_wrong(reason, "measure \"%s\" %s", type->name,
                        of_marker ? "does not name a component of force or torque"
                                  : "names a component, but its calls do that");
    if (type->parameters && type->parameters->name)
        return tn_wrong(reason, "measure \"%s\" has parameters, but a call gives none", type->name);
    return true;
}

/* With one argument at least, unless it reads the model by itself. */
static bool check_function(const tn_kind *kind, const tn_loaded_function *type, tn_reason *reason)
{
    if (!check_callable_name(kind, type->name, reason)) return false;
    if ((type->arguments < 1 && !type->reads) || type->arguments > TN_ARGUMENTS)
        return tn_wrong(reason, "function \"%s\" cannot have %u arguments: 1 to %d", type->name,
                        type->arguments, TN_ARGUMENTS);
    if (type->optional && type->optional >= type->arguments)
        return tn_wrong(reason, "function \"%s\" has %u arguments, so %u of them cannot be optional",
                        type->name, type->arguments, type->optional);
    if (type->data_of && (type->arguments < 2 || (type->parameters && type->parameters->name)))
        return tn_wrong(
            reason,
            "function \"%s\" takes the data of \"%s\": its first arguments are x and z, and it has "
            "no parameters",
            type->name, type->data_of);
    return true;
}

/* A power that is the number of another parameter may be any. */
static bool check_parameter_unit(const tn_description *type, const tn_parameter *parameter, tn_reason *reason)
{
    const char *unit = parameter->unit;
    char without[64];
    if (!tn_parameter_of_power(type->parameters, unit))
        return tn_check_units(unit, parameter->name, type->name, reason);
    (void)tn_print_cut(without, sizeof without, "%.*s", (int)(strrchr(unit, '^') - unit), unit);
    return tn_check_units(without, parameter->name, type->name, reason);
}

static bool check_units(const tn_description *type, tn_reason *reason)
{
    for (const tn_parameter *parameter = type->parameters; parameter && parameter->name; parameter++)
        if (!check_parameter_unit(type, parameter, reason)) return false;
    for (const tn_output *output = type->outputs; output && output->name; output++)
        if (!tn_check_units(output->unit, output->name, type->name, reason)) return false;
    return true;
}

static bool check_type(const tn_kind *kind, const void *type, tn_reason *reason)
{
    const tn_description description = tn_type_description(kind, type);
    if (!tn_check_tables(kind, type, reason)) return false;
    if (!strcmp(kind->key, TN_FUNCTION_KIND) && !check_function(kind, type, reason)) return false;
    if (!strcmp(kind->key, TN_MEASURE_KIND) && !check_measure(kind, type, reason)) return false;
    return check_units(&description, reason) && check_keys(kind, &description, reason) &&
           check_synonyms(&description, reason);
}

enum { LANES = 4 };

/* Every bit of the word reaches the lower half of the next lane value, every bit of that the upper one. */
static uint64_t mix(uint64_t lane, uint64_t word)
{
    const uint64_t product = (lane ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return product ^ product >> 32;
}

/* A function of its own: vectors of whole products are three times slower where compilers choose them. */
__attribute__((noinline)) static void mix_groups(uint64_t *lane, const uint64_t *block, size_t groups)
{
    for (size_t k = 0; k < groups; k++)
        for (size_t i = 0; i < LANES; i++)
            lane[i] = mix(lane[i], block[k * LANES + i]);
}

/* Reads until the block is full or the file ends; the bytes read, or -1. */
static ssize_t read_block(int file, void *block, size_t size)
{
    size_t filled = 0;
    ssize_t length = 1;
    for (; filled < size && length > 0; filled += length > 0 ? (size_t)length : 0)
        length = TEMP_FAILURE_RETRY(read(file, (char *)block + filled, size - filled));
    return length < 0 ? -1 : (ssize_t)filled;
}

/* Words of 8 bytes go to four lanes in turn, which a processor multiplies side by side: the files are read in every run. */
static bool hash_file(const char *path, uint64_t *hash, tn_reason *reason)
{
    uint64_t block[1 << 11], lane[LANES] = {1, 2, 3, 4};
    const int file = (int)TEMP_FAILURE_RETRY(open(path, O_RDONLY | O_CLOEXEC));
    if (file < 0) return tn_wrong(reason, "cannot be read: %s", strerror(errno));

    ssize_t length;
    *hash = 0;
    while ((length = read_block(file, block, sizeof block)) > 0) {
        const size_t bytes = (size_t)length, step = sizeof *lane * LANES, groups = (bytes + step - 1) / step;
        if (bytes < sizeof block) memset((char *)block + bytes, 0, groups * step - bytes);
        mix_groups(lane, block, groups);
        *hash += bytes;
    }
    if (length < 0) tn_wrong(reason, "cannot be read: %s", strerror(errno));
    for (size_t i = 0; i < LANES; i++)
        *hash = mix(*hash, lane[i]);
    (void)close(file);
    return length == 0;
}

const tn_loading tn_reader_loading = {
    .check_type = check_type, .check_list = tn_check_own_list, .hash = hash_file};
