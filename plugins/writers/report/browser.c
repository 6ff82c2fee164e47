/* browser.c - a headless Chromium, controlled by its debugging pipe: commands and answers are JSON texts that end with a zero */
#define _GNU_SOURCE
#include "browser.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_MS = 60000, END_MS = 5000 };

extern char **environ;

/* ---- the process --------------------------------------------------------------------------------------------------- */

static int remove_one(const char *path, TN_UNUSED const struct stat *status, TN_UNUSED int kind,
                      TN_UNUSED struct FTW *place)
{
    return remove(path);
}

static bool spawn(tn_browser *browser, int socket)
{
    char folder[sizeof browser->folder + 20];
    (void)snprintf(folder, sizeof folder, "--user-data-dir=%s", browser->folder);
    const char *const arguments[] = {"chromium",
                                     "--headless=new",
                                     "--use-angle=swiftshader",
                                     "--enable-unsafe-swiftshader",
                                     "--remote-debugging-pipe",
                                     "--no-first-run",
                                     "--disable-background-networking",
                                     "--hide-scrollbars",
                                     "--mute-audio",
                                     folder,
                                     "about:blank",
                                     geteuid() == 0 ? "--no-sandbox" : NULL,
                                     NULL};
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return false;
    bool done = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
                posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) == 0 &&
                posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) == 0 &&
                posix_spawn_file_actions_adddup2(&actions, socket, 3) == 0 &&
                posix_spawn_file_actions_adddup2(&actions, socket, 4) == 0;
    if (done)
        browser->fault = posix_spawnp(&browser->process, arguments[0], &actions, NULL,
                                      (char *const *)(uintptr_t)arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    return done && browser->fault == 0;
}

bool tn_browser_open(tn_browser *browser)
{
    int pair[2];
    *browser = (tn_browser){.socket = -1, .process = -1};
    (void)snprintf(browser->folder, sizeof browser->folder, "/tmp/tenon_browser_XXXXXX");
    if (!mkdtemp(browser->folder)) return browser->fault = errno, browser->folder[0] = 0, false;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return browser->fault = errno, false;
    browser->socket = pair[0];
    const bool done = spawn(browser, pair[1]);
    (void)close(pair[1]);
    return done;
}

static void wait_for_end(const tn_browser *browser)
{
    const struct timespec pause = {0, 20000000};
    for (int k = 0; k < END_MS / 20; k++) {
        if (waitpid(browser->process, NULL, WNOHANG) != 0) return;
        (void)nanosleep(&pause, NULL);
    }
    (void)kill(browser->process, SIGKILL);
    (void)waitpid(browser->process, NULL, 0);
}

void tn_browser_close(tn_browser *browser)
{
    if (browser->socket >= 0) {
        if (browser->process > 0) (void)tn_browser_ask(browser, "Browser.close", "{}");
        (void)close(browser->socket);
    }
    if (browser->process > 0) wait_for_end(browser);
    if (browser->folder[0]) (void)nftw(browser->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    tn_bytes_free(&browser->answer);
}

/* ---- commands ------------------------------------------------------------------------------------------------------- */

static bool send_all(int socket, const char *text, size_t count)
{
    while (count > 0) {
        const ssize_t sent = send(socket, text, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        text += sent;
        count -= (size_t)sent;
    }
    return true;
}

/* Receives one message, up to the next zero; bytes after it are kept for the next message. */
static bool receive(tn_browser *browser)
{
    tn_bytes *answer = &browser->answer;
    if (browser->taken) { // the last message
        memmove(answer->at, answer->at + browser->taken, answer->used - browser->taken);
        answer->used -= browser->taken;
        browser->taken = 0;
    }
    for (size_t seen = 0;;) {
        const unsigned char *zero =
            answer->used > seen ? memchr(answer->at + seen, 0, answer->used - seen) : NULL;
        if (zero) return browser->taken = (size_t)(zero - answer->at) + 1, true;
        seen = answer->used;
        struct pollfd ready = {.fd = browser->socket, .events = POLLIN};
        if (poll(&ready, 1, ANSWER_MS) <= 0 || !tn_bytes_reserve(answer, 1 << 16)) return false;
        const ssize_t count = recv(browser->socket, answer->at + answer->used, 1 << 16, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        answer->used += (size_t)count;
    }
}

const char *tn_browser_ask(tn_browser *browser, const char *method, const char *parameters)
{
    tn_bytes command = {0};
    char number[32];
    tn_put(&command, "{\"id\":%d,\"method\":\"%s\"", ++browser->commands, method);
    if (browser->session[0]) tn_put_pair(&command, "sessionId", browser->session);
    tn_put(&command, ",\"params\":");
    tn_bytes_add(&command, parameters, strlen(parameters));
    tn_bytes_add(&command, "}", 2);
    bool done = !command.failed && send_all(browser->socket, (const char *)command.at, command.used);
    tn_bytes_free(&command);
    (void)snprintf(number, sizeof number, "{\"id\":%d,", browser->commands);
    do {
        done = done && receive(browser);
    } while (done && strncmp((const char *)browser->answer.at, number, strlen(number)) != 0);
    return done && strstr((const char *)browser->answer.at, "\"result\":") ? (const char *)browser->answer.at
                                                                           : NULL;
}

const char *tn_browser_text(const char *answer, const char *name, size_t *length)
{
    char key[64];
    (void)snprintf(key, sizeof key, "\"%s\":\"", name);
    const char *at = answer ? strstr(answer, key) : NULL, *end = at ? strchr(at + strlen(key), '"') : NULL;
    if (!end) return NULL;
    at += strlen(key);
    *length = (size_t)(end - at);
    return at;
}
