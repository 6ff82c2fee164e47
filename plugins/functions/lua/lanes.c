/* lanes.c - states of Lua, in which the text of one script has run: as many as threads call its function at a time
 *
 * A call that takes too long is ended by a hook, which looks at the clock every so many instructions. */
#include "lanes.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOOK_INSTRUCTIONS = 200000 };
#define MOST_BYTES ((size_t)2 << 30)

/* ---- memory and time --------------------------------------------------------------------------------------- */

static void *allocate(void *data, void *block, size_t before, size_t bytes)
{
    lua_lane *lane = data;
    const size_t freed = block ? before : 0;
    if (bytes == 0) {
        free(block);
        lane->bytes -= freed;
        return NULL;
    }
    if (lane->bytes - freed + bytes > MOST_BYTES) return NULL;
    void *result = realloc(block, bytes);
    if (result) lane->bytes += bytes - freed;
    return result;
}

static lua_lane *lane_of(lua_State *state) { return *(lua_lane **)lua_getextraspace(state); }

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

/* The first time within a call it notes the time: calls themselves do not look at the clock. */
static void look_at_clock(lua_State *state, lua_Debug *unused)
{
    lua_lane *lane = lane_of(state);
    (void)unused;
    if (lane->seen != lane->calls) {
        lane->seen = lane->calls;
        (void)clock_gettime(CLOCK_MONOTONIC, &lane->since);
    } else if (seconds_since(&lane->since) > lane->limit) {
        lane->late = true;
        lua_sethook(state, look_at_clock, LUA_MASKCOUNT,
                    1); /* also behind a pcall() that catches the error */
        (void)luaL_error(state, "it has not ended within %f s (`limit`)", lane->limit);
    }
}

/* ---- making a state ---------------------------------------------------------------------------------------- */

/* Modules are looked for beside the script first. */
static void add_folder(lua_State *state, const char *file)
{
    const char *slash = strrchr(file, '/');
    (void)lua_getglobal(state, "package");
    (void)lua_getfield(state, -1, "path");
    if (slash)
        (void)lua_pushlstring(state, file, (size_t)(slash - file));
    else
        (void)lua_pushliteral(state, ".");
    (void)lua_pushfstring(state, "%s/?.lua;%s", lua_tostring(state, -1), lua_tostring(state, -2));
    lua_setfield(state, -4, "path");
    lua_pop(state, 3);
}

/* Random numbers are the same in all states, and in all runs. */
static void seed_numbers(lua_State *state)
{
    (void)lua_getglobal(state, "math");
    (void)lua_getfield(state, -1, "randomseed");
    lua_pushinteger(state, 1);
    lua_call(state, 1, 0);
    lua_pop(state, 1);
}

/* How many letters two names share at their places, whatever their case; less what one is longer. */
static int likeness(const char *a, const char *b)
{
    int same = 0;
    for (size_t k = 0; a[k] && b[k]; k++)
        same += (a[k] | 0x20) == (b[k] | 0x20);
    return 2 * same - (int)strlen(a) - (int)strlen(b);
}

/* The global function of the script whose name is most like `name`, or NULL. */
static const char *nearest_function(lua_State *state, const char *name)
{
    const char *nearest = NULL;
    int best = -(int)strlen(name);
    lua_pushglobaltable(state);
    for (lua_pushnil(state); lua_next(state, -2); lua_pop(state, 1)) {
        if (lua_type(state, -2) != LUA_TSTRING || !lua_isfunction(state, -1) || lua_iscfunction(state, -1))
            continue;
        const int found = likeness(name, lua_tostring(state, -2));
        if (found <= best) continue;
        best = found;
        nearest = lua_tostring(state, -2);
    }
    lua_pop(state, 1);
    return nearest;
}

static int find_function(lua_State *state, const lua_lanes *all)
{
    const int kind = lua_getglobal(state, all->name);
    if (kind == LUA_TFUNCTION) return luaL_ref(state, LUA_REGISTRYINDEX);
    if (kind != LUA_TNIL) return luaL_error(state, "`%s` of `%s` is not a function", all->name, all->file);
    const char *nearest = nearest_function(state, all->name);
    if (nearest)
        return luaL_error(state, "`%s` has no global function `%s`: did you mean `%s`?", all->file, all->name,
                          nearest);
    return luaL_error(state, "`%s` has no global function `%s`", all->file, all->name);
}

