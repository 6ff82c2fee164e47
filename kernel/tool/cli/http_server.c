/* http_server.c - the server of `tenon watch` (see http_server.h) */
#define _GNU_SOURCE
#include "cli/http_server.h"

#include "cli/message.h"

#ifndef TENON_MICROHTTPD
bool tn_http_open(tn_http_server *server, const char *command)
{
    (void)server;
    tn_message("error", "tenon %s: this program was built without libmicrohttpd (Debian: libmicrohttpd-dev)",
               command);
    return false;
}

void tn_http_serve(tn_http_server *server, unsigned milliseconds) { (void)server, (void)milliseconds; }
void tn_http_forget(tn_http_server *server) { (void)server; }
void tn_http_close(tn_http_server *server) { (void)server; }

#else

#include "run/clock.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_CONNECTIONS = 32,
    MOST_WAITING = 32,         /* connections in the queue of the socket */
    REQUEST_BYTES = 32 * 1024, /* memory of a connection, which must hold the lines of its request */
    LONGEST_SILENCE = 15       /* s, of a connection without traffic */
};

/* ---- the library ------------------------------------------------------------------------------------------------- */

#define LIBRARY "libmicrohttpd.so.12"
#define FUNCTIONS(X)                   \
    X(MHD_start_daemon)                \
    X(MHD_stop_daemon)                 \
    X(MHD_run_wait)                    \
    X(MHD_create_response_from_buffer) \
    X(MHD_add_response_header)         \
    X(MHD_queue_response)              \
    X(MHD_destroy_response)            \
    X(MHD_lookup_connection_value)

#define MEMBER(name) __typeof__(&(name)) name;
static struct {
    FUNCTIONS(MEMBER)
} library;

static bool load_function(void *handle, const char *name, void *function)
{
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool load_library(const char *command)
{
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool good = handle != NULL;
#define LOAD(name) good = good && load_function(handle, #name, &library.name);
    FUNCTIONS(LOAD)
    if (!good)
        tn_message("error", "tenon %s: " LIBRARY " cannot be loaded (Debian: libmicrohttpd12): %s", command,
                   dlerror());
    return good;
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

/* In constant time. */
static bool is_same(const char *text, const char *secret, size_t length)
{
    unsigned char differs = 0;
    for (size_t k = 0; k < length; k++)
        differs |= (unsigned char)(text[k] ^ secret[k]);
    return differs == 0;
}

/* The path behind "/TOKEN/"; NULL for all others. */
static const char *name_of(const tn_http_server *server, const char *path)
{
    const size_t length = sizeof server->token - 1;
    if (strlen(path) < length + 2 || path[0] != '/') return NULL;
    return is_same(path + 1, server->token, length) && path[length + 1] == '/' ? path + length + 2 : NULL;
}

/* Whether the Host header is that of the address. */
static bool has_own_name(const tn_http_server *server, struct MHD_Connection *connection)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    const char *host = library.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    for (size_t k = 0; host && k < sizeof names / sizeof *names; k++) {
        char own[32];
        (void)snprintf(own, sizeof own, "%s:%u", names[k], server->port);
        if (strcasecmp(host, own) == 0) return true;
    }
    return false;
}

/* The browser stores nothing, shows the page within no other page, and loads nothing from elsewhere. */
static const char *const headers[][2] = {
    {"Cache-Control", "no-store"},
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; img-src data: blob:; "
     "worker-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"}};

static struct MHD_Response *make_response(tn_http_answer *answer)
{
    static char nothing[1];
    struct MHD_Response *response =
        answer->body
            ? library.MHD_create_response_from_buffer(answer->size, answer->body, MHD_RESPMEM_MUST_FREE)
            : library.MHD_create_response_from_buffer(0, nothing, MHD_RESPMEM_PERSISTENT);
    bool good = response != NULL;
    if (!response) free(answer->body);
    for (size_t k = 0; good && k < sizeof headers / sizeof *headers; k++)
        good = library.MHD_add_response_header(response, headers[k][0], headers[k][1]) == MHD_YES;
    if (good && answer->type)
        good = library.MHD_add_response_header(response, "Content-Type", answer->type) == MHD_YES;
    if (good && answer->status == MHD_HTTP_METHOD_NOT_ALLOWED)
        good = library.MHD_add_response_header(response, "Allow", "GET, HEAD") == MHD_YES;
    if (good || !response) return response;
    library.MHD_destroy_response(response);
    return NULL;
}

/* The answer to a request with the right token. */
static tn_http_answer ask(const tn_http_server *server, struct MHD_Connection *connection, const char *name)
{
    const char *after = library.MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "after");
    return server->answer(server->data, name, after ? after : "");
}

