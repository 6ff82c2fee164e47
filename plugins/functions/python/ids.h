/* ids.h - names and ids of items that scripts give */
#ifndef TENON_PYTHON_IDS_H
#define TENON_PYTHON_IDS_H

#include "interpreter.h"

#include <tenon/kit/user_queries.h>

/* A name, or a whole number; false with an exception. */
bool tenon_python_read_id(PyObject *object, tn_user_id *id);
/* sysfnc("VM", 1011), sysfnc("VM", [1011]), or sysfnc("VM(1011)"), as `form` says: `query` gets function and ids, [TN_USER_IDS]; false
 * with an exception. */
bool tenon_python_read_question(PyObject *const *given, Py_ssize_t count, const char *form,
                                tn_user_query *query, tn_user_id *id);

#endif
