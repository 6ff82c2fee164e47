/* batches.c - batches of points: from the design, against the database, and back to the design with what has come of them */
#include "drive/drive_internal.h"

#include "plugin/call_site.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* Cases that the memory of this machine has room for, in bytes. */
static double room(void) { return 0.5 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE); }

static tn_status take_point(tn_drive_batch *batch, const double *point)
{
    size_t numbers = batch->capacity * batch->variables;
    if (batch->count == batch->capacity) {
        const size_t capacity = batch->capacity ? 2 * batch->capacity : 64;
        const double bytes = (2.0 * batch->variables + batch->numbers) * sizeof(double) + TN_HASH_SIZE + 24.0;
        batch->is_too_large = (double)capacity * bytes > room();
        if (batch->is_too_large) return TN_OUT_OF_MEMORY;
        batch->point = tn_grow(batch->point, &numbers, capacity * batch->variables + 1, sizeof *batch->point);
        batch->capacity = capacity;
    }
    memcpy(batch->point + batch->count * batch->variables, point, batch->variables * sizeof *point);
    batch->count++;
    return TN_OK;
}

static tn_status add_point(tn_design_batch *added, const double *point)
{
    tn_drive_batch *batch = (tn_drive_batch *)(void *)added;
    for (uint32_t k = 0; k < batch->variables; k++)
        if (!(point[k] >= 0.0 && point[k] <= 1.0)) return TN_INVALID;
    return tn_attempt_status(take_point(batch, point));
}

void tn_drive_free(tn_drive_batch *batch)
{
    void *const all[] = {batch->point,  batch->value, batch->hash,  batch->response,
                         batch->effort, batch->done,  batch->known, batch->attempt};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        tn_free(all[k]);
}

bool tn_drive_next(tn_drive *drive)
{
    const tn_cases *cases = drive->cases;
    const uint64_t first = drive->batch.first + drive->batch.count;
    tn_drive_batch *batch = &drive->batch;
    tn_drive_free(batch);
    *batch = (tn_drive_batch){.added = {.struct_size = sizeof batch->added, .add = add_point},
                              .variables = cases->variables,
                              .numbers = cases->numbers,
                              .first = first};
    const tn_status status = tn_call(cases->design, next, drive->design, &batch->added);
    tn_diagnostics_publish(cases->file.diagnostics);
    if (batch->is_too_large)
        return tn_drive_say(
            drive, TN_ERROR,
            "the memory of this machine has no room for the cases of design `%s`: it holds %llu of "
            "them at a time",
            cases->design->name, (unsigned long long)batch->count);
    if (status != TN_OK)
        return tn_drive_say(drive, TN_ERROR, "design `%s` has no further batch: %s", cases->design->name,
                            tn_status_text(status));
    batch->value = tn_new(batch->count * batch->variables + 1, sizeof *batch->value);
    batch->hash = tn_new(batch->count + 1, sizeof *batch->hash);
    batch->response = tn_new(batch->count * batch->numbers + 1, sizeof *batch->response);
    batch->effort = tn_new(batch->count + 1, sizeof *batch->effort);
    batch->done = tn_new(batch->count + 1, 1);
    batch->known = tn_new(batch->count + 1, 1);
    batch->attempt = tn_new(batch->count + 1, sizeof *batch->attempt);
    for (uint64_t k = 0; k < batch->count; k++) {
        tn_case_values(cases, batch->point + k * batch->variables, batch->value + k * batch->variables);
        batch->hash[k] = tn_case_hash_of(cases, batch->value + k * batch->variables);
    }
    return true;
}

static bool is_wanted(const tn_drive *drive, uint64_t number)
{
    const tn_drive_options *options = drive->options;
    for (size_t k = 0; k < options->only_count; k++)
        if (options->only[k] == number) return true;
    return !options->only_count;
}

/* What the database knows of case k; one that another case is equal to becomes known by that. */
static bool look_up(tn_drive *drive, uint64_t k, bool adds)
{
    tn_drive_batch *batch = &drive->batch;
    tn_store_row row;
    double *response = batch->response + k * batch->numbers;
    const double *value = batch->value + k * batch->variables;
    const uint64_t number = batch->first + k;
    if (!tn_store_find(drive->store, number, &batch->hash[k], &row, response)) return false;
    batch->attempt[k] = row.attempt;
    batch->known[k] = row.done;
    batch->effort[k] = row.cpu;
    batch->done[k] = row.done && row.status == TN_CASE_OK;
    for (uint32_t n = 0; n < batch->numbers; n++) {
        if (!batch->done[k]) response[n] = (double)NAN;
        if (!isfinite(response[n])) batch->done[k] = 0;
    }
    if (row.elsewhere) return tn_store_add_same(drive->store, number, &batch->hash[k], value, row.id);
    if (row.known || row.done || !adds) return true;
    return tn_store_add(drive->store, number, &batch->hash[k], value);
}

bool tn_drive_look_up(tn_drive *drive)
{
    bool good = tn_store_begin(drive->store);
    for (uint64_t k = 0; good && k < drive->batch.count; k++)
        if (is_wanted(drive, drive->batch.first + k))
            good = look_up(drive, k, true);
        else
            drive->batch.known[k] = 1; /* nobody asks for it */
    good = tn_store_commit(drive->store) && good;
    return good || tn_drive_say(drive, TN_ERROR, "%s", tn_store_problem(drive->store));
}

bool tn_drive_tell(tn_drive *drive)
{
    const tn_drive_batch *batch = &drive->batch;
    const tn_design_results results = {.struct_size = sizeof results,
                                       .count = batch->count,
                                       .point = batch->point,
                                       .number = batch->response,
                                       .done = batch->done,
                                       .effort = batch->effort};
    const tn_status status = tn_call(drive->cases->design, tell, drive->design, &results);
    tn_diagnostics_publish(drive->cases->file.diagnostics);
    return status == TN_OK || tn_drive_say(drive, TN_ERROR, "design `%s` cannot go on: %s",
                                           drive->cases->design->name, tn_status_text(status));
}
