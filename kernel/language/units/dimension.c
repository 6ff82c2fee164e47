/* dimension.c - products, powers and comparisons of SI units (see dimension.h) */
#include "units/dimension.h"

#include "base/memory.h"
#include "units/units_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model has few units. What goes beyond is not known: a chain of products stays linear in time. */
enum { MOST_DIMENSIONS = 256, LONGEST_DEFINITION = 256 };

/* Of base units; angles count as numbers. */
typedef struct powers {
    int kilogram, metre, second;
} powers;

struct tn_dimension {
    char *text;
    const powers *powers; /* NULL where only the database knows them */
    bool looked_at;       /* what follows is known */
    ut_unit *unit;        /* NULL: not a unit */
    int angle;            /* power of rad */
    bool number, time;
};

static struct {
    tn_dimension all[MOST_DIMENSIONS];
    size_t count;
    bool has_named;
} known;

/* Units that have a name, and how they are written; the first of equal ones is preferred. */
static const struct {
    const char *unit, *words;
    powers powers;
} named[] = {{"m", "a length", {0, 1, 0}},
             {"m/s", "a velocity", {0, 1, -1}},
             {"m/s^2", "an acceleration", {0, 1, -2}},
             {"rad", "an angle", {0, 0, 0}},
             {"rad/s", "an angular velocity", {0, 0, -1}},
             {"rad/s^2", "an angular acceleration", {0, 0, -2}},
             {"s", "a time", {0, 0, 1}},
             {"kg", "a mass", {1, 0, 0}},
             {"N", "a force", {1, 1, -2}},
             {"N m", "a torque", {1, 2, -2}},
             {"J", "an energy", {1, 2, -2}},
             {"W", "a power", {1, 2, -3}},
             {"N/m", "a stiffness", {1, 0, -2}},
             {"N s/m", "a damping", {1, 0, -1}},
             {"N m/rad", "a torsional stiffness", {1, 2, -2}},
             {"N m s/rad", "a torsional damping", {1, 2, -1}},
             {"kg m^2", "a moment of inertia", {1, 2, 0}},
             {"kg m/s", "a momentum", {1, 1, -1}},
             {"kg m^2/s", "an angular momentum", {1, 2, -1}}};
enum { NAMED = sizeof named / sizeof *named };

/* ---- definitions ----------------------------------------------------------------------------------------- */

/* "kg.m2.s-2", "1" for a number; with a factor in front where it is no SI unit. */
static bool write_definition(const ut_unit *unit, char *definition)
{
    const int length =
        tn_units_call(ut_format(unit, definition, LONGEST_DEFINITION, UT_ASCII | UT_DEFINITION));
    return length >= 0 && length < LONGEST_DEFINITION;
}

typedef struct base {
    const char *name;
    int letters, power;
} base;

/* Takes the next base unit off a definition; false behind the last. */
static bool next_base(const char **definition, base *next)
{
    next->name = *definition + strspn(*definition, ". ");
    next->letters = (int)strcspn(next->name, "-0123456789. ");
    char *end = NULL;
    const long power = strtol(next->name + next->letters, &end, 10);
    next->power = end == next->name + next->letters ? 1 : (int)power;
    *definition = end;
    return next->letters > 0;
}

static bool is_base(const base *found, const char *name)
{
    return (size_t)found->letters == strlen(name) && strncmp(found->name, name, strlen(name)) == 0;
}

/* Finds the angle of a unit in its base units, and whether it is a number or a power of time. */
static void look_at_bases(tn_dimension *a, const char *definition)
{
    base next;
    a->number = a->time = true;
    while (next_base(&definition, &next)) {
        if (is_base(&next, "rad")) a->angle = next.power;
        a->number = false;
        a->time = a->time && is_base(&next, "s");
    }
    a->time = a->time && !a->number;
}

