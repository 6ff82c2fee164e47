/* lua.c - values from functions written in Lua
 *
 * A function of a script either has the six arguments of a VARSUB, and asks for what it reads; or it gets numbers: those of the call,
 * what the model says that it reads, and the parameters. */
#include "lanes.h"

#include <tenon/author.h>

#if TN_VALUES

#include <tenon/kit/user_functions.h>
#include <tenon/kit/user_memory.h>

#include <errno.h>
#include <stdio.h>

typedef struct script script;

#define LUA(P)                                                     \
    P(FILE, script, TN_REQUIRED | TN_CODE, "file of the function") \
    TN_USER_PARAMETERS(P)                                          \
    P(REAL, limit, "s", TN_ABOVE_LOW, 10.0, 0.0, TN_UNBOUNDED, "time that a call may take")

TN_PARAMETERS(source, LUA)

enum { MOST_PARAMETERS = 64, MOST_NUMBERS = TN_MOST_READINGS + MOST_PARAMETERS, MOST_FILE = 1 << 26 };

/* What an instance has in Lua. */
struct script {
    bool numbers;      /* the function gets these, not the arguments of a VARSUB */
    uint32_t declared; /* readings that the model declares */
    tn_user_memory memory;
    lua_lanes lanes;
};

/* ---- functions for scripts --------------------------------------------------------------------------------- */

static int say(lua_State *state)
{
    const int count = lua_gettop(state);
    luaL_Buffer text;
    luaL_buffinit(state, &text);
    for (int k = 1; k <= count; k++) {
        if (k > 1) luaL_addchar(&text, '\t');
        (void)luaL_tolstring(state, k, NULL);
        luaL_addvalue(&text);
    }
    luaL_pushresult(&text);
    if (tn_user_now && !tn_user_repeats) tn_user_say(tn_user_now, TN_NOTE, lua_tostring(state, -1));
    return 0;
}

static void read_id(lua_State *state, int index, tn_user_id *id)
{
    id->name = NULL;
    id->number = 0;
    if (lua_type(state, index) == LUA_TSTRING) {
        id->name = lua_tostring(state, index);
        return;
    }
    const double number = luaL_checknumber(state, index);
    if (!(fabs(number) < 1e15) || number != floor(number))
        (void)luaL_error(state, "%f is neither a name nor an id", number);
    id->number = (int64_t)number;
}

/* A table of ids and names at 2; they stay on the stack. */
static uint32_t read_table(lua_State *state, tn_user_id *id)
{
    const lua_Unsigned count = lua_rawlen(state, 2);
    if (count > TN_USER_IDS) (void)luaL_error(state, "there are more than %d names and ids", TN_USER_IDS);
    luaL_checkstack(state, TN_USER_IDS, NULL);
    for (lua_Unsigned k = 0; k < count; k++) {
        (void)lua_rawgeti(state, 2, (lua_Integer)k + 1);
        read_id(state, -1, &id[k]);
    }
    return (uint32_t)count;
}

/* The call from the model; an error of the script outside of one. */
static tn_user_call *call_of(lua_State *state)
{
    tn_user_call *call = tn_user_now;
    if (!call || !call->routine->reads)
        (void)luaL_error(state, "a question outside of a call from the model");
    return call;
}

/* Reports the error of the script with its place. */
static void raise_problem(lua_State *state, tn_user_call *call)
{
    luaL_where(state, 1);
    lua_pushstring(state, call->problem);
    call->problem[0] = '\0';
    lua_concat(state, 2);
    (void)lua_error(state);
}

/* sysfnc("VM", 1011), sysfnc("VM", {1011}), or sysfnc("VM(1011)") */
static const double *ask(lua_State *state, bool vector, uint32_t *size)
{
    tn_user_id id[TN_USER_IDS];
    tn_user_query query = {.function = luaL_checkstring(state, 1), .id = id, .vector = vector};
    const int more = lua_gettop(state) - 1;
    if (more > TN_USER_IDS) (void)luaL_error(state, "there are more than %d names and ids", TN_USER_IDS);
    if (more == 1 && lua_istable(state, 2)) {
        query.count = read_table(state, id);
    } else {
        query.count = (uint32_t)more;
        for (int k = 0; k < more; k++)
            read_id(state, k + 2, &id[k]);
    }
    tn_user_call *call = call_of(state);
    const double *number = tn_user_ask(call, &query, size);
    if (!number) raise_problem(state, call);
    return number;
}

