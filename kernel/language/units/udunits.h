/* udunits.h - the library UDUNITS, which is opened when a unit is asked for that the table of known ones does not have: most runs do
 * without it, and without the parser of XML that it brings along. */
#ifndef TN_UDUNITS_H
#define TN_UDUNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <udunits2.h>

#define TN_UDUNITS_FUNCTIONS(X)     \
    X(cv_convert_double)            \
    X(cv_free)                      \
    X(ut_format)                    \
    X(ut_free)                      \
    X(ut_free_system)               \
    X(ut_get_converter)             \
    X(ut_get_unit_by_name)          \
    X(ut_map_symbol_to_unit)        \
    X(ut_parse)                     \
    X(ut_read_xml)                  \
    X(ut_scale)                     \
    X(ut_set_error_message_handler) \
    X(ut_trim)

#define TN_UDUNITS_MEMBER(name) __typeof__(&(name)) name;
typedef struct tn_udunits {
    TN_UDUNITS_FUNCTIONS(TN_UDUNITS_MEMBER)
} tn_udunits;

/* Its functions; NULL when it cannot be opened, with the reason of the dynamic linker. It stays open. */
const tn_udunits *tn_udunits_open(const char **reason);

#endif
