/* describe.c - the walk over the tables of a type */
#define _GNU_SOURCE
#include "tables/tables.h"
#include "describe/describe.h"

#include "run/plan.h"
#include "config/printed_text.h"

#include <string.h>

static void describe_marker(const tn_printer *printer, tn_page *page, const tn_loaded_marker *marker)
{
    printer->fact(page, "delivers", tn_marker_word(marker->kind));
    if (marker->unit) printer->fact(page, "unit", marker->unit);
    if (marker->flags & TN_COUNTS_TURNS) printer->fact(page, "value", "an angle, which counts turns");
    if (marker->flags & TN_QUASI_COORDINATE) printer->fact(page, "value", "a velocity, without a coordinate");
}

static void describe_measure(const tn_printer *printer, tn_page *page, const tn_measure_type *measure)
{
    const bool of_element = measure->form != TN_MEASURE_MARKER;
    printer->fact(page, "unit",
                  of_element                                  ? "N; N m"
                  : measure->component >= TN_TORQUE_MAGNITUDE ? "N m"
                                                              : "N");
}

/* What only one kind of type has to say. */
static void describe_nature(const tn_printer *printer, tn_page *page, const void *type)
{
    const char *kind = page->kind->key;
    if (strcmp(kind, TN_MARKER_KIND) == 0) describe_marker(printer, page, type);
    if (strcmp(kind, TN_ELEMENT_KIND) == 0 && ((const tn_loaded_element *)type)->flags & TN_PRESENT)
        printer->fact(page, "present", "without a declaration");
    if (strcmp(kind, TN_FUNCTION_KIND) == 0) {
        const tn_function_type *function = type;
        char words[64];
        int length = 0;
        if (function->optional)
            length = snprintf(words, sizeof words, "%u to ", function->arguments - function->optional);
        (void)snprintf(words + length, sizeof words - (size_t)length, "%u", function->arguments);
        printer->fact(page, "arguments", words);
        if (function->data_of) {
            tn_text data = {0};
            tn_text_add(&data, "a [[signal]] of type %s", function->data_of);
            printer->fact(page, "data", data.letters);
            tn_free(data.letters);
        }
    }
    if (strcmp(kind, TN_MEASURE_KIND) == 0) describe_measure(printer, page, type);
    if (strcmp(kind, TN_SOLVER_KIND) == 0) {
        const uint32_t flags = ((const tn_solver_type *)type)->flags;
        printer->fact(page, "step",
                      flags & TN_ONLY_ADAPTIVE ? "adaptive"
                      : flags & TN_ADAPTIVE    ? "fixed or adaptive"
                                               : "fixed");
        printer->fact(page, "linear solver", flags & TN_NEEDS_MATRIX ? "used" : "used with constraints");
    }
}

/* What it can do, by the keys of the SDK. */
static void describe_capabilities(const tn_printer *printer, tn_page *page, const tn_capability *capability)
{
    tn_text keys = {0};
    for (; capability && capability->key; capability++)
        tn_text_list(&keys, capability->key);
    if (keys.letters) printer->fact(page, "capabilities", keys.letters);
    tn_free(keys.letters);
}

/* How others call it, and its keys. */
static void describe_synonyms(const tn_printer *printer, tn_page *page, const tn_synonym *synonyms)
{
    static const char *const titles[] = {"also called", "keys also called"};
    for (int keys = 0; keys < 2; keys++) {
        tn_text_file stream;
        size_t count = 0;
        tn_text_file_open(&stream);
        for (const tn_synonym *synonym = synonyms; synonym && synonym->other; synonym++) {
            if ((synonym->own != NULL) != (keys == 1)) continue;
            (void)fprintf(stream.file, "%s%s", count++ ? ", " : "", synonym->other);
            if (synonym->own) (void)fprintf(stream.file, " (%s)", synonym->own);
            if (synonym->with) (void)fprintf(stream.file, " (%s)", synonym->with);
        }
        char *text = tn_text_file_close(&stream);
        if (count) printer->fact(page, titles[keys], text);
        tn_free(text);
    }
}

static void describe_section(const tn_printer *printer, tn_page *page, const char *title, const char *text)
{
    if (text && *text) printer->section(page, title, text);
}

