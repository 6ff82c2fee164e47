/* guard_others.c - guarded calls of functions of expressions, linear solvers, constraint solvers and writers: the arrays that they get */
#include "guard/guard_frame.h"
#include "plugin/call_site.h"

#include "base/memory.h"

#include <string.h>

/* ---- functions of expressions ---------------------------------------------------------------------------- */

static const tn_loaded_function *own_function(void) { return (const tn_loaded_function *)tn_site->type + 1; }

static tn_status prepare_function(const tn_host *host, void *instance)
{
    return tn_guard_prepare(own_function()->prepare, own_function()->instance_size, host, instance);
}

/* Its arguments; of one that reads the model by itself, as many as there may be. */
static size_t argument_count(const tn_loaded_function *own)
{
    return own->reads ? TN_MOST_READINGS : own->arguments;
}

/* A function of another one's data does not say how large they are. */
static void add_function_instance(tn_guard_frame *frame, const tn_loaded_function *own, const void **instance)
{
    if (own->data_of) return;
    tn_guard_add(frame, "instance", instance, 1, own->instance_size, TN_GUARD_READS);
}

static tn_status find_value(const void *instance, const double *arguments, double *result, double *first,
                            double *second)
{
    const tn_loaded_function *own = own_function();
    const size_t count = argument_count(own), number = sizeof(double);
    /* not all of those belong to a call */
    const uint32_t derivatives = own->reads ? TN_GUARD_RENEWS : TN_GUARD_WRITES;
    tn_guard_frame frame = {.count = 0};
    add_function_instance(&frame, own, &instance);
    tn_guard_add(&frame, "arguments", &arguments, 1, count * number, TN_GUARD_READS);
    tn_guard_add(&frame, "value", &result, 1, number, TN_GUARD_WRITES);
    tn_guard_add(&frame, "first", &first, 1, count * number, derivatives);
    tn_guard_add(&frame, "second", &second, 1, count * count * number, derivatives);
    tn_guard_open(&frame);
    const tn_status status = own->value(instance, arguments, result, first, second);
    return tn_guard_finish(&frame, status, NULL);
}

