/* stills.c - pictures of the scene at the times of `png`, made by a headless Chromium that opens the page */
#include "browser.h"

#include <errno.h>
#include <limits.h>
#include <time.h>

enum { LONGEST_WAIT_MS = 60000, PAUSE_MS = 50, WIDTH = 1600, HEIGHT = 900 };

/* Opens the page in a session of its own. */
static bool open_target(tn_browser *browser, const tn_list *size)
{
    char text[256];
    size_t length;
    const char *target = tn_browser_text(
        tn_browser_ask(browser, "Target.createTarget", "{\"url\":\"about:blank\"}"), "targetId", &length);
    if (!target || length > 100) return false;
    (void)snprintf(text, sizeof text, "{\"targetId\":\"%.*s\",\"flatten\":true}", (int)length, target);
    const char *session =
        tn_browser_text(tn_browser_ask(browser, "Target.attachToTarget", text), "sessionId", &length);
    if (!session || length >= sizeof browser->session) return false;
    memcpy(browser->session, session, length);
    (void)snprintf(text, sizeof text,
                   "{\"width\":%.0f,\"height\":%.0f,\"deviceScaleFactor\":1,\"mobile\":false}",
                   size->count ? size->value[0] : WIDTH, size->count ? size->value[1] : HEIGHT);
    return tn_browser_ask(browser, "Emulation.setDeviceMetricsOverride", text) != NULL;
}

/* Makes the address file:///..., with %XX for all but plain characters. */
static bool put_address(tn_bytes *json, const char *folder, bool whole)
{
    char path[PATH_MAX];
    if (!realpath(folder, path)) return false;
    tn_put(json, "{\"url\":\"file://");
    for (const char *at = path; *at; at++) {
        const char c = *at;
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("/._-", c);
        tn_put(json, plain ? "%c" : "%%%02X", plain ? c : (unsigned char)c);
    }
    tn_put(json, whole ? "/report.html\"}" : "/report.html#still=1\"}");
    tn_bytes_add(json, "", 1);
    return !json->failed;
}

static bool is_ready(tn_browser *browser)
{
    const struct timespec pause = {0, PAUSE_MS * 1000000};
    for (int k = 0; k < LONGEST_WAIT_MS / PAUSE_MS; k++) {
        const char *answer = tn_browser_ask(
            browser, "Runtime.evaluate",
            "{\"expression\":\"document.documentElement.dataset.ready + '!'\",\"returnByValue\":true}");
        if (!answer) return false;
        if (strstr(answer, "\"1!\"")) return true;
        (void)nanosleep(&pause, NULL);
    }
    return false;
}

static bool open_page(tn_browser *browser, const tn_report_settings *settings, const char *folder)
{
    tn_bytes json = {0};
    const bool done = open_target(browser, &settings->png_size) &&
                      put_address(&json, folder, settings->png_page) &&
                      tn_browser_ask(browser, "Page.navigate", (const char *)json.at) && is_ready(browser);
    tn_bytes_free(&json);
    return done;
}

/* Decodes base64; returns the number of bytes. */
static size_t read_base64(const char *text, size_t length, unsigned char *out)
{
    size_t count = 0;
    uint32_t bits = 0;
    for (size_t k = 0, have = 0; k < length && text[k] != '='; k++) {
        const char c = text[k];
        const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                          : c >= 'a' && c <= 'z' ? c - 'a' + 26
                          : c >= '0' && c <= '9' ? c - '0' + 52
                          : c == '+'             ? 62
                                                 : 63;
        bits = bits << 6 | (uint32_t)value;
        have += 6;
        if (have < 8) continue;
        have -= 8;
        out[count++] = (unsigned char)(bits >> have);
    }
    return count;
}

static tn_status write_picture(const tn_host *host, const char *folder, size_t number, const char *text,
                               size_t length)
{
    char name[32];
    tn_result_file file;
    unsigned char *bytes = malloc(length + 1);
    if (!bytes) return TN_OUT_OF_MEMORY;
    const size_t count = read_base64(text, length, bytes);
    (void)snprintf(name, sizeof name, "report_%zu.png", number + 1);
    if (tn_result_open(&file, host, "report", folder, name) == TN_OK) tn_result_write(&file, bytes, count);
    free(bytes);
    return tn_result_close(&file);
}

/* Of which run the time is; the page of two goes from the first start to the last end. */
static bool is_within(const tn_recording *const *recording, uint32_t count, double time)
{
    double start = HUGE_VAL, end = -HUGE_VAL;
    for (uint32_t k = 0; k < count; k++) {
        start = fmin(start, recording[k]->start_time);
        end = fmax(end, recording[k]->time_reached);
    }
    return time >= start && time <= end;
}

/* The scene needs WebGL, the page has its plots without. */
static const char *take_picture(tn_browser *browser, double time, size_t *length)
{
    char text[320];
    (void)snprintf(
        text, sizeof text,
        "{\"awaitPromise\":true,\"expression\":\"window.tenon.setTime(%.17g); window.tenon.view?.render(); "
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))\"}",
        time);
    if (!tn_browser_ask(browser, "Runtime.evaluate", text)) return NULL;
    return tn_browser_text(tn_browser_ask(browser, "Page.captureScreenshot", "{\"format\":\"png\"}"), "data",
                           length);
}

static tn_status take_pictures(const tn_host *host, tn_browser *browser, const tn_list *times,
                               const char *folder, uint64_t *taken)
{
    tn_status status = TN_OK;
    for (*taken = 0; status == TN_OK && *taken < times->count; (*taken)++) {
        size_t length = 0;
        const char *data = take_picture(browser, times->value[*taken], &length);
        if (!data) break;
        status = write_picture(host, folder, (size_t)*taken, data, length);
    }
    return status;
}

/* Where the page stays the run has its result: that there are no pictures is a warning. */
static tn_status tell_failure(const tn_host *host, const tn_report_settings *settings,
                              const tn_browser *browser, bool opened, uint64_t taken)
{
    char reason[160];
    if (browser->fault == ENOENT)
        (void)snprintf(reason, sizeof reason,
                       "chromium, which takes them, is not installed (package chromium)");
    else if (browser->fault)
        (void)snprintf(reason, sizeof reason, "chromium, which takes them, cannot be started: %s",
                       strerror(browser->fault));
    else
        (void)snprintf(reason, sizeof reason, "%s",
                       opened ? "chromium ended, or has not answered" : "the page does not open in chromium");
    tn_say(host, settings->without_page ? TN_ERROR : TN_WARNING,
           "report: `png`: %s: %llu of %llu pictures are made", reason, (unsigned long long)taken,
           (unsigned long long)settings->png.count);
    return settings->without_page ? TN_FATAL : TN_OK;
}

tn_status tn_make_stills(const tn_host *host, const tn_report_settings *settings,
                         const tn_recording *const *recording, uint32_t count, const char *folder)
{
    tn_browser browser;
    uint64_t taken = 0;
    tn_status status = TN_OK;
    if (!settings->png.count) return TN_OK;
    for (size_t k = 0; k < settings->png.count; k++)
        if (!is_within(recording, count, settings->png.value[k]))
            tn_say(host, TN_WARNING,
                   "report: `png`: %.9g s is not within the run: the picture is of its nearest end",
                   settings->png.value[k]);
    const bool opened = tn_browser_open(&browser) && open_page(&browser, settings, folder);
    if (opened) status = take_pictures(host, &browser, &settings->png, folder, &taken);
    tn_browser_close(&browser);
    if (status == TN_OK && taken < settings->png.count)
        status = tell_failure(host, settings, &browser, opened, taken);
    return status;
}
