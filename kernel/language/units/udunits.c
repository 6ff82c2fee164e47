/* udunits.c - opens the library UDUNITS (see udunits.h) */
#include "units/udunits.h"

#include "base/memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

static tn_udunits functions;

static bool find_function(void *handle, const char *name, void *function)
{
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

const tn_udunits *tn_udunits_open(const char **reason)
{
    static bool found;
    if (found) return &functions;
    errno = 0;
    void *handle = dlopen(TENON_UDUNITS, RTLD_NOW | RTLD_LOCAL);
    if (!handle) tn_check_memory(TENON_UDUNITS);
    found = handle != NULL;
#define FIND(name) found = found && find_function(handle, #name, &functions.name);
    TN_UDUNITS_FUNCTIONS(FIND)
    if (found) return &functions;
    *reason = dlerror();
    if (!*reason) *reason = "the dynamic linker gave no reason";
    return NULL;
}
