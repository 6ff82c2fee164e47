/* eigen.c - modes of small motions about an equilibrium or a steady motion: the solver
 *
 *     M v' + D v + K q = G^T lambda + F x,   G q = 0 or A v + L q = 0,   x' = R (q, v) + H x
 *
 * are the linearised equations at the state where the solver begins, their matrices exact. What constraints leave free is found by QR
 * factorisations (reduction.c), and all eigenvalues by LAPACK (dense.c, zeros.c); some of large models by ARPACK, with sparse matrices
 * in which constraints stand as they are, and the linear solver of the study (sparse.c). */
#include "tenon/descriptors.h"
#include "tenon/kit/blas.h"
#include "tenon/kit/one_state.h"

#include "eigen.h"

enum { LARGEST_SYMMETRIC = 600, LARGEST_OTHERS = 200, MORE = 8 }; /* coordinates of dense matrices */

double *tn_eigen_numbers(const tn_host *host, size_t count)
{
    return host->allocate(host, (count ? count : 1) * sizeof(double));
}

static bool make_room(eigen_work *work)
{
    if (work->modes < work->room) return true;
    const uint32_t room = 2 * work->room + MORE;
    eigen_mode *list = work->host->allocate(work->host, room * sizeof *list);
    if (!list) return false;
    if (work->modes) memcpy(list, work->mode, work->modes * sizeof *list);
    work->mode = list;
    work->room = room;
    return true;
}

eigen_mode *tn_eigen_add(eigen_work *work, double re, double im)
{
    eigen_mode made = {.re = re,
                       .im = im,
                       .motion = tn_eigen_numbers(work->host, 2 * (size_t)work->nv),
                       .state = tn_eigen_numbers(work->host, 2 * (size_t)work->nx)};
    if (!made.motion || !made.state || !make_room(work)) return NULL;
    work->mode[work->modes] = made;
    return &work->mode[work->modes++];
}

/* ---- the solver ------------------------------------------------------------------------------------------ */

static tn_status find_modes(eigen_work *work)
{
    const char *why = NULL;
    const int32_t method = work->settings->method;
    const bool is_large = work->nv > (work->symmetric ? LARGEST_SYMMETRIC : LARGEST_OTHERS);
    if (method == METHOD_DENSE || (method == METHOD_AUTOMATIC && !is_large)) return tn_eigen_dense(work);
    const tn_status status = tn_eigen_is_sparse(work, &why);
    if (status != TN_OK) return status;
    if (method == METHOD_SPARSE && why) {
        char text[256];
        (void)tn_print_cut(text, sizeof text, "`method = \"sparse\"` does not serve here: %s", why);
        return work->system->fail(work->system, TN_INVALID, NULL, text);
    }
    if (!why) return tn_eigen_sparse(work);
    if (work->nv > LARGEST_SYMMETRIC)
        tn_say(work->host, TN_NOTE, "all eigenvalues of %u coordinates are found, with dense matrices: %s",
               work->nv, why);
    return tn_eigen_dense(work);
}

static tn_status get_extensions(eigen_work *work)
{
    tn_system *system = work->system;
    work->linear = system->extension(system, TN_LINEARISATION_KEY);
    work->statics = system->extension(system, TN_STATICS_KEY);
    work->operators = system->extension(system, TN_OPERATORS_KEY);
    work->matrices = system->extension(system, TN_OWN_MATRICES_KEY);
    const bool all = work->linear && work->statics && work->operators && work->matrices;
    return all ? TN_OK : TN_OUT_OF_MEMORY;
}

static tn_status eigen_begin(const void *instance, tn_system *system, TN_UNUSED void *before, void **solver)
{
    eigen_work *work = *solver = system->host->allocate(system->host, sizeof *work);
    if (!work || !tn_blas_begin(0)) return TN_OUT_OF_MEMORY;
    if (system->time < system->run->start_time) system->time = system->run->start_time;
    work->settings = instance;
    work->system = system;
    work->host = system->host;
    work->nv = system->nv;
    work->rows = system->rows;
    tn_status status = get_extensions(work);
    if (status == TN_OK) status = tn_eigen_begin(work);
    if (status == TN_OK) status = find_modes(work);
    if (status == TN_OK) status = tn_eigen_order(work);
    if (status == TN_OK) status = tn_eigen_report(work);
    if (status == TN_OK) status = system->evaluate(system);
    if (status != TN_OK) return status;
    system->statistics->steps++;
    return system->accept(system);
}

