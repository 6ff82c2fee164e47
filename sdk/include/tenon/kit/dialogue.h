/* tenon/kit/dialogue.h - algorithms that ask for values, in designs that hand out batches of points (draft/design.h)
 *
 * Each algorithm runs on a thread of its own, written as if it called a function: tn_ask() returns when the cases have run. The design waits
 * in next() until every algorithm asks or has ended, and hands out all that they ask for, in their order, as one batch. The points depend
 * neither on the number of threads that run nor on their pace.
 *
 * tn_ask() returns false when the study ends before the algorithm does: it then returns.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_DIALOGUE_H
#define TENON_KIT_DIALOGUE_H

#include "tenon/draft/design.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

typedef struct tn_dialogue tn_dialogue;

typedef enum tn_speaker_state {
    TN_SPEAKER_NEW,
    TN_SPEAKER_WORKS,
    TN_SPEAKER_ASKS,
    TN_SPEAKER_ENDED
} tn_speaker_state;

/* One algorithm. */
typedef struct tn_speaker {
    tn_dialogue *dialogue;
    void *self;
    pthread_t thread;
    tn_speaker_state state;
    bool started; /* known to the design alone */
    /* what it asks for */
    uint64_t count;
    const double *point;
    double *number; /* [count][numbers] */
    uint64_t first; /* number of its first case, counted over the study */
    uint8_t *done;  /* [count] */
} tn_speaker;

struct tn_dialogue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stopped, opened;
    uint32_t variables, numbers, speakers;
    uint64_t cases; /* handed out so far */
    tn_speaker *speaker;
    void (*run)(void *self); /* an algorithm, on its thread */
};

/* Values of `count` points [count][variables]; numbers are NaN where `done` is 0. False: the study ends. */
static inline bool tn_ask(tn_speaker *speaker, uint64_t count, const double *point, double *number,
                          uint8_t *done)
{
    tn_dialogue *all = speaker->dialogue;
    if (count == 0) return true;
    pthread_mutex_lock(&all->lock);
    speaker->count = count, speaker->point = point, speaker->number = number, speaker->done = done;
    speaker->state = TN_SPEAKER_ASKS;
    pthread_cond_broadcast(&all->changed);
    while (speaker->state == TN_SPEAKER_ASKS && !all->stopped)
        pthread_cond_wait(&all->changed, &all->lock);
    const bool answered = !all->stopped;
    pthread_mutex_unlock(&all->lock);
    return answered;
}

static inline void *tn_speaker_main(void *data)
{
    tn_speaker *speaker = data;
    tn_dialogue *all = speaker->dialogue;
    all->run(speaker->self);
    pthread_mutex_lock(&all->lock);
    speaker->state = TN_SPEAKER_ENDED;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

/* `speaker` [speakers], whose `self` are set. */
static inline tn_status tn_dialogue_open(tn_dialogue *all, const tn_design_problem *problem,
                                         uint32_t speakers, tn_speaker *speaker, void (*run)(void *self))
{
    *all = (tn_dialogue){.variables = problem->variables,
                         .numbers = problem->numbers,
                         .speakers = speakers,
                         .speaker = speaker,
                         .run = run};
    if (pthread_mutex_init(&all->lock, NULL)) return TN_FATAL;
    if (pthread_cond_init(&all->changed, NULL)) {
        pthread_mutex_destroy(&all->lock);
        return TN_FATAL;
    }
    all->opened = true;
    for (uint32_t k = 0; k < speakers; k++)
        speaker[k].dialogue = all;
    return TN_OK;
}

/* Signals of the process are those of its other threads, which wait for them; a fault of an algorithm stays its own. */
static inline bool tn_speaker_start(tn_speaker *speaker)
{
    enum { STACK = 4 << 20 };
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    sigset_t others, before;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes)) return false;
    (void)pthread_attr_setstacksize(&attributes, STACK);
    sigfillset(&others);
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++)
        sigdelset(&others, faults[k]);
    pthread_sigmask(SIG_BLOCK, &others, &before);
    const bool started = pthread_create(&speaker->thread, &attributes, tn_speaker_main, speaker) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

static inline tn_status tn_dialogue_start(tn_dialogue *all)
{
    for (uint32_t k = 0; k < all->speakers; k++) {
        tn_speaker *speaker = &all->speaker[k];
        if (speaker->started) continue;
        speaker->state = TN_SPEAKER_WORKS;
        if (!tn_speaker_start(speaker)) {
            speaker->state = TN_SPEAKER_ENDED;
            return TN_OUT_OF_MEMORY;
        }
        speaker->started = true;
    }
    return TN_OK;
}

/* The design's next(): no points when all algorithms have ended. */
static inline tn_status tn_dialogue_next(tn_dialogue *all, tn_design_batch *batch)
{
    tn_status status = tn_dialogue_start(all);
    pthread_mutex_lock(&all->lock);
    for (uint32_t k = 0; k < all->speakers; k++)
        while (all->speaker[k].state == TN_SPEAKER_WORKS)
            pthread_cond_wait(&all->changed, &all->lock);
    pthread_mutex_unlock(&all->lock);
    for (uint32_t k = 0; k < all->speakers; k++) {
        tn_speaker *speaker = &all->speaker[k];
        if (speaker->state != TN_SPEAKER_ASKS) continue;
        speaker->first = all->cases;
        all->cases += speaker->count;
        for (uint64_t i = 0; i < speaker->count && status == TN_OK; i++)
            status = batch->add(batch, speaker->point + i * all->variables);
    }
    return status;
}

/* Its tell(). */
static inline tn_status tn_dialogue_tell(tn_dialogue *all, const tn_design_results *results)
{
    uint64_t first = 0;
    for (uint32_t k = 0; k < all->speakers; k++)
        if (all->speaker[k].state == TN_SPEAKER_ASKS) first += all->speaker[k].count;
    if (first != results->count) return TN_INVALID;
    pthread_mutex_lock(&all->lock);
    first = 0;
    for (uint32_t k = 0; k < all->speakers; k++) {
        tn_speaker *speaker = &all->speaker[k];
        if (speaker->state != TN_SPEAKER_ASKS) continue;
        memcpy(speaker->number, results->number + first * all->numbers,
               speaker->count * all->numbers * sizeof *speaker->number);
        memcpy(speaker->done, results->done + first, speaker->count);
        for (uint64_t i = 0; i < speaker->count; i++)
            for (uint32_t n = 0; n < all->numbers && !speaker->done[i]; n++)
                speaker->number[i * all->numbers + n] = (double)NAN;
        first += speaker->count;
        speaker->state = TN_SPEAKER_WORKS;
    }
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    return TN_OK;
}

/* Lets all algorithms return. */
static inline void tn_dialogue_close(tn_dialogue *all)
{
    if (!all->opened) return;
    pthread_mutex_lock(&all->lock);
    all->stopped = true;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    for (uint32_t k = 0; k < all->speakers; k++)
        if (all->speaker[k].started) (void)pthread_join(all->speaker[k].thread, NULL);
    pthread_cond_destroy(&all->changed);
    pthread_mutex_destroy(&all->lock);
    all->opened = false;
}

#endif
