/* contacts.h - points of contact of elements, and their rows, for solvers by impulses (tenon/draft/contacts.h)
 *
 * Elements find their points, instance by instance; the rows follow from the Jacobians of the markers. After a step the impulses are kept as
 * initial values of the next one, and act as mean reactions in later evaluations and in results. */
#ifndef TN_CONTACTS_H
#define TN_CONTACTS_H

#include "extensions/extension.h"

#include <tenon/draft/contacts.h>
#include <tenon/draft/stepping.h>

/* Made at the first call; NULL where no element has points of contact, without memory, or without operators. */
const tn_contact_rows *tn_contact_rows_of(tn_assembly *assembly);
/* The first element with points of contact, which need a solver by impulses, or TN_NONE. */
uint32_t tn_contact_item(tn_assembly *assembly);
/* Whether a solver has asked for the rows. */
bool tn_contacts_are_heard(const tn_assembly *assembly);
void tn_contacts_list_state(tn_assembly *assembly, tn_state_visitor *visitor);

/* The largest overlap of the points of the last find(), m, or 0. */
double tn_contacts_depth(const tn_assembly *assembly);

#endif
