/* values.h - values that read the state: the source of them for the system */
#ifndef TN_VALUES_H
#define TN_VALUES_H

#include "system/value_source.h"

extern const tn_value_source tn_state_values;

#endif
