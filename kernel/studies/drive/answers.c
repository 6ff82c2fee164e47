/* answers.c - what the design finds: into the database, into answers.txt, and to whoever listens */
#include "drive/drive_internal.h"

#include "plugin/call_site.h"

#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct answering {
    tn_design_answers given; /* must be the first field */
    tn_drive *drive;
    tn_text text;
    bool good;
} answering;

/* A coordinate as the value that it stands for, in words. */
static void add_value(tn_text *text, const tn_case_variable *variable, double value, const char *unit)
{
    uint32_t level = 0;
    const double number = variable && isfinite(value) ? tn_case_value(variable, value, &level) : value;
    if (variable && variable->levels)
        tn_text_add(text, "%s", variable->level[level].label);
    else
        tn_text_add(text, "%.6g%s%s", number, *unit ? " " : "", unit);
}

/* A case by its number and its values. */
static void add_case(answering *self, int64_t number)
{
    const tn_cases *cases = self->drive->cases;
    double *value = tn_new(cases->variables + 1, sizeof *value);
    tn_text_add(&self->text, "  case %lld", (long long)number);
    const bool known = tn_store_values(self->drive->store, (uint64_t)number, value);
    for (uint32_t k = 0; known && k < cases->variables; k++) {
        const tn_case_variable *v = &cases->variable[k];
        tn_text_add(&self->text, "%s%s = ", k ? ", " : " (", v->name);
        if (v->levels)
            tn_text_add(&self->text, "%s", v->level[(size_t)value[k]].label);
        else
            tn_text_add(&self->text, "%.6g%s%s", value[k], *v->unit ? " " : "", v->unit);
    }
    tn_text_add(&self->text, "%s", known && cases->variables ? ")" : "");
    tn_free(value);
}

static tn_status add_answer(tn_design_answers *given, const tn_answer *answer)
{
    answering *self = (answering *)(void *)given;
    const tn_cases *cases = self->drive->cases;
    const bool own = answer->variable >= 0 && (uint32_t)answer->variable < cases->variables;
    const tn_case_variable *variable = own ? &cases->variable[answer->variable] : NULL;
    const bool other = answer->other >= 0 && (uint32_t)answer->other < cases->variables;
    const bool about = answer->response >= 0 && (uint32_t)answer->response < cases->responses;
    const tn_case_variable *scale = answer->is_coordinate ? variable : NULL;
    const char *unit = scale ? scale->unit : answer->unit ? answer->unit : "";
    uint32_t level = 0;
    const double value[] = {answer->value, answer->low, answer->high};
    double number[3];
    if (answer->is_coordinate && !scale) return TN_INVALID;
    for (int k = 2; k >= 0; k--) /* the value comes last: `level` is its own */
        number[k] = scale && isfinite(value[k]) ? tn_case_value(scale, value[k], &level) : value[k];
    const tn_store_answer row = {
        .name = answer->name,
        .response = about ? cases->response[answer->response].name : NULL,
        .variable = own ? variable->name : NULL,
        .other = other ? cases->variable[answer->other].name : NULL,
        .unit = unit,
        .text = scale && scale->levels && isfinite(answer->value) ? scale->level[level].label : NULL,
        .number = answer->point,
        .value = number[0],
        .low = number[1],
        .high = number[2]};
    const tn_call_site *const site = tn_site;
    volatile bool good = false;
    tn_site = NULL;
    (void)tn_attempt(tn_memory_now(), ({
                         tn_text *text = &self->text;
                         tn_text_add(text, "%-20s", answer->name);
                         if (row.response) tn_text_add(text, "  %s", row.response);
                         if (row.variable) tn_text_add(text, "  %s", row.variable);
                         if (row.other) tn_text_add(text, "  %s", row.other);
                         if (answer->point >= 0) add_case(self, answer->point);
                         tn_text_add(text, "  ");
                         add_value(text, scale, answer->value, unit);
                         if (isfinite(answer->low) && isfinite(answer->high)) {
                             tn_text_add(text, "  (95 %%: ");
                             add_value(text, scale, answer->low, unit);
                             tn_text_add(text, " to ");
                             add_value(text, scale, answer->high, unit);
                             tn_text_add(text, ")");
                         }
                         tn_text_add(text, "\n");
                         good = tn_store_add_answer(self->drive->store, &row);
                     }));
    tn_site = site;
    self->good = self->good && good;
    return good ? TN_OK : TN_FATAL;
}

static tn_status say_answer(tn_design_answers *given, tn_level level, const char *text)
{
    answering *self = (answering *)(void *)given;
    static const char *const words[] = {[TN_NOTE] = "", [TN_WARNING] = "warning: ", [TN_ERROR] = "error: "};
    volatile bool good = false;
    (void)tn_attempt(tn_memory_now(), ({
                         tn_text_add(&self->text, "%s%s\n", words[level > TN_ERROR ? TN_ERROR : level], text);
                         good = tn_store_add_answer(
                             self->drive->store,
                             &(tn_store_answer){.name = level == TN_NOTE ? "note" : "warning",
                                                .text = text,
                                                .number = -1,
                                                .value = (double)NAN,
                                                .low = (double)NAN,
                                                .high = (double)NAN});
                     }));
    self->good = self->good && good;
    return good ? TN_OK : TN_FATAL;
}

static bool write_text(const tn_drive *drive, const char *letters)
{
    tn_arena arena = {0};
    const char *path = tn_arena_print(&arena, "%s/answers.txt", drive->options->folder);
    FILE *file = fopen(path, "we");
    bool good = file && fputs(letters, file) >= 0;
    if (file && fclose(file) != 0) good = false;
    if (!good) (void)tn_drive_say(drive, TN_ERROR, "%s: %s", path, strerror(errno));
    tn_arena_free(&arena);
    return good;
}

bool tn_drive_answer(tn_drive *drive)
{
    const tn_design_type *design = drive->cases->design;
    const tn_drive_client *client = &drive->options->client;
    answering self = {.given = {.struct_size = sizeof self.given, .add = add_answer, .say = say_answer},
                      .drive = drive,
                      .good = true};
    if (!design->answer) return true;
    self.good = tn_store_begin(drive->store) && tn_store_clear_answers(drive->store);
    const tn_status status = self.good ? tn_call(design, answer, drive->design, &self.given) : TN_FATAL;
    self.good = tn_store_commit(drive->store) && self.good;
    tn_diagnostics_publish(drive->cases->file.diagnostics);
    if (!self.good) return tn_drive_say(drive, TN_ERROR, "%s", tn_store_problem(drive->store));
    if (status != TN_OK)
        return tn_drive_say(drive, TN_ERROR, "design `%s` has no answer: %s", design->name,
                            tn_status_text(status));
    if (!self.text.length) return true;
    const bool written = write_text(drive, self.text.letters);
    if (client->say) client->say(client->data, TN_NOTE, self.text.letters);
    tn_free(self.text.letters);
    return written;
}
