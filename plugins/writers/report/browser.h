/* browser.h - a headless Chromium for stills. */
#ifndef TENON_REPORT_BROWSER_H
#define TENON_REPORT_BROWSER_H

#include "report.h"

#include <sys/types.h>

typedef struct tn_browser {
    pid_t process;
    int socket, commands;
    int fault;         /* errno of a start that failed */
    char folder[40];   /* its own */
    char session[128]; /* of the page; "": none yet */
    tn_bytes answer;   /* messages, the first of `taken` bytes */
    size_t taken;
} tn_browser;

/* False where there is none, or it does not start; close() is called in any case. */
bool tn_browser_open(tn_browser *browser);
void tn_browser_close(tn_browser *browser);
/* The answer to a command, which lives up to the next one; NULL: none within a minute, or an error. */
const char *tn_browser_ask(tn_browser *browser, const char *method, const char *parameters);
/* A text without escapes in an answer. */
const char *tn_browser_text(const char *answer, const char *name, size_t *length);

#endif