static int make_parameters(lua_State *state, const lua_lanes *all)
{
    lua_createtable(state, (int)all->parameters, 0);
    for (uint32_t k = 0; k < all->parameters; k++) {
        lua_pushnumber(state, all->parameter[k]);
        lua_rawseti(state, -2, (lua_Integer)k + 1);
    }
    return luaL_ref(state, LUA_REGISTRYINDEX);
}

/* What stands at 1 and 2 are the lanes and the lane; all of it is protected. */
static int build(lua_State *state)
{
    const lua_lanes *all = lua_touserdata(state, 1);
    lua_lane *lane = lua_touserdata(state, 2);
    luaL_openlibs(state);
    for (const luaL_Reg *function = all->functions; function->name; function++)
        lua_register(state, function->name, function->func);
    add_folder(state, all->file);
    seed_numbers(state);
    lua_sethook(state, look_at_clock, LUA_MASKCOUNT, HOOK_INSTRUCTIONS);
    (void)lua_pushfstring(state, "@%s", all->file);
    if (luaL_loadbufferx(state, all->text, all->size, lua_tostring(state, -1), "t") != LUA_OK)
        return lua_error(state);
    lua_call(state, 0, 0);
    lane->ran = true;
    lane->function = find_function(state, all);
    lane->parameters = make_parameters(state, all);
    return 0;
}

bool tenon_lua_open(const lua_lanes *all, lua_lane *lane, char *why, size_t size)
{
    lane->bytes = 0;
    lane->ran = false;
    lane->limit = all->limit;
    lane->calls++;
    lua_State *state = lane->state = lua_newstate(allocate, lane);
    if (!state) {
        (void)snprintf(why, size, "there is no memory for a state of Lua");
        return false;
    }
    *(lua_lane **)lua_getextraspace(state) = lane;
    lua_pushcfunction(state, build);
    lua_pushlightuserdata(state, (void *)(uintptr_t)all);
    lua_pushlightuserdata(state, lane);
    const bool fine = lua_pcall(state, 2, 0, 0) == LUA_OK;
    const char *text = fine ? NULL : lua_tostring(state, -1);
    if (!fine) (void)snprintf(why, size, "%s", text ? text : "an error without words");
    lua_settop(state, 0);
    if (!fine) tenon_lua_close(lane);
    return fine;
}

void tenon_lua_begin(lua_lane *lane)
{
    lane->calls++;
    if (lane->late) lua_sethook(lane->state, look_at_clock, LUA_MASKCOUNT, HOOK_INSTRUCTIONS);
    lane->late = false;
}

void tenon_lua_close(lua_lane *lane)
{
    if (lane->state) lua_close(lane->state);
    lane->state = NULL;
}

/* ---- who uses it ------------------------------------------------------------------------------------------- */

/* Where this thread looks first: threads that take turns at one state would wait for each other's memory. */
static unsigned place_of_thread(void)
{
    static atomic_uint threads;
    static _Thread_local unsigned place; /* counted from 1 */
    if (!place) place = atomic_fetch_add(&threads, 1) % LUA_MOST_LANES + 1;
    return place - 1;
}

lua_lane *tenon_lua_take(lua_lanes *all, char *why, size_t size)
{
    const unsigned place = place_of_thread();
    for (;;) {
        for (unsigned k = 0; k < LUA_MOST_LANES; k++) {
            lua_lane *lane = &all->lane[(place + k) % LUA_MOST_LANES];
            if (atomic_load_explicit(&lane->busy, memory_order_relaxed) || atomic_exchange(&lane->busy, true))
                continue;
            if (lane->state || tenon_lua_open(all, lane, why, size)) return lane;
            tenon_lua_give(lane);
            return NULL;
        }
        (void)sched_yield();
    }
}

void tenon_lua_give(lua_lane *lane) { atomic_store_explicit(&lane->busy, false, memory_order_release); }
