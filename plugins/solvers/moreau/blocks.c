/* blocks.c - the rows of a step, gathered in one place: those of elements, by their kinds, and points of contact
 *
 * Joints are to stand still at the end of the step, where r_e is their rate as predicted; one-sided rows take part where they would be
 * closed before that end, by the rates in the middle. */
#include "moreau.h"

#include "tenon/kit/growing.h"

#include <float.h>

#define FALLS 10.0 /* an approach slower than this number of steps of free fall is no impact */
#define TIPS 4.0   /* corners of a tilting body fall by up to this multiple of free fall */
enum { CONTACT_ROWS = 3 };

/* ---- arrays ----------------------------------------------------------------------------------------------------- */

void tn_moreau_open_problem(moreau_work *work, moreau_problem *problem)
{
    problem->table.struct_size = sizeof problem->table;
    problem->table.nv = work->system->nv;
    problem->table.rows = problem->table.blocks = 0;
}

bool tn_moreau_add_block(moreau_problem *problem, uint32_t law, uint32_t rows, uint32_t owner,
                         double friction)
{
    tn_impulse_problem *p = &problem->table;
    if (!tn_grow_array(&problem->block, &problem->block_room, p->blocks + (size_t)1, sizeof *problem->block))
        return false;
    problem->block[p->blocks++] =
        (tn_impulse_block){.law = law, .first = p->rows, .rows = rows, .owner = owner, .friction = friction};
    return true;
}

bool tn_moreau_add_row(moreau_problem *problem, uint32_t source, const uint32_t *column, const double *value,
                       uint32_t entries, double free_rate, double impulse)
{
    tn_impulse_problem *p = &problem->table;
    const uint32_t r = p->rows;
    if (!tn_grow_array(&problem->row_start, &problem->start_room, r + (size_t)2, sizeof *problem->row_start))
        return false;
    if (r == 0) problem->row_start[0] = 0;
    const uint32_t first = problem->row_start[r];
    const size_t count = (size_t)first + entries;
    if (!tn_grow_array(&problem->source, &problem->source_room, r + (size_t)1, sizeof *problem->source) ||
        !tn_grow_array(&problem->free_rate, &problem->free_room, r + (size_t)1, sizeof(double)) ||
        !tn_grow_array(&problem->aim, &problem->aim_room, r + (size_t)1, sizeof(double)) ||
        !tn_grow_array(&problem->mean, &problem->mean_room, r + (size_t)1, sizeof(double)) ||
        !tn_grow_array(&problem->impulse, &problem->impulse_room, r + (size_t)1, sizeof(double)) ||
        !tn_grow_array(&problem->column, &problem->column_room, count, sizeof *problem->column) ||
        !tn_grow_array(&problem->value, &problem->value_room, count, sizeof *problem->value))
        return false;
    if (entries) {
        memcpy(problem->column + first, column, entries * sizeof *column);
        memcpy(problem->value + first, value, entries * sizeof *value);
    }
    problem->source[r] = source;
    problem->aim[r] = problem->mean[r] = (double)NAN;
    problem->free_rate[r] = free_rate;
    problem->impulse[r] = impulse;
    problem->row_start[r + 1] = (uint32_t)count;
    p->rows++;
    return true;
}

void tn_moreau_close_problem(moreau_work *work, moreau_problem *problem)
{
    tn_impulse_problem *p = &problem->table;
    p->block = problem->block;
    p->row_start = problem->row_start;
    p->column = problem->column;
    p->value = problem->value;
    p->free_rate = problem->free_rate;
    p->impulse = problem->impulse;
    p->matrix = &work->A;
    p->body_start = work->o->body_start;
    p->bodies = work->o->bodies;
    p->block_diagonal = work->A_block_diagonal;
    p->symmetric = !work->stand.implicit;
    p->same_matrix = problem->matrix_taken == work->matrices;
    p->begins_step = work->begins_step;
    p->independent_joints = work->system->dependent_rows == 0;
}

void tn_moreau_free_problem(moreau_problem *problem, const tn_constraint_solver_type *type)
{
    if (problem->self) type->destroy(problem->self);
    void *const blocks[] = {problem->block,   problem->row_start, problem->column,
                            problem->source,  problem->value,     problem->free_rate,
                            problem->impulse, problem->aim,       problem->mean};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        free(blocks[k]);
    memset(problem, 0, sizeof *problem);
}

