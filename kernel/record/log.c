/* log.c - the log of a run (see log.h) */
#include "record/log.h"

#include "record/log_columns.h"
#include "record/scene.h"
#include "record/thinning.h"
#include "system/accept.h"
#include "system/shown.h"
#include "values/value_events.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

enum { LONGEST_TEXT = 8000 };   /* bytes of an event */
#define FLUSHED_EVERY 100000000 /* ns of wall time */

struct tn_run_log {
    tn_block_file blocks;
    tn_assembly *assembly;
    tn_diagnostics *diagnostics;
    tn_arena arena;
    tn_recording model;
    tn_scene scene;
    tn_thinning thinning;
    tn_frames frames;
    uint32_t frame_words;                   /* of a record */
    double *velocity;                       /* [nv] memory for modes */
    uint64_t messages, conditions, changes; /* numbers of those that are recorded as events */
    int64_t flushed_at;                     /* ns: when records were flushed */
    bool lacks_wrenches;                    /* wrenches of a frame could not be evaluated, after a warning */
};

/* ---- records ------------------------------------------------------------------------------------------------------ */

void tn_log_row(tn_run_log *log, size_t table, const double *row)
{
    const size_t columns = log->model.table[table].columns;
    memcpy(tn_blocks_add(&log->blocks, TN_ROW_RECORD, (uint16_t)table, (uint32_t)columns), row,
           columns * sizeof *row);
    tn_blocks_finish(&log->blocks);
}

static void write_frame(void *data, double time, const tn_thinning *thinning)
{
    tn_run_log *log = data;
    const tn_motion *motion = &log->scene.motion;
    double *to = tn_blocks_add(&log->blocks, TN_FRAME_RECORD, 0, log->frame_words);
    *to++ = time;
    tn_thinned_track track = thinning->first;
    for (size_t k = 0; k < motion->count; track = tn_thinned_next(thinning, &track, ++k)) {
        to = memcpy(tn_blocks_pass(&log->blocks, to), track.last, 3 * sizeof *to);
        to += 3;
        if (!motion->source[k].is_frame) continue;
        double before[4], product = 0.0;
        tn_quaternion_of(track.frame + 3, before);
        tn_quaternion_of(track.last + 3, to);
        for (int i = 0; i < 4; i++)
            product += to[i] * *track.sign * before[i];
        *track.sign = product < 0.0 ? -1.0 : 1.0; /* the nearer one to that of the last frame */
        for (int i = 0; i < 4; i++)
            to[i] *= *track.sign;
        to += 4;
    }
}

static void write_event(tn_run_log *log, double time, tn_level level, const char *element, const char *text)
{
    const size_t name = strlen(element) + 1, whole = strlen(text);
    const size_t length = whole < LONGEST_TEXT - name ? whole : LONGEST_TEXT - name;
    const uint32_t words = (uint32_t)((16 + name + length + 1 + 7) / 8);
    char *to = tn_blocks_add(&log->blocks, TN_EVENT_RECORD, 0, words);
    const double number[2] = {time, level};
    memset(to, 0, 8 * (size_t)words);
    memcpy(to, number, sizeof number);
    memcpy(to + 16, element, name);
    memcpy(to + 16 + name, text, length);
}

/* ---- events ------------------------------------------------------------------------------------------------------- */

static void write_messages(tn_run_log *log, double time)
{
    for (; log->messages < tn_told_count(log->diagnostics); log->messages++) {
        const tn_diagnostic *message = tn_told(log->diagnostics, log->messages);
        char *line = tn_diagnostic_line(message);
        const tn_level level = message->severity == TN_SEVERITY_ERROR     ? TN_ERROR
                               : message->severity == TN_SEVERITY_WARNING ? TN_WARNING
                                                                          : TN_NOTE;
        write_event(log, time, level, "", line ? line : "");
        tn_free(line);
    }
}

static void write_condition(tn_run_log *log, double time, const tn_live_value *condition)
{
    char text[LONGEST_TEXT];
    (void)tn_print_cut(text, sizeof text, "%s: %s", condition->node->key, condition->node->text);
    write_event(log, time, TN_NOTE, "", text);
    log->conditions++;
}

