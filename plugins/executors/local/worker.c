/* worker.c - the side of a worker: asks the driver for ranges of cases */
#include "local.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct worker {
    int socket;
} worker;

tn_status local_begin_work(const tn_host *host, const void *instance, char *name, size_t size, void **self)
{
    const char *variable = getenv(LOCAL_VARIABLE);
    unsigned number = 0;
    int socket = -1;
    (void)instance;
    if (!variable || sscanf(variable, "%d %u", &socket, &number) != 2) {
        tn_say(host, TN_ERROR, "workers of the executor `local` are started by it, not by hand");
        return TN_FATAL;
    }
    worker *made = host->allocate(host, sizeof *made);
    if (!made) return TN_OUT_OF_MEMORY;
    made->socket = socket;
    /* another driver may have had a worker of this number, which is still at its last case */
    (void)snprintf(name, size, "w%u-%ld", number, (long)getpid());
    *self = made;
    return TN_OK;
}

/* Waits for the next batch, too. The driver may have gone: then there is nothing more to do. */
tn_status local_next_work(void *self, tn_work *work)
{
    const worker *own = self;
    const uint64_t wants = LOCAL_WANTS;
    ssize_t count = 0;
    *work = (tn_work){.count = 0};
    if (send(own->socket, &wants, sizeof wants, MSG_NOSIGNAL) != (ssize_t)sizeof wants) return TN_OK;
    do
        count = recv(own->socket, work, sizeof *work, 0);
    while (count < 0 && errno == EINTR);
    if (count != (ssize_t)sizeof *work) work->count = 0;
    return TN_OK;
}

void local_note_work(void *self, uint64_t number)
{
    (void)send(((const worker *)self)->socket, &number, sizeof number, MSG_NOSIGNAL);
}

void local_end_work(void *self) { (void)close(((const worker *)self)->socket); }
