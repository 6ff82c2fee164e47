/* plugin_units.c - the units in a plugin's tables: known ones, of SI without a factor */
#include "config/plugin_texts.h"

#include "plugin/checks.h"

#include "units/units.h"

#include <ctype.h>
#include <string.h>

/* What nearly all units are made of; the database of units, which takes its time to be read, is asked about others only. */
static const char *const symbols[] = {"m", "kg", "s",  "A", "K", "mol", "cd", "rad", "N",  "J",
                                      "W", "Pa", "Hz", "V", "C", "F",   "H",  "T",   "Wb", "sr"};

static bool is_symbol(const char *word, size_t length)
{
    for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++)
        if (strlen(symbols[k]) == length && memcmp(symbols[k], word, length) == 0) return true;
    return false;
}

/* Such symbols with exponents, in products with one quotient: "kg m^2/s", "1/s". */
static bool is_plain(const char *unit)
{
    int quotients = 0;
    const char *c = *unit == '1' && (unit[1] == '/' || !unit[1]) ? unit + 1 : unit;
    while (*c) {
        if (c > unit && *c != ' ' && *c != '/') return false;
        quotients += *c == '/';
        if (c > unit) c++;
        size_t length = 0;
        while (isalpha((unsigned char)c[length]))
            length++;
        if (!is_symbol(c, length)) return false;
        c += length;
        if (*c != '^') continue;
        if (!isdigit((unsigned char)c[1]) || isdigit((unsigned char)c[2])) return false;
        c += 2;
    }
    return quotients < 2;
}

static bool check_one(const char *unit, const char *name, const char *type, tn_reason *reason)
{
    char error[TN_LONGEST_REASON];
    double factor = 1.0;
    if (is_plain(unit)) return true;
    if (!tn_unit_si_factor(unit, &factor, error, sizeof error))
        return tn_wrong(reason, "the unit of \"%s\" of \"%s\": %s", name, type, error);
    return factor == 1.0 ||
           tn_wrong(reason,
                    "the unit \"%s\" of \"%s\" of \"%s\" is not an SI unit: it is %g times the SI unit", unit,
                    name, type, factor);
}

bool tn_check_units(const char *units, const char *name, const char *type, tn_reason *reason)
{
    char unit[256];
    if (strcmp(units, TN_ANY_UNIT) == 0) return true;
    for (const char *next = units; next;) {
        const char *end = strchr(next, ';');
        next += strspn(next, " ");
        const size_t length = end ? (size_t)(end - next) : strlen(next);
        if (length >= sizeof unit)
            return tn_wrong(reason, "the unit of \"%s\" of \"%s\" is too long", name, type);
        memcpy(unit, next, length);
        unit[length] = '\0';
        if (!check_one(unit, name, type, reason)) return false;
        next = end ? end + 1 : NULL;
    }
    return true;
}
