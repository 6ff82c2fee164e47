/* threads.h - the threads of a model, behind parallel_for of its host
 *
 * Work is cut into blocks that depend on its size alone, and every block writes what is its own: results are the same to the bit for
 * any number of threads. Who computes which block is left to chance. */
#ifndef TN_THREADS_H
#define TN_THREADS_H

#include "model/model.h"

enum { TN_MOST_THREADS = 256 };

/* From here on the model works on so many threads, the caller's being one; 0: as many as there are cores. Where some cannot be
 * started there are fewer, which a warning says. One: none is started. */
void tn_threads_open(tn_model *model, uint32_t count);
/* Ends them, if there are any; from here on the caller's thread does all. */
void tn_threads_close(tn_model *model);

#endif
