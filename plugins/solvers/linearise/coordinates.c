/* coordinates.c - independent rows, and the coordinates of the motions that they leave: named ones, or orthonormal ones (linearise.h)
 *
 * Scaled coordinates are those over their size in the model, `scale`. With N the free positions by rows, xi = scale N^T p; for named
 * positions, of which P are the derivatives, p = P xi, and xi = scale N^T (P scale N^T)^-1 p. Rates likewise. */
#include "linearise.h"

#define INDEPENDENT 1e-9      /* what a row adds to those before it, of its size */
#define INDEPENDENT_NAME 1e-7 /* the same of named positions */
#define ONE_MOTION 1e-7       /* a second motion of a body, of its size */
#define LEAST_SHIFT 1e-9      /* a body that moves less, of its turn at the size of the model, turns only */

/* ---- rows ---------------------------------------------------------------------------------------------------------- */

/* Extends the basis by the rows of a level, each time by the one that has most left beside it. */
static void add_rows(linear_work *work, const linear_matrix *scaled, enum tn_row_level level, bool *used)
{
    const tn_system *system = work->system;
    const size_t nv = work->nv;
    for (size_t r = 0; r < work->rows && work->independent < nv; r++) {
        if (system->row_level[r] != level || used[r]) continue;
        if (!linear_extend(work->basis.value, &work->independent, nv, linear_row(scaled, r), INDEPENDENT))
            continue;
        used[r] = true;
        work->row[work->independent - 1] = (uint32_t)r;
    }
}

/* What `count` rows of the basis leave, by rows. */
static bool complete(linear_work *work, size_t count, linear_matrix *to)
{
    const size_t nv = work->nv;
    linear_matrix all, unit;
    size_t found = count;
    if (!linear_new(work, &all, nv + 1, nv) || !linear_new(work, &unit, 1, nv)) return false;
    memcpy(all.value, work->basis.value, count * nv * sizeof *all.value);
    for (size_t i = 0; i < nv && found < nv; i++) {
        unit.value[i] = 1.0;
        (void)linear_extend(all.value, &found, nv, unit.value, 0.5 / sqrt((double)nv));
        unit.value[i] = 0.0;
    }
    *to = (linear_matrix){found - count, nv, all.value + count * nv};
    return true;
}

static bool find_free(linear_work *work)
{
    const size_t nv = work->nv;
    linear_matrix scaled;
    bool *used = linear_array(work, work->rows, sizeof *used);
    work->row = linear_array(work, work->rows, sizeof *work->row);
    if (!used || !work->row || !linear_new(work, &scaled, work->rows, nv) ||
        !linear_new(work, &work->basis, nv + 1, nv))
        return false;
    for (size_t r = 0; r < work->rows; r++)
        for (size_t i = 0; i < nv; i++)
            linear_row(&scaled, r)[i] = linear_row(&work->R, r)[i] * work->system->scale[i];
    add_rows(work, &scaled, TN_POSITION_ROW, used);
    work->position_rows = work->independent;
    add_rows(work, &scaled, TN_VELOCITY_ROW, used);
    return complete(work, work->position_rows, &work->free_positions) &&
           complete(work, work->independent, &work->free_velocities);
}

/* ---- bodies as positions -------------------------------------------------------------------------------------------- */

/* The motion of a body [count] that the constraints leave; false where it is not one. */
static bool find_motion(const linear_work *work, const tn_signal_info *body, double *d)
{
    const double *scale = work->system->scale + body->first;
    double largest = 0.0;
    size_t best = 0;
    for (size_t k = 0; k < work->free_positions.rows; k++) {
        const double *row = linear_row(&work->free_positions, k) + body->first;
        double square = 0.0;
        for (uint32_t i = 0; i < body->count; i++)
            square += row[i] * row[i];
        if (square > largest) {
            largest = square;
            best = k;
        }
    }
    if (!(largest > ONE_MOTION * ONE_MOTION)) return false;
    const double *first = linear_row(&work->free_positions, best) + body->first;
    bool one = true;
    for (size_t k = 0; k < work->free_positions.rows; k++) {
        const double *row = linear_row(&work->free_positions, k) + body->first;
        double along = 0.0;
        for (uint32_t i = 0; i < body->count; i++)
            along += row[i] * first[i] / largest;
        for (uint32_t i = 0; i < body->count; i++)
            one = one && fabs(row[i] - along * first[i]) <= ONE_MOTION;
    }
    for (uint32_t i = 0; i < body->count; i++)
        d[i] = first[i] * scale[i];
    return one;
}

