/* stops.c - which stops steps have to end at (see stops.h) */
#include "extensions/stops.h"

#include "system/services.h"
#include "system/value_source.h"

#include <math.h>

static double landing(tn_system *system)
{
    const tn_assembly *assembly = (const tn_assembly *)system;
    const tn_value_source *values = assembly->services->values;
    const double stop = values ? values->next_stop(assembly, system->run->relative_tolerance) : HUGE_VAL;
    return fmin(stop, system->next_change);
}

const tn_stops tn_stops_table = {.struct_size = sizeof tn_stops_table, .landing = landing};
