/* deliveries.h - puts files of a writer at places of the user's choice instead of the folder of results. */
#ifndef TN_DELIVERIES_H
#define TN_DELIVERIES_H

#include <stdbool.h>
#include <stddef.h>

/* Files of one kind. */
typedef struct tn_delivery {
    const char *option; /* for messages: "--png" */
    const char *ending; /* of the names of the files: ".png" */
    const char *path;   /* of the file, or of a folder, which exists or whose name ends with a slash */
} tn_delivery;

typedef struct tn_deliveries {
    const tn_delivery *delivery;
    size_t count;
} tn_deliveries;

bool tn_delivery_is_folder(const tn_delivery *delivery);

/* Moves a file of the open folder `folder` to the place of a delivery, where it replaces an existing file as a whole. False with errno. */
bool tn_deliver(const tn_delivery *delivery, int folder, const char *name);
/* Opens the folder of a delivery, which is made where it does not exist. -1 with errno. */
int tn_delivery_open(const tn_delivery *delivery);

#endif
