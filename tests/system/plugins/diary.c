/* diary.c - a writer that converts, written with the draft headers only: it lists the contents of a recording in diary.txt; or fails in one way or
 * another. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <tenon/draft/recording.h>
#include <tenon/plugin.h>

enum { NO_FAULT, ENDS, REFUSES, OTHER_NAME, MAKES_FOLDER, MAKES_NOTHING };

typedef struct diary {
    int64_t fault;
} diary;

static const tn_parameter parameters[] = {{.name = "fault",
                                           .meaning = "what goes wrong",
                                           .unit = "",
                                           .offset = offsetof(diary, fault),
                                           .kind = TN_KIND_INTEGER,
                                           .count = 1,
                                           .high = MAKES_NOTHING},
                                          {0}};

static FILE *make_file(const char *folder, const char *name)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "wx");
}

static void tell_recording(FILE *file, const tn_recording *recording)
{
    (void)fprintf(file, "%s, %s, from %g to %g\n", recording->title, recording->status, recording->start_time,
                  recording->time_reached);
    for (uint32_t k = 0; k < recording->tables; k++)
        (void)fprintf(file, "table %s, %u columns, %llu rows\n", recording->table[k].name,
                      recording->table[k].columns, (unsigned long long)recording->table[k].rows);
    for (uint32_t k = 0; k < recording->tracks; k++)
        (void)fprintf(file, "track %s, %s%s%s\n", recording->track[k].name, recording->track[k].type,
                      recording->track[k].is_body ? ", body" : "",
                      recording->track[k].has_rotation ? ", turns" : "");
    for (uint32_t k = 0; k < recording->drawings; k++)
        (void)fprintf(file, "drawing %s, kind %u%s\n", recording->drawing[k].name,
                      recording->drawing[k].drawing.kind,
                      recording->drawing[k].is_default ? ", default" : "");
    for (uint32_t k = 0; k < recording->wrenches; k++)
        (void)fprintf(file, "wrench %s, %s\n", recording->wrench[k].element, recording->wrench[k].type);
    for (uint32_t k = 0; k < recording->events; k++)
        (void)fprintf(file, "event %.9g %s %s\n", recording->event[k].time, recording->event[k].element,
                      recording->event[k].text);
    for (uint32_t k = 0; k < recording->modes; k++)
        (void)fprintf(file, "mode %.9g %.9g\n", recording->mode[k].eigenvalue[0],
                      recording->mode[k].eigenvalue[1]);
}

static tn_status convert(const tn_host *host, const void *instance, const tn_recording *const *recording,
                         uint32_t count, const char *folder)
{
    const diary *self = instance;
    char path[4096];
    if (self->fault == REFUSES) return tn_refuse(host, NULL, "it does not want to");
    if (self->fault == MAKES_NOTHING) return TN_OK;
    FILE *file = make_file(folder, "diary.txt"), *other = NULL;
    if (!file) return TN_FATAL;
    for (uint32_t k = 0; k < count; k++)
        tell_recording(file, recording[k]);
    if (fclose(file) != 0) return TN_FATAL;
    if (self->fault == OTHER_NAME && (other = make_file(folder, "model.txt"))) (void)fclose(other);
    (void)snprintf(path, sizeof path, "%s/diary.d", folder);
    if (self->fault == MAKES_FOLDER) (void)mkdir(path, 0777);
    return self->fault == ENDS ? TN_FATAL : TN_OK;
}

static const tn_conversion conversion = {.struct_size = sizeof conversion, .most = 2, .convert = convert};
static const tn_capability capabilities[] = {{TN_CONVERSION_KEY, &conversion}, {NULL, NULL}};
static const tn_writer_type type = {.struct_size = sizeof type,
                                    .name = "diary",
                                    .parameters = parameters,
                                    .instance_size = sizeof(diary),
                                    .summary = "tells what a recording holds",
                                    .capabilities = capabilities};
static const tn_type types[] = {{TN_WRITER_KIND, &type}, {NULL, NULL}};
static const tn_library library = {.struct_size = sizeof library,
                                   .abi_major = TN_ABI_MAJOR,
                                   .abi_minor = TN_ABI_MINOR,
                                   .name = "diary",
                                   .version = "1.0.0",
                                   .licence = "Apache-2.0",
                                   .summary = "a writer that converts",
                                   .types = types};
TN_EXPORT const tn_library *tn_plugin_library(void);
const tn_library *tn_plugin_library(void) { return &library; }
