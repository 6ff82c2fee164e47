/* derivatives.h - derivatives of a value by all that it reads, directly or by way of other values
 *
 * A value y = f(u) hands on to what it reads its adjoint a, the derivative of one value in question by y: a_u += a f_u. One sweep
 * backwards, from a value to all that it reaches, so leads to the derivatives by unknowns: markers and multipliers. Along a
 * direction e of coordinates and time a value changes by y_e = f_u u_e; with b, the derivative of a along e, it hands on
 * b_u += b f_u + a f_uu u_e as well, which gives second derivatives times e. For a loop, with the derivatives A of its equations
 * (loops.c), y_e is A^-1 times that by what stands outside; a and b are A^-T times what has come to the values, b with what they hand
 * on to each other besides.
 *
 * Used by coupling_matrix.c for the matrix, by variable_derivatives.c for what elements observe, by value_slopes.c for what is
 * linearised. */
#ifndef TN_DERIVATIVES_H
#define TN_DERIVATIVES_H

#include "values/state_values.h"

/* What values change with in the end. */
typedef struct tn_read_unknown {
    uint32_t marker;    /* runtime marker, or TN_NONE: */
    uint32_t item, row; /* the multiplier of this row of a constraint */
    uint32_t width;     /* of the marker's twist */
    bool direct;        /* a multiplier or an acceleration */
    size_t listed;      /* 1 + the number of the last connector that reads it */
    /* place among all weights: by pose, twist and its time derivative, [3][width]; by the multiplier */
    size_t weight;
} tn_read_unknown;

typedef struct tn_derivatives {
    tn_read_unknown *unknown; /* all that are read, each once */
    size_t unknown_count, weight_count;
    /* [markers], then [rows]: 1 + the unknown that this is, or 0: fresh memory, which takes none */
    uint32_t *number;
    uint32_t *reach; /* ranks: all lists of tn_reach */
    size_t reach_count;
    uint32_t *mark, stamp;                 /* [dynamic values]; the last list that has it */
    double *gradient, *product, *of_input; /* [most inputs] of one expression; its direction */
    /* [dynamic values] by rank; adjoints are zero between two sweeps */
    double *adjoint, *adjoint_along, *change;
    double *waiting;               /* likewise: of integrals, what is handed on by the next sweep */
    double *weight, *weight_along; /* [weight_count] derivatives by unknowns; zero between two sweeps */
    double *direction;             /* [weight_count] */
    bool ends_at_states;           /* what is reached ends at states: nobody asks what these change with */
} tn_derivatives;

/* The values that one reads, directly or not, and it itself, by descending rank: each before what it reads. */
typedef struct tn_reach {
    size_t first, count;
} tn_reach;

typedef struct tn_sweep {
    tn_assembly *assembly;
    tn_derivatives *memory;
    double state_factor; /* of the solver; integrals change with their own rates: dx = state_factor dx' */
    bool second;         /* second derivatives, too, along a direction: */
    double time_along;   /* that of time; those of coordinates stand in memory->direction */
    double by_time, by_time_along;  /* derivative by time, and its change along the direction */
    double value;                   /* of the value that the sweep begins with */
    const tn_dynamic_value *reader; /* the one that hands on now */
    /* Not NULL: derivatives by inputs, SI units, and by states, which are added here; states do not follow then */
    double *by_input, *by_state;
} tn_sweep;

/* Memory; its last part when all that is read is known. */
tn_derivatives *tn_derivatives_new(tn_assembly *assembly);
void tn_derivatives_build(tn_assembly *assembly);
void tn_derivatives_complete(tn_assembly *assembly);
/* Lists what a value reaches, by what is in force now or by all that may be, telling of every unknown that it changes with, some
 * repeatedly; `meet` may be NULL. */
tn_reach tn_reach_list(tn_assembly *assembly, uint32_t dynamic, bool in_force,
                       void (*meet)(tn_assembly *assembly, uint32_t unknown));
/* The same from a live value that is no dynamic one. */
tn_reach tn_reach_list_live(tn_assembly *assembly, const tn_live_value *live);
tn_status tn_sweep_back_live(tn_sweep *sweep, const tn_live_value *live, tn_reach reach);
/* Derivatives of a value with respect to all that it reaches, into the weights. After another status than TN_OK, which names what has
 * none, they are of no use, and still to be put to zero by the caller. */
tn_status tn_sweep_back(tn_sweep *sweep, uint32_t dynamic, tn_reach reach);
/* Changes of all values that are reached along the direction of a sweep. */
tn_status tn_sweep_along(tn_sweep *sweep, tn_reach reach);
/* From the expression of an argument, with a share of a derivative, to what it reads. */
tn_status tn_hand_on_argument(const tn_sweep *sweep, const tn_live_value *argument, double *gradient,
                              double share);

/* The column of a dynamic parameter, which stands at this offset, among those of a batch; TN_NONE: it does not change with the state.
 * coupling.c */
uint32_t tn_dynamic_column(const tn_batch *batch, uint32_t offset);

static inline size_t tn_weights_of(const tn_read_unknown *unknown)
{
    return unknown->marker == TN_NONE ? 1 : 3 * (size_t)unknown->width;
}

/* The place of a row of a constraint behind all markers. */
static inline size_t tn_place_of_row(const tn_assembly *assembly, uint32_t item, uint32_t row)
{
    const tn_group *group = &assembly->group[assembly->group_of[item]];
    return assembly->model->marker_count + group->row_start + assembly->index_of[item] * group->rows + row;
}

/* Where the weights of a marker begin, or of what stands behind all markers. */
static inline size_t tn_weight_place(const tn_derivatives *memory, size_t place)
{
    return memory->unknown[memory->number[place] - 1].weight;
}

static inline double *tn_weight_of_row(const tn_sweep *sweep, uint32_t item, uint32_t row)
{
    return sweep->memory->weight +
           tn_weight_place(sweep->memory, tn_place_of_row(sweep->assembly, item, row));
}

#endif
