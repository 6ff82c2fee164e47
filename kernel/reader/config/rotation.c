/* rotation.c - the ways to write a rotation: matrix, quaternion, axis and angle, Euler angles */
#include "config/fill.h"

#include <math.h>
#include <string.h>

#define UNIT_QUATERNION 1e-3 /* how far from 1 its length may be without a warning, */
#define SHORT_AXIS 0.1       /* and the lengths of axes that people write, such as [1, 1, 0] */
#define LONG_AXIS 10.0

void tn_rotation_multiply(const double A[9], const double B[9], double *C)
{
    double product[9];
    for (int i = 0; i < 9; i++)
        product[i] =
            A[3 * (i / 3)] * B[i % 3] + A[3 * (i / 3) + 1] * B[3 + i % 3] + A[3 * (i / 3) + 2] * B[6 + i % 3];
    memcpy(C, product, sizeof product);
}

/* R = I + sin a [n] + (1 - cos a) [n]^2, n of length 1. */
static void axis_angle(const double n[3], double angle, double *R)
{
    const double s = sin(angle), c = cos(angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[3 * i + j] = (1.0 - c) * n[i] * n[j] + (i == j ? c : 0.0);
    R[1] -= s * n[2], R[2] += s * n[1], R[3] += s * n[2];
    R[5] -= s * n[0], R[6] -= s * n[1], R[7] += s * n[0];
}

static bool read_array(tn_source *source, const tn_toml *node, const char *unit, size_t count, double *value)
{
    double scale = 1.0;
    if (!tn_vector_open(source, &node, &unit, &scale)) return false;
    if (node->kind != TN_TOML_ARRAY || node->count != count)
        return tn_value_error(source, node, "an array of %zu numbers is expected", count);
    bool good = true;
    for (size_t k = 0; k < count; k++) {
        if (tn_number_read(source, node->child[k], unit, &value[k]))
            value[k] *= scale;
        else
            good = false;
    }
    return good;
}

static bool normalise_vector(tn_source *source, const tn_toml *node, size_t count, double *value)
{
    /* by the largest number first: squares of very large or small ones cannot be had */
    double largest = 0.0, square = 0.0;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, fabs(value[k]));
    if (!(largest > 0.0)) return tn_value_error(source, node, "a vector of length zero has no direction");
    for (size_t k = 0; k < count; k++)
        square += value[k] / largest * (value[k] / largest);
    for (size_t k = 0; k < count; k++)
        value[k] = value[k] / largest / sqrt(square);
    const double length = largest * sqrt(square);
    if (count == 4 ? fabs(length - 1.0) > UNIT_QUATERNION : length < SHORT_AXIS || length > LONG_AXIS)
        tn_value_warning(source, node, "%s of length %.6g is normalised: is this intended?",
                         count == 4 ? "a quaternion" : "an axis", length);
    return true;
}

/* A 3x3 array of rows, at most 1e-6 from orthonormal and right-handed; the rest is taken off. */
static bool read_rotation_matrix(tn_source *source, const tn_toml *node, double *R)
{
    if (node->count != 3)
        return tn_value_error(source, node, "a rotation matrix has three rows of three numbers");
    bool good = true;
    for (size_t i = 0; i < 3; i++)
        good = read_array(source, node->child[i], "", 3, R + 3 * i) && good;
    if (!good) return false;

    double worst = 0.0;
    for (int i = 0; i < 9; i++) {
        double dot = 0.0;
        for (int k = 0; k < 3; k++)
            dot += R[3 * (i / 3) + k] * R[3 * (i % 3) + k];
        worst = fmax(worst, fabs(dot - (i / 3 == i % 3 ? 1.0 : 0.0)));
    }
    const double determinant = R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) +
                               R[2] * (R[3] * R[7] - R[4] * R[6]);
    if (!(worst <= 1e-6))
        return tn_value_error(source, node,
                              "the matrix is not a rotation: it deviates from orthonormal by %.3g", worst);
    if (determinant < 0.0)
        return tn_value_error(source, node,
                              "the matrix is a reflection, not a rotation: its determinant is -1");
    /* two steps of R (3 I - R^T R) / 2 leave nothing of an error of 1e-6 */
    for (int step = 0; step < 2; step++) {
        double transposed[9], square[9];
        for (int i = 0; i < 9; i++)
            transposed[i] = R[3 * (i % 3) + i / 3];
        tn_rotation_multiply(transposed, R, square);
        for (int i = 0; i < 9; i++)
            square[i] = (i % 4 == 0 ? 1.5 : 0.0) - 0.5 * square[i];
        tn_rotation_multiply(R, square, R);
    }
    return true;
}

