/* on_trial.c - types that `tenon build` tries: a good one, and those that do each another thing that they must not */
#include <poll.h>
#include <tenon/descriptors.h>

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- connectors on one point ----------------------------------------------------------------------------- */

/* A force, and what it does; further fields of the type. */
#define CONNECTOR(title, what, ...)                                                                      \
    static tn_status title##_force(tn_batch *batch)                                                      \
    {                                                                                                    \
        (void)batch;                                                                                     \
        what;                                                                                            \
        return TN_OK;                                                                                    \
    }                                                                                                    \
    static const tn_force_capability title##_forces = {.struct_size = sizeof(tn_force_capability),       \
                                                       .force = title##_force};                          \
    static const tn_capability title##_capabilities[] = {{TN_FORCE_KEY, &title##_forces}, {NULL, NULL}}; \
    static const tn_element_type title##_type = {.struct_size = sizeof(tn_element_type),                 \
                                                 .name = #title,                                         \
                                                 .summary = "connector",                                 \
                                                 .capabilities = title##_capabilities,                   \
                                                 .ports = ports,                                         \
                                                 __VA_ARGS__};

static const tn_port ports[] = {{"markers", "any", TN_POINT, 1, 1, 0}, {0}};

/* What the interface gives as constant is not for writing. */
static double *writable(const double *memory)
{
    double *same;
    memcpy(&same, &memory, sizeof same);
    return same;
}

static void fill(const tn_batch *batch, double number)
{
    for (uint32_t k = 0; k < 3 * batch->count; k++)
        batch->wrench[k] = number;
}

/* Calls the C library, since the thread sanitizer keeps signals until then. */
static void loop(void)
{
    for (;;)
        (void)poll(NULL, 0, 1);
}

static void crash(const tn_batch *batch)
{
    static double *volatile nowhere;
    batch->wrench[0] = *nowhere;
}

static tn_status refuse(const tn_host *host, void *instance)
{
    (void)instance;
    return tn_refuse(host, NULL, "never what it wants");
}

typedef struct mapped {
    const char *map;
} mapped;
static const tn_parameter mapped_parameters[] = {{.name = "map",
                                                  .meaning = "of the ground",
                                                  .unit = "",
                                                  .offset = offsetof(mapped, map),
                                                  .kind = TN_KIND_FILE,
                                                  .count = 1,
                                                  .flags = TN_REQUIRED},
                                                 {0}};

CONNECTOR(good, fill(batch, 0.0))
CONNECTOR(beyond, fill(batch, 0.0); batch->wrench[3 * batch->count] = 1.0)
CONNECTOR(changes, fill(batch, 0.0); writable(batch->pose)[batch->marker[0].pose] += 1.0)
CONNECTOR(unwritten, batch->wrench[0] = 0.0)
CONNECTOR(not_a_number, fill(batch, (double)NAN))
CONNECTOR(endless, loop())
CONNECTOR(crashing, crash(batch))
CONNECTOR(leaving, exit(3))
CONNECTOR(killed, (void)raise(SIGKILL))
CONNECTOR(refusing, fill(batch, 0.0), .prepare = refuse)
CONNECTOR(with_a_file, fill(batch, 0.0), .parameters = mapped_parameters, .instance_size = sizeof(mapped))

/* ---- a solver and a writer ------------------------------------------------------------------------------- */

static tn_status advance_halfway(const void *instance, tn_system *system)
{
    (void)instance;
    system->time = 0.5 * (system->run->start_time + system->run->end_time);
    const tn_status status = system->evaluate(system);
    return status == TN_OK ? system->accept(system) : status;
}

static const tn_solver_type early_type = {.struct_size = sizeof(tn_solver_type),
                                          .name = "early",
                                          .summary = "ends too early",
                                          .advance = advance_halfway};

static tn_status open_nothing(const tn_host *host, const void *instance, const char *directory,
                              const char *table, const tn_column *columns, size_t column_count, void **self)
{
    (void)host, (void)instance, (void)directory, (void)table, (void)columns, (void)column_count;
    *self = NULL;
    return TN_OK;
}
static tn_status keep_nothing(void *self, const double *values)
{
    (void)self, (void)values;
    return TN_OK;
}
static tn_status close_nothing(void *self)
{
    (void)self;
    return TN_OK;
}

static const char *const endings[] = {".nothing", NULL};
static const tn_writer_type idle_type = {.struct_size = sizeof(tn_writer_type),
                                         .name = "idle",
                                         .summary = "writes nothing",
                                         .endings = endings,
                                         .open = open_nothing,
                                         .row = keep_nothing,
                                         .close = close_nothing};

TN_LIBRARY("on_trial", "1.2.3", "Apache-2.0", "types that are tried", {TN_ELEMENT_KIND, &good_type},
           {TN_ELEMENT_KIND, &beyond_type}, {TN_ELEMENT_KIND, &changes_type},
           {TN_ELEMENT_KIND, &unwritten_type}, {TN_ELEMENT_KIND, &not_a_number_type},
           {TN_ELEMENT_KIND, &endless_type}, {TN_ELEMENT_KIND, &crashing_type},
           {TN_ELEMENT_KIND, &leaving_type}, {TN_ELEMENT_KIND, &killed_type},
           {TN_ELEMENT_KIND, &refusing_type}, {TN_ELEMENT_KIND, &with_a_file_type},
           {TN_SOLVER_KIND, &early_type}, {TN_WRITER_KIND, &idle_type})