static void describe_parameters(const tn_printer *printer, tn_page *page, const char *title,
                                const tn_parameter *parameter)
{
    if (!parameter || !parameter->name) return;
    printer->list(page, title);
    for (; parameter->name; parameter++)
        printer->parameter(page, parameter);
    printer->list_end(page);
}

static void describe_ports(const tn_printer *printer, tn_page *page, const tn_port *port)
{
    if (!port || !port->name) return;
    printer->list(page, "ports");
    for (; port->name; port++)
        printer->port(page, port);
    printer->list_end(page);
}

static bool has_output(const tn_output *outputs, const char *name)
{
    for (; outputs && outputs->name; outputs++)
        if (strcmp(outputs->name, name) == 0) return true;
    return false;
}

/* A list of outputs without those that are in `others`, too. */
static void describe_outputs(const tn_printer *printer, tn_page *page, const char *title,
                             const tn_output *output, const tn_output *others)
{
    bool is_open = false;
    for (; output && output->name; output++) {
        if (has_output(others, output->name)) continue;
        if (!is_open) printer->list(page, title);
        is_open = true;
        printer->output(page, output);
    }
    if (is_open) printer->list_end(page);
}

/* What markers of kind coordinate may ride on. */
static void describe_coordinates(const tn_printer *printer, tn_page *page, const tn_output *coordinate)
{
    if (!coordinate || !coordinate->name) return;
    printer->list(page, "coordinates");
    for (; coordinate->name; coordinate++)
        printer->coordinate(page, coordinate);
    printer->list_end(page);
}

/* Whether a word of tn_print_changes() needs an explanation. */
static bool has_changes(const tn_parameter *parameter)
{
    for (; parameter && parameter->name; parameter++)
        if (parameter->flags & (TN_DYNAMIC | TN_CHANGEABLE)) return true;
    return false;
}

static bool has_own_lists(const tn_loaded_element *type)
{
    return type->instance_outputs || type->instance_coordinates;
}

void tn_describe_type(const tn_printer *printer, tn_page *page, const tn_kind *kind, const void *type,
                      const tn_plugin_file *file)
{
    const tn_description description = tn_type_description(kind, type);
    const bool is_element = strcmp(kind->key, TN_ELEMENT_KIND) == 0;
    const bool is_connector = is_element && description.ports && description.ports->name;
    const bool is_variable = is_element && !is_connector && tn_can_rest(type);
    page->kind = kind;
    page->type = description;
    page->file = file;
    printer->head(page);
    describe_nature(printer, page, type);
    describe_capabilities(printer, page, ((const tn_type_head *)type)->capabilities);
    describe_synonyms(printer, page, description.synonyms);
    describe_section(printer, page, "formula", description.formula);
    describe_section(printer, page, "literature", description.literature);
    describe_parameters(printer, page, "parameters", description.parameters);
    if (is_connector)
        describe_parameters(printer, page, "parameters of every element with markers",
                            tn_connector_parameters);
    if (is_variable)
        describe_parameters(printer, page, "parameters of every variable", tn_connector_parameters);
    if (is_element && tn_has_motion(type))
        describe_parameters(printer, page, "parameters of every element with motion", tn_body_parameters);
    if (strcmp(kind->key, TN_SOLVER_KIND) == 0)
        describe_parameters(printer, page, "parameters of every solver", tn_solver_parameters);
    if (printer->note && (is_connector || is_variable || has_changes(description.parameters)))
        printer->note(
            page,
            "dynamic: may be an expression of time and of the motion; changeable: may change during a run");
    describe_ports(printer, page, description.ports);
    if (is_element) describe_coordinates(printer, page, ((const tn_loaded_element *)type)->coordinates);
    describe_outputs(printer, page, "outputs", description.outputs, NULL);
    if (printer->note && is_element && has_own_lists(type))
        printer->note(page, "the outputs and coordinates of an element may depend on its parameters");
    if (is_element)
        describe_outputs(printer, page, "outputs of every element", tn_energy_outputs, description.outputs);
    printer->foot(page);
    page->type_count++;
}
