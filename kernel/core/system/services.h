/* services.h - what the system calls if it is there: tables of functions, given when a model is assembled
 *
 * The system evaluates, solves and steps by itself. Expressions that read the state, energies, dependent rows, the explanation of
 * failures differences in place of exact tangents and changes of the model are no part of it: whoever assembles a model gives a table for each of these topics, NULL for none. What happens without
 * one is said in the table's header. The tables outlive the assembly. */
#ifndef TN_SERVICES_H
#define TN_SERVICES_H

typedef struct tn_services {
    const struct tn_value_source *values;     /* value_source.h */
    const struct tn_energy_source *energies;  /* energy_source.h */
    const struct tn_row_analysis *rows;       /* row_analysis.h */
    const struct tn_explanation *explanation; /* explanation.h */
    const struct tn_linear_check *linear;     /* linear.h */
    const struct tn_tangent_source *tangents; /* tangent_source.h */
    const struct tn_change_source *changes;   /* change_source.h */
} tn_services;

#endif
