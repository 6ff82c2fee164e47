/* differences.c - derivatives by extrapolated central differences (Ridders, Adv. Eng. Softw. 4 (1982) 75) */
#include "harness.h"

enum { LEVELS = 8 };
static const double first_step = 0.04; /* lengths and angles of the checks are of the order 1 */

/* Extrapolates the differences of one function with steps halved from level to level; keeps the entry of
 * the tableau whose neighbours agree best. */
static void extrapolate(const double *difference, size_t distance, double *derivative, double *error)
{
    double above[LEVELS] = {0.0}, row[LEVELS];
    *derivative = (double)NAN;
    *error = HUGE_VAL;
    for (int level = 0; level < LEVELS; level++) {
        double factor = 1.0;
        row[0] = difference[(size_t)level * distance];
        for (int order = 1; order <= level; order++) {
            factor *= 4.0;
            row[order] = row[order - 1] + (row[order - 1] - above[order - 1]) / (factor - 1.0);
            const double change =
                fmax(fabs(row[order] - row[order - 1]), fabs(row[order] - above[order - 1]));
            if (change < *error && isfinite(row[order])) {
                *error = change;
                *derivative = row[order];
            }
        }
        for (int order = 0; order <= level; order++)
            above[order] = row[order];
    }
}

void tn_differentiate(tn_trial *trial, tn_sample_function sample, const void *data, size_t count,
                      double *derivative, double *error)
{
    struct tn_block *mark = tn_mark(trial);
    double *difference = tn_take(trial, LEVELS * count * sizeof(double));
    double *below = tn_take(trial, count * sizeof(double));
    double step = first_step;
    for (size_t level = 0; level < LEVELS; level++, step *= 0.5) {
        double *above = difference + level * count;
        sample(data, step, above);
        sample(data, -step, below);
        for (size_t i = 0; i < count; i++)
            above[i] = (above[i] - below[i]) / (2.0 * step);
    }
    for (size_t i = 0; i < count; i++)
        extrapolate(difference + i, count, &derivative[i], &error[i]);
    tn_release(trial, mark);
}

bool tn_agrees(tn_comparison *comparison, double exact, double derivative, double error, double scale)
{
    const double allowed = TN_TANGENT_TOLERANCE * (scale > 0.0 ? scale : 1.0);
    comparison->entries++;
    if (fabs(exact - derivative) <= allowed) return true;
    const bool undecided = isfinite(exact) && !(error <= 0.25 * allowed);
    comparison->undecided += undecided;
    return undecided;
}

void tn_conclude(tn_trial *trial, const tn_comparison *comparison)
{
    if (comparison->undecided * 100 > comparison->entries)
        tn_fail(trial, "differences do not converge for %zu of %zu entries", comparison->undecided,
                comparison->entries);
}
