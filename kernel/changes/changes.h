/* changes.h - changes of a model during a run, and samples of blocks that work at their own rate
 *
 * The reader of model files adds them, puts them in order and tries them (prepare.c). Whoever runs the model makes those that are
 * due where a solver begins, and the system does so at accepted steps, by tn_changes_apply (apply.c); a program that
 * steps a model may change it in between. */
#ifndef TN_CHANGES_H
#define TN_CHANGES_H

#include "model/model.h"
#include "system/assembly.h"

/* ---- before the run (prepare.c) ----------------------------------------------------------------------------- */

/* The parameter of an item that may change during a run; NULL after reporting. */
const tn_parameter *tn_change_parameter(tn_model *model, uint32_t item, const char *name, tn_place place);
void tn_change_add(tn_model *model, const tn_change *change);
/* When all changes are there: puts them in order, and tries them. */
void tn_changes_order(tn_model *model);
/* Makes a change of a parameter to these numbers, now, that the model does not hold; its instance is to be freed. False after
 * reporting why it cannot be changed. */
bool tn_change_of_numbers(tn_model *model, uint32_t item, const char *name, const double *values,
                          size_t count, tn_change *change);
/* Completes the memory of an item for those of `count` changes to it that are due, which are made together; false after
 * reporting what its type refuses. */
bool tn_changes_complete(tn_model *model, tn_change *change, size_t count);

/* ---- during the run (apply.c) ------------------------------------------------------------------------------- */

/* See tn_services: changes, and behind them samples. */
tn_status tn_changes_and_samples(tn_assembly *assembly, double time, bool *any);
/* Changes alone. */
tn_status tn_changes_apply(tn_assembly *assembly, double time, bool *any);
/* Makes one change that the model does not hold, now. As above, and before the state is made consistent. */
tn_status tn_change_apply_now(tn_assembly *assembly, tn_change *change);

/* ---- samples (sampling.c) ----------------------------------------------------------------------------------- */

/* Blocks whose sample time has come, until `time`, s, are sampled at the state of the system: whether some output of theirs has
 * changed. TN_EVENT: none, though there were some. */
tn_status tn_samples_take(tn_assembly *assembly, double time, bool *jumped);
/* The time, s, of the next sample of all; HUGE_VAL: there is none. */
double tn_samples_next(tn_assembly *assembly);
/* The time of the next change or sample; where a run starts, and behind both. */
void tn_changes_find_next(tn_assembly *assembly);

/* ---- as bytes (put_back.c) ---------------------------------------------------------------------------------- */

/* The changes of parameters that were made so far (tenon/draft/stepping.h). Restored, the model is as these have left it, apart from
 * values of expressions; false: an item refuses that, after reporting, or the bytes are of another model. */
bool tn_changes_list_state(tn_assembly *assembly, tn_state_visitor *visitor);
/* A change of a parameter has been made. */
void tn_change_remember(tn_model *model, const tn_change *change);
/* Parameters of an item are kept from here on, apart from its instance. prepare.c */
void tn_change_settle_begin(tn_model *model, uint32_t item);
/* Completes the instance of the change's item for the kept parameters, and finds the places of its markers; false after reporting
 * what its type refuses. prepare.c */
bool tn_change_settle(tn_model *model, tn_change *change);
/* Puts the markers of a change to their places. apply.c */
void tn_change_place_markers(tn_assembly *assembly, const tn_change *change);

#endif
