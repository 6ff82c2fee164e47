/* searches.c - the types of this library */
#include <tenon/author.h>
#include <tenon/draft/design.h>

TN_ELSEWHERE(tn_design_type, nelder_mead)
TN_ELSEWHERE(tn_design_type, cma_es)

TN_LIBRARY("searches", "1.0.0", "Apache-2.0", "searches for the best case: simplex, evolution",
           {TN_DESIGN_KIND, &nelder_mead_type}, {TN_DESIGN_KIND, &cma_es_type})