/* Returns the number, and 0 in place of the error flag of other programs: a wrong question raises an error. */
static int sysfnc(lua_State *state)
{
    uint32_t size;
    lua_pushnumber(state, *ask(state, false, &size));
    lua_pushinteger(state, 0);
    return 2;
}

static int sysary(lua_State *state)
{
    uint32_t size;
    const double *number = ask(state, true, &size);
    lua_createtable(state, (int)size, 0);
    for (uint32_t k = 0; k < size; k++) {
        lua_pushnumber(state, number[k]);
        lua_rawseti(state, -2, (lua_Integer)k + 1);
    }
    lua_pushinteger(state, 0);
    return 2;
}

/* cubspl(x, z, "rubber", order): the value, and 0; nan and 1 where there is none. As other programs have it, the value is the first of three
 * numbers in a table. */
static int answer_spline(lua_State *state, uint32_t method, bool listed)
{
    tn_user_point point = {
        .method = method, .x = luaL_checknumber(state, 1), .z = luaL_optnumber(state, 2, 0.0)};
    tn_user_call *call = call_of(state);
    const char *why;
    double value;
    read_id(state, 3, &point.signal);
    point.order = (int)luaL_optinteger(state, 4, 0);
    const tn_status status = tn_user_ask_spline(call, &point, &value, NULL, &why);
    if (status != TN_OK && status != TN_RETRY) raise_problem(state, call);
    if (listed) lua_createtable(state, 3, 0);
    for (int k = 0; k < (listed ? 3 : 1); k++) {
        lua_pushnumber(state, k == 0 ? value : 0.0);
        if (listed) lua_rawseti(state, -2, k + 1);
    }
    lua_pushinteger(state, status == TN_RETRY);
    return 2;
}

#define SPLINE(method, number)                                                          \
    static int method(lua_State *state) { return answer_spline(state, number, false); } \
    static int py_##method(lua_State *state) { return answer_spline(state, number, true); }
