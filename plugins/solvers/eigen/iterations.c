/* iterations.c - Lanczos' and Arnoldi's methods of ARPACK (search.h). Vectors begin in the range of the operator, where all rows hold.
 *
 * Both begin with one vector, and find several vectors of one eigenvalue by round-off alone, not always all of them. So they begin again
 * beside what was found, until nothing is left that is nearer to the shift than what is wanted. */
#include "search.h"

#include <pthread.h>
#include <stdlib.h>

#define PRECISION 1e-13 /* of 1/distance */
#define NEARER \
    (1.0 + 1e-6) /* of 1/distance: an eigenvalue that is nearer than another one, and no copy of it */

enum { MOST_TURNS = 100, MORE_VECTORS = 20, BESIDE = 3, LEAST_ROOM = 3 };

/* ARPACK keeps its state in memory of its own, one for all. */
static pthread_mutex_t arpack = PTHREAD_MUTEX_INITIALIZER;

/* Memory of ARPACK for real numbers, of Lanczos' method, or complex ones, and what one pass has found. */
struct eigen_arpack {
    a_int wanted, vectors, most; /* eigenvalues, vectors; of these there is room for */
    double *start, *basis, *work, *projected, *value;
    double _Complex *complex_start, *complex_basis, *complex_work, *complex_projected, *ends, *complex_value;
    double *real;
    a_int *select;
    a_int parameter[11], place[14], size;
    size_t found;
};
typedef struct eigen_arpack room;

/* Vectors to find so many eigenvalues with, among so many dimensions. */
static size_t vectors_for(size_t wanted, size_t dimensions)
{
    const size_t vectors = 2 * wanted + MORE_VECTORS;
    return vectors < dimensions ? vectors : dimensions;
}

/* Numbers between -1/2 and 1/2, the same ones in every run. */
static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0 - 0.5;
}

static tn_status tell_failure(const eigen_search *s, const room *r, a_int info)
{
    char text[256];
    (void)tn_print_cut(
        text, sizeof text,
        "ARPACK found %d of %d eigenvalues (code %d): ask for fewer, for others by `near`, or set "
        "`method = \"dense\"`",
        (int)(s->known + (size_t)r->parameter[4]), (int)s->wanted, (int)info);
    return s->work->system->fail(s->work->system, TN_INVALID, NULL, text);
}

static void set_parameters(room *r, a_int mode)
{
    const a_int parameter[11] = {1, 0, MOST_TURNS, 1, 0, 0, mode};
    memcpy(r->parameter, parameter, sizeof parameter);
}

/* Whether a pass has found something, if not all: the next one goes on. */
static bool has_found(const room *r, a_int info) { return info == 0 || (info == 1 && r->parameter[4] > 0); }

/* One that looks for more than is wanted may find nothing. */
static tn_status end_without(const eigen_search *s, const room *r, a_int info)
{
    return info == 1 && s->known >= s->wanted ? TN_OK : tell_failure(s, r, info);
}

static size_t count_of(const room *r)
{
    return (size_t)(r->parameter[4] < r->wanted ? r->parameter[4] : r->wanted);
}

/* ---- Lanczos ----------------------------------------------------------------------------------------------------------- */

static bool open_lanczos(const eigen_search *s, room *r)
{
    const tn_host *host = s->work->host;
    const size_t n = s->size, m = vectors_for(s->wanted > BESIDE ? s->wanted : BESIDE, s->free);
    *r = (room){.most = (a_int)m, .size = (a_int)(m * (m + 8))};
    r->start = tn_eigen_numbers(host, n);
    r->basis = tn_eigen_numbers(host, n * m);
    r->work = tn_eigen_numbers(host, 3 * n);
    r->projected = tn_eigen_numbers(host, (size_t)r->size);
    r->value = tn_eigen_numbers(host, m);
    r->select = host->allocate(host, (m + 1) * sizeof *r->select);
    return r->start && r->basis && r->work && r->projected && r->value && r->select;
}

/* Into the range of the operator, where all rows hold. */
static tn_status start_lanczos(eigen_search *s, const room *r)
{
    uint64_t state = 1 + s->known;
    tn_status status = TN_OK;
    for (size_t i = 0; i < s->nv; i++)
        r->start[i] = draw(&state);
    for (int turn = 0; turn < 2 && status == TN_OK; turn++) {
        double size = 0.0;
        tn_search_multiply_masses(s, r->start, r->work);
        status = tn_search_apply_symmetric(s, r->work, r->start);
        for (size_t i = 0; i < s->nv; i++)
            size = fmax(size, fabs(r->start[i]));
        for (size_t i = 0; i < s->nv && size > 0.0; i++)
            r->start[i] /= size;
    }
    return status;
}

