/* main_in_memory.c - every test program runs as an entry with a memory of its own, as programs of Tenon do (base/memory.h): what it
 * leaves behind in there is freed at its end. The linker has `main` called by way of here (--wrap). */
#include "base/memory.h"

#include <stdio.h>

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

int __wrap_main(int argc, char **argv)
{
    static tn_memory memory;
    static int failed = 1;
    if (!tn_attempt(&memory, failed = __real_main(argc, argv))) (void)fprintf(stderr, "%s\n", memory.lack);
    tn_memory_release(&memory);
    return failed;
}