/* sum += G^T p */
void tn_moreau_add_impulses(const moreau_problem *problem, double *sum)
{
    const tn_impulse_problem *p = &problem->table;
    for (uint32_t r = 0; r < p->rows; r++)
        for (uint32_t e = p->row_start[r]; e < p->row_start[r + 1]; e++)
            sum[p->column[e]] += p->value[e] * p->impulse[r];
}

/* ---- rates ------------------------------------------------------------------------------------------------------ */

/* Rates of a row at both ends of the step. */
typedef struct ends {
    double first, free; /* with v0; with v1 without impulses */
} ends;

static double product(const uint32_t *column, const double *value, uint32_t entries, const double *x)
{
    double sum = 0.0;
    for (uint32_t e = 0; e < entries; e++)
        sum += value[e] * x[column[e]];
    return sum;
}

static ends find_ends(const moreau_work *work, const uint32_t *column, const double *value, uint32_t entries,
                      double drift)
{
    return (ends){drift + product(column, value, entries, work->V0),
                  drift + product(column, value, entries, work->Vp) +
                      product(column, value, entries, work->y)};
}

/* The gap at q_m, corrected for the difference of the place at which rows are evaluated. */
static double gap_in_middle(const moreau_work *work, double gap, const uint32_t *column, const double *value,
                            uint32_t entries)
{
    for (uint32_t e = 0; e < entries; e++) {
        const uint32_t j = column[e];
        gap -= value[e] * (work->way_f[j] - (1.0 - work->theta) * work->h * work->v0[j]);
    }
    return gap;
}

/* Whether a one-sided row would close before the end of the step without impulses. */
static bool closes(const moreau_work *work, double gap, ends u)
{
    const double fall = fabs(u.free - u.first), slow = fmin(fmin(u.first, u.free), 0.0);
    const double fastest =
        u.first < -FALLS * fall ? u.first : slow; /* resting bodies approach by free fall */
    return gap <= 0.0 || gap + work->theta * work->h * fastest <= 0.0;
}

/* The law of a one-sided row, as the model gives it. */
typedef struct rebound_law {
    double restitution, threshold; /* m/s; 0: that of some steps of free fall */
} rebound_law;

/* An approach no faster than this is no impact. */
static double slowest_impact(const moreau_work *work, rebound_law law)
{
    return law.threshold > 0.0 ? law.threshold : FALLS * work->fall;
}

/* Whether a one-sided row takes part, and what is added to its rate then: what an impact throws back, or, where it stays open, what it
 * may close by, for impulses elsewhere can drive it there: a box that stands on another one only falls with it as long as that one falls.
 * What would be thrown back has to come to its impact first, unless it is as near as what rests. */
static bool takes_part(const moreau_work *work, double gap, ends u, rebound_law law, double *shift)
{
    const double slow = slowest_impact(work, law), way = work->theta * work->h;
    if (closes(work, gap, u)) {
        *shift = u.first < -slow ? law.restitution * u.first : 0.0;
        return true;
    }
    *shift = gap / way;
    const double rests = way * fmax(slow, TIPS * work->fall);
    return gap <= (law.restitution > 0.0 ? fmin(rests, work->reach) : work->reach);
}

/* The largest change of translational velocities by free fall. */
static double find_fall(const moreau_work *work)
{
    double fall = 0.0;
    for (uint32_t j = 0; j < work->system->nv; j++)
        if (!work->system->angular[j])
            fall = tn_moreau_larger(fall, fabs(work->Vp[j] + work->y[j] - work->V0[j]));
    return fall;
}

/* The largest approach of surfaces in a step, at twice the largest velocities, or those of free fall. */
static double find_reach(const moreau_work *work)
{
    const tn_system *system = work->system;
    double speed = work->fall, size = 0.0;
    for (uint32_t j = 0; j < system->nv; j++) {
        const double own = system->angular[j] ? 0.0 : system->scale[j];
        size = tn_moreau_larger(size, own);
    }
    for (uint32_t j = 0; j < system->nv; j++) {
        const double v = tn_moreau_larger(fabs(work->v0[j]), fabs(work->v_f[j]));
        speed = tn_moreau_larger(speed, system->angular[j] ? size * v : v);
    }
    return 2.0 * work->h * speed + 1e-9 * size;
}

