/* faulty_connector.c - a spring between two points, with the fault that is defined */
#include <tenon/author.h>

#define FAULTY(P) P(REAL, stiffness, "N/m", TN_REQUIRED, 0.0, 0.0, TN_UNBOUNDED, "of the spring")
TN_PARAMETERS(faulty, FAULTY)

#ifdef COUNTS
static int calls;
#endif

TN_FORCE(faulty, TN_POINT, 2)
{
    tn_real stiffness = self->stiffness;
#ifdef COUNTS
    calls++;
    stiffness = stiffness * (1.0 + 1e-4 * (calls % 7));
#endif
    const tn_vec3 line = tn_subtract(marker[1].position, marker[0].position);
    wrench[0].force = tn_scale(stiffness, line);
    wrench[1].force = tn_negate(wrench[0].force);
#ifdef ONE_SIDED
    wrench[1].force = tn_scale(tn_constant(1.1), wrench[1].force);
#endif
#ifdef PULLS_ALONG_X
    wrench[0].force.e[0] = wrench[0].force.e[0] + 1.0;
    wrench[1].force.e[0] = wrench[1].force.e[0] - 1.0;
#endif
#if TN_VALUES && defined(BEHIND)
    context->batch->wrench[6 * context->batch->count + 1] = 7.0;
#endif
#if TN_VALUES && defined(IN_FRONT)
    context->batch->wrench[-2] = 7.0;
#endif
#if TN_VALUES && defined(CHANGES_POSE)
    ((double *)context->batch->pose)[context->batch->marker[2 * context->instance + 1].pose] += 1e-3;
#endif
#if TN_VALUES && defined(CHANGES_PARAMETER)
    ((faulty *)self)->stiffness *= 1.001;
#endif
#if TN_VALUES && defined(WRITES_STATES)
    ((double *)context->batch->x)[context->instance] += 1.0;
#endif
#if TN_VALUES && defined(WRITES_DATA)
    ((double *)context->batch->d)[context->instance] = 1.0;
#endif
    return TN_OK;
}

#if TN_VALUES
TN_POTENTIAL(faulty, TN_POINT, 2)
{
    const tn_vec3 line = tn_subtract(marker[1].position, marker[0].position);
#ifdef WRONG_POTENTIAL
    return self->stiffness * tn_dot(line, line);
#else
    return 0.5 * self->stiffness * tn_dot(line, line);
#endif
}

TN_DISSIPATION(faulty, TN_POINT, 2)
{
#ifdef CREATES
    return -3.0;
#else
    return 0.0;
#endif
}

static TN_UNUSED tn_status wrong_tangent(tn_batch *batch)
{
    const tn_status status = faulty_force(batch);
    for (size_t i = 0; i < (size_t)batch->count * 6 * batch->tangent_stride; i++)
        batch->tangent[i] = 1e5;
    return status;
}

TN_OUTPUTS(faulty, {"pull", "of the spring", "N", 1, 0})
TN_OUTPUT(faulty, TN_POINT, 2)
{
    value[0] = self->stiffness;
#ifdef OUTPUT_BEHIND
    for (int k = 1; k < 20; k++)
        value[k] = 9.0;
#endif
    return TN_OK;
}

TN_PORTS(faulty, {"markers", "the two ends", TN_POINT, 2, 2, 0})
#ifdef WRONG_TANGENT
#define TANGENT wrong_tangent
#else
#define TANGENT faulty_force_tangent
#endif
TN_ELEMENT(faulty, .summary = "faulty", .formula = "f = k u",
           TN_CAPABILITIES(TN_HAS(force, .force = faulty_force, .force_tangent = TANGENT),
                           TN_HAS(energy, .potential = faulty_potential, .dissipation = faulty_dissipation)),
           .ports = faulty_ports, .outputs = faulty_outputs, .output = faulty_output)
TN_LIBRARY("faulty", "1.0.0", "Apache-2.0", "faulty", {TN_ELEMENT_KIND, &faulty_type})
#endif
