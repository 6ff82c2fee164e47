/* units.c - factors between units. UDUNITS knows the units; what is not a pure factor is refused here. */
#define _GNU_SOURCE
#include "units/units.h"

#include "base/text.h"
#include "units/udunits.h"
#include "units/units_internal.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A model asks for the same few pairs again and again. */
#define WHOLE_POWERS "; powers of units are whole numbers: write the number in SI units, without a unit"

#define SAME_POWER 1e-6

enum { CACHE_SIZE = 16, LONGEST_CACHED = 48 };

typedef struct known_factor {
    char from[LONGEST_CACHED], to[LONGEST_CACHED];
    double factor; /* 0: none yet */
} known_factor;

static const tn_udunits *library; /* NULL: not asked for yet */

static struct {
    ut_system *system;
    known_factor cache[CACHE_SIZE];
    unsigned next;
    bool lacks_memory;
    size_t users; /* models that are open */
} units;

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void unlock_mutex(void *mutex) { (void)pthread_mutex_unlock(mutex); }

void tn_units_lock(tn_hold *locked)
{
    (void)pthread_mutex_lock(&lock);
    tn_hold_begin(locked, unlock_mutex, &lock);
}

void tn_units_unlock(tn_hold *locked)
{
    tn_hold_end(locked);
    unlock_mutex(locked->object);
}

/* Messages of UDUNITS are not printed. They alone show that the parser of its database lacked memory: errno does not. */
static int note_message(const char *format, va_list arguments)
{
    char text[256];
    const int length = vsnprintf(text, sizeof text, format, arguments);
    if (strstr(text, "allocate") || strstr(text, "out of memory")) units.lacks_memory = true;
    return length;
}

static void check_unit_memory(void)
{
    if (!units.lacks_memory && errno != ENOMEM) return;
    units.lacks_memory = false; /* it may be there the next time */
    tn_no_memory("the units");
}

/* The value of a call of UDUNITS, which reports a lack of memory as an unknown unit, or leaves one out: errno shows it, or a message. */
#define UNITS_CALL(call)             \
    ({                               \
        errno = 0;                   \
        __auto_type result = (call); \
        check_unit_memory();         \
        result;                      \
    })

static const double pi = 3.14159265358979323846;

/* Symbols are case-sensitive and take prefixes (kNm), names do neither: a name Nm would swallow nm. */
static bool define_symbol(const char *symbol, ut_unit *unit)
{
    const bool defined =
        unit && UNITS_CALL(library->ut_map_symbol_to_unit(symbol, UT_ASCII, unit)) == UT_SUCCESS;
    library->ut_free(unit);
    return defined;
}

static bool define_own_units(ut_system *system)
{
    ut_unit *radian = UNITS_CALL(library->ut_get_unit_by_name(system, "radian"));
    const bool defined = radian && define_symbol("deg", UNITS_CALL(library->ut_scale(pi / 180, radian))) &&
                         define_symbol("rev", UNITS_CALL(library->ut_scale(2 * pi, radian))) &&
                         define_symbol("Nm", UNITS_CALL(library->ut_parse(system, "newton metre", UT_ASCII)));
    library->ut_free(radian);
    return defined;
}

bool tn_units_load(char *error, size_t error_size)
{
    const char *reason = NULL;
    if (units.system) return true;
    library = tn_udunits_open(&reason);
    if (!library) {
        (void)tn_print_cut(error, error_size, "UDUNITS cannot be loaded: %s", reason);
        return false;
    }
    library->ut_set_error_message_handler(note_message);
    ut_system *system = NULL;
    do {
        system = UNITS_CALL(library->ut_read_xml(NULL));
    } while (!system && errno == EINTR);
    if (system && define_own_units(system)) {
        units.system = system;
        return true;
    }
    library->ut_free_system(system);
    (void)tn_print_cut(error, error_size, "cannot load the unit database of UDUNITS");
    return false;
}

static int compare_text(const void *text, const void *unit)
{
    return strcmp(text, ((const tn_known_unit *)unit)->text);
}