TN_ONE_STATE(eigen)

#define AT(member) (uint32_t) offsetof(eigen_instance, member)

static const tn_parameter eigen_parameters[] = {
    {.name = "count",
     .meaning = "how many modes are wanted: those nearest to `near`",
     .unit = "",
     .standard = 20,
     .low = 1,
     .high = 1000000,
     .offset = AT(count),
     .kind = TN_KIND_INTEGER,
     .count = 1},
    {.name = "near",
     .meaning = "the frequency about which modes are wanted; at 0 the slowest ones are",
     .unit = "Hz",
     .standard = 0,
     .low = 0,
     .high = 1e15,
     .offset = AT(near),
     .kind = TN_KIND_REAL,
     .count = 1},
    {.name = "damped",
     .meaning = "false: modes of masses and stiffnesses alone, without damping and first-order states",
     .unit = "",
     .standard = 1,
     .low = 0,
     .high = 1,
     .offset = AT(damped),
     .kind = TN_KIND_BOOLEAN,
     .count = 1},
    {.name = "force",
     .meaning = "true: modes also at a state that is no equilibrium and no steady motion",
     .unit = "",
     .standard = 0,
     .low = 0,
     .high = 1,
     .offset = AT(force),
     .kind = TN_KIND_BOOLEAN,
     .count = 1},
    {.name = "method",
     .meaning =
         "dense: all eigenvalues of full matrices; sparse: some of large ones, by iterations; automatic: "
         "by the number of coordinates",
     .unit = "",
     .detail = "automatic|dense|sparse",
     .standard = METHOD_AUTOMATIC,
     .low = 0,
     .high = METHOD_SPARSE,
     .offset = AT(method),
     .kind = TN_KIND_CHOICE,
     .count = 1},
    {.name = NULL},
};

static const tn_synonym synonyms[] = {{"modes", NULL, NULL},
                                      {"modal", NULL, NULL},
                                      {"eigenvalues", NULL, NULL},
                                      {"modal_analysis", NULL, NULL},
                                      {"frequencies", NULL, NULL},
                                      {"number", "count", NULL},
                                      {"eigenvalue_count", "count", NULL},
                                      {"shift", "near", NULL},
                                      {NULL, NULL, NULL}};

static const tn_solver_type eigen_type = {
    .struct_size = sizeof(tn_solver_type),
    .synonyms = synonyms,
    .flags = TN_NEEDS_MATRIX | TN_SINGLE_STATE,
    .capabilities = eigen_capabilities,
    .name = "eigen",
    .summary =
        "modes of small motions about an equilibrium or a steady motion: frequencies, damping ratios, shapes",
    .formula =
        "M v' + D v + K q = G^T lambda + F x,   q' = v,   x' = R (q, v) + H x,   G q = 0 or A v + L q = 0\n"
        "(q, v, x) = (phi, s phi, chi) exp(s t);   s = -zeta w + i w sqrt(1 - zeta^2)",
    .literature =
        "Meijaard, Papadopoulos, Ruina, Schwab: Linearized dynamics equations for the balance and steer of a "
        "bicycle, Proc. R. Soc. A 463 (2007) 1955-1982\n"
        "Golub, Van Loan: Matrix Computations, 4th ed., 2013, sections 5.4 (rank-revealing QR), 7.6, 8.7\n"
        "Lehoucq, Sorensen, Yang: ARPACK Users' Guide, 1998, section 3.5 (shift and invert)",
    .parameters = eigen_parameters,
    .instance_size = sizeof(eigen_instance),
    .advance = eigen_advance,
};

TN_LIBRARY("eigen", "1.0.0", "Apache-2.0", "modes of small motions", {TN_SOLVER_KIND, &eigen_type})
