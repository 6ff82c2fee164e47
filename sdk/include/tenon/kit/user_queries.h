/* tenon/kit/user_queries.h - what a user's routine reads, for user_routine.h: functions of markers and variables by their names and ids
 *
 * A routine asks for `VM` of (1011), or for the vector `RVEL`. In the first call (iflag) each question is recorded: the kernel works
 * out the expression "VM(1011)" in front of every later call, where the same question is answered. Questions come in the same order
 * in most routines, so that the first place that is looked at is the one behind the last answer.
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_USER_QUERIES_H
#define TENON_KIT_USER_QUERIES_H

#include "tenon/draft/values.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

enum { TN_USER_IDS = 16, TN_USER_QUERIES = TN_MOST_READINGS, TN_USER_TEXT = 256 };

/* An item: by its name, or by its number where there is none. */
typedef struct tn_user_id {
    const char *name;
    int64_t number;
} tn_user_id;

/* `function` of items; without any, it is a whole expression. A vector has the name of SYSARY. */
typedef struct tn_user_query {
    const char *function;
    const tn_user_id *id;
    uint32_t count;
    bool vector;
} tn_user_query;

/* A question that the first call asked, or that the model declares. */
typedef struct tn_user_read {
    tn_user_query query;
    uint32_t first, size; /* its readings */
} tn_user_read;

typedef struct tn_user_reads {
    tn_user_read read[TN_USER_QUERIES];
    uint32_t count;
    const char *text[TN_MOST_READINGS]; /* expressions */
    uint32_t readings;
} tn_user_reads;

/* The vectors: functions of their components, with the number of items that these take. */
typedef struct tn_user_vector {
    const char *name;
    uint32_t size;
    struct {
        const char *function;
        uint32_t items;
    } component[6];
} tn_user_vector;

#define TN_USER_VECTORS_OF(all, one, two, x, y, z, items, a, b, c, items_too)                       \
    {all, 6, {{x, items}, {y, items}, {z, items}, {a, items_too}, {b, items_too}, {c, items_too}}}, \
        {one, 3, {{x, items}, {y, items}, {z, items}}},                                             \
    {                                                                                               \
        two, 3,                                                                                     \
        {                                                                                           \
            {a, items_too}, {b, items_too}, { c, items_too }                                        \
        }                                                                                           \
    }

static const tn_user_vector tn_user_vectors[] = {
    TN_USER_VECTORS_OF("DISP", "TDISP", "RDISP", "DX", "DY", "DZ", 3, "PSI", "THETA", "PHI", 2),
    TN_USER_VECTORS_OF("VEL", "TVEL", "RVEL", "VX", "VY", "VZ", 4, "WX", "WY", "WZ", 3),
    TN_USER_VECTORS_OF("ACC", "TACC", "RACC", "ACCX", "ACCY", "ACCZ", 4, "WDTX", "WDTY", "WDTZ", 4),
    TN_USER_VECTORS_OF("FORCE", "TFORCE", "RFORCE", "FX", "FY", "FZ", 3, "TX", "TY", "TZ", 3)};

enum { TN_USER_VECTOR_COUNT = sizeof tn_user_vectors / sizeof *tn_user_vectors };

/* NULL: there is none of that name. */
static inline const tn_user_vector *tn_user_vector_of(const char *name)
{
    for (size_t k = 0; k < TN_USER_VECTOR_COUNT; k++)
        if (strcasecmp(name, tn_user_vectors[k].name) == 0) return &tn_user_vectors[k];
    return NULL;
}

/* "VM(1011, 0, tip)"; false: it is too long. */
static inline bool tn_user_print_query(char *text, size_t size, const char *function, const tn_user_id *id,
                                       uint32_t count)
{
    int length = snprintf(text, size, "%s%s", function, count ? "(" : "");
    for (uint32_t k = 0; k < count && length >= 0 && (size_t)length < size; k++) {
        const char *end = k + 1 < count ? ", " : ")";
        char *at = text + length;
        const size_t room = size - (size_t)length;
        const int more = id[k].name ? snprintf(at, room, "%s%s", id[k].name, end)
                                    : snprintf(at, room, "%lld%s", (long long)id[k].number, end);
        length = more < 0 ? more : length + more;
    }
    return length >= 0 && (size_t)length < size;
}

static inline bool tn_user_same_id(const tn_user_id *a, const tn_user_id *b)
{
    if (!a->name || !b->name) return !a->name && !b->name && a->number == b->number;
    return strcmp(a->name, b->name) == 0;
}

