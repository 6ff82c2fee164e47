/* interpreter.h - the one interpreter of Python in this process: its start, the threads that call it, and the end of calls that take
 * too long */
#ifndef TENON_PYTHON_INTERPRETER_H
#define TENON_PYTHON_INTERPRETER_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stddef.h>

/* Starts it at the first call, with these functions for all scripts; false after writing why it does not start. */
bool tenon_python_start(PyMethodDef *functions, char *why, size_t size);

/* Between these two, which nest, the thread may call Python. A call that takes longer than `limit` seconds is ended by an exception. */
void tenon_python_enter(double limit);
void tenon_python_leave(void);
/* The function has ended: what follows in this call may take its time. */
void tenon_python_settle(void);

/* What prelude.py defines, a borrowed reference; the functions for all scripts by their names. */
PyObject *tenon_python_prelude(const char *name);
PyObject *tenon_python_functions(void);

#endif
