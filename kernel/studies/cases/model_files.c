/* model_files.c - the files that cases are read from: none of them may change while a study runs, as cases before and after would be those of two
 * models */
#include "cases/cases.h"

#include <string.h>
#include <sys/stat.h>

struct tn_case_input {
    const char *path;
    struct stat status; /* when it was looked at */
    tn_case_hash sum;
};

static bool sum_of(const char *path, tn_case_hash *sum)
{
    tn_hashing *hashing = tn_hash_begin();
    const bool good = tn_hash_add_file(hashing, path);
    *sum = tn_hash_end(hashing);
    return good;
}

void tn_cases_note_inputs(tn_cases *cases, const tn_document *document)
{
    const char *path;
    while (tn_document_input_path(document, cases->inputs))
        cases->inputs++;
    cases->input = tn_arena_new(&cases->arena, (cases->inputs + 1) * sizeof *cases->input);
    for (size_t k = 0; (path = tn_document_input_path(document, k)); k++) {
        tn_case_input *input = &cases->input[k];
        input->path = tn_arena_text(&cases->arena, path, strlen(path));
        (void)stat(path, &input->status);
        (void)sum_of(path, &input->sum);
    }
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

const char *tn_cases_changed_input(const tn_cases *cases)
{
    for (size_t k = 0; k < cases->inputs; k++) {
        tn_case_input *input = &cases->input[k];
        struct stat status = {0};
        tn_case_hash sum;
        if (stat(input->path, &status) == 0 && is_same(&status, &input->status)) continue;
        /* written once more with the same text */
        if (!sum_of(input->path, &sum) || memcmp(&sum, &input->sum, sizeof sum) != 0) return input->path;
        input->status = status;
    }
    return NULL;
}
