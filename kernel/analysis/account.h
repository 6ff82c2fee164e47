/* account.h - whether the energy of a run balances. */
#ifndef TN_ACCOUNT_H
#define TN_ACCOUNT_H

#include "system/assembly.h"

struct tn_account;

/* account.c: which powers count, which makes it an observer of accepted steps (accept.h); whether the energy of the run has
 * changed by more than came in and went out: by so much (J), this share of the energy in the motion, most of it at this time. */
void tn_account_build(tn_assembly *assembly);
bool tn_account_misfit(const tn_assembly *assembly, double *misfit, double *share, double *time);

#endif
