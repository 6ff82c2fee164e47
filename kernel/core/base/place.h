/* place.h - where something stands in the text of a model, and how much it matters that it is wrong. */
#ifndef TN_PLACE_H
#define TN_PLACE_H

#include <stdint.h>

/* A place in a file, counted from 1; `file` must outlive whatever refers to it. line 0: the file as a whole. */
typedef struct tn_place {
    const char *file;
    uint32_t line, column;
} tn_place;

/* The same with what a reader of models knows of the text there, for which keys in it have places of their own; NULL: nothing. */
typedef struct tn_location {
    tn_place place;
    const void *node;
} tn_location;

typedef enum tn_severity { TN_SEVERITY_NOTE, TN_SEVERITY_WARNING, TN_SEVERITY_ERROR } tn_severity;

#endif
