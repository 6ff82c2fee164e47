/* local.h - what the files of this plugin share: the driver and its workers speak by a socket each, in records of a fixed size. */
#ifndef LOCAL_H
#define LOCAL_H

#include <tenon/draft/executor.h>
#include <tenon/plugin.h>

/* The variable of the environment by which a worker knows its socket and its number: "FD NUMBER". */
#define LOCAL_VARIABLE "TENON_LOCAL_WORKER"
/* What a worker sends: the number of a case that is done, or that it wants work; it gets a tn_work. */
#define LOCAL_WANTS UINT64_MAX

/* The driver: workers that live from batch to batch. pool.c */
tn_status local_open(const tn_host *host, uint32_t workers, const tn_execution_place *place, void **self);
tn_status local_carry_out(void *self, tn_execution *execution);
void local_close(void *self);

/* worker.c */
tn_status local_begin_work(const tn_host *host, const void *instance, char *name, size_t size, void **self);
tn_status local_next_work(void *self, tn_work *work);
void local_note_work(void *self, uint64_t number);
void local_end_work(void *self);

#endif
