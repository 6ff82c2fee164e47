/* scene.c - calls into a connector, and the changes that checks make to a scene */
#include "scene.h"
#include "shared_memory.h"

#include <string.h>

static tn_batch batch_of(const tn_scene *s, tn_failure *failure)
{
    return (tn_batch){.struct_size = sizeof(tn_batch),
                      .count = s->count,
                      .host = &s->trial->host,
                      .time = s->time,
                      .gravity = s->gravity,
                      .instance = s->instances.first,
                      .instance_stride = s->instances.stride,
                      .active = s->active,
                      .failure = failure,
                      .marker_count = s->ports->count,
                      .wrench_size = s->wrench_size,
                      .port_first = s->ports->port_first,
                      .marker_kind = s->ports->kind,
                      .marker = s->places,
                      .pose = s->pose,
                      .twist = s->twist,
                      .tangent_stride = tn_scene_columns(s),
                      .column_blocks = sizeof s->columns / sizeof *s->columns,
                      .columns = s->columns,
                      .dynamic_count = s->dynamics.count,
                      .dynamic_columns = s->dynamics.columns,
                      .dynamic = s->dynamics.entry,
                      .layout = &s->layout,
                      .x = s->x,
                      .s = s->s,
                      .lambda = s->lambda,
                      .d = s->d};
}

static bool call(const tn_scene *s, const char *what, tn_batch_function function, tn_batch *batch)
{
    tn_shared_memory_keep((tn_any_function)function);
    const tn_status status = function(batch);
    tn_shared_memory_compare(what);
    if (status == TN_OK) return true;
    const char *message = batch->failure->message;
    tn_fail(s->trial, "%s failed: %s (%s)", what, tn_status_text(status), message ? message : "no message");
    return false;
}

bool tn_scene_force(const tn_scene *s, double *wrench)
{
    tn_failure failure = {0};
    tn_batch batch = batch_of(s, &failure);
    batch.wrench = wrench;
    return call(s, "force", s->type->force, &batch);
}

tn_status tn_scene_try_force(const tn_scene *s, double *wrench)
{
    tn_failure failure = {0};
    tn_batch batch = batch_of(s, &failure);
    batch.wrench = wrench;
    batch.value = wrench;    /* what a marker type writes instead */
    batch.residual = wrench; /* and a constraint */
    if (s->type->force) return s->type->force(&batch);
    return s->type->constraint ? s->type->constraint(&batch) : TN_OK; /* of states alone */
}

static bool call_constraint(const tn_scene *s, const char *what, tn_batch_function function, double *residual,
                            double *tangent)
{
    tn_failure failure = {0};
    tn_batch batch = batch_of(s, &failure);
    batch.residual = residual;
    batch.tangent = tangent;
    return call(s, what, function, &batch);
}

static size_t all_rows(const tn_scene *s) { return (size_t)s->count * tn_scene_rows(s); }

/* What stands for a function that a type leaves out. */
static bool fill_zeros(double *to, size_t count)
{
    memset(to, 0, count * sizeof *to);
    return true;
}

static bool multiply_by_twists(const tn_scene *s, double *product)
{
    const size_t rows = all_rows(s);
    struct tn_block *mark = tn_mark(s->trial);
    double *row = tn_take_nan(s->trial, rows * s->wrench_size);
    const bool fine = tn_scene_constraint_rows(s, row);
    for (size_t r = 0; r < rows; r++) {
        product[r] = 0.0;
        for (uint32_t k = 0; k < s->ports->count; k++) {
            const double *twist = tn_scene_twist(s, (uint32_t)(r / (rows / s->count)), k);
            for (uint32_t c = 0; c < tn_twist_size(s->ports->kind[k]); c++)
                product[r] += *row++ * twist[c];
        }
    }
    tn_release(s->trial, mark);
    return fine;
}

bool tn_scene_constraint(const tn_scene *s, double *residual)
{
    return call_constraint(s, "constraint", s->type->constraint, residual, NULL);
}
bool tn_scene_constraint_rate(const tn_scene *s, double *residual)
{
    if (!s->type->constraint_rate) return multiply_by_twists(s, residual);
    return call_constraint(s, "constraint_rate", s->type->constraint_rate, residual, NULL);
}
bool tn_scene_constraint_bias(const tn_scene *s, double *residual)
{
    if (!s->type->constraint_bias) return fill_zeros(residual, all_rows(s));
    return call_constraint(s, "constraint_bias", s->type->constraint_bias, residual, NULL);
}
bool tn_scene_constraint_rows(const tn_scene *s, double *rows)
{
    return call_constraint(s, "constraint_rows", s->type->constraint_rows, NULL, rows);
}
bool tn_scene_constraint_stiffness(const tn_scene *s, double *stiffness)
{
    if (!s->type->constraint_stiffness)
        return fill_zeros(stiffness, (size_t)s->count * s->wrench_size * s->wrench_size);
    return call_constraint(s, "constraint_stiffness", s->type->constraint_stiffness, NULL, stiffness);
}

