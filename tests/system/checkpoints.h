/* checkpoints.h - runs that are ended early, and what they leave. */
#ifndef TENON_TESTS_SYSTEM_CHECKPOINTS_H
#define TENON_TESTS_SYSTEM_CHECKPOINTS_H

#include "harness.h"

/* Models of tests/soak, for runs that are killed. */
#define MODELS TENON_SOURCE_DIR "/tests/soak/models/restart/"
#define MASS                                                                                               \
    "[[element]]\nname = 'mass'\ntype = 'mass_1d'\nmass = 1\nposition = 1\n"                               \
    "[[element]]\nname = 'spring'\ntype = 'coordinate_spring_damper'\nmarkers = 'mass'\nstiffness = 100\n" \
    "damping = 0.01\n[[sensor]]\nname = 'x'\nexpression = 'COORD(mass)'\n"
/* Half a second and more of wall time. */
#define RK "[solver]\ntype = 'rk'\nstep = 1e-4\nend_time = 50\n"
#define OUTPUT "[output]\ninterval = 0.01\ncheckpoint = 0.01\n"

void tn_checkpoint_wait(double seconds);
bool tn_checkpoint_exists(const char *path);
/* Fails unless two directories of results hold the same files, but for what differs from run to run. */
void tn_checkpoint_same(const char *right, const char *found);
/* `tenon run --resume`. */
tn_outcome tn_checkpoint_resume_run(const char *results);
/* A run that is signalled once it has a checkpoint. */
tn_outcome tn_checkpoint_end_early(const char *model, const char *results, int signal);
/* Fails unless such results are not gone on with, for a reason with these words, and stay as they are. */
void tn_checkpoint_refused(const char *results, const char *const *words);
/* A file of these bytes. */
void tn_checkpoint_write(const char *path, const char *bytes, size_t size);

#endif
