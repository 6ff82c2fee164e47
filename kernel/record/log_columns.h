/* log_columns.h - describes the columns of tables: sensor, subject, quantity. */
#ifndef TN_LOG_COLUMNS_H
#define TN_LOG_COLUMNS_H

#include "record/log.h"

#include <tenon/draft/recording.h>

/* The tables of a log, in memory of the arena. */
tn_recorded_table *tn_log_columns(const tn_log_request *request, tn_arena *arena);

#endif
