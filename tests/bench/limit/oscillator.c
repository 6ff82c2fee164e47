/* oscillator.c - one mass on one spring under rk4, hand-written: the practical limit of tiny models.
 *
 * 1 kg at [1.05, 0, 0], spring to the origin with rest length 1 m, stiffness 100 N/m, damping 1 N s/m. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct state {
    double position[3], velocity[3];
} state;

static const double mass = 1.0, stiffness = 100.0, damping = 1.0, rest_length = 1.0;

static inline state rate(const state *at)
{
    const double *p = at->position, *v = at->velocity;
    const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    const double length_rate = (p[0] * v[0] + p[1] * v[1] + p[2] * v[2]) / length;
    const double factor = -(stiffness * (length - rest_length) + damping * length_rate) / (length * mass);
    state result;
    for (int e = 0; e < 3; e++) {
        result.position[e] = v[e];
        result.velocity[e] = factor * p[e];
    }
    return result;
}

/* from + h rate */
static inline state move(const state *from, double h, const state *rate)
{
    state result;
    for (int e = 0; e < 3; e++) {
        result.position[e] = from->position[e] + h * rate->position[e];
        result.velocity[e] = from->velocity[e] + h * rate->velocity[e];
    }
    return result;
}

static inline state take_step(const state *from, double h)
{
    const state k1 = rate(from), at2 = move(from, h / 2, &k1);
    const state k2 = rate(&at2), at3 = move(from, h / 2, &k2);
    const state k3 = rate(&at3), at4 = move(from, h, &k3);
    const state k4 = rate(&at4);
    state to = move(from, h / 6, &k1);
    to = move(&to, h / 3, &k2);
    to = move(&to, h / 3, &k3);
    return move(&to, h / 6, &k4);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argument_count, char **arguments)
{
    const long steps = argument_count == 3 ? strtol(arguments[1], NULL, 10) : 0;
    const double h = argument_count == 3 ? strtod(arguments[2], NULL) : 0.0;
    if (steps < 1 || !(h > 0.0)) {
        fputs("usage: oscillator steps step\n", stderr);
        return 2;
    }
    state now = {{1.05, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const double start = seconds();
    for (long i = 0; i < steps; i++)
        now = take_step(&now, h);
    const double per_step = (seconds() - start) / (double)steps;
    printf("seconds_per_step = %.6g\n", per_step);
    printf("position = [%.17g, %.17g, %.17g]\n", now.position[0], now.position[1], now.position[2]);
    return 0;
}
