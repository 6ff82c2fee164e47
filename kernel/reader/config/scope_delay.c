/* scope_delay.c - calls of delay, whose arguments are expressions of their own */
#include "config/scope_lookup.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DELAYS = 8 }; /* inside each other */

/* Two calls are the same when they are written alike. */
static void write_key(tn_lookup *look, const tn_argument_text *argument)
{
    look->key.length = 0;
    tn_text_add(&look->key, "%s(", TN_DELAY_FUNCTION);
    for (int k = 0; k < TN_DELAY_ARGUMENTS; k++) {
        tn_text_add_letters(&look->key, look->node->text + look->offset + argument[k].offset,
                            argument[k].length);
        tn_text_add_letters(&look->key, ",", 1);
    }
}

/* Compiles the arguments of a call; false after reporting. */
static bool compile_delay(tn_lookup *look, const tn_argument_text *argument, tn_delayed *delayed)
{
    tn_source *source = look->source;
    const tn_allowed allowed = {.time = true};
    bool good = true;
    source->delays++;
    for (int k = 0; k < TN_DELAY_ARGUMENTS; k++) {
        struct tn_delayed_argument *own = &delayed->argument[k];
        own->text = (tn_argument_text){look->offset + argument[k].offset, argument[k].length};
        own->expression =
            tn_scope_compile(source, look->node, own->text.offset, own->text.length, &allowed, &own->calls);
        good = good && own->expression;
    }
    source->delays--;
    const tn_item_calls *start = &delayed->argument[TN_DELAY_START].calls;
    if (good && start->count)
        return tn_source_error_inside(
            source, look->node, start->call[0].offset,
            "the value of `%s` before the run must be a number or a function of time: `%s` is neither",
            TN_DELAY_FUNCTION, start->call[0].function);
    return good;
}

tn_symbol tn_scope_delay(void *data, const tn_argument_text *argument, tn_expression_error *error)
{
    tn_lookup *look = data;
    if (!tn_scope_may_change(look, TN_DELAY_FUNCTION, error)) return (tn_symbol){.kind = TN_SYMBOL_ERROR};
    if (look->source->delays == MOST_DELAYS) {
        (void)tn_print_cut(error->message, sizeof error->message,
                           "more than %d calls of `%s` inside each other", MOST_DELAYS, TN_DELAY_FUNCTION);
        return (tn_symbol){.kind = TN_SYMBOL_ERROR};
    }
    write_key(look, argument);
    tn_item_call call = {.function = TN_DELAY_FUNCTION, .offset = error->offset};
    bool good = true;
    if (tn_names_find(&look->call_names, look->key.letters) == TN_NO_NAME) {
        call.delayed = tn_arena_new(look->source->arena, sizeof *call.delayed);
        good = compile_delay(look, argument, call.delayed);
    }
    const tn_symbol symbol = tn_scope_call(look, call);
    return good ? symbol : (tn_symbol){.kind = TN_SYMBOL_ERROR};
}
