/* stops.h - which stops steps have to end at (tenon/draft/stops.h) */
#ifndef TN_STOPS_H
#define TN_STOPS_H

#include "extensions/extension.h"

#include <tenon/draft/stops.h>

extern const tn_stops tn_stops_table;

#endif
