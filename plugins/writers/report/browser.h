/* browser.h - a headless Chromium for stills. */
#ifndef TENON_REPORT_BROWSER_H
#define TENON_REPORT_BROWSER_H

#include "report.h"

#include <sys/types.h>

typedef struct tn_browser {
    pid_t process;
    int socket, commands;
    int fault;         /* errno of a start that failed */
    char folder[40];   /* of its profile */
    char session[128]; /* of the page; "": none yet */
    tn_bytes answer;   /* messages; the first has `taken` bytes */
    size_t taken;
} tn_browser;

/* Starts Chromium; false where it is not installed or does not start. tn_browser_close() is to be called in any case. */
bool tn_browser_open(tn_browser *browser);
void tn_browser_close(tn_browser *browser);
/* Sends a command; returns the answer, valid until the next command, or NULL: an error, or no answer within a minute. */
const char *tn_browser_ask(tn_browser *browser, const char *method, const char *parameters);
/* A text in an answer, without escape sequences. */
const char *tn_browser_text(const char *answer, const char *name, size_t *length);

#endif
