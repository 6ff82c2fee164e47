/* iterations.c - Lanczos' and Arnoldi's methods of ARPACK (search.h). Vectors begin in the range of the operator, where all rows hold.
 *
 * Both begin with one vector, and find several vectors of one eigenvalue by round-off alone, not always all of them. So Arnoldi's method
 * goes on beside what was found, until nothing is left that is as near to the shift. */
#include "search.h"

#include <pthread.h>

#define AS_NEAR (1.0 - 1e-6) /* of 1/distance: an eigenvalue that is no further away than another one */

enum { MOST_TURNS = 1000, MORE_VECTORS = 20, BESIDE = 6, LEAST_ROOM = 3 };

/* ARPACK keeps its state in memory of its own, one for all. */
static pthread_mutex_t arpack = PTHREAD_MUTEX_INITIALIZER;

/* Numbers between -1/2 and 1/2, the same ones in every run. */
static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0 - 0.5;
}

/* Vectors to find so many eigenvalues with, among so many dimensions. */
static size_t vectors_for(size_t wanted, size_t dimensions)
{
    const size_t vectors = 2 * wanted + MORE_VECTORS;
    return vectors < dimensions ? vectors : dimensions;
}

static tn_status tell_failure(const eigen_search *s, a_int wanted, a_int info, a_int converged)
{
    char text[256];
    (void)tn_print_cut(
        text, sizeof text,
        "ARPACK found %d of %d eigenvalues (code %d): ask for fewer, for others by `near`, or set "
        "`method = \"dense\"`",
        (int)converged, (int)wanted, (int)info);
    return s->work->system->fail(s->work->system, TN_INVALID, NULL, text);
}

/* ---- Lanczos ----------------------------------------------------------------------------------------------------------- */

typedef struct room {
    a_int wanted, vectors;
    double *start, *basis, *work, *projected;
    double _Complex *complex_start, *complex_basis, *complex_work, *complex_projected, *ends, *value;
    double *real;
    a_int *select;
    a_int parameter[11], place[14], size;
} room;

static tn_status open_lanczos(const eigen_search *s, room *r)
{
    const tn_host *host = s->work->host;
    const size_t n = s->size, m = vectors_for(s->wanted, s->free);
    *r = (room){.wanted = (a_int)s->wanted,
                .vectors = (a_int)m,
                .size = (a_int)(m * (m + 8)),
                .parameter = {1, 0, MOST_TURNS, 1, 0, 0, 3}};
    r->start = tn_eigen_numbers(host, n);
    r->basis = tn_eigen_numbers(host, n * m);
    r->work = tn_eigen_numbers(host, 3 * n);
    r->projected = tn_eigen_numbers(host, (size_t)r->size);
    r->select = host->allocate(host, (m + 1) * sizeof *r->select);
    return r->start && r->basis && r->work && r->projected && r->select ? TN_OK : TN_OUT_OF_MEMORY;
}

