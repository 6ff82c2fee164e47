/* conversions.h - writers convert the log of a run to files. */
#ifndef TN_CONVERSIONS_H
#define TN_CONVERSIONS_H

#include "run/deliveries.h"
#include "run/study.h"

#include <tenon/draft/recording.h>

/* The largest number of recordings that a writer takes; 0: it does not convert. */
uint32_t tn_conversion_most(const tn_writer_type *type);
/* Lets a writer convert recordings into the folder of the study's results; `list` enters the names of its files in run.toml. A writer
 * of rows gets those of the first recording where `tables` is set; an existing file that begins with all of what it writes, and has more rows,
 * is kept. False after a message: no file has been added, and all others are as before. */
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
