/* coupling.h - parameters of connectors that read the state: what coupling.c lists and coupling_matrix.c fills the matrix with. */
#ifndef TN_COUPLING_H
#define TN_COUPLING_H

#include "system/matrix.h"
#include "values/derivatives.h"

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
/* There is no solution for forces that read multipliers or accelerations: names the first; TN_RETRY. */
tn_status tn_couplings_refuse(tn_assembly *assembly);

/* A parameter of a connector, or a component of one. */
typedef struct tn_coupled_value {
    uint32_t dynamic;
    uint32_t column; /* of the derivative by it, among those by dynamic parameters */
    tn_reach reach;
} tn_coupled_value;

typedef struct tn_coupled_connector {
    uint32_t group, instance;
    size_t value, values;
    size_t read, reads; /* unknowns that its values read */
    size_t weights;     /* numbers that these take together */
    size_t block;       /* starts in the matrix, [legs of those unknowns][legs of the connector] */
} tn_coupled_connector;

struct tn_couplings {
    tn_coupled_connector *connector;
    tn_coupled_value *value;
    uint32_t *read;
    tn_matrix_block *block;
    size_t connector_count, value_count, read_count;
    /* some force reads a multiplier or an acceleration: forces and accelerations depend on each other */
    bool direct;
    double *weights; /* [most values of a connector][its weights] */
    double *tangent; /* [largest W][3 times the largest width of what is read] */
    tn_end *end;     /* [most legs of a marker] */
};

/* Unknown number k of those that a connector reads. */
static inline const tn_read_unknown *tn_unknown_read(const tn_assembly *assembly,
                                                     const tn_coupled_connector *connector, size_t k)
{
    const uint32_t number = assembly->read->couplings->read[connector->read + k];
    return &assembly->read->derivatives->unknown[number];
}

#endif
