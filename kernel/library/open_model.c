/* open_model.c - opens and closes models of the library, and tells their messages */
#define _GNU_SOURCE
#include "library/library.h"

#include "signals/sensors.h"
#include "values/value_graph.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

const char *tenon_version(void) { return TENON_VERSION; }

/* ---- reasons ---------------------------------------------------------------------------------------------- */

tenon_status tn_library_say(tenon_model *model, tenon_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)tn_print_cut_list(model->reason, sizeof model->reason, format, arguments);
    va_end(arguments);
    return status;
}

tenon_status tn_library_left(tenon_model *model, tenon_status status)
{
    if (!model->memory.lack[0]) return status;
    model->broken = TENON_OUT_OF_MEMORY;
    return tn_library_say(model, TENON_OUT_OF_MEMORY, "%s", model->memory.lack);
}

tenon_status tn_library_enter(tenon_model *model)
{
    model->reason[0] = '\0';
    if (model->broken != TENON_OK)
        return tn_library_say(model, model->broken, "this model can only be closed");
    if (model->phase == TN_BUILDING)
        return tn_library_say(model, TENON_REFUSED, "the model is being built: tenon_build_end comes first");
    return TENON_OK;
}

const char *tenon_reason(const tenon_model *model)
{
    return model ? model->reason : "out of memory for the model";
}

tenon_status tn_library_say_last_error(tenon_model *model, tenon_status status, const char *otherwise)
{
    const tn_diagnostics *diagnostics = model->study.diagnostics;
    const char *last = otherwise;
    for (size_t k = 0; k < tn_told_count(diagnostics); k++)
        if (tn_told(diagnostics, k)->severity == TN_SEVERITY_ERROR) last = tn_told(diagnostics, k)->text;
    return tn_library_say(model, status, "%s", last);
}

/* The first error among the messages of a study, as the reason. */
static tenon_status say_error(tenon_model *model, const tn_study *study, tenon_status status)
{
    const tn_diagnostics *diagnostics = study->diagnostics;
    for (size_t k = 0; k < tn_told_count(diagnostics); k++)
        if (tn_told(diagnostics, k)->severity == TN_SEVERITY_ERROR)
            return tn_library_say(model, status, "%s", tn_told(diagnostics, k)->text);
    return tn_library_say(model, status, "the model is wrong");
}

/* ---- options ---------------------------------------------------------------------------------------------- */

static const char *copy_text(tenon_model *model, const char *text)
{
    return text ? tn_arena_text(&model->texts, text, strlen(text)) : NULL;
}

static const char *const *copy_list(tenon_model *model, const char *const *list, size_t count)
{
    const char **copy = tn_arena_new(&model->texts, (count + 1) * sizeof *copy);
    for (size_t k = 0; k < count; k++)
        copy[k] = copy_text(model, list[k]);
    return copy;
}

/* The library, beside which plugins are installed; NULL where it is a part of the program. */
static const char *library;
static void find_library(void)
{
    Dl_info info;
    struct link_map *map = NULL;
    const bool found = dladdr1((void *)(uintptr_t)tenon_version, &info, (void **)&map, RTLD_DL_LINKMAP) != 0;
    library = found && map && map->l_name[0] ? map->l_name : NULL;
}

static void take_options(tenon_model *model, const tenon_options *options, const tn_library_wishes *wishes)
{
    tenon_options *own = &model->options.asked;
    if (options) memcpy(own, options, options->size < sizeof *own ? options->size : sizeof *own);
    own->overrides = copy_list(model, own->overrides, own->override_count);
    own->sensors = copy_list(model, own->sensors, own->sensor_count);
    own->plugin_paths = copy_list(model, own->plugin_paths, own->plugin_path_count);
    own->solver = copy_text(model, own->solver);
    own->results = copy_text(model, own->results);
    static pthread_once_t once = PTHREAD_ONCE_INIT; /* all names of the library are looked through */
    (void)pthread_once(&once, find_library);
    model->options.installation = library;
    model->options.writes = own->results || wishes->writes;
    model->options.expanded = wishes->expanded;
    model->options.guard = wishes->guard;
    model->options.checkpoints = wishes->writes;
}

/* ---- open ------------------------------------------------------------------------------------------------- */

/* Takes over a study that was read from the options of the model. */
static void take_study(tenon_model *model)
{
    model->columns = tn_sensor_columns(model->study.model, &model->column, &model->texts) - 1;
    model->value = tn_arena_new(&model->texts, (model->columns + 1) * sizeof *model->value);
}

tenon_status tn_library_read(tenon_model *model, const char *built)
{
    if (built) model->options.text = built;
    model->phase = TN_OPENED;
    if (!tn_study_open(&model->study, &model->options, &model->wishes.client, model->wishes.listener)) {
        model->broken = TENON_INVALID;
        return say_error(model, &model->study, TENON_INVALID);
    }
    take_study(model);
    return TENON_OK;
}

static tenon_status begin_model(tenon_model *model, const tn_library_source *source,
                                const tenon_options *options)
{
    take_options(model, options, &model->wishes);
    model->options.model = copy_text(model, source->name);
    model->options.text = copy_text(model, source->text);
    model->options.folder = copy_text(model, source->folder);
    return source->built ? TENON_OK : tn_library_read(model, NULL);
}

