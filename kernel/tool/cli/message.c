/* message.c - single messages on standard error (see message.h) */
#define _GNU_SOURCE
#include "cli/message.h"

#include "config/colour.h"
#include "config/json.h"
#include "base/text.h"

#include <stdarg.h>

static tn_message_format chosen;

void tn_message_choose(tn_message_format format) { chosen = format; }

tn_message_format tn_message_chosen(void) { return chosen; }

/* A message may tell of a lack of memory: it is cut where there is none for all of it. */
static void print_message(const char *severity, bool alone, const char *format, va_list arguments)
{
    char *text = NULL, cut[TN_LONGEST_REASON];
    va_list again;
    va_copy(again, arguments);
    const bool whole = vasprintf(&text, format, arguments) >= 0;
    if (!whole) (void)tn_print_cut_list(cut, sizeof cut, format, again);
    va_end(again);
    const char *said = whole ? text : cut;
    const bool colours = !alone && tn_has_colours(stderr);
    if (chosen == TN_MESSAGES_JSON)
        tn_json_print(&(tn_json){.stream = stderr, .one_line = true}, "{'severity': %s, 'text': %s}",
                      severity, said);
    else if (alone)
        (void)fprintf(stderr, "%s\n", said);
    else
        (void)fprintf(stderr, "%s%s%s: %s\n", colours ? tn_colour_of(severity) : "", severity,
                      colours ? tn_colour_off : "", said);
    if (whole) tn_free(text);
}

void tn_message(const char *severity, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message(severity, false, format, arguments);
    va_end(arguments);
}

void tn_message_alone(const char *severity, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message(severity, true, format, arguments);
    va_end(arguments);
}
