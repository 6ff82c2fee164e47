/* call_site.c - the current call (see call_site.h) */
#include "plugin/call_site.h"

_Thread_local const tn_call_site *tn_site;
