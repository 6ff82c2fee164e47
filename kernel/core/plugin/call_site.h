/* call_site.h - which function of which plugin runs: what the report of a crash names.
 *
 * Every call from the kernel into a plugin is written tn_call(type, function, arguments ...), or tn_call_for() where
 * one instance is in hand. The records stand on the stack of their calls and are linked: after a solver has called an
 * element through the kernel, the site is the solver's again. */
#ifndef TN_CALL_SITE_H
#define TN_CALL_SITE_H

typedef struct tn_call_site {
    const struct tn_call_site *outer; /* the call that this one came from, or NULL */
    const void *type;                 /* whose function runs; NULL while a library is being loaded */
    const char *function;
    const char *item; /* the current instance, or the file that is being loaded; NULL: any instance */
} tn_call_site;

/* The innermost call of this thread; NULL in the kernel itself. The kernel is never opened as a library: the place of
 * the variable is a constant. */
extern _Thread_local const tn_call_site *tn_site __attribute__((tls_model("initial-exec")));

static inline void tn_site_leave(const tn_call_site *site) { tn_site = site->outer; }

/* The value of `call`, during which the site is this one. */
#define tn_call_at(site_type, site_function, site_item, call)                                      \
    ({                                                                                             \
        __attribute__((cleanup(tn_site_leave)))                                                    \
        const tn_call_site tn_site_of_call = {tn_site, (site_type), (site_function), (site_item)}; \
        tn_site = &tn_site_of_call;                                                                \
        call;                                                                                      \
    })

#define tn_call_for(item, owner, function, ...) \
    tn_call_at(owner, #function, item, (owner)->function(__VA_ARGS__))
#define tn_call(owner, function, ...) tn_call_for(NULL, owner, function, __VA_ARGS__)

#endif