/* A direction has its largest component positive, of equal ones the first. */
static void take_direction(const double *d, size_t count, double *to)
{
    double size = 0.0;
    size_t best = 0;
    for (size_t i = 0; i < count; i++) {
        size = hypot(size, d[i]);
        if (fabs(d[i]) > fabs(d[best]) * (1.0 + 1e-6)) best = i;
    }
    for (size_t i = 0; i < count; i++)
        to[i] = d[i] / (d[best] < 0.0 ? -size : size);
}

/* The displacement of the reference point along the line on which it moves; where it stays, the angle about the axis; of other bodies the
 * coordinate that moves most. */
static tn_status name_body(linear_work *work, size_t k, linear_name *name)
{
    const tn_system *system = work->system;
    const tn_signal_info body = work->signals->position(work->system, work->position[k]);
    double *d = linear_array(work, body.count, sizeof *d), *row = linear_row(&work->name_row, k) + body.first;
    if (!d) return TN_OUT_OF_MEMORY;
    if (!find_motion(work, &body, d))
        return linear_refuse_position(work, k,
                                      "`%s` is a body that does not have just one motion: name a coordinate, "
                                      "such as that of a joint, or "
                                      "a sensor",
                                      body.name);
    const bool rigid = body.count == 6 && system->angular[body.first + 3] && system->angular[body.first + 5];
    double shift = 0.0, turn = 0.0;
    for (uint32_t i = 0; i < body.count; i++)
        *(i < 3 ? &shift : &turn) +=
            d[i] * d[i] / (system->scale[body.first + i] * system->scale[body.first + i]);
    name->unit = "m";
    if (body.count == 3) { // a point
        take_direction(d, 3, row);
    } else if (!rigid) {
        size_t best = 0;
        for (size_t i = 1; i < body.count; i++)
            if (fabs(d[i]) > fabs(d[best])) best = i;
        row[best] = 1.0;
        name->unit = "";
    } else if (sqrt(shift) > LEAST_SHIFT * sqrt(turn)) {
        take_direction(d, 3, row);
    } else {
        take_direction(d + 3, 3, row + 3);
        name->unit = "rad";
    }
    return TN_OK;
}

/* ---- named positions ------------------------------------------------------------------------------------------------- */

/* P scale N^T by rows. */
static bool project(linear_work *work, const linear_matrix *rows, const linear_matrix *basis,
                    linear_matrix *to)
{
    if (!linear_new(work, to, rows->rows, basis->rows)) return false;
    for (size_t r = 0; r < rows->rows; r++)
        for (size_t k = 0; k < basis->rows; k++)
            for (size_t i = 0; i < work->nv; i++)
                linear_row(to, r)[k] +=
                    linear_row(rows, r)[i] * work->system->scale[i] * linear_row(basis, k)[i];
    return true;
}

/* scale N^T x of coefficients x [basis][columns]. */
static bool expand(linear_work *work, const linear_matrix *basis, const linear_matrix *x, linear_matrix *to)
{
    if (!linear_new(work, to, work->nv, x->columns)) return false;
    for (size_t k = 0; k < basis->rows; k++)
        for (size_t i = 0; i < work->nv; i++)
            for (size_t c = 0; c < x->columns; c++)
                linear_row(to, i)[c] +=
                    work->system->scale[i] * linear_row(basis, k)[i] * linear_row(x, k)[c];
    return true;
}

/* A motion that the named positions say nothing of. */
static tn_status refuse_few(linear_work *work, const linear_matrix *named, double *known, size_t count)
{
    const size_t np = named->columns;
    linear_matrix x, xi;
    char text[LINEAR_TEXT / 2] = "";
    if (!linear_new(work, &x, np, 1)) return TN_OUT_OF_MEMORY;
    for (size_t i = 0; i < np; i++) {
        size_t found = count;
        memset(x.value, 0, np * sizeof *x.value);
        x.value[i] = 1.0;
        if (!linear_extend(known, &found, np, x.value, 0.5 / sqrt((double)np))) continue;
        memcpy(x.value, known + count * np, np * sizeof *x.value);
        break;
    }
    if (!expand(work, &work->free_positions, &x, &xi)) return TN_OUT_OF_MEMORY;
    work->equations->to_own_axes(work->system, xi.value);
    work->statics->describe(work->system, xi.value, text, sizeof text);
    return tn_refuse(work->system->host, "states",
                     "`states` names %zu position%s, but the model moves in %zu ways: name %zu more; none of "
                     "them changes where %s",
                     work->positions, work->positions == 1 ? "" : "s", np, np - work->positions, text);
}

