/* tenon/draft/tables.h - "tenon.tables/1" of tn_system: files that a solver adds to the folder of results, beside sensors.csv: modes,
 * matrices, whatever is no row of a step. */
#ifndef TENON_DRAFT_TABLES_H
#define TENON_DRAFT_TABLES_H

#include "tenon/solver.h"

enum { TN_TABLE_NAME = 64 }; /* letters of a name at most, with the zero behind it */

#define TN_TABLES_KEY "tenon.tables/1"
typedef struct tn_tables {
    uint32_t struct_size, reserved;
    /* [setup] Puts a file of `size` bytes into the folder, whole or not at all; run.toml lists it, and a later run into the folder
     * removes it. `name` is a lower-case letter, then letters, digits and _, a point, and csv, json, mat or npz: "modes.csv". Where this
     * run has written one of that name, _2, _3, ... stands in front of the point; `written` [TN_TABLE_NAME] gets the name; NULL: it is
     * not wanted. TN_INVALID, after a message, where it cannot be written.
     *
     * The extension is not offered (NULL) where no results are written: in the library, unless its caller wants them. */
    tn_status (*write)(tn_system *system, const char *name, const void *content, size_t size, char *written);
} tn_tables;

#endif
