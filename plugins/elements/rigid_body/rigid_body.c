/* rigid_body.c - a rigid body in space */
#include "rigid_body.h"

#include <tenon/kit/drawing.h>

TN_BODY_FORCE(rigid_body, 7, 6)
{
    const tn_real weight = self->mass * self->gravity_scale;
    const tn_real *e = self->inertia;
    const tn_vec3 w = tn_vector(v[3], v[4], v[5]);
    const tn_vec3 spin =
        tn_vector(e[0] * v[3] + e[3] * v[4] + e[4] * v[5], e[3] * v[3] + e[1] * v[4] + e[5] * v[5],
                  e[4] * v[3] + e[5] * v[4] + e[2] * v[5]);
    const tn_vec3 gyroscopic = tn_cross(spin, w);
    for (int i = 0; i < 3; i++) {
        force[i] = weight * context->batch->gravity[i];
        force[3 + i] = gyroscopic.e[i];
    }
    return TN_OK;
}

#if TN_VALUES

enum {
    POSITION,
    DISPLACEMENT,
    VELOCITY,
    ACCELERATION,
    ROTATION,
    QUATERNION,
    ANGULAR_VELOCITY,
    ANGULAR_VELOCITY_LOCAL,
    ANGULAR_ACCELERATION,
    KINETIC_ENERGY,
    COM_POSITION
};
TN_OUTPUTS(
    rigid_body, [POSITION] = {"position", "position of the reference point, ground axes", "m", 3, 0},
    [DISPLACEMENT] = {"displacement", "position minus start position, ground axes", "m", 3, 0},
    [VELOCITY] = {"velocity", "velocity of the reference point, ground axes", "m/s", 3, 0},
    [ACCELERATION] = {"acceleration", "acceleration of the reference point, ground axes", "m/s^2", 3, 0},
    [ROTATION] = {"rotation", "rotation matrix by rows, body axes into ground axes", "", 9, 0},
    [QUATERNION] = {"quaternion",
                    "unit quaternion w x y z of the rotation; its negative is the same rotation", "", 4, 0},
    [ANGULAR_VELOCITY] = {"angular_velocity", "angular velocity, ground axes", "rad/s", 3, 0},
    [ANGULAR_VELOCITY_LOCAL] = {"angular_velocity_local", "angular velocity, body axes", "rad/s", 3, 0},
    [ANGULAR_ACCELERATION] = {"angular_acceleration", "angular acceleration, ground axes", "rad/s^2", 3, 0},
    [KINETIC_ENERGY] = {"kinetic_energy", "m v^2 / 2 + w . J w / 2, v of the centre of mass", "J", 1, 0},
    [COM_POSITION] = {"com_position", "position of the centre of mass, ground axes", "m", 3, 0})

TN_OUTPUT(rigid_body, TN_ANY, 0)
{
    const double *q = batch->q + 7 * i, *v = batch->v + 6 * i, *a = batch->a + 6 * i;
    const tn_mat3 R = tn_rotation_of(read_quaternion(q));
    const tn_vec3 w = read_vector(v + 3), alpha = read_vector(a + 3), back = tn_negate(self->com);
    const tn_vec3 position = tn_add(read_vector(q), tn_rotate(R, back));
    const tn_vec3 spin = tn_rotate(inertia_matrix(self->inertia), w), speed = read_vector(v);
    const tn_vec3 bend = tn_add(tn_cross(alpha, back), tn_cross(w, tn_cross(w, back)));
    switch (output) {
    case POSITION:
        write_vector(value, position);
        break;
    case DISPLACEMENT:
        write_vector(value, tn_subtract(position, self->position));
        break;
    case VELOCITY:
        write_vector(value, tn_add(speed, tn_rotate(R, tn_cross(w, back))));
        break;
    case ACCELERATION:
        write_vector(value, tn_add(read_vector(a), tn_rotate(R, bend)));
        break;
    case ROTATION:
        memcpy(value, &R, sizeof R);
        break;
    case QUATERNION:
        memcpy(value, q + 3, 4 * sizeof *q);
        break;
    case ANGULAR_VELOCITY:
        write_vector(value, tn_rotate(R, w));
        break;
    case ANGULAR_VELOCITY_LOCAL:
        write_vector(value, w);
        break;
    case ANGULAR_ACCELERATION:
        write_vector(value, tn_rotate(R, alpha));
        break;
    case KINETIC_ENERGY:
        *value = 0.5 * (self->mass * tn_dot(speed, speed) + tn_dot(w, spin));
        break;
    default:
        memcpy(value, q, 3 * sizeof *q);
    }
    return TN_OK;
}

