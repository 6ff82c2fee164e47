/* pulled_balls.c - balls.c with a force on each besides its points of contact */
#define PULLED 2.0 /* N, along x */
#include "balls.c"
