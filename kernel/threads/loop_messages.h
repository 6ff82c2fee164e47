/* loop_messages.h - what plugins say within loops of several threads: kept until the loop has ended, then handed on in the order of the
 * blocks, as one thread would have said it. */
#ifndef TN_LOOP_MESSAGES_H
#define TN_LOOP_MESSAGES_H

#include "model/model.h"

typedef struct tn_loop_messages tn_loop_messages;

/* From here on the host's message() and error() stand aside within loops; until they are closed, which tn_loop_messages_close does for
 * NULL, too. NULL without memory. */
tn_loop_messages *tn_loop_messages_open(tn_model *model);
void tn_loop_messages_close(tn_model *model, tn_loop_messages *messages);

/* This thread begins with a block of a loop; its loop has ended for it. */
void tn_loop_messages_enter(size_t block);
void tn_loop_messages_leave(void);
/* All threads have left the loop. */
void tn_loop_messages_deliver(tn_model *model, tn_loop_messages *messages);

#endif