/* ---- rows of elements ------------------------------------------------------------------------------------------- */

static bool add_own_row(moreau_work *work, uint32_t r, double free_rate)
{
    const tn_operators *o = work->o;
    const uint32_t first = o->row_start[r];
    return tn_moreau_add_row(&work->main, r, o->column + first, o->value + first, o->row_start[r + 1] - first,
                             free_rate, work->lambda0[r] * work->h);
}

static ends ends_of_row(const moreau_work *work, uint32_t r)
{
    const tn_operators *o = work->o;
    const uint32_t first = o->row_start[r];
    return find_ends(work, o->column + first, o->value + first, o->row_start[r + 1] - first, work->drift[r]);
}

/* What a joint is to have no more of at the end: what impulses of others make there, to which the rate of the predicted end is added
 * later; or the sum of both ends in the middle, so that their mean vanishes. */
static double joint_rate(const moreau_work *work, uint32_t r)
{
    const tn_operators *o = work->o;
    const uint32_t first = o->row_start[r], entries = o->row_start[r + 1] - first;
    if (work->settings->law == BY_POSITION)
        return product(o->column + first, o->value + first, entries, work->y);
    const ends u = ends_of_row(work, r);
    return u.first + u.free;
}

/* The rate of a one-sided row of an element; false where it is not included. */
static bool find_rate(const moreau_work *work, uint32_t r, double *rate)
{
    const tn_operators *o = work->o;
    const ends u = ends_of_row(work, r);
    const uint32_t first = o->row_start[r];
    const double gap =
        gap_in_middle(work, work->gap[r], o->column + first, o->value + first, o->row_start[r + 1] - first);
    double shift = 0.0;
    const bool takes = takes_part(work, gap, u, (rebound_law){o->restitution[r], 0.0}, &shift);
    *rate = u.free + shift;
    return takes;
}

static bool add_cone(moreau_work *work, uint32_t r)
{
    const tn_operators *o = work->o;
    double rate = 0.0;
    if (!find_rate(work, r, &rate)) return true;
    return tn_moreau_add_block(&work->main, TN_CONE_LAW, CONTACT_ROWS, o->row_owner[r], o->friction[r]) &&
           add_own_row(work, r, rate) && add_own_row(work, r + 1, ends_of_row(work, r + 1).free) &&
           add_own_row(work, r + 2, ends_of_row(work, r + 2).free);
}

static bool add_one_sided(moreau_work *work, uint32_t r)
{
    double rate = 0.0;
    if (!find_rate(work, r, &rate)) return true;
    return tn_moreau_add_block(&work->main, TN_UNILATERAL_LAW, 1, work->o->row_owner[r], 0.0) &&
           add_own_row(work, r, rate);
}

/* Consecutive rows of one element are a joint. */
static bool add_joint(moreau_work *work, uint32_t first, uint32_t count)
{
    if (!tn_moreau_add_block(&work->main, TN_JOINT_LAW, count, work->o->row_owner[first], 0.0)) return false;
    for (uint32_t r = first; r < first + count; r++)
        if (!add_own_row(work, r, joint_rate(work, r))) return false;
    return true;
}

static uint32_t count_joint_rows(const moreau_work *work, uint32_t first)
{
    const tn_operators *o = work->o;
    uint32_t r = first;
    while (r < work->system->rows && o->row_kind[r] == TN_BILATERAL && o->row_owner[r] == o->row_owner[first])
        r++;
    return r - first;
}

static bool add_rows_of_elements(moreau_work *work)
{
    bool good = true;
    for (uint32_t r = 0, count; good && r < work->system->rows; r += count) {
        const uint32_t kind = work->o->row_kind[r];
        count = kind == TN_BILATERAL ? count_joint_rows(work, r) : kind == TN_CONE_NORMAL ? CONTACT_ROWS : 1;
        good = kind == TN_BILATERAL     ? add_joint(work, r, count)
               : kind == TN_CONE_NORMAL ? add_cone(work, r)
                                        : add_one_sided(work, r);
    }
    return good;
}

