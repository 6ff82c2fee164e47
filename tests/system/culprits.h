/* culprits.h - a mass, with what fails added by the test, run to its end */
#ifndef TENON_TESTS_SYSTEM_CULPRITS_H
#define TENON_TESTS_SYSTEM_CULPRITS_H

#include "harness.h"

#define MASS "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.5, 0, 0]\n"
#define SENSOR "[[sensor]]\nname = 'p'\nelement = 'mass'\noutput = 'position'\n"
#define SOLVER(keys) "[solver]\nend_time = 1\nstep = 0.01\n" keys "\n"

/* Runs the model with types of the test's own. */
static inline tn_outcome run_trusted(const char *model, const char *results)
{
    return tn_tenon(TN_WORDS("run", tn_write("model.toml", model), "--trust", "--quiet", "--out", results));
}

#endif