/* Turns the plane of axes i and j so that A[i][j] becomes zero (Jacobi). */
static void rotate_plane(double A[3][3], int i, int j)
{
    if (A[i][j] == 0.0) return;
    const int k = 3 - i - j;
    const double ratio = (A[j][j] - A[i][i]) / (2.0 * A[i][j]);
    const double t = copysign(1.0, ratio) / (fabs(ratio) + sqrt(ratio * ratio + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c, ik = A[i][k], jk = A[j][k];
    A[i][i] -= t * A[i][j];
    A[j][j] += t * A[i][j];
    A[i][j] = A[j][i] = 0.0;
    A[i][k] = A[k][i] = c * ik - s * jk;
    A[j][k] = A[k][j] = s * ik + c * jk;
}

/* Eigenvalues of the inertia, ascending, to rounding of the largest: ten sweeps are more than enough. */
static void principal_moments(const double e[6], double moment[3])
{
    double A[3][3] = {{e[0], e[3], e[4]}, {e[3], e[1], e[5]}, {e[4], e[5], e[2]}};
    for (int sweep = 0; sweep < 10; sweep++)
        for (int k = 0; k < 3; k++)
            rotate_plane(A, k == 2 ? 0 : k, k == 0 ? 1 : 2);
    const double x = A[0][0], y = A[1][1], z = A[2][2];
    moment[0] = fmin(x, fmin(y, z));
    moment[2] = fmax(x, fmax(y, z));
    moment[1] = fmax(fmin(x, y), fmin(fmax(x, y), z));
}

tn_status rigid_body_check_inertia(const tn_host *host, const double inertia[6])
{
    double moment[3];
    principal_moments(inertia, moment);
    const double excess = moment[2] - moment[0] - moment[1], rounding = 1e-6 * moment[2];
    if (!(moment[0] > 1e-14 * moment[2]))
        return tn_refuse(host, "inertia",
                         "the inertia is not positive: its smallest principal moment is %.6g kg m^2",
                         moment[0]);
    if (excess > rounding)
        return tn_refuse(host, "inertia",
                         "no body has this inertia: its largest principal moment, %.6g kg m^2, exceeds the "
                         "sum of the others "
                         "by %.3g kg m^2",
                         moment[2], excess);
    if (excess > 1e-14 * moment[2])
        tn_say(host, TN_WARNING,
               "the largest principal moment of inertia exceeds the sum of the others by %.3g kg m^2",
               excess);
    return TN_OK;
}

static tn_status rigid_body_prepare(const tn_host *host, void *instance)
{
    rigid_body *self = instance;
    tn_mat3 R;
    memcpy(&R, self->rotation, sizeof R);
    const bool local = !isnan(self->angular_velocity.e[0]),
               ground = !isnan(self->angular_velocity_ground.e[0]);
    if (local && ground)
        return tn_refuse(host, "angular_velocity_ground",
                         "angular_velocity is given too: one of them is enough");
    if (ground) {
        self->angular_velocity = tn_rotate_back(R, self->angular_velocity_ground);
        self->angular_velocity_ground = tn_vector((double)NAN, (double)NAN, (double)NAN);
    } else if (!local)
        self->angular_velocity = tn_zero();
    return rigid_body_check_inertia(host, self->inertia);
}

static tn_status rigid_body_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nq = 7;
    layout->nv = 6;
    return TN_OK;
}

static tn_status rigid_body_initial(const tn_host *host, const void *instance, double *q, double *v,
                                    double *x, double *s, double *d)
{
    (void)host, (void)x, (void)s, (void)d;
    const rigid_body *self = instance;
    tn_mat3 R;
    memcpy(&R, self->rotation, sizeof R);
    const tn_quaternion p = tn_quaternion_of(self->rotation);
    write_vector(q, tn_add(self->position, tn_rotate(R, self->com)));
    memcpy(q + 3, &p, sizeof p);
    write_vector(v, tn_add(self->velocity, tn_rotate(R, tn_cross(self->angular_velocity, self->com))));
    write_vector(v + 3, self->angular_velocity);
    return TN_OK;
}

static tn_status rigid_body_mass(tn_batch *batch)
{
    memset(batch->mass, 0, sizeof(double) * 36 * batch->count);
    for (size_t i = 0; i < batch->count; i++) {
        double *M = batch->mass + 36 * i;
        const rigid_body *self = tn_instance(batch, i);
        const tn_mat3 J = inertia_matrix(self->inertia);
        for (size_t k = 0; k < 3; k++) {
            M[7 * k] = self->mass;
            memcpy(M + 6 * (3 + k) + 3, J.row[k].e, sizeof(tn_vec3));
        }
    }
    return TN_OK;
}

static tn_status rigid_body_potential(tn_batch *batch)
{
    const tn_vec3 gravity = read_vector(batch->gravity);
    for (size_t i = 0; i < batch->count; i++) {
        const rigid_body *self = tn_instance(batch, i);
        batch->value[i] = -self->mass * self->gravity_scale * tn_dot(gravity, read_vector(batch->q + 7 * i));
    }
    return TN_OK;
}

/* q' : the quaternion turns with the angular velocity in body axes, p' = p (0, w) / 2. */
static tn_status rigid_body_rate(tn_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const double *v = batch->v + 6 * i;
        double *rate = batch->rate + 7 * i;
        const tn_quaternion half = {0.0, 0.5 * v[3], 0.5 * v[4], 0.5 * v[5]};
        const tn_quaternion turn = tn_quaternion_multiply(read_quaternion(batch->q + 7 * i), half);
        memcpy(rate, v, 3 * sizeof *rate);
        memcpy(rate + 3, &turn, sizeof turn);
    }
    return TN_OK;
}

