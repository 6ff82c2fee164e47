/* study_kinds.c - the kinds of plugin that studies have */
#include "cases/cases.h"

static const tn_known_capability none[] = {{NULL, 0, 0}};

static const char *missing_in_design(const void *of)
{
    const tn_design_type *type = of;
    return !type->open    ? "open"
           : !type->count ? "count"
           : !type->next  ? "next"
           : !type->tell  ? "tell"
           : !type->close ? "close"
                          : NULL;
}

static const char *missing_in_executor(const void *of)
{
    const tn_executor_type *type = of;
    return !type->open         ? "open"
           : !type->carry_out  ? "carry_out"
           : !type->close      ? "close"
           : !type->begin_work ? "begin_work"
           : !type->next_work  ? "next_work"
           : !type->end_work   ? "end_work"
                               : NULL;
}

static const char *missing_in_writer(const void *of)
{
    const tn_study_writer_type *type = of;
    return !type->write ? "write" : !type->ending ? "ending" : NULL;
}

const tn_kind tn_study_kinds[] = {
    {TN_DESIGN_KIND, sizeof(tn_design_type), sizeof(tn_design_type), 0, 0, none, missing_in_design},
    {TN_EXECUTOR_KIND, sizeof(tn_executor_type), sizeof(tn_executor_type), 0, 0, none, missing_in_executor},
    {TN_STUDY_WRITER_KIND, sizeof(tn_study_writer_type), sizeof(tn_study_writer_type), 0, 0, none,
     missing_in_writer}};
const size_t tn_study_kind_count = sizeof tn_study_kinds / sizeof *tn_study_kinds;
