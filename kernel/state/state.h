/* state.h - all that a run's next step depends on, as bytes: saved where a study stands, restored there or in another one of the
 * same model
 *
 * Bytes begin with lines of text that say what they are of: the program, the model, the plugins with their versions, and how many
 * bytes follow, with their sum. Behind these stand the spans of list.c, as the machine has them. A save changes nothing, but for a
 * solver, or linear solver, that keeps some of its state out of reach: it begins that anew, in the run as in what is restored. */
#ifndef TN_STATE_H
#define TN_STATE_H

#include "run/study.h"

/* The bytes of a study that stands; their number. NULL in `bytes`: the number alone, and nothing begins anew. What begins anew is
 * added to `anew`, a list of names. */
size_t tn_state_save(tn_study *study, void *bytes, size_t capacity, tn_text *anew);

/* Whether a save would let something begin anew, whose names are added to `names`; changes nothing. */
bool tn_state_hides(tn_study *study, tn_text *names);

/* Whether bytes are of this model, with these plugins, and whole; else the reason. */
bool tn_state_check(tn_study *study, const void *bytes, size_t size, tn_text *reason);

/* Takes a study that stands, or has ended, to where these bytes were saved. TN_INVALID with the reason: they are not of this model,
 * with these plugins, or not whole, and nothing has changed; anything else but TN_OK: the model cannot be used any more. */
tn_status tn_state_restore(tn_study *study, const void *bytes, size_t size, tn_text *reason);

/* Writes why bytes are refused into `reason`; false. */
bool tn_state_refuse(tn_text *reason, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- list.c ---- */

/* Everything but the solver's own and the linear solver's; then these. False: bytes of another model. */
bool tn_state_list_model(tn_study *study, tn_state_visitor *visitor);
void tn_state_list_solver(tn_study *study, tn_state_visitor *visitor);

#endif
