/* tenon/parameters.h - one list of parameters becomes the instance of a type, its table, and what the differentiating passes
 * see of it; included by author.h, which explains the list. */
#ifndef TENON_PARAMETERS_H
#define TENON_PARAMETERS_H

#include "tenon/algebra.h"
#include "tenon/plugin.h"

#include <string.h>

#define TN_FIELD(kind, ...) TN_FIELD_##kind(__VA_ARGS__)
#define TN_FIELD_REAL(name, unit, flags, standard, low, high, meaning) TN_SCALAR name;
#define TN_FIELD_VECTOR(name, unit, flags, meaning) TN_TRIPLE name;
#define TN_FIELD_REALS(name, count, alternative, unit, flags, standard, low, high, meaning) \
    TN_SCALAR name[count];
#define TN_FIELD_ROTATION(name, flags, meaning) double name[9];
#define TN_FIELD_INTEGER(name, flags, standard, low, high, meaning) int64_t name;
#define TN_FIELD_BOOLEAN(name, flags, standard, meaning) int32_t name;
#define TN_FIELD_BOOLEANS(name, count, flags, standard, meaning) int32_t name[count];
#define TN_FIELD_CHOICE(name, words, flags, standard, meaning) int32_t name;
#define TN_FIELD_TEXT(name, flags, meaning) const char *name;
#define TN_FIELD_CALLABLE(name, unit, arguments, flags, meaning) tn_callable name;
#define TN_FIELD_LIST(name, unit, flags, meaning) tn_list name;
#define TN_FIELD_FILE(name, flags, meaning) const char *name;
#define TN_FIELD_TEXTS(name, flags, meaning) tn_texts name;
#define TN_FIELD_PRIVATE(type, name) type name;

#if TN_VALUES

#define TN_SCALAR tn_real
#define TN_TRIPLE tn_vec3

/* Declares `self`, what the text of the context's instance sees of its parameters; likewise for texts whose parameters have
 * no derivatives. */
#define TN_SELF(name, instance, context) const name *const self = (const name *)(instance)
#define TN_CONSTANT_SELF(name, instance) const name *const self = (const name *)(instance)

