/* codec.h - writes fields, texts and arrays as bytes and reads them back; one function lists the fields for both. */
#ifndef TN_CODEC_H
#define TN_CODEC_H

#include "base/memory.h"

#include <stdint.h>

/* Writes into memory that grows, or, with `pass`, hands on what has come together now and then; or reads from `bytes`. */
typedef struct tn_codec {
    bool reads, lacks; /* lacks: the bytes were too few, or wrong */
    char *bytes;
    size_t used, size; /* size: of the memory */
    tn_arena *arena;   /* memory for texts and arrays that are read */
    void (*pass)(void *data, const char *bytes, size_t size);
    void *data; /* for it */
} tn_codec;

void tn_code(tn_codec *codec, void *data, size_t size);
#define TN_CODE(codec, field) tn_code((codec), &(field), sizeof(field))
void tn_code_text(tn_codec *codec, const char **text);
/* Hands on what is left, and frees the memory. */
void tn_codec_end(tn_codec *codec);
/* The number of objects of an array; returns the array, or memory for it when reading. */
void *tn_code_array(tn_codec *codec, uint32_t *count, const void *array, size_t size);

#endif
