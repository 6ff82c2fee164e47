/* riders.c - random markers on bodies and the calls that carry them */
#include "bodies.h"
#include "shared_memory.h"

#include <string.h>

/* ---- calls --------------------------------------------------------------------------------------------- */

static tn_attachments attachments_of(const tn_riders *r, const double *q, const double *v)
{
    const tn_bodies *b = r->bodies;
    return (tn_attachments){.struct_size = sizeof(tn_attachments),
                            .count = r->count,
                            .kind = r->kind,
                            .nq = b->nq,
                            .nv = b->nv,
                            .data_size = (uint32_t)r->data_size,
                            .body = r->body,
                            .data = r->data,
                            .instance = b->instances.first,
                            .instance_stride = b->instances.stride,
                            .q = q,
                            .v = v,
                            .columns = r->columns};
}

static bool call(const tn_riders *r, const char *what, tn_attachment_function function, tn_attachments *a)
{
    tn_shared_memory_keep((tn_any_function)function);
    const tn_status status = function(a);
    tn_shared_memory_compare(what);
    if (status != TN_OK) tn_fail(r->bodies->trial, "%s failed: %s", what, tn_status_text(status));
    return status == TN_OK;
}

/* A matrix of `rows` rows for each rider (0: as many as columns), which has the columns of the coordinates that the rider depends
 * on, among all coordinates: the others are zero. */
static bool call_matrix(const tn_riders *r, const char *what, tn_attachment_function function,
                        tn_attachments *a, size_t rows, double *matrix)
{
    const size_t nv = r->bodies->nv, columns = r->columns, own = rows ? rows : columns;
    a->matrix = matrix;
    if (columns == nv) return call(r, what, function, a);
    struct tn_block *mark = tn_mark(r->bodies->trial);
    a->matrix = tn_take_nan(r->bodies->trial, r->count * own * columns);
    const bool fine = call(r, what, function, a);
    memset(matrix, 0, r->count * (rows ? rows : nv) * nv * sizeof *matrix);
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < own; k++) {
            const size_t row = rows ? i * rows + k : i * nv + r->first[i] + k;
            memcpy(matrix + row * nv + r->first[i], a->matrix + (i * own + k) * columns,
                   columns * sizeof *matrix);
        }
    tn_release(r->bodies->trial, mark);
    return fine;
}

/* Coordinates and nodes that stand in the state are read there: the kernel calls no function for them. */
static bool are_called(const tn_riders *r)
{
    bool aliased = r->kind == TN_COORDINATE || tn_is_node(r->kind);
    for (uint32_t i = 0; i < r->count; i++)
        aliased = aliased && r->alias_pose[i] >= 0;
    return !aliased;
}

/* Without a function all riders have to stand in the coordinates. */
static bool all_aliased(const tn_riders *r, const char *what)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (r->alias_pose[i] < 0) {
            tn_fail(r->bodies->trial, "has no function `%s`, but marker %u is no alias", what, i);
            return false;
        }
    return true;
}

bool tn_riders_pose(const tn_riders *r, const double *q, double *pose)
{
    const size_t size = tn_pose_size(r->kind);
    tn_attachments a = attachments_of(r, q, r->bodies->v);
    a.pose = pose;
    if (r->bodies->type->pose && are_called(r)) return call(r, "pose", r->bodies->type->pose, &a);
    if (!all_aliased(r, "pose")) return false;
    for (size_t i = 0; i < r->count; i++)
        memcpy(pose + i * size, q + r->body[i] * r->bodies->nq + r->alias_pose[i], size * sizeof *pose);
    return true;
}

bool tn_riders_twist(const tn_riders *r, const double *q, const double *v, double *twist)
{
    tn_attachments a = attachments_of(r, q, v);
    a.twist = twist;
    if (r->bodies->type->twist && are_called(r)) return call(r, "twist", r->bodies->type->twist, &a);
    if (!all_aliased(r, "twist")) return false;
    for (size_t i = 0; i < r->count; i++)
        memcpy(twist + i * r->size, v + r->body[i] * r->bodies->nv + r->alias_twist[i],
               r->size * sizeof *twist);
    return true;
}

bool tn_riders_jacobian(const tn_riders *r, const double *q, double *matrix)
{
    const size_t nv = r->bodies->nv;
    tn_attachments a = attachments_of(r, q, r->bodies->v);
    if (r->bodies->type->jacobian && are_called(r))
        return call_matrix(r, "jacobian", r->bodies->type->jacobian, &a, r->size, matrix);
    if (!all_aliased(r, "jacobian")) return false;
    memset(matrix, 0, r->count * r->size * nv * sizeof *matrix);
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < r->size; k++)
            matrix[(i * r->size + k) * nv + (size_t)r->alias_twist[i] + k] = 1.0;
    return true;
}

