/* laws.h - STEP, IMPACT and their like for scripts, with derivatives of an order */
#ifndef TENON_PYTHON_LAWS_H
#define TENON_PYTHON_LAWS_H

#include "interpreter.h"

#include <tenon/host.h>

/* Functions for all scripts, up to one without a name. */
extern PyMethodDef tenon_python_laws[];
/* Before the first call of one. */
void tenon_python_open_laws(const tn_host *host);

#endif
