/* options.c - reads the command line of a subcommand (see options.h). */
#include "cli/options.h"

#include "base/memory.h"
#include "cli/message.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tn_words_add(tn_words *words, const char *word) { TN_APPEND(words->word, words->count, word); }

/* ---- help ---- */

/* Column in which the explanations of the options begin. */
enum { HELP_COLUMN = 24 };

static void start_help_line(int used)
{
    if (used < HELP_COLUMN)
        printf("%*s", HELP_COLUMN - used, "");
    else
        printf("\n%*s", HELP_COLUMN, "");
}

static void print_option(const char *name, const char *value, const char *help)
{
    start_help_line(printf("  %s%s%s", name, value ? " " : "", value ? value : ""));
    for (const char *end; (end = strchr(help, '\n')); help = end + 1) {
        printf("%.*s", (int)(end - help), help);
        start_help_line(HELP_COLUMN);
    }
    printf("%s\n", help);
}

static void print_usage(const tn_usage *usage)
{
    printf("usage: tenon %s", usage->command);
    if (usage->words) printf(" %s", usage->words);
    for (const tn_option *option = usage->options; option->name; option++)
        printf(" [%s%s%s]%s", option->name, option->value ? " " : "", option->value ? option->value : "",
               option->kind == TN_OPTION_WORDS ? "..." : "");
    printf("\n\n%s\n\n", usage->summary);
    for (const tn_option *option = usage->options; option->name; option++)
        print_option(option->name, option->value, option->help);
    print_option("--help", NULL, "print this text");
}

int tn_wrong_usage(const tn_usage *usage, const char *format, ...)
{
    tn_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    tn_text_add_list(&text, format, arguments);
    va_end(arguments);
    tn_message("error", "tenon %s: %s", usage->command, text.letters);
    tn_message("note", "`tenon %s --help` shows how to use it", usage->command);
    return 2;
}

/* ---- reading ---- */

/* The command line while it is being read. */
typedef struct reader {
    const tn_usage *usage;
    char **next, **end;
} reader;

/* The option that a word names, its name ending at `length`. */
static const tn_option *option_named(const tn_usage *usage, const char *word, size_t length)
{
    for (const tn_option *option = usage->options; option->name; option++)
        if (strlen(option->name) == length && !strncmp(option->name, word, length)) return option;
    return NULL;
}

static int refuse_option(const tn_usage *usage, const char *word, size_t length)
{
    tn_text name = {0};
    tn_text_add_letters(&name, word, length);
    tn_nearest search;
    tn_nearest_start(&search, name.letters);
    tn_nearest_offer(&search, "--help");
    for (const tn_option *option = usage->options; option->name; option++)
        tn_nearest_offer(&search, option->name);
    if (search.best)
        return tn_wrong_usage(usage, "unknown option \"%s\": did you mean \"%s\"?", name.letters,
                              search.best);
    return tn_wrong_usage(usage, "unknown option \"%s\"", name.letters);
}

static bool store_number(const char *text, double *number)
{
    char *end = NULL;
    const double value = strtod(text, &end);
    if (end == text || *end) return false;
    *number = value;
    return true;
}

/* Stores the value of an option; 0, or 2 after an error. */
static int store_value(const tn_usage *usage, const tn_option *option, const char *value)
{
    switch (option->kind) {
    case TN_OPTION_FLAG:
        *(bool *)option->target = true;
        return 0;
    case TN_OPTION_TEXT:
        *(const char **)option->target = value;
        return 0;
    case TN_OPTION_WORDS:
        tn_words_add(option->target, value);
        return 0;
    case TN_OPTION_NUMBER:
        if (store_number(value, option->target)) return 0;
        break;
    }
    return tn_wrong_usage(usage, "%s takes a number, not \"%s\"", option->name, value);
}

static int read_option(reader *line, const char *word)
{
    const size_t length = strcspn(word, "=");
    const tn_option *option = option_named(line->usage, word, length);
    if (!option) return refuse_option(line->usage, word, length);

    const char *value = word[length] ? word + length + 1 : NULL;
    if (option->kind == TN_OPTION_FLAG && value)
        return tn_wrong_usage(line->usage, "%s takes no value, not \"%s\"", option->name, value);
    if (option->kind != TN_OPTION_FLAG && !value) {
        /* a word with two dashes is the next option: a value was forgotten */
        if (line->next == line->end || !strncmp(*line->next, "--", 2))
            return tn_wrong_usage(line->usage, "%s needs a value: %s %s", option->name, option->name,
                                  option->value);
        value = *line->next++;
    }
    return store_value(line->usage, option, value);
}

static int check_word_count(const tn_usage *usage, const tn_words *words)
{
    if (words->count < usage->minimum && !words->count)
        return tn_wrong_usage(usage, "%s is needed", usage->words);
    if (words->count < usage->minimum)
        return tn_wrong_usage(usage, "%s is needed, not only \"%s\"", usage->words, words->word[0]);
    const size_t maximum = !usage->words ? 0 : usage->maximum ? usage->maximum : words->count;
    if (words->count > maximum) return tn_wrong_usage(usage, "unexpected word \"%s\"", words->word[maximum]);
    return 0;
}

bool tn_options_read(const tn_usage *usage, int argc, char **argv, tn_words *words, int *status)
{
    reader line = {.usage = usage, .next = argv + 1, .end = argv + argc};
    bool options_ended = false;
    *status = 0;
    while (line.next < line.end && *status == 0) {
        const char *word = *line.next++;
        if (options_ended || word[0] != '-' || !word[1])
            tn_words_add(words, word);
        else if (!strcmp(word, "--"))
            options_ended = true;
        else if (!strcmp(word, "--help"))
            return print_usage(usage), false; /* whatever else the line says */
        else
            *status = read_option(&line, word);
    }
    if (*status == 0) *status = check_word_count(usage, words);
    return *status == 0;
}