/* "kg m^2/s^2": masses, then all others that multiply, then what divides. */
static void write_dimension_text(const char *definition, char *text, size_t size)
{
    enum { MASSES, OTHERS, DIVISORS, PASSES };
    size_t used = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        const char *rest = definition;
        for (base next; used < size && next_base(&rest, &next);) {
            const int group = next.power < 0 ? DIVISORS : is_base(&next, "kg") ? MASSES : OTHERS;
            if (group != pass) continue;
            const char *before = pass < DIVISORS ? used ? " " : "" : used ? "/" : "1/";
            used += (size_t)snprintf(text + used, size - used, "%s%.*s", before, next.letters, next.name);
            if (abs(next.power) > 1 && used < size)
                used += (size_t)snprintf(text + used, size - used, "^%d", abs(next.power));
        }
    }
    if (!used) *text = '\0';
}

/* ---- the known ones -------------------------------------------------------------------------------------- */

static const powers *powers_of(const char *text)
{
    static const powers number = {0};
    for (size_t k = 0; k < NAMED; k++)
        if (strcmp(named[k].unit, text) == 0) return &named[k].powers;
    return *text ? NULL : &number;
}

static tn_dimension *add_dimension(const char *text)
{
    if (known.count == MOST_DIMENSIONS) return NULL;
    char *copy = tn_units_call(strdup(text)); /* the process's, not the model's */
    known.all[known.count] = (tn_dimension){.text = copy, .powers = powers_of(text)};
    return &known.all[known.count++];
}

static tn_dimension *dimension_of_text(const char *text)
{
    for (size_t k = 0; k < known.count; k++)
        if (strcmp(known.all[k].text, text) == 0) return &known.all[k];
    return add_dimension(text);
}

/* The unit in the database, which is loaded on first use only: that takes time. */
static const ut_unit *database_unit_of(const tn_dimension *a)
{
    tn_dimension *self = (tn_dimension *)(uintptr_t)a;
    char definition[LONGEST_DEFINITION];
    if (!self || self->looked_at) return self ? self->unit : NULL;
    self->looked_at = true;
    if (tn_units_load(definition, sizeof definition)) self->unit = tn_units_parse(self->text);
    if (self->unit && write_definition(self->unit, definition)) look_at_bases(self, definition);
    return self->unit;
}

/* The known unit that equals a new one, which is taken; NULL when there is none. */
static const tn_dimension *find_equal(ut_unit *unit)
{
    char definition[LONGEST_DEFINITION], text[LONGEST_DEFINITION];
    for (size_t k = 0; !known.has_named && k < NAMED; k++)
        (void)dimension_of_text(named[k].unit);
    known.has_named = true;
    tn_dimension *found = NULL;
    for (size_t k = 0; unit && !found && k < known.count; k++)
        if (database_unit_of(&known.all[k]) && ut_compare(database_unit_of(&known.all[k]), unit) == 0)
            found = &known.all[k];
    if (unit && !found && write_definition(unit, definition)) {
        write_dimension_text(definition, text, sizeof text);
        found = add_dimension(text);
    }
    ut_free(unit);
    return found;
}

/* Angles stay alone, or with a power of time. */
static ut_unit *without_angle(ut_unit *unit)
{
    char definition[LONGEST_DEFINITION];
    tn_dimension a = {0};
    if (!unit || !write_definition(unit, definition)) return unit;
    look_at_bases(&a, definition);
    base next;
    bool alone = a.angle == 1;
    for (const char *rest = definition; next_base(&rest, &next);)
        alone = alone && (is_base(&next, "rad") || is_base(&next, "s"));
    const ut_unit *radian = a.angle && !alone ? database_unit_of(dimension_of_text("rad")) : NULL;
    if (!radian) return unit;
    ut_unit *angle = tn_units_call(ut_raise(radian, a.angle)),
            *rest = angle ? tn_units_call(ut_divide(unit, angle)) : NULL;
    ut_free(angle);
    ut_free(unit);
    return rest;
}

