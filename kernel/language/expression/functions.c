/* functions.c - finds functions and named constants by name (see functions.h). */
#include "expression/functions.h"

#include <ctype.h>
#include <math.h>
#include <strings.h>

static const tn_function *const families[] = {tn_elementary_functions, tn_choice_functions,
                                              tn_step_functions,       tn_contact_functions,
                                              tn_series_functions,     tn_wave_functions};
enum { FAMILIES = sizeof families / sizeof *families };

static const struct {
    const char *name;
    double value;
} constants[] = {{"PI", M_PI}, {"DTOR", M_PI / 180.0}, {"RTOD", 180.0 / M_PI}};

/* Most names differ in their first letter; those of a large model are many. */
const tn_function *tn_function_find(const char *name)
{
    const int first = tolower((unsigned char)*name);
    for (size_t family = 0; family < FAMILIES; family++)
        for (const tn_function *function = families[family]; function->name; function++)
            if (tolower((unsigned char)*function->name) == first && strcasecmp(function->name, name) == 0)
                return function;
    return NULL;
}

const char *tn_function_nearest(const char *name)
{
    tn_nearest search;
    tn_nearest_start(&search, name);
    for (size_t family = 0; family < FAMILIES; family++)
        for (const tn_function *function = families[family]; function->name; function++)
            tn_nearest_offer(&search, function->name);
    return search.best;
}

bool tn_constant_find(const char *name, double *value)
{
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        if (strcasecmp(constants[i].name, name) != 0) continue;
        *value = constants[i].value;
        return true;
    }
    return false;
}

const char *tn_constant_name(size_t index)
{
    return index < sizeof constants / sizeof *constants ? constants[index].name : NULL;
}
