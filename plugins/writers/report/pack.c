/* pack.c - compression into a store by raw deflate, which browsers decompress, and base64 */
#include "report.h"

#include <zlib.h>

/* Calls deflate() until all data are in the store. */
static bool deflate_all(z_stream *stream, tn_bytes *store)
{
    int result = Z_OK;
    while (result == Z_OK) {
        if (!tn_bytes_reserve(store, 1 << 16)) return false;
        const size_t room = store->room - store->used;
        stream->next_out = store->at + store->used;
        stream->avail_out = room > (1u << 30) ? 1u << 30 : (uInt)room;
        const uInt before = stream->avail_out;
        result = deflate(stream, stream->avail_in == 0 ? Z_FINISH : Z_NO_FLUSH);
        store->used += before - stream->avail_out;
        if (result == Z_BUF_ERROR) result = Z_OK;
    }
    return result == Z_STREAM_END;
}

/* Passes data of more than 4 GB in pieces, as zlib counts with 32 bits. */
static bool deflate_pieces(z_stream *stream, tn_bytes *store, const unsigned char *data, size_t size)
{
    const size_t most = 1u << 30;
    for (; size > most; data += most, size -= most) {
        stream->next_in = (Bytef *)(uintptr_t)data;
        stream->avail_in = (uInt)most;
        while (stream->avail_in > 0) {
            if (!tn_bytes_reserve(store, 1 << 20)) return false;
            stream->next_out = store->at + store->used;
            stream->avail_out = 1 << 20;
            if (deflate(stream, Z_NO_FLUSH) != Z_OK) return false;
            store->used += (1u << 20) - stream->avail_out;
        }
    }
    stream->next_in = (Bytef *)(uintptr_t)data;
    stream->avail_in = (uInt)size;
    return deflate_all(stream, store);
}

/* Level 6 takes a third longer, and makes pages of runs 1 % smaller. */
bool tn_pack(tn_bytes *store, const void *data, size_t size, tn_packed *packed)
{
    z_stream stream = {0};
    const size_t place = store->used;
    if (store->failed || deflateInit2(&stream, 4, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        return store->failed = true, false;
    const bool complete = deflate_pieces(&stream, store, data, size);
    (void)deflateEnd(&stream);
    if (!complete) store->failed = true;
    *packed = (tn_packed){place, store->used - place};
    return complete;
}

bool tn_put_packed(tn_bytes *json, tn_bytes *store, const void *data, size_t size)
{
    tn_packed packed;
    if (!tn_pack(store, data, size, &packed)) return false;
    tn_put(json, "\"at\":%zu,\"bytes\":%zu", packed.place, packed.bytes);
    return true;
}

size_t tn_base64(const unsigned char *data, size_t count, char *out)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *to = out;
    for (size_t i = 0; i < count; i += 3) {
        const size_t rest = count - i;
        const uint32_t three = (uint32_t)data[i] << 16 | (rest > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                               (rest > 2 ? data[i + 2] : 0u);
        *to++ = letters[three >> 18];
        *to++ = letters[three >> 12 & 63];
        *to++ = rest > 1 ? letters[three >> 6 & 63] : '=';
        *to++ = rest > 2 ? letters[three & 63] : '=';
    }
    return (size_t)(to - out);
}
