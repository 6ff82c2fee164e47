/* standard.h - the types that are meant where a model names none: all that the kernel knows of plugins by name. */
#ifndef TN_STANDARD_H
#define TN_STANDARD_H

#define TN_STANDARD_LINEAR "klu"
#define TN_STANDARD_DENSE "dense" /* for what a sparse linear solver does not offer */
#define TN_STANDARD_WRITER "csv"
#define TN_STANDARD_SIGNAL "spline"
#define TN_GLOBAL_FRAME "ground" /* what 0 stands for among the markers of an expression */

#endif
