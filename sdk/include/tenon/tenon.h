/* tenon/tenon.h - Tenon as a library: programs open models, run or step them, read and change what stands in them.
 *
 *     tenon_model *model = NULL;
 *     if (tenon_open_file("crank.toml", NULL, &model) != TENON_OK) ... tenon_message_at(model, k, &message) ...
 *     while (tenon_step(model) == TENON_OK)
 *         (void)tenon_sensor_value(model, 0, &angle);
 *     tenon_close(model);
 *
 * Plain C99, and C++; it needs no other header of Tenon. The library prints nothing, ends nothing, catches no signals and, unless
 * asked for results, writes no files.
 *
 * Models. Each is a world of its own: several may be open at once, on several threads. One model is used by one thread at a time.
 * All numbers are in SI units (m, kg, s, rad, N), whatever the model file writes them in; units are named where they differ.
 *
 * Time. A model stands at its start when it is opened. The first function that needs its state, if not tenon_start, makes the start
 * consistent with all constraints. From then on it stands between two accepted steps, until a solver comes to the end of the run.
 *
 * Steps. A model that is stepped takes the very steps of a run that is not, so that the numbers are the same to the last bit, as long
 * as the times asked for are those of its solver's own steps, or lie beyond them. A solver of a plugin that goes from start to end
 * only (without the capability "tenon.stepping/1") runs on a thread of its own, which waits between two steps.
 *
 * Errors. Every function that can fail returns a status. What is refused leaves the model as it was; tenon_reason says why. After
 * TENON_FAILED, TENON_INVALID and TENON_OUT_OF_MEMORY a model can only tell its messages, and be closed.
 *
 * Lists are read by their number first: get the count or the size, then fill an array of that many. Texts that a function returns
 * are UTF-8 and live until the model is closed, but for tenon_reason. */
#ifndef TENON_TENON_H
#define TENON_TENON_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TENON_API __attribute__((visibility("default")))
#else
#define TENON_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library, "0.1.0". */
TENON_API const char *tenon_version(void);

/* ---- statuses --------------------------------------------------------------------------------------------- */

typedef enum tenon_status {
    TENON_OK = 0,
    TENON_ENDED = 1,        /* the run has come to its end: there is no further step */
    TENON_REFUSED = 2,      /* this cannot be done; all is as it was */
    TENON_INVALID = 3,      /* the model is wrong, as its messages say */
    TENON_FAILED = 4,       /* the simulation has failed, as its last error says */
    TENON_OUT_OF_MEMORY = 5 /* there was no memory for something */
} tenon_status;

/* ---- open and close --------------------------------------------------------------------------------------- */

typedef struct tenon_model tenon_model;

/* What a model is opened with; all zeros but for `size` stand for the usual. Texts and lists are copied. */
typedef struct tenon_options {
    /* sizeof(tenon_options); fields beyond it are taken as zeros */
    size_t size;
    /* "path=value", as for `tenon run --set`: "parameters.k=200", "solver.step=1e-4" */
    const char *const *overrides;
    size_t override_count;
    /* directories that are searched for plugins first */
    const char *const *plugin_paths;
    size_t plugin_path_count;
    /* the type of solver in place of the model's; NULL: the model's */
    const char *solver;
    /* the directory into which results are written, as `tenon run --out` does; NULL: no files */
    const char *results;
    /* 1: load plugins that the model names, or that lie beside it */
    int32_t trust;
    /* 1: the model needs no [solver], and is not to be run */
    int32_t check_only;
    /* "name=expression": further sensors, as a [[sensor]] with `expression` would have them: "gap=DM(tip, base) - 0.1" */
    const char *const *sensors;
    size_t sensor_count;
    /* threads to work on, in place of the model's `threads`; 0: as the model says; -1: one for each core */
    int32_t threads;
} tenon_options;

/* Opens the model of a file. `options` may be NULL. `model` is set whatever the status is, unless there is no memory even for that:
 * where it is wrong (TENON_INVALID) its messages tell. It is to be closed in any case. */
TENON_API tenon_status tenon_open_file(const char *path, const tenon_options *options, tenon_model **model);
/* Likewise the model that a text is. Messages call it `name`; files that it names are relative to `folder` (NULL: the current one). */
TENON_API tenon_status tenon_open_text(const char *text, const char *name, const char *folder,
                                       const tenon_options *options, tenon_model **model);