const tn_dimension *tn_dimension_of(const char *unit)
{
    TN_UNITS_LOCKED;
    return dimension_of_text(unit);
}

const tn_dimension *tn_dimension_si(const char *text)
{
    TN_UNITS_LOCKED;
    char definition[LONGEST_DEFINITION];
    ut_unit *unit = tn_units_load(definition, sizeof definition) ? tn_units_parse(text) : NULL;
    const bool defined = unit && write_definition(unit, definition);
    ut_free(unit);
    if (!defined) return NULL;
    char *base_units = definition;
    const double factor = strtod(definition, &base_units);
    char *offset = strstr(base_units, " @");
    if (!offset && (base_units == definition || factor == 1.0)) return dimension_of_text(text);
    if (offset) *offset = '\0';
    return find_equal(tn_units_parse(base_units));
}

void tn_dimensions_free(void)
{
    for (size_t k = 0; k < known.count; k++) {
        ut_free(known.all[k].unit);
        free(known.all[k].text);
    }
    known.count = 0;
    known.has_named = false;
}

/* ---- algebra --------------------------------------------------------------------------------------------- */

static const tn_dimension *combine_dimensions(const tn_dimension *a, const tn_dimension *b,
                                              ut_unit *(*operation)(const ut_unit *, const ut_unit *))
{
    TN_UNITS_LOCKED;
    const ut_unit *left = database_unit_of(a), *right = database_unit_of(b);
    return left && right ? find_equal(without_angle(tn_units_call(operation(left, right)))) : NULL;
}

const tn_dimension *tn_dimension_product(const tn_dimension *a, const tn_dimension *b)
{
    return combine_dimensions(a, b, ut_multiply);
}

const tn_dimension *tn_dimension_quotient(const tn_dimension *a, const tn_dimension *b)
{
    return combine_dimensions(a, b, ut_divide);
}

const tn_dimension *tn_dimension_power(const tn_dimension *a, int numerator, int denominator)
{
    TN_UNITS_LOCKED;
    const ut_unit *unit = database_unit_of(a);
    ut_unit *raised = unit ? tn_units_call(ut_raise(unit, numerator)) : NULL;
    ut_unit *root = raised ? tn_units_call(ut_root(raised, denominator)) : NULL;
    ut_free(raised);
    return root ? find_equal(without_angle(root)) : NULL;
}

/* Most models have units with names only, and need no database. */
bool tn_dimension_fits(const tn_dimension *a, const tn_dimension *b)
{
    TN_UNITS_LOCKED;
    if (a && b && a->powers && b->powers) return memcmp(a->powers, b->powers, sizeof(powers)) == 0;
    if (a == b || !database_unit_of(a) || !database_unit_of(b)) return true;
    ut_unit *quotient = tn_units_call(ut_divide(database_unit_of(a), database_unit_of(b)));
    const bool fits = !quotient || ut_is_dimensionless(quotient);
    ut_free(quotient);
    return fits;
}

const tn_dimension *tn_dimension_sum(const tn_dimension *a, const tn_dimension *b)
{
    TN_UNITS_LOCKED;
    if (a == b || !database_unit_of(a) || !database_unit_of(b)) return a;
    return a->angle ? b : a;
}

bool tn_dimension_is_number(const tn_dimension *a) { return database_unit_of(a) && a->number; }

bool tn_dimension_is_time(const tn_dimension *a) { return database_unit_of(a) && a->time; }

/* ---- words ----------------------------------------------------------------------------------------------- */

const char *tn_dimension_text(const tn_dimension *a) { return a->text; }

const char *tn_dimension_words(const tn_dimension *a, tn_arena *arena)
{
    for (size_t k = 0; k < NAMED; k++)
        if (strcmp(named[k].unit, a->text) == 0)
            return tn_arena_print(arena, "%s (%s)", named[k].words, a->text);
    return tn_dimension_is_number(a) ? "a plain number" : tn_arena_print(arena, "in %s", a->text);
}
