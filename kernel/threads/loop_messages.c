/* loop_messages.c - messages of loops, in the order of their blocks (see loop_messages.h) */
#include "threads/loop_messages.h"

#include "plugin/call_site.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MESSAGES = 64, LONGEST_MESSAGE = 512 };

typedef struct message {
    size_t block, number; /* of a loop, and of the message in it */
    const void *type;     /* whose function said it */
    const char *function, *item;
    bool is_error;
    tn_level level;
    bool has_parameter;
    char parameter[64], text[LONGEST_MESSAGE];
} message;

struct tn_loop_messages {
    pthread_mutex_t mutex;
    atomic_bool any;
    message kept[MOST_MESSAGES]; /* the first ones, in order */
    size_t count, left_out;
    void (*message)(const tn_host *host, tn_level level, const char *text);
    void (*error)(const tn_host *host, const char *parameter, const char *text);
};

/* Of this thread: the block that it is in, and what it has said there. */
static _Thread_local struct {
    bool inside;
    size_t block, count;
} now;

void tn_loop_messages_enter(size_t block)
{
    now.inside = true;
    now.block = block;
    now.count = 0;
}

void tn_loop_messages_leave(void) { now.inside = false; }

/* ---- within loops ---------------------------------------------------------------------------------------- */

static bool comes_before(const message *a, const message *b)
{
    return a->block < b->block || (a->block == b->block && a->number < b->number);
}

/* Which ones are kept does not depend on who came first. */
static void keep(tn_loop_messages *self, const message *said)
{
    (void)pthread_mutex_lock(&self->mutex);
    size_t place = self->count;
    while (place > 0 && comes_before(said, &self->kept[place - 1]))
        place--;
    if (self->count == MOST_MESSAGES) {
        self->count--;
        self->left_out++;
    }
    if (place <= self->count) {
        memmove(&self->kept[place + 1], &self->kept[place], (self->count - place) * sizeof *self->kept);
        self->kept[place] = *said;
    }
    if (self->count < MOST_MESSAGES) self->count++;
    atomic_store(&self->any, true);
    (void)pthread_mutex_unlock(&self->mutex);
}

static message begin_message(void)
{
    return (message){.block = now.block,
                     .number = now.count++,
                     .type = tn_site ? tn_site->type : NULL,
                     .function = tn_site ? tn_site->function : NULL,
                     .item = tn_site ? tn_site->item : NULL};
}

static void message_within(const tn_host *host, tn_level level, const char *text)
{
    tn_loop_messages *self = ((const tn_model *)host->self)->loop_messages;
    if (!now.inside) {
        self->message(host, level, text);
        return;
    }
    message said = begin_message();
    said.level = level;
    (void)tn_print_cut(said.text, sizeof said.text, "%s", text);
    keep(self, &said);
}

static void error_within(const tn_host *host, const char *parameter, const char *text)
{
    tn_loop_messages *self = ((const tn_model *)host->self)->loop_messages;
    if (!now.inside) {
        self->error(host, parameter, text);
        return;
    }
    message said = begin_message();
    said.is_error = true;
    said.has_parameter = parameter != NULL;
    (void)tn_print_cut(said.parameter, sizeof said.parameter, "%s", parameter ? parameter : "");
    (void)tn_print_cut(said.text, sizeof said.text, "%s", text);
    keep(self, &said);
}

/* ---- behind them ----------------------------------------------------------------------------------------- */

static void hand_on(const tn_host *host, const tn_loop_messages *self, const message *said)
{
    if (said->is_error)
        self->error(host, said->has_parameter ? said->parameter : NULL, said->text);
    else
        self->message(host, said->level, said->text);
}

void tn_loop_messages_deliver(tn_model *model, tn_loop_messages *self)
{
    if (!atomic_load(&self->any)) return;
    const size_t count = self->count, left_out = self->left_out;
    self->count = self->left_out = 0;
    atomic_store(&self->any, false);
    for (size_t k = 0; k < count; k++) {
        const message *said = &self->kept[k];
        tn_call_at(said->type, said->function, said->item, hand_on(&model->host, self, said));
    }
    char text[80];
    (void)snprintf(text, sizeof text, "%zu further messages of the same call are left out", left_out);
    if (left_out) self->message(&model->host, TN_WARNING, text);
}

/* ---- open and close -------------------------------------------------------------------------------------- */

tn_loop_messages *tn_loop_messages_open(tn_model *model)
{
    tn_loop_messages *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    (void)pthread_mutex_init(&self->mutex, NULL);
    self->message = model->host.message;
    self->error = model->host.error;
    model->loop_messages = self;
    model->host.message = message_within;
    model->host.error = error_within;
    return self;
}

void tn_loop_messages_close(tn_model *model, tn_loop_messages *self)
{
    if (!self) return;
    model->host.message = self->message;
    model->host.error = self->error;
    model->loop_messages = NULL;
    (void)pthread_mutex_destroy(&self->mutex);
    free(self);
}
