/* script.c - the script of a job: environment of a task, and its command */
#include "slurm.h"

/* A word as the shell reads it back. */
static void print_word(FILE *file, const char *word)
{
    (void)fputc('\'', file);
    for (; *word; word++)
        if (*word == '\'')
            (void)fputs("'\\''", file);
        else
            (void)fputc(*word, file);
    (void)fputc('\'', file);
}

static void print_words(FILE *file, const char *const *words)
{
    for (; *words; words++) {
        (void)fputc(' ', file);
        print_word(file, *words);
    }
}

/* Lines of a comment: a word may hold more than one. */
static void print_submission(FILE *file, const char *const *words)
{
    (void)fputs("# submitted by", file);
    for (; *words; words++) {
        (void)fputc(' ', file);
        for (const char *c = *words; *c; c++)
            (void)fputc(*c == '\n' ? ' ' : *c, file);
    }
    (void)fputc('\n', file);
}

tn_status slurm_write_script(const array *job, const char *const *submission)
{
    FILE *file = fopen(job->script, "we");
    if (file) {
        (void)fprintf(file, "#!/bin/sh\n# cases %llu to %llu of batch %s of a study, %llu in each task\n",
                      (unsigned long long)job->first, (unsigned long long)job->end - 1, job->execution->batch,
                      (unsigned long long)job->cases);
        print_submission(file, submission);
        (void)fprintf(file, "export " SLURM_WORK "='%s %llu %llu %llu'\nexport " SLURM_STOP "=",
                      job->execution->batch, (unsigned long long)job->first, (unsigned long long)job->end,
                      (unsigned long long)job->cases);
        print_word(file, job->stop);
        (void)fputs("\nexport OPENBLAS_NUM_THREADS=\"${OPENBLAS_NUM_THREADS:-1}\" "
                    "OMP_NUM_THREADS=\"${OMP_NUM_THREADS:-1}\"\nexec",
                    file);
        print_words(file, job->cluster->at->command);
        (void)fputc('\n', file);
    }
    bool good = file && !ferror(file);
    const int reason = errno;
    if (file && fclose(file) != 0) good = false;
    if (good) return TN_OK;
    tn_say(job->cluster->host, TN_ERROR, "%s: %s", job->script, strerror(reason));
    return TN_FATAL;
}
