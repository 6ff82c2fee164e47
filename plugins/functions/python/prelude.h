/* prelude.h - calls of the functions of prelude.py, and lists of numbers */
#ifndef TENON_PYTHON_PRELUDE_H
#define TENON_PYTHON_PRELUDE_H

#include "interpreter.h"

#include <stdint.h>

/* Calls a function of prelude.py with new references, which it takes (b may be NULL); NULL with an exception. */
PyObject *tenon_python_call_prelude(const char *name, PyObject *a, PyObject *b);

/* Takes the current exception and writes it as text. */
void tenon_python_explain(char *text, size_t size);

/* Adds to "f() takes 1 positional argument but 6 were given" what it gets; declared readings are -1 where those are the arguments of
 * a VARSUB. */
void tenon_python_add_arguments(char *text, size_t size, int declared, uint32_t arguments,
                                uint32_t parameters);
/* The function among these names that is most like `name`; empty: none. */
void tenon_python_nearest(const char *name, PyObject *names, char *nearest, size_t size);

/* Numbers as a list of floats, and as one of numbers with derivatives by each other; new references, NULL with an exception. */
PyObject *tenon_python_make_list(const double *number, uint32_t count);
PyObject *tenon_python_make_duals(const double *number, uint32_t count);

/* A list of numbers as derivatives, which `first`, where it is not NULL, gets; false with an exception. */
bool tenon_python_read_slopes(PyObject *list, uint32_t count, double *first);

#endif
