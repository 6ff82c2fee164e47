/* python.c - values from functions written in Python
 *
 * A function of a script either has the six arguments of a VARSUB, and asks for what it reads; or it gets numbers: those of the call,
 * what the model says that it reads, and the parameters. With dual = true numbers carry derivatives (prelude.py). */
#include "ids.h"
#include "laws.h"
#include "prelude.h"

#include <tenon/author.h>

#if TN_VALUES

#include <tenon/kit/user_memory.h>

typedef struct script script;

#define PYTHON(P)                                                        \
    P(FILE, script, TN_REQUIRED | TN_CODE, "file of the function")       \
    TN_USER_PARAMETERS(P)                                                \
    P(BOOLEAN, dual, 0, 0, "numbers carry derivatives, which are exact") \
    P(REAL, limit, "s", TN_ABOVE_LOW, 10.0, 0.0, TN_UNBOUNDED, "time that a call may take")

TN_PARAMETERS(python, PYTHON)

enum { MOST_PARAMETERS = 64, MOST_NUMBERS = TN_MOST_READINGS + MOST_PARAMETERS };

/* What an instance has in Python. */
struct script {
    const tn_user_routine *routine;
    double limit;
    bool dual, numbers; /* numbers: the function gets these, not the arguments of a VARSUB */
    uint32_t declared;  /* readings that the model declares */
    tn_user_memory memory;
    char told[TN_USER_TEXT]; /* the last exception that was no end of the run */
    PyObject *names, *function;
    PyObject *parameter; /* a list of floats */
    PyObject *id, *count;
};

/* ---- what a call has under way ----------------------------------------------------------------------------- */

/* Of the innermost call of this thread. */
static _Thread_local PyObject *call_duals; /* a list of all its numbers; NULL: they are plain */
static _Thread_local char printed[512];    /* a line that has not ended */
static _Thread_local size_t printed_size;

static void end_line(void)
{
    printed[printed_size] = '\0';
    printed_size = 0;
    if (tn_user_now)
        tn_user_say(tn_user_now, TN_NOTE, printed);
    else
        (void)fprintf(stderr, "%s\n", printed); /* a thread that the script has started */
}

static PyObject *write_text(PyObject *unused, PyObject *text)
{
    Py_ssize_t size;
    const char *letters = PyUnicode_AsUTF8AndSize(text, &size);
    (void)unused;
    for (Py_ssize_t k = 0; letters && k < size && !tn_user_repeats; k++) {
        if (letters[k] != '\n') printed[printed_size++] = letters[k];
        if (letters[k] == '\n' || printed_size + 1 == sizeof printed) end_line();
    }
    return letters ? PyLong_FromSsize_t(size) : NULL;
}

/* ---- questions --------------------------------------------------------------------------------------------- */

/* Number k of an answer. */
static PyObject *answer_of(const tn_user_call *call, const double *number)
{
    if (!call_duals || call->finds_reads) return PyFloat_FromDouble(*number);
    PyObject *dual = PyList_GET_ITEM(call_duals, call->routine->arguments + (number - call->reading));
    Py_INCREF(dual);
    return dual;
}

static bool asks_in_call(void)
{
    if (tn_user_now && tn_user_now->routine->reads) return true;
    PyErr_SetString(PyExc_RuntimeError, "a question outside of a call from the model");
    return false;
}

/* Reports the exception with its place. */
static void *raise_problem(tn_user_call *call)
{
    PyErr_SetString(PyExc_LookupError, call->problem);
    call->problem[0] = '\0';
    return NULL;
}

static const double *ask(const tn_user_query *query, uint32_t *size)
{
    if (!asks_in_call()) return NULL;
    const double *number = tn_user_ask(tn_user_now, query, size);
    return number ? number : raise_problem(tn_user_now);
}

static PyObject *answer_number(const tn_user_query *query)
{
    uint32_t size;
    const double *number = ask(query, &size);
    return number ? answer_of(tn_user_now, number) : NULL;
}

