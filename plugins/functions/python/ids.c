/* ids.c - names and ids of items that scripts give */
#include "ids.h"

#include <math.h>

bool tenon_python_read_id(PyObject *object, tn_user_id *id)
{
    id->name = NULL;
    id->number = 0;
    if (PyUnicode_Check(object)) return (id->name = PyUnicode_AsUTF8(object));
    const double number = PyFloat_AsDouble(object);
    if (number == -1.0 && PyErr_Occurred()) return false;
    if (!(fabs(number) < 1e15) || number != floor(number)) {
        PyErr_Format(PyExc_ValueError, "%R is neither a name nor an id", object);
        return false;
    }
    id->number = (int64_t)number;
    return true;
}

static bool read_ids(PyObject *const *object, Py_ssize_t count, tn_user_query *query, tn_user_id *id)
{
    if (count > TN_USER_IDS) {
        PyErr_Format(PyExc_ValueError, "there are more than %d names and ids", TN_USER_IDS);
        return false;
    }
    query->id = id;
    query->count = (uint32_t)count;
    for (Py_ssize_t k = 0; k < count; k++)
        if (!tenon_python_read_id(object[k], &id[k])) return false;
    return true;
}

/* A list of them, or a single one. */
static bool read_id_list(PyObject *object, tn_user_query *query, tn_user_id *id)
{
    if (PyUnicode_Check(object) || PyNumber_Check(object)) {
        if (!PySequence_Check(object) || PyUnicode_Check(object)) return read_ids(&object, 1, query, id);
    }
    PyObject *list = PySequence_Fast(object, "ids are numbers, names, or a list of them");
    const bool fine =
        list && read_ids(PySequence_Fast_ITEMS(list), PySequence_Fast_GET_SIZE(list), query, id);
    Py_XDECREF(list);
    return fine;
}

bool tenon_python_read_question(PyObject *const *given, Py_ssize_t count, const char *form,
                                tn_user_query *query, tn_user_id *id)
{
    if (count < 1 || !PyUnicode_Check(given[0])) {
        PyErr_Format(PyExc_TypeError, "write %s", form);
        return false;
    }
    query->function = PyUnicode_AsUTF8(given[0]);
    const bool listed = count == 2 && PySequence_Check(given[1]) && !PyUnicode_Check(given[1]);
    return query->function &&
           (listed ? read_id_list(given[1], query, id) : read_ids(given + 1, count - 1, query, id));
}