/* Nearly all are written alike: the library, which also knows letters of other cases, costs more than the comparison. */
static inline bool tn_user_same_function(const char *a, const char *b, bool any_case)
{
    size_t k = 0;
    while (a[k] && a[k] == b[k])
        k++;
    return a[k] == b[k] || (any_case && strcasecmp(a + k, b + k) == 0);
}

static inline bool tn_user_same_query(const tn_user_query *a, const tn_user_query *b)
{
    if (a->count != b->count || a->vector != b->vector) return false;
    if (a->function != b->function && !tn_user_same_function(a->function, b->function, a->count > 0))
        return false;
    for (uint32_t k = 0; k < a->count; k++)
        if (!tn_user_same_id(&a->id[k], &b->id[k])) return false;
    return true;
}

/* The same text but for blanks. */
static inline bool tn_user_same_text(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == ' ')
            a++;
        while (*b == ' ')
            b++;
        if (*a != *b || !*a) return *a == *b;
    }
}

/* The answer to a question that is written in another way: "VM(1011)" for VM of (1011). */
static inline const tn_user_read *tn_user_find_by_text(const tn_user_reads *reads, const tn_user_query *query)
{
    char text[TN_USER_TEXT];
    if (query->vector || !tn_user_print_query(text, sizeof text, query->function, query->id, query->count))
        return NULL;
    for (uint32_t k = 0; k < reads->count; k++)
        if (!reads->read[k].query.vector && tn_user_same_text(reads->text[reads->read[k].first], text))
            return &reads->read[k];
    return NULL;
}

/* The read of a question, searched from *cursor on, which is set behind it; NULL: nobody has asked for it. */
static inline const tn_user_read *tn_user_find_read(const tn_user_reads *reads, const tn_user_query *query,
                                                    uint32_t *cursor)
{
    for (uint32_t k = 0; k < reads->count; k++) {
        const uint32_t at = *cursor + k < reads->count ? *cursor + k : *cursor + k - reads->count;
        if (!tn_user_same_query(&reads->read[at].query, query)) continue;
        *cursor = at + 1 < reads->count ? at + 1 : 0;
        return &reads->read[at];
    }
    return tn_user_find_by_text(reads, query);
}

/* Keeps a text as long as the model; NULL: out of memory. */
static inline const char *tn_user_keep_text(const tn_host *host, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *kept = host->allocate(host, size);
    return kept ? memcpy(kept, text, size) : NULL;
}

/* Why a question cannot be recorded, or NULL. */
static inline const char *tn_user_add_reading(const tn_host *host, tn_user_reads *reads, const char *function,
                                              const tn_user_id *id, uint32_t count)
{
    char text[4 * TN_USER_TEXT];
    if (reads->readings + 1 >= TN_MOST_READINGS) return "it reads too many numbers"; // one is the time
    if (!tn_user_print_query(text, sizeof text, function, id, count)) return "its text is too long";
    const char *kept = tn_user_keep_text(host, text);
    if (!kept) return "out of memory";
    reads->text[reads->readings++] = kept;
    return NULL;
}

/* A copy of a question that lives as long as the model; false: out of memory. */
static inline bool tn_user_keep_query(const tn_host *host, tn_user_query *query)
{
    tn_user_id *id = host->allocate(host, (query->count + 1) * sizeof *id);
    query->function = tn_user_keep_text(host, query->function);
    for (uint32_t k = 0; id && k < query->count; k++) {
        id[k] = query->id[k];
        if (id[k].name && !(id[k].name = tn_user_keep_text(host, id[k].name))) return false;
    }
    query->id = id;
    return id && query->function;
}

/* Adds a question; *added is its read. Why it cannot be, or NULL. */
static inline const char *tn_user_add_read(const tn_host *host, tn_user_reads *reads,
                                           const tn_user_query *query, const tn_user_read **added)
{
    if (reads->count == TN_USER_QUERIES) return "it asks too many questions";
    if (query->count > TN_USER_IDS) return "it names too many items";
    const tn_user_vector *vector = query->vector ? tn_user_vector_of(query->function) : NULL;
    if (query->vector && !vector)
        return "there is no such array: there are DISP, VEL, ACC, FORCE, and each with T or R in front";
    tn_user_read *read = &reads->read[reads->count];
    *read = (tn_user_read){.query = *query, .first = reads->readings, .size = vector ? vector->size : 1};
    if (!tn_user_keep_query(host, &read->query)) return "out of memory";
    const char *wrong = NULL;
    for (uint32_t k = 0; k < read->size && !wrong; k++) {
        const uint32_t most = vector ? vector->component[k].items : query->count;
        wrong = tn_user_add_reading(host, reads, vector ? vector->component[k].function : query->function,
                                    query->id, query->count < most ? query->count : most);
    }
    if (!wrong) reads->count++;
    *added = read;
    return wrong;
}

#endif
