/* message.h - single messages of the program on standard error: a line of text each, or an object of JSON each, as the user has asked. */
#ifndef TN_MESSAGE_H
#define TN_MESSAGE_H

#include <stdbool.h>
#include <stdio.h>

typedef enum tn_message_format { TN_MESSAGES_TEXT, TN_MESSAGES_JSON } tn_message_format;

/* How messages of this program are written; text until something else is chosen. May be asked in a signal handler. */
void tn_message_choose(tn_message_format format);
tn_message_format tn_message_chosen(void);

/* Prints the text, or {"severity": "error", "text": "text"}; the severity is "error", "warning" or "note". */
void tn_message(const char *severity, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
