/* codec.c - codes of numbers: multiples of a step, as second differences in planes of bytes, most of which are zero for smooth signals
 *
 * Differences wrap around, so that every sequence of codes can be decoded; the sign is the lowest bit, so that the high bytes of small
 * negative differences are zero, too. */
#include "report.h"

#include <float.h>

/* The scale of values between two finite ones: 2^20 steps over the range; step 1 for whole numbers. The origin is a multiple of the step in
 * the middle of the range, so that zero is exact and no product overflows. */
tn_code_scale tn_scale_of(double low, double high, bool integers)
{
    if (!(low <= high)) return (tn_code_scale){0.0, 1.0};
    if (integers && high - low <= 0x1p30) return (tn_code_scale){low, 1.0};
    double step = high * 0x1p-20 - low * 0x1p-20;
    const double largest = fmax(fabs(low), fabs(high)), finest = fmax(largest * DBL_EPSILON, DBL_MIN);
    if (!(step > finest)) step = finest;
    return (tn_code_scale){rint((0.5 * low + 0.5 * high) / step) * step, step};
}

int32_t tn_code_of(tn_code_scale scale, double value)
{
    // halves, as the difference of two finite numbers may overflow
    const double code = rint((0.5 * value - 0.5 * scale.origin) / scale.step * 2.0);
    if (!(fabs(code) < 0x1p31)) return code > 0.0 ? INT32_MAX : INT32_MIN;
    return (int32_t)code;
}

double tn_time_step(double largest)
{
    int exponent = 0;
    if (!(largest > 0.0) || !isfinite(largest)) return 1.0;
    (void)frexp(largest, &exponent);
    return ldexp(1.0, exponent - 53 < -1022 ? -1022 : exponent - 53);
}

typedef struct differences {
    uint64_t before, slope;
} differences;

/* The second difference of a code with this number of bits, with the sign in the lowest bit. */
static inline uint64_t fold(differences *d, uint64_t code, unsigned bits)
{
    const uint64_t mask = UINT64_MAX >> (64 - bits);
    const uint64_t first = (code - d->before) & mask, second = (first - d->slope) & mask;
    *d = (differences){code, first};
    return ((second << 1) ^ (0u - (second >> (bits - 1)))) & mask;
}

static inline void put_bytes(uint64_t value, size_t bytes, size_t count, unsigned char *out)
{
    for (size_t b = 0; b < bytes; b++)
        out[b * count] = (unsigned char)(value >> (8 * b));
}

void tn_code_planes16(const int16_t *code, size_t count, unsigned char *out)
{
    differences d = {0, 0};
    for (size_t i = 0; i < count; i++)
        put_bytes(fold(&d, (uint16_t)code[i], 16), 2, count, out + i);
}

void tn_code_planes32(const int32_t *code, size_t count, unsigned char *out)
{
    differences d = {0, 0};
    for (size_t i = 0; i < count; i++)
        put_bytes(fold(&d, (uint32_t)code[i], 32), 4, count, out + i);
}

void tn_code_planes64(const int64_t *code, size_t count, unsigned char *out)
{
    differences d = {0, 0};
    for (size_t i = 0; i < count; i++)
        put_bytes(fold(&d, (uint64_t)code[i], 64), 8, count, out + i);
}

void tn_bits_planes64(const double *value, size_t count, unsigned char *out)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, value + i, sizeof bits);
        put_bytes(bits, 8, count, out + i);
    }
}