/* ---- impacts within the step ------------------------------------------------------------------------------------ */

/* An impact at tau: u = u0 + a tau comes back as -e u there, and goes on with the acceleration a. Its rate and gap at the end; false where
 * it does not get away until then. u0 + u1 and the gap at q_m are those of the trapezoidal rule. */
static bool follow_rebound(const moreau_work *work, double gap, ends u, double restitution, double *rate,
                           double *aim, double *mean)
{
    const double h = work->h, a = (u.free - u.first) / h, start = gap - 0.5 * h * u.first;
    const double square = u.first * u.first - 2.0 * a * start;
    if (!(start >= 0.0) || !(square > 0.0)) return false;
    const double hit = sqrt(square), rest = h - 2.0 * start / (hit - u.first);
    *rate = restitution * hit + a * rest;
    *aim = restitution * hit * rest + 0.5 * a * rest * rest;
    *mean = 0.5 * (restitution - 1.0) * hit;
    return rest >= 0.0 && *rate >= 0.0 && *aim >= 0.0;
}

/* Whether no other block acts on what block `b` acts on. `user` [nv]: the only block that acts on each velocity, plus 1. */
static bool is_alone(const moreau_problem *main, uint32_t b, const double *user)
{
    const tn_impulse_block *block = &main->block[b];
    const uint32_t last = main->row_start[block->first + block->rows];
    for (uint32_t e = main->row_start[block->first]; e < last; e++)
        if (user[main->column[e]] != (double)b + 1.0) return false;
    return true;
}

static void find_users(const moreau_problem *main, double *user, uint32_t nv)
{
    memset(user, 0, nv * sizeof *user);
    for (uint32_t b = 0; b < main->table.blocks; b++) {
        const tn_impulse_block *block = &main->block[b];
        const uint32_t last = main->row_start[block->first + block->rows];
        for (uint32_t e = main->row_start[block->first]; e < last; e++) {
            double *of = &user[main->column[e]];
            *of = *of == 0.0 || *of == (double)b + 1.0 ? (double)b + 1.0 : -1.0;
        }
    }
}

/* Impacts on whose bodies no other impulses act: `a` is then the acceleration of the motion, and energy is conserved. */
static void time_impacts(moreau_work *work)
{
    moreau_problem *main = &work->main;
    const tn_contact_rows *c = work->contacts;
    if (work->settings->law != BY_POSITION || work->theta != 0.5 || !c->count) return;
    find_users(main, work->number, work->system->nv);
    for (uint32_t b = 0; b < main->table.blocks; b++) {
        const uint32_t r = main->block[b].first, source = main->source[r];
        if (source < work->system->rows || !is_alone(main, b, work->number)) continue;
        const tn_contact_point *point = &c->point[(source - work->system->rows) / CONTACT_ROWS];
        const uint32_t first = main->row_start[r], entries = main->row_start[r + 1] - first;
        const uint32_t *column = main->column + first;
        const double *value = main->value + first;
        const ends u = find_ends(work, column, value, entries, 0.0);
        const double gap = gap_in_middle(work, point->gap, column, value, entries);
        double rate = 0.0, aim = 0.0, mean = 0.0;
        if (!(u.first < -slowest_impact(work, (rebound_law){point->restitution, point->threshold})) ||
            !closes(work, gap, u) || !follow_rebound(work, gap, u, point->restitution, &rate, &aim, &mean))
            continue;
        main->free_rate[r] = u.free - rate;
        main->aim[r] = aim;
        main->mean[r] = mean;
    }
}

/* ---- points of contact ------------------------------------------------------------------------------------------ */

