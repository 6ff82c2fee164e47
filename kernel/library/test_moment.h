/* test_moment.h - where a small model stands, for comparisons */
#ifndef TN_TEST_MOMENT_H
#define TN_TEST_MOMENT_H

#include "library/test_library.h"

enum { MOST_NUMBERS = 64 };

typedef struct moment {
    double time, q[MOST_NUMBERS], v[MOST_NUMBERS], sensor[MOST_NUMBERS];
} moment;

static moment look(tenon_model *model)
{
    moment now = {.time = tenon_time(model)};
    tenon_sizes sizes = {.size = sizeof sizes};
    tn_test_good(model, tenon_sizes_of(model, &sizes));
    assert_true(sizes.coordinates <= MOST_NUMBERS && tenon_sensor_count(model) <= MOST_NUMBERS);
    tn_test_good(model, tenon_state(model, now.q, now.v));
    tn_test_good(model, tenon_sensor_values(model, now.sensor));
    return now;
}

#endif