SPLINE(akispl, 0)
SPLINE(cubspl, 1)
SPLINE(linspl, 2)
SPLINE(quispl, 3)
#define SPLINE_NAMES(method, capitals) \
    {#method, method}, {#capitals, method}, { "py_" #method, py_##method }

/* step5(x, x0, h0, x1, h1, order): the value, or a table of the derivatives by x and by its rate, and 0; nan and 1 where there is none. */
static int answer_function(lua_State *state, uint32_t number)
{
    const tn_user_function *function = &tn_user_functions[number];
    const uint32_t wanted = function->arguments;
    double argument[TN_USER_MOST_NUMBERS], derivative[3];
    for (uint32_t k = 0; k < wanted; k++)
        argument[k] = luaL_checknumber(state, (int)k + 1);
    const lua_Integer order = luaL_optinteger(state, (int)wanted + 1, 0);
    if (order < 0 || order > 2) (void)luaL_error(state, "the order of a derivative is 0, 1 or 2");
    const char *problem = tn_user_function_value(call_of(state)->routine->splines->questions, number,
                                                 argument, wanted, (int)order, derivative);
    const uint32_t count = tn_user_derivative_count(function, (int)order);
    if (count > 1) lua_createtable(state, (int)count, 0);
    for (uint32_t k = 0; k < count; k++) {
        lua_pushnumber(state, derivative[k]);
        if (count > 1) lua_rawseti(state, -2, (lua_Integer)k + 1);
    }
    lua_pushinteger(state, problem != NULL);
    return 2;
}

#define FUNCTION(name, number) \
    static int name(lua_State *state) { return answer_function(state, number); }
FUNCTION(step, TN_USER_STEP_FUNCTION)
FUNCTION(step5, TN_USER_STEP5)
FUNCTION(havsin, TN_USER_HAVSIN)
FUNCTION(shf, TN_USER_SHF)
FUNCTION(impact, TN_USER_IMPACT)
FUNCTION(bistop, TN_USER_BISTOP)
#define FUNCTION_NAMES(name) \
    {#name, name}, { "py_" #name, name }

/* The end of the last accepted step. */
static int timget(lua_State *state)
{
    lua_pushnumber(state, tn_user_accepted_time(call_of(state)));
    return 1;
}

static bool is_told(lua_State *state)
{
    return lua_toboolean(state, 1) && !(lua_isnumber(state, 1) && lua_tonumber(state, 1) == 0.0);
}

/* usrmes(msgflg, message, id, "INFO"): nothing where msgflg is false, nil or 0. */
static int usrmes(lua_State *state)
{
    const char *text = luaL_checkstring(state, 2), *kind = luaL_optstring(state, 4, "INFO");
    if (is_told(state) && tn_user_now && !tn_user_repeats)
        tn_user_say(tn_user_now, strncasecmp(kind, "INFO", 4) == 0 ? TN_NOTE : TN_WARNING, text);
    return 0;
}

/* errmes(errflg, message, id, "STOP"): nothing where errflg is false, nil or 0. */
static int errmes(lua_State *state)
{
    const char *text = luaL_checkstring(state, 2), *end = luaL_optstring(state, 4, "");
    const bool wrong = is_told(state);
    if (wrong && strcasecmp(end, "STOP") == 0) return luaL_error(state, "%s", text);
    if (wrong && tn_user_now && !tn_user_repeats) tn_user_say(tn_user_now, TN_WARNING, text);
    return 0;
}

static const luaL_Reg functions[] = {{"print", say},
                                     {"sysfnc", sysfnc},
                                     {"sysary", sysary},
                                     {"errmes", errmes},
                                     {"py_sysfnc", sysfnc},
                                     {"py_sysary", sysary},
                                     {"py_errmes", errmes},
                                     {"usrmes", usrmes},
                                     {"py_usrmes", usrmes},
                                     FUNCTION_NAMES(step),
                                     FUNCTION_NAMES(step5),
                                     FUNCTION_NAMES(havsin),
                                     FUNCTION_NAMES(shf),
                                     FUNCTION_NAMES(impact),
                                     FUNCTION_NAMES(bistop),
                                     {"timget", timget},
                                     {"py_timget", timget},
                                     SPLINE_NAMES(akispl, AKISPL),
                                     SPLINE_NAMES(cubspl, CUBSPL),
                                     SPLINE_NAMES(linspl, LINSPL),
                                     SPLINE_NAMES(quispl, QUISPL),
                                     {NULL, NULL}};

/* ---- calls ------------------------------------------------------------------------------------------------- */

/* id, time, par, npar, dflag, iflag; their number */
static int push_arguments(lua_State *state, const lua_lane *lane, const tn_user_call *call)
{
    const tn_user_routine *routine = call->routine;
    lua_pushinteger(state, routine->id);
    lua_pushnumber(state, call->time);
    (void)lua_rawgeti(state, LUA_REGISTRYINDEX, lane->parameters);
    lua_pushinteger(state, routine->parameters);
    lua_pushboolean(state, call->by_differences);
    lua_pushboolean(state, call->finds_reads);
    return 6;
}

static int push_numbers(lua_State *state, const script *self, const tn_user_call *call)
{
    const tn_user_routine *routine = call->routine;
    for (uint32_t k = 0; k < routine->arguments; k++)
        lua_pushnumber(state, call->argument[k]);
    for (uint32_t k = 0; k < self->declared; k++)
        lua_pushnumber(state, call->reading[k]);
    for (uint32_t k = 0; k < routine->parameters; k++)
        lua_pushnumber(state, routine->parameter[k]);
    return (int)(routine->arguments + self->declared + routine->parameters);
}

/* Derivatives stand behind the value: as many results, or a table of them at 2. */
static tn_status read_slopes(lua_State *state, tn_user_call *call, uint32_t count)
{
    const bool listed = lua_istable(state, 2);
    const uint32_t given = listed ? (uint32_t)lua_rawlen(state, 2) : (uint32_t)lua_gettop(state) - 1;
    if (given != count)
        return tn_user_fail(call, TN_INVALID, "it returns %u derivatives instead of %u", given, count);
    for (uint32_t k = 0; call->first && k < count; k++) {
        if (listed) (void)lua_rawgeti(state, 2, (lua_Integer)k + 1);
        const int place = listed ? -1 : (int)k + 2;
        const bool is_number = lua_type(state, place) == LUA_TNUMBER;
        call->first[k] = lua_tonumber(state, place);
        if (listed) lua_pop(state, 1);
        if (!is_number) return tn_user_fail(call, TN_INVALID, "derivative %u is not a number", k + 1);
    }
    call->has_first = call->first;
    return TN_OK;
}

static tn_status read_results(lua_State *state, const script *self, tn_user_call *call)
{
    const tn_user_routine *routine = call->routine;
    call->value = lua_tonumber(state, 1);
    if (lua_type(state, 1) != LUA_TNUMBER) /* not a text that is one, either */
        return tn_user_fail(call, TN_INVALID, "it returns %s instead of a number",
                            lua_gettop(state) ? luaL_typename(state, 1) : "nothing");
    if (!self->numbers || lua_gettop(state) == 1 || call->finds_reads) return TN_OK;
    return read_slopes(state, call, routine->arguments + routine->readings);
}

static tn_status tell_error(lua_State *state, int code, tn_user_call *call)
{
    if (code == LUA_ERRMEM)
        return tn_user_fail(call, TN_INVALID, "it needs more memory than there is, or than 2 GB");
    const char *text = lua_tostring(state, -1);
    return tn_user_fail(call, TN_INVALID, "%s", text ? text : "an error without words");
}

static tn_status call_function(lua_lane *lane, script *self, tn_user_call *call)
{
    lua_State *state = lane->state;
    tenon_lua_begin(lane);
    if (!lua_checkstack(state, MOST_NUMBERS + LUA_MINSTACK)) return TN_OUT_OF_MEMORY;
    (void)lua_rawgeti(state, LUA_REGISTRYINDEX, lane->function);
    const int count = self->numbers ? push_numbers(state, self, call) : push_arguments(state, lane, call);
    const int code = lua_pcall(state, count, LUA_MULTRET, 0);
    const tn_status status = code == LUA_OK ? read_results(state, self, call) : tell_error(state, code, call);
    lua_settop(state, 0);
    if (lane->late) atomic_store(&self->memory.late, true);
    return status;
}

static tn_status call_once(tn_user_call *call)
{
    script *self = call->routine->self;
    char why[LUA_MOST_TEXT];
    lua_lane *lane = tenon_lua_take(&self->lanes, why, sizeof why);
    if (!lane) return tn_user_fail(call, TN_INVALID, "%s", why);
    const tn_status status = call_function(lane, self, call);
    tenon_lua_give(lane);
    return status;
}

static tn_status run(tn_user_call *call)
{
    script *self = call->routine->self;
    return tn_user_call_tried(&self->memory, call, call_once);
}

/* ---- setup ------------------------------------------------------------------------------------------------- */

/* As the program lua does: without the mark of UTF-8, and a first line for the shell. */
static void skip_beginning(lua_lanes *lanes)
{
    static const char mark[] = "\xef\xbb\xbf";
    const char *end = lanes->text + lanes->size;
    if (lanes->size >= 3 && memcmp(lanes->text, mark, 3) == 0) lanes->text += 3;
    if (lanes->text < end && *lanes->text == '#')
        while (lanes->text < end && *lanes->text != '\n')
            lanes->text++;
    lanes->size = (size_t)(end - lanes->text);
}

/* The text of the script, as long as the model. */
static tn_status read_file(const tn_host *host, const char *path, lua_lanes *lanes)
{
    FILE *file = fopen(path, "rbe");
    if (!file) return tn_refuse(host, "script", "`%s` cannot be read: %s", path, strerror(errno));
    tn_status status = TN_OK;
    const long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *text = size >= 0 && size < MOST_FILE ? host->allocate(host, (size_t)size + 1) : NULL;
    rewind(file);
    if (size < 0 || size >= MOST_FILE)
        status = tn_refuse(host, "script", "`%s` is not a file that can be read", path);
    else if (!text)
        status = TN_OUT_OF_MEMORY;
    else if (fread(text, 1, (size_t)size, file) != (size_t)size)
        status = tn_refuse(host, "script", "`%s` cannot be read", path);
    (void)fclose(file);
    lanes->text = text;
    lanes->size = (size_t)(size > 0 ? size : 0);
    if (status == TN_OK) skip_beginning(lanes);
    return status;
}

static void close_lanes(script *self)
{
    for (int k = 0; k < LUA_MOST_LANES; k++)
        tenon_lua_close(&self->lanes.lane[k]);
}

/* A new state, in which the text runs again. */
static tn_status renew(const tn_user_routine *routine)
{
    script *self = routine->self;
    char why[LUA_MOST_TEXT];
    tn_user_repeats = true; /* it has printed before */
    tenon_lua_close(&self->lanes.lane[0]);
    const bool fine = tenon_lua_open(&self->lanes, &self->lanes.lane[0], why, sizeof why);
    tn_user_repeats = false;
    return fine ? TN_OK : tn_refuse(routine->host, "script", "%s", why);
}

/* Runs the text of the script, within a call in which nothing can be asked. */
static tn_status load(const tn_host *host, const source *self, script *what)
{
    tn_user_call call = {.routine = &self->user, .finds_reads = true, .outer = tn_user_now};
    char why[LUA_MOST_TEXT];
    tn_user_now = &call;
    const bool fine = tenon_lua_open(&what->lanes, &what->lanes.lane[0], why, sizeof why);
    tn_user_now = call.outer;
    return fine ? TN_OK : tn_refuse(host, what->lanes.lane[0].ran ? "function" : "script", "%s", why);
}

/* A function that is meant to get numbers, and gets the arguments of a VARSUB, would take the id for the first of them. */
static void warn_of_arguments(const tn_host *host, const source *self, const script *what)
{
    lua_State *state = what->lanes.lane[0].state;
    lua_Debug about;
    (void)lua_rawgeti(state, LUA_REGISTRYINDEX, what->lanes.lane[0].function);
    const char *first = lua_getlocal(state, NULL, 1);
    const bool known = lua_getinfo(state, ">u", &about) != 0;
    if (known && !what->numbers && about.nparams > 0 && about.nparams < 6 && first &&
        strcasecmp(first, "id") != 0)
        tn_say(host, TN_WARNING,
               "%s gets id, time, par, npar, dflag, iflag, where the model gives it neither `arguments` nor "
               "`reads`: "
               "its first parameter `%s` is the id",
               self->user.what, first);
    lua_settop(state, 0);
}

static tn_status prepare_lua(const tn_host *host, void *instance)
{
    source *self = instance;
    const char *name = self->function ? self->function : "VARSUB";
    const size_t size = strlen(name) + strlen(self->script) + sizeof "`` of ``";
    char *words = host->allocate(host, size);
    script *what = host->allocate(host, sizeof *what);
    if (!words || !what) return TN_OUT_OF_MEMORY;
    (void)snprintf(words, size, "`%s` of `%s`", name, self->script);
    /* a function gets numbers where the model hands some over or declares readings, else the arguments of a VARSUB */
    what->numbers = self->arguments > 0 || self->reads.count > 0;
    what->declared = (uint32_t)self->reads.count;
    what->lanes.file = self->script;
    what->lanes.name = name;
    what->lanes.limit = self->limit;
    what->lanes.functions = functions;
    self->user = (tn_user_routine){
        .host = host, .what = words, .self = what, .run = run, .reads_time = !what->numbers};
    tn_status status = read_file(host, self->script, &what->lanes);
    if (status == TN_OK)
        status = tn_user_parameters(host, "parameters", self->parameters, &what->lanes.parameter,
                                    &what->lanes.parameters);
    if (status == TN_OK && what->lanes.parameters > MOST_PARAMETERS)
        return tn_refuse(host, "parameters", "there are more than %d of them", MOST_PARAMETERS);
    if (status == TN_OK) status = load(host, self, what);
    if (status == TN_OK) warn_of_arguments(host, self, what);
    if (status == TN_OK) status = tn_user_prepare(host, self);
    if (status == TN_OK) status = tn_user_check_memory(&self->user, self, &what->memory, renew);
    if (status != TN_OK) close_lanes(what);
    return status;
}

static void release_lua(const tn_host *host, void *instance)
{
    (void)host;
    close_lanes(((source *)instance)->user.self);
}

TN_USER_FUNCTIONS(source)

/* `lua_type` is a function of Lua's. */
static const tn_function_type lua_function = {
    .struct_size = sizeof(tn_function_type),
    .name = "lua",
    .parameters = source_parameters,
    .instance_size = sizeof(source),
    .summary = "a value from a function written in Lua",
    .formula =
        "lua(name, x, ...) = f(x, ..., readings ..., parameters ...), or VARSUB(id, time, par, npar, dflag, "
        "iflag) without arguments and declared readings",
    .prepare = prepare_lua,
    .release = release_lua,
    TN_USER_FIELDS(source)};

TN_LIBRARY("lua", "1.0.0", "Apache-2.0", "functions written in Lua", {TN_FUNCTION_KIND, &lua_function})
#endif
