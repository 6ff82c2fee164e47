/* series.c - numbers that are worked out of columns over the time of a run (see series.h) */
#include "cases/series.h"

#include <complex.h>
#include <math.h>
#include <string.h>

const tn_series_word tn_series_words[] = {{"at", TN_SERIES_AT, 1, 0, TN_UNIT_OF_SENSOR},
                                          {"first", TN_SERIES_FIRST, 0, 0, TN_UNIT_OF_SENSOR},
                                          {"initial", TN_SERIES_FIRST, 0, 0, TN_UNIT_OF_SENSOR},
                                          {"last", TN_SERIES_LAST, 0, 0, TN_UNIT_OF_SENSOR},
                                          {"final", TN_SERIES_LAST, 0, 0, TN_UNIT_OF_SENSOR},
                                          {"mean", TN_SERIES_MEAN, 0, 0, TN_UNIT_OF_SENSOR},
                                          {"average", TN_SERIES_MEAN, 0, 0, TN_UNIT_OF_SENSOR},
                                          {"rms", TN_SERIES_RMS, 0, 0, TN_UNIT_OF_SENSOR},
                                          {"min", TN_SERIES_MIN, 0, 0, TN_UNIT_OF_SENSOR},
                                          {"minimum", TN_SERIES_MIN, 0, 0, TN_UNIT_OF_SENSOR},
                                          {"max", TN_SERIES_MAX, 0, 0, TN_UNIT_OF_SENSOR},
                                          {"maximum", TN_SERIES_MAX, 0, 0, TN_UNIT_OF_SENSOR},
                                          {"time_of", TN_SERIES_TIME_OF, 1, 0, TN_UNIT_S},
                                          {"settle", TN_SERIES_SETTLE, 0, 1, TN_UNIT_S},
                                          {"integral", TN_SERIES_INTEGRAL, 0, 0, TN_UNIT_TIMES_S},
                                          {"fft_peak", TN_SERIES_FFT_PEAK, 0, 0, TN_UNIT_HZ},
                                          {NULL, TN_SERIES_FUNCTIONS, 0, 0, TN_UNIT_OF_SENSOR}};

void tn_series_add(tn_series *series, double time, const double *values)
{
    const uint32_t count = series->columns->count;
    if (series->rows == series->capacity) {
        size_t capacity = series->capacity;
        series->time = tn_grow(series->time, &capacity, series->rows + 1, sizeof *series->time);
        size_t numbers = series->capacity * count;
        series->value = tn_grow(series->value, &numbers, capacity * count, sizeof *series->value);
        series->capacity = capacity;
    }
    series->time[series->rows] = time;
    for (uint32_t k = 0; k < count; k++)
        series->value[series->rows * count + k] = values[series->columns->place[k]];
    series->rows++;
}

static double value_of(const tn_series *series, uint32_t column, size_t row)
{
    return series->value[row * series->columns->count + column];
}

