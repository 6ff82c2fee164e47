/* describe.c - the walk over the tables of a type */
#define _GNU_SOURCE
#include "tables/tables.h"
#include "describe/describe.h"

#include "run/plan.h"

#include <string.h>

static void describe_marker(tn_page *page, const tn_loaded_marker *marker)
{
    page->printer->fact(page, "delivers", tn_marker_word(marker->kind));
    if (marker->unit) page->printer->fact(page, "unit", marker->unit);
    if (marker->flags & TN_COUNTS_TURNS) page->printer->fact(page, "value", "an angle, which counts turns");
    if (marker->flags & TN_QUASI_COORDINATE)
        page->printer->fact(page, "value", "a velocity, without a coordinate");
}

static void describe_measure(tn_page *page, const tn_measure_type *measure)
{
    const bool of_element = measure->form != TN_MEASURE_MARKER;
    page->printer->fact(page, "unit",
                        of_element                                  ? "N; N m"
                        : measure->component >= TN_TORQUE_MAGNITUDE ? "N m"
                                                                    : "N");
}

/* What only one kind of type has to say. */
static void describe_nature(tn_page *page, const void *type)
{
    const char *kind = page->kind->key;
    if (strcmp(kind, TN_MARKER_KIND) == 0) describe_marker(page, type);
    if (strcmp(kind, TN_ELEMENT_KIND) == 0 && ((const tn_loaded_element *)type)->flags & TN_PRESENT)
        page->printer->fact(page, "present", "without a declaration");
    if (strcmp(kind, TN_FUNCTION_KIND) == 0) {
        const tn_loaded_function *function = type;
        tn_text words = {0};
        if (function->argument_count) tn_text_add(&words, "as its signal says, at most ");
        if (function->optional) tn_text_add(&words, "%u to ", function->arguments - function->optional);
        tn_text_add(&words, "%u", function->arguments);
        page->printer->fact(page, "arguments", words.letters);
        if (function->data_of) {
            tn_text data = {0};
            tn_text_add(&data, "a [[signal]] of type %s", function->data_of);
            page->printer->fact(page, "data", data.letters);
        }
    }
    if (strcmp(kind, TN_MEASURE_KIND) == 0) describe_measure(page, type);
    if (strcmp(kind, TN_SOLVER_KIND) == 0) {
        const uint32_t flags = ((const tn_solver_type *)type)->flags;
        page->printer->fact(page, "step",
                            flags & TN_SINGLE_STATE    ? "none: it seeks a single state"
                            : flags & TN_ONLY_ADAPTIVE ? "adaptive"
                            : flags & TN_ADAPTIVE      ? "fixed or adaptive"
                                                       : "fixed");
        page->printer->fact(page, "linear solver",
                            flags & TN_NEEDS_MATRIX ? "used" : "used with constraints");
        if (flags & TN_BY_IMPULSES) page->printer->fact(page, "constraint solver", "used");
    }
}

/* What it can do, by the keys of the SDK. */
static void describe_capabilities(tn_page *page, const tn_capability *capability)
{
    tn_text keys = {0};
    for (; capability && capability->key; capability++)
        tn_text_list(&keys, capability->key);
    if (keys.letters) page->printer->fact(page, "capabilities", keys.letters);
}

/* How others call it, and its keys. */
static void describe_synonyms(tn_page *page, const tn_synonym *synonyms)
{
    static const char *const titles[] = {"also called", "keys also called"};
    for (int keys = 0; keys < 2; keys++) {
        tn_text list = {0};
        for (const tn_synonym *synonym = synonyms; synonym && synonym->other; synonym++) {
            if ((synonym->own != NULL) != (keys == 1)) continue;
            tn_text_list(&list, synonym->other);
            if (synonym->own) tn_text_add(&list, " (%s)", synonym->own);
            if (synonym->with) tn_text_add(&list, " (%s)", synonym->with);
        }
        if (list.letters) page->printer->fact(page, titles[keys], list.letters);
    }
}

static void describe_section(tn_page *page, const char *title, const char *text)
{
    if (text && *text) page->printer->section(page, title, text);
}

