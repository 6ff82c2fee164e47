/* extension.c - the tables of functions that the system offers by a key (see extension.h) */
#include "extensions/extension.h"

#include "extensions/complex_equations.h"
#include "extensions/contacts.h"
#include "extensions/error_scale.h"
#include "extensions/operators.h"
#include "extensions/own_matrices.h"
#include "extensions/statics.h"
#include "extensions/step_counts.h"
#include "system/linear.h"

#include <string.h>

static const void *find_report(tn_assembly *assembly)
{
    const tn_step_counts *counts = tn_step_counts_of(assembly);
    return counts ? &counts->table : NULL;
}

const void *tn_extension_of(tn_assembly *assembly, const char *key)
{
    if (strcmp(key, TN_OPERATORS_KEY) == 0) return tn_operators_of(assembly);
    if (strcmp(key, TN_CONTACT_ROWS_KEY) == 0) return tn_contact_rows_of(assembly);
    if (strcmp(key, TN_ERROR_SCALE_KEY) == 0) return tn_error_scale_of(assembly);
    if (strcmp(key, TN_STEP_REPORT_KEY) == 0) return find_report(assembly);
    if (strcmp(key, TN_STATICS_KEY) == 0) return tn_statics_of(assembly);
    if (strcmp(key, TN_COMPLEX_EQUATIONS_KEY) == 0) return tn_complex_equations_of(assembly);
    if (strcmp(key, TN_OWN_MATRICES_KEY) == 0 && assembly->linear->type) return tn_own_matrices_of(assembly);
    return NULL;
}
