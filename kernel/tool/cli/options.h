/* options.h - reads the command line of a subcommand; its help text comes from the same table.
 *
 *     const char *directory = NULL;
 *     tn_words files = {0};
 *     const tn_option options[] = {{"--path", "DIR", TN_OPTION_TEXT, &directory, "look in DIR"}, {0}};
 *     const tn_usage usage = {"plugins", "lists what is installed.", NULL, 0, 0, options};
 *     int status;
 *     if (!tn_options_read(&usage, argc, argv, &files, &status)) return status;
 *
 * A value follows its option as the next word or behind `=`; `--` ends the options. */
#ifndef TN_OPTIONS_H
#define TN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum tn_option_kind {
    TN_OPTION_FLAG,   /* bool */
    TN_OPTION_TEXT,   /* const char * */
    TN_OPTION_NUMBER, /* double */
    TN_OPTION_WORDS   /* tn_words: the option may be repeated */
} tn_option_kind;

/* Words of the command line, in order; zero is an empty list. */
typedef struct tn_words {
    const char **word;
    size_t count;
} tn_words;

typedef struct tn_option {
    const char *name;  /* with its dashes; NULL ends the table */
    const char *value; /* what its value is called in the help text: "DIR"; NULL for a flag */
    tn_option_kind kind;
    void *target;     /* keeps its content, the default, when the option is not given */
    const char *help; /* further lines of it are indented alike */
} tn_option;

typedef struct tn_usage {
    const char *command;     /* name of the subcommand */
    const char *summary;     /* what it does: printed below the usage line */
    const char *words;       /* how its words are called: "A.csv B.csv"; NULL for none */
    size_t minimum, maximum; /* number of words; maximum 0 with `words`: any number */
    const tn_option *options;
} tn_usage;

/* True when the command can go on. False when `status` is to be returned: 0 after --help, 2 after an error,
 * which was printed. */
bool tn_options_read(const tn_usage *usage, int argc, char **argv, tn_words *words, int *status);

/* Prints "tenon COMMAND: text", where to get help, and returns 2. */
int tn_wrong_usage(const tn_usage *usage, const char *format, ...) __attribute__((format(printf, 2, 3)));

void tn_words_add(tn_words *words, const char *word);

#endif
