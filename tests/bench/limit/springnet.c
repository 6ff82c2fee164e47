/* springnet.c - a net of springs under rk4, hand-written: the practical limit that Tenon is measured against.
 *
 * n x n masses of 1 kg, 1 m apart, springs between horizontal and vertical neighbours, the left column tied to
 * ground points. Which points a spring joins stands in index arrays, as in any general net; nothing exploits
 * the grid. Springs write their forces in order and each point then sums its own: measured, that and points
 * that keep their six numbers together are faster than scattered sums and six separate arrays. */
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct point {
    double position[3], velocity[3];
} point;

typedef struct vector {
    double e[3];
} vector;

typedef struct spring_net {
    uint32_t masses, points, springs;          /* the masses come first, then the ground points */
    uint32_t *a, *b;                           /* [springs] the two points of a spring */
    double *stiffness, *damping, *rest_length; /* [springs] */
    double *inverse_mass;                      /* [masses] */
    uint32_t *first, *incident; /* springs of point i: incident[first[i]] ... ; 2 spring + (is b) */
    vector *force;              /* [springs] on point a; b receives its negative */
    point *state, *stage, *sum; /* [points] */
} spring_net;

static const double gravity[3] = {0.0, 0.0, -9.81};

/* Zeros, written rather than promised, so that the first step does not pay for the pages. */
static void *allocate(size_t count, size_t size)
{
    void *memory = malloc(count * size);
    if (!memory) {
        fputs("springnet: out of memory\n", stderr);
        exit(1);
    }
    return memset(memory, 0, count * size);
}

static void add_spring(spring_net *net, uint32_t a, uint32_t b)
{
    const uint32_t i = net->springs++;
    net->a[i] = a;
    net->b[i] = b;
    net->stiffness[i] = 1e3;
    net->damping[i] = 1.0;
    net->rest_length[i] = 1.0;
}

/* Lists the springs of every point, in the order of the springs. */
static void list_incident(spring_net *net)
{
    uint32_t *next = allocate(net->points + 1, sizeof *next);
    for (uint32_t i = 0; i < net->springs; i++) {
        net->first[net->a[i] + 1]++;
        net->first[net->b[i] + 1]++;
    }
    for (uint32_t i = 0; i < net->points; i++)
        next[i + 1] = net->first[i + 1] += net->first[i];
    for (uint32_t i = 0; i < net->springs; i++) {
        net->incident[next[net->a[i]]++] = 2 * i;
        net->incident[next[net->b[i]]++] = 2 * i + 1;
    }
    free(next);
}

static spring_net new_net(uint32_t n)
{
    const uint32_t masses = n * n, points = masses + n, springs = 2 * masses - n;
    spring_net net = {.masses = masses, .points = points};
    net.a = allocate(springs, sizeof *net.a);
    net.b = allocate(springs, sizeof *net.b);
    net.stiffness = allocate(springs, sizeof *net.stiffness);
    net.damping = allocate(springs, sizeof *net.damping);
    net.rest_length = allocate(springs, sizeof *net.rest_length);
    net.inverse_mass = allocate(masses, sizeof *net.inverse_mass);
    net.first = allocate(points + 1, sizeof *net.first);
    net.incident = allocate(2 * (size_t)springs, sizeof *net.incident);
    net.force = allocate(springs, sizeof *net.force);
    net.state = allocate(points, sizeof *net.state);
    net.stage = allocate(points, sizeof *net.stage);
    net.sum = allocate(points, sizeof *net.sum);
    for (uint32_t r = 0; r < n; r++) {
        const uint32_t ground = masses + r;
        net.state[ground].position[0] = -1.0;
        net.state[ground].position[1] = r;
        for (uint32_t c = 0; c < n; c++) {
            const uint32_t i = r * n + c;
            net.state[i].position[0] = c;
            net.state[i].position[1] = r;
            net.inverse_mass[i] = 1.0;
            add_spring(&net, c > 0 ? i - 1 : ground, i);
            if (r > 0) add_spring(&net, i - n, i);
        }
    }
    memcpy(net.stage, net.state, points * sizeof *net.stage);
    list_incident(&net);
    return net;
}

