/* codec.c - bytes of fields, texts and arrays (see codec.h) */
#include "record/codec.h"

#include <string.h>

enum { SHORTEST = 12 };    /* bytes: the least size of an object of any array */
enum { PIECE = 64 << 10 }; /* bytes that are handed on together */

void tn_code(tn_codec *codec, void *data, size_t size)
{
    if (!codec->reads) {
        if (codec->pass && codec->used >= PIECE) {
            codec->pass(codec->data, codec->bytes, codec->used);
            codec->used = 0;
        }
        codec->bytes = tn_grow(codec->bytes, &codec->size, codec->used + size, 1);
        memcpy(codec->bytes + codec->used, data, size);
    } else if (codec->lacks || size > codec->size - codec->used) {
        codec->lacks = true;
        memset(data, 0, size);
        return;
    } else {
        memcpy(data, codec->bytes + codec->used, size);
    }
    codec->used += size;
}

void tn_code_text(tn_codec *codec, const char **text)
{
    uint64_t size = codec->reads ? 0 : strlen(*text ? *text : "");
    TN_CODE(codec, size);
    if (!codec->reads) {
        tn_code(codec, (char *)(uintptr_t)(*text ? *text : ""), (size_t)size);
        return;
    }
    *text = "";
    if (size > codec->size - codec->used) codec->lacks = true;
    if (codec->lacks) return;
    *text = tn_arena_text(codec->arena, codec->bytes + codec->used, (size_t)size);
    codec->used += (size_t)size;
}

void tn_codec_end(tn_codec *codec)
{
    if (codec->pass && codec->used) codec->pass(codec->data, codec->bytes, codec->used);
    tn_free(codec->bytes);
    codec->bytes = NULL;
}

void *tn_code_array(tn_codec *codec, uint32_t *count, const void *array, size_t size)
{
    TN_CODE(codec, *count);
    if (!codec->reads) return (void *)(uintptr_t)array;
    if (*count > (codec->size - codec->used) / SHORTEST) codec->lacks = true;
    if (codec->lacks) *count = 0;
    return tn_arena_array(codec->arena, *count + (size_t)1, size);
}