static void write_changes(tn_run_log *log)
{
    const tn_model *model = log->assembly->model;
    for (; log->changes < log->assembly->acceptance->changes_made; log->changes++) {
        const tn_change *change = &model->change[log->changes];
        write_event(log, change->time, TN_NOTE, tn_item_name(model, change->item),
                    change->active > 0    ? "becomes active"
                    : change->active == 0 ? "becomes inactive"
                                          : "is changed");
    }
}

/* ---- wrenches ----------------------------------------------------------------------------------------------------- */

/* Wrenches of constraints are evaluated with the results; those of other elements here. */
static tn_status find_forces(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        if (!group->force || group->rows || group->contact) continue;
        group->batch.time = assembly->system.time;
        const tn_status status = tn_call(group->type, force, &group->batch);
        if (status != TN_OK) return status;
    }
    return TN_OK;
}

/* Three numbers of a force, or six; zeros of an element that is not active. */
static float *put_run(tn_block_file *blocks, const tn_wrench_run *run, float *to)
{
    const tn_batch *batch = &run->group->batch;
    const uint8_t *active = run->group->active;
    uint32_t i = run->first / batch->marker_count, m = run->first % batch->marker_count;
    const double *from = batch->wrench + (size_t)i * batch->wrench_size;
    for (uint32_t before = 0; before < m; before++)
        from += tn_twist_size(batch->marker_kind[before]);
    for (uint32_t k = 0; k < run->count; k++, to += 6) {
        const uint32_t numbers = tn_twist_size(batch->marker_kind[m]);
        to = tn_blocks_pass(blocks, to);
        for (uint32_t c = 0; c < 6; c++)
            to[c] = (!active || active[i]) && c < numbers ? (float)from[c] : 0.0f;
        from += numbers;
        if (++m < batch->marker_count) continue;
        m = 0;
        i++;
    }
    return to;
}

static void write_wrenches(tn_run_log *log, double time)
{
    char *bytes = tn_blocks_add(&log->blocks, TN_WRENCH_RECORD, 0, tn_wrench_words(&log->model));
    float *to = (float *)(void *)(bytes + sizeof time);
    memcpy(bytes, &time, sizeof time);
    for (size_t k = 0; k < log->scene.wrench_runs; k++)
        to = put_run(&log->blocks, &log->scene.wrench_run[k], to);
}

/* Reactions of dependent rows have the least norm, as those of sensors, also where no sensor records them. */
static tn_status find_reactions(tn_run_log *log, bool *at_hand)
{
    tn_redundancy *redundancy = &log->assembly->redundancy;
    const bool shows_least = redundancy->shows_least;
    const bool depend = log->scene.reacts && redundancy->share != TN_SHARE_OF_INDEPENDENT_ROWS;
    if (*at_hand && (shows_least || !depend)) return TN_OK;
    *at_hand = false;
    redundancy->shows_least = shows_least || depend;
    const tn_status status = tn_evaluate_outputs(log->assembly);
    redundancy->shows_least = shows_least;
    return status;
}

static void record_wrenches(tn_run_log *log, double time, bool at_hand)
{
    tn_assembly *assembly = log->assembly;
    if (!log->scene.wrenches) return;
    tn_status status = find_reactions(log, &at_hand);
    if (status == TN_OK) status = find_forces(assembly);
    if (status == TN_OK)
        write_wrenches(log, time);
    else if (!log->lacks_wrenches)
        tn_tell(log->diagnostics, TN_SEVERITY_WARNING, (tn_place){0},
                "at time %.9g s: the forces on bodies cannot be found for the log, which lacks them here",
                time);
    log->lacks_wrenches = log->lacks_wrenches || status != TN_OK;
    if (!at_hand) tn_outputs_done(assembly);
}

/* ---- steps -------------------------------------------------------------------------------------------------------- */

