/* every_text.c - one type with every text that an author may write, for a look at what compilers say to it. */
#include <tenon/author.h>

#define EVERY_TEXT(P)                                                                            \
    P(REAL, stiffness, "N/m", TN_REQUIRED | TN_DYNAMIC, 0.0, 0.0, TN_UNBOUNDED, "of the spring") \
    P(VECTOR, direction, "", 0, "of a push")                                                     \
    P(REALS, lengths, 2, 0, "m", 0, 1.0, 0.0, TN_UNBOUNDED, "of two parts")                      \
    P(ROTATION, axes, 0, "of something")                                                         \
    P(INTEGER, number, 0, 1, 0, 9, "of parts")                                                   \
    P(BOOLEAN, wet, 0, 0, "whether it is")                                                       \
    P(CHOICE, side, "left|right", 0, 0, "where it stands")                                       \
    P(CALLABLE, law, "N", "stretch [m]", 0, "of the spring")                                     \
    P(PRIVATE, double, slope)
TN_PARAMETERS(every_text, EVERY_TEXT)

TN_FORCE(every_text, TN_POINT, 2)
{
    const tn_vec3 line = tn_subtract(marker[1].position, marker[0].position);
    tn_real force = self->stiffness * (tn_norm(line) - self->lengths[0]) + tn_states(context)[0];
    if (tn_is_given(self->law)) {
        const tn_status status = tn_call(context, self->law, &force, 1, &force);
        if (status != TN_OK) return status;
    }
    wrench[0].force = tn_scale(force, line);
    wrench[1].force = tn_negate(wrench[0].force);
    return TN_OK;
}

TN_RATES(every_text, TN_POINT, 2)
{
    if (tn_value(self->stiffness) < 0.0) return tn_retry(context, "there is no rate here");
    rate[0] = tn_dot(marker[0].velocity, marker[1].velocity) - x[0];
    return TN_OK;
}

TN_KINEMATICS(every_text, TN_POINT, TN_ANY, 3)
{
    const uint32_t last = tn_port_first(context, 1);
    out->position = tn_add(marker[0].position, marker[last].position);
    out->velocity = tn_add(marker[0].velocity, marker[last].velocity);
    return TN_OK;
}

TN_BODY_FORCE(every_text, 7, 6)
{
    force[5] = self->stiffness * q[6] - v[5];
    return TN_OK;
}

TN_RESIDUAL(every_text, 7, 6)
{
    residual[5] = self->stiffness * a[5] + q[6] - v[5];
    return TN_OK;
}

TN_ALGEBRAIC(every_text, TN_POINT, 2)
{
    residual[0] = s[0] - tn_unknowns(context)[0] + marker[1].position.e[0] - self->stiffness;
    return TN_OK;
}

TN_CONSTRAINT_WITH_UNKNOWNS(every_text)
{
    row[0] = marker[1].position.e[0] - marker[0].position.e[0] - self->lengths[1] * tn_time(context);
    return TN_OK;
}

#if TN_VALUES
static const tn_output every_text_outputs[] = {{"stretch", "of the spring", "m", 1, 0}, TN_END};
TN_OUTPUT(every_text, TN_ANY, 0)
{
    value[0] = batch->time + (double)i + (double)output;
    return TN_OK;
}
TN_POTENTIAL(every_text, TN_FRAME, 2) { return self->stiffness * marker[0].rotation.row[0].e[0]; }
TN_DISSIPATION(every_text, TN_COORDINATE, 2) { return marker[0].velocity.e[0] * marker[1].velocity.e[0]; }
TN_ACCEPTED(every_text, TN_POINT, 2)
{
    data[0] = marker[0].position.e[2];
    (void)tn_warn(context, "it is as it is");
}
TN_EVENTS(every_text, TN_POINT, 1) { value[0] = marker[0].position.e[2]; }
TN_ON_EVENT(every_text, TN_POINT, 1) { data[0] = sign[0]; }
TN_UPDATE(every_text, TN_ANY, 2)
{
    const double before = data[0];
    data[0] = marker[0].position.e[2];
    *recommended_step = context->batch->step;
    return fabs(data[0] - before);
}

/* What a type would name. */
extern const tn_parameter *const every_text_table;
const tn_parameter *const every_text_table = every_text_parameters;
extern const tn_batch_function every_text_functions[];
const tn_batch_function every_text_functions[] = {every_text_force,
                                                  every_text_force_tangent,
                                                  every_text_rates,
                                                  every_text_rates_tangent,
                                                  every_text_kinematics,
                                                  every_text_kinematics_tangent,
                                                  every_text_body_force,
                                                  every_text_body_force_tangent,
                                                  every_text_constraint,
                                                  every_text_constraint_rows,
                                                  every_text_constraint_rate,
                                                  every_text_constraint_bias,
                                                  every_text_constraint_stiffness,
                                                  every_text_residual,
                                                  every_text_residual_tangent,
                                                  every_text_algebraic,
                                                  every_text_algebraic_tangent,
                                                  every_text_output,
                                                  every_text_potential,
                                                  every_text_dissipation,
                                                  every_text_accepted,
                                                  every_text_events,
                                                  every_text_on_event,
                                                  every_text_update};
#endif
