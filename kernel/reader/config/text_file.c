/* text_file.c - reading a text file as it is (see text_file.h) */
#include "config/text_file.h"

#include "base/memory.h"
#include "config/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Far beyond any model. */
static const size_t largest_file = (size_t)256 << 20;

/* Told before the file is read. */
static bool is_too_large(FILE *stream)
{
    struct stat status;
    return fstat(fileno(stream), &status) == 0 && status.st_size > (off_t)largest_file;
}

/* Bytes to read at a time: a small file, and one more to see that it ends. */
static size_t size_of_piece(FILE *stream)
{
    enum { LARGEST_PIECE = 64 * 1024 };
    struct stat status;
    const bool is_small = fstat(fileno(stream), &status) == 0 && status.st_size < LARGEST_PIECE;
    return is_small && status.st_size > 0 ? (size_t)status.st_size + 1 : LARGEST_PIECE;
}

/* Reads to the end of the stream and puts a NUL there; NULL with the reason. */
static char *read_stream(FILE *stream, size_t *length, const char **reason)
{
    char *text = NULL;
    size_t used = 0, size = 0;
    const size_t piece = size_of_piece(stream);
    do {
        text = tn_grow(text, &size, used + piece + 1, 1);
        errno = 0;
        used += fread(text + used, 1, size - used - 1, stream);
        if (ferror(stream) && errno != EINTR)
            *reason = strerror(errno);
        else if (ferror(stream))
            clearerr(stream);
        if (used > largest_file || is_too_large(stream)) *reason = "it is larger than 256 MiB";
    } while (!feof(stream) && !*reason);
    *length = used;
    if (*reason) {
        tn_free(text);
        return NULL;
    }
    char *whole = tn_new(used + 1, 1); /* many small files may be kept */
    memcpy(whole, text, used);
    tn_free(text);
    return whole;
}

static void close_stream(void *stream) { (void)fclose(stream); }

char *tn_text_file_read(const char *path, size_t *length, tn_text_failure *failure)
{
    const char *reason = NULL;
    char *text = NULL;
    FILE *stream = tn_file_open(path, &reason);
    if (stream) {
        tn_hold hold;
        tn_hold_begin(&hold, close_stream, stream);
        text = read_stream(stream, length, &reason);
        tn_hold_end(&hold);
        close_stream(stream);
    }
    if (!text) {
        *failure = (tn_text_failure){0};
        (void)tn_print_cut(failure->text, sizeof failure->text, "cannot read: %s", reason);
        return NULL;
    }

    if (*length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        *length -= 3;
        memmove(text, text + 3, *length + 1);
    }
    return text;
}
