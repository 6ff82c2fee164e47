/* diagnostics_print.c - a listener that prints messages, as text or as JSON */
#include "config/diagnostics_internal.h"

static void hear(void *data, const tn_diagnostic *message)
{
    const tn_message_printer *printer = data;
    if (printer->quiet && message->severity == TN_SEVERITY_NOTE) return;
    if (printer->json)
        tn_diagnostic_print_json(message, printer->stream);
    else
        tn_diagnostic_print_text(message, printer->stream);
}

static void count(void *data, tn_severity severity, size_t more, const char *text)
{
    const tn_message_printer *printer = data;
    if (printer->json)
        tn_diagnostic_print_json_rest(severity, more, text, printer->stream);
    else
        (void)fprintf(printer->stream, "%s\n", text);
}

tn_message_listener tn_message_printer_listener(const tn_message_printer *printer)
{
    return (tn_message_listener){(void *)printer, hear, count};
}

void tn_diagnostics_print(tn_diagnostics *diagnostics, FILE *stream)
{
    const tn_message_listener before = diagnostics->listener;
    const tn_message_printer printer = {.stream = stream};
    tn_diagnostics_listen(diagnostics, tn_message_printer_listener(&printer));
    tn_diagnostics_publish(diagnostics);
    tn_diagnostics_listen(diagnostics, before);
}