static tn_status iterate_lanczos(eigen_search *s, room *r, a_int *info)
{
    const a_int n = (a_int)s->size;
    a_int ido = 0;
    tn_status status = TN_OK;
    *info = 1;
    while (ido != 99 && status == TN_OK) {
        dsaupd_c(&ido, "G", n, "LM", r->wanted, PRECISION, r->start, r->vectors, r->basis, n, r->parameter,
                 r->place, r->work, r->projected, r->size, info);
        double *x = r->work + r->place[0] - 1, *y = r->work + r->place[1] - 1;
        if (ido == 2) {
            tn_search_multiply_masses(s, x, y);
        } else if (ido == -1) {
            tn_search_multiply_masses(s, x, y);
            status = tn_search_apply_symmetric(s, y, y);
        } else if (ido == 1) {
            status = tn_search_apply_symmetric(s, r->work + r->place[2] - 1, y);
        }
    }
    return status;
}

/* Eigenvalues and vectors, which are at right angles by the masses, behind those that are known. */
static tn_status pass_of_lanczos(eigen_search *s, room *r)
{
    a_int info = 0;
    set_parameters(r, 3);
    tn_status status = start_lanczos(s, r);
    if (status == TN_OK) status = iterate_lanczos(s, r, &info);
    if (status != TN_OK) return status;
    if (!has_found(r, info)) return end_without(s, r, info);
    dseupd_c(1, "A", r->select, r->value, r->basis, (a_int)s->size, creal(s->s), "G", (a_int)s->size, "LM",
             r->wanted, PRECISION, r->start, r->vectors, r->basis, (a_int)s->size, r->parameter, r->place,
             r->work, r->projected, r->size, &info);
    if (info != 0) return tell_failure(s, r, info);
    r->found = count_of(r);
    for (size_t k = 0; k < r->found && s->known + k < s->room; k++) {
        s->value[s->known + k] = r->value[k];
        s->nearness[s->known + k] = 1.0 / fabs(r->value[k] - creal(s->s));
        for (size_t i = 0; i < s->size; i++)
            s->basis[(s->known + k) * s->size + i] = r->basis[k * s->size + i];
    }
    return TN_OK;
}

/* ---- Arnoldi ---------------------------------------------------------------------------------------------------------- */

static bool open_arnoldi(const eigen_search *s, room *r)
{
    const tn_host *host = s->work->host;
    const size_t n = s->size, m = vectors_for(s->wanted > BESIDE ? s->wanted : BESIDE, s->free);
    *r = (room){.most = (a_int)m, .size = (a_int)(3 * m * m + 5 * m)};
    r->complex_start = host->allocate(host, n * sizeof *r->complex_start);
    r->complex_basis = host->allocate(host, n * m * sizeof *r->complex_basis);
    r->complex_work = host->allocate(host, 3 * n * sizeof *r->complex_work);
    r->complex_projected = host->allocate(host, (size_t)r->size * sizeof *r->complex_projected);
    r->ends = host->allocate(host, 3 * m * sizeof *r->ends);
    r->complex_value = host->allocate(host, (m + 1) * sizeof *r->complex_value);
    r->real = tn_eigen_numbers(host, m);
    r->select = host->allocate(host, (m + 1) * sizeof *r->select);
    return r->complex_start && r->complex_basis && r->complex_work && r->complex_projected && r->ends &&
           r->complex_value && r->real && r->select;
}

static tn_status start_arnoldi(eigen_search *s, const room *r)
{
    uint64_t state = 1 + s->known;
    tn_status status = TN_OK;
    for (size_t i = 0; i < s->size; i++)
        r->complex_work[i] = draw(&state);
    for (int turn = 0; turn < 2 && status == TN_OK; turn++) {
        double size = 0.0;
        status = tn_search_apply_beside(s, r->complex_work, r->complex_start);
        for (size_t i = 0; i < s->size; i++)
            size = fmax(size, cabs(r->complex_start[i]));
        for (size_t i = 0; i < s->size && size > 0.0; i++)
            r->complex_work[i] = r->complex_start[i] /= size;
    }
    return status;
}

static tn_status iterate_arnoldi(eigen_search *s, room *r, a_int *info)
{
    const a_int n = (a_int)s->size;
    a_int ido = 0;
    tn_status status = TN_OK;
    *info = 1;
    while (ido != 99 && status == TN_OK) {
        znaupd_c(&ido, "I", n, "LM", r->wanted, PRECISION, r->complex_start, r->vectors, r->complex_basis, n,
                 r->parameter, r->place, r->complex_work, r->complex_projected, r->size, r->real, info);
        if (ido == 1 || ido == -1)
            status = tn_search_apply_beside(s, r->complex_work + r->place[0] - 1,
                                            r->complex_work + r->place[1] - 1);
    }
    return status;
}

