/* threads.c - threads that wait for work, and a loop that they share (see threads.h) */
#define _GNU_SOURCE
#include "threads/threads.h"

#include "plugin/call_site.h"
#include "threads/loop_messages.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* How often a thread looks for work before it sleeps: some 50 us, while another core has something to do. */
enum { MOST_LOOKS = 4000 };

typedef struct tn_worker {
    pthread_t thread;
    struct tn_threads *threads;
    uint32_t number; /* from 1 on */
} tn_worker;

typedef struct tn_threads {
    pthread_mutex_t mutex;
    pthread_cond_t called;
    tn_worker *worker;         /* [count] */
    uint32_t count;            /* besides the caller's */
    bool crowded;              /* more threads than cores: nobody waits for work without sleeping */
    atomic_uint_fast64_t loop; /* number of the loop that is at work, or was last */
    atomic_uint sleeping;
    atomic_bool closing;
    /* the loop */
    void (*task)(void *data, size_t first, size_t last);
    void *data;
    size_t size, grain, blocks;
    const tn_call_site *site; /* of its caller */
    atomic_size_t next;       /* block that nobody has taken yet */
    atomic_uint gate;         /* OPEN while threads may join the loop, and how many are in it */
} tn_threads;

enum { OPEN = 1 << 30 };

static _Thread_local bool is_inside; /* a loop within a loop is one thread's */

/* For the other thread of this core. */
static inline void pause_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void look_again(uint32_t looks)
{
    if (looks < MOST_LOOKS)
        pause_core();
    else
        (void)sched_yield();
}

static void take_blocks(tn_threads *self)
{
    for (size_t k; (k = atomic_fetch_add_explicit(&self->next, 1, memory_order_relaxed)) < self->blocks;) {
        const size_t first = k * self->grain, left = self->size - first;
        tn_loop_messages_enter(k);
        self->task(self->data, first, first + (left < self->grain ? left : self->grain));
    }
    tn_loop_messages_leave();
}

/* ---- the threads ----------------------------------------------------------------------------------------- */

/* A thread that comes late is not waited for. */
static bool join_loop(tn_threads *self)
{
    uint32_t gate = atomic_load_explicit(&self->gate, memory_order_relaxed);
    while (gate & OPEN)
        if (atomic_compare_exchange_weak_explicit(&self->gate, &gate, gate + 1, memory_order_acquire,
                                                  memory_order_relaxed))
            return true;
    return false;
}

/* Behind a loop that was seen before; false: there is none any more. */
static bool await_loop(tn_threads *self, uint_fast64_t seen)
{
    for (uint32_t looks = self->crowded ? MOST_LOOKS : 0; looks < MOST_LOOKS; looks++) {
        if (atomic_load_explicit(&self->loop, memory_order_acquire) != seen)
            return !atomic_load(&self->closing);
        look_again(looks);
    }
    (void)pthread_mutex_lock(&self->mutex);
    atomic_fetch_add(&self->sleeping, 1);
    while (atomic_load(&self->loop) == seen)
        (void)pthread_cond_wait(&self->called, &self->mutex);
    atomic_fetch_sub(&self->sleeping, 1);
    (void)pthread_mutex_unlock(&self->mutex);
    return !atomic_load(&self->closing);
}

static void *work(void *data)
{
    const tn_worker *worker = data;
    tn_threads *self = worker->threads;
    tn_thread_number = worker->number;
    is_inside = true;
    for (uint_fast64_t seen = 0; await_loop(self, seen);) {
        seen = atomic_load(&self->loop);
        if (!join_loop(self)) continue;
        tn_site = self->site;
        take_blocks(self);
        tn_site = NULL;
        atomic_fetch_sub_explicit(&self->gate, 1, memory_order_release);
    }
    return NULL;
}

