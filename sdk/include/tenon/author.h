/* tenon/author.h - writing plugins: one function becomes values, exact tangent and batch loops.
 *
 * A connector states its parameters as one list, its law as one function of its markers:
 *
 *     #define SPRING(P) P(REAL, stiffness, "N/m", TN_REQUIRED, 0, 0, TN_UNBOUNDED, "force per stretch")
 *     TN_PARAMETERS(spring, SPRING)
 *     TN_FORCE(spring, TN_POINT, 2) { ... read self, marker, context; write wrench; return TN_OK; }
 *     TN_PORTS(spring, {"markers", "the two ends", TN_POINT, 2, 2, 0})
 *     TN_ELEMENT(spring, .summary = "...", TN_HAS_FORCE(spring))
 *     TN_LIBRARY("spring", "1.0.0", "Apache-2.0", "...", {TN_ELEMENT_KIND, &spring_type})
 *
 * An element with first-order states has their rates as well: TN_RATES(filter, TN_POINT, 2) { ... read x; write rate } with
 * TN_HAS_RATES(filter); one with algebraic unknowns their equations: TN_ALGEBRAIC(node, TN_POINT, 2) { ... read s; write residual }
 * with TN_HAS_ALGEBRAIC(node).
 *
 * Likewise a marker made of other markers, by its pose and twist: TN_KINEMATICS(middle, TN_POINT, TN_POINT, 2) { ...
 * write out->position and out->velocity } with TN_MARKER(middle, .kind = TN_POINT, ..., TN_HAS_KINEMATICS(middle)).
 *
 * The same file is compiled once per pass (see scalar.h) by `tenon build` or tenon_add_plugin(). In the text
 * of a law write tn_real and the functions of scalar.h and algebra.h, in the common subset of C and C++.
 * What is not differentiated (prepare, layout, initial, outputs, energies, TN_ACCEPTED, TN_EVENTS, TN_ON_EVENT, TN_UPDATE) stands
 * between #if TN_VALUES and #endif, where tn_real is double; so does all of a file without any law (a function of expressions,
 * a solver). In a differentiating pass `self` is a copy of the instance whose numbers carry derivatives; what its pointers lead to
 * is the same. The loops over a batch are inlined functions that take the text as an argument: a debugger steps from them into
 * the text.
 *
 * Kinds of parameter in the list, with their field in `self`:
 *   P(REAL, name, unit, flags, default, low, high, meaning)              tn_real name
 *   P(VECTOR, name, unit, flags, meaning)                                tn_vec3 name (default zero)
 *   P(REALS, name, count, alternative, unit, flags, default, low, high, meaning)   tn_real name[count]
 *   P(ROTATION, name, flags, meaning)                                    double name[9] (default identity)
 *   P(INTEGER, name, flags, default, low, high, meaning)                 int64_t name
 *   P(BOOLEAN, name, flags, default, meaning)                            int32_t name
 *   P(BOOLEANS, name, count, flags, default, meaning)                    int32_t name[count]
 *   P(CHOICE, name, "a|b|c", flags, default index, meaning)              int32_t name
 *   P(TEXT, name, flags, meaning)                                        const char *name
 *   P(CALLABLE, name, unit, "argument [unit], ...", flags, meaning)      tn_callable name
 *   P(LIST, name, unit, flags, meaning)                                  tn_list name
 *   P(FILE, name, flags, meaning)                                        const char *name: a path
 *   P(TEXTS, name, flags, meaning)                                       tn_texts name
 *   P(PRIVATE, type, name)                                               type name: not in the model, for prepare
 * A REAL, VECTOR or REALS flagged TN_DYNAMIC carries derivatives where the model gives an expression. A CALLABLE that is
 * flagged so may read the state besides its arguments; a law calls it at one set of arguments only. */
#ifndef TENON_AUTHOR_H
#define TENON_AUTHOR_H

#include "tenon/algebra.h"
#include "tenon/plugin.h"

#include <string.h>

#include "tenon/context.h"
#include "tenon/parameters.h"
#include "tenon/turns.h"

#include "tenon/loops.h"

#if TN_VALUES

#include "tenon/values.h"

#include "tenon/calls.h"

#include "tenon/results.h"

#include "tenon/descriptors.h"

#else

#include "tenon/tangent.h"

#include "tenon/calls.h"

#include "tenon/results.h"

#define TN_PORTS(name, ...)
#define TN_OUTPUTS(name, ...)
#define TN_SYNONYMS(name, ...)
#define TN_ELEMENT(name, ...)
#define TN_MARKER(name, ...)
#define TN_SOLVER(name, ...)
#define TN_FUNCTION(name, ...)
#define TN_LIBRARY(name, ...)

#endif

#endif
