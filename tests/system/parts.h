/* parts.h - what the tests of models in several files share: pieces of models, runs of files, equal results. */
#ifndef TENON_TESTS_SYSTEM_PARTS_H
#define TENON_TESTS_SYSTEM_PARTS_H

#include "harness.h"

#define SOLVER "[solver]\ntype = 'generalized_alpha'\nend_time = 0.2\nstep = 0.01\n"
#define MASS(place) "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = " place "\n"
#define SPRING(rest)                                                                                        \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 'k'\n" \
    "reference_length = 1\n" rest
#define POSITION(name) "[[sensor]]\nname = '" name "'\nelement = '" name "'\noutput = 'position'\n"
#define PART(name, file) "[[part]]\nname = '" name "'\nfile = '" file "'\n"
/* A file that is used as a part: a mass at 1.2 m on a spring of length 1 m and stiffness k = 100, and its position. */
#define SWING "[parameters]\nk = 100\n" MASS("[1.2, 0, 0]") SPRING("") POSITION("mass")

/* Runs a file with further words (or NULL) to its end; its results. */
const char *tn_run_file(const char *file, const char *const *more);
/* The same of a text, which becomes parts.toml in the scratch directory. */
const tn_csv_table *tn_simulate_parts(const char *model, const char *const *more);
/* The text of the sensors in a directory of results. */
const char *tn_sensor_text(const char *results);
/* Every column of `a` stands in `b` with equal values. */
void tn_check_equal(const tn_csv_table *a, const tn_csv_table *b);

#endif
