/* udunits.c - opens the library UDUNITS (see udunits.h) */
#include "units/udunits.h"

#include "base/memory.h"

#include <dlfcn.h>
#include <errno.h>

static tn_udunits functions;

const tn_udunits *tn_udunits_open(const char **reason)
{
    static bool found;
    if (found) return &functions;
    errno = 0;
    void *handle = dlopen(TENON_UDUNITS, RTLD_NOW | RTLD_LOCAL);
    if (!handle) tn_check_memory(TENON_UDUNITS);
    found = handle != NULL;
#define FIND(name) found = found && (*(void **)&functions.name = dlsym(handle, #name)) != NULL;
    TN_UDUNITS_FUNCTIONS(FIND)
    if (found) return &functions;
    *reason = dlerror();
    if (!*reason) *reason = "the dynamic linker gave no reason";
    return NULL;
}
