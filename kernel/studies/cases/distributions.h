/* distributions.h - inverse distribution functions, by formula. */
#ifndef TN_DISTRIBUTIONS_H
#define TN_DISTRIBUTIONS_H

/* Of the normal distribution with mean 0 and deviation 1: -inf at 0, inf at 1. */
double tn_normal_quantile(double share);
/* Of the triangular distribution between low and high, with its top at `mode`. */
double tn_triangular_quantile(double share, double low, double mode, double high);

#endif