static tn_status check_names(linear_work *work, const linear_matrix *named)
{
    const size_t np = named->columns;
    double *known = linear_array(work, (np + 2) * np, sizeof *known);
    size_t count = 0;
    if (!known) return TN_OUT_OF_MEMORY;
    for (size_t k = 0; k < work->positions; k++) {
        const char *name = work->signals->position(work->system, work->position[k]).name;
        double size = 0.0;
        for (size_t i = 0; i < np; i++)
            size = fmax(size, fabs(linear_row(named, k)[i]));
        if (size > 0.0 && count < np &&
            linear_extend(known, &count, np, linear_row(named, k), INDEPENDENT_NAME))
            continue;
        return size > 0.0
                   ? linear_refuse_position(
                         work, k, "`%s` is not independent of those before it: the model moves in %zu way%s",
                         name, np, np == 1 ? "" : "s")
                   : linear_refuse_position(work, k, "constraints let nothing change `%s`", name);
    }
    return count < np ? refuse_few(work, named, known, count) : TN_OK;
}

/* The first named positions whose rates are independent, as many as there are velocities. */
static tn_status choose_rates(linear_work *work, linear_matrix *rate_rows, linear_matrix *rate_slopes)
{
    const size_t nw = work->free_velocities.rows, nv = work->nv;
    linear_matrix named;
    double *known = linear_array(work, (nw + 2) * nw, sizeof *known);
    work->rate_of = linear_array(work, nw, sizeof *work->rate_of);
    if (!known || !work->rate_of || !project(work, &work->name_row, &work->free_velocities, &named) ||
        !linear_new(work, rate_rows, nw, nv) || !linear_new(work, rate_slopes, nw, nv))
        return TN_OUT_OF_MEMORY;
    size_t count = 0;
    for (size_t k = 0; k < work->positions && count < nw; k++) {
        if (!linear_extend(known, &count, nw, linear_row(&named, k), INDEPENDENT_NAME)) continue;
        work->rate_of[count - 1] = (uint32_t)k;
        memcpy(linear_row(rate_rows, count - 1), linear_row(&work->name_row, k), nv * sizeof(double));
        memcpy(linear_row(rate_slopes, count - 1), linear_row(&work->name_slope, k), nv * sizeof(double));
    }
    return TN_OK;
}

/* ---- velocities ------------------------------------------------------------------------------------------------------- */

/* Velocities that rows ask for where positions change: R eta = -L xi, the smallest ones. */
static tn_status find_forced(linear_work *work, linear_matrix *eta)
{
    const size_t n = work->independent, np = work->free_count;
    linear_matrix rows, product, right, y;
    if (!linear_new(work, &rows, n, work->nv) || !linear_new(work, &right, n, np) ||
        !linear_new(work, &y, n, np))
        return TN_OUT_OF_MEMORY;
    for (size_t r = 0; r < n; r++) {
        memcpy(linear_row(&rows, r), linear_row(&work->R, work->row[r]), work->nv * sizeof(double));
        const linear_matrix slope = {1, work->nv, linear_row(&work->L, work->row[r])};
        linear_matrix to = {1, np, linear_row(&right, r)};
        linear_add_product(-1.0, &slope, &work->xi, &to);
    }
    const linear_matrix basis = {n, work->nv, work->basis.value};
    if (!project(work, &rows, &basis, &product)) return TN_OUT_OF_MEMORY;
    if (linear_solve(work, &product, &right) < 0.0) return TN_OUT_OF_MEMORY;
    return expand(work, &basis, &right, eta) ? TN_OK : TN_OUT_OF_MEMORY;
}

