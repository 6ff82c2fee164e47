/* conversions.h - files that writers make of the log of a run. */
#ifndef TN_CONVERSIONS_H
#define TN_CONVERSIONS_H

#include "run/deliveries.h"
#include "run/study.h"

#include <tenon/draft/recording.h>

/* How many recordings a writer puts side by side; 0: it converts none. */
uint32_t tn_conversion_most(const tn_writer_type *type);
/* Lets a writer convert recordings into the folder of the study's results; `list` enters the names of its files in run.toml. A writer
 * of rows gets those of the first recording where `tables` is set: a file that is there, and holds all of what it writes and more, stays.
 * False after a message: there are none of them, and all else is as it was. */
typedef struct tn_conversion_request {
    const tn_writer_choice *writer;
    const tn_recording *const *recording;
    uint32_t count;
    bool tables;
    bool (*list)(tn_study *study);
    const tn_deliveries *
        deliveries; /* NULL: all of its files go into the folder of results; else those, and no others stay */
} tn_conversion_request;
bool tn_convert(tn_study *study, const tn_conversion_request *request);

#endif
