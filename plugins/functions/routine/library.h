/* library.h - libraries of users: opened once, with what is exported to them; their functions */
#ifndef TENON_ROUTINE_LIBRARY_H
#define TENON_ROUTINE_LIBRARY_H

#include <tenon/host.h>
#include <tenon/routine.h>

/* As other programs call it. */
typedef void routine_varsub(int *id, double *time, double *par, int *npar, int *dflag, int *iflag,
                            double *value);

/* One of the first two is there. */
typedef struct routine_entry {
    routine_varsub *varsub;
    const tn_routine_table *table;
    tn_status (*values)(const tn_routine_calls *calls); /* of the table; NULL: it has none */
} routine_entry;

/* Finds a function of a file: its table, or the function under its own name, `name_`, in lower or in upper case. Refuses what is
 * missing or wrong. */
tn_status routine_find(const tn_host *host, const char *path, const char *name, routine_entry *entry);

#endif
