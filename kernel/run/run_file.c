/* run_file.c - run.toml: the model as read, and how the run went; it appears whole or not at all
 *
 * What is known before the run is printed before it: a crash leaves no time for that. */
#define _GNU_SOURCE
#include "base/signal_text.h"
#include "run/study.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- before the run -------------------------------------------------------------------------------------- */

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

static void write_parameters(FILE *file, const tn_parameters *parameters)
{
    if (parameters->names.count) (void)fputs("\n[run.parameters]\n", file);
    for (size_t k = 0; k < parameters->names.count; k++)
        (void)fprintf(file, "%s = %.17g\n", parameters->names.name[k], parameters->number[k].value);
}

/* The model without the [run] of an earlier run, if it is a run.toml (malloc'd; NULL without memory). */
static char *print_model(tn_document *document)
{
    tn_toml whole = *tn_document_root(document);
    tn_resolve_paths(document, &whole);
    tn_toml **child = tn_new(whole.count, sizeof *child);
    size_t count = 0;
    for (size_t k = 0; k < whole.count; k++)
        if (strcmp(whole.child[k]->key, "run") != 0) child[count++] = whole.child[k];
    whole.child = child;
    whole.count = count;
    char *text = tn_toml_print(&whole);
    free(child);
    return text;
}

/* The model, and the start of [run]; false without memory. */
static bool write_beginning(FILE *file, const tn_study *study)
{
    char *model = study->options->expanded ? tn_expanded_print(study->model) : print_model(study->document);
    if (!model) return false;
    (void)fputs(model, file);
    free(model);
    (void)fputs("\n[run]\n", file);
    write_text(file, "program", "tenon " TENON_VERSION);
    write_text(file, "model", tn_document_path(study->document));
    return true;
}

/* What stands behind the rest of [run]. */
static bool write_ending(FILE *file, const tn_study *study)
{
    write_parameters(file, study->model->source.parameters);
    write_plugins(file, study->registry);
    return true;
}

/* What one of these two writes; NULL without memory. */
static char *print(const tn_study *study, bool (*write_part)(FILE *file, const tn_study *study))
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file) return NULL;
    const bool good = write_part(file, study) && !ferror(file);
    if (fclose(file) == 0 && good) return text;
    free(text);
    return NULL;
}

bool tn_run_file_begin(tn_study *study)
{
    tn_run_file *file = &study->run_file;
    const char *directory = study->plan.directory;
    file->path = tn_arena_print(&study->model->arena, "%s/run.toml", directory);
    file->temporary = tn_arena_print(&study->model->arena, "%s/.run.toml.part", directory);
    (void)unlink(file->path);
    (void)unlink(file->temporary);
    file->ending = print(study, write_ending);
    file->beginning = print(study, write_beginning);
    if (file->beginning && file->ending) return true;
    (void)fprintf(stderr, "error: %s cannot be prepared: %s\n", file->path, strerror(errno));
    return false;
}

void tn_run_file_free(tn_run_file *file)
{
    free(file->beginning);
    free(file->ending);
    file->beginning = file->ending = NULL;
}

/* ---- after the run --------------------------------------------------------------------------------------- */

static void write_statistics(FILE *file, const tn_study *study)
{
    const tn_assembly *assembly = study->assembly;
    const tn_statistics *s = &assembly->statistics;
    struct rusage usage = {0};
    (void)getrusage(RUSAGE_SELF, &usage);
    (void)fprintf(
        file,
        "\n[run.statistics]\nsteps = %llu\nrejected_steps = %llu\nnewton_iterations = %llu\n"
        "evaluations = %llu\nmatrices = %llu\nfactorisations = %llu\nlinear_solves = %llu\nevents = "
        "%llu\n",
        (unsigned long long)s->steps, (unsigned long long)s->rejected_steps,
        (unsigned long long)s->newton_iterations, (unsigned long long)s->evaluations,
        (unsigned long long)s->matrices, (unsigned long long)s->factorisations,
        (unsigned long long)s->linear_solves, (unsigned long long)s->events);
    (void)fprintf(file,
                  "smallest_step = %.17g # s\nlargest_step = %.17g # s\nload_time = %.6f # s\nassembly_time "
                  "= %.6f # s\n"
                  "wall_time = %.9f # s\nlinear_time = %.9f # s\nfirst_factorisation_time = %.9f # s\n"
                  "peak_memory = %ld # bytes\n",
                  s->smallest_step, s->largest_step, study->load_time, study->assembly_time, study->wall_time,
                  assembly->linear_time, assembly->first_factorisation_time, usage.ru_maxrss * 1024L);
}

/* The rest of [run]. */
static void write_result(FILE *file, const tn_study *study)
{
    write_text(file, "status", study->status);
    if (study->assembly->reason[0]) write_text(file, "reason", study->assembly->reason);
    if (study->warning[0]) write_text(file, "warning", study->warning);
    if (study->solver) write_text(file, "solver", study->solver->name);
    (void)fprintf(file, "end_time = %.17g # s, reached\n", study->assembly->system.time);
    write_statistics(file, study);
}

bool tn_run_file_write(tn_study *study)
{
    const tn_run_file *names = &study->run_file;
    FILE *file = fopen(names->temporary, "w");
    bool good = file != NULL;
    if (good) {
        (void)fputs(names->beginning, file);
        write_result(file, study);
        (void)fputs(names->ending, file);
        good = !ferror(file);
        good = fclose(file) == 0 && good;
        good = good && rename(names->temporary, names->path) == 0;
    }
    if (!good) {
        (void)fprintf(stderr, "error: %s cannot be written: %s\n", names->path, strerror(errno));
        (void)unlink(names->temporary);
    }
    tn_run_file_free(&study->run_file); /* a crash from here on does not belong to the run */
    return good;
}

bool tn_run_file_write_crashed(const tn_study *study, const char *reason)
{
    static tn_signal_text escaped, rest;
    const tn_run_file *names = &study->run_file;
    escaped.used = rest.used = 0;
    tn_put_escaped(&escaped, reason);
    if (study->solver) tn_put(&rest, "solver = \"", study->solver->name, "\"\n", NULL);
    tn_put(&rest, "end_time = ", NULL);
    tn_put_real(&rest, study->assembly->system.time);
    tn_put(&rest, " # s, reached\n", NULL);

    const int file = open(names->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const char *const parts[] = {
        names->beginning, "status = \"failed\"\nreason = \"", escaped.byte, "\"\n", rest.byte, names->ending};
    bool good = file >= 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        good = good && tn_write_text(file, parts[k]);
    good = file >= 0 && close(file) == 0 && good && rename(names->temporary, names->path) == 0;
    if (!good) (void)unlink(names->temporary);
    return good;
}
