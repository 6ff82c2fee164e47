/* queue.c - questions to Slurm: how large arrays may be, whether a job is there; and the end of jobs */
#include "slurm.h"

bool slurm_ask_largest(cluster *c)
{
    static const char key[] = "MaxArraySize";
    tn_program_result *result = malloc(sizeof *result);
    unsigned long long number = 0;
    if (!result) return false;
    const bool good =
        tn_program_call((const char *const[]){"scontrol", "show", "config", NULL}, SLURM_ANSWER_TIME, result);
    const char *found = good ? strstr(result->output, key) : NULL;
    if (!good)
        tn_say(c->host, TN_ERROR, "`scontrol show config` has failed: %s", result->errors);
    else if (!found || sscanf(found + sizeof key - 1, " = %llu", &number) != 1 || !number)
        tn_say(c->host, TN_ERROR, "`scontrol show config` does not tell %s", key);
    /* the largest number of a task is one less */
    c->largest = number;
    free(result);
    return c->largest > 0;
}

/* Lines "STATE REASON", one for each part of the array. */
static slurm_state read_states(char *text, char *reason)
{
    bool there = false, waits = true;
    char *rest = text;
    reason[0] = '\0';
    for (char *line; (line = strsep(&rest, "\n"));) {
        char state[32] = "", why[64] = "";
        if (sscanf(line, "%31s %63s", state, why) < 1 || strcmp(state, "COMPLETING") == 0) continue;
        there = true;
        waits = waits && strcmp(state, "PENDING") == 0;
        memcpy(reason, why, sizeof why);
    }
    if (!waits) reason[0] = '\0';
    return there ? SLURM_THERE : SLURM_GONE;
}

slurm_state slurm_ask_state(const array *job, char *reason, char *problem)
{
    const char *words[16] = {"squeue", "--noheader", "--jobs", job->id, "--format", "%T %r"};
    size_t count = 6;
    if (job->machine[0]) {
        words[count++] = "--clusters";
        words[count++] = job->machine;
    }
    tn_program_result *result = malloc(sizeof *result);
    slurm_state state = SLURM_UNKNOWN;
    reason[0] = '\0';
    (void)snprintf(problem, 1024, "out of memory");
    if (!result) return state;
    if (tn_program_call(words, SLURM_ANSWER_TIME, result))
        state = read_states(result->output, reason);
    else if (strstr(result->errors, "Invalid job id")) /* it is forgotten some minutes after its end */
        state = SLURM_GONE;
    (void)snprintf(problem, 1024, "%s", result->errors);
    free(result);
    return state;
}

void slurm_cancel(const cluster *c, const char *id, const char *machine, bool all)
{
    const char *words[16] = {"scancel", id};
    size_t count = 2;
    if (!all) words[count++] = "--state=PENDING";
    if (machine[0]) {
        words[count++] = "--clusters";
        words[count++] = machine;
    }
    tn_program_result *result = malloc(sizeof *result);
    if (result && !tn_program_call(words, SLURM_ANSWER_TIME, result) &&
        !strstr(result->errors, "Invalid job id"))
        tn_say(c->host, TN_WARNING, "`scancel %s` has failed: %s", id, result->errors);
    free(result);
}
