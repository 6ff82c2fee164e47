/* generalized_alpha.c - implicit Lie-group integrator of order 2 with damping of high frequencies: its parameters, and what it says of
 * itself. */
#include "tenon/descriptors.h"

#include "generalized_alpha.h"

static const tn_capability alpha_capabilities[] = {{TN_STEPPING_KEY, &tn_alpha_stepping}, {NULL, NULL}};

static tn_status alpha_advance(const void *instance, tn_system *system)
{
    return tn_advance_in_steps(&tn_alpha_stepping, instance, system);
}

static tn_status alpha_check(const tn_host *host, const void *instance, const tn_system *system)
{
    const alpha_instance *settings = instance;
    if (settings->index == 3 && system->position_rows > 0 && !tn_alpha_damps_at_infinity(settings))
        return tn_refuse(
            host, "index",
            "index 3 is unstable with a scheme that does not damp the highest frequencies "
            "(trapezoidal, newmark with gamma 0.5, spectral radius 1): use index = 2 or more damping");
    return TN_OK;
}

static alpha_coefficients coefficients_of(const alpha_instance *settings)
{
    const double rho = settings->spectral_radius;
    alpha_coefficients c = {0.0, 0.0, 0.5, 0.25};
    if (settings->scheme == SCHEME_NEWMARK) {
        c.gamma = settings->gamma;
        c.beta = settings->beta;
    } else if (settings->scheme != SCHEME_TRAPEZOIDAL) {
        const bool hht = settings->scheme == SCHEME_HHT;
        c.alpha_m = hht ? 0.0 : (2.0 * rho - 1.0) / (rho + 1.0);
        c.alpha_f = hht ? (1.0 - rho) / (1.0 + rho) : rho / (rho + 1.0);
        c.gamma = 0.5 + c.alpha_f - c.alpha_m;
        c.beta = 0.25 * (c.gamma + 0.5) * (c.gamma + 0.5);
    }
    return c;
}

static tn_status alpha_prepare(const tn_host *host, void *instance, tn_run *run)
{
    alpha_instance *settings = instance;
    if (settings->scheme == SCHEME_HHT && settings->spectral_radius < 0.5)
        return tn_refuse(host, "spectral_radius",
                         "the scheme \"hht\" reaches spectral radii from 0.5 to 1, not %g",
                         settings->spectral_radius);
    if (settings->index != 0 && settings->index != 2 && settings->index != 3)
        return tn_refuse(host, "index", "the index is 2 or 3, not %lld", (long long)settings->index);
    if (!run->adaptive && run->end_time > run->start_time && !(run->step > 0.0))
        return tn_refuse(host, "step", "a fixed step needs `step` above zero");
    settings->coefficients = coefficients_of(settings);
    return TN_OK;
}

#define AT(member) (uint32_t) offsetof(alpha_instance, member)

static const tn_parameter alpha_parameters[] = {
    {.name = "spectral_radius",
     .meaning = "remaining part of the highest frequencies after a step; 1: no damping; hht: 0.5 to 1",
     .unit = "",
     .standard = 0.8,
     .low = 0,
     .high = 1,
     .offset = AT(spectral_radius),
     .kind = TN_KIND_REAL,
     .count = 1},
    {.name = "scheme",
     .meaning = "family of coefficients; trapezoidal is newmark with its defaults",
     .unit = "",
     .detail = "generalized_alpha|hht|newmark|trapezoidal",
     .standard = 0,
     .low = 0,
     .high = 3,
     .offset = AT(scheme),
     .kind = TN_KIND_CHOICE,
     .count = 1},
    {.name = "gamma",
     .meaning = "for newmark; above 0.5 with damping, of order 1",
     .unit = "",
     .standard = 0.5,
     .low = 0.5,
     .high = 1,
     .offset = AT(gamma),
     .kind = TN_KIND_REAL,
     .count = 1},
    {.name = "beta",
     .meaning = "for newmark; unconditionally stable if at least gamma/2",
     .unit = "",
     .standard = 0.25,
     .low = 0,
     .high = 1,
     .offset = AT(beta),
     .kind = TN_KIND_REAL,
     .count = 1,
     .flags = TN_ABOVE_LOW},
    {.name = "index",
     .meaning =
         "3 or 2 (stabilised), for models with constraints; 0: 3 if the step is fixed, not so short that "
         "reactions show round-off, and the scheme has damping; otherwise 2",
     .unit = "",
     .standard = 0,
     .low = 0,
     .high = 3,
     .offset = AT(index),
     .kind = TN_KIND_INTEGER,
     .count = 1},
    {.name = "newton.max_iterations",
     .meaning = "iterations before the solver tries a new matrix, then a halved step",
     .unit = "",
     .standard = 20,
     .low = 1,
     .high = 1000,
     .offset = AT(newton_iterations),
     .kind = TN_KIND_INTEGER,
     .count = 1},
    {.name = "newton.relative_tolerance",
     .meaning =
         "remaining error of q and h v, relative to the magnitude of the coordinates; default 1e-10, and "
         "under error control a hundredth of the error that a step may have, from 1e-11 to 1e-6",
     .unit = "",
     .low = 0,
     .high = 0.1,
     .offset = AT(newton_tolerance),
     .kind = TN_KIND_REAL,
     .count = 1,
     .flags = TN_ABOVE_LOW | TN_OPTIONAL},
    {.name = "newton.jacobian",
     .meaning = "modified: keeps the matrix while it contracts; full: renews it in every iteration",
     .unit = "",
     .detail = "modified|full",
     .standard = 0,
     .low = 0,
     .high = 1,
     .offset = AT(jacobian),
     .kind = TN_KIND_CHOICE,
     .count = 1},
    {.name = "discontinuous.max_iterations",
     .meaning = "iterations of the branches of switching laws, per step",
     .unit = "",
     .standard = 5,
     .low = 1,
     .high = 1000,
     .offset = AT(discontinuous_iterations),
     .kind = TN_KIND_INTEGER,
     .count = 1},
    {.name = "discontinuous.tolerance",
     .meaning = "force by which they may still change the balance of a step",
     .unit = "N",
     .standard = 1e-3,
     .low = 0,
     .high = 1e12,
     .offset = AT(discontinuous_tolerance),
     .kind = TN_KIND_REAL,
     .count = 1,
     .flags = TN_ABOVE_LOW},
    {.name = NULL},
};