static enum MHD_Result send_kept(const tn_http_server *server, struct MHD_Connection *connection)
{
    return library.MHD_queue_response(connection, MHD_HTTP_OK, server->kept);
}

static enum MHD_Result send_answer(tn_http_server *server, struct MHD_Connection *connection,
                                   tn_http_answer *answer)
{
    struct MHD_Response *response = make_response(answer);
    if (!response) return MHD_NO;
    const enum MHD_Result result = library.MHD_queue_response(connection, answer->status, response);
    if (answer->keep > 0.0) {
        tn_http_forget(server);
        server->kept = response;
        server->kept_until = tn_clock_now() + answer->keep;
    } else {
        library.MHD_destroy_response(response);
    }
    return result;
}

/* Answers a request as soon as its lines are there, without its body. */
static enum MHD_Result take_request(void *data, struct MHD_Connection *connection, const char *path,
                                    const char *method, const char *version, const char *upload, size_t *size,
                                    void **own)
{
    tn_http_server *server = data;
    (void)version, (void)upload, (void)size, (void)own;
    const char *name = name_of(server, path);
    tn_http_answer answer = {.status = MHD_HTTP_NOT_FOUND};
    if (!has_own_name(server, connection))
        answer.status = MHD_HTTP_FORBIDDEN;
    else if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        answer.status = MHD_HTTP_METHOD_NOT_ALLOWED;
    else if (name && !*name && server->kept && tn_clock_now() < server->kept_until)
        return send_kept(server, connection);
    else if (name)
        answer = ask(server, connection, name);
    return send_answer(server, connection, &answer);
}

/* ---- the server -------------------------------------------------------------------------------------------------- */

static bool make_token(char *token, size_t size)
{
    unsigned char bits[16];
    if (TEMP_FAILURE_RETRY(getrandom(bits, sizeof bits, 0)) != (ssize_t)sizeof bits) return false;
    for (size_t k = 0; k < sizeof bits && 2 * k + 2 < size; k++)
        (void)snprintf(token + 2 * k, 3, "%02x", bits[k]);
    return true;
}

/* A socket that listens at 127.0.0.1 only; -1 with errno. */
static int open_socket(tn_http_server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)server->port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    const int one = 1, file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0) return -1;
    /* connections of an earlier server do not keep the port */
    const bool good = setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
                      bind(file, (struct sockaddr *)&address, length) == 0 &&
                      listen(file, MOST_WAITING) == 0 &&
                      getsockname(file, (struct sockaddr *)&address, &length) == 0;
    server->port = ntohs(address.sin_port);
    if (good) return file;
    const int reason = errno;
    (void)close(file);
    errno = reason;
    return -1;
}

static void ignore_log(void *data, const char *format, va_list list) { (void)data, (void)format, (void)list; }

bool tn_http_open(tn_http_server *server, const char *command)
{
    if (!load_library(command)) return false;
    if (!make_token(server->token, sizeof server->token)) {
        tn_message("error", "tenon %s: there are no random numbers for the address: %s", command,
                   strerror(errno));
        return false;
    }
    const unsigned port = server->port;
    const int file = open_socket(server);
    if (file < 0) {
        tn_message("error", "tenon %s: port %u of 127.0.0.1 cannot be opened: %s", command, port,
                   strerror(errno));
        return false;
    }
    server->daemon = library.MHD_start_daemon(
        MHD_USE_EPOLL, 0, NULL, NULL, take_request, server, MHD_OPTION_EXTERNAL_LOGGER, ignore_log, NULL,
        MHD_OPTION_LISTEN_SOCKET, file, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)LONGEST_SILENCE, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)REQUEST_BYTES, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
    if (server->daemon) return true;
    tn_message("error", "tenon %s: the server at port %u cannot be started: %s", command, server->port,
               strerror(errno));
    (void)close(file);
    return false;
}

void tn_http_serve(tn_http_server *server, unsigned milliseconds)
{
    const struct timespec pause = {0, 1000000 * (long)(milliseconds % 1000)};
    if (library.MHD_run_wait(server->daemon, (int32_t)milliseconds) != MHD_YES) (void)nanosleep(&pause, NULL);
}

void tn_http_forget(tn_http_server *server)
{
    if (server->kept) library.MHD_destroy_response(server->kept);
    server->kept = NULL;
}

void tn_http_close(tn_http_server *server)
{
    tn_http_forget(server);
    if (server->daemon) library.MHD_stop_daemon(server->daemon); /* closes the socket */
    server->daemon = NULL;
}

#endif
