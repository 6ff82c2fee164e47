/* signals.c - a plugin for the test of the schema: two functions that [[signal]] tables make. */
#include <tenon/plugin.h>

typedef struct spline {
    tn_list x, y;
    int32_t interpolation;
} spline;

static const tn_parameter spline_parameters[] = {{.name = "x",
                                                  .meaning = "places",
                                                  .unit = TN_ANY_UNIT,
                                                  .low = -TN_UNBOUNDED,
                                                  .high = TN_UNBOUNDED,
                                                  .offset = offsetof(spline, x),
                                                  .kind = TN_KIND_LIST,
                                                  .count = 1,
                                                  .flags = TN_REQUIRED},
                                                 {.name = "y",
                                                  .meaning = "values",
                                                  .unit = TN_ANY_UNIT,
                                                  .low = -TN_UNBOUNDED,
                                                  .high = TN_UNBOUNDED,
                                                  .offset = offsetof(spline, y),
                                                  .kind = TN_KIND_LIST,
                                                  .count = 1,
                                                  .flags = TN_REQUIRED},
                                                 {.name = "interpolation",
                                                  .meaning = "between the places",
                                                  .unit = "",
                                                  .detail = "linear|akima",
                                                  .offset = offsetof(spline, interpolation),
                                                  .kind = TN_KIND_CHOICE,
                                                  .count = 1},
                                                 {0}};
static const tn_parameter wave_parameters[] = {{.name = "amplitude",
                                                .meaning = "its height",
                                                .unit = "m",
                                                .high = TN_UNBOUNDED,
                                                .kind = TN_KIND_REAL,
                                                .count = 1,
                                                .flags = TN_REQUIRED},
                                               {0}};

/* Nobody calls it: only what the types say about themselves is read. */
static tn_status no_value(const void *instance, const double *arguments, double *value, double *first,
                          double *second)
{
    (void)instance, (void)arguments, (void)value, (void)first, (void)second;
    return TN_UNSUPPORTED;
}

static const tn_function_type spline_type = {.struct_size = sizeof(tn_function_type),
                                             .arguments = 2,
                                             .optional = 1,
                                             .name = "spline",
                                             .summary = "a curve through points",
                                             .parameters = spline_parameters,
                                             .instance_size = sizeof(spline),
                                             .value = no_value};
static const tn_function_type wave_type = {.struct_size = sizeof(tn_function_type),
                                           .arguments = 1,
                                           .name = "wave",
                                           .summary = "a wave",
                                           .parameters = wave_parameters,
                                           .instance_size = sizeof(double),
                                           .value = no_value};
static const tn_function_type plain_type = {.struct_size = sizeof(tn_function_type),
                                            .arguments = 1,
                                            .name = "plain",
                                            .summary = "a function that no table makes",
                                            .value = no_value};
static const tn_type types[] = {{TN_FUNCTION_KIND, &spline_type},
                                {TN_FUNCTION_KIND, &wave_type},
                                {TN_FUNCTION_KIND, &plain_type},
                                {NULL, NULL}};
static const tn_library library = {
    sizeof(tn_library), TN_ABI_MAJOR,          TN_ABI_MINOR, 0, "signals", "1.0.0",
    "Apache-2.0",       "functions of a test", types};

TN_EXPORT const tn_library *tn_plugin_main(void);
const tn_library *tn_plugin_main(void) { return &library; }
