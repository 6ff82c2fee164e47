/* shared_memory.c - finds static variables of a library by its program headers (see shared_memory.h) */
#define _GNU_SOURCE
#include "shared_memory.h"

#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIECES = 8, OFTEN = 3, MOST_FUNCTIONS = 64, WATCHED_CALLS = 20 };

/* Writable memory of one library, without what the dynamic linker closes behind itself. */
static struct {
    uintptr_t first, last; /* of the whole library */
    struct piece {
        unsigned char *start, *copy;
        size_t size;
    } piece[MOST_PIECES];
    size_t count;
} library;

static size_t changes;
static char writer[64];

/* The first calls of every function tell; all of them would take minutes under the sanitizers. */
static struct {
    tn_any_function function;
    unsigned calls;
} watched[MOST_FUNCTIONS];
static bool watches; /* the current call */

static bool is_among_first_calls(tn_any_function function)
{
    for (size_t k = 0; k < MOST_FUNCTIONS; k++) {
        if (!watched[k].function) watched[k].function = function;
        if (watched[k].function == function) return watched[k].calls++ < WATCHED_CALLS;
    }
    return false;
}

static void add_piece(uintptr_t from, uintptr_t to)
{
    if (from >= to || library.count == MOST_PIECES) return;
    struct piece *next = &library.piece[library.count++];
    *next = (struct piece){(unsigned char *)from, malloc(to - from),
                           to - from}; // NOLINT(performance-no-int-to-ptr)
    if (!next->copy) abort();
}

static int look_at_library(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    const uintptr_t wanted = *(const uintptr_t *)data;
    uintptr_t first = UINTPTR_MAX, last = 0, closed_first = 0, closed_last = 0;
    for (size_t k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[k];
        const uintptr_t from = info->dlpi_addr + part->p_vaddr, to = from + part->p_memsz;
        if (part->p_type == PT_GNU_RELRO) closed_first = from, closed_last = to;
        if (part->p_type != PT_LOAD) continue;
        first = from < first ? from : first;
        last = to > last ? to : last;
    }
    if (wanted < first || wanted >= last) return 0;
    library.first = first;
    library.last = last;
    for (size_t k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[k];
        const uintptr_t from = info->dlpi_addr + part->p_vaddr, to = from + part->p_memsz;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W)) continue;
        const bool is_cut = closed_first < to && closed_last > from;
        add_piece(from, is_cut ? closed_first : to);
        if (is_cut) add_piece(closed_last, to);
    }
    return 1;
}

static void find_library(tn_any_function function)
{
    uintptr_t wanted = (uintptr_t)function;
    if (wanted >= library.first && wanted < library.last) return;
    for (size_t k = 0; k < library.count; k++)
        free(library.piece[k].copy);
    library.count = 0;
    library.first = library.last = 0;
    (void)dl_iterate_phdr(look_at_library, &wanted);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
/* Byte by byte: the address sanitizer keeps places between the variables that its memcmp() may not read. */
__attribute__((no_sanitize("address"))) static bool copy_piece(const struct piece *piece)
{
    bool differs = false;
    for (size_t k = 0; k < piece->size; k++) {
        differs = differs || piece->copy[k] != piece->start[k];
        piece->copy[k] = piece->start[k];
    }
    return differs;
}
#else
static bool copy_piece(const struct piece *piece)
{
    const bool differs = memcmp(piece->copy, piece->start, piece->size) != 0;
    if (differs) memcpy(piece->copy, piece->start, piece->size);
    return differs;
}
#endif

static bool copy_all(void)
{
    bool differs = false;
    for (size_t k = 0; k < library.count; k++)
        differs = copy_piece(&library.piece[k]) || differs;
    return differs;
}

void tn_shared_memory_keep(tn_any_function function)
{
    watches = is_among_first_calls(function);
    if (!watches) return;
    find_library(function);
    (void)copy_all();
}

void tn_shared_memory_compare(const char *name)
{
    if (watches && copy_all() && ++changes == OFTEN) (void)snprintf(writer, sizeof writer, "%s", name);
}

const char *tn_shared_memory_writer(void)
{
    static char answer[sizeof writer];
    memcpy(answer, writer, sizeof writer);
    writer[0] = '\0';
    changes = 0;
    memset(watched, 0, sizeof watched);
    return answer[0] ? answer : NULL;
}
