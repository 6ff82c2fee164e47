/* energy.h - energies and momenta.
 *
 * Called by whoever records them, and by the system by way of the table of system/energy_source.h. Energies in J, momenta in kg m/s,
 * angular momenta in kg m^2/s. */
#ifndef TN_ENERGY_H
#define TN_ENERGY_H

#include "system/assembly.h"

struct tn_energies {
    double *product, *rigid_motion; /* M v; a chunk of rigid motions */
    bool *told;                     /* [groups] an energy that cannot be was told */
    struct tn_ledger *ledger;       /* energies that are integrated: ledger.c; NULL: none */
    struct tn_account *account; /* the check of energies: account.c; NULL until the assembly is complete */
};

/* energy.c: potential energy or dissipated power of instances of a group, a chunk at the most; false where there is none. What
 * cannot be is reported once for each group. */
bool tn_energy_values(const tn_assembly *assembly, const tn_group *group, uint32_t first, uint32_t count,
                      bool dissipation, double *value);
/* Adds those of all instances of a group to a sum; false where some of them have no value. */
bool tn_energy_add(const tn_assembly *assembly, const tn_group *group, bool dissipation, double *sum);
/* A sum, and the power of the wrenches on the markers of an instance, W, at these twists of all markers; the batch may be a part of
 * its group. */
double tn_power_add(const tn_batch *batch, size_t instance, const double *twists, double sum);
/* The power that mean reactions of points of contact have in the last evaluation, W, of one instance of a group that has some: their work
 * counts step by step. */
double tn_contact_power(const tn_assembly *assembly, const tn_group *group, size_t instance);
/* At the state of the last tn_evaluate_markers: a^T M b, NAN where there is no mass matrix. */
double tn_mass_product(tn_assembly *assembly, const double *a, const double *b);
double tn_kinetic_energy(tn_assembly *assembly);
/* Momentum and angular momentum about the ground origin, ground axes. */
void tn_momenta(tn_assembly *assembly, double momentum[3], double angular_momentum[3]);
/* mass_power.c: v^T (dM/dt) v / 2 of one instance with a residual, W: what its forces do besides f v. `memory` has
 * tn_mass_power_size() doubles. */
double tn_mass_power(const tn_assembly *assembly, const tn_group *group, uint32_t instance, double *memory);
size_t tn_mass_power_size(const tn_group *group);
/* account.c: the check of energies observes accepted steps (accept.h) from now on; whether the energy of the run has changed by more
 * than came in and went out: by so much (J), this share of the energy in the motion, most of it at this time. */
void tn_account_build(tn_assembly *assembly);
bool tn_account_misfit(const tn_assembly *assembly, double *misfit, double *share, double *time);
/* Points of contact have done this work, J, in the step that ends here. */
void tn_account_contacts(tn_assembly *assembly, double work);
/* Elements have exerted impulses where the step ends. */
void tn_account_impulses(tn_assembly *assembly);
void tn_account_list_state(tn_assembly *assembly, tn_state_visitor *visitor);
/* ledger.c: energies, J, at the state of the last tn_evaluate_markers. The integrated ones are there when some sensor
 * asks for them: they are quadratures of the system. */
double tn_potential_energy(tn_assembly *assembly);
double tn_dissipated_energy(const tn_assembly *assembly);
double tn_supplied_energy(tn_assembly *assembly);
double tn_energy_balance(tn_assembly *assembly);
double tn_element_energy(const tn_assembly *assembly, uint32_t item, enum tn_energy_output output);
void tn_ledger_build(tn_assembly *assembly);
void tn_ledger_start(tn_assembly *assembly); /* the run begins here */
/* The parameter of an element was changed. */
void tn_ledger_changed(tn_assembly *assembly, uint32_t item, uint32_t offset);
void tn_ledger_list_state(tn_assembly *assembly, tn_state_visitor *visitor);
void tn_ledger_rates(tn_assembly *assembly); /* into x_rate */
/* The same where the step ends, of one element: what takes energy away is dissipated. */
void tn_ledger_contacts(tn_assembly *assembly, uint32_t item, double work);
/* The wrenches are impulses, with these means of twists before and behind them; v has changed by `change`. */
void tn_ledger_impulses(tn_assembly *assembly, const double *mean, const double *change);

#endif
