/* standard.h - the types that are meant where a model names none: all that the kernel knows of plugins by name. */
#ifndef TN_STANDARD_H
#define TN_STANDARD_H

#define TN_STANDARD_LINEAR "chain"
#define TN_LINEAR_FOR_LARGE "multifrontal", "mumps", "umfpack", "klu" /* what large models have besides, where it is installed; a list */
#define TN_STANDARD_DENSE "dense" /* for what a sparse linear solver does not offer */
#define TN_STANDARD_WRITER "csv"
#define TN_STANDARD_PAGE "report"       /* makes pages of results */
#define TN_STANDARD_STUDY_PAGE "study_page"
#define TN_STANDARD_IMPULSES "moreau"   /* for what only impulses hold: points of contact */
#define TN_STANDARD_FOR_JOINTS "direct" /* constraint solvers of solvers by impulses */
#define TN_STANDARD_FOR_CONTACTS "projected_newton"
#define TN_STANDARD_SIGNAL "spline"
#define TN_STANDARD_ROUTINE "routine" /* functions of `library` */
#define TN_STANDARD_SCRIPTS {".py", "python"}, {".lua", "lua"} /* and of `script`, by the ending of the file */
#define TN_STANDARD_MEASURES "forces" /* the library of measures that are known by other names than its own */
#define TN_GLOBAL_FRAME "ground"      /* what 0 stands for among the markers of an expression */

/* Of what `tenon build` puts around a type that it tries. */
#define TN_TRIAL_BODY "rigid_body"
#define TN_TRIAL_SLIDE "mass_1d"   /* has one coordinate */
#define TN_TRIAL_NODE "mass_point" /* is a node of three coordinates */
#define TN_TRIAL_JOINT "revolute"
#define TN_TRIAL_BUSHING "linear_bushing" /* between frames */
#define TN_TRIAL_SPRING "spring_damper"   /* between points */
#define TN_TRIAL_COORDINATE_SPRING "coordinate_spring_damper"
#define TN_TRIAL_VARIABLE "reference_variable"
#define TN_TRIAL_IMPLICIT "generalized_alpha"
#define TN_TRIAL_BY_IMPULSES "moreau"
#define TN_TRIAL_ADAPTIVE "rk"

#endif
