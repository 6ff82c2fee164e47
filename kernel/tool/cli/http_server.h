/* http_server.h - answers GET and HEAD at http://127.0.0.1:PORT/TOKEN/, by libmicrohttpd, for the browsers of this machine.
 *
 * Only who knows the token, 128 random bits, gets an answer, and only under the name of the address itself, so that no page of another
 * host reaches it by a name of its own (DNS rebinding). Connections, bytes of a request and times are limited; all is done by the thread
 * that calls tn_http_serve. The library is loaded when it is needed: other commands do not wait for it. */
#ifndef TN_HTTP_SERVER_H
#define TN_HTTP_SERVER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tn_http_answer {
    unsigned status;  /* 200; others have no body */
    const char *type; /* of the body: "text/html" */
    char *body;       /* malloc(), which the server frees */
    size_t size;
    double keep; /* s: how long the same answer does */
} tn_http_answer;

typedef struct tn_http_server {
    /* `name`: what stands behind the token and its slash; `after`: the argument of that name, or "". */
    tn_http_answer (*answer)(void *data, const char *name, const char *after);
    void *data;
    unsigned port; /* 0: one that is free; then that one */
    char token[33];
    void *daemon;
    void *kept; /* the answer to the name "", up to a time */
    double kept_until;
} tn_http_server;

/* False after a message of the command. */
bool tn_http_open(tn_http_server *server, const char *command);
/* Answers what comes within so many milliseconds, and returns when a signal comes. */
void tn_http_serve(tn_http_server *server, unsigned milliseconds);
/* The answer that is kept is out of date. */
void tn_http_forget(tn_http_server *server);
void tn_http_close(tn_http_server *server);

#endif
