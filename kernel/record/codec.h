/* codec.h - the model in the log as bytes: one function lists its fields, for both ways. */
#ifndef TN_CODEC_H
#define TN_CODEC_H

#include "base/memory.h"

#include <stdint.h>

/* Writes into memory that grows, or reads from some that is there. */
typedef struct tn_codec {
    bool reads, lacks; /* lacks: there were fewer bytes than were asked for, or others than there should be */
    char *bytes;
    size_t used, size; /* size: of the memory */
    tn_arena *arena;   /* of what is read */
} tn_codec;

void tn_code(tn_codec *codec, void *data, size_t size);
#define TN_CODE(codec, field) tn_code((codec), &(field), sizeof(field))
void tn_code_text(tn_codec *codec, const char **text);
/* The number of objects, and where they stand: memory for them where they are read. */
void *tn_code_array(tn_codec *codec, uint32_t *count, const void *array, size_t size);

#endif
