/* codec.c - the code `d2` of numbers: whole multiples of a step, their second differences, and these by planes of bytes, most of
 * which are zero for smooth signals.
 *
 * Differences wrap around, so that every sequence of codes is reproduced; their signs go to the lowest bit, so that small negative ones
 * have zeros in front, too. */
#include "report.h"

#include <float.h>

/* Of values between two finite ones: 2^20 steps over the range; whole numbers as they are. The origin is a multiple of the step in the
 * middle, so that zero is zero, and no product overflows. */
tn_scale tn_scale_of(double low, double high, bool integers)
{
    if (!(low <= high)) return (tn_scale){0.0, 1.0};
    if (integers && high - low <= 0x1p30) return (tn_scale){low, 1.0};
    double step = high * 0x1p-20 - low * 0x1p-20;
    const double largest = fmax(fabs(low), fabs(high)), finest = fmax(largest * DBL_EPSILON, DBL_MIN);
    if (!(step > finest)) step = finest;
    return (tn_scale){rint((0.5 * low + 0.5 * high) / step) * step, step};
}

int32_t tn_code_of(tn_scale scale, double value)
{
    // half of each: the range of a pair of finite numbers may overflow
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

void tn_code_planes32(const int32_t *code, size_t count, unsigned char *out)
{
    uint32_t before = 0, slope = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t now = (uint32_t)code[i], first = now - before, second = first - slope;
        const uint32_t folded = (second << 1) ^ (0u - (second >> 31));
        before = now;
        slope = first;
        for (size_t b = 0; b < 4; b++)
            out[b * count + i] = (unsigned char)(folded >> (8 * b));
    }
}

void tn_code_planes64(const int64_t *code, size_t count, unsigned char *out)
{
    uint64_t before = 0, slope = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t now = (uint64_t)code[i], first = now - before, second = first - slope;
        const uint64_t folded = (second << 1) ^ (0u - (second >> 63));
        before = now;
        slope = first;
        for (size_t b = 0; b < 8; b++)
            out[b * count + i] = (unsigned char)(folded >> (8 * b));
    }
}

void tn_code_planes16(const int16_t *code, size_t count, unsigned char *out)
{
    uint32_t before = 0, slope = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t now = (uint16_t)code[i], first = (now - before) & 0xffffu,
                       second = (first - slope) & 0xffffu;
        const uint32_t folded = ((second << 1) ^ (0u - (second >> 15))) & 0xffffu;
        before = now;
        slope = first;
        out[i] = (unsigned char)folded;
        out[count + i] = (unsigned char)(folded >> 8);
    }
}

void tn_bits_planes64(const double *value, size_t count, unsigned char *out)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, value + i, sizeof bits);
        for (size_t b = 0; b < 8; b++)
            out[b * count + i] = (unsigned char)(bits >> (8 * b));
    }
}
