/* matrix.h - the pattern of the matrix, and what fills it. */
#ifndef TN_MATRIX_H
#define TN_MATRIX_H

#include "system/assembly.h"

/* What one thread works with while a matrix is filled. */
typedef struct tn_fill_scratch {
    double *tangent, *product, *own; /* tangents of a chunk, products of matrices, own derivatives */
    struct tn_end *end;              /* of one connector */
} tn_fill_scratch;

/* Where all stands in a matrix of the system, and memory for filling it. */
struct tn_fill_memory {
    int32_t *column_start, *row;
    uint32_t *own_block, *column_length; /* of the nodes of the matrix (matrix_pattern.c), by their number */
    uint32_t *body_start;                /* [groups] the first node of a group's bodies */
    uint32_t *block_column; /* [block_column_count] of blocks whose columns are not equally long */
    size_t block_column_count, block_column_capacity;
    size_t tangent_size, product_size, own_size, end_count;
    tn_fill_scratch *scratch; /* [threads] */
    uint32_t threads;
    double *probe; /* for differences, which one thread takes */
};
/* Of the thread that asks. */
static inline const tn_fill_scratch *tn_scratch(const tn_assembly *assembly)
{
    return &assembly->fill->scratch[tn_thread_number];
}
/* Memory for as many threads as there are now. blocks.c */
void tn_scratch_make(tn_assembly *assembly);
/* From here on there are derivatives of the twists of all riders; else of those only that forces act on, elements with states, or
 * markers made of others: in a mechanism of joints alone nobody needs them from step to step, and they are as large as a third of its
 * matrix. blocks.c */
void tn_derivatives_keep(tn_assembly *assembly);
bool tn_scratch_is_there(const tn_assembly *assembly);

/* matrix_pattern.c and matrix.c */
tn_matrix *tn_system_pattern(tn_system *system);
tn_status tn_system_matrix(tn_system *system, double c_mass, double c_damping, double c_stiffness);
/* Fills a matrix of the system's pattern, which is there, at the last evaluation; the request for what masses and rows make
 * alone, states staying where they are. matrix.c */
tn_status tn_matrix_fill(tn_assembly *assembly, const tn_matrix_request *request, tn_equations *to);
tn_matrix_request tn_request_of_masses(const tn_assembly *assembly);
/* Jacobians of all markers and derivatives of their twists, at the last evaluation. matrix.c */
tn_status tn_differentiate_markers(tn_assembly *assembly);
/* A marker seen from a connector or from one made of it: its columns in the tangent, and how it hangs on one body. */
typedef struct tn_end {
    size_t column, width;    /* of its pose in the tangent; its twist stands `wrench_size` further */
    size_t nv;               /* coordinates of the body that it depends on; 0: it does not move */
    size_t v_start, offset;  /* the first of them in v, and in the blocks of the body */
    const double *lightness; /* [nv] the diagonal of the body's M^-1 there, or about that; or NULL, and */
    const double *inverse;   /* M^-1 there, rows `inverse_stride` apart */
    size_t inverse_stride;
    bool pinned; /* the start leaves the body as it is */
    const double *J,
        *T; /* [width][nv]; NULL for an alias, where nv = width; T also where nobody needs it (blocks.c) */
} tn_end;
/* The ends of a runtime marker whose pose stands at `column`; their number. ends.c */
size_t tn_ends_of(const tn_assembly *assembly, uint32_t marker, size_t column, tn_end *ends);
/* The ends of all markers of an instance, in the order of its legs. ends.c */
void tn_ends_of_instance(const tn_assembly *assembly, const tn_group *group, size_t instance, tn_end *ends);
typedef struct tn_filling {
    tn_assembly *assembly;
    tn_matrix_request request;
    const tn_equations *to;
} tn_filling;
/* Column j of a block of the matrix. */
static inline double *tn_block_column(const tn_filling *f, tn_matrix_block block, size_t j)
{
    return f->to->matrix.value +
           (block.length ? block.start + j * block.length : f->assembly->fill->block_column[block.start + j]);
}
/* Adds values [rows][columns] at entry (i, j) of a block of the matrix. */
static inline void tn_add_block(const tn_filling *f, tn_matrix_block block, size_t i, size_t j, size_t rows,
                                size_t columns, const double *values)
{
    for (size_t c = 0; c < columns; c++) {
        double *column = tn_block_column(f, block, j + c) + i;
        for (size_t r = 0; r < rows; r++)
            column[r] += values[r * columns + c];
    }
}
/* One pair of ends of a tangent whose rows are `stride` long, into a block: W columns for poses, then, unless these are
 * all, W for twists. ends.c */
void tn_add_pair(const tn_filling *fill, const double *tangent, size_t W, size_t stride, const tn_end *a,
                 const tn_end *c, tn_matrix_block block);
/* The tangent of the forces of instances of a group, states following as tn_matrix_request says. matrix.c */
tn_status tn_force_tangent(tn_assembly *assembly, const tn_group *group, tn_batch *batch,
                           double state_factor);
/* Nodes of the matrix that follow each other: a whole body, some coordinates of a large one, or the rows of one constraint;
 * count 0: what does not move. */
typedef struct tn_nodes {
    uint32_t first, count;
} tn_nodes;
/* Coordinates of one body that a marker depends on by one of its legs. support.c */
typedef struct tn_support {
    uint32_t group, body;  /* of the element, and its index there */
    uint32_t first, count; /* velocity coordinates of the body; count 0: it does not move */
} tn_support;
tn_support tn_support_of(const tn_assembly *assembly, uint32_t marker, uint32_t leg);
/* Finds on which coordinates of their bodies markers made of others depend, for tn_support_of(). */
void tn_supports_find(tn_assembly *assembly);
/* Their nodes; those of leg number `leg` of an instance; those of all coordinates of a body. */
tn_nodes tn_nodes_of(const tn_assembly *assembly, uint32_t marker, uint32_t leg);
tn_nodes tn_nodes_of_leg(const tn_assembly *assembly, const tn_group *group, size_t i, uint32_t leg);
/* blocks.c: where every block stands in the matrix whose columns are known: of the pairs of nodes in each, ascending,
 * neighbour[start[b]] ... */
typedef struct tn_graph {
    uint32_t nodes;
    uint32_t *size, *first_row; /* [nodes] velocity coordinates or rows, and where they begin */
    size_t *start;              /* [nodes + 1] */
    uint32_t *neighbour;
} tn_graph;
void tn_blocks_find(tn_assembly *assembly, const tn_graph *graph);
/* constraint_matrix.c: rows [rows][W] of one instance against the coordinates at an end, [rows][nv]; the rows as borders of the
 * matrix, and what keeps it regular. */
void tn_rows_on_body(const tn_group *group, const double *row, const tn_end *end, double *block);
tn_status tn_constraints_fill(const tn_filling *fill);
/* b [nv] += what stands beside the masses in a matrix, -G^T and the forces that read multipliers, times `rows`. */
void tn_add_border_product(const tn_assembly *assembly, const tn_matrix *matrix, const double *rows,
                           double *b);
/* derived_matrix.c: memory for filling; Jacobians of the legs; how the maps of wrenches change with the poses. */
void tn_derived_prepare(tn_assembly *assembly);
tn_status tn_derived_differentiate(tn_assembly *assembly);
tn_status tn_derived_add_pull_back(const tn_filling *fill);

#endif
