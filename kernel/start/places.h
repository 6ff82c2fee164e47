/* places.h - what elements ask of the model as it is given: where their markers are while they are laid out (draft/places.h), and what
 * they have to remember of it (`at_start`). */
#ifndef TN_PLACES_H
#define TN_PLACES_H

#include "system/data.h"
#include "system/failure.h"

/* The extension of tn_host, if the key is its. */
const void *tn_places_extension(const char *key);
/* Where a run starts, before bodies move to meet the constraints. */
tn_status tn_tell_start(tn_assembly *assembly);

#endif
