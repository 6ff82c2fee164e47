/* library.h - what stands behind a model of tenon/tenon.h, and what programs of Tenon itself may ask besides.
 *
 * A model of the library is a study (run/study.h) with what it was asked for, and a stepper that lets its solvers run on a thread of
 * their own. What a public function does is called by tn_library_call, with the memory of the model in hand (base/memory.h). */
#ifndef TN_LIBRARY_H
#define TN_LIBRARY_H

#include "run/study.h"
#include "system/accept.h"

#include <pthread.h>
#include <tenon/tenon.h>

/* Whose turn it is, behind a lock, and where the solver is to wait next: that belongs to the thread whose turn it is. */
typedef struct tn_stepper {
    pthread_mutex_t mutex;
    pthread_cond_t turned;
    bool solver_runs;
    pthread_t thread;
    bool has_thread;
    bool closing; /* the run is to end where it stands */
    bool single;  /* one step is asked for; else until */
    double until; /* s */
    tn_step_observer observer;
    double start, step; /* s: of the solver that runs; step 0: it chooses its own */
    double last_step;   /* s: the length of the last one */
} tn_stepper;

struct tenon_model {
    tn_study study;
    tn_study_options options;
    tn_memory memory; /* all blocks but this one */
    tn_arena texts;   /* of the options, and of columns */
    tn_stepper stepper;
    enum { TN_OPENED, TN_STANDING, TN_ENDED } phase;
    tn_study_result result; /* of a run that has ended */
    tenon_status broken;    /* TENON_OK, or why the model can only be closed */
    tn_column *column;      /* [columns] of sensors, behind that of the time */
    size_t columns;
    double *value;          /* [columns] memory for them */
    tn_equations equations; /* for matrices that are asked for */
    char reason[TN_LONGEST_REASON];
};

/* What a program asks for besides the options of the public header. */
typedef struct tn_library_wishes {
    tn_study_client client;
    tn_message_listener listener;
    bool writes;   /* results, where the model says unless the options do */
    bool expanded; /* run.toml with repeats written out */
    bool guard;    /* the memory of plugins is watched */
} tn_library_wishes;

/* open.c: as tenon_open_file, for a program of Tenon itself. */
tenon_status tn_library_open(const char *path, const tenon_options *options, const tn_library_wishes *wishes,
                             tenon_model **model);
/* The reason of a call that ends with this status; returns it. */
tenon_status tn_library_say(tenon_model *model, tenon_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* TENON_OK when the model can be used. */
tenon_status tn_library_enter(tenon_model *model);
/* A function of the library has been left, with this status unless there was no memory. */
tenon_status tn_library_left(tenon_model *model, tenon_status status);
/* The status of what a function of the library does, with the memory of its model in hand. */
#define tn_library_call(model_in_hand, call)                              \
    ({                                                                    \
        const tn_call_site *const tn_site_before = tn_site;               \
        volatile tenon_status tn_answered = TENON_OUT_OF_MEMORY;          \
        (void)tn_attempt(&(model_in_hand)->memory, tn_answered = (call)); \
        tn_site = tn_site_before;                                         \
        tn_library_left(model_in_hand, tn_answered);                      \
    })
/* step.c: lets the model stand at its start, at least. */
tenon_status tn_library_stand(tenon_model *model);
/* Ends the thread of a model that is stepped. */
void tn_stepper_close(tenon_model *model);
/* state.c: goes on from a state or from parameters that were changed. */
tenon_status tn_library_go_on(tenon_model *model);

#endif