/* eta by p and by w, where w are the rates in the rows of P (and S), or coefficients of the free velocities. */
static tn_status find_velocities(linear_work *work, const linear_matrix *P, const linear_matrix *S)
{
    const size_t nw = work->free_velocities.rows, np = work->free_count;
    linear_matrix product, unit, rates;
    if (!linear_new(work, &unit, nw, nw)) return TN_OUT_OF_MEMORY;
    for (size_t k = 0; k < nw; k++)
        linear_row(&unit, k)[k] = 1.0;
    if (P && !project(work, P, &work->free_velocities, &product)) return TN_OUT_OF_MEMORY;
    const double condition = P ? linear_solve(work, &product, &unit) : 1.0;
    if (condition < 0.0) return TN_OUT_OF_MEMORY;
    if (!(condition > 0.0))
        return tn_refuse(work->system->host, "states",
                         "the rates of these positions depend on each other here: name others");
    if (!expand(work, &work->free_velocities, &unit, &work->eta_w)) return TN_OUT_OF_MEMORY;
    const tn_status status = find_forced(work, &work->eta_p);
    if (status != TN_OK || !P) return status;
    if (!linear_new(work, &rates, nw, np)) return TN_OUT_OF_MEMORY;
    linear_add_product(1.0, P, &work->eta_p, &rates);
    linear_add_product(1.0, S, &work->xi, &rates);
    linear_add_product(-1.0, &work->eta_w, &rates, &work->eta_p);
    return TN_OK;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------- */

static tn_status name_bodies(linear_work *work, linear_name *name)
{
    tn_status status = TN_OK;
    for (size_t k = 0; k < work->positions && status == TN_OK; k++) {
        const tn_signal_info info = work->signals->position(work->system, work->position[k]);
        name[k] = (linear_name){info.name, info.unit, info.value, "position"};
        if (info.count) status = name_body(work, k, &name[k]);
    }
    return status;
}

/* "m/s" of "m". */
static const char *rate_unit(linear_work *work, const char *unit)
{
    return *unit ? linear_print(work, "%s/s", unit) : "1/s";
}

static double rate_value(const linear_work *work, size_t k)
{
    double *v = work->system->v, sum = 0.0;
    const double *own = work->signals->position_slopes + work->position[k] * work->nv;
    const bool body = work->signals->position(work->system, work->position[k]).count > 0;
    for (size_t i = 0; i < work->nv; i++) {
        double still = v[i];
        if (body) {
            still = 0.0;
            for (size_t c = 0; c < 3 && work->turn_first[i] + c < work->nv; c++)
                still += work->turn.value[3 * i + c] * v[work->turn_first[i] + c];
        }
        sum += (body ? linear_row(&work->name_row, k)[i] : own[i]) * still;
    }
    return sum;
}

static void list_states(linear_work *work)
{
    linear_name *to = work->state_name + work->free_count;
    const bool named = work->positions > 0;
    if (!named)
        for (size_t k = 0; k < work->free_count; k++)
            work->state_name[k] = (linear_name){linear_print(work, "p%zu", k), "", (double)NAN, "position"};
    for (size_t k = 0; k < work->velocity_count; k++) {
        const linear_name *of = named ? &work->state_name[work->rate_of[k]] : NULL;
        *to++ = named ? (linear_name){linear_print(work, "%s'", of->name), rate_unit(work, of->unit),
                                      rate_value(work, work->rate_of[k]), "rate"}
                      : (linear_name){linear_print(work, "w%zu", k), "", (double)NAN, "rate"};
    }
    for (size_t k = 0; k < work->states; k++) {
        const tn_signal_info info = work->signals->state(work->system, (uint32_t)k);
        *to++ = (linear_name){info.name, info.unit, work->system->x[k], "state"};
    }
}

static tn_status find_named(linear_work *work)
{
    linear_matrix named, unit, rate_rows, rate_slopes;
    const size_t np = work->free_count;
    tn_status status = name_bodies(work, work->state_name);
    if (status != TN_OK) return status;
    if (!project(work, &work->name_row, &work->free_positions, &named) || !linear_new(work, &unit, np, np))
        return TN_OUT_OF_MEMORY;
    status = check_names(work, &named);
    if (status != TN_OK) return status;
    for (size_t k = 0; k < np; k++)
        linear_row(&unit, k)[k] = 1.0;
    if (linear_solve(work, &named, &unit) < 0.0) return TN_OUT_OF_MEMORY;
    if (!expand(work, &work->free_positions, &unit, &work->xi)) return TN_OUT_OF_MEMORY;
    status = choose_rates(work, &rate_rows, &rate_slopes);
    return status == TN_OK ? find_velocities(work, &rate_rows, &rate_slopes) : status;
}

static tn_status find_own(linear_work *work)
{
    const size_t np = work->free_count;
    linear_matrix unit;
    if (!linear_new(work, &unit, np, np)) return TN_OUT_OF_MEMORY;
    for (size_t k = 0; k < np; k++)
        linear_row(&unit, k)[k] = 1.0;
    if (!expand(work, &work->free_positions, &unit, &work->xi)) return TN_OUT_OF_MEMORY;
    return find_velocities(work, NULL, NULL);
}

tn_status linear_find_coordinates(linear_work *work)
{
    if (!find_free(work)) return TN_OUT_OF_MEMORY;
    work->free_count = work->free_positions.rows;
    work->velocity_count = work->free_velocities.rows;
    const size_t named = work->free_count > work->positions ? work->free_count : work->positions;
    work->state_name =
        linear_array(work, named + work->velocity_count + work->states, sizeof *work->state_name);
    if (!work->state_name) return TN_OUT_OF_MEMORY;
    const tn_status status = work->positions ? find_named(work) : find_own(work);
    if (status == TN_OK) list_states(work);
    return status;
}
