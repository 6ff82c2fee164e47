/* process_calls.c - functions of the C library that belong to the program: a plugin that calls one of them is named
 *
 * The dynamic linker looks into the program first, so that plugins, and the libraries that they bring along, get these. A
 * plugin that ends the process or takes it to another directory ends the run as a crash does. */
#define _GNU_SOURCE
#include "cli/crash.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static void refuse_call(const char *function, int argument)
{
    char call[32];
    (void)snprintf(call, sizeof call, "%s(%d)", function, argument);
    tn_crash_refuse(call);
}

static void end_at_once(int status) __attribute__((noreturn));
static void end_at_once(int status)
{
    for (;;)
        (void)syscall(SYS_exit_group, status);
}

/* With all handlers, which the C library keeps. */
static void end_process(const char *function, int status) __attribute__((noreturn));
static void end_process(const char *function, int status)
{
    void (*next)(int) = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, function);
    if (next) next(status);
    end_at_once(status);
}

EXPORT void exit(int status)
{
    refuse_call("exit", status);
    end_process("exit", status);
}

EXPORT void quick_exit(int status)
{
    refuse_call("quick_exit", status);
    end_process("quick_exit", status);
}

EXPORT void _exit(int status)
{
    refuse_call("_exit", status);
    end_at_once(status);
}

EXPORT void _Exit(int status)
{
    refuse_call("_Exit", status);
    end_at_once(status);
}

EXPORT int chdir(const char *path)
{
    tn_crash_refuse("chdir");
    return (int)syscall(SYS_chdir, path);
}

EXPORT int fchdir(int directory)
{
    refuse_call("fchdir", directory);
    return (int)syscall(SYS_fchdir, directory);
}
