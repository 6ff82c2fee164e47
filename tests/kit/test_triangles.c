/* test_triangles.c - surfaces of simple shapes are closed and oriented outwards, with the right volumes and lengths */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tenon/kit/triangles.h>

static void corners_of(const tn_triangles *of, size_t triangle, double corner[3][3])
{
    for (size_t k = 0; k < 3; k++)
        for (size_t d = 0; d < 3; d++)
            corner[k][d] = (double)of->point[3 * (size_t)of->corner[3 * triangle + k] + d];
}

/* The volume by the divergence theorem: positive where corners are counterclockwise seen from outside. */
static double volume(const tn_triangles *of)
{
    double sum = 0.0;
    for (size_t i = 0; i < of->triangles; i++) {
        double c[3][3];
        corners_of(of, i, c);
        sum += c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) -
               c[0][1] * (c[1][0] * c[2][2] - c[1][2] * c[2][0]) +
               c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]);
    }
    return sum / 6.0;
}

/* Every side of a triangle is also that of another one in reverse order, by positions, as points at edges are not shared. */
static void expect_closed(const tn_triangles *of)
{
    double sum[3] = {0.0, 0.0, 0.0}, square[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < of->triangles; i++)
        for (size_t k = 0; k < 3; k++) {
            double c[3][3];
            corners_of(of, i, c);
            for (size_t d = 0; d < 3; d++) {
                const double side = c[(k + 1) % 3][d] - c[k][d];
                const double middle = c[(k + 1) % 3][(d + 1) % 3] + c[k][(d + 1) % 3];
                sum[d] += side * middle * (1.0 + middle * middle); /* odd in the direction of the side */
                square[d] += fabs(side * middle * (1.0 + middle * middle));
            }
        }
    for (size_t d = 0; d < 3; d++)
        assert_true(fabs(sum[d]) <= 1e-5 * square[d]);
}

/* Normals of corners have length 1, and a scalar product of at least `cosine` with that of the triangle; no triangle has area 0. */
static void expect_normals(const tn_triangles *of, double cosine)
{
    for (size_t i = 0; i < of->triangles; i++) {
        double c[3][3], u[3], v[3], n[3], length = 0.0;
        corners_of(of, i, c);
        for (size_t d = 0; d < 3; d++) {
            u[d] = c[1][d] - c[0][d];
            v[d] = c[2][d] - c[0][d];
        }
        for (size_t d = 0; d < 3; d++) {
            n[d] = u[(d + 1) % 3] * v[(d + 2) % 3] - u[(d + 2) % 3] * v[(d + 1) % 3];
            length += n[d] * n[d];
        }
        assert_true(length > 0.0);
        for (size_t k = 0; k < 3; k++) {
            const float *own = of->normal + 3 * (size_t)of->corner[3 * i + k];
            double dot = 0.0, one = 0.0;
            for (size_t d = 0; d < 3; d++) {
                dot += (double)own[d] * n[d] / sqrt(length);
                one += (double)own[d] * (double)own[d];
            }
            assert_true(fabs(one - 1.0) < 1e-5);
            if (dot <= cosine) fail_msg("triangle %zu of %zu, corner %zu: %g", i, of->triangles, k, dot);
        }
    }
}

static void expect(tn_triangles *of, double wanted, double within, double cosine)
{
    assert_false(of->lacks_memory);
    expect_closed(of);
    expect_normals(of, cosine);
    if (fabs(volume(of) - wanted) > within * wanted) fail_msg("volume %g in place of %g", volume(of), wanted);
    tn_triangles_free(of);
}

static void test_volumes(void **state)
{
    (void)state;
    tn_triangles of = {0};
    assert_true(tn_add_box(&of, (const double[]){1.0, 2.0, 3.0}));
    expect(&of, 6.0, 1e-6, 0.999);
    assert_true(tn_add_sphere(&of, 0.5, 128));
    expect(&of, TN_PI / 6.0, 2e-3, 0.99);
    assert_true(tn_add_cylinder(&of, 0.5, 2.0, 128));
    expect(&of, TN_PI / 2.0, 1e-3, 0.99);
    assert_true(tn_add_capsule(&of, 0.5, 2.0, 128));
    expect(&of, TN_PI / 6.0 + TN_PI / 2.0, 2e-3, 0.99);
    assert_true(tn_add_sleeve(&of, 0.3, 0.5, 2.0, 128));
    expect(&of, TN_PI * 0.32, 1e-3, 0.99);
    assert_true(tn_add_ring(&of, 1.0, 0.1, 128));
    expect(&of, 2.0 * TN_PI * TN_PI * 0.01, 0.11, 0.9); /* eight sides */
    /* the wire has six sides, and is as long as the helix */
    assert_true(tn_add_coil(&of, 0.5, 0.02, 5.0, 1.0, 64));
    const double length = hypot(2.0 * TN_PI * 5.0 * 0.5, 1.0), section = 1.5 * sqrt(3.0) * 0.02 * 0.02;
    expect(&of, length * section, 0.01, 0.8);
}

static void test_extents(void **state)
{
    (void)state;
    tn_triangles of = {0};
    float low = 0.0f, high = 0.0f;
    assert_true(tn_add_capsule(&of, 0.25, 1.5, 12));
    for (size_t k = 0; k < of.points; k++) {
        low = fminf(low, of.point[3 * k + 2]);
        high = fmaxf(high, of.point[3 * k + 2]);
    }
    assert_true(low == -1.0f && high == 1.0f);
    tn_triangles_free(&of);
    assert_true(tn_add_rectangle(&of, 2.0, 4.0));
    assert_int_equal(of.triangles, 2);
    expect_normals(&of, 0.999);
    assert_true(of.normal[2] == 1.0f && fabsf(of.point[0]) == 1.0f && fabsf(of.point[1]) == 2.0f);
    tn_triangles_free(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_volumes), cmocka_unit_test(test_extents)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