static bool add_point(moreau_work *work, uint32_t k)
{
    const tn_contact_rows *c = work->contacts;
    const tn_contact_point *point = &c->point[k];
    const uint32_t row = CONTACT_ROWS * k;
    const uint32_t before = c->before(work->system, k);
    ends u[CONTACT_ROWS];
    for (uint32_t i = 0; i < CONTACT_ROWS; i++) {
        const uint32_t first = c->row_start[row + i];
        u[i] = find_ends(work, c->column + first, c->value + first, c->row_start[row + i + 1] - first, 0.0);
    }
    const uint32_t normal = c->row_start[row];
    const double gap = gap_in_middle(work, point->gap, c->column + normal, c->value + normal,
                                     c->row_start[row + 1] - normal);
    double shift = 0.0;
    if (!takes_part(work, gap, u[0], (rebound_law){point->restitution, point->threshold}, &shift))
        return true;
    if (!tn_moreau_add_block(&work->main, TN_CONE_LAW, CONTACT_ROWS, c->owner[k], point->friction))
        return false;
    for (uint32_t i = 0; i < CONTACT_ROWS; i++) {
        const uint32_t first = c->row_start[row + i];
        const double scale = work->stand.last_length > 0.0 ? work->h / work->stand.last_length : 1.0;
        const double impulse =
            before == TN_NO_POINT ? 0.0 : scale * c->last_impulse[CONTACT_ROWS * (size_t)before + i];
        if (!tn_moreau_add_row(&work->main, work->system->rows + row + i, c->column + first, c->value + first,
                               c->row_start[row + i + 1] - first, u[i].free + (i ? 0.0 : shift), impulse))
            return false;
    }
    return true;
}

static tn_status add_contacts(moreau_work *work)
{
    if (!work->contacts) return TN_OK;
    double *v = work->system->v;
    const size_t bytes = work->system->nv * sizeof *v;
    memcpy(work->number, v, bytes);
    memcpy(v, work->V0, bytes); // for the work of impulses
    const tn_status status = work->contacts->find(work->system, work->reach);
    memcpy(v, work->number, bytes);
    for (uint32_t k = 0; status == TN_OK && k < work->contacts->count; k++)
        if (!add_point(work, k)) return TN_OUT_OF_MEMORY;
    return status;
}

/* ---- a step ----------------------------------------------------------------------------------------------------- */

tn_status tn_moreau_gather(moreau_work *work)
{
    tn_moreau_open_problem(work, &work->main);
    work->fall = find_fall(work);
    work->reach = find_reach(work);
    if (!add_rows_of_elements(work)) return TN_OUT_OF_MEMORY;
    const tn_status status = add_contacts(work);
    if (status == TN_OK && work->contacts) time_impacts(work);
    tn_moreau_close_problem(work, &work->main);
    return status;
}

/* What a joint's rate at the end is to be: zero, where reactions turn with their rows (curve.c).
 *
 * Elsewhere impulses act along the rows of the middle. With u0 and u1, the rates of both ends there, they do no work in steps with
 * u0 + u1 = 0. Imposed as it stands, as by the law of velocities, that makes a rate r_0 at the start come back with the other sign for
 * ever: r_1 = c - r_0, with c of the size of h^2, what the row turns by on both halves of the way. Motions without such a memory have
 * r = c/2 at all ends, and this is imposed: u0 + u1 is then of the size of h^3. Velocity rows vanish at the end. */
static double turning_rate(const moreau_work *work, uint32_t r)
{
    const tn_operators *o = work->o;
    double c = 0.0;
    for (uint32_t e = o->row_start[r]; e < o->row_start[r + 1]; e++) {
        const uint32_t j = o->column[e];
        c +=
            work->G1[e] * work->v1[j] + work->G0[e] * work->v0[j] - o->value[e] * (work->V0[j] + work->Vp[j]);
    }
    return c;
}

void tn_moreau_add_end_rates(moreau_work *work)
{
    const tn_impulse_problem *p = &work->main.table;
    for (uint32_t b = 0; work->settings->law == BY_POSITION && b < p->blocks; b++)
        for (uint32_t i = 0; p->block[b].law == TN_JOINT_LAW && i < p->block[b].rows; i++) {
            const uint32_t r = p->block[b].first + i;
            const uint32_t source = work->main.source[r];
            const bool position = work->system->row_level[source] == TN_POSITION_ROW;
            work->main.free_rate[r] += work->end_rate[source];
            if (position && !work->smooth && work->stand.knows_rows)
                work->main.free_rate[r] -= 0.5 * turning_rate(work, source);
        }
}
