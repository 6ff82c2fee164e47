/* harness.c - what the tests of words and models share (see harness.h). */
#define _GNU_SOURCE
#include "harness.h"

#include "cli/csv_table.h"

#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- directory --------------------------------------------------------------------------------------------- */

static char directory[64];

int make_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/tenon-readme-XXXXXX");
    return mkdtemp(directory) && chdir(directory) == 0 ? 0 : 1;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

int remove_directory(void **state)
{
    (void)state;
    return chdir("/") == 0 ? nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS) : 1;
}

/* ---- texts -------------------------------------------------------------------------------------------------- */

/* All that is left in a stream. */
static char *read_all(FILE *stream)
{
    char *text = NULL;
    size_t size = 0;
    if (getdelim(&text, &size, '\0', stream) >= 0) return text;
    free(text);
    return calloc(1, 1);
}

char *read_file(const char *path)
{
    FILE *stream = fopen(path, "r");
    if (!stream) fail_msg("%s cannot be read", path);
    char *text = read_all(stream);
    fclose(stream);
    return text;
}

char *read_source(const char *path)
{
    char whole[4096];
    (void)snprintf(whole, sizeof whole, TENON_SOURCE_DIR "/%s", path);
    return read_file(whole);
}

void write_file(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
}

char *code_block(const char *text, const char *language, const char *mark)
{
    char fence[32];
    const int length = snprintf(fence, sizeof fence, "\n```%s\n", language);
    while ((text = strstr(text, fence))) {
        text += length;
        const char *end = strstr(text, "\n```\n");
        assert_non_null(end);
        char *block = strndup(text, (size_t)(end + 1 - text));
        if (strstr(block, mark)) return block;
        free(block);
        text = end + 4;
    }
    fail_msg("there is no block of %s with `%s`", language, mark);
    return NULL;
}

/* ---- programs and results ------------------------------------------------------------------------------------- */

static void become(const char *const *words, int output)
{
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    setenv("TENON_SDK", TENON_SOURCE_DIR "/sdk", 1);
    execv(TENON_BINARY, (char *const *)(uintptr_t)words);
    _exit(127);
}

int tenon(char **said, ...)
{
    const char *words[16] = {"tenon"};
    size_t count = 1;
    va_list list;
    va_start(list, said);
    while (count < 15 && (words[count] = va_arg(list, const char *)))
        count++;
    va_end(list);

    int ends[2], status = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) become(words, ends[1]);
    close(ends[1]);
    FILE *stream = fdopen(ends[0], "r");
    assert_non_null(stream);
    char *text = read_all(stream);
    fclose(stream);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) != 0 && !said) print_error("%s", text);
    if (said)
        *said = text;
    else
        free(text);
    return WEXITSTATUS(status);
}

void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not within %g of %.17g", value, tolerance, expected);
}

double recorded(const char *directory_of_run, const char *column, double time)
{
    char path[4096];
    tn_csv_table table;
    (void)snprintf(path, sizeof path, "%s/sensors.csv", directory_of_run);
    assert_true(tn_csv_read(path, &table, stderr));
    const size_t wanted = tn_csv_column(&table, column);
    if (wanted == SIZE_MAX) fail_msg("%s has no column %s", path, column);
    double value = (double)NAN;
    for (size_t row = 0; row < table.rows; row++)
        if (fabs(tn_csv_value(&table, row, 0) - time) < 1e-9) value = tn_csv_value(&table, row, wanted);
    if (isnan(value)) fail_msg("%s has no row at %g s", path, time);
    return value;
}
