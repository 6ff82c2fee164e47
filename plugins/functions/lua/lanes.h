/* lanes.h - states of Lua, in which the text of one script has run: as many as threads call its function at a time */
#ifndef TENON_LUA_LANES_H
#define TENON_LUA_LANES_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { LUA_MOST_LANES = 16, LUA_MOST_TEXT = 400 };

typedef struct lua_lane {
    _Alignas(64) atomic_bool busy;
    lua_State *state;         /* NULL: none yet */
    bool ran;                 /* its text, to the end */
    int function, parameters; /* references in its registry */
    size_t bytes;             /* in use */
    uint64_t calls, seen;     /* those begun, and which of them the hook saw last, since when */
    double limit;             /* s */
    struct timespec since;
    bool late;
} lua_lane;

/* What all states of a script are made of. */
typedef struct lua_lanes {
    const char *file, *text, *name; /* of the function */
    size_t size;
    double limit;
    const double *parameter;
    uint32_t parameters;
    const luaL_Reg *functions; /* of all scripts */
    lua_lane lane[LUA_MOST_LANES];
} lua_lanes;

/* Makes a state, runs the text and finds the function; false after writing why not. */
bool tenon_lua_open(const lua_lanes *all, lua_lane *lane, char *why, size_t size);
void tenon_lua_close(lua_lane *lane);
/* In front of a call of its function, whose time begins. */
void tenon_lua_begin(lua_lane *lane);

/* A state that no other thread uses until it is given back; NULL after writing why there is none. */
lua_lane *tenon_lua_take(lua_lanes *all, char *why, size_t size);
void tenon_lua_give(lua_lane *lane);

#endif
