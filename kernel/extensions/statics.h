/* statics.h - potential energy, gravity by a factor, names of motions, for solvers that seek an equilibrium
 * (tenon/draft/statics.h) */
#ifndef TN_STATICS_H
#define TN_STATICS_H

#include "extensions/extension.h"

#include <tenon/draft/statics.h>

/* Made at the first call, in the memory of the model. NULL without memory. */
const tn_statics *tn_statics_of(tn_assembly *assembly);

#endif
