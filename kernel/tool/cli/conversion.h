/* conversion.h - common functions of `tenon convert`, `tenon recover` and `tenon report`: writers, given by words, and results. */
#ifndef TN_CLI_CONVERSION_H
#define TN_CLI_CONVERSION_H

#include "base/text.h"
#include "cli/message.h"
#include "cli/options.h"
#include "run/later.h"

enum { TN_MOST_RESULTS = 8 };

typedef struct tn_conversion_work {
    tn_study study;
    tn_study_options options;
    tn_message_printer printer;
    tn_recording *recording[TN_MOST_RESULTS];
    uint32_t count;
    const char *status; /* by run.toml, of the first */
} tn_conversion_work;

/* Opens writers, given by words NAME,key=value,... or tables (`option` in messages), and results; false after messages. Close is to be called in
 * any case; it returns the status. */
bool tn_conversion_open(tn_conversion_work *work, const tn_words *writers, const char *option,
                        const tn_words *path, const tn_words *directories);
int tn_conversion_close(tn_conversion_work *work, int status);

/* Opens, converts and closes; returns the exit status. */
int tn_conversion_make(const tn_words *directories, const tn_words *writers, const char *option,
                       const tn_words *path, const tn_deliveries *deliveries);

/* ---- TOML of words ---------------------------------------------------------------------------------------------- */

void tn_add_toml_text(tn_text *text, const char *letters, size_t length);
/* Adds `, key = value` of a word key=value; a value that is not TOML becomes a text. */
void tn_add_toml_pair(tn_text *text, const char *word, size_t length);

#endif
