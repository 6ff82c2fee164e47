/* local.h - what the files of this plugin share: the driver and its workers speak by a socket each, in records of a fixed size. */
#ifndef LOCAL_H
#define LOCAL_H

#include <tenon/draft/executor.h>
#include <tenon/plugin.h>

/* The variable of the environment by which a worker knows its socket and its number: "FD NUMBER". */
#define LOCAL_VARIABLE "TENON_LOCAL_WORKER"
/* What a worker sends: the number of a case that is done, or that it wants another range; it gets a tn_case_range. */
#define LOCAL_WANTS UINT64_MAX

/* The driver: runs the batch on so many workers. pool.c */
tn_status local_run(const tn_host *host, uint32_t workers, tn_execution *execution);

/* worker.c */
tn_status local_begin_work(const tn_host *host, const void *instance, uint64_t count, char *name, size_t size,
                           void **self);
tn_status local_next_work(void *self, tn_case_range *range);
void local_note_work(void *self, uint64_t number);
void local_end_work(void *self);

#endif
