/* build_model.c - models that programs make by calls
 *
 * The calls write a model file, which is read when it is complete: all that files can say can be built, messages show the lines that
 * they are about, and the text can be kept as a file. Numbers are written so that they read as the same ones. */
#include "library/library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ------------------------------------------------------------------------------------------------- */

static void write_line_end(tn_building *building)
{
    tn_text_add_letters(&building->text, "\n", 1);
    building->lines++;
}

static void write_text(tn_text *text, const char *value)
{
    tn_text_add_letters(text, "\"", 1);
    for (const char *c = value; *c; c++)
        if (*c == '"' || *c == '\\')
            tn_text_add(text, "\\%c", *c);
        else if ((unsigned char)*c < ' ' || *c == 0x7F)
            tn_text_add(text, "\\u%04X", (unsigned)(unsigned char)*c);
        else
            tn_text_add_letters(text, c, 1);
    tn_text_add_letters(text, "\"", 1);
}

/* Whole numbers are integers of TOML, which stand for reals, too; those that an integer cannot hold, and -0, are none. */
static void write_number(tn_text *text, double value)
{
    char digits[40];
    if (!isfinite(value)) {
        tn_text_add(text, "%s", isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf");
        return;
    }
    int precision = 14;
    do
        (void)snprintf(digits, sizeof digits, "%.*g", ++precision, value);
    while (precision < 17 && strtod(digits, NULL) != value);
    tn_text_add(text, "%s%s", digits, value == 0.0 && signbit(value) ? ".0" : "");
}

static void write_numbers(tn_text *text, const double *values, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        tn_text_add(text, k ? ", " : "[");
        write_number(text, values[k]);
    }
    tn_text_add(text, count ? "]" : "[]");
}

/* ---- begin and end ---------------------------------------------------------------------------------------- */

static tenon_status enter_building(tenon_model *model)
{
    model->reason[0] = '\0';
    if (model->phase == TN_BUILDING) return TENON_OK;
    return tn_library_say(model, TENON_REFUSED, "the model is built already");
}

tenon_status tenon_build_begin(const char *name, const char *folder, const tenon_options *options,
                               tenon_model **model)
{
    return tn_library_open(&(tn_library_source){.name = name, .folder = folder ? folder : ".", .built = true},
                           options, &(tn_library_wishes){.writes = false}, model);
}

static tenon_status end_building(tenon_model *model)
{
    const tenon_status status = enter_building(model);
    return status == TENON_OK ? tn_library_read(model, model->building.text.letters) : status;
}

tenon_status tenon_build_end(tenon_model *model) { return tn_library_call(model, end_building(model)); }

const char *tenon_build_toml(const tenon_model *model)
{
    return model->building.text.letters ? model->building.text.letters : "";
}

/* ---- tables ----------------------------------------------------------------------------------------------- */

/* Bare keys of TOML with dots between them. */
static bool is_path(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    const size_t length = name ? strlen(name) : 0;
    return length && strspn(name, letters) == length && name[0] != '.' && name[length - 1] != '.' &&
           !strstr(name, "..");
}

static tenon_status begin_key(tenon_model *model, const char *key)
{
    tenon_status status = enter_building(model);
    if (status != TENON_OK) return status;
    if (!model->building.lines)
        return tn_library_say(model, TENON_REFUSED, "a key stands in a table: begin one first");
    if (!is_path(key))
        return tn_library_say(model, TENON_REFUSED,
                              "`%s` is not a key: letters, digits, _ and - are expected", key ? key : "");
    tn_text_add(&model->building.text, "%s = ", key);
    return TENON_OK;
}

/* A key with its value, which a statement writes. */
#define write_key(model, key, write_value)                   \
    ({                                                       \
        const tenon_status tn_begun = begin_key(model, key); \
        if (tn_begun == TENON_OK) {                          \
            write_value;                                     \
            write_line_end(&(model)->building);              \
        }                                                    \
        tn_begun;                                            \
    })

static tenon_status write_string(tenon_model *model, const char *key, const char *value)
{
    if (!value) return tn_library_say(model, TENON_REFUSED, "`%s` has no text", key ? key : "");
    return write_key(model, key, write_text(&model->building.text, value));
}