static void free_net(spring_net *net)
{
    void *const all[] = {
        net->a,     net->b,        net->stiffness, net->damping, net->rest_length, net->inverse_mass,
        net->first, net->incident, net->force,     net->state,   net->stage,       net->sum};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* The force of every spring on its point a. */
static void evaluate(const spring_net *net, const point *restrict points, vector *restrict force)
{
    const uint32_t *restrict from = net->a, *restrict to = net->b;
    const double *restrict stiffness = net->stiffness, *restrict damping = net->damping,
                           *restrict rest_length = net->rest_length;
    for (uint32_t i = 0; i < net->springs; i++) {
        const point *a = &points[from[i]], *b = &points[to[i]];
        const double x = b->position[0] - a->position[0], y = b->position[1] - a->position[1],
                     z = b->position[2] - a->position[2];
        const double length = sqrt(x * x + y * y + z * z), inverse = 1.0 / length;
        const double rate = (x * (b->velocity[0] - a->velocity[0]) + y * (b->velocity[1] - a->velocity[1]) +
                             z * (b->velocity[2] - a->velocity[2])) *
                            inverse;
        const double f = (stiffness[i] * (length - rest_length[i]) + damping[i] * rate) * inverse;
        force[i].e[0] = f * x;
        force[i].e[1] = f * y;
        force[i].e[2] = f * z;
    }
}

/* One of the four stages: accelerations from the springs' forces, their share of the step's sum, and the state
 * at which the next stage evaluates (after the last one: the new state). */
static inline void advance(const spring_net *net, double to_next, double weight, int is_first, int is_last)
{
    static const double sign[2] = {1.0, -1.0};
    const uint32_t *restrict first = net->first, *restrict incident = net->incident;
    const vector *restrict spring_force = net->force;
    const double *restrict inverse_mass = net->inverse_mass;
    point *restrict states = net->state, *restrict stages = net->stage, *restrict sums = net->sum;
    for (uint32_t i = 0; i < net->masses; i++) {
        double force[3] = {0.0, 0.0, 0.0};
        for (uint32_t j = first[i]; j < first[i + 1]; j++)
            for (int e = 0; e < 3; e++)
                force[e] += sign[incident[j] & 1] * spring_force[incident[j] >> 1].e[e];
        point *state = &states[i], *stage = &stages[i], *sum = &sums[i];
        for (int e = 0; e < 3; e++) {
            const double acceleration = force[e] * inverse_mass[i] + gravity[e];
            const double velocity = is_first ? state->velocity[e] : stage->velocity[e];
            const double position_sum = is_first ? state->position[e] : sum->position[e];
            const double velocity_sum = is_first ? state->velocity[e] : sum->velocity[e];
            sum->position[e] = position_sum + weight * velocity;
            sum->velocity[e] = velocity_sum + weight * acceleration;
            if (is_last) {
                state->position[e] = sum->position[e];
                state->velocity[e] = sum->velocity[e];
            } else {
                stage->position[e] = state->position[e] + to_next * velocity;
                stage->velocity[e] = state->velocity[e] + to_next * acceleration;
            }
        }
    }
}

static void take_step(spring_net *net, double h)
{
    evaluate(net, net->state, net->force);
    advance(net, h / 2, h / 6, 1, 0);
    evaluate(net, net->stage, net->force);
    advance(net, h / 2, h / 3, 0, 0);
    evaluate(net, net->stage, net->force);
    advance(net, h, h / 3, 0, 0);
    evaluate(net, net->stage, net->force);
    advance(net, 0.0, h / 6, 0, 1);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argument_count, char **arguments)
{
    const long n = argument_count == 3 ? strtol(arguments[1], NULL, 10) : 0;
    const long steps = argument_count == 3 ? strtol(arguments[2], NULL, 10) : 0;
    if (n < 1 || n > 20000 || steps < 1) {
        fputs("usage: springnet n steps\n", stderr);
        return 2;
    }
    spring_net net = new_net((uint32_t)n);
    const double start = seconds();
    for (long i = 0; i < steps; i++)
        take_step(&net, 1e-4);
    const double per_step = (seconds() - start) / (double)steps;
    const double *last = net.state[net.masses - 1].position;
    printf("seconds_per_step = %.6g\n", per_step);
    printf("ns_per_spring_evaluation = %.4g\n", 1e9 * per_step / (4.0 * net.springs));
    printf("position = [%.17g, %.17g, %.17g]\n", last[0], last[1], last[2]);
    free_net(&net);
    return 0;
}
