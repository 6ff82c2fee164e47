/* interpreter.c - the one interpreter of Python in this process: its start, the threads that call it, and the end of calls that take
 * too long
 *
 * It never ends: libraries of Python cannot be started twice. Threads hold the lock of the interpreter during a call only. */
#include "interpreter.h"
#include "laws.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    TICK = 50,         /* ms between two looks at the calls that run */
    MOST_STRIKES = 100 /* exceptions that a call may catch before it is ended as a crash */
};

/* A thread that calls Python, and what is seen of its calls. */
typedef struct caller {
    struct caller *next;
    PyThreadState *state;
    bool owned; /* the state, which is not that of a thread of Python's */
    unsigned long ident;
    pthread_t thread;
    int depth;
    bool struck;            /* by an exception that may not have been raised yet */
    _Atomic uint64_t calls; /* those begun and ended: odd while one runs */
    _Atomic double limit;   /* s, of the one that runs */
    uint64_t seen;          /* by the watch, and how long since */
    unsigned ticks, strikes;
} caller;

static struct {
    pthread_mutex_t lock; /* of the start and the list; who holds the interpreter never waits for it */
    bool tried, started;
    PyObject *names, *functions;
    PyInterpreterState *state;
    caller *callers;
    pthread_key_t key;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local caller *this_thread;

/* ---- calls that take too long ------------------------------------------------------------------------------ */

static void strike(caller *who)
{
    const PyGILState_STATE held = PyGILState_Ensure();
    if (atomic_load(&who->calls) == who->seen) {
        if (++who->strikes > MOST_STRIKES) (void)pthread_kill(who->thread, SIGABRT);
        who->struck = true;
        (void)PyThreadState_SetAsyncExc(who->ident, tenon_python_prelude("TimeLimit"));
    }
    PyGILState_Release(held);
}

static void look_at(caller *who)
{
    const uint64_t calls = atomic_load(&who->calls);
    if (!(calls & 1) || calls != who->seen) who->ticks = who->strikes = 0;
    who->seen = calls;
    if (calls & 1 && 1e-3 * TICK * who->ticks++ > atomic_load(&who->limit)) strike(who);
}

/* Counts its own ticks: a process that stands still does not use up the time of its calls. */
static void *watch_calls(void *unused)
{
    const struct timespec tick = {.tv_nsec = TICK * 1000000L};
    (void)unused;
    for (;;) {
        (void)nanosleep(&tick, NULL);
        (void)pthread_mutex_lock(&shared.lock);
        for (caller *who = shared.callers; who; who = who->next)
            look_at(who);
        (void)pthread_mutex_unlock(&shared.lock);
    }
    return NULL;
}

/* Signals are for other threads. */
static bool start_watch(void)
{
    pthread_t thread;
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool runs = pthread_create(&thread, NULL, watch_calls, NULL) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return runs && pthread_detach(thread) == 0;
}

/* ---- threads ----------------------------------------------------------------------------------------------- */

static void forget_thread(void *data)
{
    caller *who = data;
    if (who->owned) {
        PyEval_RestoreThread(who->state);
        PyThreadState_Clear(who->state);
        PyThreadState_DeleteCurrent();
    }
    (void)pthread_mutex_lock(&shared.lock);
    caller **place = &shared.callers;
    while (*place != who)
        place = &(*place)->next;
    *place = who->next;
    (void)pthread_mutex_unlock(&shared.lock);
    free(who);
}

/* NULL: out of memory. */
static caller *add_caller(PyThreadState *state, bool owned)
{
    caller *who = calloc(1, sizeof *who);
    if (!who || pthread_setspecific(shared.key, who) != 0) {
        free(who);
        return NULL;
    }
    who->state = state;
    who->owned = owned;
    who->ident = PyThread_get_thread_ident();
    who->thread = pthread_self();
    who->next = shared.callers;
    shared.callers = who;
    return this_thread = who;
}

/* Memory that lacks here would be lacking in Python, which then ends the process, too. */
static caller *know_thread(void)
{
    PyThreadState *known = PyGILState_GetThisThreadState();
    PyThreadState *state = known ? known : PyThreadState_New(shared.state);
    (void)pthread_mutex_lock(&shared.lock);
    caller *who = state ? add_caller(state, !known) : NULL;
    (void)pthread_mutex_unlock(&shared.lock);
    if (!who) Py_FatalError("no memory for a thread");
    return who;
}

void tenon_python_enter(double limit)
{
    caller *who = this_thread ? this_thread : know_thread();
    if (who->depth++ > 0) return;
    PyEval_RestoreThread(who->state);
    atomic_store_explicit(&who->limit, limit, memory_order_relaxed);
    atomic_fetch_add(&who->calls, 1);
}

void tenon_python_settle(void)
{
    caller *who = this_thread;
    if (atomic_load(&who->calls) & 1) atomic_fetch_add(&who->calls, 1);
    if (who->struck) (void)PyThreadState_SetAsyncExc(who->ident, NULL);
    who->struck = false;
}

void tenon_python_leave(void)
{
    caller *who = this_thread;
    if (--who->depth > 0) return;
    tenon_python_settle();
    (void)PyEval_SaveThread();
}

/* ---- start ------------------------------------------------------------------------------------------------- */

PyObject *tenon_python_prelude(const char *name) { return PyDict_GetItemString(shared.names, name); }
PyObject *tenon_python_functions(void) { return shared.functions; }

/* The file of the library itself, which modules in shared objects expect among the global symbols. */
static const char *expose_library(void)
{
    Dl_info info;
    if (!dladdr((void *)(uintptr_t)&Py_InitializeFromConfig, &info) || !info.dli_fname) return NULL;
    (void)dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    return info.dli_fname;
}

/* Whether `folder`/bin/python3 belongs to this version, by `folder`/lib/python3.11; writes its path. */
static bool find_program(const char *folder, size_t length, char *path, size_t size)
{
    const int version = PY_MAJOR_VERSION, minor = PY_MINOR_VERSION;
    int written = snprintf(path, size, "%.*s/lib/python%d.%d", (int)length, folder, version, minor);
    if (written < 0 || (size_t)written >= size || access(path, R_OK) != 0) return false;
    written = snprintf(path, size, "%.*s/bin/python%d", (int)length, folder, version);
    return written > 0 && (size_t)written < size && access(path, X_OK) == 0;
}

/* The program whose modules are used: of an active virtual environment of this version, else beside the library, whatever stands in
 * PATH; false: Python looks for one. */
static bool choose_program(const char *library, char *path, size_t size)
{
    const char *environment = getenv("VIRTUAL_ENV");
    if (environment && find_program(environment, strlen(environment), path, size)) return true;
    for (size_t length = library ? strlen(library) : 0; length > 0; length--)
        if (library[length - 1] == '/' && find_program(library, length - 1, path, size)) return true;
    return false;
}

static PyStatus initialise(const char *library)
{
    char program[4096];
    PyPreConfig before;
    PyConfig config;
    PyPreConfig_InitPythonConfig(&before);
    before.utf8_mode = 1;
    before.configure_locale = before.coerce_c_locale = before.coerce_c_locale_warn = 0;
#ifdef __SANITIZE_ADDRESS__
    before.allocator = PYMEM_ALLOCATOR_MALLOC; /* which the sanitizer sees through */
#endif
    PyStatus status = Py_PreInitialize(&before);
    if (PyStatus_Exception(status)) return status;
    PyConfig_InitPythonConfig(&config);
    config.parse_argv = config.install_signal_handlers = config.configure_c_stdio = 0;
    config.write_bytecode = 0; /* a run leaves no files beside its scripts */
    if (choose_program(library, program, sizeof program))
        status = PyConfig_SetBytesString(&config, &config.program_name, program);
    if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    return status;
}

#define EMBED(name, path)                                                                                \
    __asm__(".section .rodata\n.global " #name "\n.hidden " #name "\n" #name ":\n.incbin \"" path "\"\n" \
            ".byte 0\n.previous\n")

EMBED(tn_python_prelude_text, TN_PRELUDE);
extern const char tn_python_prelude_text[] __attribute__((visibility("hidden")));

static bool add_functions(PyMethodDef *functions)
{
    bool works = true;
    for (; works && functions->ml_name; functions++) {
        PyObject *function = PyCFunction_New(functions, NULL);
        works = function && PyDict_SetItemString(shared.functions, functions->ml_name, function) == 0;
        Py_XDECREF(function);
    }
    return works;
}

static bool run_prelude(PyMethodDef *functions, bool owned)
{
    static const char file[] = "<tenon>";
    PyObject *code = Py_CompileString(tn_python_prelude_text, file, Py_file_input), *result = NULL;
    shared.names = PyDict_New();
    shared.functions = PyDict_New();
    bool works = code && shared.names && shared.functions;
    works = works && add_functions(functions) && add_functions(tenon_python_laws);
    PyObject *name = PyUnicode_FromString(file);
    works = works && name && PyDict_SetItemString(shared.names, "__file__", name) == 0 &&
            PyDict_SetItemString(shared.names, "__name__", name) == 0 &&
            PyDict_SetItemString(shared.names, "__builtins__", PyEval_GetBuiltins()) == 0 &&
            PyDict_SetItemString(shared.names, "functions", shared.functions) == 0 &&
            PyDict_SetItemString(shared.names, "owned", owned ? Py_True : Py_False) == 0 &&
            (result = PyEval_EvalCode(code, shared.names, shared.names));
    Py_XDECREF(name);
    Py_XDECREF(result);
    Py_XDECREF(code);
    return works;
}

/* False: the program that this is a part of is written in Python. */
static bool start_interpreter(char *why, size_t size, bool *failed)
{
    const char *library = expose_library();
    if (Py_IsInitialized()) return false;
    const PyStatus status = initialise(library);
    *failed = PyStatus_Exception(status) != 0;
    if (*failed)
        (void)snprintf(why, size, "Python does not start: %s",
                       status.err_msg ? status.err_msg : "it has ended");
    return true;
}

static bool start(PyMethodDef *functions, char *why, size_t size)
{
    bool failed = false;
    const bool owned = start_interpreter(why, size, &failed);
    if (failed) return false;
    if (!owned) (void)PyGILState_Ensure(); /* until the thread ends */
    shared.state = PyInterpreterState_Get();
    const bool runs = run_prelude(functions, owned);
    if (!runs) PyErr_Print();
    PyThreadState *state = PyEval_SaveThread();
    const bool watches = runs && pthread_key_create(&shared.key, forget_thread) == 0 &&
                         add_caller(state, owned) && start_watch();
    if (!watches)
        (void)snprintf(why, size, "Python does not start: %s", runs ? strerror(errno) : "its own texts fail");
    return watches;
}

bool tenon_python_start(PyMethodDef *functions, char *why, size_t size)
{
    (void)pthread_mutex_lock(&shared.lock);
    if (shared.tried && !shared.started) (void)snprintf(why, size, "Python has not started before");
    if (!shared.tried) shared.started = start(functions, why, size);
    shared.tried = true;
    (void)pthread_mutex_unlock(&shared.lock);
    return shared.started;
}
