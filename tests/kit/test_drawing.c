/* test_drawing.c - boxes of bodies have their inertia */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tenon/kit/drawing.h>

static const double mass = 3.0;

/* Inertia of the homogeneous box in rotated axes. */
static void inertia_of_box(const double *edge, const double *R, double J[3][3])
{
    double principal[3];
    for (int k = 0; k < 3; k++) {
        const double a = edge[(k + 1) % 3], b = edge[(k + 2) % 3];
        principal[k] = mass / 12.0 * (a * a + b * b);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            J[i][j] = 0.0;
            for (int k = 0; k < 3; k++)
                J[i][j] += R[3 * i + k] * principal[k] * R[3 * j + k];
        }
}

static void expect_inertia(const double *inertia)
{
    double edge[3], R[9], J[3][3];
    tn_box_of_inertia(mass, inertia, edge, R);
    inertia_of_box(edge, R, J);
    const double found[6] = {J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2]};
    for (int k = 0; k < 6; k++)
        assert_true(fabs(found[k] - inertia[k]) < 1e-13 * (inertia[0] + inertia[1] + inertia[2]));
    const double determinant = R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) +
                               R[2] * (R[3] * R[7] - R[4] * R[6]);
    assert_true(fabs(determinant - 1.0) < 1e-13); /* turned, not mirrored */
}

static void the_box_has_the_inertia_of_the_body(void **state)
{
    (void)state;
    expect_inertia((const double[6]){1.0, 1.0, 1.0, 0.0, 0.0, 0.0});
    expect_inertia((const double[6]){2.0, 3.0, 4.0, 0.0, 0.0, 0.0});
    expect_inertia((const double[6]){2.0, 3.0, 4.0, 0.5, -0.3, 0.2});
    expect_inertia((const double[6]){2.0, 2.0, 3.0, 0.9, 0.0, 0.0});
    expect_inertia((const double[6]){1e-6, 1.0, 1.0, 0.0, 0.0, 1e-8}); /* a thin rod */
}

static void a_disc_without_thickness_is_flat(void **state)
{
    (void)state;
    double edge[3], R[9];
    tn_box_of_inertia(mass, (const double[6]){1.0, 1.0, 2.0, 0.0, 0.0, 0.0}, edge, R);
    assert_true(edge[0] == 2.0 && edge[1] == 2.0 && edge[2] == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_box_has_the_inertia_of_the_body),
                                       cmocka_unit_test(a_disc_without_thickness_is_flat)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
