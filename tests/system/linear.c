/* linear.c - models for tests of `linearise` (see linear.h) */
#include "linear.h"

#include <math.h>

const char *tn_linearise(const char *model)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", tn_write("linear.toml", model), "--out", results));
    if (outcome.status != 0) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    return results;
}

const char *tn_linearise_refused(const char *model)
{
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("linear.toml", model), "--out", tn_scratch_path(NULL)));
    if (outcome.status == 0) fail_msg("it is not refused: %s", outcome.errors);
    return outcome.errors;
}

void tn_check_matrix(const tn_npz_matrix *found, size_t rows, size_t columns, const double *expected,
                     double tolerance)
{
    assert_int_equal(found->rows, rows);
    assert_int_equal(found->columns, columns);
    for (size_t k = 0; k < rows * columns; k++)
        if (!(fabs(found->value[k] - expected[k]) <= tolerance * (1.0 + fabs(expected[k]))))
            fail_msg("entry %zu, %zu is %.17g, not %.17g", k / columns, k % columns, found->value[k],
                     expected[k]);
}

/* ---- a pole on a cart ---- */

const double tn_upright[3] = {0.0, 0.0, 1.0};

const char *tn_cart_pole(const double axis[3], double angle, const char *solver)
{
    const double c = cos(angle), s = sin(angle), k = 1.0 - c, *a = axis;
    const double z[3] = {k * a[0] * a[2] + s * a[1], k * a[1] * a[2] - s * a[0], k * a[2] * a[2] + c};
    const char *turn = tn_format("rotation = { axis = [%.17g, %.17g, %.17g], angle = '%.17g [rad]' }",
                                 axis[0], axis[1], axis[2], angle);
    return tn_format(
        "[model]\ngravity = [%.17g, %.17g, %.17g]\n"
        "[[input]]\nname = 'push'\nunit = 'N'\nvalue = 0\n"
        "[[element]]\nname = 'cart'\ntype = 'rigid_body'\nmass = 1.5\ninertia = [0.1, 0.2, 0.3]\n%s\n"
        "[[element]]\nname = 'pole'\ntype = 'rigid_body'\nmass = 0.3\ninertia = [0.021, 0.02, 0.005]\n"
        "position = [%.17g, %.17g, %.17g]\n%s\n"
        "[[element]]\nname = 'rail'\ntype = 'prismatic'\nmarkers = [{ element = 'ground', %s }, 'cart']\n"
        "[[element]]\nname = 'hinge'\ntype = 'revolute'\nmarkers = ["
        "{ element = 'cart', rotation = { axis = [1, 0, 0], angle = '90 [deg]' } },"
        "{ element = 'pole', position = [0, 0, -0.5], rotation = { axis = [1, 0, 0], angle = '90 [deg]' } "
        "}]\n"
        "[[element]]\nname = 'motor'\ntype = 'coordinate_force'\nmarkers = 'rail'\n"
        "value = 'push - 0.4*RATE(rail)'\n"
        "[[marker]]\nname = 'tip'\ntype = 'frame'\nelement = 'pole'\nposition = [0, 0, 0.5]\n"
        "[[marker]]\nname = 'foot'\ntype = 'frame'\nelement = 'ground'\n%s\n"
        "[[sensor]]\nname = 'x'\nexpression = 'COORD(rail)'\n"
        "[[sensor]]\nname = 'rate'\nelement = 'hinge'\noutput = 'angle_rate'\n"
        "[[sensor]]\nname = 'acceleration'\nexpression = 'ACCX(tip, foot, foot)'\n"
        "[[sensor]]\nname = 'reaction'\nexpression = 'JOINT(hinge, 0, 2, foot)'\n"
        "[[sensor]]\nname = 'drive'\nexpression = 'SFORCE(motor, 0, 1)**2'\n%s",
        -GRAVITY * z[0], -GRAVITY * z[1], -GRAVITY * z[2], turn, POLE_LENGTH * z[0], POLE_LENGTH * z[1],
        POLE_LENGTH * z[2], turn, turn, turn, solver);
}

/* ---- transfer functions ---- */

tn_form tn_form_read(const char *results, bool descriptor)
{
    const char *p = descriptor ? "descriptor_" : "";
    return (tn_form){.has_E = descriptor,
                     .E = descriptor ? tn_npz_read(results, "descriptor_E") : (tn_npz_matrix){0},
                     .A = tn_npz_read(results, tn_format("%sA", p)),
                     .B = tn_npz_read(results, tn_format("%sB", p)),
                     .C = tn_npz_read(results, tn_format("%sC", p)),
                     .D = tn_npz_read(results, tn_format("%sD", p))};
}

double complex tn_complex(double real, double imaginary)
{
    double complex z;
    memcpy(&z, (double[2]){real, imaginary}, sizeof z);
    return z;
}

/* s E - A, with a right-hand side behind it, eliminated; the smallest pivot over the largest. */
static double eliminate(size_t n, double complex (*m)[TN_MOST_STATES + 1])
{
    double least = HUGE_VAL, most = 0.0;
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t r = k + 1; r < n; r++)
            if (cabs(m[r][k]) > cabs(m[best][k])) best = r;
        for (size_t c = 0; c <= n; c++) {
            const double complex x = m[k][c];
            m[k][c] = m[best][c];
            m[best][c] = x;
        }
        least = fmin(least, cabs(m[k][k]));
        most = fmax(most, cabs(m[k][k]));
        for (size_t r = 0; r < n; r++) {
            const double complex f = r == k ? 0.0 : m[r][k] / m[k][k];
            for (size_t c = k; c <= n && f != 0.0; c++)
                m[r][c] -= f * m[k][c];
        }
    }
    return least / most;
}

double tn_form_eliminate(const tn_form *f, double complex s, size_t input,
                         double complex (*m)[TN_MOST_STATES + 1])
{
    const size_t n = f->A.rows;
    assert_true(n <= TN_MOST_STATES);
    for (size_t r = 0; r < n; r++) {
        for (size_t c = 0; c < n; c++)
            m[r][c] = s * (f->has_E ? tn_npz_at(&f->E, r, c) : (double)(r == c)) - tn_npz_at(&f->A, r, c);
        m[r][n] = f->B.columns ? tn_npz_at(&f->B, r, input) : 0.0;
    }
    return eliminate(n, m);
}

static double complex transfer(const tn_form *f, double complex s, size_t output, size_t input)
{
    static double complex m[TN_MOST_STATES][TN_MOST_STATES + 1];
    const size_t n = f->A.rows;
    double complex y = tn_npz_at(&f->D, output, input);
    (void)tn_form_eliminate(f, s, input, m);
    for (size_t k = 0; k < n; k++)
        y += tn_npz_at(&f->C, output, k) * m[k][n] / m[k][k];
    return y;
}

void tn_check_transfer(const tn_form *a, const tn_form *b, double tolerance)
{
    assert_int_equal(a->D.rows, b->D.rows);
    assert_int_equal(a->D.columns, b->D.columns);
    for (int k = 0; k < 10; k++) {
        const double complex s = tn_complex(0.0, 0.3 * pow(1.7, k));
        for (size_t o = 0; o < a->D.rows; o++)
            for (size_t i = 0; i < a->D.columns; i++) {
                const double complex x = transfer(a, s, o, i), y = transfer(b, s, o, i);
                if (!(cabs(x - y) <= tolerance * (1e-3 + cabs(x))))
                    fail_msg("output %zu at %g rad/s: %.15g%+.15gi, not %.15g%+.15gi", o, cimag(s), creal(y),
                             cimag(y), creal(x), cimag(x));
            }
    }
}
