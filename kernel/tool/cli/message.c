/* message.c - single messages on standard error (see message.h) */
#include "cli/message.h"

#include "config/json.h"
#include "base/text.h"

static tn_message_format chosen;

void tn_message_choose(tn_message_format format) { chosen = format; }

tn_message_format tn_message_chosen(void) { return chosen; }

void tn_message(const char *severity, const char *format, ...)
{
    tn_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    tn_text_add_list(&text, format, arguments);
    va_end(arguments);
    if (chosen == TN_MESSAGES_JSON)
        tn_json_print(&(tn_json){.stream = stderr, .one_line = true}, "{'severity': %s, 'text': %s}",
                      severity, text.letters);
    else
        (void)fprintf(stderr, "%s\n", text.letters);
    tn_free(text.letters);
}
