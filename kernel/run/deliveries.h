/* deliveries.h - files of a writer go where a user wants them, in place of the folder of results. */
#ifndef TN_DELIVERIES_H
#define TN_DELIVERIES_H

#include <stdbool.h>
#include <stddef.h>

/* Files of one kind. */
typedef struct tn_delivery {
    const char *option; /* for messages: "--png" */
    const char *ending; /* of the names of the files: ".png" */
    const char *path;   /* of the file; or of a folder, which is there or whose name ends with a slash */
} tn_delivery;

typedef struct tn_deliveries {
    const tn_delivery *delivery;
    size_t count;
} tn_deliveries;

bool tn_delivery_is_folder(const tn_delivery *delivery);

/* Moves a file of `folder`, a folder that is open, to where a delivery says; what is there under its name is replaced as a whole.
 * False with errno. */
bool tn_deliver(const tn_delivery *delivery, int folder, const char *name);
/* The folder that a delivery goes to, open; a new one where there is none of that name. -1 with errno. */
int tn_delivery_open(const tn_delivery *delivery);

#endif