static bool call_coordinate(const tn_scene *s, const char *what, tn_batch_function function,
                            uint32_t coordinate, double *value, double *tangent)
{
    tn_failure failure = {0};
    tn_batch batch = batch_of(s, &failure);
    batch.output = coordinate;
    batch.value = value;
    batch.tangent = tangent;
    return call(s, what, function, &batch);
}

bool tn_scene_coordinate(const tn_scene *s, uint32_t coordinate, double *value)
{
    return call_coordinate(s, "coordinate", s->type->coordinate, coordinate, value, NULL);
}
bool tn_scene_coordinate_tangent(const tn_scene *s, uint32_t coordinate, double *tangent)
{
    return call_coordinate(s, "coordinate_tangent", s->type->coordinate_tangent, coordinate, NULL, tangent);
}

bool tn_scene_kinematics(const tn_scene *s, double *value)
{
    tn_failure failure = {0};
    tn_batch batch = batch_of(s, &failure);
    batch.value = value;
    return call(s, "kinematics", s->trial->marker->kinematics, &batch);
}

bool tn_scene_kinematics_tangent(const tn_scene *s, double *tangent)
{
    tn_failure failure = {0};
    tn_batch batch = batch_of(s, &failure);
    batch.tangent = tangent;
    return call(s, "kinematics_tangent", s->trial->marker->kinematics_tangent, &batch);
}

bool tn_scene_force_tangent(const tn_scene *s, double *wrench, double *tangent)
{
    tn_failure failure = {0};
    tn_batch batch = batch_of(s, &failure);
    batch.wrench = wrench;
    batch.tangent = tangent;
    return call(s, "force_tangent", s->type->force_tangent, &batch);
}

bool tn_scene_rates(const tn_scene *s, double *rate)
{
    tn_failure failure = {0};
    tn_batch batch = batch_of(s, &failure);
    batch.x_rate = rate;
    return call(s, "rates", s->type->rates, &batch);
}

bool tn_scene_rates_tangent(const tn_scene *s, double *rate, double *tangent)
{
    tn_failure failure = {0};
    tn_batch batch = batch_of(s, &failure);
    batch.x_rate = rate;
    batch.tangent = tangent;
    return call(s, "rates_tangent", s->type->rates_tangent, &batch);
}

bool tn_scene_equations(const tn_scene *s, double *residual)
{
    tn_failure failure = {0};
    tn_batch batch = batch_of(s, &failure);
    batch.residual = residual;
    return call(s, "algebraic", s->type->algebraic, &batch);
}

bool tn_scene_equations_tangent(const tn_scene *s, double *residual, double *tangent)
{
    tn_failure failure = {0};
    tn_batch batch = batch_of(s, &failure);
    batch.residual = residual;
    batch.tangent = tangent;
    return call(s, "algebraic_tangent", s->type->algebraic_tangent, &batch);
}

tn_column_block tn_scene_block(const tn_scene *s, uint32_t column)
{
    uint32_t k = 0;
    while (column >= s->columns[k].first + s->columns[k].count)
        k++;
    return s->columns[k];
}

bool tn_scene_potential(const tn_scene *s, double *value)
{
    tn_failure failure = {0};
    tn_batch batch = batch_of(s, &failure);
    batch.value = value;
    return call(s, "potential", s->type->potential, &batch);
}

bool tn_scene_dissipation(const tn_scene *s, double *value)
{
    tn_failure failure = {0};
    tn_batch batch = batch_of(s, &failure);
    batch.value = value;
    return call(s, "dissipation", s->type->dissipation, &batch);
}

bool tn_scene_accept(const tn_scene *s)
{
    tn_failure failure = {0};
    tn_batch batch = batch_of(s, &failure);
    return !s->type->accepted || call(s, "accepted", s->type->accepted, &batch);
}

bool tn_scene_output(const tn_scene *s, uint32_t output, uint32_t first, uint32_t count, double *wrench,
                     double *value)
{
    tn_failure failure = {0};
    tn_batch batch = batch_of(s, &failure);
    batch.wrench = wrench;
    batch.output = output;
    batch.first = first;
    batch.count = count;
    batch.value = value;
    return call(s, s->type->outputs[output].name, s->type->output, &batch);
}

tn_scene tn_scene_part(const tn_scene *s, uint32_t first, uint32_t count)
{
    tn_scene part = *s;
    part.count = count;
    part.instances.count = count;
    part.instances.first = tn_instance_at(s->instances, first);
    part.places += first * s->ports->count;
    if (s->active) part.active += first;
    part.x += first * s->layout.nx;
    part.s += first * s->layout.ns;
    part.lambda += first * (s->layout.position_rows + s->layout.velocity_rows);
    part.d += first * s->layout.nd;
    return part;
}

/* Rows of `bytes` each, in another order. */
static void *gather(const tn_scene *s, const void *from, size_t bytes, const uint32_t *order)
{
    unsigned char *to = tn_take(s->trial, bytes * s->count);
    for (size_t i = 0; i < s->count && bytes > 0; i++)
        memcpy(to + i * bytes, (const unsigned char *)from + order[i] * bytes, bytes);
    return to;
}

