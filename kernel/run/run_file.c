/* run_file.c - run.toml: the model as read, and how the run went; it appears whole or not at all */
#define _GNU_SOURCE
#include "run/study.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A string as TOML. */
static void write_text(FILE *file, const char *key, const char *text)
{
    (void)fprintf(file, "%s = \"", key);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            (void)fprintf(file, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            (void)fprintf(file, "\\u%04x", (unsigned)*c);
        else
            (void)fputc(*c, file);
    }
    (void)fputs("\"\n", file);
}

static void write_plugins(FILE *file, const tn_registry *registry)
{
    for (size_t k = 0; k < tn_registry_file_count(registry); k++) {
        const tn_plugin_file *plugin = tn_registry_file(registry, k);
        if (plugin->verdict != TN_LOADED) continue;
        (void)fputs("\n[[run.plugin]]\n", file);
        write_text(file, "name", plugin->library->name);
        write_text(file, "version", plugin->library->version);
        write_text(file, "licence", plugin->library->licence);
        write_text(file, "file", plugin->path);
        (void)fprintf(file, "fnv1a64 = \"%016llx\"\n", (unsigned long long)plugin->hash);
    }
}

static void write_statistics(FILE *file, const tn_study *study)
{
    const tn_assembly *assembly = study->assembly;
    const tn_statistics *s = &assembly->statistics;
    struct rusage usage = {0};
    (void)getrusage(RUSAGE_SELF, &usage);
    (void)fprintf(file,
                  "\n[run.statistics]\nsteps = %llu\nrejected_steps = %llu\nnewton_iterations = %llu\n"
                  "evaluations = %llu\nmatrices = %llu\nfactorisations = %llu\nlinear_solves = %llu\n",
                  (unsigned long long)s->steps, (unsigned long long)s->rejected_steps,
                  (unsigned long long)s->newton_iterations, (unsigned long long)s->evaluations,
                  (unsigned long long)s->matrices, (unsigned long long)s->factorisations,
                  (unsigned long long)s->linear_solves);
    (void)fprintf(file,
                  "smallest_step = %.17g # s\nlargest_step = %.17g # s\nload_time = %.6f # s\nassembly_time "
                  "= %.6f # s\n"
                  "wall_time = %.9f # s\nlinear_time = %.9f # s\nfirst_factorisation_time = %.9f # s\n"
                  "peak_memory = %ld # bytes\n",
                  s->smallest_step, s->largest_step, study->load_time, study->assembly_time, study->wall_time,
                  assembly->linear_time, assembly->first_factorisation_time, usage.ru_maxrss * 1024L);
}

static void write_run(FILE *file, const tn_study *study)
{
    const tn_parameters *parameters = study->model->source.parameters;
    (void)fputs("\n[run]\n", file);
    write_text(file, "program", "tenon " TENON_VERSION);
    write_text(file, "model", tn_document_path(study->document));
    write_text(file, "status", study->status);
    if (study->assembly->reason[0]) write_text(file, "reason", study->assembly->reason);
    if (study->solver) write_text(file, "solver", study->solver->name);
    (void)fprintf(file, "end_time = %.17g # s, reached\n", study->assembly->system.time);
    if (parameters->names.count) (void)fputs("\n[run.parameters]\n", file);
    for (size_t k = 0; k < parameters->names.count; k++)
        (void)fprintf(file, "%s = %.17g\n", parameters->names.name[k], parameters->number[k].value);
    write_statistics(file, study);
    write_plugins(file, study->registry);
}

/* run.toml stands elsewhere: the paths in it are those of files, whatever they are relative to. */
static void resolve_path(tn_document *document, tn_toml *node)
{
    char path[PATH_MAX];
    if (!node || node->kind != TN_TOML_STRING || !realpath(tn_document_beside(document, node), path)) return;
    node->text = tn_document_text(document, path);
    node->length = strlen(path);
}

static void resolve_files(tn_document *document, const tn_toml *array)
{
    for (size_t k = 0; array && array->kind == TN_TOML_ARRAY && k < array->count; k++)
        resolve_path(document, tn_toml_get(array->child[k], "file"));
}

static void resolve_repeats(tn_document *document, const tn_toml *repeats)
{
    for (size_t k = 0; repeats && repeats->kind == TN_TOML_ARRAY && k < repeats->count; k++) {
        resolve_files(document, tn_toml_get(repeats->child[k], "signal"));
        resolve_repeats(document, tn_toml_get(repeats->child[k], "repeat"));
    }
}

static void resolve_paths(tn_document *document)
{
    const tn_toml *root = tn_document_root(document), *plugins = tn_toml_get(root, "plugins");
    for (size_t k = 0; plugins && k < plugins->count; k++) {
        tn_toml *node = plugins->child[k];
        resolve_path(document, node);
        for (size_t j = 0; node->kind == TN_TOML_ARRAY && j < node->count; j++)
            resolve_path(document, node->child[j]);
    }
    resolve_files(document, tn_toml_get(root, "part"));
    resolve_files(document, tn_toml_get(root, "signal"));
    resolve_repeats(document, tn_toml_get(root, "repeat"));
}

void tn_run_file_remove(const tn_plan *plan)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/run.toml", plan->directory);
    (void)unlink(path);
}

bool tn_run_file_write(const tn_study *study)
{
    char path[4096], temporary[4096];
    const char *directory = study->plan.directory;
    (void)snprintf(path, sizeof path, "%s/run.toml", directory);
    (void)snprintf(temporary, sizeof temporary, "%s/.run.toml.part", directory);
    resolve_paths(study->document);
    char *model = study->options->expanded ? tn_expanded_print(study->model)
                                           : tn_toml_print(tn_document_root(study->document));
    FILE *file = model ? fopen(temporary, "w") : NULL;
    bool good = file != NULL;
    if (good) {
        (void)fputs(model, file);
        write_run(file, study);
        good = !ferror(file);
        good = fclose(file) == 0 && good;
        good = good && rename(temporary, path) == 0;
    }
    if (!good) {
        (void)fprintf(stderr, "error: %s cannot be written: %s\n", path, strerror(errno));
        (void)unlink(temporary);
    }
    free(model);
    return good;
}
