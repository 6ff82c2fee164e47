/* checks.c - the gates that a plugin passes before anything of it is used (see checks.h) */
#include "plugin/checks.h"

#include <stdarg.h>
#include <string.h>

enum { FIRST_LIBRARY = 56 }; /* bytes of a tn_library of interface 1.0 */
TN_STATIC_ASSERT(FIRST_LIBRARY <= sizeof(tn_library), "a library may grow at its end");

bool tn_wrong(tn_reason *reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)tn_print_cut_list(reason->text, sizeof reason->text, format, arguments);
    va_end(arguments);
    return false;
}

static bool is_given(const char *text) { return text && *text; }

bool tn_check_library(const tn_library *library, tn_reason *reason)
{
    if (!library) return tn_wrong(reason, TN_PLUGIN_SYMBOL "() returned no library");

    /* the version comes before the size: another version may have another size, but both numbers in place */
    if (library->struct_size < offsetof(tn_library, reserved))
        return tn_wrong(reason, "its struct_size of %u bytes is too small for any interface",
                        library->struct_size);
    if (library->abi_major != TN_ABI_MAJOR)
        return tn_wrong(reason, "built for interface %u.%u, this kernel offers %u.%u", library->abi_major,
                        library->abi_minor, TN_ABI_MAJOR, TN_ABI_MINOR);
    if (library->struct_size < FIRST_LIBRARY)
        return tn_wrong(reason, "its struct_size is %u bytes, interface %u.%u has %zu", library->struct_size,
                        library->abi_major, library->abi_minor, sizeof(tn_library));

    if (!is_given(library->name)) return tn_wrong(reason, "the library has no name");
    if (!is_given(library->version)) return tn_wrong(reason, "library \"%s\" has no version", library->name);
    if (!is_given(library->licence)) return tn_wrong(reason, "library \"%s\" has no licence", library->name);
    if (!library->types) return tn_wrong(reason, "library \"%s\" has no list of types", library->name);
    return true;
}

bool tn_check_type(const tn_kind *kind, const void *type, const tn_loading *loading, tn_reason *reason)
{
    const tn_description description = tn_type_description(kind, type);
    if (!is_given(description.name)) return tn_wrong(reason, "a type of kind %s has no name", kind->key);
    if (!is_given(description.summary))
        return tn_wrong(reason, "%s \"%s\" has no summary", kind->key, description.name);
    if (loading->check_type && !loading->check_type(kind, type, reason)) return false;
    const char *missing = kind->missing ? kind->missing(type) : NULL;
    if (missing)
        return tn_wrong(reason, "%s \"%s\" has no function `%s`", kind->key, description.name, missing);
    return true;
}
