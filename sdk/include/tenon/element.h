/* tenon/element.h - elements, the contributions to the equations of motion:
 *
 *   q' = N(q) v,   M v' = f + G^T lambda,   0 = g,   x' = h.
 *
 * Bodies own q and v and offer attachments for markers. Connectors read markers and write one wrench per marker; they never see a
 * body's coordinates. A type lists its capabilities, each with its own header. */
#ifndef TENON_ELEMENT_H
#define TENON_ELEMENT_H

#include "tenon/element/algebraic.h"
#include "tenon/element/attachment.h"
#include "tenon/element/body.h"
#include "tenon/element/configuration.h"
#include "tenon/element/constraint.h"
#include "tenon/element/coordinates.h"
#include "tenon/element/data.h"
#include "tenon/element/energy.h"
#include "tenon/element/events.h"
#include "tenon/element/force.h"
#include "tenon/element/states.h"
#include "tenon/element/variable.h"
#include "tenon/type.h"

enum tn_element_flag {
    TN_VECTOR_SPACE = 1u,  /* nq = nv, q' = v and q [+] dv = q + dv: the kernel does it without calling */
    TN_PRESENT = 2u,       /* an instance named like the type exists without a declaration */
    TN_CONSTANT_ROWS = 4u, /* constraint rows by marker twists never change: the kernel evaluates them once */
    TN_DRIVEN =
        8u, /* its TN_DYNAMIC parameters, reals, are functions of time, which host->observe differentiates: for
                       constraints that hold something at them */
    TN_KEEPS_RATES =
        16u, /* `accepted` keeps rates: it is called again, with batch->step 0, where a change of the model has
                            renewed the motion at the time of an accepted step */
    TN_FIXED_NAMES =
        32u /* the lists of `instance_outputs` have names of `outputs` only: what differs is sizes and units */
};

typedef struct tn_element_type {
    /* as in all types: see type.h */
    uint32_t struct_size, reserved;
    const char *name;
    const tn_parameter *parameters;
    size_t instance_size;
    const char *summary, *formula, *literature;
    const tn_synonym *synonyms;
    uint32_t flags, reserved_too;
    const tn_capability *capabilities;
    void (*release)(const tn_host *host, void *instance);

    const tn_port *ports;
    const tn_output *outputs;
    /* [setup] Checks and completes one instance; NULL: nothing to do. */
    tn_status (*prepare)(const tn_host *host, void *instance);
    /* [setup] The instance, whose bytes stand at `to` now, stood at `from`; NULL: it has no pointers into itself. */
    void (*relocate)(const tn_host *host, void *to, const void *from);
    /* [setup] Sizes of one instance; NULL: all zero. */
    tn_status (*layout)(const tn_host *host, const void *instance, tn_layout *layout);
    /* [setup] Start values, zero before the call; arrays as in the layout. NULL: all zero. */
    tn_status (*initial)(const tn_host *host, const void *instance, double *q, double *v, double *x,
                         double *s, double *d);
    /* [hot] One output of `count` instances from `first` on, into `value`; NULL where `outputs` is. */
    tn_batch_function output;
    /* [setup] The outputs of an instance, if they depend on it, instead of `outputs`, which describe the type. The list ends
     * likewise; its texts are static or in memory of host->allocate. The kernel calls this once, after `prepare`; batch->output
     * is an index into the list. In a call of `output` all instances have the same size. NULL: all have the same. */
    const tn_output *(*instance_outputs)(const tn_host *host, const void *instance);
} tn_element_type;

#endif
