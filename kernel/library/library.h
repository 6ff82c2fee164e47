/* library.h - what stands behind a model of tenon/tenon.h, and what programs of Tenon itself may ask besides.
 *
 * A model of the library is a study (run/study.h) with what it was asked for, and where it is to stand. What a public function does is
 * called by tn_library_call, with the memory of the model in hand (base/memory.h). */
#ifndef TN_LIBRARY_H
#define TN_LIBRARY_H

#include "restart/restart.h"
#include "run/study.h"
#include "system/accept.h"

#include <tenon/tenon.h>

/* Where a model that is stepped is to stand next. */
typedef struct tn_stepper {
    bool closing; /* the run is to end where it stands */
    bool single;  /* one step is asked for; else until */
    double until; /* s */
    tn_step_observer observer;
    double start, step; /* s: of the solver that runs; step 0: it chooses its own */
    double last_step;   /* s: the length of the last one */
} tn_stepper;

/* What a program asks for besides the options of the public header. */
typedef struct tn_library_wishes {
    tn_study_client client;
    tn_message_listener listener;
    bool writes;   /* results, where the model says unless the options do, and checkpoints of the run */
    bool expanded; /* run.toml with repeats written out */
    bool guard;    /* the memory of plugins is watched */
    const tn_checkpoint *checkpoint; /* from which the run is to go on; or NULL */
} tn_library_wishes;

/* A model that is built by calls: the text of its file so far, and the places that its lines stand for. */
typedef struct tn_building {
    tn_text text;
    uint32_t lines;
    struct tn_built_place {
        uint32_t first_line; /* up to that of the next one */
        tn_place place;      /* file NULL: the line itself */
    } * place;
    size_t count;
} tn_building;
typedef struct tn_built_place tn_built_place;

struct tenon_model {
    tn_study study, other; /* the model; another one while it is read anew for added sensors */
    tn_study_options options;
    tn_library_wishes wishes;
    tn_memory memory; /* all blocks but this one */
    tn_arena texts;   /* of the options, and of columns */
    tn_stepper stepper;
    tn_building building;
    enum { TN_BUILDING, TN_OPENED, TN_STANDING, TN_ENDED } phase;
    tn_study_result result; /* of a run that has ended */
    tenon_status broken;    /* TENON_OK, or why the model can only be closed */
    tn_column *column;      /* [columns] of sensors, behind that of the time */
    size_t columns;
    double *value;          /* [columns] memory for them */
    tn_equations equations; /* for matrices that are asked for */
    bool told_of_save;      /* that some of the state begins anew there */
    char reason[TN_LONGEST_REASON];
};

/* Where a model stands: in a file, `name`; in a text of that name with its folder; or it is built. */
typedef struct tn_library_source {
    const char *name, *text, *folder;
    bool built;
} tn_library_source;

/* open_model.c: a new model, which is read unless it is built. */
tenon_status tn_library_open(const tn_library_source *source, const tenon_options *options,
                             const tn_library_wishes *wishes, tenon_model **model);
/* Reads the model, from the text of one that was built, or as its options say (NULL). */
tenon_status tn_library_read(tenon_model *model, const char *built);
/* The place that the program has given for a place in the text of a model that was built; else that itself. build_model.c */
tn_place tn_built_place_of(const tenon_model *model, tn_place place);
/* The reason of a call that ends with this status; returns it. */
tenon_status tn_library_say(tenon_model *model, tenon_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The last error that was told, or this text where there is none, as the reason. */
tenon_status tn_library_say_last_error(tenon_model *model, tenon_status status, const char *otherwise);
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
/* step_model.c: lets the model stand at its start, at least. */
tenon_status tn_library_stand(tenon_model *model);
/* Ends the run of a model that stands. */
void tn_stepper_close(tenon_model *model);
/* model_state.c: goes on from a state or from parameters that were changed. */
tenon_status tn_library_go_on(tenon_model *model);
/* Goes on from what was before a refused change, with its reason, where that could be restored: TENON_REFUSED, or TENON_FAILED, after
 * which the model is broken. */
tenon_status tn_library_go_back(tenon_model *model, bool restored);

#endif
