/* prelude.c - calls of the functions of prelude.py, and lists of numbers */
#include "prelude.h"

#include <tenon/text.h>

#include <string.h>

/* Calls a function of prelude.py with new references, which it takes; NULL with an exception. */
PyObject *tenon_python_call_prelude(const char *name, PyObject *a, PyObject *b)
{
    PyObject *result = a ? PyObject_CallFunctionObjArgs(tenon_python_prelude(name), a, b, NULL) : NULL;
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

/* Takes the current exception and writes it as text. */
void tenon_python_explain(char *text, size_t size)
{
    PyObject *type, *value, *traceback;
    tenon_python_settle();
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (value && traceback) (void)PyException_SetTraceback(value, traceback);
    PyObject *words = tenon_python_call_prelude("explain", value, NULL);
    const char *letters = words ? PyUnicode_AsUTF8(words) : NULL;
    (void)tn_print_cut(text, size, "%s", letters ? letters : "an exception without words");
    Py_XDECREF(words);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    PyErr_Clear();
}

void tenon_python_add_arguments(char *text, size_t size, int declared, uint32_t arguments,
                                uint32_t parameters)
{
    const size_t length = strlen(text);
    if (strncmp(text, "TypeError: ", 11) != 0 || !strstr(text, " positional argument")) return;
    if (declared >= 0)
        (void)tn_print_cut(text + length, size - length, ": arguments %u, `reads` %d, `parameters` %u",
                           arguments, declared, parameters);
    else
        (void)tn_print_cut(text + length, size - length,
                           ": those of a VARSUB, as the model has neither `arguments` nor `reads`");
}

void tenon_python_nearest(const char *name, PyObject *names, char *nearest, size_t size)
{
    Py_INCREF(names);
    PyObject *found = tenon_python_call_prelude("nearest_function", PyUnicode_FromString(name), names);
    const char *letters = found && found != Py_None ? PyUnicode_AsUTF8(found) : NULL;
    (void)tn_print_cut(nearest, size, "%s", letters ? letters : "");
    Py_XDECREF(found);
    PyErr_Clear();
}

PyObject *tenon_python_make_list(const double *number, uint32_t count)
{
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint32_t k = 0; list && k < count; k++) {
        PyObject *item = PyFloat_FromDouble(number[k]);
        if (item)
            PyList_SET_ITEM(list, (Py_ssize_t)k, item);
        else
            Py_CLEAR(list);
    }
    return list;
}

PyObject *tenon_python_make_duals(const double *number, uint32_t count)
{
    return tenon_python_call_prelude("make_duals", tenon_python_make_list(number, count), NULL);
}

/* A list of numbers as derivatives, NULL where these are not wanted; false with an exception. */
bool tenon_python_read_slopes(PyObject *list, uint32_t count, double *first)
{
    PyObject *fast = PySequence_Fast(list, "derivatives are a list");
    if (!fast) return false;
    const Py_ssize_t given = PySequence_Fast_GET_SIZE(fast);
    if (given != (Py_ssize_t)count)
        PyErr_Format(PyExc_TypeError, "it returns %zd derivatives instead of %u", given, count);
    for (uint32_t k = 0; k < count && !PyErr_Occurred(); k++) {
        const double slope = PyFloat_AsDouble(PySequence_Fast_GET_ITEM(fast, (Py_ssize_t)k));
        if (first && !PyErr_Occurred()) first[k] = slope;
    }
    Py_DECREF(fast);
    return !PyErr_Occurred();
}
