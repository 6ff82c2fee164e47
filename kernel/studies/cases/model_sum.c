/* model_sum.c - the sum of what a case depends on (see model_sum.h) */
#include "cases/model_sum.h"

#include "names/reader.h"
#include "plugin/registry.h"

#include <stdlib.h>
#include <string.h>

/* False: the list has this text already. */
static bool add_once(const char ***list, size_t *count, const char *text)
{
    for (size_t k = 0; k < *count; k++)
        if (strcmp((*list)[k], text) == 0) return false;
    TN_APPEND(*list, *count, tn_copy_text(text));
    return true;
}

void tn_model_sum_add(tn_model_sum *sum, const tn_study *study)
{
    const char *path = NULL;
    for (size_t k = 0; k < tn_registry_file_count(study->registry); k++) {
        const tn_plugin_file *file = tn_registry_file(study->registry, k);
        tn_text line = {0};
        if (file->verdict != TN_LOADED) continue;
        tn_text_add(&line, "%s %s %016llx", file->library->name, file->library->version,
                    (unsigned long long)file->hash);
        (void)add_once(&sum->plugin, &sum->plugins, line.letters);
        tn_free(line.letters);
    }
    for (size_t k = 0; (path = tn_document_input_path(study->document, k)); k++)
        if (add_once(&sum->file, &sum->files, path)) (void)tn_hash_add_file(sum->hashing, path);
}

static void add_response(const tn_case_response *response, tn_hashing *hashing)
{
    const tn_case_samples *samples = &response->samples;
    tn_toml table = *response->table;
    table.count = 0;
    table.child = tn_new(response->table->count + 1, sizeof *table.child);
    for (size_t k = 0; k < response->table->count; k++) /* of data their values count */
        if (strcmp(response->table->child[k]->key, "data") != 0)
            table.child[table.count++] = response->table->child[k];
    char *text = tn_toml_print(&table);
    tn_hash_add_text(hashing, text);
    tn_free(text);
    tn_free(table.child);
    if (!samples->measured) return;
    tn_hash_add(hashing, samples->time, samples->count * sizeof(double));
    tn_hash_add(hashing, samples->measured, samples->count * sizeof(double));
    tn_hash_add(hashing, samples->deviation, samples->count * sizeof(double));
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

tn_case_hash tn_model_sum_end(tn_model_sum *sum)
{
    qsort(sum->plugin, sum->plugins, sizeof *sum->plugin, compare_texts);
    for (size_t k = 0; k < sum->plugins; k++)
        tn_hash_add_text(sum->hashing, sum->plugin[k]);
    for (uint32_t k = 0; k < sum->cases->responses; k++)
        add_response(&sum->cases->response[k], sum->hashing);
    return tn_hash_end(sum->hashing);
}