static tn_status rigid_body_normalise(tn_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        double *q = batch->configuration + 7 * i;
        const tn_quaternion p = tn_quaternion_normalise(read_quaternion(q));
        memcpy(q + 3, &p, sizeof p);
    }
    return TN_OK;
}

static tn_status rigid_body_rigid_motion(tn_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const double *q = batch->q + 7 * i;
        double *map = batch->rigid_motion + 36 * i;
        const tn_mat3 R = tn_rotation_of(read_quaternion(q));
        memset(map, 0, sizeof(double) * 36);
        for (int j = 0; j < 3; j++) {
            const tn_vec3 axis = tn_vector(j == 0, j == 1, j == 2), sweep = tn_cross(axis, read_vector(q));
            map[7 * j] = 1.0;
            for (int k = 0; k < 3; k++) {
                map[6 * k + 3 + j] = sweep.e[k];
                map[6 * (3 + k) + 3 + j] = R.row[j].e[k];
            }
        }
    }
    return TN_OK;
}

static const char *const units[] = {"m", "m", "m", "rad", "rad", "rad"};

/* A homogeneous box of the same mass and inertia. */
static tn_status rigid_body_draw(const tn_host *host, const void *instance, const tn_drawing_sink *sink)
{
    const rigid_body *self = instance;
    (void)host;
    return tn_draw_inertia(sink, self->mass, self->inertia, self->com.e);
}

TN_SYNONYMS(rigid_body, {"body", NULL, NULL}, {"rigid", NULL, NULL}, {"part", NULL, NULL},
            {"object_rigid_body", NULL, NULL}, {"rigid_body_2d", NULL, NULL}, {"structural", NULL, NULL},
            {"dynamic body", NULL, NULL}, {"free body", NULL, NULL}, {"m", "mass", NULL},
            {"J", "inertia", NULL}, {"I", "inertia", NULL}, {"inertia_tensor", "inertia", NULL},
            {"center_of_mass", "com", NULL}, {"centre_of_mass", "com", NULL}, {"cm", "com", NULL},
            {"pos", "position", NULL}, {"reference_position", "position", NULL},
            {"orientation", "rotation", NULL}, {"quat", "rotation", NULL},
            {"initial_velocity", "velocity", NULL}, {"v0", "velocity", NULL},
            {"omega", "angular_velocity", NULL}, {"initial_angular_velocity", "angular_velocity", NULL})
TN_ELEMENT(
    rigid_body, .summary = "a rigid body in space",
    .formula =
        "m dv/dt = m gravity_scale gravity + sum F                 v of the centre of mass, ground axes\n"
        "J dw/dt = -w x J w + sum (r x R^T F + R^T T)              body axes, r from the centre of mass",
    .literature = "Bruls, Cardona, Arnold: Lie group generalized-alpha time integration of constrained "
                  "flexible multibody systems, Mech. Mach. Theory 48 (2012) 121-137\n"
                  "Shabana: Dynamics of Multibody Systems, 5th ed., Cambridge University Press, 2020, "
                  "chapters 2 and 3",
    .synonyms = rigid_body_synonyms,
    TN_CAPABILITIES(TN_HAS(body, .velocity_units = units, .mass = rigid_body_mass,
                           TN_BODY_FORCE_FIELDS(rigid_body), .rigid_motion = rigid_body_rigid_motion),
                    TN_HAS(configuration, .rate = rigid_body_rate, .retract = rigid_body_retract,
                           .normalise = rigid_body_normalise, .transport = rigid_body_transport),
                    TN_HAS(attachment, .attachment_size = sizeof(rigid_attachment), .bind = rigid_body_bind,
                           .pose = rigid_body_pose, .twist = rigid_body_twist,
                           .pull_back = rigid_body_pull_back, .jacobian = rigid_body_jacobian,
                           .twist_derivative = rigid_body_twist_derivative,
                           .pull_back_derivative = rigid_body_pull_back_derivative),
                    TN_HAS(energy, .potential = rigid_body_potential), TN_HAS_DRAWING(rigid_body)),
    .outputs = rigid_body_outputs, .prepare = rigid_body_prepare, .layout = rigid_body_layout,
    .initial = rigid_body_initial, .output = rigid_body_output)

TN_LIBRARY("rigid_body", "1.0.0", "Apache-2.0", "rigid body", {TN_ELEMENT_KIND, &rigid_body_type})

#endif
