/* tenon/kit/gsl_errors.h - errors of the GNU Scientific Library in plugins that use it [not ABI]
 *
 * GSL reports errors to one handler of the process, which by itself ends the program; its functions then return a status. A plugin
 * that includes this header looks at these statuses: between tn_gsl_enter() and tn_gsl_leave() its thread's errors are reported to no
 * handler. Errors of others, of a program that uses GSL itself say, are handled as before. The handler is set once, when the plugin is
 * loaded, under the lock of the dynamic linker. A program that sets one later, in place of this one, returns from it. */
#ifndef TENON_KIT_GSL_ERRORS_H
#define TENON_KIT_GSL_ERRORS_H

#include <gsl/gsl_errno.h>
#include <stdlib.h>

static gsl_error_handler_t *tn_gsl_other_handler; /* NULL: that of GSL itself */
static _Thread_local int tn_gsl_depth;

static inline void tn_gsl_enter(void) { tn_gsl_depth++; }
static inline void tn_gsl_leave(void) { tn_gsl_depth--; }

static void tn_gsl_handle(const char *reason, const char *file, int line, int number)
{
    if (tn_gsl_depth) return;
    if (tn_gsl_other_handler) {
        tn_gsl_other_handler(reason, file, line, number);
        return;
    }
    gsl_stream_printf("ERROR", file, line, reason); /* as GSL does */
    abort();
}

__attribute__((constructor)) static void tn_gsl_set_handler(void)
{
    tn_gsl_other_handler = gsl_set_error_handler(tn_gsl_handle);
}

#endif
