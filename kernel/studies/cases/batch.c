/* batch.c - the cases of a batch, in a file that workers read: bytes as they stand in memory, for machines of one kind */
#include "cases/cases.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char mark[8] = "tnbatch1";

typedef struct header {
    char mark[8];
    tn_case_hash base;
    uint64_t count;
    uint32_t variables, reserved;
} header;

bool tn_batch_write(const char *path, const tn_batch_file *batch, uint32_t variables, const char **reason)
{
    header first = {.base = batch->base, .count = batch->count, .variables = variables};
    memcpy(first.mark, mark, sizeof mark);
    FILE *file = fopen(path, "we");
    bool good =
        file && fwrite(&first, sizeof first, 1, file) == 1 &&
        fwrite(batch->list, sizeof *batch->list, batch->count, file) == batch->count &&
        fwrite(batch->value, sizeof(double), batch->count * variables, file) == batch->count * variables &&
        fflush(file) == 0;
    *reason = good ? NULL : strerror(errno);
    if (file && fclose(file) != 0 && good) {
        *reason = strerror(errno);
        good = false;
    }
    return good;
}

bool tn_batch_read(const char *path, tn_batch_file *batch, uint32_t variables, tn_arena *arena,
                   const char **reason)
{
    header first = {.count = 0};
    FILE *file = fopen(path, "re");
    *reason = file ? "it is no batch of this study" : strerror(errno);
    if (!file) return false;
    bool good = fread(&first, sizeof first, 1, file) == 1 && memcmp(first.mark, mark, sizeof mark) == 0 &&
                first.variables == variables && first.count < (UINT64_C(1) << 40);
    if (good) {
        batch->base = first.base;
        batch->count = first.count;
        batch->list = tn_arena_array(arena, first.count + 1, sizeof *batch->list);
        batch->value = tn_arena_array(arena, first.count * variables + 1, sizeof *batch->value);
        good = fread(batch->list, sizeof *batch->list, first.count, file) == first.count &&
               fread(batch->value, sizeof(double), first.count * variables, file) == first.count * variables;
    }
    (void)fclose(file);
    return good;
}
