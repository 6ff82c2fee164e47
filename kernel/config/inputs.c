/* inputs.c - the files that a model was read from: whatever they are called, no result may replace them */
#include "config/toml_internal.h"

#include <string.h>
#include <sys/stat.h>

struct tn_input {
    const char *path;
    dev_t device;
    ino_t inode;
    tn_input *next;
};

void tn_document_add_input(tn_document *document, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) return; /* it cannot be read, which is reported elsewhere */
    tn_input *input = tn_arena_new(&document->arena, sizeof *input);
    *input = (tn_input){tn_arena_text(&document->arena, path, strlen(path)), status.st_dev, status.st_ino,
                        document->inputs};
    document->inputs = input;
}

const char *tn_document_input(const tn_document *document, const struct stat *status)
{
    const tn_input *input = document->inputs;
    while (input && (input->device != status->st_dev || input->inode != status->st_ino))
        input = input->next;
    return input ? input->path : NULL;
}
