/* extension.h - what solvers may ask for beyond the system, by a key (tenon/draft/) */
#ifndef TN_EXTENSION_H
#define TN_EXTENSION_H

#include "system/assembly.h"

/* Places of what extensions keep in an assembly. */
enum {
    TN_OPERATOR_EXTENSION,
    TN_STATICS_EXTENSION,
    TN_STEP_COUNT_EXTENSION,
    TN_COMPLEX_EXTENSION,
    TN_LINEAR_EXTENSION,
    TN_TABLE_EXTENSION,
    TN_SIGNAL_EXTENSION,
    TN_CONTACT_EXTENSION,
    TN_OWN_EXTENSION,
    TN_IMPULSE_EXTENSION,
    TN_EXTENSIONS_END
};
_Static_assert((int)TN_EXTENSIONS_END == (int)TN_EXTENSION_COUNT, "one place for each");

/* The table of a key, made at the first call. NULL where there is none, and without memory, where kinds of rows are wrong, or where the
 * system has no pattern. */
const void *tn_extension_of(tn_assembly *assembly, const char *key);

#endif
