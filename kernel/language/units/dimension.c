/* dimension.c - products, powers and comparisons of SI units (see dimension.h): sums and multiples of the powers of base units that
 * UDUNITS, or the table of named units, says that they have */
#include "units/dimension.h"

#include "units/units_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model has few units. What goes beyond is not known: a chain of products stays linear in time, and its powers are small. */
enum { MOST_DIMENSIONS = 256, LARGEST_POWER = 255 };

/* The base units of UDUNITS, in its order. */
enum { METRE, KILOGRAM, SECOND, RADIAN = 7, BASES };
static const char *const bases[BASES] = {"m", "kg", "s", "A", "K", "mol", "cd", "rad"};

struct tn_dimension {
    char *text;
    bool looked_at;           /* what follows is known */
    bool is_product, is_base; /* of base units; without a factor or offset */
    int power[BASES];
};

static struct {
    tn_dimension all[MOST_DIMENSIONS];
    size_t count;
    bool has_named;
} known;

/* Units that have a name, and how they are written; the first of equal ones is preferred. */
static const struct {
    const char *unit, *words;
    int power[BASES];
} named[] = {{"m", "a length", {1}},
             {"m/s", "a velocity", {1, 0, -1}},
             {"m/s^2", "an acceleration", {1, 0, -2}},
             {"rad", "an angle", {[RADIAN] = 1}},
             {"rad/s", "an angular velocity", {0, 0, -1, [RADIAN] = 1}},
             {"rad/s^2", "an angular acceleration", {0, 0, -2, [RADIAN] = 1}},
             {"s", "a time", {0, 0, 1}},
             {"kg", "a mass", {0, 1}},
             {"N", "a force", {1, 1, -2}},
             {"N m", "a torque", {2, 1, -2}},
             {"J", "an energy", {2, 1, -2}},
             {"W", "a power", {2, 1, -3}},
             {"N/m", "a stiffness", {0, 1, -2}},
             {"N s/m", "a damping", {0, 1, -1}},
             {"N m/rad", "a torsional stiffness", {2, 1, -2, [RADIAN] = -1}},
             {"N m s/rad", "a torsional damping", {2, 1, -1, [RADIAN] = -1}},
             {"kg m^2", "a moment of inertia", {2, 1}},
             {"kg m/s", "a momentum", {1, 1, -1}},
             {"kg m^2/s", "an angular momentum", {2, 1, -1}}};
enum { NAMED = sizeof named / sizeof *named };

/* ---- texts ----------------------------------------------------------------------------------------------- */

/* Reads "kg.m2.s-2", or "1"; false where something else is in it. */
static bool read_powers(const char *text, int *power)
{
    while (*text && strcmp(text, "1") != 0) {
        const size_t letters = strcspn(text, "-0123456789. ");
        size_t k = 0;
        while (k < BASES && !(strlen(bases[k]) == letters && strncmp(bases[k], text, letters) == 0))
            k++;
        if (k == BASES) return false;
        char *end = NULL;
        const long written = strtol(text + letters, &end, 10);
        power[k] = end == text + letters ? 1 : (int)written;
        text = end + strspn(end, ". ");
    }
    return true;
}

/* "kg m^2/s^2": masses, then all others that multiply, then what divides. */
static void write_powers(const int *power, char *text, size_t size)
{
    enum { MASSES, OTHERS, DIVISORS, PASSES };
    size_t used = 0;
    *text = '\0';
    for (int pass = 0; pass < PASSES; pass++)
        for (int k = 0; k < BASES; k++) {
            const int group = power[k] < 0 ? DIVISORS : k == KILOGRAM ? MASSES : OTHERS;
            if (group != pass || !power[k]) continue;
            const char *before = pass < DIVISORS ? used ? " " : "" : used ? "/" : "1/";
            used += (size_t)snprintf(text + used, size - used, "%s%s", before, bases[k]);
            if (abs(power[k]) > 1) used += (size_t)snprintf(text + used, size - used, "^%d", abs(power[k]));
        }
}

/* ---- the known ones -------------------------------------------------------------------------------------- */

static tn_dimension *dimension_of_text(const char *text)
{
    for (size_t k = 0; k < known.count; k++)
        if (strcmp(known.all[k].text, text) == 0) return &known.all[k];
    if (known.count == MOST_DIMENSIONS) return NULL;
    tn_dimension *made = &known.all[known.count];
    *made = (tn_dimension){.text = strdup(text)}; /* the process's, not the model's */
    if (!made->text) tn_no_memory("the units");
    known.count++;
    for (size_t k = 0; k < NAMED; k++)
        if (strcmp(named[k].unit, text) == 0) {
            made->looked_at = made->is_product = made->is_base = true;
            memcpy(made->power, named[k].power, sizeof made->power);
        }
    return made;
}

