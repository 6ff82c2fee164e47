/* sparse.c - some eigenvalues of large models (eigen.h) */
#include "eigen.h"

bool tn_eigen_is_sparse(const eigen_work *work, const char **why)
{
    (void)work;
    *why = "not yet";
    return false;
}

tn_status tn_eigen_sparse(eigen_work *work)
{
    (void)work;
    return TN_UNSUPPORTED;
}