#define TN_ROW(kind, ...) TN_ROW_##kind(__VA_ARGS__)
#define TN_ROW_REAL(name, unit, flags, standard, low, high, meaning) \
    {#name, meaning, unit, NULL, standard, low, high, offsetof(tn_self, name), TN_KIND_REAL, 1, 0, flags, 0},
#define TN_ROW_VECTOR(name, unit, flags, meaning)                                                   \
    {#name,        meaning, unit, NULL,  0.0, -TN_UNBOUNDED, TN_UNBOUNDED, offsetof(tn_self, name), \
     TN_KIND_REAL, 3,       0,    flags, 0},
#define TN_ROW_REALS(name, count, alternative, unit, flags, standard, low, high, meaning)     \
    {#name,        meaning, unit,        NULL,  standard, low, high, offsetof(tn_self, name), \
     TN_KIND_REAL, count,   alternative, flags, 0},
#define TN_ROW_ROTATION(name, flags, meaning) \
    {                                         \
        #name,                                \
        meaning,                              \
        "",                                   \
        NULL,                                 \
        0.0,                                  \
        -TN_UNBOUNDED,                        \
        TN_UNBOUNDED,                         \
        offsetof(tn_self, name),              \
        TN_KIND_ROTATION,                     \
        1,                                    \
        0,                                    \
        flags,                                \
        0},
#define TN_ROW_INTEGER(name, flags, standard, low, high, meaning) \
    {#name, meaning, "", NULL, standard, low, high, offsetof(tn_self, name), TN_KIND_INTEGER, 1, 0, flags, 0},
#define TN_ROW_BOOLEAN(name, flags, standard, meaning) \
    {#name, meaning, "", NULL, standard, 0.0, 1.0, offsetof(tn_self, name), TN_KIND_BOOLEAN, 1, 0, flags, 0},
#define TN_ROW_BOOLEANS(name, count, flags, standard, meaning)                         \
    {#name,           meaning, "", NULL,  standard, 0.0, 1.0, offsetof(tn_self, name), \
     TN_KIND_BOOLEAN, count,   0,  flags, 0},
#define TN_ROW_CHOICE(name, words, flags, standard, meaning)                                             \
    {#name,          meaning, "", words, standard, -TN_UNBOUNDED, TN_UNBOUNDED, offsetof(tn_self, name), \
     TN_KIND_CHOICE, 1,       0,  flags, 0},
#define TN_ROW_TEXT(name, flags, meaning)                                                         \
    {#name,        meaning, "", NULL,  0.0, -TN_UNBOUNDED, TN_UNBOUNDED, offsetof(tn_self, name), \
     TN_KIND_TEXT, 1,       0,  flags, 0},
#define TN_ROW_CALLABLE(name, unit, arguments, flags, meaning) \
    {#name,                                                    \
     meaning,                                                  \
     unit,                                                     \
     arguments,                                                \
     0.0,                                                      \
     -TN_UNBOUNDED,                                            \
     TN_UNBOUNDED,                                             \
     offsetof(tn_self, name),                                  \
     TN_KIND_CALLABLE,                                         \
     1,                                                        \
     0,                                                        \
     flags,                                                    \
     0},
#define TN_ROW_LIST(name, unit, flags, meaning)                                                     \
    {#name,        meaning, unit, NULL,  0.0, -TN_UNBOUNDED, TN_UNBOUNDED, offsetof(tn_self, name), \
     TN_KIND_LIST, 1,       0,    flags, 0},
#define TN_ROW_FILE(name, flags, meaning)                                                         \
    {#name,        meaning, "", NULL,  0.0, -TN_UNBOUNDED, TN_UNBOUNDED, offsetof(tn_self, name), \
     TN_KIND_FILE, 1,       0,  flags, 0},
#define TN_ROW_TEXTS(name, flags, meaning)                                                         \
    {#name,         meaning, "", NULL,  0.0, -TN_UNBOUNDED, TN_UNBOUNDED, offsetof(tn_self, name), \
     TN_KIND_TEXTS, 1,       0,  flags, 0},
#define TN_ROW_PRIVATE(type, name)

/* Declares the instance `name` and the table `name_parameters`. One type per source file. */
#define TN_PARAMETERS(name, LIST)      \
    typedef struct name {              \
        LIST(TN_FIELD) char tn_end[0]; \
    } name;                            \
    typedef name tn_self;              \
    static const tn_parameter name##_parameters[] = {LIST(TN_ROW) TN_END};

/* Instead, for a type without parameters: a source file may hold several of them. */
#define TN_NO_PARAMETERS(name) \
    typedef struct name {      \
        char tn_end[0];        \
    } name;                    \
    static const tn_parameter name##_parameters[] = {TN_END};

#else

#define TN_SCALAR double
#define TN_TRIPLE tn_storage_triple
typedef struct tn_storage_triple {
    double e[3];
} tn_storage_triple;

#define TN_VIEW(kind, ...) TN_VIEW_##kind(__VA_ARGS__)
#define TN_VIEW_REAL(name, unit, flags, standard, low, high, meaning) tn_real name;
#define TN_VIEW_VECTOR(name, unit, flags, meaning) tn_vec3 name;
#define TN_VIEW_REALS(name, count, alternative, unit, flags, standard, low, high, meaning) \
    tn_real name[count];
#define TN_VIEW_ROTATION TN_FIELD_ROTATION
#define TN_VIEW_INTEGER TN_FIELD_INTEGER
#define TN_VIEW_BOOLEAN TN_FIELD_BOOLEAN
#define TN_VIEW_BOOLEANS TN_FIELD_BOOLEANS
#define TN_VIEW_CHOICE TN_FIELD_CHOICE
#define TN_VIEW_TEXT TN_FIELD_TEXT
#define TN_VIEW_CALLABLE TN_FIELD_CALLABLE
#define TN_VIEW_LIST TN_FIELD_LIST
#define TN_VIEW_FILE TN_FIELD_FILE
#define TN_VIEW_TEXTS TN_FIELD_TEXTS
#define TN_VIEW_PRIVATE TN_FIELD_PRIVATE

#define TN_COPY(kind, ...) TN_COPY_##kind(__VA_ARGS__)
#define TN_COPY_REAL(name, unit, flags, standard, low, high, meaning) \
    tn_copy_reals(&to->name, &from->name, offsetof(tn_stored, name), 1, dynamics, dynamic_count, first);
#define TN_COPY_VECTOR(name, unit, flags, meaning) \
    tn_copy_reals(to->name.e, from->name.e, offsetof(tn_stored, name), 3, dynamics, dynamic_count, first);
#define TN_COPY_REALS(name, count, alternative, unit, flags, standard, low, high, meaning) \
    tn_copy_reals(to->name, from->name, offsetof(tn_stored, name), count, dynamics, dynamic_count, first);
#define TN_COPY_ROTATION(name, flags, meaning) memcpy(to->name, from->name, sizeof to->name);
#define TN_COPY_INTEGER(name, flags, standard, low, high, meaning) to->name = from->name;
#define TN_COPY_BOOLEAN(name, flags, standard, meaning) to->name = from->name;
#define TN_COPY_BOOLEANS(name, count, flags, standard, meaning) memcpy(to->name, from->name, sizeof to->name);
#define TN_COPY_CHOICE(name, words, flags, standard, meaning) to->name = from->name;
#define TN_COPY_TEXT(name, flags, meaning) to->name = from->name;
#define TN_COPY_CALLABLE(name, unit, arguments, flags, meaning) to->name = from->name;
#define TN_COPY_LIST(name, unit, flags, meaning) to->name = from->name;
#define TN_COPY_FILE(name, flags, meaning) to->name = from->name;
#define TN_COPY_TEXTS(name, flags, meaning) to->name = from->name;
#define TN_COPY_PRIVATE(type, name) memcpy(&to->name, &from->name, sizeof to->name);

/* Copies stored parameters into scalars of the pass; those of the dynamic list get columns from `first` on
 * (which may be negative or beyond the sweep). */
static inline TN_UNUSED void tn_copy_reals(tn_real *to, const double *from, size_t offset, int count,
                                           const tn_dynamic *dynamics, uint32_t dynamic_count, int first)
{
    for (int i = 0; i < count; i++)
        to[i] = tn_constant(from[i]);
    for (uint32_t k = 0; k < dynamic_count; first += (int)dynamics[k].count, k++)
        if (dynamics[k].offset == offset)
            for (int i = 0; i < count; i++)
                if (first + i >= 0 && first + i < TN_SEEDS) tn_seed(&to[i], first + i, 1.0);
}

/* Declares `self`, what the text of the context's instance sees of its parameters, with the seeds of the sweep; likewise
 * without seeds. */
#define TN_SELF(name, instance, context)                                                \
    TN_SELF_SEEDED(name, instance, (context)->batch->dynamic, (context)->dynamic_count, \
                   (context)->dynamic_seed)
#define TN_CONSTANT_SELF(name, instance) TN_SELF_SEEDED(name, instance, NULL, 0, 0)
#define TN_SELF_SEEDED(name, instance, dynamics, dynamic_count, first)                     \
    name view;                                                                             \
    name##_copy(&view, (const name##_stored *)(instance), dynamics, dynamic_count, first); \
    const name *const self = &view

/* The stored instance, the view that the text sees (scalars of the pass), and the way from one to the other. */
#define TN_PARAMETERS(name, LIST)                                                                           \
    typedef struct name##_stored {                                                                          \
        LIST(TN_FIELD) char tn_end[0];                                                                      \
    } name##_stored;                                                                                        \
    typedef struct name {                                                                                   \
        LIST(TN_VIEW) char tn_end[0];                                                                       \
    } name;                                                                                                 \
    static inline TN_UNUSED void name##_copy(name *to, const name##_stored *from,                           \
                                             const tn_dynamic *dynamics, uint32_t dynamic_count, int first) \
    {                                                                                                       \
        typedef name##_stored tn_stored;                                                                    \
        (void)to, (void)from, (void)dynamics, (void)dynamic_count, (void)first, (void)sizeof(tn_stored);    \
        LIST(TN_COPY)                                                                                       \
    }

#define TN_NO_PARAMETERS(name)                                                                        \
    typedef struct name {                                                                             \
        char tn_end[0];                                                                               \
    } name;                                                                                           \
    typedef name name##_stored;                                                                       \
    static inline TN_UNUSED void name##_copy(TN_UNUSED name *to, TN_UNUSED const name##_stored *from, \
                                             TN_UNUSED const tn_dynamic *dynamics,                    \
                                             TN_UNUSED uint32_t dynamic_count, TN_UNUSED int first)   \
    {                                                                                                 \
    }

#endif

#endif
