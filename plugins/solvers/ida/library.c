/* library.c - SUNDIALS: what is made and freed there, where IDA starts, what it has counted, and what its statuses mean */
#include "ida.h"

#define LEAST_SHARE 1e-12 /* of the run, that a step is not begun shorter than */
#define ROUND_OFFS \
    100.0 /* that the tolerance of velocities is above what a first step makes of those of positions */
enum { MOST_FAILURES = 20, MOST_ITERATIONS = 6 };
#define SHARE_OF_ITERATION \
    0.01 /* of the error of a step, that Newton's method may leave: more disturbs the choice of steps */

/* Messages are kept for the end: IDA says nothing by itself. */
static void keep_message(TN_UNUSED int code, TN_UNUSED const char *module, TN_UNUSED const char *function,
                         char *message, void *data)
{
    ida_work *work = data;
    (void)snprintf(work->said, sizeof work->said, "%s", message);
    for (char *c = work->said; *c; c++)
        if (*c == '\n') *c = ' ';
}

static tn_status make_vectors(ida_work *work)
{
    N_Vector *const vectors[] = {&work->y, &work->slope, &work->kind, &work->error};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (!(*vectors[k] = N_VNew_Serial((sunindextype)work->size, work->context))) return TN_OUT_OF_MEMORY;
    double *kind = N_VGetArrayPointer(work->kind);
    for (size_t i = 0; i < work->size; i++)
        kind[i] = i < work->at_lambda || work->is_empty ? 1.0 : 0.0;
    return TN_OK;
}

tn_status tn_ida_open(ida_work *work)
{
    if (SUNContext_Create(NULL, &work->context) != 0) return TN_OUT_OF_MEMORY;
    work->ida = IDACreate(work->context);
    if (!work->ida || make_vectors(work) != TN_OK) return TN_OUT_OF_MEMORY;
    return IDASetErrHandlerFn(work->ida, keep_message, work) == IDA_SUCCESS ? TN_OK : TN_OUT_OF_MEMORY;
}

void tn_ida_close(ida_work *work)
{
    if (work->ida) IDAFree(&work->ida);
    if (work->linear) SUNLinSolFreeEmpty(work->linear);
    if (work->matrix) SUNMatFreeEmpty(work->matrix);
    N_Vector const vectors[] = {work->y, work->slope, work->kind, work->error};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (vectors[k]) N_VDestroy(vectors[k]);
    if (work->context) (void)SUNContext_Free(&work->context);
}

/* ---- starts ---------------------------------------------------------------------------------------------- */

static double rms_of(const ida_work *work, const double *rate, size_t first, size_t last)
{
    const double *weight = N_VGetArrayPointer(work->error);
    double sum = 0.0;
    for (size_t i = first; i < last; i++)
        sum += rate[i] * weight[i] * (rate[i] * weight[i]);
    return work->size ? sqrt(sum / (double)work->size) : 0.0;
}

/* Positions are rounded: what corrects them in a step moves velocities by as much over h. */
static double clear_of_round_off(const ida_work *work)
{
    const tn_system *system = work->system;
    const double *weight = N_VGetArrayPointer(work->error);
    double largest = 0.0;
    for (uint32_t i = 0; i < system->nv && system->rows; i++)
        largest = fmax(largest, DBL_EPSILON * system->scale[i] * weight[work->at_v + i]);
    return ROUND_OFFS * largest;
}

/* A step of order 1 whose error is about what is allowed: that of q follows from v' (and v, where body axes turn), those of v and x
 * from how long v' and x' take to change, of which the steps before tell. */
static double new_step(ida_work *work)
{
    const tn_system *system = work->system;
    const tn_run *run = system->run;
    const double *slope = N_VGetArrayPointer(work->slope), span = run->end_time - system->time;
    const double slowly = 10.0 * (work->stand.usual_step > 0.0 ? work->stand.usual_step : 1e-3 * span);
    (void)tn_ida_weights(work->y, work->error, work);
    const double rate_of_v = rms_of(work, slope, work->at_v, work->at_lambda);
    const double rate_of_q = rms_of(work, slope, 0, work->at_v);
    const double least = 0.5 / fmax(rate_of_v + rate_of_q, 1e-300);
    const double change = (rate_of_v + rate_of_q) / slowly;
    const double h = fmax(least, sqrt(0.5 / fmax(change, 1e-300)));
    return fmin(fmax(fmax(h, LEAST_SHARE * span), clear_of_round_off(work)), 1e-3 * span);
}

static int set_limits(ida_work *work)
{
    const tn_run *run = work->system->run;
    void *ida = work->ida;
    int flag = IDAWFtolerances(ida, tn_ida_weights);
    if (flag == IDA_SUCCESS) flag = IDASetUserData(ida, work);
    if (flag == IDA_SUCCESS) flag = IDASetId(ida, work->kind);
    if (flag == IDA_SUCCESS) flag = IDASetSuppressAlg(ida, SUNTRUE);
    if (flag == IDA_SUCCESS) flag = IDASetMaxOrd(ida, (int)work->settings->max_order);
    if (flag == IDA_SUCCESS) flag = IDASetMaxErrTestFails(ida, MOST_FAILURES);
    if (flag == IDA_SUCCESS) flag = IDASetMaxConvFails(ida, MOST_FAILURES);
    if (flag == IDA_SUCCESS) flag = IDASetMaxNonlinIters(ida, MOST_ITERATIONS);
    if (flag == IDA_SUCCESS) flag = IDASetNonlinConvCoef(ida, SHARE_OF_ITERATION);
    if (flag == IDA_SUCCESS && run->maximum_step > 0.0) flag = IDASetMaxStep(ida, run->maximum_step);
    if (flag == IDA_SUCCESS && work->watch.count)
        flag = IDARootInit(ida, (int)work->watch.count, tn_ida_roots);
    if (flag == IDA_SUCCESS && work->watch.count) flag = IDASetNoInactiveRootWarn(ida);
    return flag;
}

