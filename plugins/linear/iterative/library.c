/* library.c - what the plugin exports */
#include "iterative.h"

TN_LIBRARY("iterative", "1.0.0", "Apache-2.0", "iterative solvers of linear systems, for very large models",
           {TN_LINEAR_KIND, &pcg_type}, {TN_LINEAR_KIND, &minres_type}, {TN_LINEAR_KIND, &gmres_type})
