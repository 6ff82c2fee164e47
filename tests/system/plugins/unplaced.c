/* unplaced.c - a mass_point that does not say which of its parameters is its place, for test_parts.c */
#include <tenon/author.h>

#define TN_MOVES 0u
#define TN_TURNS 0u
#include "../../../plugins/elements/mass_point/mass_point.c"