/* Into the range of the operator, where all rows hold. */
static tn_status start_lanczos(eigen_search *s, room *r)
{
    uint64_t state = 1;
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
        dsaupd_c(&ido, "G", n, "LM", r->wanted, 0.0, r->start, r->vectors, r->basis, n, r->parameter,
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

static tn_status run_lanczos(eigen_search *s, room *r)
{
    a_int info = 0;
    tn_status status = iterate_lanczos(s, r, &info);
    if (status != TN_OK) return status;
    if (info != 0) return tell_failure(s, r->wanted, info, r->parameter[4]);
    double *value = tn_eigen_numbers(s->work->host, (size_t)r->vectors);
    if (!value) return TN_OUT_OF_MEMORY;
    dseupd_c(1, "A", r->select, value, r->basis, (a_int)s->size, creal(s->s), "G", (a_int)s->size, "LM",
             r->wanted, 0.0, r->start, r->vectors, r->basis, (a_int)s->size, r->parameter, r->place, r->work,
             r->projected, r->size, &info);
    if (info != 0) return tell_failure(s, r->wanted, info, r->parameter[4]);
    s->found = (size_t)(r->parameter[4] < r->wanted ? r->parameter[4] : r->wanted);
    for (size_t k = 0; k < s->found; k++) {
        s->value[k] = value[k];
        for (size_t i = 0; i < s->size; i++)
            s->vector[k * s->size + i] = r->basis[k * s->size + i];
    }
    return TN_OK;
}

/* ---- Arnoldi ---------------------------------------------------------------------------------------------------------- */

/* Room for as many eigenvalues as are sought at first. */
static tn_status open_arnoldi(const eigen_search *s, room *r)
{
    const tn_host *host = s->work->host;
    const size_t n = s->size, m = vectors_for(s->wanted > BESIDE ? s->wanted : BESIDE, s->free);
    *r = (room){.size = (a_int)(3 * m * m + 5 * m)};
    r->complex_start = host->allocate(host, n * sizeof *r->complex_start);
    r->complex_basis = host->allocate(host, n * m * sizeof *r->complex_basis);
    r->complex_work = host->allocate(host, 3 * n * sizeof *r->complex_work);
    r->complex_projected = host->allocate(host, (size_t)r->size * sizeof *r->complex_projected);
    r->ends = host->allocate(host, 3 * m * sizeof *r->ends);
    r->value = host->allocate(host, (m + 1) * sizeof *r->value);
    r->real = tn_eigen_numbers(host, m);
    r->select = host->allocate(host, (m + 1) * sizeof *r->select);
    const bool good = r->complex_start && r->complex_basis && r->complex_work && r->complex_projected &&
                      r->ends && r->value && r->real && r->select;
    return good ? TN_OK : TN_OUT_OF_MEMORY;
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

static tn_status iterate_arnoldi(eigen_search *s, room *r)
{
    const a_int n = (a_int)s->size;
    a_int ido = 0, info = 1;
    tn_status status = TN_OK;
    while (ido != 99 && status == TN_OK) {
        znaupd_c(&ido, "I", n, "LM", r->wanted, 0.0, r->complex_start, r->vectors, r->complex_basis, n,
                 r->parameter, r->place, r->complex_work, r->complex_projected, r->size, r->real, &info);
        if (ido == 1 || ido == -1)
            status = tn_search_apply_beside(s, r->complex_work + r->place[0] - 1,
                                            r->complex_work + r->place[1] - 1);
    }
    if (status != TN_OK) return status;
    if (info != 0) return tell_failure(s, r->wanted, info, r->parameter[4]);
    zneupd_c(1, "P", r->select, r->value, r->complex_basis, n, 0.0, r->ends, "I", n, "LM", r->wanted, 0.0,
             r->complex_start, r->vectors, r->complex_basis, n, r->parameter, r->place, r->complex_work,
             r->complex_projected, r->size, r->real, &info);
    return info == 0 ? TN_OK : tell_failure(s, r->wanted, info, r->parameter[4]);
}

/* Takes Schur vectors of eigenvalues that are near enough into the basis, all or none: false for none. */
static bool take_vectors(eigen_search *s, const room *r)
{
    const size_t count = (size_t)(r->parameter[4] < r->wanted ? r->parameter[4] : r->wanted);
    double nearest = 0.0, furthest = HUGE_VAL;
    for (size_t k = 0; k < count; k++) {
        nearest = fmax(nearest, cabs(r->value[k]));
        furthest = fmin(furthest, cabs(r->value[k]));
    }
    if (s->known && !(nearest * s->reach >= AS_NEAR)) return false;
    if (s->known + count > s->room) {
        s->reach = 0.0;
        return false;
    }
    memcpy(s->basis + s->known * s->size, r->complex_basis, count * s->size * sizeof *s->basis);
    if (!s->known) s->reach = 1.0 / furthest;
    s->known += count;
    return true;
}

static tn_status run_arnoldi(eigen_search *s, room *r)
{
    tn_status status = TN_OK;
    bool more = true;
    for (size_t wanted = s->wanted; more && status == TN_OK; wanted = BESIDE) {
        const size_t left = s->free > s->known ? s->free - s->known : 0;
        if (left <= LEAST_ROOM) break;
        if (wanted > left - LEAST_ROOM) wanted = left - LEAST_ROOM;
        const a_int parameter[11] = {1, 0, MOST_TURNS, 1, 0, 0, 1};
        memcpy(r->parameter, parameter, sizeof parameter);
        r->wanted = (a_int)wanted;
        r->vectors = (a_int)vectors_for(wanted, left);
        status = start_arnoldi(s, r);
        if (status == TN_OK) status = iterate_arnoldi(s, r);
        more = status == TN_OK && take_vectors(s, r);
    }
    return status == TN_OK ? tn_search_resolve(s) : status;
}

/* ---- both ------------------------------------------------------------------------------------------------------------ */

tn_status tn_search_iterate(eigen_search *s)
{
    room r;
    const bool symmetric = s->work->symmetric;
    tn_status status = symmetric ? open_lanczos(s, &r) : open_arnoldi(s, &r);
    if (status == TN_OK && symmetric) status = start_lanczos(s, &r);
    if (status != TN_OK) return status;
    (void)pthread_mutex_lock(&arpack);
    status = symmetric ? run_lanczos(s, &r) : run_arnoldi(s, &r);
    (void)pthread_mutex_unlock(&arpack);
    return status;
}
