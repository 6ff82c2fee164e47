/* linear.h - models for tests of `linearise`, and the matrices that it writes. */
#ifndef TENON_TESTS_SYSTEM_LINEAR_H
#define TENON_TESTS_SYSTEM_LINEAR_H

#include "harness.h"
#include "npz.h"

#include <complex.h>

#define LINEARISE(keys) "[[solver]]\ntype = 'linearise'\n" keys

/* Runs a model to its end: the directory of results; or to the errors that it is refused with. */
const char *tn_linearise(const char *model);
const char *tn_linearise_refused(const char *model);
/* Entries differ by no more than a tolerance, relative above 1. */
void tn_check_matrix(const tn_npz_matrix *found, size_t rows, size_t columns, const double *expected,
                     double tolerance);

#define CART_MASS 1.5
#define POLE_MASS 0.3
#define POLE_LENGTH 0.5
#define POLE_INERTIA 0.02
#define DAMPING 0.4
#define GRAVITY 9.81

/* Standing, the cart on a rail along x; all of it turned about an axis. The pole leans to -x where its angle grows. `solver` are the tables
 * behind it. */
const char *tn_cart_pole(const double axis[3], double angle, const char *solver);
extern const double tn_upright[3];

/* A state-space form; E where it is the descriptor form. */
typedef struct tn_form {
    tn_npz_matrix E, A, B, C, D;
    bool has_E;
} tn_form;
tn_form tn_form_read(const char *results, bool descriptor);

enum { TN_MOST_STATES = 256 };
/* s E - A eliminated, with a column of B (if there is one) behind it: the smallest pivot over the largest, about 0 of an eigenvalue. */
double tn_form_eliminate(const tn_form *form, double complex s, size_t input,
                         double complex (*m)[TN_MOST_STATES + 1]);
/* The same transfer functions of all outputs and inputs at ten frequencies. */
void tn_check_transfer(const tn_form *a, const tn_form *b, double tolerance);
double complex tn_complex(double real, double imaginary);

#endif
