/* given.c - numbers and texts that a program gives a parameter, written into an instance (see given.h) */
#include "changes/given.h"

#include "config/fill.h"

#include <math.h>
#include <string.h>

/* Where a value is written, and on whose behalf. */
typedef struct giving {
    tn_model *model;
    uint32_t item;
    const tn_parameter *parameter;
    const tn_location *at;
} giving;

__attribute__((format(printf, 2, 3))) static bool refuse_value(const giving *g, const char *format, ...)
{
    char text[TN_LONGEST_REASON];
    va_list arguments;
    va_start(arguments, format);
    (void)tn_print_cut_list(text, sizeof text, format, arguments);
    va_end(arguments);
    tn_model_error(g->model, g->at->place, "`%s` of `%s`: %s", g->parameter->name,
                   tn_item_name(g->model, g->item), text);
    return false;
}

static bool are_admitted(const giving *g, const tn_given *value)
{
    char words[128];
    for (size_t k = 0; k < value->count; k++)
        if (!tn_parameter_admits(g->parameter, value->number[k], words, sizeof words))
            return refuse_value(g, "%s", words);
    return true;
}

static bool are_whole(const giving *g, const tn_given *value)
{
    for (size_t k = 0; k < value->count; k++)
        if (value->number[k] != floor(value->number[k]) || fabs(value->number[k]) > 9e15)
            return refuse_value(g, "an integer is expected, not %.17g", value->number[k]);
    return true;
}

static bool has_count(const giving *g, size_t count)
{
    const tn_parameter *p = g->parameter;
    const size_t wanted = p->kind == TN_KIND_ROTATION                             ? 9
                          : p->kind == TN_KIND_REAL || p->kind == TN_KIND_BOOLEAN ? p->count
                                                                                  : 1;
    const bool fits = count == wanted || (p->kind == TN_KIND_REAL && count && count == p->count_alternative);
    return fits || refuse_value(g, "%zu values are given, but %zu are expected", count, wanted);
}

/* A rotation matrix by rows: its columns are unit vectors at right angles, and it does not mirror. */
static bool is_rotation(const giving *g, const double *R)
{
    double off = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            const double product = R[i] * R[j] + R[3 + i] * R[3 + j] + R[6 + i] * R[6 + j];
            off = fmax(off, fabs(product - (i == j)));
        }
    const double determinant = R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) +
                               R[2] * (R[3] * R[7] - R[4] * R[6]);
    return (off <= 1e-6 && determinant > 0.0) || refuse_value(g, "this is not a rotation matrix");
}

static bool give_numbers(const giving *g, const tn_given *value, void *to)
{
    const tn_parameter *p = g->parameter;
    if (!value->number) return refuse_value(g, "a number is expected");
    if (p->kind == TN_KIND_LIST) {
        double *own = tn_arena_new(&g->model->arena, (value->count + 1) * sizeof *own);
        if (value->count) memcpy(own, value->number, value->count * sizeof *own);
        *(tn_list *)to = (tn_list){own, value->count};
        return are_admitted(g, value);
    }
    if (!has_count(g, value->count)) return false;
    if (p->kind == TN_KIND_ROTATION && !is_rotation(g, value->number)) return false;
    if (p->kind != TN_KIND_ROTATION && !are_admitted(g, value)) return false;
    if (p->kind == TN_KIND_INTEGER) {
        if (!are_whole(g, value)) return false;
        *(int64_t *)to = (int64_t)value->number[0];
        return true;
    }
    for (size_t k = 0; k < value->count; k++)
        if (p->kind == TN_KIND_BOOLEAN)
            ((int32_t *)to)[k] = value->number[k] != 0.0;
        else
            ((double *)to)[k] = value->number[k];
    for (size_t k = value->count; p->kind == TN_KIND_REAL && k < p->count; k++)
        ((double *)to)[k] = 0.0;
    return true;
}

static bool give_texts(const giving *g, const tn_given *value, void *to)
{
    const tn_parameter *p = g->parameter;
    if (!value->text || (p->kind != TN_KIND_TEXTS && value->count != 1))
        return refuse_value(g, "a text is expected");
    if (p->kind == TN_KIND_CHOICE) {
        const int32_t index = tn_parameter_choice(p, value->text[0], strlen(value->text[0]));
        if (index < 0) return refuse_value(g, "one of the words %s is expected", p->detail);
        *(int32_t *)to = index;
        return true;
    }
    const char **own = tn_arena_new(&g->model->arena, (value->count + 1) * sizeof *own);
    for (size_t k = 0; k < value->count; k++)
        own[k] = tn_arena_text(&g->model->arena, value->text[k], strlen(value->text[k]));
    if (p->kind == TN_KIND_TEXTS)
        *(tn_texts *)to = (tn_texts){own, value->count};
    else
        *(const char **)to = own[0];
    return true;
}

bool tn_parameter_give(tn_model *model, uint32_t item, const tn_parameter *parameter, const tn_given *value,
                       const tn_location *at, void *instance)
{
    const giving g = {model, item, parameter, at};
    void *to = (char *)instance + parameter->offset;
    const bool texts = parameter->kind == TN_KIND_TEXT || parameter->kind == TN_KIND_FILE ||
                       parameter->kind == TN_KIND_TEXTS || parameter->kind == TN_KIND_CHOICE;
    if (parameter->kind == TN_KIND_CALLABLE)
        return refuse_value(&g, "a function can only be given as an expression");
    return texts ? give_texts(&g, value, to) : give_numbers(&g, value, to);
}