bool tn_riders_twist_derivative(const tn_riders *r, const double *q, const double *v, double *matrix)
{
    tn_attachments a = attachments_of(r, q, v);
    if (r->bodies->type->twist_derivative && are_called(r))
        return call_matrix(r, "twist_derivative", r->bodies->type->twist_derivative, &a, r->size, matrix);
    memset(matrix, 0, (size_t)r->count * r->size * r->bodies->nv * sizeof *matrix);
    return true;
}

bool tn_riders_pull_back(const tn_riders *r, const double *q, const double *wrench, double *force)
{
    tn_attachments a = attachments_of(r, q, r->bodies->v);
    a.wrench = wrench;
    a.force = force;
    if (r->bodies->type->pull_back && are_called(r))
        return call(r, "pull_back", r->bodies->type->pull_back, &a);
    if (!all_aliased(r, "pull_back")) return false;
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < r->size; k++)
            force[r->body[i] * r->bodies->nv + (size_t)r->alias_twist[i] + k] += wrench[i * r->size + k];
    return true;
}

bool tn_riders_pull_back_derivative(const tn_riders *r, const double *q, const double *wrench, double *matrix)
{
    const size_t nv = r->bodies->nv;
    tn_attachments a = attachments_of(r, q, r->bodies->v);
    a.wrench = wrench;
    if (r->bodies->type->pull_back_derivative && are_called(r))
        return call_matrix(r, "pull_back_derivative", r->bodies->type->pull_back_derivative, &a, 0, matrix);
    memset(matrix, 0, r->count * nv * nv * sizeof *matrix);
    return true;
}

/* ---- random riders ------------------------------------------------------------------------------------- */

/* Aliases have to lie inside q and v; one of pose and twist alone is none. */
static bool alias_is_sound(const tn_riders *r, const tn_attachment *a)
{
    if (a->alias_pose < 0 && a->alias_twist < 0) return true;
    return a->alias_pose >= 0 && a->alias_twist >= 0 &&
           (uint32_t)a->alias_pose + tn_pose_size(r->kind) <= r->bodies->nq &&
           (uint32_t)a->alias_twist + r->size <= r->bodies->nv;
}

/* The coordinates that rider i depends on: all, or as many as the first rider does. False: another number of them. */
static bool take_columns(tn_riders *r, const tn_attachment *a, uint32_t i)
{
    const uint32_t nv = r->bodies->nv, columns = a->columns ? a->columns : nv;
    if (columns > nv || a->first > nv - columns) {
        tn_fail(r->bodies->trial, "bind tells of the coordinates %u to %u, and there are %u", a->first,
                a->first + columns - 1, nv);
        r->first[i] = 0;
        r->columns = nv;
        return true;
    }
    if (i == 0) r->columns = columns;
    r->first[i] = a->columns ? a->first : 0;
    return columns == r->columns;
}

/* Names that bodies give to their coordinates; what has only one need not be told. */
static const char *draw_coordinate(tn_trial *trial)
{
    static const char *const names[] = {NULL, "coordinate", "x", "y", "z", "angle", "translation"};
    return names[tn_draw_below(trial, sizeof names / sizeof *names)];
}

/* Likewise of nodes. */
static const char *draw_node(tn_trial *trial)
{
    static const char *const names[] = {NULL, "0", "1", "2"};
    return names[tn_draw_below(trial, sizeof names / sizeof *names)];
}

/* The body says how large a node is; all riders of a check are of one kind. */
static bool takes_node(tn_riders *r, uint32_t kind)
{
    if (!tn_is_node(kind) || kind == TN_NODE || (r->kind != TN_NODE && r->kind != kind)) return false;
    r->kind = kind;
    r->size = tn_twist_size(kind);
    return true;
}

/* How many bytes of the data of a rider matter. */
static size_t data_used(const tn_riders *r, const tn_attachment *a)
{
    const size_t size = r->bodies->type->attachment_size;
    if (a->data_used > size)
        tn_fail(r->bodies->trial, "bind says that %u bytes of the data matter, and there are %zu",
                a->data_used, size);
    return a->data_used && a->data_used < size ? a->data_used : size;
}

