/* test_messages.h - the messages of a test as text. */
#ifndef TN_TEST_MESSAGES_H
#define TN_TEST_MESSAGES_H

#include "config/diagnostics.h"

/* Publishes what was collected to a stream. */
static inline void print_messages(tn_diagnostics *diagnostics, FILE *stream)
{
    const tn_message_printer printer = {.stream = stream};
    tn_diagnostics_listen(diagnostics, tn_message_printer_listener(&printer));
    tn_diagnostics_publish(diagnostics);
    tn_diagnostics_listen(diagnostics, (tn_message_listener){0});
}

#endif