static tenon_status begin_table(tenon_model *model, const char *name, bool is_item)
{
    const tenon_status status = enter_building(model);
    tn_building *building = &model->building;
    if (status != TENON_OK) return status;
    if (!is_path(name))
        return tn_library_say(model, TENON_REFUSED, "`%s` does not name a table", name ? name : "");
    tn_text_add(&building->text, is_item ? "[[%s]]" : "[%s]", name);
    write_line_end(building);
    return TENON_OK;
}

static tenon_status begin_item(tenon_model *model, const char *array, const char *type, const char *name)
{
    tenon_status status = begin_table(model, array, true);
    if (status == TENON_OK && type) status = write_string(model, "type", type);
    if (status == TENON_OK && name) status = write_string(model, "name", name);
    return status;
}

tenon_status tenon_build_item(tenon_model *model, const char *array, const char *type, const char *name)
{
    return tn_library_call(model, begin_item(model, array, type, name));
}

tenon_status tenon_build_table(tenon_model *model, const char *name)
{
    return tn_library_call(model, begin_table(model, name, false));
}

/* ---- keys ------------------------------------------------------------------------------------------------- */

tenon_status tenon_build_number(tenon_model *model, const char *key, double value)
{
    return tn_library_call(model, write_key(model, key, write_number(&model->building.text, value)));
}

tenon_status tenon_build_numbers(tenon_model *model, const char *key, const double *values, size_t count)
{
    return tn_library_call(model, write_key(model, key, write_numbers(&model->building.text, values, count)));
}

static void write_matrix(tn_text *text, const double *values, size_t rows, size_t columns)
{
    for (size_t k = 0; k < rows; k++) {
        tn_text_add(text, k ? ", " : "[");
        write_numbers(text, values + k * columns, columns);
    }
    tn_text_add(text, rows ? "]" : "[]");
}

tenon_status tenon_build_matrix(tenon_model *model, const char *key, const double *values, size_t rows,
                                size_t columns)
{
    return tn_library_call(model,
                           write_key(model, key, write_matrix(&model->building.text, values, rows, columns)));
}

tenon_status tenon_build_truth(tenon_model *model, const char *key, int32_t value)
{
    return tn_library_call(
        model, write_key(model, key, tn_text_add(&model->building.text, value ? "true" : "false")));
}

tenon_status tenon_build_text(tenon_model *model, const char *key, const char *value)
{
    return tn_library_call(model, write_string(model, key, value));
}

static void write_texts(tn_text *text, const char *const *values, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        tn_text_add(text, k ? ", " : "[");
        write_text(text, values[k]);
    }
    tn_text_add(text, count ? "]" : "[]");
}

tenon_status tenon_build_texts(tenon_model *model, const char *key, const char *const *values, size_t count)
{
    return tn_library_call(model, write_key(model, key, write_texts(&model->building.text, values, count)));
}

static void write_value(tn_building *building, const char *toml)
{
    tn_text_add(&building->text, "%s", toml);
    for (const char *c = strchr(toml, '\n'); c; c = strchr(c + 1, '\n'))
        building->lines++;
}

static tenon_status write_toml(tenon_model *model, const char *key, const char *value)
{
    if (!value) return tn_library_say(model, TENON_REFUSED, "`%s` has no value", key ? key : "");
    return write_key(model, key, write_value(&model->building, value));
}

tenon_status tenon_build_value(tenon_model *model, const char *key, const char *toml)
{
    return tn_library_call(model, write_toml(model, key, toml));
}

/* ---- places ----------------------------------------------------------------------------------------------- */

static tenon_status note_place(tenon_model *model, const char *file, uint32_t line, uint32_t column)
{
    tn_building *building = &model->building;
    const tenon_status status = enter_building(model);
    if (status != TENON_OK) return status;
    const tn_place place = {file ? tn_arena_text(&model->texts, file, strlen(file)) : NULL, line, column};
    TN_APPEND(building->place, building->count, (tn_built_place){building->lines + 1, place});
    return TENON_OK;
}

tenon_status tenon_build_place(tenon_model *model, const char *file, uint32_t line, uint32_t column)
{
    return tn_library_call(model, note_place(model, file, line, column));
}

tn_place tn_built_place_of(const tenon_model *model, tn_place place)
{
    const tn_building *building = &model->building;
    tn_place found = place;
    for (size_t k = 0; k < building->count && building->place[k].first_line <= place.line; k++)
        found = building->place[k].place.file ? building->place[k].place : place;
    return found;
}
