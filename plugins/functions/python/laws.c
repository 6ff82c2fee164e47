/* laws.c - STEP, IMPACT and their like for scripts, with derivatives of an order: [value, errflg] = py_step5(x, x0, h0, x1, h1, iord) */
#include "laws.h"

#include <tenon/kit/user_functions.h>

static const tn_questions *answers; /* a table of the kernel; guarded by the interpreter's lock */

void tenon_python_open_laws(const tn_host *host)
{
    if (!answers && host->extension) answers = host->extension(host, TN_QUESTIONS_KEY);
}

/* The value, or a list of the derivatives by x and by its rate; and 0: wrong arguments raise an exception. */
static PyObject *evaluate(uint32_t number, PyObject *const *given, Py_ssize_t count)
{
    const tn_user_function *law = &tn_user_functions[number];
    double argument[TN_USER_MOST_NUMBERS], derivative[3];
    const uint32_t wanted = law->arguments;
    if (count != (Py_ssize_t)wanted + 1)
        return PyErr_Format(PyExc_TypeError, "py_%s() takes %u numbers and the order of a derivative",
                            law->name, wanted);
    for (uint32_t k = 0; k < wanted; k++)
        argument[k] = PyFloat_AsDouble(given[k]);
    const long order = PyLong_AsLong(given[wanted]);
    if (PyErr_Occurred()) return NULL;
    const char *problem = tn_user_function_value(answers, number, argument, wanted,
                                                 order < 0 || order > 2 ? -1 : (int)order, derivative);
    if (problem) return PyErr_Format(PyExc_ValueError, "%s", problem);
    if (tn_user_derivative_count(law, (int)order) == 1) return Py_BuildValue("(di)", derivative[0], 0);
    return order == 1 ? Py_BuildValue("([dd]i)", derivative[0], derivative[1], 0)
                      : Py_BuildValue("([ddd]i)", derivative[0], derivative[1], derivative[2], 0);
}

#define LAW(name, number)                                                             \
    static PyObject *name(PyObject *unused, PyObject *const *given, Py_ssize_t count) \
    {                                                                                 \
        (void)unused;                                                                 \
        return evaluate(number, given, count);                                        \
    }
LAW(step, TN_USER_STEP_FUNCTION)
LAW(step5, TN_USER_STEP5)
LAW(havsin, TN_USER_HAVSIN)
LAW(shf, TN_USER_SHF)
LAW(impact, TN_USER_IMPACT)
LAW(bistop, TN_USER_BISTOP)

#define METHOD(name)                                                                                         \
    {                                                                                                        \
        "py_" #name, (PyCFunction)(void (*)(void))name, METH_FASTCALL, "The function of expressions, and 0." \
    }
PyMethodDef tenon_python_laws[] = {METHOD(step),   METHOD(step5),  METHOD(havsin),       METHOD(shf),
                                   METHOD(impact), METHOD(bistop), {NULL, NULL, 0, NULL}};