/* The next loop, or the end. */
static void call_all(tn_threads *self)
{
    atomic_fetch_add(&self->loop, 1);
    if (atomic_load(&self->sleeping) == 0) return;
    (void)pthread_mutex_lock(&self->mutex);
    (void)pthread_cond_broadcast(&self->called);
    (void)pthread_mutex_unlock(&self->mutex);
}

/* ---- the loop -------------------------------------------------------------------------------------------- */

static void run_in_blocks(const tn_host *host, size_t size, size_t grain,
                          void (*task)(void *data, size_t first, size_t last), void *data)
{
    tn_model *model = host->self;
    tn_threads *self = model->threads;
    const size_t blocks = grain ? (size + grain - 1) / grain : 0;
    if (is_inside || blocks < 2) {
        tn_run_blocks(host, size, grain, task, data);
        return;
    }
    self->task = task;
    self->data = data;
    self->size = size;
    self->grain = grain;
    self->blocks = blocks;
    self->site = tn_site;
    atomic_store_explicit(&self->next, 0, memory_order_relaxed);
    atomic_store_explicit(&self->gate, OPEN, memory_order_release);
    call_all(self);
    is_inside = true;
    take_blocks(self);
    is_inside = false;
    (void)atomic_fetch_and_explicit(&self->gate, ~(unsigned)OPEN, memory_order_acquire);
    for (uint32_t looks = self->crowded ? MOST_LOOKS : 0;
         atomic_load_explicit(&self->gate, memory_order_acquire); looks += looks < MOST_LOOKS)
        look_again(looks);
    tn_loop_messages_deliver(model, model->loop_messages);
}

/* ---- open and close -------------------------------------------------------------------------------------- */

/* Signals of the process are for the threads of the program. */
static uint32_t start_threads(tn_threads *self, uint32_t count)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t k = 0; k < sizeof crashes / sizeof *crashes; k++)
        (void)sigdelset(&all, crashes[k]);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    while (self->count < count) {
        tn_worker *next = &self->worker[self->count];
        *next = (tn_worker){.threads = self, .number = self->count + 1};
        if (pthread_create(&next->thread, NULL, work, next) != 0) break;
        self->count++;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return self->count;
}

/* Those that the process may run on. */
static uint32_t count_cores(void)
{
    cpu_set_t set;
    const int found = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    const long online = found > 0 ? found : sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

void tn_threads_open(tn_model *model, uint32_t count)
{
    const uint32_t cores = count_cores(), wanted = count ? count : cores;
    const uint32_t others = (wanted < TN_MOST_THREADS ? wanted : TN_MOST_THREADS) - 1;
    if (model->threads && model->threads->count == others) return;
    tn_threads_close(model);
    if (!others) return;
    tn_threads *self = model->threads =
        calloc(1, sizeof *self); /* lives until they have ended, also behind a lack of memory */
    if (!self) tn_no_memory("threads");
    (void)pthread_mutex_init(&self->mutex, NULL);
    (void)pthread_cond_init(&self->called, NULL);
    self->crowded = wanted > cores;
    self->worker = calloc(others, sizeof *self->worker);
    if (!self->worker || !tn_loop_messages_open(model)) tn_no_memory("threads");
    if (start_threads(self, others) < others)
        tn_say(&model->host, TN_WARNING, "%u threads are asked for, and %u could be started", wanted,
               self->count + 1);
    model->thread_count = self->count;
    if (self->count) model->host.parallel_for = run_in_blocks;
}

void tn_threads_close(tn_model *model)
{
    tn_threads *self = model->threads;
    if (!self) return;
    model->threads = NULL;
    model->thread_count = 0;
    model->host.parallel_for = tn_run_blocks;
    tn_loop_messages_close(model, model->loop_messages);
    atomic_store(&self->closing, true);
    call_all(self);
    for (uint32_t k = 0; k < self->count; k++)
        (void)pthread_join(self->worker[k].thread, NULL);
    (void)pthread_mutex_destroy(&self->mutex);
    (void)pthread_cond_destroy(&self->called);
    free(self->worker);
    free(self);
}
