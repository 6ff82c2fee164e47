/* known_units.c - a program of the build: writes the table of units that are known without the database of UDUNITS, as C
 * usage: tenon-known-units FILE
 *
 * The database takes 3 ms to be read, more than the rest of a short run. What models mostly use is asked for here, once, by the
 * functions that runs would ask. Texts that are no pure factor, or no unit of this UDUNITS, are left out. */
#include "base/memory.h"

#include "units/units.h"
#include "units/units_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Empty here, where all is asked of UDUNITS. */
const tn_known_unit tn_known_units[1];
const size_t tn_known_unit_count;

/* Words apart by ';'; a family is each of `first` followed by each of `second`. */
static const struct {
    const char *first, *second;
} families[] = {
    {"m;dm;cm;mm;um;nm;km;in;ft;yd;mi", ";^2;^3;2;3"},
    {"m;dm;cm;mm;um;km;in;ft", "/s;/ms;/min;/h;/s^2;/s2; s^-1; s^-2"},
    {"s;ms;us;ns;min;h;day;Hz;kHz;MHz;GHz", ""},
    {"1", "/s;/ms;/min;/s^2;/m;/mm;/rad;/deg;/K"},
    {"rad;mrad;deg;rev;degree;radian", ";/s;/ms;/min;/s^2;/m;/mm"},
    {"rpm;%;1;mol;cd;sr;K;K/W;W/K;J/K;J/(kg K);W/(m K)", ""},
    {"kg;g;mg;t;lb", ";/m;/mm;/m^2;/m^3;/s; m; mm; m^2; m2; mm^2; mm2; cm^2; cm2; m/s; m^2/s; mm/s"},
    {"kg;g;t", "/mm^3;/cm^3;/dm^3;/l;/m3;/cm3;/mm2;/mm^2"},
    {"N;mN;uN;kN;MN;GN;lbf;kgf",
     ";/m;/cm;/mm;/um;/m^2;/mm^2;/m^3;/kg; s; s/m; s/mm; s/cm; s^2/m; s^2/m^2; s^2/mm"},
    {"N m;N cm;N mm;mN m;kN m;kN mm;MN m;Nm;kNm;mNm;MNm;N*m;kN*m",
     ";/rad;/deg;/rev; s; s/rad; s/deg;/(rad s);/(rad/s);/A; s^2/rad^2"},
    {"N m^2;N mm^2;kN m^2;N m2;N mm2;lbf/in;lbf s/in;lbf in;lbf ft", ""},
    {"Pa;hPa;kPa;MPa;GPa;bar;mbar;atm;psi", "; s"},
    {"J;mJ;kJ;MJ;W;mW;kW;MW;W h;kW h;eV", ";/kg;/m;/s"},
    {"V;mV;kV;A;mA;kA;C;T;mT;Wb;F;uF;nF;pF;H;mH;uH;ohm;mohm;kohm;S", ""},
    {"V", " s;/m; s/rad;/(rad/s);/A"},
    {"m/N;mm/N;mm/kN;m^2/s^2;m^2/s;mm^2/s;m^3/s;l;l/s;l/min;s rad;s/m;s^2/m;rad/(N m);Pa s/m^3;Pa/(m^3/s)",
     ""},
};
enum { FAMILIES = sizeof families / sizeof *families, MOST = 2000 };

static struct {
    tn_known_unit unit[MOST];
    size_t count;
} found;

/* A unit that has a place in the table and a pure factor to SI. */
static void add_unit(const char *text)
{
    tn_known_unit unit = {0};
    char definition[TN_LONGEST_DEFINITION], error[256];
    if (found.count == MOST || strlen(text) >= sizeof unit.text) return;
    if (!tn_unit_si_factor(text, &unit.factor, error, sizeof error)) return;
    if (!tn_units_define(text, definition, &unit.is_base) || strlen(definition) >= sizeof unit.base) return;
    strcpy(unit.text, text);
    strcpy(unit.base, definition);
    found.unit[found.count++] = unit;
}

/* The next word of a list; NULL behind the last one. */
static const char *read_word(const char *list, char *word, size_t size)
{
    const size_t length = strcspn(list, ";");
    snprintf(word, size, "%.*s", (int)length, list);
    return list[length] ? list + length + 1 : NULL;
}

static void add_families(void)
{
    char first[32], second[32], text[80];
    for (size_t k = 0; k < FAMILIES; k++)
        for (const char *a = families[k].first; a;) {
            a = read_word(a, first, sizeof first);
            for (const char *b = families[k].second; b;) {
                b = read_word(b, second, sizeof second);
                snprintf(text, sizeof text, "%s%s", first, second);
                add_unit(text);
            }
        }
    add_unit("");
}

static int compare_units(const void *a, const void *b)
{
    return strcmp(((const tn_known_unit *)a)->text, ((const tn_known_unit *)b)->text);
}

static void print_table(FILE *file)
{
    size_t count = 0;
    (void)fprintf(file, "/* made by kernel/language/units/generate from the database of UDUNITS */\n"
                        "#include \"units/units_internal.h\"\n\nconst tn_known_unit tn_known_units[] = {\n");
    for (size_t k = 0; k < found.count; k++) {
        const tn_known_unit *unit = &found.unit[k];
        if (k && strcmp(unit[-1].text, unit->text) == 0) continue;
        (void)fprintf(file, "    {\"%s\", \"%s\", %s, %a},\n", unit->text, unit->base,
                      unit->is_base ? "true" : "false", unit->factor);
        count++;
    }
    (void)fprintf(file, "};\nconst size_t tn_known_unit_count = %zu;\n", count);
}

static bool write_table(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) return false;
    print_table(file);
    const bool good = !ferror(file);
    return fclose(file) == 0 && good;
}

int main(int argc, char **argv)
{
    static tn_memory memory;
    const bool asked = argc == 2 && tn_attempt(&memory, add_families());
    qsort(found.unit, found.count, sizeof *found.unit, compare_units);
    const bool written = asked && found.count && write_table(argv[1]);
    if (!written)
        (void)fprintf(stderr, "the table of units cannot be made: %s\n",
                      argc != 2      ? "usage: tenon-known-units FILE"
                      : !asked       ? memory.lack
                      : !found.count ? "the database of UDUNITS cannot be read"
                                     : strerror(errno));
    if (!written && argc == 2) (void)remove(argv[1]);
    tn_units_close();
    tn_memory_release(&memory);
    return written ? EXIT_SUCCESS : EXIT_FAILURE;
}
