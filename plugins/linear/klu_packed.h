/* klu_packed.h - takes the factors of KLU over into packed ones */
#ifndef TENON_KLU_PACKED_H
#define TENON_KLU_PACKED_H

#include "packed_factors.h"

#include <suitesparse/klu.h>

/* Takes the factors over; false without memory. */
static inline bool packed_fill(packed_factors *f, klu_symbolic *symbolic, klu_numeric *numeric,
                               klu_common *common)
{
    if (!packed_room(&f->lower_row, &f->lower, &f->lower_room, (size_t)numeric->lnz) ||
        !packed_room(&f->upper_row, &f->upper, &f->upper_room, (size_t)numeric->unz))
        return false;
    /* off-diagonal blocks and block boundaries: there is one block, so they are empty */
    double no_value = 0.0;
    int32_t *none = (int32_t *)(void *)f->x;
    if (!klu_extract(numeric, symbolic, f->lower_start, f->lower_row, f->lower, f->upper_start, f->upper_row,
                     f->upper, none, none + f->size + 1, &no_value, f->rows, f->columns, f->scale, NULL,
                     common))
        return false;
    packed_drop(f->size, f->lower_start, f->lower_row, f->lower, 1);
    packed_drop(f->size, f->upper_start, f->upper_row, f->upper, 0);
    for (int32_t k = 0; k < f->size; k++) // several at a time
        f->scale[k] = 1.0 / f->scale[k];
    for (int32_t k = 0; k < f->size; k++)
        f->upper[f->upper_start[k + 1] - 1] = 1.0 / f->upper[f->upper_start[k + 1] - 1];
    return packed_make_panels(f);
}

#endif