/* ns; good to a few milliseconds, and read in a few nanoseconds. */
static int64_t coarse_time(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Flushes, so that a program can read the log during the run, except for the last moment. Looks at the clock at every step: the next one may
 * take long. */
static void flush_now_and_then(tn_run_log *log)
{
    const int64_t now = coarse_time();
    if (now - log->flushed_at < FLUSHED_EVERY) return;
    tn_blocks_flush(&log->blocks);
    log->flushed_at = now;
}

static void see_motion(tn_run_log *log, double time, bool is_row, bool is_last)
{
    /* markers made of others are evaluated with results only */
    const bool only_rows = log->frames == TN_FRAMES_ROWS || log->scene.motion.evaluates;
    if (log->frames == TN_FRAMES_NONE || (only_rows && !is_row)) return;
    if (log->scene.motion.carried_count && tn_motion_find(&log->scene.motion, false) != TN_OK) return;
    if (tn_thinning_see(&log->thinning, time, is_last || log->frames == TN_FRAMES_ROWS))
        record_wrenches(log, time, is_row);
}

void tn_log_step(tn_run_log *log, double time, bool is_row, bool is_last)
{
    const tn_live_value *condition;
    double met_at = 0.0;
    if (log->messages < tn_told_count(log->diagnostics)) write_messages(log, time);
    while ((condition = tn_condition_met(log->assembly, (uint32_t)log->conditions, &met_at)))
        write_condition(log, met_at, condition);
    if (log->changes < log->assembly->acceptance->changes_made) write_changes(log);
    see_motion(log, time, is_row, is_last);
    tn_blocks_finish(&log->blocks);
    flush_now_and_then(log);
}

void tn_log_stop(tn_run_log *log)
{
    if (tn_thinning_end(&log->thinning)) record_wrenches(log, log->assembly->system.time, false);
    tn_blocks_finish(&log->blocks);
}

/* ---- modes -------------------------------------------------------------------------------------------------------- */

/* Displacements of the tracks at velocities: real or imaginary parts, [tracks][6] of [tracks][6][2]. */
static tn_status find_displacements(tn_run_log *log, const double *velocity, double *to)
{
    tn_system *system = &log->assembly->system;
    tn_motion *motion = &log->scene.motion;
    memcpy(system->v, velocity, system->nv * sizeof *velocity);
    tn_status status = motion->evaluates ? tn_evaluate_markers(log->assembly) : TN_OK;
    if (status == TN_OK) status = tn_motion_find(motion, true);
    for (size_t k = 0; k < motion->count && status == TN_OK; k++)
        for (size_t i = 0; i < (motion->source[k].is_frame ? 6 : 3); i++)
            to[12 * k + 2 * i] = tn_track_twist(motion, &motion->source[k])[i];
    return status;
}

/* Scales displacements, in m and rad, so that the largest is 1. */
static void normalise(const tn_run_log *log, double *displacement)
{
    const size_t count = 6 * log->scene.motion.count;
    double largest = 0.0;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, hypot(displacement[2 * k], displacement[2 * k + 1]));
    for (size_t k = 0; k < 2 * count && largest > 0.0; k++)
        displacement[k] /= largest;
}

tn_status tn_log_mode(tn_run_log *log, const double *eigenvalue, const double *re, const double *im)
{
    tn_system *system = &log->assembly->system;
    double *to = tn_blocks_add(&log->blocks, TN_MODE_RECORD, 0, tn_mode_words(&log->model));
    memset(to, 0, tn_mode_words(&log->model) * sizeof *to);
    to[0] = system->time;
    memcpy(to + 1, eigenvalue, 2 * sizeof *to);
    memcpy(log->velocity, system->v, system->nv * sizeof *re);
    tn_status status = find_displacements(log, re, to + 3);
    if (status == TN_OK) status = find_displacements(log, im, to + 4);
    memcpy(system->v, log->velocity, system->nv * sizeof *re);
    if (log->scene.motion.evaluates) status = tn_worse(status, tn_evaluate_markers(log->assembly));
    normalise(log, to + 3);
    tn_blocks_finish(&log->blocks);
    return status;
}

/* ---- the beginning ------------------------------------------------------------------------------------------------ */

