/* crashing.c - types of every kind that crash, each in another function
 *
 * With -DAT_LOADING the library crashes while it is being loaded, with -DWRONG_TABLES it hands out a wrong pointer. */
#include <tenon/author.h>

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

enum way { POINTER, DIVISION, ABORT, INSTRUCTION, RECURSION, THREAD, BUS, DAMAGE };
enum place { PREPARE, FORCE, TANGENT, OUTPUT, ACCEPTED };

#define CRASHING(P)                                                                                     \
    P(CHOICE, place, "prepare|force|tangent|output|accepted", 0, FORCE, "function that crashes")        \
    P(CHOICE, way, "pointer|division|abort|instruction|recursion|thread|bus|damage", 0, POINTER, "how") \
    P(REAL, time, "s", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "not before")

TN_PARAMETERS(crashing, CRASHING)

static void write_to(uintptr_t address) { *(volatile int *)address = 1; }

static int recurse(volatile int *depth)
{
    volatile char frame[1000];
    frame[0] = 0;
    if (*depth < 0) return 0;
    ++*depth;
    return recurse(depth) + frame[0];
}

static void *thread(void *data)
{
    write_to(0x20);
    return data;
}

/* A page that is mapped, of a file that has none. */
static void write_behind_file(void)
{
    FILE *file = tmpfile();
    if (!file) return;
    volatile int *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    if (page != MAP_FAILED) *page = 1;
}

static tn_library library;

static void crash(int32_t way)
{
    volatile int number = 0;
    pthread_t other;
    if (way == POINTER) write_to(0x10);
    if (way == DIVISION) number = 100 / number;
    if (way == ABORT) abort();
    if (way == INSTRUCTION) __builtin_trap();
    if (way == RECURSION) number = recurse(&number);
    if (way == THREAD && pthread_create(&other, NULL, thread, NULL) == 0) pthread_join(other, NULL);
    if (way == BUS) write_behind_file();
    library.name = (const char *)(uintptr_t)8; // DAMAGE
    write_to(0x10);
}

static void crash_at(const tn_batch *batch, int32_t place)
{
    for (size_t i = 0; i < batch->count; i++) {
        const crashing *self = tn_instance(batch, i);
        if (self->place == place && batch->time >= self->time) crash(self->way);
    }
}

static tn_status crashing_prepare(const tn_host *host, void *instance)
{
    (void)host;
    const crashing *self = instance;
    if (self->place == PREPARE) crash(self->way);
    return TN_OK;
}

static tn_status crashing_force(tn_batch *batch)
{
    crash_at(batch, FORCE);
    memset(batch->wrench, 0, sizeof(double) * batch->count * batch->wrench_size);
    return TN_OK;
}

static tn_status crashing_tangent(tn_batch *batch)
{
    crash_at(batch, TANGENT);
    memset(batch->tangent, 0, sizeof(double) * batch->count * batch->wrench_size * batch->tangent_stride);
    return TN_OK;
}

static tn_status crashing_output(tn_batch *batch)
{
    const crashing *self = tn_instance(batch, batch->first);
    if (self->place == OUTPUT && batch->time >= self->time) crash(self->way);
    batch->value[0] = batch->time;
    return TN_OK;
}

static tn_status crashing_accepted(tn_batch *batch)
{
    crash_at(batch, ACCEPTED);
    return TN_OK;
}

TN_PORTS(crashing, {"markers", "any point", TN_POINT, 1, 1, 0})
TN_OUTPUTS(crashing, {"clock", "the time", "s", 1, 0})
static const tn_element_type crashing_type = {
    .struct_size = sizeof(tn_element_type),
    .name = "crashing",
    .summary = "crashes",
    .parameters = crashing_parameters,
    .instance_size = sizeof(crashing),
    .ports = crashing_ports,
    .outputs = crashing_outputs,
    .prepare = crashing_prepare,
    .output = crashing_output,
    TN_CAPABILITIES(TN_HAS(force, .force = crashing_force, .force_tangent = crashing_tangent),
                    TN_HAS(data, .accepted = crashing_accepted))};

/* ---- the other kinds ------------------------------------------------------------------------------------- */

static tn_status body_bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    (void)host, (void)instance, (void)attachment;
    crash(POINTER);
    return TN_OK;
}

