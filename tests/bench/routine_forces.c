/* routine_forces.c - the law of routine_forces.toml in every form that a compiled routine may have */
#include <tenon/routine.h>

TN_ROUTINE(dual) { return argument[2] * argument[0] + argument[3] * argument[1]; }

TN_ROUTINE(declared, "DM(%1, %2)", "VR(%1, %2)")
{
    return parameter[2] * (reading[0] - 1.0) + parameter[3] * reading[1];
}

#if TN_VALUES

static tn_status partials_value(tn_routine_call *call)
{
    const double *x = call->argument;
    call->value = x[2] * x[0] + x[3] * x[1];
    if (!call->first) return TN_OK;
    for (uint32_t k = 0; k < 4; k++)
        call->first[k] = x[(k + 2) % 4];
    for (uint32_t k = 4; k < call->arguments; k++)
        call->first[k] = 0.0;
    return TN_OK;
}

static tn_status partials_values(const tn_routine_calls *calls)
{
    const double *x = calls->argument;
    const uint32_t n = calls->stride;
    for (uint32_t i = 0; i < calls->count; i++)
        calls->value[i] = x[2 * n + i] * x[i] + x[3 * n + i] * x[n + i];
    return TN_OK;
}

static tn_status differences_value(tn_routine_call *call)
{
    const double *x = call->argument;
    call->value = x[2] * x[0] + x[3] * x[1];
    return TN_OK;
}

TN_EXPORT extern const tn_routine_table tn_routine_partials, tn_routine_differences;
const tn_routine_table tn_routine_partials = {sizeof(tn_routine_table), 1, 0, partials_value,
                                              partials_values};
const tn_routine_table tn_routine_differences = {sizeof(tn_routine_table), 0, 0, differences_value, NULL};

TN_EXPORT void spring(int *id, double *time, double *par, int *npar, int *dflag, int *iflag, double *value);

void spring(int *id, double *time, double *par, int *npar, int *dflag, int *iflag, double *value)
{
    const int ends[2] = {(int)par[0], (int)par[1]};
    double length, rate;
    int errflg;
    (void)id, (void)time, (void)npar, (void)dflag, (void)iflag;
    c_sysfnc("DM", ends, 2, &length, &errflg);
    c_sysfnc("VR", ends, 2, &rate, &errflg);
    *value = par[2] * (length - 1.0) + par[3] * rate;
}

#endif
