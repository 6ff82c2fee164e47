/* model.c - what must hold for every text of a model file: it is right, and can be assembled or is refused with a reason;
 * or it has errors, each with its place. */
#define _GNU_SOURCE
#include "target.h"

#include "units/units.h"
#include "config/test_messages.h"
#include "config/plugin_texts.h"
#include "config/utf8.h"
#include "run/study.h"
#include "run/all_services.h"
#include "system/assembly.h"

#include <string.h>
#include <unistd.h>

/* The one file that all texts are written to. */
static char path[] = "/tmp/tenon-fuzz-XXXXXX";
static bool entered;

static void leave(void)
{
    (void)unlink(path);
    tn_units_close();
}

static void enter(void)
{
    const int file = mkstemp(path);
    CHECK(file >= 0 && close(file) == 0 && atexit(leave) == 0);
    entered = true;
}

static void write_model(const uint8_t *text, size_t length)
{
    FILE *const stream = fopen(path, "wb");
    CHECK(stream);
    CHECK(fwrite(text, 1, length, stream) == length && fclose(stream) == 0);
}

/* path:line:column: error: text; below it, in two lines, what the place means, as text that a terminal can show */
static void check_lines(const char *said)
{
    for (const char *line = said; *line; line = strchr(line, '\n') + 1) {
        const char *const place = strstr(line, path), *end = strchr(line, '\n');
        CHECK(end && (*line == ' ' || (place && place < end)));
        if (*line != ' ') continue;
        const char *const mark = end + 1, *const below = strchr(mark, '\n');
        CHECK(strspn(line, " 0123456789") >= 5 && below);
        CHECK(mark[strspn(mark, " ")] == '|' && memchr(mark, '^', (size_t)(below - mark)));
        for (const char *c = line; c < end; c += tn_utf8_length(c, (size_t)(end - c)))
            CHECK((unsigned char)*c >= ' ' && *c != 0x7F && tn_utf8_length(c, (size_t)(end - c)));
        line = mark;
    }
}

static void check_model(void)
{
    tn_registry *const registry = tn_registry_new(TENON_BINARY, tn_reader_loading);
    tn_diagnostics *const diagnostics = tn_diagnostics_new();
    tn_document *const document = tn_document_read(path, diagnostics);
    tn_model *const model = document ? tn_model_read(document, diagnostics, registry, false) : NULL;
    tn_plan plan = {0};
    if (model) tn_plan_read(model, &(tn_study_options){.writes = true}, &plan);
    if (tn_error_count(diagnostics) == 0) {
        const tn_assembly *const assembly = tn_assemble(model, &tn_all_services);
        CHECK(assembly || tn_error_count(diagnostics) > 0);
    }
    const bool wrong = tn_error_count(diagnostics) > 0;
    char *said = NULL;
    size_t size = 0;
    FILE *const stream = open_memstream(&said, &size);
    CHECK(stream);
    print_messages(diagnostics, stream);
    CHECK(fclose(stream) == 0 && wrong == (strstr(said, " error: ") != NULL));
    check_lines(said);
    free(said);
    if (model) tn_model_release(model);
}

int tn_fuzz_model(const uint8_t *text, size_t length)
{
    static tn_memory memory;
    if (!entered) enter();
    write_model(text, length);
    CHECK(tn_attempt(&memory, check_model()));
    tn_memory_release(&memory);
    return 0;
}