static bool read_quaternion(tn_source *source, const tn_toml *node, double *R)
{
    double p[4];
    if (!read_array(source, node, "", 4, p) || !normalise_vector(source, node, 4, p)) return false;
    const double w = p[0], x = p[1], y = p[2], z = p[3];
    const double matrix[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                              2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                              2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, matrix, sizeof matrix);
    return true;
}

static bool read_axis(tn_source *source, const tn_toml *axis, const tn_toml *angle, double *R)
{
    double n[3], a = 0.0;
    const bool direction = read_array(source, axis, "", 3, n) && normalise_vector(source, axis, 3, n);
    if (!tn_number_read(source, angle, "rad", &a) || !direction) return false;
    axis_angle(n, a, R);
    return true;
}

/* Any three of x y z: lower case turns about the axes of the body, upper case about those of space. */
static bool read_euler(tn_source *source, const tn_toml *letters, const tn_toml *angles, double *R)
{
    double angle[3];
    const char *const word = letters->kind == TN_TOML_STRING ? letters->text : "";
    const bool body = strspn(word, "xyz") == 3, space = strspn(word, "XYZ") == 3;
    if (strlen(word) != 3 || (!body && !space))
        return tn_value_error(
            source, letters,
            "three letters are expected, of xyz (about the body's axes) or XYZ (about those of space)");
    if (!read_array(source, angles, "rad", 3, angle)) return false;
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(R, identity, sizeof identity);
    for (int k = 0; k < 3; k++) {
        double turn[9];
        const int axis = word[k] - (body ? 'x' : 'X');
        axis_angle((double[]){axis == 0, axis == 1, axis == 2}, angle[k], turn);
        if (body)
            tn_rotation_multiply(R, turn, R);
        else
            tn_rotation_multiply(turn, R, R);
    }
    return true;
}

bool tn_rotation_read(tn_source *source, const tn_toml *node, double *R)
{
    static const char *const words[] = {"quaternion", "axis", "angle", "euler", "angles", NULL};
    if (node->kind == TN_TOML_ARRAY) return read_rotation_matrix(source, node, R);
    const size_t before = tn_error_count(source->diagnostics);
    if (node->kind == TN_TOML_TABLE) tn_check_keys(source, node, &(tn_keys){.words = words});
    if (tn_error_count(source->diagnostics) != before) return false;

    const tn_toml *quaternion = tn_toml_get(node, "quaternion");
    const tn_toml *axis = tn_toml_get(node, "axis"), *angle = tn_toml_get(node, "angle");
    const tn_toml *euler = tn_toml_get(node, "euler"), *angles = tn_toml_get(node, "angles");
    if (quaternion && node->count == 1) return read_quaternion(source, quaternion, R);
    if (axis && angle && node->count == 2) return read_axis(source, axis, angle, R);
    if (euler && angles && node->count == 2) return read_euler(source, euler, angles, R);
    return tn_value_error(
        source, node,
        "a rotation is a 3x3 array, { quaternion = [w, x, y, z] }, { axis = [x, y, z], angle = a } or "
        "{ euler = \"xyz\", angles = [a, b, c] }");
}
