/* number.cpp - the border to std::to_chars of the C++ library, which has Ryu (Adams 2018): nothing here allocates or throws. */
#include "number.h"

#include <charconv>

char *tn_csv_number(char *to, char *end, double value) { return std::to_chars(to, end, value).ptr; }
