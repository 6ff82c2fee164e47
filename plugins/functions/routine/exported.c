/* exported.c - functions of other programs that existing routines call: in C, and with the names and texts of Fortran
 *
 * Only these are seen from outside of the plugin, besides its own entry. */
#include "exported.h"

#include <stdio.h>
#include <string.h>

static void answer(const char *name, const int *ids, int count, bool vector, double *state, int *size,
                   int *error)
{
    uint32_t found = 0;
    const double *number = routine_answer(name, ids, count, vector, &found);
    if (number) memcpy(state, number, found * sizeof *state);
    if (!number) *state = 0.0;
    if (size) *size = (int)found;
    *error = !number;
}

void c_sysfnc(const char *name, const int *ipar, int nsize, double *state, int *errflg)
{
    answer(name, ipar, nsize, false, state, NULL, errflg);
}

void c_sysary(const char *name, const int *ipar, int nsize, double *states, int *nstates, int *errflg)
{
    answer(name, ipar, nsize, true, states, nstates, errflg);
}

void c_errmes(int errflg, const char *message, int id, const char *endflg)
{
    if (errflg) routine_message(message, id, endflg && strncmp(endflg, "STOP", 4) == 0);
}

void c_usrmes(int msgflg, const char *message, int id, const char *msgtyp)
{
    if (msgflg) routine_note(message, id, msgtyp && strncmp(msgtyp, "INFO", 4) == 0);
}

void c_timget(double *time) { *time = routine_accepted_time(); }

/* The derivatives by z, of which a curve has none, are 0; all are nan where there is no value. */
static void answer_spline(const char *method, double x, double z, int id, int order, double *array,
                          int *error)
{
    double value;
    *error = !routine_spline(method, x, z, id, order, &value);
    array[0] = value;
    for (int k = 1; k <= order && k < 3; k++)
        array[k] = *error ? value : 0.0;
}

/* ---- Fortran: all by address, lengths of texts behind the arguments ---------------------------------------- */

TN_EXPORT void sysfnc_(const char *name, const int *ipar, const int *nsize, double *state, int *errflg,
                       size_t length);
TN_EXPORT void sysary_(const char *name, const int *ipar, const int *nsize, double *states, int *nstates,
                       int *errflg, size_t length);
TN_EXPORT void errmes_(const int *errflg, const char *message, const int *id, const char *endflg,
                       size_t message_length, size_t endflg_length);

/* Without the blanks that fill it up. */
static const char *copy_text(char *copy, size_t size, const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ')
        length--;
    (void)snprintf(copy, size, "%.*s", (int)(length < size ? length : size - 1), text);
    return copy;
}

void sysfnc_(const char *name, const int *ipar, const int *nsize, double *state, int *errflg, size_t length)
{
    char copy[256];
    answer(copy_text(copy, sizeof copy, name, length), ipar, *nsize, false, state, NULL, errflg);
}

void sysary_(const char *name, const int *ipar, const int *nsize, double *states, int *nstates, int *errflg,
             size_t length)
{
    char copy[256];
    answer(copy_text(copy, sizeof copy, name, length), ipar, *nsize, true, states, nstates, errflg);
}

void errmes_(const int *errflg, const char *message, const int *id, const char *endflg, size_t message_length,
             size_t endflg_length)
{
    char copy[256], word[16];
    c_errmes(*errflg, copy_text(copy, sizeof copy, message, message_length), *id,
             copy_text(word, sizeof word, endflg, endflg_length));
}

TN_EXPORT void usrmes_(const int *msgflg, const char *message, const int *id, const char *msgtyp,
                       size_t message_length, size_t msgtyp_length);
TN_EXPORT void timget_(double *time);

void usrmes_(const int *msgflg, const char *message, const int *id, const char *msgtyp, size_t message_length,
             size_t msgtyp_length)
{
    char copy[256], word[16];
    c_usrmes(*msgflg, copy_text(copy, sizeof copy, message, message_length), *id,
             copy_text(word, sizeof word, msgtyp, msgtyp_length));
}

void timget_(double *time) { c_timget(time); }

/* ---- splines, in C and in Fortran -------------------------------------------------------------------------- */

#define SPLINE(method)                                                                                    \
    void c_##method(double xval, double zval, int id, int iord, double *array, int *errflg)               \
    {                                                                                                     \
        answer_spline(#method, xval, zval, id, iord, array, errflg);                                      \
    }                                                                                                     \
    TN_EXPORT void method##_(const double *xval, const double *zval, const int *id, const int *iord,      \
                             double *array, int *errflg);                                                 \
    void method##_(const double *xval, const double *zval, const int *id, const int *iord, double *array, \
                   int *errflg)                                                                           \
    {                                                                                                     \
        answer_spline(#method, *xval, *zval, *id, *iord, array, errflg);                                  \
    }
SPLINE(akispl)
SPLINE(cubspl)
SPLINE(linspl)
SPLINE(quispl)