static tn_status inspect_function(const void *instance, const double *arguments, int32_t *smoothness)
{
    const tn_loaded_function *own = own_function();
    tn_guard_frame frame = {.count = 0};
    add_function_instance(&frame, own, &instance);
    tn_guard_add(&frame, "arguments", &arguments, 1, argument_count(own) * sizeof(double), TN_GUARD_READS);
    tn_guard_add(&frame, "smoothness", &smoothness, 1, sizeof *smoothness, TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    const tn_status status = own->inspect(instance, arguments, smoothness);
    return tn_guard_finish(&frame, status, NULL);
}

void tn_guard_function(tn_loaded_function *type)
{
    if (type->prepare && !type->data_of) type->prepare = prepare_function;
    if (type->value) type->value = find_value;
    type->values = NULL; /* one by one, with arrays of their own */
    if (type->inspect) type->inspect = inspect_function;
}

/* ---- what linear solvers and writers have been opened for ------------------------------------------------- */

static struct opened {
    const void *self;
    size_t size;  /* 0: of several sizes at a time, so that the size of a call is unknown */
    size_t times; /* that it is open */
} * opened;
static size_t opened_count;

static struct opened *find_opened(const void *self)
{
    for (size_t k = 0; k < opened_count; k++)
        if (opened[k].self == self) return &opened[k];
    return NULL;
}

/* Something that was closed may have had the same address. */
static void remember_opened(const void *self, size_t size)
{
    struct opened *known = find_opened(self);
    if (!known) {
        TN_APPEND(opened, opened_count, (struct opened){.self = self});
        known = &opened[opened_count - 1];
    }
    known->size = known->times && known->size != size ? 0 : size;
    known->times++;
}

static void forget_opened(const void *self)
{
    struct opened *known = find_opened(self);
    if (known && known->times) known->times--;
}

static size_t size_of_opened(const void *self)
{
    const struct opened *known = find_opened(self);
    return known ? known->size : 0;
}

/* ---- linear solvers: what they have been given to keep stays where it is ---------------------------------- */

static const tn_loaded_linear *own_linear(void) { return (const tn_loaded_linear *)tn_site->type + 1; }

static tn_status create_linear(const tn_host *host, const void *instance, const tn_matrix *matrix,
                               void **self)
{
    const tn_status status = own_linear()->create(host, instance, matrix, self);
    if (status == TN_OK) remember_opened(*self, matrix->size);
    return status;
}

/* A copy of the numbers and of their places in a row, to compare them with. */
static tn_status factor_matrix(void *self, const tn_matrix *matrix)
{
    const size_t columns = ((size_t)matrix->size + 1) * sizeof *matrix->column_start;
    const size_t entries = (size_t)matrix->column_start[matrix->size];
    char *copy = tn_new(columns + entries * (sizeof *matrix->row + sizeof *matrix->value), 1);
    char *row = copy + columns, *number = row + entries * sizeof *matrix->row;
    memcpy(copy, matrix->column_start, columns);
    memcpy(row, matrix->row, entries * sizeof *matrix->row);
    memcpy(number, matrix->value, entries * sizeof *matrix->value);
    tn_status status = own_linear()->factor(self, matrix);
    if (memcmp(copy, matrix->column_start, columns) != 0 ||
        memcmp(row, matrix->row, entries * sizeof *matrix->row) != 0)
        status = tn_guard_tell("changes the pattern of the matrix, which is read-only", NULL, NULL);
    else if (memcmp(number, matrix->value, entries * sizeof *matrix->value) != 0)
        status = tn_guard_tell("changes the numbers of the matrix, which are read-only", NULL, NULL);
    tn_free(copy);
    return status;
}

static tn_status solve_matrix(void *self, double *right_hand_side)
{
    tn_guard_frame frame = {.count = 0};
    if (!size_of_opened(self)) return own_linear()->solve(self, right_hand_side);
    tn_guard_add(&frame, "right_hand_side", &right_hand_side, 1, size_of_opened(self) * sizeof(double),
                 TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    const tn_status status = own_linear()->solve(self, right_hand_side);
    return tn_guard_finish(&frame, status, NULL);
}

/* As many pairs. */
static tn_status solve_complex_matrix(void *self, double *right_hand_side)
{
    tn_guard_frame frame = {.count = 0};
    if (!size_of_opened(self)) return own_linear()->solve_complex(self, right_hand_side);
    tn_guard_add(&frame, "right_hand_side", &right_hand_side, 1, 2 * size_of_opened(self) * sizeof(double),
                 TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    const tn_status status = own_linear()->solve_complex(self, right_hand_side);
    return tn_guard_finish(&frame, status, NULL);
}

static tn_status factor_complex_matrix(void *self, const tn_matrix *pattern, const double *value)
{
    tn_guard_frame frame = {.count = 0};
    tn_guard_add(&frame, "value", &value, 1,
                 2 * (size_t)pattern->column_start[pattern->size] * sizeof(double), TN_GUARD_READS);
    tn_guard_open(&frame);
    const tn_status status = own_linear()->factor_complex(self, pattern, value);
    return tn_guard_finish(&frame, status, NULL);
}

static tn_status find_dependent(const tn_host *host, uint32_t rows, uint32_t columns, double *matrix,
                                double tolerance, uint32_t *rank, uint32_t *order, double *combination)
{
    tn_guard_frame frame = {.count = 0};
    const size_t number = sizeof(double), most = (size_t)columns * columns / 4;
    tn_guard_add(&frame, "matrix", &matrix, 1, (size_t)rows * columns * number, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "rank", &rank, 1, sizeof *rank, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "order", &order, 1, columns * sizeof *order, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "combination", &combination, 1, most * number, TN_GUARD_FINDINGS);
    tn_guard_open(&frame);
    const tn_status status =
        own_linear()->dependent(host, rows, columns, matrix, tolerance, rank, order, combination);
    return tn_guard_finish(&frame, status, NULL);
}

static void destroy_linear(void *self)
{
    forget_opened(self);
    own_linear()->destroy(self);
}

void tn_guard_linear(tn_loaded_linear *type)
{
    type->destroy = destroy_linear;
    type->create = create_linear;
    type->factor = factor_matrix;
    type->solve = solve_matrix;
    if (type->dependent) type->dependent = find_dependent;
    if (type->factor_complex) type->factor_complex = factor_complex_matrix;
    if (type->solve_complex) type->solve_complex = solve_complex_matrix;
}

/* ---- constraint solvers: of a problem, only the impulses are theirs ------------------------------------------ */

static const tn_constraint_solver_type *own_constraint_solver(void)
{
    return (const tn_constraint_solver_type *)tn_site->type + 1;
}

static tn_status solve_problem(void *self, const tn_impulse_problem *problem, tn_impulse_outcome *outcome)
{
    const size_t number = sizeof(double), count = sizeof(uint32_t), rows = problem->rows;
    const size_t entries = problem->row_start[rows];
    const tn_matrix *A = problem->matrix;
    tn_impulse_problem shown = *problem;
    tn_matrix matrix = *A;
    shown.matrix = &matrix;
    tn_guard_frame frame = {.count = 0};
    tn_guard_add(&frame, "block", &shown.block, shown.blocks, sizeof *shown.block, TN_GUARD_READS);
    tn_guard_add(&frame, "row_start", &shown.row_start, rows + 1, count, TN_GUARD_READS);
    tn_guard_add(&frame, "column", &shown.column, entries, count, TN_GUARD_READS);
    tn_guard_add(&frame, "value", &shown.value, entries, number, TN_GUARD_READS);
    tn_guard_add(&frame, "free_rate", &shown.free_rate, rows, number, TN_GUARD_READS);
    tn_guard_add(&frame, "body_start", &shown.body_start, shown.bodies + 1, count, TN_GUARD_READS);
    tn_guard_add(&frame, "impulse", &shown.impulse, rows, number, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "matrix", &matrix.value, (size_t)A->column_start[A->size], number, TN_GUARD_READS);
    tn_guard_open(&frame);
    const tn_status status = own_constraint_solver()->solve(self, &shown, outcome);
    return tn_guard_finish(&frame, status, NULL);
}

static tn_status prepare_constraint_solver(const tn_host *host, void *instance)
{
    return tn_guard_prepare(own_constraint_solver()->prepare, own_constraint_solver()->instance_size, host,
                            instance);
}

void tn_guard_constraint_solver(tn_constraint_solver_type *type)
{
    if (type->prepare) type->prepare = prepare_constraint_solver;
    type->solve = solve_problem;
}

/* ---- writers --------------------------------------------------------------------------------------------- */

static const tn_loaded_writer *own_writer(void) { return (const tn_loaded_writer *)tn_site->type + 1; }

static tn_status open_writer(const tn_host *host, const void *instance, const char *directory,
                             const char *table, const tn_column *columns, size_t column_count, void **self)
{
    const tn_status status =
        own_writer()->own.open(host, instance, directory, table, columns, column_count, self);
    if (status == TN_OK) remember_opened(*self, column_count);
    return status;
}

static tn_status write_values(void *self, const double *values)
{
    tn_guard_frame frame = {.count = 0};
    if (!size_of_opened(self)) return own_writer()->own.row(self, values);
    tn_guard_add(&frame, "values", &values, 1, size_of_opened(self) * sizeof(double), TN_GUARD_READS);
    tn_guard_open(&frame);
    const tn_status status = own_writer()->own.row(self, values);
    return tn_guard_finish(&frame, status, NULL);
}

static tn_status close_writer(void *self)
{
    forget_opened(self);
    return own_writer()->own.close(self);
}

/* A guarded run goes on with no table. */
void tn_guard_writer(tn_loaded_writer *type)
{
    if (!type->own.open) return; /* it converts only */
    type->own.close = close_writer;
    type->own.open = open_writer;
    type->own.row = write_values;
}
