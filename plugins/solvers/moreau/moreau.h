/* moreau.h - a step by impulses, and what the files of the solver share
 *
 *   q_m = q0 [+] (1 - theta) h v0
 *   A (V1 - Vp) = h f - (Pp - P0) + C + G^T p,   u1 = r_e + G (V1 - Vp) and its law
 *   q1 = q_m [+] theta h v1
 *
 * f, G and A are those of the middle of the step, P0 = M v0 is the momentum there, Pp a prediction of the momentum at the end, v1p and q1p
 * the predicted velocities and positions, C the contribution of both ends (curve.c), r_e the rates of joints at q1p, v1p; u1 is exact up to
 * second order in v1 - v1p. Momenta keep their directions in space (`transport`), so that those of free bodies are constant. */
#ifndef MOREAU_H
#define MOREAU_H

#include <tenon/draft/contacts.h>
#include <tenon/draft/impulses.h>
#include <tenon/draft/operators.h>
#include <tenon/draft/stepping.h>
#include <tenon/kit/step_grid.h>
#include <tenon/kit/step_report.h>

#include <stdlib.h>
#include <string.h>

enum { PAST = 3 };
enum moreau_law { BY_POSITION, BY_VELOCITY };
enum moreau_forces { AUTOMATIC, IMPLICIT, EXPLICIT };
enum moreau_failure { HALVE, CONTINUE, STOP };
enum moreau_problems { ALL_PROBLEMS, FAILED_PROBLEMS };

typedef struct moreau_settings {
    double theta;
    int32_t law, forces, on_failure, which; /* which: moreau_problems */
    const char *folder;                     /* of files of problems; NULL: none are written */
    double files_from, files_until;         /* s, or NaN */
    int64_t most_files;
} moreau_settings;

/* The state of the solver, without pointers. */
typedef struct moreau_stand {
    uint64_t step;      /* of the grid */
    uint64_t accepted;  /* number of accepted states */
    double time, end;   /* s: the present piece of a grid step; equal where a new one begins */
    double seen;        /* s: `end`, or right before it where a signal jumps there */
    double length;      /* s: of the piece */
    double start;       /* s: where the piece began */
    double done, part;  /* of the piece: sums of powers of 1/2 */
    double last_length; /* s: of the step before */
    uint64_t unsolved;  /* problems of accepted steps that were not solved to the tolerance */
    uint32_t revision, implicit;
    uint32_t knows_rows;  /* G0 is valid */
    uint32_t jumps, anew; /* a signal jumps at `end`; the next step does not continue an earlier one */
    uint32_t fresh;       /* accelerations and reactions are those of this instant, not means */
    uint32_t foreseen;    /* number of consecutive smooth steps of the same length */
    uint32_t reserved;
    double stiffness;      /* the largest h^2 K relative to M in the last step; 0: no stiff forces */
    uint64_t large;        /* steps with too many rows of contacts to check whether reactions are unique */
    uint64_t shared;       /* steps whose reactions of contacts are not unique */
    uint32_t shared_owner; /* the element of the first of these reactions */
    uint32_t acting,
        not_unique; /* of the last step: a hash of the acting contacts; whether reactions were not unique */
    uint32_t reserved_too;
} moreau_stand;

/* A problem and its arrays, which grow. */
typedef struct moreau_problem {
    tn_impulse_problem table;
    tn_impulse_block *block;
    uint32_t *row_start, *column,
        *source; /* [rows] source: rows of the operators, then 3 for each point of contact */
    double *value, *free_rate, *impulse;
    double *aim;  /* [rows] m: the gap that an impact within the step leaves at its end, or NaN */
    double *mean; /* [rows] m/s: of the rates before and behind it, or NaN */
    size_t aim_room, mean_room, block_room, row_room, start_room, source_room, free_room, impulse_room,
        column_room, value_room;
    void *self;            /* of the constraint solver */
    uint64_t matrix_taken; /* the number of A in its last problem, by `matrices`; 0: none */
} moreau_problem;

/* Files of problems, which are no part of the state of the run. */
typedef struct moreau_files {
    const struct tn_problem_files *table; /* NULL: none are written */
    double *guess;                        /* [rows] initial impulses of the constraint solver */
    size_t guess_room;
    uint64_t count, step;
    double time;      /* s: the start of the step of the last one */
    uint32_t of_step; /* number of problems with this start so far */
    bool ended;       /* no more files are written, after a message */
    bool left_out;    /* some problems cannot be written, after a message */
} moreau_files;

