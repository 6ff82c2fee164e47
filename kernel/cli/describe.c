/* describe.c - `tenon describe TYPE`: all that a type says about itself. */
#include "cli/cli.h"
#include "cli/options.h"
#include "run/plan.h"
#include "plugin/kinds.h"
#include "plugin/registry.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Prints text with every line of it indented. */
static void print_indented(const char *text)
{
    for (const char *end; (end = strchr(text, '\n')); text = end + 1)
        printf("    %.*s\n", (int)(end - text), text);
    printf("    %s\n", text);
}

static void print_section(const char *title, const char *text)
{
    if (!text || !*text) return;
    printf("\n%s\n", title);
    print_indented(text);
}

static void print_unit(const char *unit)
{
    if (*unit) printf(" [%s]", unit);
}

static void print_kind(const tn_parameter *parameter)
{
    static const char *const names[] = {
        [TN_KIND_REAL] = "real",         [TN_KIND_ROTATION] = "rotation", [TN_KIND_INTEGER] = "integer",
        [TN_KIND_BOOLEAN] = "boolean",   [TN_KIND_CHOICE] = "choice",     [TN_KIND_TEXT] = "text",
        [TN_KIND_CALLABLE] = "function", [TN_KIND_LIST] = "list of reals"};
    if (parameter->count > 1 && parameter->count_alternative)
        printf("%u or %u reals", parameter->count_alternative, parameter->count);
    else if (parameter->count > 1)
        printf("%u reals", parameter->count);
    else
        printf("%s", names[parameter->kind]);
    print_unit(parameter->unit);
}

/* The word number `index` of "a|b|c". */
static void print_choice(const char *words, size_t index)
{
    for (; index; index--)
        words = strchr(words, '|') + 1;
    printf(", default %.*s", (int)strcspn(words, "|"), words);
}

static void print_default(const tn_parameter *parameter)
{
    if (parameter->flags & TN_REQUIRED)
        printf(", required");
    else if (parameter->flags & TN_OPTIONAL || parameter->kind == TN_KIND_TEXT ||
             parameter->kind == TN_KIND_CALLABLE || parameter->kind == TN_KIND_LIST)
        printf(", optional");
    else if (parameter->kind == TN_KIND_ROTATION)
        printf(", default identity");
    else if (parameter->kind == TN_KIND_BOOLEAN)
        printf(", default %s", parameter->standard != 0.0 ? "true" : "false");
    else if (parameter->kind == TN_KIND_CHOICE)
        print_choice(parameter->detail, (size_t)parameter->standard);
    else
        printf(", default %.15g", parameter->standard);
}

static void print_range(const tn_parameter *parameter)
{
    if (parameter->kind != TN_KIND_REAL && parameter->kind != TN_KIND_INTEGER) return;
    if (!isinf(parameter->low))
        printf(", %s %.15g", parameter->flags & TN_ABOVE_LOW ? ">" : ">=", parameter->low);
    if (!isinf(parameter->high))
        printf(", %s %.15g", parameter->flags & TN_BELOW_HIGH ? "<" : "<=", parameter->high);
}

static void print_detail(const tn_parameter *parameter)
{
    if (!parameter->detail) return;
    if (parameter->kind == TN_KIND_CALLABLE) printf("        arguments: %s\n", parameter->detail);
    if (parameter->kind != TN_KIND_CHOICE) return;
    printf("        choices:");
    for (const char *word = parameter->detail; word; word = strchr(word, '|')) {
        word += *word == '|';
        printf(" %.*s", (int)strcspn(word, "|"), word);
    }
    putchar('\n');
}

static void print_parameters(const char *title, const tn_parameter *parameter)
{
    if (!parameter || !parameter->name) return;
    printf("\n%s\n", title);
    for (; parameter->name; parameter++) {
        printf("    %s: ", parameter->name);
        print_kind(parameter);
        print_default(parameter);
        print_range(parameter);
        if (parameter->flags & TN_DYNAMIC) printf(", dynamic");
        if (parameter->flags & TN_CHANGEABLE) printf(", changeable");
        printf("\n        %s\n", parameter->meaning);
        print_detail(parameter);
    }
}

static const char *marker_name(uint32_t kind)
{
    static const char *const names[] = {[TN_POINT] = "point",
                                        [TN_FRAME] = "frame",
                                        [TN_COORDINATE] = "coordinate",
                                        [TN_ANY] = "point or frame"};
    return names[kind];
}

static void print_ports(const tn_port *port)
{
    if (!port || !port->name) return;
    puts("\nports");
    for (; port->name; port++) {
        printf("    %s: %s, ", port->name, marker_name(port->kind));
        if (port->minimum == port->maximum)
            printf("%u", port->minimum);
        else if (port->maximum == UINT32_MAX)
            printf("%u or more", port->minimum);
        else
            printf("%u to %u", port->minimum, port->maximum);
        printf("\n        %s\n", port->meaning);
    }
}