static void end_list(tn_page *page)
{
    if (page->printer->list_end) page->printer->list_end(page);
}

static void describe_parameters(tn_page *page, const char *title, const tn_parameter *parameter)
{
    if (!parameter || !parameter->name) return;
    page->printer->list(page, title);
    for (; parameter->name; parameter++)
        page->printer->parameter(page, parameter);
    end_list(page);
}

static void describe_ports(tn_page *page, const tn_port *port)
{
    if (!port || !port->name) return;
    page->printer->list(page, "ports");
    for (; port->name; port++)
        page->printer->port(page, port);
    end_list(page);
}

static bool has_output(const tn_output *outputs, const char *name)
{
    for (; outputs && outputs->name; outputs++)
        if (strcmp(outputs->name, name) == 0) return true;
    return false;
}

/* A list of outputs, or of coordinates, which markers may ride on, without those that are in `others`, too. */
static void describe_outputs(tn_page *page, const char *title, bool are_coordinates, const tn_output *output,
                             const tn_output *others)
{
    bool is_open = false;
    for (; output && output->name; output++) {
        if (has_output(others, output->name)) continue;
        if (!is_open) page->printer->list(page, title);
        is_open = true;
        page->printer->output(page, output, are_coordinates);
    }
    if (is_open) end_list(page);
}

/* Whether a word of tn_print_changes() needs an explanation. */
static bool has_changes(const tn_parameter *parameter)
{
    for (; parameter && parameter->name; parameter++)
        if (parameter->flags & (TN_DYNAMIC | TN_CHANGEABLE)) return true;
    return false;
}

static void begin_page(tn_page *page)
{
    if (!page->type_count && page->printer->start) page->printer->start(page);
}

void tn_describe_type(void *data, const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    tn_page *page = data;
    const tn_printer *printer = page->printer;
    const tn_description description = tn_type_description(kind, type);
    const bool is_element = strcmp(kind->key, TN_ELEMENT_KIND) == 0;
    const bool is_connector = is_element && description.ports && description.ports->name;
    const bool is_variable = is_element && !is_connector && tn_can_rest(type);
    begin_page(page);
    page->kind = kind;
    page->type = description;
    page->file = file;
    printer->head(page);
    describe_nature(page, type);
    describe_capabilities(page, ((const tn_type_head *)type)->capabilities);
    describe_synonyms(page, description.synonyms);
    describe_section(page, "formula", description.formula);
    describe_section(page, "literature", description.literature);
    describe_parameters(page, "parameters", description.parameters);
    if (is_connector)
        describe_parameters(page, "parameters of every element with markers", tn_connector_parameters);
    if (is_variable) describe_parameters(page, "parameters of every variable", tn_connector_parameters);
    if (is_element && tn_has_motion(type))
        describe_parameters(page, "parameters of every element with motion", tn_body_parameters);
    if (strcmp(kind->key, TN_SOLVER_KIND) == 0)
        describe_parameters(page, "parameters of every solver", tn_solver_parameters);
    if (printer->note && (is_connector || is_variable || has_changes(description.parameters)))
        printer->note(page, "dynamic: may be an expression of time and of the motion, or a routine; "
                            "changeable: may change during a run");
    describe_ports(page, description.ports);
    const tn_loaded_element *element = is_element ? type : NULL;
    if (element) describe_outputs(page, "coordinates", true, element->coordinates, NULL);
    describe_outputs(page, "outputs", false, description.outputs, NULL);
    if (printer->note && element && (element->instance_outputs || element->instance_coordinates))
        printer->note(page, element->flags & TN_FIXED_NAMES
                                ? "how many numbers the outputs of an element have depends on its parameters"
                                : "the outputs and coordinates of an element may depend on its parameters");
    if (is_element)
        describe_outputs(page, "outputs of every element", false, tn_energy_outputs, description.outputs);
    if (printer->foot) printer->foot(page);
    page->type_count++;
}

void tn_describe_end(tn_page *page)
{
    begin_page(page);
    if (page->printer->end) page->printer->end(page);
}
