/* cone.c - Coulomb's law of one point of contact, in closed form
 *
 * Open, stick and slip are tried in turn. In slip the normal rate is 0 and the tangents' impulse opposes the slip u_T = -l p_T with l > 0:
 *
 *     (S + l) p_T = -b,   S = W_TT - W_TN W_NT / W_NN,   b = q_T - W_TN q_N / W_NN,   p_N = -(q_N + W_NT p_T) / W_NN
 *
 * so that |p_T| = friction p_N is a quartic in l, times the square of the determinant of S + l. Its positive roots are all found, between
 * those of its derivatives. Where several fit, the one with the least slip is taken. */
#include "gauss_seidel.h"

enum { DEGREE = 4, HALVINGS = 200 };

/* ---- roots of polynomials ---------------------------------------------------------------------------------------- */

static double value_at(const double *c, int degree, double x)
{
    double sum = c[degree];
    for (int k = degree - 1; k >= 0; k--)
        sum = sum * x + c[k];
    return sum;
}

/* The root between two numbers where the signs differ, to the last bit. */
static double bisect(const double *c, int degree, double low, double high)
{
    const bool rises = value_at(c, degree, high) > 0.0;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low) || !(middle < high)) break;
        if ((value_at(c, degree, middle) > 0.0) == rises)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

/* Positive roots of sum c[k] x^k, ascending; a double root that does not cross is found where it is one of the derivative. */
static int find_roots(const double *c, int degree, double *root)
{
    while (degree > 0 && c[degree] == 0.0)
        degree--;
    if (degree == 0) return 0;
    double derivative[DEGREE], turn[DEGREE + 1], bound = 0.0;
    for (int k = 0; k < degree; k++) {
        derivative[k] = (k + 1) * c[k + 1];
        bound = fmax(bound, fabs(c[k] / c[degree]));
    }
    const int turns = find_roots(derivative, degree - 1, turn);
    turn[turns] = 1.0 + bound; /* Cauchy: no root lies beyond */
    int count = 0;
    double low = 0.0;
    for (int k = 0; k <= turns; low = turn[k++]) {
        const double first = value_at(c, degree, low), last = value_at(c, degree, turn[k]);
        if (turn[k] <= low) continue;
        if (last == 0.0 && k < turns)
            root[count++] = turn[k];
        else if ((first < 0.0 && last > 0.0) || (first > 0.0 && last < 0.0))
            root[count++] = bisect(c, degree, low, turn[k]);
    }
    return count;
}

/* ---- slip -------------------------------------------------------------------------------------------------------- */

typedef struct slipping {
    double S[4], b[2];      /* of the tangents */
    double N, q, toward[2]; /* W_NN, q_N, W_NT */
    double friction;
} slipping;

static slipping reduce(double friction, const double W[9], const double q[3])
{
    slipping s = {.N = W[0], .q = q[0], .toward = {W[1], W[2]}, .friction = friction};
    for (int i = 0; i < 2; i++) {
        const double away = W[3 * (i + 1)] / W[0];
        s.b[i] = q[i + 1] - away * q[0];
        for (int j = 0; j < 2; j++)
            s.S[2 * i + j] = W[3 * (i + 1) + j + 1] - away * W[j + 1];
    }
    return s;
}

/* |adj(S + l) b|^2 - (friction / N)^2 (W_NT adj(S + l) b - q det(S + l))^2, in units of the trace of S. */
static void find_quartic(const slipping *s, double unit, double c[DEGREE + 1])
{
    const double S[4] = {s->S[0] / unit, s->S[1] / unit, s->S[2] / unit, s->S[3] / unit};
    const double adjoint[2] = {S[3] * s->b[0] - S[1] * s->b[1], S[0] * s->b[1] - S[2] * s->b[0]};
    const double det[3] = {S[0] * S[3] - S[1] * S[2], S[0] + S[3], 1.0};
    double normal[3];
    for (int k = 0; k < 3; k++)
        normal[k] = -s->q * unit * det[k];
    normal[0] += s->toward[0] * adjoint[0] + s->toward[1] * adjoint[1];
    normal[1] += s->toward[0] * s->b[0] + s->toward[1] * s->b[1];
    const double share = s->friction / s->N;
    memset(c, 0, (DEGREE + 1) * sizeof *c);
    for (int i = 0; i < 2; i++) {
        c[0] += adjoint[i] * adjoint[i];
        c[1] += 2.0 * adjoint[i] * s->b[i];
        c[2] += s->b[i] * s->b[i];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[i + j] -= share * share * normal[i] * normal[j];
}

/* The impulse of a multiplier; false where it has no solution, or would pull. */
static bool find_impulse(const slipping *s, double l, double p[3])
{
    const double a = s->S[0] + l, d = s->S[3] + l, det = a * d - s->S[1] * s->S[2];
    if (det == 0.0) return false;
    p[1] = -(d * s->b[0] - s->S[1] * s->b[1]) / det;
    p[2] = -(a * s->b[1] - s->S[2] * s->b[0]) / det;
    p[0] = -(s->q + s->toward[0] * p[1] + s->toward[1] * p[2]) / s->N;
    return p[0] >= 0.0;
}

/* Onto the cone, to the last bit: along the tangents. */
static void settle_on_cone(double friction, double p[3])
{
    const double size = sqrt(p[1] * p[1] + p[2] * p[2]), share = size > 0.0 ? friction * p[0] / size : 0.0;
    p[1] *= share;
    p[2] *= share;
}

static bool find_slip(double friction, const double W[9], const double q[3], double p[3])
{
    const slipping s = reduce(friction, W, q);
    const double unit = fabs(s.S[0]) + fabs(s.S[3]);
    double c[DEGREE + 1], root[DEGREE];
    if (!(unit > 0.0)) return false;
    find_quartic(&s, unit, c);
    const int count = find_roots(c, DEGREE, root);
    for (int k = 0; k < count; k++)
        if (find_impulse(&s, root[k] * unit, p)) {
            settle_on_cone(friction, p);
            return true;
        }
    return false;
}

/* ---- the law ----------------------------------------------------------------------------------------------------- */

static bool find_stick(const double W[9], const double q[3], double friction, double p[3])
{
    double M[3][4];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            M[i][j] = W[3 * i + j];
        M[i][3] = -q[i];
    }
    for (int k = 0; k < 3; k++) {
        if (!(M[k][k] > 1e-14 * W[4 * k])) return false;
        for (int i = k + 1; i < 3; i++)
            for (int j = 3; j >= k; j--)
                M[i][j] -= M[i][k] / M[k][k] * M[k][j];
    }
    for (int k = 2; k >= 0; k--) {
        p[k] = M[k][3];
        for (int j = k + 1; j < 3; j++)
            p[k] -= M[k][j] * p[j];
        p[k] /= M[k][k];
    }
    return p[0] >= 0.0 && p[1] * p[1] + p[2] * p[2] <= friction * friction * p[0] * p[0];
}

void solve_cone(double friction, const double W[9], const double q[3], double p[3])
{
    p[0] = p[1] = p[2] = 0.0;
    if (q[0] >= 0.0 || !(W[0] > 0.0)) return;
    if (friction > 0.0 && find_stick(W, q, friction, p)) return;
    if (friction > 0.0 && find_slip(friction, W, q, p)) return;
    p[0] = -q[0] / W[0];
    p[1] = p[2] = 0.0;
}