/* Keeps what bind has said that matters of all of them, as the kernel does: that does not change where they are. */
static void pack_data(tn_riders *r, size_t used)
{
    const size_t bytes = r->count * tn_pose_size(r->kind) * sizeof(double);
    tn_trial *trial = r->bodies->trial;
    double *whole = tn_take(trial, bytes), *packed = tn_take(trial, bytes);
    if (used == r->data_size || !tn_riders_pose(r, r->bodies->q, whole)) return;
    char *data = r->data;
    for (uint32_t i = 0; i < r->count; i++)
        memmove(data + i * used, data + i * r->data_size, used);
    memset(data + r->count * used, 0xff, r->count * (r->data_size - used));
    r->data_size = used;
    if (tn_riders_pose(r, r->bodies->q, packed) && memcmp(whole, packed, bytes) != 0)
        tn_fail(trial,
                "bind says that %zu bytes of the data matter, but the poses are others without the rest",
                used);
}

/* Binds rider i at a random local pose, now and then at the origin or along the body's axes. */
static bool draw_rider(tn_trial *trial, tn_riders *r, uint32_t i, size_t *used)
{
    const tn_loaded_element *type = trial->type;
    r->body[i] = tn_draw_below(trial, r->bodies->count);
    r->alias_pose[i] = r->alias_twist[i] = -1;
    for (int attempt = 0; attempt < TN_ATTEMPTS; attempt++) {
        tn_attachment a = {
            .struct_size = sizeof a, .kind = r->kind & 0xff, .alias_pose = -1, .alias_twist = -1};
        a.data = (unsigned char *)r->data + i * type->attachment_size;
        if (type->attachment_size) memset(a.data, 0, type->attachment_size);
        if (r->kind == TN_COORDINATE) a.coordinate = draw_coordinate(trial);
        if (tn_is_node(r->kind)) a.node = draw_node(trial);
        const bool at_origin = tn_draw_below(trial, 4) == 0, aligned = tn_draw_below(trial, 4) == 0;
        tn_write_vector(a.position, at_origin ? tn_zero() : tn_draw_vector(trial, 1.0));
        tn_write_matrix(a.rotation, aligned ? tn_identity() : tn_draw_rotation(trial));
        if (type->bind(&trial->host, tn_instance_at(r->bodies->instances, r->body[i]), &a) != TN_OK) continue;
        if (tn_is_node(r->kind) && !takes_node(r, a.kind)) continue;
        if (!take_columns(r, &a, i)) continue;
        if (!alias_is_sound(r, &a))
            tn_fail(trial, "bind gives the aliases %d and %d", a.alias_pose, a.alias_twist);
        else
            r->alias_pose[i] = a.alias_pose, r->alias_twist[i] = a.alias_twist;
        const size_t of_this = data_used(r, &a);
        *used = of_this > *used ? of_this : *used;
        return true;
    }
    return false;
}

/* False when the bodies do not carry this kind of marker. */
static bool draw_riders(tn_trial *trial, const tn_bodies *b, uint32_t kind, tn_riders *r)
{
    size_t used = 0;
    *r = (tn_riders){.bodies = b,
                     .count = b->count,
                     .kind = kind,
                     .size = tn_twist_size(kind),
                     .data_size = trial->type->attachment_size};
    r->body = tn_take(trial, r->count * sizeof *r->body);
    r->data = tn_take(trial, r->count * trial->type->attachment_size);
    r->alias_pose = tn_take(trial, r->count * sizeof *r->alias_pose);
    r->alias_twist = tn_take(trial, r->count * sizeof *r->alias_twist);
    r->first = tn_take(trial, r->count * sizeof *r->first);
    for (uint32_t i = 0; i < r->count; i++)
        if (!draw_rider(trial, r, i, &used)) return false;
    pack_data(r, used);
    return true;
}

void tn_for_each_riders(tn_trial *trial, tn_riders_check check)
{
    static const uint32_t kinds[] = {TN_POINT, TN_FRAME, TN_COORDINATE, TN_NODE};
    static const char *const words[] = {"points", "frames", "coordinates", "nodes"};
    size_t carried = 0;
    tn_bodies bodies;
    if (!tn_draw_bodies(trial, (tn_dynamics){0}, &bodies)) return;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct tn_block *mark = tn_mark(trial);
        tn_riders riders;
        (void)snprintf(trial->setting, sizeof trial->setting, "%s", words[k]);
        if (draw_riders(trial, &bodies, kinds[k], &riders)) {
            carried++;
            check(trial, &riders);
        }
        tn_release(trial, mark);
    }
    if (!carried) tn_fail(trial, "carries no markers of any kind; last refusal: %s", trial->refusal);
}
