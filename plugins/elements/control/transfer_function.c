/* transfer_function.c - a block by the polynomials of its transfer function, of s or, sampled, of z */
#include "control.h"

#include <tenon/kit/drawing.h>

#define TRANSFER_FUNCTION(P)                                                                           \
    P(PRIVATE, const control_block *, block)                                                           \
    P(REAL, input, TN_ANY_UNIT, TN_DYNAMIC | TN_REQUIRED, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "u")       \
    P(LIST, numerator, TN_ANY_UNIT, TN_REQUIRED, "coefficients of b, that of the highest power first") \
    P(LIST, denominator, TN_ANY_UNIT, TN_REQUIRED, "likewise of a")                                    \
    CONTROL_SAMPLING(P)
TN_PARAMETERS(transfer_function, TRANSFER_FUNCTION)

/* Without leading zeros. */
static tn_list polynomial(tn_list list)
{
    while (list.count && list.value[0] == 0.0) {
        list.value++;
        list.count--;
    }
    return list;
}

/* The controllable form: x_k' = x_k+1, and a_n x_n' = u - sum a_k x_k; the output by what division leaves of b. */
static tn_status make_matrices(const tn_host *host, control_block *block, tn_list b, tn_list a)
{
    const uint32_t n = block->states = (uint32_t)a.count - 1;
    block->inputs = block->outputs = 1;
    double *A = tn_control_numbers(host, (size_t)n * n), *B = tn_control_numbers(host, n),
           *C = tn_control_numbers(host, n), *D = tn_control_numbers(host, 1);
    if (!A || !B || !C || !D) return TN_OUT_OF_MEMORY;
    const double leading = a.value[0];
    D[0] = b.count == a.count ? b.value[0] / leading : 0.0;
    for (uint32_t k = 0; k < n; k++) {
        /* those of power k */
        const double of_a = a.value[n - k] / leading;
        const double of_b = k < b.count ? b.value[b.count - 1 - k] / leading : 0.0;
        if (k + 1 < n) A[(size_t)k * n + k + 1] = 1.0;
        A[(size_t)(n - 1) * n + k] = -of_a;
        C[k] = of_b - D[0] * of_a;
    }
    if (n) B[n - 1] = 1.0;
    block->A = A;
    block->B = B;
    block->C = C;
    block->D = D;
    return TN_OK;
}

static tn_status transfer_function_prepare(const tn_host *host, void *instance)
{
    transfer_function *self = instance;
    if (self->block) return TN_OK;
    const tn_list b = polynomial(self->numerator), a = polynomial(self->denominator);
    if (!a.count) return tn_refuse(host, "denominator", "some coefficient other than zero is expected");
    if (a.count - 1 > CONTROL_MOST_STATES)
        return tn_refuse(host, "denominator", "it is of degree %llu, but at most %d is possible",
                         (unsigned long long)a.count - 1, CONTROL_MOST_STATES);
    if (b.count > a.count)
        return tn_refuse(
            host, "numerator",
            "the transfer function is improper: its numerator is of degree %llu, its denominator of "
            "degree %llu",
            (unsigned long long)b.count - 1, (unsigned long long)a.count - 1);
    control_block *block = host->allocate(host, sizeof *block);
    if (!block) return TN_OUT_OF_MEMORY;
    block->input = offsetof(transfer_function, input);
    const control_sampling sampling = CONTROL_SAMPLING_OF(self);
    tn_status status = make_matrices(host, block, b, a);
    if (status == TN_OK) status = tn_control_complete(host, block, &sampling);
    if (status == TN_OK) self->block = block;
    return status;
}

static tn_status transfer_function_layout(TN_UNUSED const tn_host *host, const void *instance,
                                          tn_layout *layout)
{
    return tn_control_layout(control_block_of(instance), layout);
}

TN_DRAWS_NOTHING(block)

CONTROL_OUTPUTS(transfer_function)
TN_SYNONYMS(transfer_function, {"control_siso", NULL, NULL}, {"siso", NULL, NULL}, {"tf", NULL, NULL},
            {"filter", NULL, NULL}, {"num", "numerator", NULL}, {"den", "denominator", NULL},
            {"sample_time", "period", NULL}, {"sampling_period", "period", NULL},
            {"offset_time", "offset", NULL})
TN_ELEMENT(
    transfer_function, .summary = "block with a transfer function, continuous or sampled",
    .formula = "continuous: y(s) = b(s)/a(s) u(s);   sampled: y(z) = b(z)/a(z) u(z), held between samples",
    .synonyms = transfer_function_synonyms, CONTROL_CAPABILITIES, .prepare = transfer_function_prepare,
    .layout = transfer_function_layout, .initial = tn_control_initial, .output = tn_control_output,
    .outputs = transfer_function_outputs, .flags = TN_FIXED_NAMES, .instance_outputs = tn_control_outputs)
