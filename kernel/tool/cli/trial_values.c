/* trial_values.c - values for the parameters of a type that is tried (see trial_values.h) */
#include "cli/trial_values.h"

#include "config/standard.h"

#include <tenon/plugin.h>

#include <math.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------------------- */

/* Number k of those of a parameter, growing with k: near its default, where that says something; else inside its range and off
 * its ends, where an open range begins at 1. */
static double number_in_range(const tn_parameter *p, unsigned k)
{
    const double share = (k + 1.0) / (k + 2.0), near = p->standard * (1.0 + 0.125 * (k + 1.0));
    const bool has_standard = !(p->flags & TN_REQUIRED) && isfinite(p->standard) && p->standard != 0.0;
    if (has_standard) return near > p->low && near < p->high ? near : p->standard;
    if (isfinite(p->low) && isfinite(p->high)) return p->low + (p->high - p->low) * 0.75 * share;
    if (isfinite(p->low)) return p->low + 1.0 + 0.25 * k;
    return isfinite(p->high) ? p->high - 1.0 - 1.0 / (k + 1.0) : 1.0 + 0.25 * k;
}

static double whole_number(const tn_parameter *p)
{
    const double low = isfinite(p->low) ? ceil(p->low) : -HUGE_VAL, one = fmax(1.0, low);
    return one <= p->high ? one : floor(p->high);
}

/* The principal values come first: those of a body are no larger than the sum of the others. */
static double entry_of_array(const tn_parameter *p, unsigned k)
{
    return !(p->flags & TN_SYMMETRIC) ? number_in_range(p, k) : k < 3 ? 1.0 + 0.1 * k : 0.0;
}

static void write_real(FILE *to, const tn_parameter *p, unsigned k, const char *motion)
{
    if (motion && p->flags & TN_DYNAMIC)
        (void)fprintf(to, "\"%.17g*(1 + 0.01*SIN(time)%s)\"", entry_of_array(p, k), motion);
    else
        (void)fprintf(to, "%.17g", entry_of_array(p, k));
}

/* Between the values of an array, of which a single one needs no brackets. */
static const char *array_separator(const tn_parameter *p, unsigned k)
{
    return k ? ", " : p->count != 1 ? "[" : "";
}

static const char *array_end(const tn_parameter *p) { return p->count != 1 ? "]" : ""; }

static void write_reals(FILE *to, const tn_parameter *p, const char *motion)
{
    for (unsigned k = 0; k < p->count; k++) {
        (void)fputs(array_separator(p, k), to);
        write_real(to, p, k, motion);
    }
    (void)fputs(array_end(p), to);
}

static void write_list(FILE *to, const tn_parameter *p, unsigned length)
{
    for (unsigned k = 0; k < length; k++)
        (void)fprintf(to, "%s%.17g", k ? ", " : "[", number_in_range(p, k));
    (void)fputs(length ? "]" : "[]", to);
}

/* ---- words ----------------------------------------------------------------------------------------------- */

static void write_booleans(FILE *to, const tn_parameter *p)
{
    for (unsigned k = 0; k < p->count; k++)
        (void)fprintf(to, "%s%s", array_separator(p, k), k % 2 ? "false" : "true");
    (void)fputs(array_end(p), to);
}

static void write_first_choice(FILE *to, const tn_parameter *p)
{
    (void)fprintf(to, "\"%.*s\"", (int)strcspn(p->detail, "|"), p->detail);
}

/* The sum of its arguments, "name [unit], ...", each with a factor of its own. */
static void write_callable(FILE *to, const tn_parameter *p)
{
    double factor = 1.0;
    (void)fputs("\"1", to);
    for (const char *at = p->detail; at && *at; at += strcspn(at, ","), at += *at == ',') {
        at += strspn(at, " ");
        (void)fprintf(to, " + %g*%.*s", factor, (int)strcspn(at, " ,["), at);
        factor *= 0.5;
    }
    (void)fputc('"', to);
}

/* Where a text names a type it is a linear solver: solvers have such parameters. Others may be expressions. */
static void write_string(FILE *to, const tn_parameter *p)
{
    const bool linear = p->detail && !strcmp(p->detail, TN_LINEAR_KIND);
    (void)fprintf(to, "\"%s\"", linear ? TN_STANDARD_LINEAR : "time");
}

/* ---- all kinds ------------------------------------------------------------------------------------------- */

static void write_value(FILE *to, const tn_parameter *p, const tn_trial_values *how)
{
    switch ((tn_parameter_kind)p->kind) {
    case TN_KIND_REAL:
        write_reals(to, p, how->motion);
        break;
    case TN_KIND_ROTATION:
        (void)fputs("{ axis = [1, 2, 3], angle = 0.25 }", to);
        break;
    case TN_KIND_INTEGER:
        (void)fprintf(to, "%.0f", whole_number(p));
        break;
    case TN_KIND_BOOLEAN:
        write_booleans(to, p);
        break;
    case TN_KIND_CHOICE:
        write_first_choice(to, p);
        break;
    case TN_KIND_CALLABLE:
        write_callable(to, p);
        break;
    case TN_KIND_LIST:
        write_list(to, p, how->length);
        break;
    case TN_KIND_TEXTS:
        (void)fputs("[\"text\"]", to);
        break;
    default: /* files are left out before */
        write_string(to, p);
    }
}

/* Of what need not be given a text means something that nobody else knows, and a choice may need more. */
static bool is_written(const tn_parameter *p, const tn_trial_values *how)
{
    const bool has_numbers = p->kind == TN_KIND_REAL || p->kind == TN_KIND_ROTATION;
    const bool may_be_given = has_numbers || p->kind == TN_KIND_CALLABLE || p->kind == TN_KIND_LIST;
    if (p->flags & TN_REQUIRED || (how->motion && p->flags & TN_DYNAMIC)) return true;
    return may_be_given && (how->all || (how->most && has_numbers && !(p->flags & TN_OPTIONAL)));
}

void tn_trial_write_values(FILE *to, const tn_parameter *table, const tn_trial_values *how,
                           const char *before, const char *behind)
{
    for (const tn_parameter *p = table; p && p->name; p++) {
        if (!is_written(p, how)) continue;
        (void)fprintf(to, "%s%s = ", before, p->name);
        write_value(to, p, how);
        (void)fputs(behind, to);
    }
}

bool tn_trial_can_change(const tn_parameter *p)
{
    return p->flags & TN_CHANGEABLE &&
           (p->kind == TN_KIND_ROTATION || (p->kind == TN_KIND_REAL && !(p->flags & TN_SYMMETRIC)));
}

void tn_trial_write_other(FILE *to, const tn_parameter *p)
{
    if (p->kind == TN_KIND_ROTATION) {
        (void)fputs("{ axis = [3, 2, 1], angle = 0.5 }", to);
        return;
    }
    for (unsigned k = 0; k < p->count; k++)
        (void)fprintf(to, "%s%.17g", array_separator(p, k), number_in_range(p, k + 1));
    (void)fputs(array_end(p), to);
}

const char *tn_trial_missing(const tn_parameter *table)
{
    for (const tn_parameter *p = table; p && p->name; p++)
        if (p->kind == TN_KIND_FILE && p->flags & TN_REQUIRED) return p->name;
    return NULL;
}
