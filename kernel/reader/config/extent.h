/* extent.h - how far that goes which a place points at. */
#ifndef TN_EXTENT_H
#define TN_EXTENT_H

#include "config/source_text.h"

/* What a place means: whatever begins there, or, where that is known, a part of an expression (which tells `2` from all of
 * `--set element.m.mass=2*k`), or a name without its call. */
typedef struct tn_extent_wish {
    bool inside, name_only;
} tn_extent_wish;

/* The end of what begins at a byte: of a value, key or header of TOML; of a name, number, call or sign within a string.
 * `offset` itself where nothing begins that is known. */
size_t tn_extent_end(tn_source_text *source, size_t offset, tn_extent_wish wish);

#endif