typedef struct moreau_work {
    const moreau_settings *settings;
    tn_system *system;
    const tn_operators *o;
    const tn_contact_rows *contacts; /* NULL: there are none */
    const tn_constraint_solver *chosen;
    const tn_step_report *report;
    tn_impulse_totals none; /* totals where the kernel has none */
    tn_step_grid grid;
    moreau_stand stand;

    /* the accepted state that the step begins with */
    double *a_kept;       /* [nv] a of the last step; a0 is the prediction */
    double *a_past[PAST]; /* [nv] a of the steps before the last, the latest first */
    double *q0, *v0, *a0, *x0, *x_rate0, *lambda0;
    /* [nq] after the first part of the step; where f is, in whose axes momenta stand; those that Pp is in; the end */
    double *q_m, *q_f, *q_axes, *q1;
    double *v_f, *v1;                /* [nv] velocities there */
    double *P0, *P0_m, *Pp, *P1, *c; /* [nv] momenta */
    double *way_f;                   /* [nv] from q0 to q_f */
    /* [nv] contribution of rotating rows to the displacement in the step before the last, and in the last; its part in q_m */
    double *curve_before, *curve, *bent;
    double *shift; /* displacement of the end by projections, where rebounds within the step are treated */
    bool aims;     /* rebounds within the step are treated */
    double *f0, *f1, *first, *last;   /* [nv] forces at both ends, as G0 and G1; scratch */
    double *V0, *Vp, *y, *z, *number; /* [nv] velocities in the axes of q_f; scratch */
    /* [rows] of the operators in the middle: residuals, rates, what they are at rest; at the predicted end; scratch */
    double *gap, *rate, *drift, *end_gap, *end_rate, *row_number;
    /* [entries of G] at the accepted state, as predicted, valid where `knows_rows`; at the end */
    double *G0, *G1;
    /* [rows] means of reactions in the steps before the last; in this one, and what they change by in it */
    double *lambda_past[PAST], *mean, *turn;
    double *kick; /* [rows] impulses of an impact with which the step begins */
    double *contact_impulse, *mean_rate, *row_residual; /* [3 points], [points], [rows of the main problem] */
    size_t contact_room, mean_room, residual_room;

    struct {
        uint8_t *kind;   /* [blocks] */
        double *row, *v; /* [3][rows], [4][nv] */
        size_t kind_room, row_room, v_room;
    } share;

    double *x_end;  /* [nx] predicted states at the end */
    double *driven; /* [7][nx] scratch for states that are functions of time */
    bool drives;    /* there are such states */

    double *event, *jump; /* [2][events], [3][rows] */
    bool driven_rows;     /* there are prescribed motions */
    uint32_t event_room;

    bool plain; /* masses depend on q: momenta are those of the middle, and are not transported */
    bool turns; /* there are axes that rotate */
    uint32_t triples, *triple;       /* first coordinates of the angular vectors */
    bool joints;                     /* some rows of the operators are joints */
    bool only_joints, all_positions; /* all rows of the operators are joints; are position rows */

    /* A, and its factors where it is more than the masses */
    tn_matrix A;
    int32_t *A_start, *A_row, *A_place; /* A_place: of its entries in the matrix of the system */
    double *A_value, *M_value;          /* M_value: of the masses alone, where they do not change */
    void *A_system;
    bool A_known, A_block_diagonal;
    uint64_t matrices; /* number of matrices A so far */

    moreau_problem main, projection;
    moreau_files files;
    tn_impulse_outcome outcome;
    const char *failed;             /* why the last attempt has failed */
    double h, theta, time0, time_f; /* s: the step and its start; the time of f */
    double reach;                   /* m: the largest approach of surfaces in the step */
    double fall;                    /* m/s: the velocity of free fall after one step */
    double before;                  /* difference of end and prediction in the pass before */
    double stiffness_share;         /* the factor of h^2 K in A, for implicit forces */
    uint32_t past; /* number of earlier steps with known reactions that this one continues; 0 at the start */
    bool smooth, soft; /* reactions, and forces, follow Simpson's rule in the step */
    bool foreseen;     /* the step ended near its first prediction */
    bool solved;       /* impulses are within the tolerance */
    bool begins_step;  /* no problem of this step has been solved yet */
} moreau_work;

/* Why a step fails, as long as nothing else is known. */
#define TN_MOREAU_NO_VALUE "a law has no value there"

/* As fmax(), which compilers call as a function, for a first number that is one. */
static inline double tn_moreau_larger(double a, double b) { return b > a ? b : a; }

/* momentum.c: predicts Pp, q1 and v1 by the accelerations of the step before. */
tn_status tn_moreau_predict(moreau_work *work);
/* v1 and q1 of the momentum P in the axes of q_axes; v1 contains an initial guess. */
tn_status tn_moreau_find_end(moreau_work *work, const double *P);
/* v1 of P1 at q1. */
tn_status tn_moreau_turn_velocities(moreau_work *work);
/* Adds w x (M v), the apparent moment in rotating axes, to the angular parts of `sum`. */
tn_status tn_moreau_add_turning(moreau_work *work, const double *v, double *sum);

