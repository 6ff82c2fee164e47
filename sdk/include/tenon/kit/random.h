/* tenon/kit/random.h - random numbers by counting: number k of stream s under a seed is a function of these three, so that samples depend on
 * neither order nor machine. Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC11 (2011): Philox 4x32, 10 rounds. */
#ifndef TENON_KIT_RANDOM_H
#define TENON_KIT_RANDOM_H

#include <math.h>
#include <stdint.h>

/* Four words of 32 bits for a counter of 128 bits and a key of 64 bits. */
static inline void tn_random_words(const uint32_t counter[4], uint64_t key, uint32_t word[4])
{
    uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3];
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; round++) {
        const uint64_t x = UINT64_C(0xD2511F53) * a, y = UINT64_C(0xCD9E8D57) * c;
        a = (uint32_t)(y >> 32) ^ b ^ k0;
        b = (uint32_t)y;
        c = (uint32_t)(x >> 32) ^ d ^ k1;
        d = (uint32_t)x;
        k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
    }
    word[0] = a, word[1] = b, word[2] = c, word[3] = d;
}

/* 64 random bits: number `index` of a stream. */
static inline uint64_t tn_random_bits(uint64_t seed, uint64_t stream, uint64_t index)
{
    const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)stream,
                                 (uint32_t)(stream >> 32)};
    uint32_t word[4];
    tn_random_words(counter, seed, word);
    return (uint64_t)word[1] << 32 | word[0];
}

/* Uniform between 0 and 1, neither of which it is. */
static inline double tn_random_uniform(uint64_t seed, uint64_t stream, uint64_t index)
{
    return ((double)(tn_random_bits(seed, stream, index) >> 12) + 0.5) * 0x1p-52;
}

/* A whole number from 0 to count - 1, count > 0, each as likely but for 2^-64 of the count. */
static inline uint64_t tn_random_below(uint64_t seed, uint64_t stream, uint64_t index, uint64_t count)
{
    return (uint64_t)(((unsigned __int128)tn_random_bits(seed, stream, index) * count) >> 64);
}

/* Of the normal distribution, mean 0 and deviation 1: Box, Muller: A note on the generation of random normal deviates, Ann. Math. Statist. 29
 * (1958). */
static inline double tn_random_normal(uint64_t seed, uint64_t stream, uint64_t index)
{
    const double radius = sqrt(-2.0 * log(tn_random_uniform(seed, stream, 2 * index)));
    return radius * cos(6.283185307179586477 * tn_random_uniform(seed, stream, 2 * index + 1));
}

#endif
