/* wave.c - a plugin for the test of the schema: a function that [[signal]] tables make, and one without data. */
#include <tenon/plugin.h>

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
static const tn_type types[] = {
    {TN_FUNCTION_KIND, &wave_type}, {TN_FUNCTION_KIND, &plain_type}, {NULL, NULL}};
static const tn_library library = {
    sizeof(tn_library), TN_ABI_MAJOR,          TN_ABI_MINOR, 0, "wave", "1.0.0",
    "Apache-2.0",       "functions of a test", types};

TN_EXPORT const tn_library *tn_plugin_library(void);
const tn_library *tn_plugin_library(void) { return &library; }