/* A unit with its powers; NULL where these are not known. The database is loaded on first use only: that takes time. */
static const tn_dimension *with_powers(const tn_dimension *a)
{
    tn_dimension *self = (tn_dimension *)(uintptr_t)a;
    char text[TN_LONGEST_DEFINITION];
    if (self && !self->looked_at)
        self->is_product =
            tn_units_define(self->text, text, &self->is_base) && read_powers(text, self->power);
    if (self) self->looked_at = true;
    return self && self->is_product ? self : NULL;
}

/* The known unit with these powers, or a new one. */
static const tn_dimension *dimension_of_powers(const int *power)
{
    char text[TN_LONGEST_DEFINITION];
    for (size_t k = 0; !known.has_named && k < NAMED; k++)
        (void)dimension_of_text(named[k].unit);
    known.has_named = true;
    for (size_t k = 0; k < known.count; k++)
        if (with_powers(&known.all[k]) && known.all[k].is_base &&
            memcmp(known.all[k].power, power, sizeof known.all[k].power) == 0)
            return &known.all[k];
    write_powers(power, text, sizeof text);
    return dimension_of_text(text);
}

const tn_dimension *tn_dimension_of(const char *unit)
{
    TN_UNITS_LOCKED;
    return dimension_of_text(unit);
}

const tn_dimension *tn_dimension_si(const char *text)
{
    TN_UNITS_LOCKED;
    const tn_dimension *unit = with_powers(dimension_of_text(text));
    return unit && !unit->is_base ? dimension_of_powers(unit->power) : unit;
}

void tn_dimensions_free(void)
{
    for (size_t k = 0; k < known.count; k++)
        free(known.all[k].text);
    memset(&known, 0, sizeof known);
}

/* ---- algebra --------------------------------------------------------------------------------------------- */

/* Whether a unit has no base units but this one and that one. */
static bool is_made_of(const int *power, int one, int other)
{
    bool only = true;
    for (int k = 0; k < BASES; k++)
        only = only && (!power[k] || k == one || k == other);
    return only;
}

/* a**p b**q, of which a root is taken. Angles stay alone, or with a power of time. */
static const tn_dimension *combine_dimensions(const tn_dimension *a, int p, const tn_dimension *b, int q,
                                              int root)
{
    TN_UNITS_LOCKED;
    const tn_dimension *left = with_powers(a), *right = with_powers(b);
    int power[BASES];
    if (!left || !right) return NULL;
    for (int k = 0; k < BASES; k++) {
        const int sum = p * left->power[k] + q * right->power[k];
        if (sum % root != 0 || abs(sum) > LARGEST_POWER) return NULL;
        power[k] = sum / root;
    }
    if (power[RADIAN] != 1 || !is_made_of(power, RADIAN, SECOND)) power[RADIAN] = 0;
    return dimension_of_powers(power);
}

const tn_dimension *tn_dimension_product(const tn_dimension *a, const tn_dimension *b)
{
    return combine_dimensions(a, 1, b, 1, 1);
}

const tn_dimension *tn_dimension_quotient(const tn_dimension *a, const tn_dimension *b)
{
    return combine_dimensions(a, 1, b, -1, 1);
}

const tn_dimension *tn_dimension_power(const tn_dimension *a, int numerator, int denominator)
{
    return combine_dimensions(a, numerator, a, 0, denominator);
}

bool tn_dimension_fits(const tn_dimension *a, const tn_dimension *b)
{
    TN_UNITS_LOCKED;
    const bool comparable = with_powers(a) && with_powers(b);
    return !comparable || memcmp(a->power, b->power, RADIAN * sizeof *a->power) == 0;
}

const tn_dimension *tn_dimension_sum(const tn_dimension *a, const tn_dimension *b)
{
    TN_UNITS_LOCKED;
    return with_powers(a) && with_powers(b) && a->power[RADIAN] ? b : a;
}

bool tn_dimension_is_number(const tn_dimension *a)
{
    TN_UNITS_LOCKED;
    return with_powers(a) && is_made_of(a->power, BASES, BASES);
}

bool tn_dimension_is_time(const tn_dimension *a)
{
    TN_UNITS_LOCKED;
    return with_powers(a) && a->power[SECOND] && is_made_of(a->power, SECOND, SECOND);
}

/* ---- words ----------------------------------------------------------------------------------------------- */

const char *tn_dimension_text(const tn_dimension *a) { return a->text; }

const char *tn_dimension_words(const tn_dimension *a, tn_arena *arena)
{
    for (size_t k = 0; k < NAMED; k++)
        if (strcmp(named[k].unit, a->text) == 0)
            return tn_arena_print(arena, "%s (%s)", named[k].words, a->text);
    return tn_dimension_is_number(a) ? "a plain number" : tn_arena_print(arena, "in %s", a->text);
}
