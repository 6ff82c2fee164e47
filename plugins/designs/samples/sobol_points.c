/* sobol_points.c - Sobol sequences, scrambled by hashes
 *
 * Burley: Practical hash-based Owen scrambling, J. Computer Graphics Techniques 9 (2020) 1-20: the bits of a coordinate, the first one
 * last, are permuted by the hash of Laine and Karras (with the constants of Vegdahl), in which a bit changes only those above it:
 * each bit is thus flipped as the bits before it and the seed decide, which is Owen's nested scrambling. */
#include "sample.h"

#include "sobol_numbers.h"

enum { BITS = 32, LARGEST_DEGREE = 13 };
TN_STATIC_ASSERT(sizeof sobol_record == (SOBOL_DIMENSIONS - 1) * SOBOL_RECORD + 1, "a record is missing");

static uint32_t digit(char c) { return (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10); }

/* Bit `number` of the 20 digits of a record. */
static uint32_t bit_of(const char *record, uint32_t number)
{
    return digit(record[SOBOL_RECORD - 1 - number / 4]) >> number % 4 & 1u;
}

/* The direction numbers of a dimension, as binary fractions; the first dimension is that of van der Corput. */
static void make_directions(uint32_t dimension, uint32_t *direction)
{
    if (dimension == 0) {
        for (uint32_t k = 0; k < BITS; k++)
            direction[k] = UINT32_C(1) << (BITS - 1 - k);
        return;
    }
    const char *record = sobol_record + (dimension - 1) * SOBOL_RECORD;
    uint32_t polynomial = 0, degree = 0;
    for (uint32_t k = 0; k < SOBOL_POLYNOMIAL; k++)
        polynomial = polynomial << 4 | digit(record[k]);
    while (polynomial >> (degree + 1))
        degree++;
    for (uint32_t k = 0, first = 0; k < degree; first += k++) {
        uint32_t m = 1;
        for (uint32_t b = 0; b < k; b++)
            m |= bit_of(record, first + b) << (b + 1);
        direction[k] = m << (BITS - 1 - k);
    }
    for (uint32_t k = degree; k < BITS; k++) {
        direction[k] = direction[k - degree] ^ direction[k - degree] >> degree;
        for (uint32_t j = 1; j < degree; j++)
            if (polynomial >> (degree - j) & 1u) direction[k] ^= direction[k - j];
    }
}

tn_status tn_sobol_open(const tn_host *host, uint32_t dimensions, bool scramble, uint64_t seed,
                        sobol_sequence *sequence)
{
    if (dimensions > SOBOL_DIMENSIONS)
        return tn_refuse(
            host, NULL,
            "the points have %u coordinates, and a Sobol sequence has up to %d here; take \"random\" "
            "or \"latin_hypercube\"",
            dimensions, SOBOL_DIMENSIONS);
    uint32_t *direction = tn_sample_memory(host, dimensions, BITS * sizeof *direction);
    uint32_t *seeds = scramble ? tn_sample_memory(host, dimensions, sizeof *seeds) : NULL;
    if (!direction || (scramble && !seeds)) return TN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < dimensions; i++) {
        make_directions(i, direction + i * BITS);
        if (scramble) seeds[i] = (uint32_t)tn_random_bits(seed, 0, i);
    }
    *sequence = (sobol_sequence){dimensions, direction, seeds, seed};
    return TN_OK;
}

static uint32_t reverse_bits(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
    return __builtin_bswap32(x);
}

static uint32_t scramble_bits(uint32_t x, uint32_t seed)
{
    x = reverse_bits(x);
    x ^= x * 0x3d20adeau;
    x += seed;
    x *= seed >> 16 | 1u;
    x ^= x * 0x05526c56u;
    x ^= x * 0x53a22864u;
    return reverse_bits(x);
}

/* In the order of Gray codes, as in the literature. Scrambled digits go on behind the 32nd, so that a coordinate is never 0 or 1. */
void tn_sobol_point(const sobol_sequence *sequence, uint64_t number, uint32_t first, uint32_t count,
                    double *u)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t dimension = first + i, *direction = sequence->direction + dimension * BITS;
        uint32_t x = 0;
        for (uint32_t k = 0, rest = (uint32_t)(number ^ number >> 1); rest; k++, rest >>= 1)
            if (rest & 1u) x ^= direction[k];
        u[i] = x * 0x1p-32;
        if (!sequence->seed) continue;
        x = scramble_bits(x, sequence->seed[dimension]);
        u[i] =
            fmin((x + tn_random_uniform(sequence->random, 1u + dimension, number)) * 0x1p-32, 1.0 - 0x1p-53);
    }
}

void tn_sobol_note_count(const tn_host *host, const char *key, uint64_t count)
{
    if ((count & (count - 1)) == 0) return;
    uint64_t below = 1;
    while (below <= count / 2)
        below *= 2;
    tn_say(host, TN_NOTE,
           "`%s` = %llu is no power of two: the points of a Sobol sequence are evenly spread after %llu and "
           "%llu "
           "of them, and less so in between",
           key, (unsigned long long)count, (unsigned long long)below, (unsigned long long)(2 * below));
}
