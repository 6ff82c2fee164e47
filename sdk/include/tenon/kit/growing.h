/* tenon/kit/growing.h - arrays that grow and are kept from step to step: nothing is allocated where there is room.
 *
 *     if (!tn_grow_array(&values, &room, count, sizeof *values)) return TN_OUT_OF_MEMORY;
 *     ... free(values);
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_GROWING_H
#define TENON_KIT_GROWING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Gives the array whose pointer stands at `array` room for `count` elements of `size` bytes; where it grows it at least doubles. `*room` is
 * the number of elements that it has room for, 0 for a NULL pointer. False without memory: the array stays as it was. */
static inline bool tn_grow_array(void *array, size_t *room, size_t count, size_t size)
{
    if (count <= *room) return true;
    const size_t wanted = count > 2 * *room ? count : 2 * *room;
    void *old = NULL, *grown = NULL;
    if (wanted > SIZE_MAX / size) return false;
    memcpy(&old, array, sizeof old);
    if (!(grown = realloc(old, wanted * size))) return false;
    memcpy(array, &grown, sizeof grown);
    *room = wanted;
    return true;
}

/* An array of a struct with its room: TN_MAKE_ROOM(lu->value, lu->value_room, count). */
#define TN_MAKE_ROOM(array, room, count) tn_grow_array((void *)&(array), &(room), (count), sizeof *(array))

#endif