/* Closes a model, wherever it stands; NULL is let through. A run that has not come to its end is over then; its results, if any are
 * written, say that it was interrupted. */
TENON_API void tenon_close(tenon_model *model);

/* Adds sensors to those of the model, before it is started: "name=expression", as the options have them. Turns of angles and values of
 * the past are followed from the start on, which is why a model that has been started takes none. The model is read once more, with the
 * inputs that were set. TENON_REFUSED: an expression is wrong, as tenon_reason says, or the model has been started. */
TENON_API tenon_status tenon_add_sensors(tenon_model *model, const char *const *sensors, size_t count);

/* ---- models made by calls --------------------------------------------------------------------------------- */

/* A model that is built is what a model file is: tables with keys. The calls write them one after the other; whatever a file can say,
 * with the same names, units and expressions, can be built:
 *
 *     tenon_build_begin("pendulum", NULL, NULL, &model);
 *     tenon_build_item(model, "element", "rigid_body", "rod");
 *     tenon_build_number(model, "mass", 2.0);
 *     tenon_build_numbers(model, "position", (double[]){0, 0, -0.5}, 3);
 *     tenon_build_item(model, "marker", NULL, "top");
 *     tenon_build_text(model, "element", "rod");
 *     tenon_build_numbers(model, "position", (double[]){0, 0, 0.5}, 3) ... tenon_build_end(model);
 *
 * tenon_build_end reads the model, which from there on is like one of a file, and reports mistakes as messages. The calls return
 * TENON_REFUSED for words that cannot be names or keys, for a key before any table, and when the model is built already. */

/* A model without any tables yet. `name` stands for it in messages; files that it names are relative to `folder` (NULL: the current one).
 * `model` is set as by tenon_open_file, and is to be closed in any case. */
TENON_API tenon_status tenon_build_begin(const char *name, const char *folder, const tenon_options *options,
                                         tenon_model **model);
/* A new table of an array: "element", "marker", "sensor", "change", "input", "solver", ...; "repeat.element" for one in the last
 * "repeat". With its keys `type` and `name`, unless they are NULL. */
TENON_API tenon_status tenon_build_item(tenon_model *model, const char *array, const char *type,
                                        const char *name);
/* A table that there is one of: "model", "parameters", "output", ... */
TENON_API tenon_status tenon_build_table(tenon_model *model, const char *name);
/* A key of the last table, with a value: numbers are in SI units; truths are 0 or not; a text may be a name, an expression, or a number with
 * its unit. "base.position" is the key `position` of the table at the key `base`. Matrices stand row by row: [rows][columns]. */
TENON_API tenon_status tenon_build_number(tenon_model *model, const char *key, double value);
TENON_API tenon_status tenon_build_numbers(tenon_model *model, const char *key, const double *values,
                                           size_t count);
TENON_API tenon_status tenon_build_matrix(tenon_model *model, const char *key, const double *values,
                                          size_t rows, size_t columns);
TENON_API tenon_status tenon_build_truth(tenon_model *model, const char *key, int32_t value);
TENON_API tenon_status tenon_build_text(tenon_model *model, const char *key, const char *value);
TENON_API tenon_status tenon_build_texts(tenon_model *model, const char *key, const char *const *values,
                                         size_t count);
/* The same with a value as a model file would have it: "[{ element = 'rod', position = [0, 0, 0.5] }, 'ground']". */
TENON_API tenon_status tenon_build_value(tenon_model *model, const char *key, const char *toml);
/* What follows stands for this place in a file of the program's own, which messages name from there on; NULL: for nothing, and messages
 * name lines of tenon_build_toml. */
TENON_API tenon_status tenon_build_place(tenon_model *model, const char *file, uint32_t line,
                                         uint32_t column);
TENON_API tenon_status tenon_build_end(tenon_model *model);
/* The model as a model file, so far; until the next call that builds. */
TENON_API const char *tenon_build_toml(const tenon_model *model);

/* ---- messages --------------------------------------------------------------------------------------------- */

enum { TENON_NOTE = 0, TENON_WARNING = 1, TENON_ERROR = 2 };

typedef struct tenon_message {
    size_t size; /* sizeof(tenon_message), set by the caller; fields beyond it are not written */
    int32_t severity;
    uint32_t line, column;         /* counted from 1; line 0: about the file as a whole, or about none */
    uint32_t end_line, end_column; /* behind the last letter that is meant; end_line 0: not known */
    const char *file;              /* "": it is about none */
    const char *text;
    const char *hint; /* the name that was probably meant; NULL for none */
} tenon_message;

