/* tenon/kit/result_file.h - files of converting writers: new ones, buffered; errors are reported with the name of the file.
 *
 *     tn_result_file file;
 *     if (tn_result_open(&file, host, "glb", folder, "glb.glb") == TN_OK) tn_result_write(&file, data, bytes);
 *     return tn_result_close(&file);
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_RESULT_FILE_H
#define TENON_KIT_RESULT_FILE_H

#include "tenon/host.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct tn_result_file {
    const tn_host *host;
    const char *writer;
    FILE *file;
    uint64_t bytes; /* written so far */
    tn_status status;
    char path[4096];
} tn_result_file;

/* Reports the first failure. */
static inline tn_status tn_result_fail(tn_result_file *file, const char *action, const char *why)
{
    if (file->status == TN_OK)
        tn_say(file->host, TN_ERROR, "%s: cannot %s %s: %s", file->writer, action, file->path, why);
    return file->status = TN_FATAL;
}

static inline tn_status tn_result_open(tn_result_file *file, const tn_host *host, const char *writer,
                                       const char *folder, const char *name)
{
    file->host = host;
    file->writer = writer;
    file->file = NULL;
    file->bytes = 0;
    file->status = TN_OK;
    const int length = snprintf(file->path, sizeof file->path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof file->path)
        return tn_result_fail(file, "create", "its path is too long");
    file->file = fopen(file->path, "wbxe");
    if (!file->file) return tn_result_fail(file, "create", strerror(errno));
    (void)setvbuf(file->file, NULL, _IOFBF, 1 << 18); // may fail: then it is slower only
    return TN_OK;
}

static inline bool tn_result_write(tn_result_file *file, const void *data, size_t bytes)
{
    if (file->status != TN_OK || bytes == 0) return file->status == TN_OK;
    if (fwrite(data, 1, bytes, file->file) != bytes)
        return tn_result_fail(file, "write", strerror(errno)), false;
    file->bytes += bytes;
    return true;
}

static inline TN_PRINTF(2, 3) bool tn_result_print(tn_result_file *file, const char *format, ...)
{
    if (file->status != TN_OK) return false;
    va_list arguments;
    va_start(arguments, format);
    const int length = vfprintf(file->file, format, arguments);
    va_end(arguments);
    if (length < 0) return tn_result_fail(file, "write", strerror(errno)), false;
    file->bytes += (uint64_t)length;
    return true;
}

/* TN_FATAL where anything failed since it was opened, such as a write to `file->file` itself. */
static inline tn_status tn_result_close(tn_result_file *file)
{
    if (file->file && ferror(file->file)) (void)tn_result_fail(file, "write", strerror(errno));
    if (file->file && fclose(file->file) != 0) (void)tn_result_fail(file, "write", strerror(errno));
    file->file = NULL;
    return file->status;
}

#endif