static int initialise(ida_work *work)
{
    int flag = IDAInit(work->ida, tn_ida_residual, work->system->time, work->y, work->slope);
    if (flag == IDA_SUCCESS) flag = set_limits(work);
    if (flag == IDA_SUCCESS && tn_ida_make_linear_solver(work) != TN_OK) flag = IDA_MEM_FAIL;
    work->begun = flag == IDA_SUCCESS;
    return flag;
}

tn_status tn_ida_start(ida_work *work, double stop)
{
    const tn_system *system = work->system;
    ida_stand *stand = &work->stand;
    const tn_status status = tn_ida_read_state(work);
    if (status != TN_OK) return status;
    int flag = work->begun ? IDAReInit(work->ida, system->time, work->y, work->slope) : initialise(work);
    double h = new_step(work);
    if (stand->first_step > 0.0) h = fmax(stand->first_step, clear_of_round_off(work));
    if (system->run->maximum_step > 0.0) h = fmin(h, system->run->maximum_step);
    h = fmin(fmax(h, system->run->minimum_step), stop - system->time);
    if (flag == IDA_SUCCESS) flag = IDASetInitStep(work->ida, h);
    work->rejected_errors = work->rejected_solutions = work->iterations = 0;
    work->c_factored = 0.0;
    work->c = 1.0 / h;
    stand->first_step = 0.0;
    stand->anew = 0;
    if (flag == IDA_SUCCESS) return TN_OK;
    return flag == IDA_MEM_FAIL ? TN_OUT_OF_MEMORY : tn_ida_give_up(work, flag);
}

/* ---- counts ---------------------------------------------------------------------------------------------- */

/* The number with the largest error. */
static void report_largest(ida_work *work)
{
    if (!work->report || IDAGetEstLocalErrors(work->ida, work->error) != IDA_SUCCESS) return;
    const double *error = N_VGetArrayPointer(work->error);
    double *weight = N_VGetArrayPointer(work->slope), largest = 0.0;
    size_t number = 0;
    if (IDAGetErrWeights(work->ida, work->slope) != IDA_SUCCESS) return;
    for (size_t i = 0; i < work->at_lambda; i++)
        if (fabs(error[i] * weight[i]) > largest) largest = fabs(error[i] * weight[number = i]);
    if (largest > 0.0) tn_step_governed_by_y(work->report, work->system, (uint32_t)number);
}

void tn_ida_count(ida_work *work)
{
    long errors = 0, solutions = 0, iterations = 0;
    (void)IDAGetNumErrTestFails(work->ida, &errors);
    (void)IDAGetNumStepSolveFails(work->ida, &solutions);
    (void)IDAGetNumNonlinSolvIters(work->ida, &iterations);
    for (long k = work->rejected_errors; k < errors; k++)
        tn_step_rejected(work->report, work->system, TN_REJECTED_ERROR);
    for (long k = work->rejected_solutions; k < solutions; k++)
        tn_step_rejected(work->report, work->system,
                         work->refused ? TN_REJECTED_EVENT : TN_REJECTED_ITERATION);
    work->system->statistics->newton_iterations += (uint64_t)(iterations - work->iterations);
    work->stand.progress.tries +=
        (uint32_t)(errors - work->rejected_errors + solutions - work->rejected_solutions);
    work->rejected_errors = errors;
    work->rejected_solutions = solutions;
    work->iterations = iterations;
    report_largest(work);
}

/* ---- the end --------------------------------------------------------------------------------------------- */

static const char *meaning_of(int flag)
{
    switch (flag) {
    case IDA_TOO_MUCH_ACC:
        return "the tolerances are below what numbers resolve";
    case IDA_ERR_FAIL:
        return "the errors stay above the tolerances however short the step";
    case IDA_CONV_FAIL:
        return "Newton's method does not converge however short the step";
    case IDA_LSETUP_FAIL:
        return "the Jacobian or its factors failed";
    case IDA_LSOLVE_FAIL:
        return "the linear solver failed";
    case IDA_RES_FAIL:
        return "the evaluation of the model failed";
    case IDA_REP_RES_ERR:
        return "the model refuses all states ahead, however near";
    case IDA_FIRST_RES_FAIL:
        return "the model refuses the first state";
    case IDA_RTFUNC_FAIL:
        return "the evaluation of the events failed";
    case IDA_BAD_EWT:
        return "a weight of errors is no number";
    default:
        return "it does not go on";
    }
}

tn_status tn_ida_give_up(ida_work *work, int flag)
{
    char text[640], *name = IDAGetReturnFlagName(flag);
    int order = 0;
    double h = 0.0;
    (void)IDAGetCurrentOrder(work->ida, &order);
    (void)IDAGetCurrentStep(work->ida, &h);
    const bool fatal = work->status != TN_OK && work->status != TN_RETRY;
    (void)snprintf(
        text, sizeof text,
        "IDA has shortened the step to %.3g s, at order %d and again at order 1 from the last state: %s (%s)",
        h, order, meaning_of(flag), name ? name : "no name");
    free(name); // SUNDIALS allocates it by malloc()
    if (work->said[0]) tn_say(work->system->host, TN_NOTE, "IDA says: %s", work->said);
    if (fatal) return work->system->fail(work->system, work->status, NULL, text);
    return tn_stall_watch_fail(&work->stall, text);
}
