/* colours.h - blocks of instances that add to what belongs to bodies: those of one colour have no body in common and may run side by
 * side; colours follow each other. So the order of every sum depends on the model alone. */
#ifndef TN_COLOURS_H
#define TN_COLOURS_H

#include "system/block_calls.h"

/* Blocks of TN_BLOCK instances, colour by colour. */
typedef struct tn_colours {
    uint32_t count;
    uint32_t *start, *block; /* blocks block[start[c]] ... of colour c, ascending */
} tn_colours;

/* Whose body number `leg` of an instance is, below `bodies`; TN_NONE: it does not move. */
typedef uint32_t (*tn_body_function)(const void *data, size_t instance, uint32_t leg);

/* Colours of blocks of `count` instances with so many legs; NULL where there are so many colours that blocks had better follow each
 * other. */
tn_colours *tn_colours_find(tn_assembly *assembly, size_t count, uint32_t legs, size_t bodies,
                            tn_body_function body, const void *data);
/* Calls task(data, first, last) for all blocks of `count` instances, by colours. */
void tn_colours_run(const tn_assembly *assembly, const tn_colours *colours, size_t count, tn_block_task task,
                    void *data);

#endif
