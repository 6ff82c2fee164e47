/* tenon/kit/design_responses.h - responses by their names, and sentences, for designs (draft/design.h)
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_DESIGN_RESPONSES_H
#define TENON_KIT_DESIGN_RESPONSES_H

#include "tenon/draft/design.h"

#include <stdlib.h>
#include <string.h>

/* Changes of single letters that lead from one name to the other; of long names of their first 63 letters. */
static inline uint32_t tn_letters_apart(const char *a, const char *b)
{
    uint32_t row[64];
    for (uint32_t j = 0; j < 64; j++)
        row[j] = j;
    uint32_t length = 0;
    while (length < 63 && b[length])
        length++;
    for (uint32_t i = 0; i < 63 && a[i]; i++) {
        uint32_t corner = row[0];
        row[0] = i + 1;
        for (uint32_t j = 1; j <= length; j++) {
            const uint32_t changed = corner + (a[i] != b[j - 1]);
            corner = row[j];
            const uint32_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = changed < shorter ? changed : shorter;
        }
    }
    return row[length];
}

/* The response of this name, which stands at the key; refuses one that is not there, with the nearest name. */
static inline tn_status tn_find_response(const tn_host *host, const tn_design_problem *problem,
                                         const char *key, const char *name, uint32_t *found)
{
    uint32_t nearest = 0, least = UINT32_MAX;
    for (uint32_t r = 0; r < problem->responses; r++) {
        if (!strcmp(name, problem->response[r].name)) {
            *found = r;
            return TN_OK;
        }
        const uint32_t apart = tn_letters_apart(name, problem->response[r].name);
        if (apart < least) least = apart, nearest = r;
    }
    if (problem->responses == 0)
        return tn_refuse(host, key, "there is no response \"%s\": the study has none", name);
    return tn_refuse(host, key, "there is no response \"%s\"; did you mean \"%s\"?", name,
                     problem->response[nearest].name);
}

/* printf-like form of say(). */
static inline TN_PRINTF(3, 4) tn_status
    tn_answer_say(tn_design_answers *answers, tn_level level, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)tn_print_cut_list(text, sizeof text, format, arguments);
    va_end(arguments);
    return answers->say(answers, level, text);
}

/* An answer about a response (-1: none) and a variable (-1: none). */
static inline tn_answer tn_answer_about(const char *name, int64_t response, int64_t variable, double value,
                                        const char *unit)
{
    const tn_answer answer = {.name = name,
                              .response = (int32_t)response,
                              .variable = (int32_t)variable,
                              .other = -1,
                              .point = -1,
                              .value = value,
                              .low = (double)NAN,
                              .high = (double)NAN,
                              .unit = unit};
    return answer;
}

/* A coordinate of a variable. */
static inline tn_answer tn_answer_coordinate(const char *name, uint32_t variable, double value)
{
    tn_answer answer = tn_answer_about(name, -1, variable, value, NULL);
    answer.is_coordinate = 1;
    return answer;
}

#endif
