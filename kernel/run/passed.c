/* passed.c - reports the events that steps of a fixed length passed over */
#include "run/study.h"

#include "system/events.h"
#include "values/value_events.h"

enum { MOST_NAMES = 6 };

typedef struct list {
    tn_text text;
    size_t names;
} list;

static void add_event(void *data, uint64_t count, const char *item, const char *parameter)
{
    list *to = data;
    if (++to->names > MOST_NAMES) return;
    tn_text_add(&to->text, "%s%llu ", to->names > 1 ? ", " : "", (unsigned long long)count);
    if (parameter)
        tn_text_add(&to->text, "where `%s` of `%s` jumps", parameter, item);
    else
        tn_text_add(&to->text, "of `%s`", item);
}

void tn_passed_tell(tn_study *study)
{
    list to = {.names = 0};
    const uint64_t count = tn_events_passed(study->assembly, add_event, &to) +
                           tn_sliding_passed(study->assembly, add_event, &to);
    if (to.names > MOST_NAMES)
        tn_text_add(&to.text, ", and those of %zu other elements", to.names - MOST_NAMES);
    if (count)
        tn_study_tell(study, TN_SEVERITY_NOTE,
                      "steps of a fixed length passed over %llu event%s: %s; an adaptive solver ends a step "
                      "at each event",
                      (unsigned long long)count, count == 1 ? "" : "s", to.text.letters);
}
