/* exported.h - what functions of users ask of the routine that calls them */
#ifndef TENON_ROUTINE_EXPORTED_H
#define TENON_ROUTINE_EXPORTED_H

#include <tenon/host.h>
#include <tenon/routine.h>

/* The numbers that answer a question of the innermost call of this thread, *size of them; NULL after noting why there are none. */
const double *routine_answer(const char *name, const int *ids, int count, bool vector, uint32_t *size);
/* A line of that call; `stop`: the run ends with it. */
void routine_message(const char *text, int id, bool stop);
void routine_note(const char *text, int id, bool plain); /* a note where it is `plain`, else a warning */
/* A spline of the signal with this id, at x; false where it has no value there, which is nan then. */
bool routine_spline(const char *method, double x, double z, int id, int order, double *value);
double routine_accepted_time(void);
/* Before the first call of a function of expressions. functions.c */
void routine_open_functions(const tn_host *host);

#endif
