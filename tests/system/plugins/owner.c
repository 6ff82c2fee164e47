/* owner.c - a type whose instances own a file: each writes into its diary when that is opened and when it is closed. A_MARKER,
 * A_FUNCTION, A_WRITER, A_LINEAR or A_SOLVER makes it one of those; else it is an element. */
#include <tenon/author.h>

#include <stdio.h>

#if defined A_WRITER || defined A_LINEAR || defined A_SOLVER || defined A_FUNCTION || defined A_MARKER
#define CHANGES 0
#else
#define AN_ELEMENT
#define CHANGES (TN_CHANGEABLE | TN_DYNAMIC)
#endif

#define OWNER(P)                                                                                   \
    P(TEXT, diary, TN_REQUIRED, "file that is written to")                                         \
    P(REAL, factor, "", CHANGES, 1.0, -TN_UNBOUNDED, TN_UNBOUNDED, "force, or factor of a number") \
    P(PRIVATE, const void *, self)                                                                 \
    P(PRIVATE, FILE *, file)
TN_PARAMETERS(owner, OWNER)

#if TN_VALUES

static tn_status begin(owner *self)
{
    if (self->file) return fputs("again\n", self->file) < 0 ? TN_FATAL : TN_OK;
    self->self = self;
    self->file = fopen(self->diary, "a");
    if (!self->file) return TN_FATAL;
    setbuf(self->file, NULL);
    return fputs("open\n", self->file) < 0 ? TN_FATAL : TN_OK;
}

TN_UNUSED static tn_status prepare(TN_UNUSED const tn_host *host, void *instance) { return begin(instance); }

TN_UNUSED static void relocate(TN_UNUSED const tn_host *host, void *to, const void *from)
{
    owner *self = to;
    if (self->self == from) self->self = to;
    (void)fputs("moved\n", self->file);
}

static void release(TN_UNUSED const tn_host *host, void *instance)
{
    const owner *self = instance;
    (void)fputs(self->self == self ? "close\n" : "close elsewhere\n", self->file);
    (void)fclose(self->file);
}

#endif

/* ---- an element, a marker ----------------------------------------------------------------------------------- */

#ifdef AN_ELEMENT
TN_FORCE(owner, TN_POINT, 1)
{
#if TN_VALUES /* the differentiating pass reads a copy with derivatives */
    if (self->self != self) return tn_retry(context, "its pointer to itself leads elsewhere");
#endif
    wrench[0].force.e[0] = self->factor;
    return TN_OK;
}
#if TN_VALUES
TN_PORTS(owner, {"markers", "its place", TN_POINT, 1, 1, 0})
TN_ELEMENT(owner, .summary = "owns a file", .formula = "f = factor", TN_CAPABILITIES(TN_HAS_FORCE(owner)),
           .release = release, .ports = owner_ports, .prepare = prepare, .relocate = relocate)
#define KIND TN_ELEMENT_KIND
#endif
#endif

#ifdef A_MARKER
TN_KINEMATICS(owner, TN_POINT, TN_POINT, 1)
{
#if TN_VALUES /* the differentiating pass reads a copy with derivatives */
    if (self->self != self) return tn_retry(context, "its pointer to itself leads elsewhere");
#endif
    out->position = marker[0].position;
    out->velocity = marker[0].velocity;
    return TN_OK;
}
#if TN_VALUES
TN_PORTS(owner, {"marker", "where it is", TN_POINT, 1, 1, 0})
TN_MARKER(owner, .summary = "is where another marker is", .kind = TN_POINT,
          TN_CAPABILITIES(TN_HAS_KINEMATICS(owner)), .release = release, .ports = owner_ports,
          .prepare = prepare, .relocate = relocate)
#define KIND TN_MARKER_KIND
#endif
#endif

#if TN_VALUES

/* ---- the other kinds ---------------------------------------------------------------------------------------- */

#ifdef A_FUNCTION
static tn_status value(const void *instance, const double *arguments, double *value, double *first,
                       double *second)
{
    *value = ((const owner *)instance)->factor * arguments[0];
    if (first) *first = ((const owner *)instance)->factor;
    if (second) *second = 0.0;
    return TN_OK;
}
TN_FUNCTION(owner, .summary = "a multiple", .arguments = 1, .release = release, .prepare = prepare,
            .value = value)
#define KIND TN_FUNCTION_KIND
#endif

#ifdef A_WRITER
static tn_status open_table(TN_UNUSED const tn_host *host, const void *instance,
                            TN_UNUSED const char *directory, const char *table,
                            TN_UNUSED const tn_column *columns, TN_UNUSED size_t count, void **self)
{
    const owner *of = instance;
    *self = of->file;
    return fprintf(of->file, "table %s, factor %g\n", table, of->factor) < 0 ? TN_FATAL : TN_OK;
}
static tn_status write_row(TN_UNUSED void *self, TN_UNUSED const double *values) { return TN_OK; }
static tn_status close_table(void *self) { return fputs("end of table\n", self) < 0 ? TN_FATAL : TN_OK; }
TN_WRITER(owner, .summary = "notes the names of tables", .release = release, .prepare = prepare,
          .open = open_table, .row = write_row, .close = close_table)
#define KIND TN_WRITER_KIND
#endif

#ifdef A_LINEAR
/* For matrices that are diagonal. */
typedef struct diagonal {
    const owner *of;
    const tn_matrix *matrix;
} diagonal;

static tn_status create(const tn_host *host, const void *instance, const tn_matrix *matrix, void **self)
{
    diagonal *made = host->allocate(host, sizeof *made);
    if (!made) return TN_OUT_OF_MEMORY;
    *made = (diagonal){instance, matrix};
    *self = made;
    return fprintf(made->of->file, "create, factor %g\n", made->of->factor) < 0 ? TN_FATAL : TN_OK;
}

static tn_status factor(TN_UNUSED void *self, TN_UNUSED const tn_matrix *matrix) { return TN_OK; }

static tn_status solve(void *self, double *right_hand_side)
{
    const tn_matrix *matrix = ((const diagonal *)self)->matrix;
    for (uint32_t j = 0; j < matrix->size; j++)
        for (int32_t e = matrix->column_start[j]; e < matrix->column_start[j + 1]; e++)
            if (matrix->row[e] == (int32_t)j) right_hand_side[j] /= matrix->value[e];
    return TN_OK;
}

static void destroy(void *self) { (void)fputs("destroy\n", ((const diagonal *)self)->of->file); }

TN_LINEAR(owner, .summary = "divides by the diagonal", .release = release, .prepare = prepare,
          .create = create, .factor = factor, .solve = solve, .destroy = destroy)
#define KIND TN_LINEAR_KIND
#endif

#ifdef A_SOLVER
static tn_status prepare_solver(TN_UNUSED const tn_host *host, void *instance, TN_UNUSED tn_run *run)
{
    return begin(instance);
}

static tn_status advance(TN_UNUSED const void *instance, tn_system *system)
{
    tn_status status = TN_OK;
    for (int k = 0; k < 2 && status == TN_OK; k++) {
        system->time = k ? system->run->end_time : system->run->start_time;
        status = system->evaluate(system);
        if (status == TN_OK) status = system->accept(system);
    }
    return status;
}
TN_SOLVER(owner, .summary = "goes from start to end", .release = release, .prepare = prepare_solver,
          .advance = advance)
#define KIND TN_SOLVER_KIND
#endif

TN_LIBRARY("owner", "1.0.0", "Apache-2.0", "owns a file", {KIND, &owner_type})

#endif
