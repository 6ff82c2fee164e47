/* trespassing.h - for types that change what they may only read */
#ifndef TENON_TESTS_TRESPASSING_H
#define TENON_TESTS_TRESPASSING_H

#include <tenon/descriptors.h>

#include <string.h>

/* The constants that the interface gives are not for writing. */
static inline void *writable(const void *memory)
{
    void *same;
    memcpy(&same, &memory, sizeof same);
    return same;
}

#endif
