/* html.c - a page as a file: title, style, head, blocks of numbers and program in one, which needs nothing else */
#include "report.h"

#include <time.h>

static void write_blocks(FILE *file, const tn_bytes *store)
{
    enum { PIECE = 3 << 14 };
    static char text[4 * (PIECE / 3)];
    for (size_t first = 0, number = 0; first < store->used; first += TN_BLOCK_BYTES, number++) {
        const size_t rest = store->used - first, size = rest < TN_BLOCK_BYTES ? rest : TN_BLOCK_BYTES;
        (void)fprintf(file, "<script type=\"application/octet-stream\" id=\"b%zu\">", number);
        for (size_t done = 0; done < size; done += PIECE) {
            const size_t count = size - done < PIECE ? size - done : PIECE;
            const size_t length = tn_base64(store->at + first + done, count, text);
            if (fwrite(text, 1, length, file) != length) return;
        }
        (void)fputs("</script>\n", file);
    }
}

/* The security policy makes the browser refuse all content from elsewhere; the page of a run that goes on may ask its own server. */
static const char before_style[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"generator\" content=\"Tenon\">\n%s"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline' "
    "blob:; style-src 'unsafe-inline'; img-src data: blob:; worker-src blob:%s\">\n";

/* A browser that is given none asks for one. */
static const char icon[] = "<link rel=\"icon\" href=\"data:,\">\n";

static void write_title(FILE *file, const char *text)
{
    (void)fputs("<title>", file);
    for (; *text; text++)
        if (*text == '<')
            (void)fputs("&lt;", file);
        else if (*text == '&')
            (void)fputs("&amp;", file);
        else
            (void)fputc(*text, file);
    (void)fputs("</title>\n<style>", file);
}

static void write_span(FILE *file, const char *from, const char *to)
{
    (void)fwrite(from, 1, (size_t)(to - from), file);
}

void tn_write_html(FILE *file, const tn_html *page)
{
    (void)fprintf(file, before_style, page->is_live ? icon : "", page->is_live ? "; connect-src 'self'" : "");
    write_title(file, page->title ? page->title : "");
    write_span(file, page->style[0], page->style[1]);
    (void)fputs("</style>\n</head>\n<body>\n<noscript>This page needs JavaScript.</noscript>\n"
                "<div id=\"page\"><p class=\"loading\" role=\"status\">Reading the results ...</p></div>\n"
                "<script type=\"application/json\" id=\"head\">",
                file);
    (void)fwrite(page->head->at, 1, page->head->used, file);
    (void)fputs("</script>\n", file);
    write_blocks(file, page->store);
    (void)fputs("<script>", file);
    write_span(file, page->program[0], page->program[1]);
    (void)fputs("</script>\n</body>\n</html>\n", file);
}

void tn_put_made(tn_bytes *head)
{
    char text[32] = "";
    const time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts)) (void)strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
    tn_put_pair(head, "made", text);
}
