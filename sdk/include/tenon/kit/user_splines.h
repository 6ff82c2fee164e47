/* tenon/kit/user_splines.h - splines that a user's routine asks for at numbers of its own, for user_routine.h: AKISPL, CUBSPL, LINSPL,
 * QUISPL of a [[signal]], by its name or id
 *
 * The kernel prepares one for each method and signal, at setup: so the first call (iflag) asks for it, or another call at setup, or the
 * model declares it, "cubspl(7)". In later calls it is found here.
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_USER_SPLINES_H
#define TENON_KIT_USER_SPLINES_H

#include "tenon/draft/questions.h"
#include "tenon/kit/user_queries.h"

enum { TN_USER_SPLINES = 32 };

/* The methods: an index here stands for one. */
static const char *const tn_user_methods[] = {"akispl", "cubspl", "linspl", "quispl"};
enum { TN_USER_METHODS = sizeof tn_user_methods / sizeof *tn_user_methods };

/* At x, the derivative of this order; z is for surfaces, and 0. */
typedef struct tn_user_point {
    uint32_t method;
    tn_user_id signal;
    double x, z;
    int order;
} tn_user_point;

/* One that has been asked for. */
typedef struct tn_user_spline {
    uint32_t method;
    tn_user_id signal;
    const void *found; /* NULL: `wrong` says why there is none */
    const char *wrong;
} tn_user_spline;

typedef struct tn_user_splines {
    tn_user_spline spline[TN_USER_SPLINES];
    uint32_t count;
    const tn_questions *questions; /* NULL: the kernel answers none */
} tn_user_splines;

/* NULL: nobody has asked for it. */
static inline const tn_user_spline *tn_user_find_spline(const tn_user_splines *splines, uint32_t method,
                                                        const tn_user_id *signal)
{
    for (uint32_t k = 0; k < splines->count; k++)
        if (splines->spline[k].method == method && tn_user_same_id(&splines->spline[k].signal, signal))
            return &splines->spline[k];
    return NULL;
}

/* Adds one at setup; NULL: there are too many, or memory is short. */
static inline const tn_user_spline *tn_user_add_spline(const tn_host *host, tn_user_splines *splines,
                                                       uint32_t method, const tn_user_id *signal)
{
    char id[32], wrong[TN_USER_TEXT] = "";
    if (splines->count == TN_USER_SPLINES) return NULL;
    tn_user_spline *added = &splines->spline[splines->count];
    *added = (tn_user_spline){.method = method, .signal = *signal};
    (void)snprintf(id, sizeof id, "%lld", (long long)signal->number);
    const char *name = signal->name ? signal->name : id;
    if (splines->questions)
        added->found = splines->questions->find(host, tn_user_methods[method], name, wrong, sizeof wrong);
    if (!*wrong)
        (void)snprintf(wrong, sizeof wrong, "%s",
                       splines->questions ? "this signal is wrong" : "this kernel offers no splines");
    if (signal->name && !(added->signal.name = tn_user_keep_text(host, name))) return NULL;
    if (!added->found && !(added->wrong = tn_user_keep_text(host, wrong))) return NULL;
    splines->count++;
    return added;
}

/* "cubspl(rubber)" as the model declares it; `name` gets the signal's. False: it is none. */
static inline bool tn_user_read_spline(const char *text, uint32_t *method, char *name, size_t size)
{
    const size_t word = strcspn(text, " (");
    const char *open = text + word + strspn(text + word, " ");
    for (*method = 0; *method < TN_USER_METHODS; ++*method)
        if (strlen(tn_user_methods[*method]) == word &&
            strncasecmp(text, tn_user_methods[*method], word) == 0)
            break;
    if (*method == TN_USER_METHODS || *open != '(') return false;
    open += 1 + strspn(open + 1, " ");
    const size_t length = strcspn(open, " )"), end = length + strspn(open + length, " ");
    if (length == 0 || length >= size || open[end] != ')' || open[end + 1]) return false;
    (void)snprintf(name, size, "%.*s", (int)length, open);
    return true;
}

/* The signal of a declaration: its id where that is a number. */
static inline tn_user_id tn_user_signal_of(const char *name)
{
    char *end;
    const long long number = strtoll(name, &end, 10);
    return *end ? (tn_user_id){.name = name} : (tn_user_id){.number = number};
}

/* The value at a point, and its derivative by x. NULL, or why there is none. */
static inline const char *tn_user_spline_value(const tn_user_splines *splines, const void *found,
                                               const tn_user_point *point, double *value, double *slope)
{
    const double argument[3] = {point->x, point->z, point->order};
    double first[3] = {0.0};
    const char *problem = isfinite(point->x)
                              ? splines->questions->value(found, argument, 3, value, slope ? first : NULL)
                              : "it is asked for at no finite number";
    if (problem) *value = (double)NAN;
    if (slope) *slope = problem ? (double)NAN : first[0];
    return problem;
}

#endif