/* Schur vectors, which are at right angles, behind those that are known. */
static tn_status pass_of_arnoldi(eigen_search *s, room *r)
{
    const a_int n = (a_int)s->size;
    a_int info = 0;
    set_parameters(r, 1);
    tn_status status = start_arnoldi(s, r);
    if (status == TN_OK) status = iterate_arnoldi(s, r, &info);
    if (status != TN_OK) return status;
    if (!has_found(r, info)) return end_without(s, r, info);
    zneupd_c(1, "P", r->select, r->complex_value, r->complex_basis, n, 0.0, r->ends, "I", n, "LM", r->wanted,
             PRECISION, r->complex_start, r->vectors, r->complex_basis, n, r->parameter, r->place,
             r->complex_work, r->complex_projected, r->size, r->real, &info);
    if (info != 0) return tell_failure(s, r, info);
    r->found = count_of(r);
    for (size_t k = 0; k < r->found && s->known + k < s->room; k++) {
        s->nearness[s->known + k] = cabs(r->complex_value[k]);
        memcpy(s->basis + (s->known + k) * s->size, r->complex_basis + k * s->size,
               s->size * sizeof *s->basis);
    }
    return TN_OK;
}

/* ---- both ------------------------------------------------------------------------------------------------------------ */

static int descending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* 1/distance of the furthest of the wanted ones; 0 where fewer are known. `memory` [room]. */
static double find_limit(const eigen_search *s, double *memory)
{
    if (s->known < s->wanted) return 0.0;
    memcpy(memory, s->nearness, s->known * sizeof *memory);
    qsort(memory, s->known, sizeof *memory, descending);
    return memory[s->wanted - 1];
}

tn_status tn_search_open(eigen_search *s)
{
    room *r = s->arpack = s->work->host->allocate(s->work->host, sizeof *r);
    const bool good = r && (s->work->symmetric ? open_lanczos(s, r) : open_arnoldi(s, r));
    return good ? TN_OK : TN_OUT_OF_MEMORY;
}

/* How many are sought in the next pass; 0: there is no room for more. */
static size_t next_wanted(const eigen_search *s)
{
    const size_t left = s->free > s->known ? s->free - s->known : 0, most = (size_t)s->arpack->most,
                 missing = s->wanted > s->known ? s->wanted - s->known : 0, limit = left < most ? left : most;
    const size_t wanted = s->known && missing < BESIDE ? BESIDE : missing;
    if (wanted + LEAST_ROOM <= limit) return wanted;
    return limit > LEAST_ROOM ? limit - LEAST_ROOM : 0;
}

/* What stands behind the known ones is not known yet: nothing where there is no room. */
static tn_status pass(eigen_search *s)
{
    room *r = s->arpack;
    const size_t wanted = next_wanted(s), vectors = vectors_for(wanted, s->free - s->known);
    r->found = 0;
    r->wanted = (a_int)wanted;
    r->vectors = vectors < (size_t)r->most ? (a_int)vectors : r->most;
    if (!wanted) return TN_OK;
    (void)pthread_mutex_lock(&arpack);
    const tn_status status = s->work->symmetric ? pass_of_lanczos(s, r) : pass_of_arnoldi(s, r);
    (void)pthread_mutex_unlock(&arpack);
    return status;
}

/* Values and vectors of what is known: the basis of Lanczos' method are vectors themselves. */
static tn_status finish(eigen_search *s)
{
    s->found = s->known;
    return s->work->symmetric ? TN_OK : tn_search_resolve(s);
}

tn_status tn_search_iterate(eigen_search *s)
{
    tn_status status = TN_OK;
    s->known = 0;
    s->reach = 0.0;
    do {
        status = pass(s);
        s->known += s->arpack->found;
    } while (status == TN_OK && s->arpack->found && s->known < s->wanted);
    return status == TN_OK ? finish(s) : status;
}

tn_status tn_search_complete(eigen_search *s)
{
    const size_t before = s->known;
    double *memory = tn_eigen_numbers(s->work->host, s->room), limit = 0.0, nearest = HUGE_VAL;
    tn_status status = memory ? TN_OK : TN_OUT_OF_MEMORY;
    while (status == TN_OK && nearest > NEARER * limit) {
        const size_t most = s->room - s->known;
        limit = find_limit(s, memory);
        status = pass(s);
        nearest = 0.0;
        for (size_t k = 0; k < s->arpack->found && k < most; k++)
            nearest = fmax(nearest, s->nearness[s->known + k]);
        if (!(nearest > NEARER * limit) || !(limit > 0.0)) break;
        if (s->arpack->found > most) return finish(s); // without a reach
        s->known += s->arpack->found;
    }
    if (limit > 0.0 && s->arpack->found) s->reach = 1.0 / limit;
    return status == TN_OK && s->known > before ? finish(s) : status;
}
