/* lua.c - values from functions written in Lua
 *
 * A function of a script either has the six arguments of a VARSUB, and asks for what it reads; or it gets numbers: those of the call,
 * what the model says that it reads, and the parameters. */
#include "lanes.h"

#include <tenon/author.h>

#if TN_VALUES

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
    tn_user_call *call = tn_user_now;
    if (!call || !call->routine->reads)
        (void)luaL_error(state, "a question outside of a call from the model");
    const double *number = tn_user_ask(call, &query, size);
    if (number) return number;
    /* the error of the script is told, with its place */
    luaL_where(state, 1);
    lua_pushstring(state, call->problem);
    call->problem[0] = '\0';
    lua_concat(state, 2);
    (void)lua_error(state);
    return NULL;
}

/* The number, and 0 for the flag that other programs have: what is wrong is an error. */
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

/* errmes(errflg, message, id, "STOP"): nothing where errflg is false, nil or 0. */
static int errmes(lua_State *state)
{
    const char *text = luaL_checkstring(state, 2), *end = luaL_optstring(state, 4, "");
    const bool wrong = lua_toboolean(state, 1) && !(lua_isnumber(state, 1) && lua_tonumber(state, 1) == 0.0);
    if (wrong && strcasecmp(end, "STOP") == 0) return luaL_error(state, "%s", text);
    if (wrong && tn_user_now && !tn_user_repeats) tn_user_say(tn_user_now, TN_WARNING, text);
    return 0;
}

static const luaL_Reg functions[] = {{"print", say},        {"sysfnc", sysfnc},    {"sysary", sysary},
                                     {"errmes", errmes},    {"py_sysfnc", sysfnc}, {"py_sysary", sysary},
                                     {"py_errmes", errmes}, {NULL, NULL}};

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
        int is_number;
        if (listed) (void)lua_rawgeti(state, 2, (lua_Integer)k + 1);
        call->first[k] = lua_tonumberx(state, listed ? -1 : (int)k + 2, &is_number);
        if (listed) lua_pop(state, 1);
        if (!is_number) return tn_user_fail(call, TN_INVALID, "derivative %u is not a number", k + 1);
    }
    call->has_first = call->first;
    return TN_OK;
}

static tn_status read_results(lua_State *state, const script *self, tn_user_call *call)
{
    const tn_user_routine *routine = call->routine;
    int is_number;
    call->value = lua_tonumberx(state, 1, &is_number);
    if (!is_number)
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
    return fine ? TN_OK : tn_refuse(host, "function", "%s", why);
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