/* masses.c: chooses whether forces are implicit; A at the state in the middle; x = A^-1 x. */
tn_status tn_moreau_choose_forces(moreau_work *work);
tn_status tn_moreau_renew_matrix(moreau_work *work);
tn_status tn_moreau_divide(moreau_work *work, double *x);
bool tn_moreau_make_matrix(moreau_work *work);

/* blocks.c: gathers the rows of a step, of elements and points of contact, and distributes their impulses. */
tn_status tn_moreau_gather(moreau_work *work);
void tn_moreau_add_end_rates(moreau_work *work);
double *tn_moreau_row_numbers(moreau_work *work); /* scratch [rows of the main problem], or NULL */
void tn_moreau_add_impulses(const moreau_problem *problem, double *sum);
tn_status tn_moreau_settle(moreau_work *work);
/* share.c: chooses impulses of least norm where those of contacts are not unique; writes the note at the end of a run. */
tn_status tn_moreau_share(moreau_work *work);
void tn_moreau_tell_shared(const moreau_work *work);
void tn_moreau_open_problem(moreau_work *work, moreau_problem *problem);
bool tn_moreau_add_block(moreau_problem *problem, uint32_t law, uint32_t rows, uint32_t owner,
                         double friction);
bool tn_moreau_add_row(moreau_problem *problem, uint32_t source, const uint32_t *column, const double *value,
                       uint32_t entries, double free_rate, double impulse);
void tn_moreau_close_problem(moreau_work *work, moreau_problem *problem);
tn_status tn_moreau_solve(moreau_work *work, moreau_problem *problem);
void tn_moreau_free_problem(moreau_problem *problem, const tn_constraint_solver_type *type);
const char *tn_moreau_worst_name(const moreau_work *work);

/* problem_files.c: around the calls of the constraint solver for the main problem; `status` is its answer. */
tn_status tn_moreau_open_files(moreau_work *work);
tn_status tn_moreau_keep_guess(moreau_work *work);
void tn_moreau_write_problem(moreau_work *work, tn_status status);

/* curve.c: contributions of rotating rows and changing forces within a smooth step of length `h`. Begins; improves them for another pass; adds
 * them to q_m, to the impulses c and y, and to q1. `stiffness_share` is known. */
void tn_moreau_open_curve(moreau_work *work);
/* Keeps data of the accepted step for later ones. */
void tn_moreau_remember(moreau_work *work);
/* Extrapolates number k from the `known` last ones. */
double tn_moreau_extrapolate(uint32_t known, const double *last, double *const *past, uint32_t k);
tn_status tn_moreau_improve_curve(moreau_work *work);
tn_status tn_moreau_drop_curve(moreau_work *work); /* the motion is not smooth */
void tn_moreau_bend_to_middle(moreau_work *work);
tn_status tn_moreau_add_ends(moreau_work *work);
tn_status tn_moreau_follow_curve(moreau_work *work);
void tn_moreau_keep_end(moreau_work *work);  /* rows and forces at the predicted end, evaluated */
void tn_moreau_keep_rows(moreau_work *work); /* those at the end of the step, for the next one */
bool tn_moreau_make_curve(moreau_work *work);

/* driven.c: predicts x_end, exactly for states that are functions of time. */
bool tn_moreau_make_driven(moreau_work *work);
tn_status tn_moreau_foresee_states(moreau_work *work);

/* fresh.c: an impact at an accepted state that does not continue an earlier step. */
tn_status tn_moreau_begin_anew(moreau_work *work);

/* kinks.c: the end of the step that begins now, at most `end`; `seen` is right before it where a signal jumps there. */
bool tn_moreau_make_events(moreau_work *work);
double tn_moreau_first_kink(moreau_work *work, double end, double *seen);

/* project.c: projects q1 onto the rows at the end of the step. */
tn_status tn_moreau_project(moreau_work *work);
/* Corrects the evaluated end of the step unless it satisfies the joints. */
tn_status tn_moreau_refine(moreau_work *work);

double tn_moreau_row_share(const moreau_work *work);
/* step.c: attempts a step by h from the last accepted state; afterwards the system is evaluated at the end. */
tn_status tn_moreau_try_step(moreau_work *work, double h, double end);
void tn_moreau_keep_start(moreau_work *work);
void tn_moreau_restore_start(moreau_work *work);

/* grid.c */
tn_status tn_moreau_steps(moreau_work *work, double until, uint64_t most);

#endif