/* Errors, warnings and notes so far, in the order in which they were told: at most 100 of each severity. */
TENON_API size_t tenon_message_count(const tenon_model *model);
/* TENON_REFUSED: there is no message of this number. */
TENON_API tenon_status tenon_message_at(const tenon_model *model, size_t number, tenon_message *message);
/* Why the last call for this model has not returned TENON_OK, in one sentence, until the next call; "" after TENON_OK. NULL stands for
 * a model that there was no memory for. */
TENON_API const char *tenon_reason(const tenon_model *model);

/* ---- run and step ----------------------------------------------------------------------------------------- */

/* Everything short of running, as `tenon check`: makes the start consistent and counts the degrees of freedom and the redundant
 * constraint rows there. Before the model is started; it can be run afterwards. */
TENON_API tenon_status tenon_check(tenon_model *model, uint32_t *degrees_of_freedom, uint32_t *redundant);
/* Makes the start consistent: the model then stands at its start time. Does nothing where it stands already. */
TENON_API tenon_status tenon_start(tenon_model *model);
/* One accepted step of the solver. TENON_ENDED: there is none any more. */
TENON_API tenon_status tenon_step(tenon_model *model);
/* Steps until a time, s. Where it is none of the times at which the solver would end a step, the step that holds it is cut there.
 * TENON_REFUSED: it lies in the past; TENON_ENDED: the run has ended before. */
TENON_API tenon_status tenon_step_to(tenon_model *model, double time);
/* Steps until the end of the run. */
TENON_API tenon_status tenon_run(tenon_model *model);
/* The time at which the model stands, s. */
TENON_API double tenon_time(const tenon_model *model);

/* ---- names ------------------------------------------------------------------------------------------------ */

/* Elements and declared markers. */
TENON_API size_t tenon_name_count(const tenon_model *model);
/* The name of one, and that of its type; NULL: there is no such number. */
TENON_API const char *tenon_name(const tenon_model *model, size_t number);
TENON_API const char *tenon_type(const tenon_model *model, size_t number);

/* ---- state ------------------------------------------------------------------------------------------------ */

/* How many numbers there are. */
typedef struct tenon_sizes {
    size_t size;          /* sizeof(tenon_sizes), set by the caller */
    uint32_t coordinates; /* q */
    uint32_t velocities;  /* v, and its derivative a */
    uint32_t multipliers; /* one for each row of the constraints */
} tenon_sizes;

TENON_API tenon_status tenon_sizes_of(const tenon_model *model, tenon_sizes *sizes);
/* [coordinates] and [velocities]; either may be NULL. Element by element: `states = true` under [output] names their order. */
TENON_API tenon_status tenon_state(tenon_model *model, double *q, double *v);
/* Puts others in their place (NULL: as they are), made consistent with the constraints, and goes on from there as after a
 * [[change]] of the model. Energies that sensors integrate do not count this. TENON_REFUSED: no consistent state is near. */
TENON_API tenon_status tenon_set_state(tenon_model *model, const double *q, const double *v);
/* [velocities] dv/dt; [multipliers] of the constraints, as results show them. */
TENON_API tenon_status tenon_accelerations(tenon_model *model, double *a);
TENON_API tenon_status tenon_multipliers(tenon_model *model, double *lambda);

/* ---- state as bytes --------------------------------------------------------------------------------------- */

/* All that the next step depends on, where the model stands: state, histories, events, changes made, the solver's own. `*size` is set to
 * the number of bytes, of which none are written where `capacity` is less (TENON_REFUSED) or `bytes` is NULL:
 *
 *     tenon_save(model, NULL, 0, &size);
 *     bytes = malloc(size);
 *     tenon_save(model, bytes, size, &size);
 *
 * Steps from there are the same to the bit whether the state was saved or not, and whether it was restored or not, in this process
 * or another one on a machine of this kind. Some solvers (`msadams` and `msbdf` of gsl_ode) keep what they have learnt from earlier
 * steps where nobody can save it: they begin that anew at each save, which a message says. TENON_REFUSED, too: the run has ended, or
 * its solver takes no single steps. */
