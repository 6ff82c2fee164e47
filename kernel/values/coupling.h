/* coupling.h - parameters of connectors that read the state: what coupling.c lists and coupling_matrix.c fills the matrix with. */
#ifndef TN_COUPLING_H
#define TN_COUPLING_H

#include "system/matrix.h"
#include "values/state_values.h"

typedef struct tn_couplings tn_couplings;

/* coupling.c: lists the connectors whose parameters read the state; shows all pairs of nodes that they couple in a fixed
 * order, in which the blocks of the matrix that this makes room for are to be filled in; adds what belongs to one instance,
 * `next` being the connector that comes next in its group. */
void tn_couplings_build(tn_assembly *assembly);
void tn_couplings_visit(const tn_assembly *assembly,
                        void (*visit)(void *data, tn_nodes rows, tn_nodes columns), void *data);
tn_matrix_block *tn_couplings_prepare(tn_assembly *assembly);
tn_status tn_coupling_add(const tn_filling *fill, const tn_group *group, size_t instance, size_t *next,
                          const tn_end *ends, const double *tangent);
/* True when some force reads a multiplier or an acceleration: forces and accelerations depend on each other. */
bool tn_couplings_are_direct(const tn_assembly *assembly);
tn_status
tn_couplings_refuse(tn_assembly *assembly); /* for them there is no solution: names the first; TN_RETRY */
void tn_couplings_free(tn_couplings *couplings);

/* A parameter of a connector, or a component of one. */
typedef struct tn_coupled_value {
    uint32_t dynamic;
    uint32_t column; /* of the derivative by it, among those by dynamic parameters */
    size_t reach,
        length; /* its rank and those of all values that it reads, descending: each before what it reads */
} tn_coupled_value;

typedef struct tn_coupled_connector {
    uint32_t group, instance;
    size_t value, values;
    size_t read, reads; /* unknowns that its values read */
    size_t weights;     /* numbers that these take together */
    size_t block;       /* starts in the matrix, [legs of those unknowns][legs of the connector] */
} tn_coupled_connector;

/* Unknowns that are read, with the derivatives of a value by them. */
typedef struct tn_read_unknown {
    uint32_t marker;    /* runtime marker, or TN_NONE: */
    uint32_t item, row; /* the multiplier of this row of a constraint */
    uint32_t width;     /* of the marker's twist */
    bool direct;        /* a multiplier or an acceleration */
    size_t
        weight; /* place among all weights: by pose, twist and its time derivative, [3][width]; by the multiplier */
} tn_read_unknown;

struct tn_couplings {
    tn_coupled_connector *connector;
    tn_coupled_value *value;
    tn_read_unknown *unknown; /* all that are read, each once */
    uint32_t *reach, *read;
    tn_matrix_block *block;
    size_t connector_count, value_count, unknown_count, reach_count, read_count, block_count;
    size_t connector_room, value_room, unknown_room, reach_room, read_room, block_room;
    size_t weight_count;
    bool direct;      /* some force reads a multiplier or an acceleration */
    uint32_t *number; /* [markers], then [rows]: the unknown that this is, or TN_NONE */
    uint32_t *mark;   /* [dynamic values], then as in `number`: the last value or connector that listed it, */
    uint32_t value_stamp, connector_stamp; /* counted like this */
    double *adjoint;                       /* [dynamic values], by rank; zero between two sweeps */
    double *waiting;                       /* likewise: of integrals, what is handed on by the next sweep */
    double *weight;                        /* [weight_count] likewise */
    double *gradient;                      /* [most inputs] */
    double *weights;                       /* [most values of a connector][its weights] */
    double *tangent;                       /* [largest W][3 times the largest width of what is read] */
    tn_end *end;                           /* [most legs of a marker] */
};

static inline size_t tn_weights_of(const tn_read_unknown *unknown)
{
    return unknown->marker == TN_NONE ? 1 : 3 * (size_t)unknown->width;
}

static inline bool tn_is_multiplier(const tn_model *model, const tn_observed *observed)
{
    return observed->kind == TN_OBSERVED_VARIABLE &&
           model->item[observed->index].variable == TN_CONSTRAINT_MULTIPLIER;
}

static inline bool tn_is_integral(const tn_model *model, const tn_observed *observed)
{
    return observed->kind == TN_OBSERVED_VARIABLE && model->item[observed->index].variable == TN_INTEGRAL;
}

/* The place of a row of a constraint behind all markers. */
static inline size_t tn_place_of_row(const tn_assembly *assembly, uint32_t item, uint32_t row)
{
    const tn_group *group = &assembly->group[assembly->group_of[item]];
    return assembly->model->marker_count + group->row_start + assembly->index_of[item] * group->rows + row;
}

#endif
