/* http_server.h - a server for browsers on this machine: GET and HEAD at http://127.0.0.1:PORT/TOKEN/, by libmicrohttpd.
 *
 * A request must contain the token, 128 random bits, and its Host header must be that of the address, so that a page of another host cannot
 * reach the server by a name of its own (DNS rebinding). The number of connections, the size of a request and idle times are limited. The
 * thread that calls tn_http_serve does all the work. The library is loaded at the first use, so that other commands start without it. */
#ifndef TN_HTTP_SERVER_H
#define TN_HTTP_SERVER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tn_http_answer {
    unsigned status;  /* 200; others have no body */
    const char *type; /* of the body: "text/html" */
    char *body;       /* malloc(), which the server frees */
    size_t size;
    double keep; /* s: how long this answer to the name "" may be sent again */
} tn_http_answer;

typedef struct tn_http_server {
    /* `name`: the path behind "/TOKEN/"; `after`: the argument of that name, or "". */
    tn_http_answer (*answer)(void *data, const char *name, const char *after);
    void *data;
    unsigned port; /* 0: a free one, whose number is stored here */
    char token[33];
    void *daemon;
    void *kept; /* the last answer to the name "", for some time */
    double kept_until;
} tn_http_server;

/* False after a message of the command. */
bool tn_http_open(tn_http_server *server, const char *command);
/* Answers the requests of so many milliseconds; returns earlier at a signal. */
void tn_http_serve(tn_http_server *server, unsigned milliseconds);
/* Drops the answer that is kept. */
void tn_http_forget(tn_http_server *server);
void tn_http_close(tn_http_server *server);

#endif