TENON_API tenon_status tenon_save(tenon_model *model, void *bytes, size_t capacity, size_t *size);
/* Goes back, or on, to where these bytes were saved, also from the end of a run, in this model or another one of the same file, options and
 * plugins. TENON_REFUSED: they are of another model, another version of a plugin or of Tenon, or not whole: tenon_reason says which,
 * and nothing has changed. */
TENON_API tenon_status tenon_restore(tenon_model *model, const void *bytes, size_t size);

/* ---- parameters ------------------------------------------------------------------------------------------- */

/* `path` is "item.parameter": "spring.stiffness". Numbers, true as 1 and false as 0; `count` is set to how many the parameter has,
 * of which at most `capacity` are written. TENON_REFUSED: there is none, or it holds no numbers. */
TENON_API tenon_status tenon_parameter(tenon_model *model, const char *path, double *values, size_t capacity,
                                       size_t *count);
/* Changes one, as a [[change]] of the model at this time would. TENON_REFUSED: it cannot be changed during a run (tenon_reason lists
 * what can), is given by an expression, is out of its range, or its element does not take it. */
TENON_API tenon_status tenon_set_parameter(tenon_model *model, const char *path, const double *values,
                                           size_t count);

/* ---- sensors ---------------------------------------------------------------------------------------------- */

/* Each number of each sensor by itself: a force has "name.x", "name.y" and "name.z", as in the tables of results. */
TENON_API size_t tenon_sensor_count(const tenon_model *model);
/* NULL: there is no such number. The unit is "" for a number without one. */
TENON_API const char *tenon_sensor_name(const tenon_model *model, size_t number);
TENON_API const char *tenon_sensor_unit(const tenon_model *model, size_t number);
/* TENON_REFUSED: there is no sensor of this name. */
TENON_API tenon_status tenon_sensor_find(const tenon_model *model, const char *name, size_t *number);
/* The values now: of all sensors, of one. What has no value is nan. */
TENON_API tenon_status tenon_sensor_values(tenon_model *model, double *values);
TENON_API tenon_status tenon_sensor_value(tenon_model *model, size_t number, double *value);

/* ---- matrices --------------------------------------------------------------------------------------------- */

/* At the state where the model stands, against increments of q (as v, times s) and v. */
enum {
    TENON_MASS = 0,     /* M [velocities x velocities] */
    TENON_JACOBIAN = 1, /* of the constraint rows by increments of q [multipliers x velocities] */
    TENON_DAMPING =
        2, /* -df/dv [velocities x velocities], f being all forces, with reactions at their multipliers */
    TENON_STIFFNESS = 3 /* -df/dq [velocities x velocities] */
};

/* Rows and columns of a matrix, and its entries in compressed columns; any of the three may be NULL. */
TENON_API tenon_status tenon_matrix_sizes(tenon_model *model, int32_t which, uint32_t *rows,
                                          uint32_t *columns, size_t *entries);
/* Compressed columns: entries column_start[j] ... column_start[j + 1] - 1 are those of column j, rows ascending. Sizes are
 * columns + 1, entries, and entries. Some entries may be zero. */
TENON_API tenon_status tenon_matrix_columns(tenon_model *model, int32_t which, int32_t *column_start,
                                            int32_t *row, double *value);
/* The full matrix, row by row: [rows][columns]. */
TENON_API tenon_status tenon_matrix(tenon_model *model, int32_t which, double *values);

/* ---- inputs ----------------------------------------------------------------------------------------------- */

/* The [[input]] tables of the model: numbers that its expressions read by their names, each in the unit that the model names. */
TENON_API size_t tenon_input_count(const tenon_model *model);
/* NULL: there is no such number. The unit is "" for a number without one. */
TENON_API const char *tenon_input_name(const tenon_model *model, size_t number);
TENON_API const char *tenon_input_unit(const tenon_model *model, size_t number);
/* TENON_REFUSED: there is no input of this name. */
TENON_API tenon_status tenon_input_find(const tenon_model *model, const char *name, size_t *number);
/* Its value, in its unit. */
TENON_API tenon_status tenon_input(tenon_model *model, size_t number, double *value);
/* Sets it, before the start or between two steps; the solver goes on from there as after a [[change]] of the model, and keeps the
 * value until another one is set. TENON_REFUSED: the value is not finite, or forces have no values with it. */
TENON_API tenon_status tenon_set_input(tenon_model *model, size_t number, double value);

#ifdef __cplusplus
}
#endif

#endif
