/* crc.c - the CRC-32 of zlib, eight bytes at a time */
#include "record/log_blocks.h"

#include <pthread.h>
#include <string.h>

#define POLYNOMIAL 0xedb88320u

static uint32_t table[8][256];

static void make_table(void)
{
    for (uint32_t k = 0; k < 256; k++) {
        uint32_t sum = k;
        for (int bit = 0; bit < 8; bit++)
            sum = (sum >> 1) ^ (sum & 1 ? POLYNOMIAL : 0);
        table[0][k] = sum;
    }
    for (uint32_t k = 0; k < 256; k++)
        for (int t = 1; t < 8; t++)
            table[t][k] = (table[t - 1][k] >> 8) ^ table[0][table[t - 1][k] & 0xff];
}

uint32_t tn_crc32(uint32_t crc, const void *bytes, size_t size)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const unsigned char *byte = bytes;
    (void)pthread_once(&once, make_table);
    crc = ~crc;
    for (; size >= 8; size -= 8, byte += 8) {
        uint32_t low, high;
        memcpy(&low, byte, sizeof low);
        memcpy(&high, byte + 4, sizeof high);
        low ^= crc;
        crc = table[7][low & 0xff] ^ table[6][(low >> 8) & 0xff] ^ table[5][(low >> 16) & 0xff] ^
              table[4][low >> 24] ^ table[3][high & 0xff] ^ table[2][(high >> 8) & 0xff] ^
              table[1][(high >> 16) & 0xff] ^ table[0][high >> 24];
    }
    for (; size; size--)
        crc = (crc >> 8) ^ table[0][(crc ^ *byte++) & 0xff];
    return ~crc;
}
