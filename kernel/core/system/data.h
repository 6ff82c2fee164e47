/* data.h - discrete data of elements. */
#ifndef TN_DATA_H
#define TN_DATA_H

#include "system/assembly.h"

struct tn_data {
    double *now, *kept; /* of all groups: now, and at the last accepted step */
    size_t size;
    bool warned; /* elements have told what they expect trouble with */
};

/* data.c: the functions of tn_system for discrete data; a step was accepted. */
void tn_data_build(tn_assembly *assembly);
void tn_data_keep(tn_assembly *assembly);

#endif