/* Of the table that the build has made; NULL for all others, which UDUNITS is asked about. */
static const tn_known_unit *find_known_unit(const char *text)
{
    return bsearch(text, tn_known_units, tn_known_unit_count, sizeof *tn_known_units, compare_text);
}

/* Of one SI unit and another unit of its kind, both in the table; angles differ from numbers here. */
static bool find_factor_of_known(const char *from, const char *to, double *factor)
{
    const tn_known_unit *given = find_known_unit(from), *wanted = find_known_unit(to);
    if (!given || !wanted || !wanted->is_base || strcmp(given->base, wanted->base) != 0) return false;
    *factor = given->factor;
    return true;
}

static const known_factor *find_known_factor(const char *from, const char *to)
{
    for (size_t i = 0; i < CACHE_SIZE; i++) {
        const known_factor *known = &units.cache[i];
        if (known->factor > 0.0 && strcmp(known->from, from) == 0 && strcmp(known->to, to) == 0) return known;
    }
    return NULL;
}

/* Takes the place of the oldest factor; long texts are not remembered. */
static void remember_factor(const char *from, const char *to, double factor)
{
    if (strlen(from) >= LONGEST_CACHED || strlen(to) >= LONGEST_CACHED) return;
    known_factor *oldest = &units.cache[units.next];
    strcpy(oldest->from, from);
    strcpy(oldest->to, to);
    oldest->factor = factor;
    units.next = (units.next + 1) % CACHE_SIZE;
}

/* Whether a power in a text is no whole number. UDUNITS would take m^1.5 for m^1 times 5. */
static bool has_broken_power(const char *text)
{
    for (const char *digits = strpbrk(text, "0123456789"); digits; digits = strpbrk(digits, "0123456789")) {
        const char *before = digits;
        while (before > text && strchr("+-", before[-1]))
            before--;
        const bool is_power =
            before > text && (isalpha((unsigned char)before[-1]) || strchr("^*", before[-1]));
        digits += strspn(digits, "0123456789");
        if (is_power && digits[0] == '.' && isdigit((unsigned char)digits[1])) return true;
        digits += digits[0] == '.' ? 1 + strspn(digits + 1, "0123456789") : 0;
    }
    return false;
}

/* "N/m^1.5": a quotient whose divisor, at the end, has such a power. */
typedef struct quotient {
    char dividend[TN_LONGEST_DEFINITION], divisor[TN_LONGEST_DEFINITION];
    double power;
} quotient;

static bool read_quotient(const char *text, quotient *to)
{
    const char *slash = strrchr(text, '/'), *roof = slash ? strchr(slash, '^') : NULL;
    if (!slash || slash == text || !roof) return false;
    const char *divisor = slash + 1 + strspn(slash + 1, " ");
    const size_t before = (size_t)(slash - text), letters = (size_t)(roof - divisor);
    if (divisor >= roof || before >= sizeof to->dividend || letters >= sizeof to->divisor) return false;
    memcpy(to->dividend, text, before);
    memcpy(to->divisor, divisor, letters);
    to->dividend[before] = to->divisor[letters] = '\0';
    for (const char *letter = to->divisor; *letter; letter++)
        if (!isalpha((unsigned char)*letter)) return false;
    char *end = NULL;
    to->power = strtod(roof + 1, &end);
    return to->power > 0.0 && !end[strspn(end, " ")];
}

/* The unit of a text, owned by the caller; NULL when it is none. Takes no memory of ours, whose lack would leave the caller's units behind. */
static ut_unit *parse_unit(const char *text)
{
    char trimmed[TN_LONGEST_DEFINITION];
    if (has_broken_power(text) || strlen(text) >= sizeof trimmed) return NULL;
    strcpy(trimmed, text);
    library->ut_trim(trimmed, UT_UTF8);
    return UNITS_CALL(library->ut_parse(units.system, trimmed, UT_UTF8));
}