static PyObject *answer_vector(const tn_user_query *query)
{
    uint32_t size;
    const double *number = ask(query, &size);
    PyObject *list = number ? PyList_New((Py_ssize_t)size) : NULL;
    for (uint32_t k = 0; list && k < size; k++) {
        PyObject *item = answer_of(tn_user_now, number + k);
        if (item)
            PyList_SET_ITEM(list, (Py_ssize_t)k, item);
        else
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *question(PyObject *const *given, Py_ssize_t count, const char *form, bool vector)
{
    tn_user_id id[TN_USER_IDS];
    tn_user_query query = {.vector = vector};
    if (!tenon_python_read_question(given, count, form, &query, id)) return NULL;
    return vector ? answer_vector(&query) : answer_number(&query);
}

/* [value, errflg] = py_sysfnc("VM", [1011]): a wrong question raises an exception, the flag is 0. */
static PyObject *with_flag(PyObject *answer)
{
    PyObject *flag = answer ? PyLong_FromLong(0) : NULL;
    PyObject *pair = flag ? PyTuple_Pack(2, answer, flag) : NULL;
    Py_XDECREF(flag);
    Py_XDECREF(answer);
    return pair;
}

#define QUESTION(name, form, vector)                                                       \
    static PyObject *name(PyObject *unused, PyObject *const *given, Py_ssize_t count)      \
    {                                                                                      \
        (void)unused;                                                                      \
        return question(given, count, form, vector);                                       \
    }                                                                                      \
    static PyObject *py_##name(PyObject *unused, PyObject *const *given, Py_ssize_t count) \
    {                                                                                      \
        (void)unused;                                                                      \
        return with_flag(question(given, count, "py_" form, vector));                      \
    }
QUESTION(sysfnc, "sysfnc(\"VM\", [1011])", false)
QUESTION(sysary, "sysary(\"RVEL\", [1011])", true)

/* flag, message, id, word: 1, or 0 where nothing is to be told, which a flag of 0 or false says; -1 with an exception. */
static int read_message(PyObject *given, const char *format, const char **text, const char **word)
{
    PyObject *flag, *id = NULL;
    return PyArg_ParseTuple(given, format, &flag, text, &id, word) ? PyObject_IsTrue(flag) : -1;
}

static PyObject *tell(int told, tn_level level, const char *text)
{
    if (told < 0) return NULL;
    if (told && tn_user_now && !tn_user_repeats) tn_user_say(tn_user_now, level, text);
    Py_RETURN_NONE;
}

/* py_errmes(errflg, message, id, "STOP") */
static PyObject *py_errmes(PyObject *unused, PyObject *given)
{
    const char *text, *end = "";
    const int told = read_message(given, "Os|Os:py_errmes", &text, &end);
    (void)unused;
    if (told > 0 && strcasecmp(end, "STOP") == 0) return PyErr_Format(PyExc_RuntimeError, "%s", text);
    return tell(told, TN_WARNING, text);
}

/* py_usrmes(msgflg, message, id, "INFO") */
static PyObject *py_usrmes(PyObject *unused, PyObject *given)
{
    const char *text, *kind = "INFO";
    const int told = read_message(given, "Os|Os:py_usrmes", &text, &kind);
    (void)unused;
    return tell(told, strncasecmp(kind, "INFO", 4) == 0 ? TN_NOTE : TN_WARNING, text);
}

/* spline(method, x, z, signal, order): the value and its derivative, for the functions of prelude.py. */
static PyObject *spline(PyObject *unused, PyObject *given)
{
    tn_user_point point = {.method = 0};
    double value, slope;
    const char *why;
    PyObject *signal;
    (void)unused;
    if (!PyArg_ParseTuple(given, "IddOi", &point.method, &point.x, &point.z, &signal, &point.order) ||
        !tenon_python_read_id(signal, &point.signal) || !asks_in_call())
        return NULL;
    const tn_status status = tn_user_ask_spline(tn_user_now, &point, &value, &slope, &why);
    if (status == TN_OK) return Py_BuildValue("(dd)", value, slope);
    if (status == TN_RETRY) return PyErr_Format(PyExc_ValueError, "%s", why);
    return raise_problem(tn_user_now);
}

/* timget(): the end of the last accepted step */
static PyObject *timget(PyObject *unused, PyObject *nothing)
{
    (void)unused, (void)nothing;
    return asks_in_call() ? PyFloat_FromDouble(tn_user_accepted_time(tn_user_now)) : NULL;
}

#define FAST(function) (PyCFunction)(void (*)(void)) function

static PyMethodDef functions[] = {{"sysfnc", FAST(sysfnc), METH_FASTCALL, "A number that the model knows."},
                                  {"sysary", FAST(sysary), METH_FASTCALL, "A vector that the model knows."},
                                  {"py_sysfnc", FAST(py_sysfnc), METH_FASTCALL, "A number, and 0."},
                                  {"py_sysary", FAST(py_sysary), METH_FASTCALL, "A vector, and 0."},
                                  {"py_errmes", py_errmes, METH_VARARGS, "A warning, or the end of the run."},
                                  {"py_usrmes", py_usrmes, METH_VARARGS, "A note or a warning."},
                                  {"spline", spline, METH_VARARGS, "A spline and its slope."},
                                  {"timget", timget, METH_NOARGS, "The end of the last accepted step."},
                                  {"py_timget", timget, METH_NOARGS, "The end of the last accepted step."},
                                  {"write", write_text, METH_O, "What is printed."},
                                  {NULL, NULL, 0, NULL}};

/* ---- errors ------------------------------------------------------------------------------------------------ */

/* Numbers may lie where a function has no value: a smaller step may help. Other exceptions end the run. */
static tn_status report_exception(tn_user_call *call)
{
    char text[TN_USER_TEXT];
    const bool arithmetic =
        PyErr_ExceptionMatches(PyExc_ArithmeticError) || PyErr_ExceptionMatches(PyExc_ValueError);
    const bool memory = PyErr_ExceptionMatches(PyExc_MemoryError) != 0;
    script *self = call->routine->self;
    if (PyErr_ExceptionMatches(tenon_python_prelude("TimeLimit"))) atomic_store(&self->memory.late, true);
    tenon_python_explain(text, sizeof text);
    if (call->finds_reads)
        tenon_python_add_arguments(text, sizeof text, self->numbers ? (int)self->declared : -1,
                                   call->routine->arguments, call->routine->parameters);
    if (memory) return TN_OUT_OF_MEMORY;
    if (!arithmetic) return tn_user_fail(call, TN_INVALID, "%s", text);
    if (call->finds_reads || call->by_differences || tn_user_repeats || strcmp(text, self->told) == 0)
        return TN_RETRY;
    tn_user_say(call, TN_WARNING, text);
    (void)tn_print_cut(self->told, sizeof self->told, "%s", text);
    return TN_RETRY;
}

/* ---- calls ------------------------------------------------------------------------------------------------- */

static PyObject *number_of_call(const tn_user_call *call, const double *number)
{
    if (!call_duals) return PyFloat_FromDouble(*number);
    PyObject *dual = PyList_GET_ITEM(call_duals, number - call->argument);
    Py_INCREF(dual);
    return dual;
}

/* New references of the arguments; their number, or -1. */
static Py_ssize_t make_numbers(const script *self, const tn_user_call *call, PyObject **given)
{
    const tn_user_routine *routine = call->routine;
    Py_ssize_t count = 0;
    for (uint32_t k = 0; k < routine->arguments; k++, count++)
        if (!(given[count] = number_of_call(call, call->argument + k))) return -1;
    for (uint32_t k = 0; k < self->declared; k++, count++)
        if (!(given[count] = number_of_call(call, call->reading + k))) return -1;
    for (Py_ssize_t k = 0; k < (Py_ssize_t)routine->parameters; k++, count++)
        Py_INCREF(given[count] = PyList_GET_ITEM(self->parameter, k));
    return count;
}

/* id, time, par, npar, dflag, iflag */
static Py_ssize_t make_arguments(const script *self, const tn_user_call *call, PyObject **given)
{
    const uint32_t readings = call->routine->readings;
    PyObject *time = number_of_call(call, call->reading + readings);
    PyObject *all[6] = {self->id,
                        time,
                        self->parameter,
                        self->count,
                        call->by_differences ? Py_True : Py_False,
                        call->finds_reads ? Py_True : Py_False};
    for (int k = 0; k < 6; k++)
        if (k != 1) Py_INCREF(all[k]);
    memcpy(given, all, sizeof all);
    return time ? 6 : -1;
}

/* The result of the function, a new reference. */
static PyObject *call_function(const script *self, const tn_user_call *call)
{
    PyObject *given[1 + MOST_NUMBERS] = {NULL}, **first = given + 1;
    const Py_ssize_t count =
        self->numbers ? make_numbers(self, call, first) : make_arguments(self, call, first);
    PyObject *result = count < 0 ? NULL
                                 : PyObject_Vectorcall(self->function, first,
                                                       (size_t)count | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    for (Py_ssize_t k = 0; k < MOST_NUMBERS && first[k]; k++)
        Py_DECREF(first[k]);
    return result;
}

static uint32_t count_numbers(const tn_user_routine *routine)
{
    return routine->arguments + routine->readings + routine->reads_time;
}

/* A value with derivatives, (value, [...]), in place of the list or tuple `pair`. */
static bool read_pair(const tn_user_routine *routine, PyObject *pair, tn_user_call *call)
{
    PyObject *value = PySequence_GetItem(pair, 0), *slopes = PySequence_GetItem(pair, 1);
    call->value = value ? PyFloat_AsDouble(value) : 0.0;
    const bool fine =
        value && slopes && !PyErr_Occurred() &&
        (call->finds_reads || tenon_python_read_slopes(slopes, count_numbers(routine), call->first));
    call->has_first = fine && call->first;
    Py_XDECREF(value);
    Py_XDECREF(slopes);
    return fine;
}

static bool is_pair(const script *self, PyObject *result)
{
    return self->numbers && (PyTuple_Check(result) || PyList_Check(result)) && PySequence_Size(result) == 2;
}

/* Takes the result; false with an exception. */
static bool read_result(const script *self, PyObject *result, tn_user_call *call)
{
    if (self->dual && call_duals)
        result = tenon_python_call_prelude("split_dual", result,
                                           PyLong_FromUnsignedLong(count_numbers(call->routine)));
    if (!result) return false;
    bool fine;
    if ((self->dual && call_duals) || is_pair(self, result)) {
        fine = read_pair(call->routine, result, call);
    } else {
        call->value = PyFloat_AsDouble(result);
        fine = !PyErr_Occurred();
        if (!fine && PyErr_ExceptionMatches(PyExc_TypeError) && !PyNumber_Check(result)) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError, "it returns %R instead of a number", result);
        }
    }
    Py_DECREF(result);
    return fine;
}

static tn_status call_once(tn_user_call *call)
{
    const script *self = call->routine->self;
    PyObject *before = call_duals;
    bool fine = true;
    call_duals = NULL;
    if (self->dual && !call->finds_reads && call->first)
        fine = (call_duals = tenon_python_make_duals(call->argument, count_numbers(call->routine)));
    PyObject *result = fine ? call_function(self, call) : NULL;
    fine = result && read_result(self, result, call);
    const tn_status status = fine ? TN_OK : report_exception(call);
    Py_CLEAR(call_duals);
    call_duals = before;
    if (printed_size > 0) end_line();
    return status;
}

/* After the parameters have been read, before the first call. */
static bool make_parameters(script *self, const tn_user_routine *routine)
{
    self->parameter = tenon_python_make_list(routine->parameter, routine->parameters);
    self->id = PyLong_FromLongLong(routine->id);
    self->count = PyLong_FromUnsignedLong(routine->parameters);
    return self->parameter && self->id && self->count;
}

static tn_status run(tn_user_call *call)
{
    script *self = call->routine->self;
    if (call->routine->parameters > MOST_PARAMETERS)
        return tn_user_fail(call, TN_INVALID, "there are more than %d parameters", MOST_PARAMETERS);
    tenon_python_enter(self->limit);
    const bool ready = self->parameter || make_parameters(self, call->routine);
    const tn_status status = ready ? tn_user_call_tried(&self->memory, call, call_once) : TN_OUT_OF_MEMORY;
    tenon_python_leave();
    return status;
}

/* ---- setup ------------------------------------------------------------------------------------------------- */

static void forget(script *self)
{
    if (self->names) PyDict_Clear(self->names); /* files that the script has opened are written and closed */
    Py_CLEAR(self->function);
    Py_CLEAR(self->names);
    Py_CLEAR(self->parameter);
    Py_CLEAR(self->id);
    Py_CLEAR(self->count);
}

static PyObject *run_text(const char *file, script *self)
{
    PyObject *path = PyUnicode_DecodeFSDefault(file);
    Py_XINCREF(path);
    self->names = tenon_python_call_prelude("make_namespace", path, PyBool_FromLong(self->dual));
    Py_XINCREF(self->names);
    if (self->names) return tenon_python_call_prelude("run_script", path, self->names);
    Py_XDECREF(path);
    return NULL;
}

/* Runs the text of the script, within a call in which nothing can be asked. */
static tn_status run_script(const tn_host *host, const python *self, script *what)
{
    tn_user_call call = {.routine = &self->user, .finds_reads = true, .outer = tn_user_now};
    char text[TN_USER_TEXT];
    tn_user_now = &call;
    PyObject *done = run_text(self->script, what);
    if (printed_size > 0) end_line();
    tn_user_now = call.outer;
    if (!done) tenon_python_explain(text, sizeof text);
    if (!done) return tn_refuse(host, "script", "%s", text);
    Py_DECREF(done);
    return TN_OK;
}

static tn_status find_function(const tn_host *host, const python *self, const char *name, script *what)
{
    what->function = PyDict_GetItemString(what->names, name);
    Py_XINCREF(what->function);
    if (what->function && PyCallable_Check(what->function)) return TN_OK;
    if (what->function)
        return tn_refuse(host, "function", "`%s` of `%s` is not a function", name, self->script);
    char nearest[TN_USER_TEXT];
    tenon_python_nearest(name, what->names, nearest, sizeof nearest);
    return tn_refuse(host, "function", "`%s` has no function `%s`%s%s%s", self->script, name,
                     *nearest ? ": did you mean `" : "", nearest, *nearest ? "`?" : "");
}

static tn_status load(const tn_host *host, python *self, const char *name, script *what)
{
    tenon_python_enter(fmax(self->limit, 60.0)); /* modules may take long */
    tn_status status = run_script(host, self, what);
    if (status == TN_OK) status = find_function(host, self, name, what);
    tenon_python_leave();
    return status;
}

static tn_status prepare_python(const tn_host *host, void *instance)
{
    python *self = instance;
    const char *name = self->function ? self->function : "VARSUB";
    const size_t size = strlen(name) + strlen(self->script) + sizeof "`` of ``";
    char why[256], *words = host->allocate(host, size);
    script *what = host->allocate(host, sizeof *what);
    if (!words || !what) return TN_OUT_OF_MEMORY;
    (void)snprintf(words, size, "`%s` of `%s`", name, self->script);
    /* a function gets numbers where the model hands some over or declares readings, else the arguments of a VARSUB */
    *what = (script){.limit = self->limit,
                     .dual = self->dual,
                     .numbers = self->arguments > 0 || self->reads.count > 0,
                     .declared = (uint32_t)self->reads.count};
    self->user = (tn_user_routine){
        .host = host, .what = words, .self = what, .run = run, .reads_time = !what->numbers};
    tenon_python_open_laws(host);
    if (!tenon_python_start(functions, why, sizeof why)) return tn_refuse(host, "script", "%s", why);
    tn_status status = load(host, self, name, what);
    if (status == TN_OK) status = tn_user_prepare(host, self);
    if (status == TN_OK) status = tn_user_check_memory(&self->user, self, &what->memory, NULL);
    if (status != TN_OK) {
        tenon_python_enter(self->limit);
        forget(what);
        tenon_python_leave();
    }
    return status;
}

static void release_python(const tn_host *host, void *instance)
{
    python *self = instance;
    (void)host;
    tenon_python_enter(self->limit);
    forget(self->user.self);
    tenon_python_leave();
}

TN_USER_FUNCTIONS(python)

TN_FUNCTION(
    python, .summary = "a value from a function written in Python",
    .formula =
        "python(name, x, ...) = f(x, ..., readings ..., parameters ...), or VARSUB(id, time, par, npar, "
        "dflag, iflag) without arguments and declared readings",
    .flags = TN_ONE_THREAD, .prepare = prepare_python, .release = release_python, TN_USER_FIELDS(python))

TN_LIBRARY("python", "1.0.0", "Apache-2.0", "functions written in Python", {TN_FUNCTION_KIND, &python_type})
#endif
