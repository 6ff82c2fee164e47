/* error_scale.h - what errors are measured against, for solvers with error control (tenon/draft/error_scale.h) */
#ifndef TN_ERROR_SCALE_H
#define TN_ERROR_SCALE_H

#include "extensions/extension.h"

#include <tenon/draft/error_scale.h>

/* Made anew at each call, in the memory of the model. */
const tn_error_scale *tn_error_scale_of(tn_assembly *assembly);

#endif