/* UDUNITS writes a factor and base units, "1000 kg.s-2", with an offset behind: "1 K @ 273.15". */
bool tn_units_define(const char *text, char *base_units, bool *is_base)
{
    char definition[TN_LONGEST_DEFINITION];
    const tn_known_unit *known = find_known_unit(text);
    if (known) {
        strcpy(base_units, known->base);
        *is_base = known->is_base;
        return true;
    }
    if (!tn_units_load(definition, sizeof definition)) return false;
    ut_unit *unit = parse_unit(text);
    const int length =
        unit ? UNITS_CALL(library->ut_format(unit, definition, sizeof definition, UT_ASCII | UT_DEFINITION))
             : -1;
    library->ut_free(unit);
    if (length < 0 || (size_t)length >= sizeof definition) return false;
    char *base = definition;
    const double factor = strtod(definition, &base);
    char *offset = strstr(base, " @");
    *is_base = !offset && (base == definition || factor == 1.0);
    if (offset) *offset = '\0';
    strcpy(base_units, base + strspn(base, " "));
    return true;
}

/* Goes to the next word of a unit, a run of letters; false at the end of the text. */
static bool next_word(const char **text, size_t *length)
{
    *text += *length;
    while (**text && !isalpha((unsigned char)**text))
        ++*text;
    *length = 0;
    while (isalpha((unsigned char)(*text)[*length]) || (*text)[*length] == '_')
        ++*length;
    return *length > 0;
}

/* Hz, kHz, hertz, kilohertz. */
static bool counts_cycles(const char *unit)
{
    for (size_t length = 0; next_word(&unit, &length);) {
        if (length >= 2 && strncmp(unit + length - 2, "Hz", 2) == 0) return true;
        if (length >= 5 && strncasecmp(unit + length - 5, "hertz", 5) == 0) return true;
    }
    return false;
}

static bool contains_angle(const char *unit)
{
    static const char *const angles[] = {"rad",    "radian",  "radians", "deg",
                                         "degree", "degrees", "rev",     "rpm"};
    for (size_t length = 0; next_word(&unit, &length);)
        for (size_t i = 0; i < sizeof angles / sizeof *angles; i++)
            if (strlen(angles[i]) == length && strncmp(unit, angles[i], length) == 0) return true;
    return false;
}

/* Writes "unit kg does not fit: N/m is expected (why)"; always false. */
static bool refuse_unit(const char *from, const char *to, const char *why, char *error, size_t error_size)
{
    (void)tn_print_cut(error, error_size, "unit %s does not fit: %s is expected%s", *from ? from : "1",
                       *to ? to : "a number without unit", why);
    return false;
}

/* UDUNITS multiplies powers of ten up, which leaves the last digit wrong: 1e9 is meant by 999999999.99999988. */
static double without_rounding_errors(double factor)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.12g", factor);
    const double rounded = strtod(digits, NULL);
    return fabs(rounded - factor) <= 4e-16 * factor ? rounded : factor;
}

/* What a converter does to 0, 1 and 2 tells factors from reciprocals, offsets and logarithms. */
static bool find_factor(const char *from, const char *to, cv_converter *converter, double *factor,
                        char *error, size_t error_size)
{
    const double at_0 = library->cv_convert_double(converter, 0),
                 at_1 = library->cv_convert_double(converter, 1);
    const double at_2 = library->cv_convert_double(converter, 2);
    if (!isfinite(at_0)) return refuse_unit(from, to, ", not its reciprocal", error, error_size);
    if (at_0 < 0 || at_0 > 0) return refuse_unit(from, to, ", without an offset", error, error_size);
    if (!(at_1 > 0) || !isfinite(at_2) || fabs(at_2 - 2 * at_1) > 1e-12 * at_2)
        return refuse_unit(from, to, ", by a pure factor", error, error_size);
    if (counts_cycles(from) && contains_angle(to))
        return refuse_unit(from, to, "; cycles per second are written rev/s", error, error_size);
    *factor = without_rounding_errors(at_1);
    return true;
}

