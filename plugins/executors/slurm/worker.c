/* worker.c - the side of a worker: a task of an array, which works on the cases that its number says, one after the other */
#include "slurm.h"

typedef struct worker {
    uint64_t next, end;
    const char *stop; /* a file; where it is, the user ends the study */
    char batch[TN_BATCH_NAME];
} worker;

/* Letters, digits, '.' and '-' only. */
static void clean(char *name)
{
    for (; *name; name++)
        if (!(*name >= 'a' && *name <= 'z') && !(*name >= 'A' && *name <= 'Z') &&
            !(*name >= '0' && *name <= '9') && *name != '.')
            *name = '-';
}

tn_status slurm_begin_work(const tn_host *host, const void *instance, char *name, size_t size, void **self)
{
    const char *words = getenv(SLURM_WORK), *task = getenv("SLURM_ARRAY_TASK_ID");
    const char *node = getenv("SLURMD_NODENAME"), *stop = getenv(SLURM_STOP);
    unsigned long long first = 0, end = 0, cases = 0, number = 0;
    char batch[TN_BATCH_NAME], here[33] = "";
    (void)instance;
    if (!words || !task || sscanf(words, "%47s %llu %llu %llu", batch, &first, &end, &cases) != 4 ||
        sscanf(task, "%llu", &number) != 1 || number > (end - first) / (cases ? cases : 1)) {
        tn_say(host, TN_ERROR,
               "workers of the executor `slurm` are tasks of its jobs, and not started by hand");
        return TN_FATAL;
    }
    worker *made = host->allocate(host, sizeof *made);
    if (!made) return TN_OUT_OF_MEMORY;
    *made = (worker){.next = first + number * cases, .stop = stop ? stop : ""};
    made->end = made->next + cases < end ? made->next + cases : end;
    memcpy(made->batch, batch, sizeof batch);
    if (!node && gethostname(here, sizeof here - 1) == 0) node = here;
    /* the task of a retry, or of another driver, has the same number */
    (void)snprintf(name, size, "t%llu-%.24s-%ld", number, node ? node : "", (long)getpid());
    clean(name);
    *self = made;
    return TN_OK;
}

/* Case by case, so that a study that is ended waits for one only. */
tn_status slurm_next_work(void *self, tn_work *work)
{
    worker *own = self;
    *work = (tn_work){.first = own->next};
    memcpy(work->batch, own->batch, sizeof own->batch);
    work->count = own->next < own->end && !(own->stop[0] && access(own->stop, F_OK) == 0);
    own->next += work->count;
    return TN_OK;
}

void slurm_end_work(void *self) { (void)self; }