tn_scene tn_scene_reordered(const tn_scene *s, const uint32_t *order)
{
    tn_scene other = *s;
    const size_t number = sizeof(double);
    other.instances.first = gather(s, s->instances.first, s->instances.stride, order);
    other.places = gather(s, s->places, s->ports->count * sizeof *s->places, order);
    if (s->active) other.active = gather(s, s->active, 1, order);
    other.x = gather(s, s->x, s->layout.nx * number, order);
    other.s = gather(s, s->s, s->layout.ns * number, order);
    other.lambda = gather(s, s->lambda, (s->layout.position_rows + s->layout.velocity_rows) * number, order);
    other.d = gather(s, s->d, s->layout.nd * number, order);
    return other;
}

tn_scene tn_scene_copy(const tn_scene *s)
{
    tn_scene copy = *s;
    copy.instances.first = tn_take_copy(s->trial, s->instances.first, s->instances.stride * s->count);
    copy.pose = tn_take_copy(s->trial, s->pose, s->poses * sizeof(double));
    copy.twist = tn_take_copy(s->trial, s->twist, s->twists * sizeof(double));
    copy.x = tn_take_copy(s->trial, s->x, s->count * s->layout.nx * sizeof(double));
    copy.s = tn_take_copy(s->trial, s->s, s->count * s->layout.ns * sizeof(double));
    return copy;
}

void tn_scene_reset(tn_scene *copy, const tn_scene *s)
{
    memcpy(copy->instances.first, s->instances.first, s->instances.stride * s->count);
    memcpy(copy->pose, s->pose, s->poses * sizeof(double));
    memcpy(copy->twist, s->twist, s->twists * sizeof(double));
    memcpy(copy->x, s->x, s->count * s->layout.nx * sizeof(double));
    memcpy(copy->s, s->s, s->count * s->layout.ns * sizeof(double));
}

void tn_scene_move(tn_scene *s, const double *direction, double step)
{
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; k < s->ports->count; k++) {
            const uint32_t kind = s->ports->kind[k], size = tn_twist_size(kind);
            double *pose = tn_scene_pose(s, i, k);
            for (uint32_t e = 0; e < tn_added(kind); e++)
                pose[e] += step * direction[e];
            if (kind == TN_FRAME) {
                const tn_mat3 turn = tn_turn(tn_scale(step, tn_read_vector(direction + 3)));
                tn_write_matrix(pose + 3, tn_multiply(turn, tn_read_matrix(pose + 3)));
            }
            direction += size;
        }
}

void tn_scene_accelerate(tn_scene *s, const double *direction, double step)
{
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; k < s->ports->count; k++) {
            const uint32_t size = tn_twist_size(s->ports->kind[k]);
            double *twist = tn_scene_twist(s, i, k);
            for (uint32_t e = 0; e < size; e++)
                twist[e] += step * direction[e];
            direction += size;
        }
}

static void turn_in_place(tn_mat3 Q, double *e) { tn_write_vector(e, tn_rotate(Q, tn_read_vector(e))); }

void tn_scene_turn(tn_scene *s, tn_mat3 Q, tn_vec3 shift)
{
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; k < s->ports->count; k++) {
            double *pose = tn_scene_pose(s, i, k), *twist = tn_scene_twist(s, i, k);
            tn_write_vector(pose, tn_add(shift, tn_rotate(Q, tn_read_vector(pose))));
            turn_in_place(Q, twist);
            if (s->ports->kind[k] != TN_FRAME) continue;
            tn_write_matrix(pose + 3, tn_multiply(Q, tn_read_matrix(pose + 3)));
            turn_in_place(Q, twist + 3);
        }
    turn_in_place(Q, s->gravity);
}

/* FNV-1a over the bytes. */
static uint64_t add_bytes(uint64_t sum, const void *from, size_t bytes)
{
    const unsigned char *byte = from;
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ byte[i]) * 0x100000001b3u;
    return sum;
}

uint64_t tn_scene_checksum(const tn_scene *s)
{
    const size_t number = sizeof(double), count = s->count;
    uint64_t sum = 0xcbf29ce484222325u;
    sum = add_bytes(sum, s->instances.first, count * s->instances.stride);
    sum = add_bytes(sum, s->places, count * s->ports->count * sizeof *s->places);
    sum = add_bytes(sum, s->pose, s->poses * number);
    sum = add_bytes(sum, s->twist, s->twists * number);
    sum = add_bytes(sum, s->x, count * s->layout.nx * number);
    sum = add_bytes(sum, s->s, count * s->layout.ns * number);
    sum = add_bytes(sum, s->lambda, count * (s->layout.position_rows + s->layout.velocity_rows) * number);
    return add_bytes(sum, s->d, count * s->layout.nd * number);
}

double *tn_scene_twists(const tn_scene *scene)
{
    double *direction = tn_take(scene->trial, (size_t)scene->count * scene->wrench_size * sizeof *direction),
           *to = direction;
    for (uint32_t i = 0; i < scene->count; i++)
        for (uint32_t k = 0; k < scene->ports->count; k++) {
            const uint32_t size = tn_twist_size(scene->ports->kind[k]);
            memcpy(to, tn_scene_twist(scene, i, k), size * sizeof *to);
            to += size;
        }
    return direction;
}
