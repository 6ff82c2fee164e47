/* result_table.c - a table of results in all writers of a plan (see result_table.h) */
#include "run/result_table.h"

#include "system/failure.h"

/* Blames a writer for a failed call, whose own messages have been shown. */
static bool blame_writer(const tn_result_table *table, size_t k, const char *function, tn_status status)
{
    const tn_model *model = table->assembly->model;
    (void)tn_blame(table->assembly, table->plan->writer[k].type, function,
                   "has failed for the table `%s`, so the results cannot be written: %s", table->name,
                   model->refused ? model->refusal : tn_status_text(status));
    return false;
}

bool tn_result_table_open(tn_result_table *table, tn_assembly *assembly, const tn_plan *plan,
                          const char *name, const tn_column *columns, size_t count,
                          const tn_table_place *place)
{
    const tn_host *host = &assembly->model->host;
    *table = (tn_result_table){.assembly = assembly,
                               .plan = plan,
                               .name = name,
                               .self = tn_new(plan->writer_count, sizeof *table->self),
                               .row = tn_new(count, sizeof *table->row),
                               .column = columns,
                               .columns = count};
    for (size_t k = 0; k < plan->writer_count; k++) {
        const tn_writer_choice *writer = &plan->writer[k];
        const tn_reopened_table there = {.struct_size = sizeof there,
                                         .directory = plan->directory,
                                         .name = name,
                                         .columns = columns,
                                         .column_count = count,
                                         .place = place ? place + k : NULL};
        const tn_status status = place ? tn_call(tn_loaded_writer_of(writer->type), reopen, host,
                                                 writer->instance, &there, &table->self[k])
                                       : tn_call(writer->type, open, host, writer->instance, plan->directory,
                                                 name, columns, count, &table->self[k]);
        if (status != TN_OK) return blame_writer(table, k, place ? "reopen" : "open", status);
    }
    return true;
}

bool tn_result_table_write(const tn_result_table *table)
{
    bool good = true;
    for (size_t k = 0; k < table->plan->writer_count; k++) {
        const tn_status status = tn_call(table->plan->writer[k].type, row, table->self[k], table->row);
        if (status != TN_OK) good = blame_writer(table, k, "row", status);
    }
    return good;
}

bool tn_result_table_find_places(const tn_result_table *table, tn_table_place *place)
{
    bool good = true;
    for (size_t k = 0; k < table->plan->writer_count; k++) {
        const tn_loaded_writer *type = tn_loaded_writer_of(table->plan->writer[k].type);
        const tn_status status = tn_call_at(type, "place", NULL, type->place(table->self[k], &place[k]));
        if (status != TN_OK) good = blame_writer(table, k, "place", status);
    }
    return good;
}

bool tn_result_table_cut(const tn_result_table *table)
{
    bool good = true;
    for (size_t k = 0; k < table->plan->writer_count; k++) {
        const tn_loaded_writer *type = tn_loaded_writer_of(table->plan->writer[k].type);
        const tn_status status = tn_call(type, cut, table->self[k]);
        if (status != TN_OK) good = blame_writer(table, k, "cut", status);
    }
    return good;
}

void tn_result_table_flush(const tn_result_table *table)
{
    for (size_t k = 0; table->self && k < table->plan->writer_count; k++) {
        const tn_loaded_writer *type = tn_loaded_writer_of(table->plan->writer[k].type);
        if (type->flush && table->self[k]) type->flush(table->self[k]);
    }
}

bool tn_result_table_close(tn_result_table *table)
{
    bool good = true;
    for (size_t k = 0; table->self && k < table->plan->writer_count; k++) {
        void *self = table->self[k];
        table->self[k] = NULL;
        const tn_status status = self ? tn_call(table->plan->writer[k].type, close, self) : TN_OK;
        if (status != TN_OK) good = blame_writer(table, k, "close", status);
    }
    return good;
}
