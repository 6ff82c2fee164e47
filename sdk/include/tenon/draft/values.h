/* tenon/draft/values.h - "tenon.values/1" of functions: sources of values, which read the model by themselves
 *
 * A function of expressions knows the numbers that a call hands to it. One with this capability says besides what it reads, in the
 * language of expressions: "DX(tip, base)", "VARVAL(valve)", "time", "2*k". The kernel works these readings out in front of every
 * call and hands derivatives on by the chain rule, so that forces, variables, constraints, sensors, conditions and changes take a
 * source of values for whatever number changes during the run, with exact tangents, in the right order, and with units: that is how
 * scripts, compiled routines and other languages are connected to a model.
 *
 * value() of the type gets the arguments of the call (`arguments` of them, or as many as argument_count() says of the instance, which
 * may be 0; those left out are 0), and behind them the readings in their order; its first derivatives are as many, its second ones as
 * many squared. Together they are at most TN_MOST_READINGS. An instance that reads nothing has at least one argument.
 *
 * A model may give such a function in place of a dynamic number or a callable, as a table with the key of a parameter that is code
 * (TN_CODE of describe.h): `value = { script = "law.py" }`. The kernel makes a signal of it, which has the item's name. An integer
 * parameter called `item_id` that is not given is the `id` of the item there, and that of the [[signal]] otherwise.
 *
 * This kernel implements the capability; it may change until it moves one folder up. */
#ifndef TENON_DRAFT_VALUES_H
#define TENON_DRAFT_VALUES_H

#include "tenon/writer.h"

#define TN_VALUES_KEY "tenon.values/1"

enum { TN_MOST_READINGS = 32, TN_MOST_OWN_SWITCHES = 8 };

typedef tn_status tn_values_of_calls(const void *const *instances, uint32_t count, const double *arguments,
                                     uint32_t stride, double *values);

typedef struct tn_values_capability {
    uint32_t struct_size, reserved;
    /* [setup] Reading number 0, 1, ..., NULL behind the last; after prepare(), once for each call in an expression. Names mean what they
     * do where the call stands. The text lives as long as the instance. Neither may DELAY be read, nor what is known after the run
     * only. */
    const char *(*reads)(const tn_host *host, const void *instance, uint32_t number);
    /* [setup] The unit of the value, such as "N m"; "" for a plain number, NULL where it is not known. The value itself is in SI units.
     * NULL: it is never known. */
    const char *(*unit)(const void *instance);
    /* [setup] How many switching functions there are, at most TN_MOST_OWN_SWITCHES; NULL: none. */
    uint32_t (*switch_count)(const void *instance);
    /* [hot] The switching functions: numbers that cross zero where the value has a kink or a jump, which the steps of adaptive solvers
     * end at; nan where one is of no account. `arguments` as for value(). */
    void (*switches)(const void *instance, const double *arguments, double *switches);
    /* [setup] How many arguments a call of this instance has, at most `arguments` of the type; after prepare(). NULL: `arguments`. */
    uint32_t (*argument_count)(const void *instance);
    /* [hot] The values of `count` calls at once, of instances that may be different ones, without derivatives, as value() gives them one
     * by one: number k of call i stands at arguments[k * stride + i]. TN_OK where all of them have a value; otherwise the kernel
     * calls value() for each of them, which tells why. NULL: value() alone. */
    tn_values_of_calls *values;
} tn_values_capability;

#endif