static const tn_element_type body_type = {.struct_size = sizeof(tn_element_type),
                                          .flags = TN_VECTOR_SPACE,
                                          .name = "crashing_body",
                                          .summary = "crashes when a marker is bound to it",
                                          TN_CAPABILITIES(TN_HAS(attachment, .bind = body_bind))};

static tn_status marker_local_pose(const void *instance, tn_attachment *attachment)
{
    (void)instance, (void)attachment;
    crash(POINTER);
    return TN_OK;
}

static const tn_marker_type marker_type = {.struct_size = sizeof(tn_marker_type),
                                           .kind = TN_POINT,
                                           .name = "crashing_marker",
                                           .summary = "crashes when it is asked where it is",
                                           TN_CAPABILITIES(TN_HAS(place, .local_pose = marker_local_pose))};

/* Crashes after calls of elements and writers, which must not be blamed. */
static tn_status solver_advance(const void *instance, tn_system *system)
{
    (void)instance;
    if (system->evaluate(system) != TN_OK || system->accept(system) != TN_OK) return TN_FATAL;
    system->time = 0.25;
    crash(POINTER);
    return TN_OK;
}

static const tn_solver_type solver_type = {.struct_size = sizeof(tn_solver_type),
                                           .name = "crashing_solver",
                                           .summary = "crashes after its first row",
                                           .advance = solver_advance};

static tn_status linear_create(const tn_host *host, TN_UNUSED const void *instance, const tn_matrix *matrix,
                               void **self)
{
    (void)host;
    *self = (void *)(uintptr_t)matrix;
    return TN_OK;
}

static tn_status linear_factor(void *self, const tn_matrix *matrix)
{
    (void)self, (void)matrix;
    crash(POINTER);
    return TN_OK;
}

static tn_status linear_solve(void *self, double *right_hand_side)
{
    (void)self, (void)right_hand_side;
    return TN_OK;
}

static void linear_destroy(void *self) { (void)self; }

static const tn_linear_type linear_type = {.struct_size = sizeof(tn_linear_type),
                                           .name = "crashing_linear",
                                           .summary = "crashes at its first factorisation",
                                           .create = linear_create,
                                           .factor = linear_factor,
                                           .solve = linear_solve,
                                           .destroy = linear_destroy};

static tn_status writer_open(const tn_host *host, TN_UNUSED const void *instance, const char *directory,
                             const char *table, const tn_column *columns, size_t column_count, void **self)
{
    (void)directory, (void)table, (void)columns, (void)column_count;
    *self = host->allocate(host, sizeof(int));
    return TN_OK;
}

static tn_status writer_row(void *self, const double *values)
{
    (void)values;
    if (++*(int *)self == 4) crash(POINTER);
    return TN_OK;
}

static tn_status writer_close(void *self)
{
    (void)self;
    return TN_OK;
}

static const tn_writer_type writer_type = {.struct_size = sizeof(tn_writer_type),
                                           .name = "crashing_writer",
                                           .summary = "crashes at its fourth row",
                                           .open = writer_open,
                                           .row = writer_row,
                                           .close = writer_close};

/* ---- the library ----------------------------------------------------------------------------------------- */

static const tn_type types[] = {{TN_ELEMENT_KIND, &crashing_type},
                                {TN_ELEMENT_KIND, &body_type},
                                {TN_MARKER_KIND, &marker_type},
                                {TN_SOLVER_KIND, &solver_type},
                                {TN_LINEAR_KIND, &linear_type},
                                {TN_WRITER_KIND, &writer_type},
                                {NULL, NULL}};
static tn_library library = {.struct_size = sizeof(tn_library),
                             .abi_major = TN_ABI_MAJOR,
                             .abi_minor = TN_ABI_MINOR,
                             .name = "crash_tests",
                             .version = "1.2.3",
                             .licence = "Apache-2.0",
                             .summary = "types that crash",
#ifdef WRONG_TABLES
                             .types = (const tn_type *)(uintptr_t)0x30};
#else
                             .types = types};
#endif

TN_EXPORT const tn_library *tn_plugin_library(void);
TN_EXPORT const tn_library *tn_plugin_library(void)
{
#ifdef AT_LOADING
    crash(POINTER);
#endif
    return &library;
}
