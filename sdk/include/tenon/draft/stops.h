/* tenon/draft/stops.h - "tenon.stops/1" of tn_system: which of the stops an adaptive solver has to make steps end at, and which only want a
 * state.
 *
 * `next_stop` of tn_system is the next time at which a state is wanted: for a row of the results, or by a caller. A solver whose steps come
 * with a polynomial may go on beyond such times, and hand over states of the polynomial there, in the order of their times, each by
 * accept(); it must not go beyond `landing`. accept() may raise `revision` at any of them, or end the run: what has been found beyond
 * is void then. */
#ifndef TENON_DRAFT_STOPS_H
#define TENON_DRAFT_STOPS_H

#include "tenon/solver.h"

#define TN_STOPS_KEY "tenon.stops/1"
typedef struct tn_stops {
    uint32_t struct_size, reserved;
    /* [hot] The next time, behind the last accepted one, that no evaluation may go beyond: of a change, or where a delay brings back what
     * was not smooth, or has not been recorded yet. HUGE_VAL: none. Never earlier than next_stop. */
    double (*landing)(tn_system *system);
} tn_stops;

#endif