static void describe(tn_run_log *log, const tn_log_request *request)
{
    tn_recording *model = &log->model;
    const bool thins = request->frames == TN_FRAMES_AUTO;
    *model = (tn_recording){.title = request->title,
                            .program = "tenon " TENON_VERSION,
                            .model_text = request->model_text,
                            .start_time = request->start_time};
    tn_scene_describe(&log->scene, model);
    model->length_tolerance = thins ? request->tolerance * model->size : 0.0;
    model->angle_tolerance = thins ? request->tolerance : 0.0;
    model->tables = (uint32_t)request->tables;
    model->table = tn_log_columns(request, &log->arena);
    log->frame_words = tn_frame_words(model);
}

static size_t largest_record(const tn_run_log *log)
{
    const tn_recording *model = &log->model;
    size_t words = log->frame_words;
    const size_t others[] = {tn_wrench_words(model), tn_mode_words(model), LONGEST_TEXT / 8 + 8};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        words = others[k] > words ? others[k] : words;
    for (uint32_t t = 0; t < model->tables; t++)
        words = model->table[t].columns > words ? model->table[t].columns : words;
    return 8 * words + sizeof(tn_record_head);
}

static const char *open_file(tn_run_log *log, const tn_log_request *request)
{
    const size_t largest = largest_record(log);
    if (request->place) return tn_blocks_reopen(&log->blocks, request->folder, largest, request->place);
    if (!tn_blocks_create(&log->blocks, request->folder, largest)) return strerror(log->blocks.reason);
    tn_block_pieces pieces = tn_blocks_begin(&log->blocks);
    tn_codec codec = {.pass = tn_blocks_put_piece, .data = &pieces};
    tn_scene_write(&log->scene, &log->model, &codec);
    tn_codec_end(&codec);
    tn_blocks_end(&pieces, TN_MODEL_BLOCK);
    return log->blocks.reason ? strerror(log->blocks.reason) : NULL;
}

tn_run_log *tn_log_open(const tn_log_request *request, const char **reason)
{
    tn_run_log *log = tn_new(1, sizeof *log);
    *reason = NULL;
    log->assembly = request->assembly;
    log->diagnostics = request->diagnostics;
    log->frames = request->frames;
    log->blocks.file = -1;
    log->flushed_at = coarse_time();
    if (!tn_scene_build(&log->scene, request->assembly)) {
        tn_diagnostics_publish(log->diagnostics); /* messages about drawings of types */
        return NULL;
    }
    describe(log, request);
    tn_thinning_begin(&log->thinning, &log->scene.motion, log->model.length_tolerance,
                      log->model.angle_tolerance);
    log->thinning.emit = write_frame;
    log->thinning.data = log;
    log->velocity = tn_new(request->assembly->system.nv + (size_t)1, sizeof *log->velocity);
    *reason = open_file(log, request);
    tn_scene_forget(&log->scene, &log->model);
    if (*reason) {
        tn_blocks_close(&log->blocks);
        return NULL;
    }
    if (!request->place) write_messages(log, (double)NAN);
    return log;
}

/* ---- continuing, and the end ---------------------------------------------------------------------------------------- */

int tn_log_fault(const tn_run_log *log) { return log->blocks.reason; }

void tn_log_list_state(tn_run_log *log, tn_state_visitor *visitor)
{
    tn_thinning_list_state(&log->thinning, visitor);
    TN_VISIT(visitor, log->messages);
    TN_VISIT(visitor, log->conditions);
    TN_VISIT(visitor, log->changes);
}

void tn_log_place(tn_run_log *log, tn_table_place *place) { tn_blocks_place(&log->blocks, place); }

void tn_log_flush_crashed(tn_run_log *log) { tn_blocks_flush_crashed(&log->blocks); }

void tn_log_cut(tn_run_log *log) { tn_blocks_cut(&log->blocks); }

void tn_log_end(tn_run_log *log, const char *status, const char *run_text)
{
    if (log->blocks.file < 0) return;
    const size_t first = strlen(status) + 1, second = strlen(run_text) + 1;
    char *text = tn_new(first + second, 1);
    (void)tn_thinning_end(&log->thinning);
    write_messages(log, log->assembly->system.time);
    memcpy(text, status, first);
    memcpy(text + first, run_text, second);
    tn_blocks_put(&log->blocks, TN_END_BLOCK, text, first + second);
    tn_free(text);
}

void tn_log_close(tn_run_log *log) { tn_blocks_close(&log->blocks); }