static const tn_synonym synonyms[] = {{"hht", NULL, NULL},
                                      {"newmark", NULL, NULL},
                                      {"implicit", NULL, NULL},
                                      {"implicitfast", NULL, NULL},
                                      {"trapezoidal", NULL, NULL},
                                      {"trapezoidal_index_2", NULL, NULL},
                                      {"ms", NULL, NULL},
                                      {"hope", NULL, NULL},
                                      {"implicit_second_order", NULL, NULL},
                                      {"euler_implicit", NULL, NULL},
                                      {NULL, NULL, NULL}};

static const tn_solver_type alpha_type = {
    .struct_size = sizeof(tn_solver_type),
    .synonyms = synonyms,
    .flags = TN_NEEDS_MATRIX | TN_ADAPTIVE,
    .capabilities = alpha_capabilities,
    .name = "generalized_alpha",
    .summary = "implicit Lie-group generalized-alpha of order 2 with adjustable damping of high frequencies; "
               "also HHT and Newmark; fixed or adaptive step",
    .formula =
        "q1 = q0 [+] (h v0 + h^2 ((1/2 - beta) a0 + beta a1)),      v1 = v0 + h ((1 - gamma) a0 + gamma a1)\n"
        "(1 - alpha_m) a1 + alpha_m a0 = (1 - alpha_f) v'1 + alpha_f v'0\n"
        "M v'1 = f(q1, v1, t1) + G^T lambda1,   g(q1, t1) = 0   (index 2: and G v1 + dg/dt = 0)",
    .literature =
        "Chung, Hulbert: A time integration algorithm for structural dynamics with improved numerical "
        "dissipation, "
        "J. Appl. Mech. 60 (1993) 371-375\n"
        "Arnold, Bruls: Convergence of the generalized-alpha scheme for constrained mechanical systems, "
        "Multibody Syst. Dyn. 18 (2007) 185-202\n"
        "Bruls, Cardona, Arnold: Lie group generalized-alpha time integration of constrained flexible "
        "multibody "
        "systems, Mech. Mach. Theory 48 (2012) 121-137\n"
        "Arnold, Bruls, Cardona: Error analysis of generalized-alpha Lie group time integration methods for "
        "constrained mechanical systems, Numer. Math. 129 (2015) 149-179\n"
        "Gear, Leimkuhler, Gupta: Automatic integration of Euler-Lagrange equations with constraints, "
        "J. Comput. Appl. Math. 12-13 (1985) 77-90 (index 2)\n"
        "Bottasso, Dopico, Trainelli: On the optimal scaling of index three DAEs in multibody dynamics, "
        "Multibody Syst. Dyn. 19 (2008) 3-20\n"
        "Hilber, Hughes, Taylor: Improved numerical dissipation for time integration algorithms in "
        "structural dynamics, Earthq. Eng. Struct. Dyn. 5 (1977) 283-292\n"
        "Hairer, Wanner: Solving Ordinary Differential Equations II, 2nd ed., 1996, section IV.8 (end of the "
        "iteration)",
    .parameters = alpha_parameters,
    .instance_size = sizeof(alpha_instance),
    .prepare = alpha_prepare,
    .advance = alpha_advance,
    .check = alpha_check,
};

TN_LIBRARY("generalized_alpha", "1.0.0", "Apache-2.0", "generalized-alpha, HHT and Newmark integrators",
           {TN_SOLVER_KIND, &alpha_type})
