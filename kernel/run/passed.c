/* passed.c - reports the events that steps of a fixed length passed over */
#define _GNU_SOURCE
#include "run/study.h"

#include "system/events.h"
#include "values/value_events.h"
#include "config/printed_text.h"

enum { MOST_NAMES = 6 };

typedef struct list {
    FILE *stream;
    size_t names;
} list;

static void add_event(void *data, uint64_t count, const char *item, const char *parameter)
{
    list *to = data;
    if (++to->names > MOST_NAMES) return;
    (void)fprintf(to->stream, "%s%llu ", to->names > 1 ? ", " : "", (unsigned long long)count);
    if (parameter)
        (void)fprintf(to->stream, "where `%s` of `%s` jumps", parameter, item);
    else
        (void)fprintf(to->stream, "of `%s`", item);
}

void tn_passed_tell(tn_study *study)
{
    tn_text_file stream;
    tn_text_file_open(&stream);
    list to = {.stream = stream.file};
    const uint64_t count = tn_events_passed(study->assembly, add_event, &to) +
                           tn_sliding_passed(study->assembly, add_event, &to);
    if (to.names > MOST_NAMES)
        (void)fprintf(to.stream, ", and those of %zu other elements", to.names - MOST_NAMES);
    char *text = tn_text_file_close(&stream);
    if (count)
        tn_study_tell(study, TN_SEVERITY_NOTE,
                      "steps of a fixed length passed over %llu event%s: %s; an adaptive solver ends a step "
                      "at each event",
                      (unsigned long long)count, count == 1 ? "" : "s", text);
}
