/* calling_law.c - a law in two parts around its call, for a look at what compilers say to it. */
#include <tenon/author.h>

#define CALLING_LAW(P) P(CALLABLE, law, "N", "stretch [m]", 0, "of the spring")
TN_PARAMETERS(calling_law, CALLING_LAW)

typedef struct calling_line {
    tn_real value;
    tn_vec3 way;
} calling_line;

static inline tn_status calling_law_measure(const calling_law *self, const tn_marker_state *marker,
                                            tn_context *context, calling_line *line, tn_real *argument)
{
    line->way = tn_subtract(marker[1].position, marker[0].position);
    line->value = tn_constant(context->time);
    if (tn_is_given(self->law)) argument[0] = tn_norm(line->way);
    return TN_OK;
}

static inline void calling_law_apply(const calling_line *line, tn_wrench *wrench)
{
    wrench[0].force = tn_scale(line->value, line->way);
    wrench[1].force = tn_negate(wrench[0].force);
}

TN_CALLING_FORCE(calling_law, TN_POINT, 2, calling_line, law, 1)

#if TN_VALUES
/* What a type would name. */
extern const tn_parameter *const calling_law_table;
const tn_parameter *const calling_law_table = calling_law_parameters;
extern const tn_batch_function calling_law_functions[];
const tn_batch_function calling_law_functions[] = {calling_law_force, calling_law_force_tangent};
#endif