tenon_status tn_library_open(const tn_library_source *source, const tenon_options *options,
                             const tn_library_wishes *wishes, tenon_model **model)
{
    tenon_model *new = *model = calloc(1, sizeof *new);
    if (!new) return TENON_OUT_OF_MEMORY;
    new->wishes = *wishes;
    return tn_library_call(new, begin_model(new, source, options));
}

tenon_status tenon_open_file(const char *path, const tenon_options *options, tenon_model **model)
{
    return tn_library_open(&(tn_library_source){.name = path}, options, &(tn_library_wishes){.writes = false},
                           model);
}

tenon_status tenon_open_text(const char *text, const char *name, const char *folder,
                             const tenon_options *options, tenon_model **model)
{
    return tn_library_open(&(tn_library_source){name, text, folder ? folder : ".", false}, options,
                           &(tn_library_wishes){.writes = false}, model);
}

/* ---- further sensors -------------------------------------------------------------------------------------- */

/* One that was opened at all; once more does nothing. */
static void close_study(tn_study *study)
{
    if (study->diagnostics) tn_study_close(study);
    study->diagnostics = NULL;
}

/* Reads the model once more, with them: what expressions read has its place in the system from the start. */
static tenon_status add_sensors(tenon_model *model, const char *const *sensors, size_t count)
{
    const tenon_status status = tn_library_enter(model);
    if (status != TENON_OK) return status;
    if (model->phase != TN_OPENED)
        return tn_library_say(model, TENON_REFUSED,
                              "the model has been started: sensors are added before that");
    tn_study_options options = model->options;
    tenon_options *asked = &options.asked;
    const char **all = tn_arena_new(&model->texts, (asked->sensor_count + count) * sizeof *all);
    for (size_t k = 0; k < asked->sensor_count + count; k++)
        all[k] =
            k < asked->sensor_count ? asked->sensors[k] : copy_text(model, sensors[k - asked->sensor_count]);
    asked->sensors = all;
    asked->sensor_count += count;
    tn_study *with = &model->other, before = model->study;
    if (!tn_study_open(with, &options, &model->wishes.client, model->wishes.listener)) {
        (void)say_error(model, with, TENON_REFUSED);
        close_study(with);
        return TENON_REFUSED;
    }
    for (size_t k = 0; k < tn_input_count(with->model); k++)
        tn_input_set(with->model, k, tn_input_at(before.model, k).value);
    model->options = options;
    model->study = *with;
    model->study.options = &model->options;
    *with = before;
    close_study(with);
    take_study(model);
    return TENON_OK;
}

tenon_status tenon_add_sensors(tenon_model *model, const char *const *sensors, size_t count)
{
    return tn_library_call(model, add_sensors(model, sensors, count));
}

/* ---- close ------------------------------------------------------------------------------------------------ */

void tenon_close(tenon_model *model)
{
    if (!model) return;
    (void)tn_attempt(&model->memory, tn_stepper_close(model));
    (void)tn_attempt(&model->memory, close_study(&model->study));
    (void)tn_attempt(&model->memory, close_study(&model->other));
    tn_memory_release(&model->memory);
    free(model);
}

/* ---- messages --------------------------------------------------------------------------------------------- */

size_t tenon_message_count(const tenon_model *model)
{
    return model->study.diagnostics ? tn_told_count(model->study.diagnostics) : 0;
}

tenon_status tenon_message_at(const tenon_model *model, size_t number, tenon_message *message)
{
    if (number >= tenon_message_count(model)) return TENON_REFUSED;
    const tn_diagnostic *told = tn_told(model->study.diagnostics, number);
    const tn_place there = {told->file, told->line, told->column};
    const bool is_built = model->building.text.letters && strcmp(told->file, model->options.model) == 0;
    const tn_place place = is_built ? tn_built_place_of(model, there) : there;
    const bool is_other = place.file != told->file;
    const tenon_message all = {.size = message->size,
                               .severity = (int32_t)told->severity,
                               .line = place.line,
                               .column = place.column,
                               .end_line = is_other ? 0 : told->end_line,
                               .end_column = is_other ? 0 : told->end_column,
                               .file = place.file,
                               .text = told->text,
                               .hint = told->hint};
    memcpy(message, &all, message->size < sizeof all ? message->size : sizeof all);
    return TENON_OK;
}

/* ---- names ------------------------------------------------------------------------------------------------ */

size_t tenon_name_count(const tenon_model *model)
{
    return model->broken == TENON_INVALID || !model->study.model ? 0 : model->study.model->names.count;
}

const char *tenon_name(const tenon_model *model, size_t number)
{
    return number < tenon_name_count(model) ? tn_item_name(model->study.model, (uint32_t)number) : NULL;
}

const char *tenon_type(const tenon_model *model, size_t number)
{
    if (number >= tenon_name_count(model)) return NULL;
    const tn_use *use = &model->study.model->use[model->study.model->item[number].use];
    return use->element ? use->element->name : use->marker->name;
}