const char *tn_unit_of_number(const char *list, uint32_t k, uint32_t count, tn_arena *arena)
{
    uint32_t entries = 1;
    for (const char *rest = list; (rest = strchr(rest, ';')); rest++)
        entries++;
    if (entries == 1) return list;
    const char *entry = list;
    for (uint32_t skip = k * entries / count; skip > 0; skip--)
        entry = strchr(entry, ';') + 1;
    entry += strspn(entry, " ");
    const size_t length = strcspn(entry, ";");
    return length == 1 && *entry == '1' ? "" : tn_arena_text(arena, entry, length);
}

/* Of quotients with the same power that is no whole number, which UDUNITS does not have. */
static bool find_quotient_factor(const char *from, const char *to, double *factor, char *error,
                                 size_t error_size)
{
    quotient given, wanted;
    double above = 0.0, below = 0.0;
    char unused[64];
    if (!read_quotient(to, &wanted))
        return tn_print_cut(error, error_size, "unknown unit \"%s\" is expected, %s is given", to, from),
               false;
    if (!read_quotient(from, &given) || !(fabs(given.power - wanted.power) <= SAME_POWER) ||
        !tn_unit_factor(given.dividend, wanted.dividend, &above, unused, sizeof unused) ||
        !tn_unit_factor(given.divisor, wanted.divisor, &below, unused, sizeof unused))
        return refuse_unit(from, to, "", error, error_size);
    *factor = above / pow(below, wanted.power);
    return true;
}

bool tn_unit_factor(const char *from, const char *to, double *factor, char *error, size_t error_size)
{
    TN_UNITS_LOCKED;
    if (strcmp(from, to) == 0) {
        *factor = 1;
        return true;
    }
    const known_factor *known = find_known_factor(from, to);
    if (known) {
        *factor = known->factor;
        return true;
    }
    if (strchr(to, ';')) return refuse_unit(from, to, ", one for each number", error, error_size);
    if (has_broken_power(to)) return find_quotient_factor(from, to, factor, error, error_size);
    if (find_factor_of_known(from, to, factor)) return true;
    if (!tn_units_load(error, error_size)) return false;

    bool found = false;
    cv_converter *converter = NULL;
    ut_unit *source = parse_unit(from), *target = parse_unit(to);
    if (!source) {
        (void)tn_print_cut(error, error_size, "unknown unit \"%s\": %s is expected%s", from,
                           *to ? to : "no unit", has_broken_power(from) ? WHOLE_POWERS : "");
    } else if (!target) {
        (void)tn_print_cut(error, error_size, "unknown unit \"%s\" is expected, %s is given", to, from);
    } else if (!(converter = UNITS_CALL(library->ut_get_converter(source, target)))) {
        refuse_unit(from, to, "", error, error_size);
    } else {
        found = find_factor(from, to, converter, factor, error, error_size);
    }
    if (found) remember_factor(from, to, *factor);

    library->cv_free(converter);
    library->ut_free(target);
    library->ut_free(source);
    return found;
}

bool tn_unit_si_factor(const char *from, double *factor, char *error, size_t error_size)
{
    TN_UNITS_LOCKED;
    char base_units[TN_LONGEST_DEFINITION];
    bool unused = false;
    const tn_known_unit *known = find_known_unit(from);
    if (known) {
        *factor = known->factor;
        return true;
    }
    if (!tn_units_load(error, error_size)) return false;
    if (tn_units_define(from, base_units, &unused))
        return tn_unit_factor(from, base_units, factor, error, error_size);
    (void)tn_print_cut(error, error_size, "unknown unit \"%s\"%s", from,
                       has_broken_power(from) ? WHOLE_POWERS : "");
    return false;
}

void tn_units_open(void)
{
    TN_UNITS_LOCKED;
    units.users++;
}

void tn_units_close(void)
{
    TN_UNITS_LOCKED;
    if (units.users) units.users--;
    if (units.users) return;
    tn_dimensions_free();
    if (units.system) library->ut_free_system(units.system);
    memset(&units, 0, sizeof units);
}