/* The last row at or before a time; the first one where there is none. */
static size_t find_row(const tn_series *series, double time)
{
    size_t low = 0, high = series->rows - 1;
    while (low < high) {
        const size_t middle = (low + high + 1) / 2;
        if (series->time[middle] <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

double tn_series_at(const tn_series *series, uint32_t column, double time)
{
    const size_t last = series->rows - 1;
    if (!series->rows) return (double)NAN;
    const double slack = 1e-9 * fabs(series->time[last] - series->time[0]) + 1e-15 * fabs(time);
    if (!(time >= series->time[0] - slack && time <= series->time[last] + slack)) return (double)NAN;
    const size_t low = find_row(series, time);
    if (low == last || time <= series->time[low]) return value_of(series, column, low);
    const double length = series->time[low + 1] - series->time[low];
    const double share = (time - series->time[low]) / length;
    return (1.0 - share) * value_of(series, column, low) + share * value_of(series, column, low + 1);
}

double tn_series_line_error(const tn_series *series, uint32_t column, double time)
{
    if (series->rows < 3) return 0.0;
    const double *t = series->time, slack = 1e-9 * fabs(t[series->rows - 1] - t[0]);
    const size_t row = find_row(series, time), a = row + 1 == series->rows ? row - 1 : row, b = a + 1;
    const size_t c = a > 0 ? a - 1 : b + 1;
    if (fabs(time - t[a]) <= slack || fabs(time - t[b]) <= slack) return 0.0;
    if (!(t[b] > t[a]) || t[c] == t[a] || t[c] == t[b]) return 0.0; /* two rows of one time, at a jump */
    const double slope = (value_of(series, column, b) - value_of(series, column, a)) / (t[b] - t[a]);
    const double other = (value_of(series, column, c) - value_of(series, column, a)) / (t[c] - t[a]);
    return fabs((other - slope) / (t[c] - t[b]) * (time - t[a]) * (time - t[b]));
}

double tn_series_size(const tn_series *series, uint32_t column)
{
    double size = 0.0;
    for (size_t row = 0; row < series->rows; row++)
        size = fmax(size, fabs(value_of(series, column, row)));
    return size;
}

/* The integral of a power of the values, by the trapezoidal rule. */
static double integrate(const tn_series *series, uint32_t column, int power)
{
    double sum = 0.0;
    for (size_t k = 1; k < series->rows; k++) {
        const double a = value_of(series, column, k - 1), b = value_of(series, column, k);
        sum += 0.5 * (series->time[k] - series->time[k - 1]) * (power == 2 ? a * a + b * b : a + b);
    }
    return sum;
}

static double mean(const tn_series *series, uint32_t column, int power)
{
    const double length = series->time[series->rows - 1] - series->time[0];
    const double first = value_of(series, column, 0);
    if (!(length > 0.0)) return power == 2 ? first * first : first;
    return integrate(series, column, power) / length;
}

static double extreme(const tn_series *series, uint32_t column, double sign)
{
    double found = value_of(series, column, 0);
    for (size_t k = 0; k < series->rows; k++) {
        const double value = value_of(series, column, k);
        if (isnan(value)) return value;
        if (sign * value > sign * found) found = value;
    }
    return found;
}

/* When the values come to a level first. */
static double time_of(const tn_series *series, uint32_t column, double level)
{
    for (size_t k = 0; k < series->rows; k++) {
        const double b = value_of(series, column, k) - level;
        if (b == 0.0) return series->time[k];
        const double a = k ? value_of(series, column, k - 1) - level : b;
        if (a * b < 0.0) return series->time[k - 1] + (series->time[k] - series->time[k - 1]) * (a / (a - b));
    }
    return (double)NAN;
}

/* When the values leave the band about the last one for the last time, from the start on; the band: 2 % of the way from the first
 * value to the last, unless it is given. */
static double settle(const tn_series *series, uint32_t column, double band)
{
    const size_t last = series->rows - 1;
    const double end = value_of(series, column, last);
    if (isnan(band)) band = 0.02 * fabs(end - value_of(series, column, 0));
    for (size_t k = last; k-- > 0;) {
        const double out = fabs(value_of(series, column, k) - end);
        if (out <= band) continue;
        const double in = fabs(value_of(series, column, k + 1) - end);
        return series->time[k] - series->time[0] +
               (series->time[k + 1] - series->time[k]) * ((out - band) / (out - in));
    }
    return 0.0;
}

/* In place, of a power of two of numbers. */
static void transform(double complex *x, size_t count)
{
    for (size_t k = 1, j = 0; k < count; k++) {
        size_t bit = count >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (k >= j) continue;
        const double complex other = x[k];
        x[k] = x[j];
        x[j] = other;
    }
    for (size_t length = 2; length <= count; length *= 2)
        for (size_t first = 0; first < count; first += length)
            for (size_t k = 0; k < length / 2; k++) {
                const double angle = -2.0 * M_PI * (double)k / (double)length;
                const double complex a = x[first + k];
                const union {
                    double part[2];
                    double complex number;
                } turn = {{cos(angle), sin(angle)}};
                const double complex b = x[first + k + length / 2] * turn.number;
                x[first + k] = a + b;
                x[first + k + length / 2] = a - b;
            }
}

/* The frequency of the largest amplitude behind zero: values at equal distances, without their mean, in a window of Hann; between lines of
 * the spectrum by the parabola through the logarithms of three. */
static double fft_peak(const tn_series *series, uint32_t column)
{
    const double start = series->time[0], length = series->time[series->rows - 1] - start;
    size_t count = 16, best = 0;
    while (count < series->rows && count < (1u << 20))
        count *= 2;
    if (!(length > 0.0) || series->rows < 8) return (double)NAN;
    double complex *x = tn_new(count, sizeof *x);
    double sum = 0.0, top = 0.0;
    for (size_t k = 0; k < count; k++) {
        const double value = tn_series_at(series, column, start + length * (double)k / (double)(count - 1));
        x[k] = value;
        sum += value;
    }
    for (size_t k = 0; k < count; k++)
        x[k] = (x[k] - sum / (double)count) * (1.0 - cos(2.0 * M_PI * (double)k / (double)(count - 1)));
    transform(x, count);
    for (size_t k = 1; k < count / 2; k++)
        if (cabs(x[k]) > top) {
            top = cabs(x[k]);
            best = k;
        }
    double line = (double)best;
    if (best > 1 && cabs(x[best - 1]) > 0.0 && cabs(x[best + 1]) > 0.0) {
        const double a = log(cabs(x[best - 1])), b = log(top), c = log(cabs(x[best + 1]));
        if (a - 2.0 * b + c < 0.0) line += 0.5 * (a - c) / (a - 2.0 * b + c);
    }
    tn_free(x);
    return best ? line * (double)(count - 1) / ((double)count * length) : (double)NAN;
}

double tn_series_value(const tn_series *series, uint32_t column, tn_series_function function,
                       const double *argument)
{
    if (!series->rows) return (double)NAN;
    switch (function) {
    case TN_SERIES_AT:
        return tn_series_at(series, column, argument[0]);
    case TN_SERIES_FIRST:
        return value_of(series, column, 0);
    case TN_SERIES_LAST:
        return value_of(series, column, series->rows - 1);
    case TN_SERIES_MEAN:
        return mean(series, column, 1);
    case TN_SERIES_RMS:
        return sqrt(mean(series, column, 2));
    case TN_SERIES_MIN:
        return extreme(series, column, -1.0);
    case TN_SERIES_MAX:
        return extreme(series, column, 1.0);
    case TN_SERIES_TIME_OF:
        return time_of(series, column, argument[0]);
    case TN_SERIES_SETTLE:
        return settle(series, column, argument[0]);
    case TN_SERIES_INTEGRAL:
        return integrate(series, column, 1);
    case TN_SERIES_FFT_PEAK:
        return fft_peak(series, column);
    case TN_SERIES_FUNCTIONS:
        break;
    }
    return (double)NAN;
}
