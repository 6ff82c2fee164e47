/* printed_text.c - texts that are printed like files (see printed_text.h) */
#define _GNU_SOURCE
#include "config/printed_text.h"

#include "config/toml.h"

#include <string.h>

static void close_text(void *data)
{
    tn_text_file *stream = data;
    (void)fclose(stream->file);
    tn_free(stream->text);
}

void tn_text_file_open(tn_text_file *stream)
{
    stream->file = open_memstream(&stream->text, &stream->size);
    if (!stream->file) tn_no_memory("a text");
    tn_hold_begin(&stream->hold, close_text, stream);
}

char *tn_text_file_close(tn_text_file *stream)
{
    tn_hold_end(&stream->hold);
    const bool failed = ferror(stream->file) != 0;
    if (fclose(stream->file) == 0 && !failed) return tn_adopt(stream->text);
    tn_free(stream->text);
    tn_no_memory("a text");
}

void tn_toml_print_line(FILE *stream, const char *key, const char *text)
{
    (void)fprintf(stream, "%s = ", key);
    tn_toml_print_text(stream, text, strlen(text));
    (void)fputc('\n', stream);
}
