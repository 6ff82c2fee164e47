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

/* Those of elements that do something about theirs. */
static uint64_t add_elements(const tn_assembly *assembly, list *to)
{
    const uint64_t *passed = tn_events_passed(assembly);
    uint64_t all = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const uint32_t events = group->batch.layout->events;
        for (uint32_t i = 0; events && i < group->batch.count; i++) {
            uint64_t own = 0;
            for (uint32_t e = 0; e < events; e++)
                own += *passed++;
            if (own) add_event(to, own, tn_item_name(assembly->model, group->item[i]), NULL);
            all += own;
        }
    }
    return all;
}

void tn_passed_tell(tn_study *study)
{
    list to = {.names = 0};
    const uint64_t count =
        add_elements(study->assembly, &to) + tn_sliding_passed(study->assembly, add_event, &to);
    if (to.names > MOST_NAMES)
        tn_text_add(&to.text, ", and those of %zu other elements", to.names - MOST_NAMES);
    if (count)
        tn_study_tell(study, TN_SEVERITY_NOTE,
                      "steps of a fixed length passed over %llu event%s: %s; an adaptive solver ends a step "
                      "at each event",
                      (unsigned long long)count, count == 1 ? "" : "s", to.text.letters);
}