static void print_outputs(const tn_output *output)
{
    if (!output || !output->name) return;
    puts("\noutputs");
    for (; output->name; output++) {
        printf("    %s", output->name);
        print_unit(output->unit);
        printf(output->size == 1 ? ": 1 number\n" : ": %u numbers\n", output->size);
        printf("        %s\n", output->meaning);
    }
}

/* What only one kind of type has to say. */
static void print_nature(const tn_kind *kind, const void *type)
{
    if (!strcmp(kind->key, TN_MARKER_KIND))
        printf("delivers: %s\n", marker_name(((const tn_marker_type *)type)->kind));
    if (!strcmp(kind->key, TN_FUNCTION_KIND))
        printf("arguments: %u\n", ((const tn_function_type *)type)->arguments);
    if (!strcmp(kind->key, TN_SOLVER_KIND)) {
        const uint32_t flags = ((const tn_solver_type *)type)->flags;
        printf("step: %s\n", flags & TN_ONLY_ADAPTIVE ? "adaptive"
                             : flags & TN_ADAPTIVE    ? "fixed or adaptive"
                                                      : "fixed");
    }
}

static void print_type(const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    const tn_description description = tn_type_description(kind, type);
    printf("%s \"%s\": %s\n", kind->key, description.name, description.summary);
    printf("library: %s %s, licence %s, %s\n", file->library->name, file->library->version,
           file->library->licence, file->path);
    print_nature(kind, type);
    print_section("formula", description.formula);
    print_section("literature", description.literature);
    print_parameters("parameters", description.parameters);
    if (!strcmp(kind->key, TN_ELEMENT_KIND) && description.ports && description.ports->name)
        print_parameters("parameters of every element with markers", tn_connector_parameters);
    if (strcmp(kind->key, TN_SOLVER_KIND) == 0)
        print_parameters("parameters of every solver", tn_solver_parameters);
    if (!strcmp(kind->key, TN_ELEMENT_KIND))
        puts("\ndynamic: may be an expression of time; changeable: may change during a run");
    print_ports(description.ports);
    print_outputs(description.outputs);
}

/* Prints the type of every kind that has one of this name; `reason` of the first file that should have. */
static size_t describe_all(tn_registry *registry, const char *name, char *reason, size_t reason_size)
{
    size_t count = 0;
    for (size_t i = 0; i < tn_kind_count(); i++) {
        const tn_kind *kind = tn_kind_at(i);
        const void *type = tn_registry_find(registry, kind->key, name, reason, reason_size);
        if (!type) continue;
        if (count++) putchar('\n');
        print_type(kind, type, tn_registry_file_of(registry, type));
    }
    return count;
}

static int refuse_name(tn_registry *registry, const char *name, const char *reason)
{
    tn_nearest search;
    tn_nearest_start(&search, name);
    tn_registry_offer(registry, NULL, &search);
    fprintf(stderr, "tenon describe: unknown type \"%s\": %s", name, reason);
    if (search.best) fprintf(stderr, "; did you mean \"%s\"?", search.best);
    fprintf(stderr, "\n");
    return 2;
}

/* The directories of the command line, the first one in front. */
static bool add_directories(tn_registry *registry, const tn_words *directories)
{
    for (size_t i = directories->count; i-- > 0;) {
        if (tn_registry_add_directory(registry, directories->word[i])) continue;
        fprintf(stderr, "tenon describe: %s: %s\n", directories->word[i], strerror(errno));
        return false;
    }
    return true;
}

int tn_command_describe(int argc, char **argv)
{
    char reason[1024] = "";
    tn_words names = {0}, directories = {0};
    const tn_option options[] = {
        {"--plugin-path", "DIR", TN_OPTION_WORDS, &directories, "search this directory first"}, {0}};
    const tn_usage usage = {
        "describe", "Prints what a type says about itself: formula, parameters, ports, outputs.",
        "TYPE",     1,
        1,          options};
    int status = 0;
    tn_registry *registry = NULL;
    if (!tn_options_read(&usage, argc, argv, &names, &status)) goto end;

    registry = tn_registry_new(NULL);
    status = 2;
    if (!add_directories(registry, &directories)) goto end;
    status = 0;
    if (describe_all(registry, names.word[0], reason, sizeof reason)) goto end;

    /* no file is called like it: a library of several types may hold it */
    char unused[1];
    tn_registry_load_all(registry, NULL);
    if (!describe_all(registry, names.word[0], unused, sizeof unused))
        status = refuse_name(registry, names.word[0], reason);
end:
    tn_registry_free(registry);
    tn_words_free(&names);
    tn_words_free(&directories);
    return status;
}
