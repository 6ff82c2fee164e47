/* inputs.c - the files that a model was read from: whatever they are called, no result may replace them */
#include "config/file.h"
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

const char *tn_document_input_path(const tn_document *document, size_t number)
{
    const tn_input *input = document->inputs;
    for (; input && number; number--)
        input = input->next;
    return input ? input->path : NULL;
}

/* ---- files that parameters name ----------------------------------------------------------------------------- */

struct tn_file_name {
    tn_place place;
    const char *text, *path;
    tn_file_name *next;
};

/* Files of places are the same where their pointers are. In copies of a repeated item one place has several texts; `text` NULL
 * stands for any. */
static const tn_file_name *find_name(const tn_document *document, const tn_toml *node, const char *text)
{
    const tn_file_name *name = document->file_names;
    while (name && ((text && strcmp(name->text, text) != 0) || name->place.file != node->place.file ||
                    name->place.line != node->place.line || name->place.column != node->place.column))
        name = name->next;
    return name;
}

const char *tn_document_file(tn_document *document, const tn_toml *node, const char **reason)
{
    const tn_file_name *known = find_name(document, node, node->text);
    if (known) return known->path;
    const char *path = tn_document_beside(document, node);
    FILE *file = tn_file_open(path, reason);
    if (!file) return NULL;
    (void)fclose(file);
    tn_document_add_input(document, path);
    tn_file_name *name = tn_arena_new(&document->arena, sizeof *name);
    *name = (tn_file_name){.place = node->place,
                           .text = tn_document_text(document, node->text, node->length),
                           .path = tn_document_text(document, path, strlen(path)),
                           .next = document->file_names};
    document->file_names = name;
    return name->path;
}

bool tn_document_names_file(const tn_document *document, const tn_toml *node)
{
    return node->kind == TN_TOML_STRING && find_name(document, node, NULL);
}
