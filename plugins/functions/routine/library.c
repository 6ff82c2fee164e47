/* library.c - libraries of users, and their functions */
#define _GNU_SOURCE
#include "library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LONGEST_NAME = 128, MOST_NAMES = 8 };

/* ---- opening ---------------------------------------------------------------------------------------------- */

/* c_sysfnc() and its like are found by libraries that are opened behind this one only if it is known to all. */
static bool export_functions(void)
{
    Dl_info here;
    if (!dladdr((void *)(uintptr_t)export_functions, &here) || !here.dli_fname) return false;
    return dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL) != NULL;
}

/* What the dynamic linker says, without the path that it repeats. */
static const char *linker_reason(const char *path)
{
    const char *text = dlerror();
    const size_t length = strlen(path);
    if (!text) return "the dynamic linker gives no reason";
    return strncmp(text, path, length) == 0 && strncmp(text + length, ": ", 2) == 0 ? text + length + 2
                                                                                    : text;
}

static bool has_ending(const char *path, const char *ending)
{
    const size_t length = strlen(path), end = strlen(ending);
    return length > end && strcmp(path + length - end, ending) == 0;
}

/* Whether all segments are in the file: the dynamic linker would crash where they are not. */
static bool is_complete(FILE *file, const ElfW(Ehdr) * header)
{
    struct stat status;
    ElfW(Phdr) segment;
    if (fstat(fileno(file), &status) != 0 || fseek(file, (long)header->e_phoff, SEEK_SET) != 0) return false;
    for (unsigned k = 0; k < header->e_phnum; k++)
        if (fread(&segment, sizeof segment, 1, file) != 1 ||
            segment.p_offset + segment.p_filesz > (uint64_t)status.st_size)
            return false;
    return true;
}

/* Why a file is no library for this program, where the dynamic linker would say it badly; or NULL. */
static const char *find_fault(const char *path)
{
    ElfW(Ehdr) header, own;
    FILE *file = fopen(path, "rbe"), *program = fopen("/proc/self/exe", "rbe");
    const char *fault = NULL;
    if (!file)
        fault = strerror(errno);
    else if (fread(&header, sizeof header, 1, file) != 1 || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        fault = "it is no shared library";
    else if (program && fread(&own, sizeof own, 1, program) == 1 &&
             (header.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] || header.e_machine != own.e_machine))
        fault = "it is made for another kind of processor";
    else if (!is_complete(file, &header))
        fault = "the file is truncated";
    if (file) (void)fclose(file);
    if (program) (void)fclose(program);
    return fault;
}

/* It stays open: others may have what it hands out. NULL after refusing. */
static void *open_library(const tn_host *host, const char *path)
{
    char *whole = realpath(path, NULL); /* dlopen would look up a bare name elsewhere */
    const char *fault = whole ? find_fault(whole) : strerror(errno);
    void *handle = !fault && export_functions() ? dlopen(whole, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!handle) {
        const bool is_source = has_ending(path, ".c") || has_ending(path, ".cpp") || has_ending(path, ".f");
        (void)tn_refuse(host, "library", "`%s` cannot be opened: %s%s", path,
                        fault ? fault : linker_reason(whole),
                        is_source ? "; `tenon build` compiles it to a library" : "");
    }
    free(whole);
    return handle;
}

/* ---- functions -------------------------------------------------------------------------------------------- */

/* "name", "name_", in lower case, in upper case. */
static bool spell(char spelling[LONGEST_NAME], const char *name, int way)
{
    const int length = snprintf(spelling, LONGEST_NAME, "%s%s", name, way == 1 || way == 4 ? "_" : "");
    for (char *c = spelling; *c && way > 1; c++)
        *c = (char)(way == 3 ? toupper((unsigned char)*c) : tolower((unsigned char)*c));
    return length > 0 && length < LONGEST_NAME;
}

static routine_varsub *find_varsub(void *handle, const char *name)
{
    routine_varsub *found = NULL;
    char spelling[LONGEST_NAME];
    for (int way = 0; !found && way < 5; way++)
        if (spell(spelling, name, way)) *(void **)&found = dlsym(handle, spelling);
    return found;
}

/* Symbols of the library itself, whose table has no end of its own: that of hashes tells how many there are. */
static uint32_t count_symbols(const ElfW(Word) * hash)
{
    const uint32_t buckets = hash[0], first = hash[1], filters = hash[2];
    const ElfW(Word) *bucket = hash + 4 + filters * (sizeof(ElfW(Addr)) / sizeof *hash),
                     *chain = bucket + buckets;
    uint32_t last = 0;
    for (uint32_t k = 0; k < buckets; k++)
        if (bucket[k] > last) last = bucket[k];
    if (last < first) return first;
    while (!(chain[last - first] & 1u))
        last++;
    return last + 1;
}

/* Where an entry of the dynamic table points to; NULL: there is none. */
static const void *dynamic_place(const struct link_map *map, ElfW(Sxword) tag)
{
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag) return (const void *)entry->d_un.d_ptr; // NOLINT(performance-no-int-to-ptr)
    return NULL;
}

/* "VARSUB, load": functions that the library has, for messages. */
static void list_functions(void *handle, char *text, size_t size)
{
    static const char table[] = "tn_routine_";
    struct link_map *map = NULL;
    size_t length = 0, names = 0;
    text[0] = '\0';
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return;
    const ElfW(Sym) *symbol = dynamic_place(map, DT_SYMTAB);
    const char *word = dynamic_place(map, DT_STRTAB);
    const ElfW(Word) *hash = dynamic_place(map, DT_GNU_HASH);
    const uint32_t count = symbol && word && hash ? count_symbols(hash) : 0;
    for (uint32_t k = 0; k < count && names <= MOST_NAMES; k++) {
        const char *name = word + symbol[k].st_name;
        const bool is_table = strncmp(name, table, sizeof table - 1) == 0;
        if (symbol[k].st_shndx == SHN_UNDEF || name[0] == '_') continue;
        if (!is_table && ELF64_ST_TYPE(symbol[k].st_info) != STT_FUNC) continue;
        if (names++ == MOST_NAMES) name = "...";
        if (is_table) name += sizeof table - 1;
        length += tn_print_cut(text + length, size - length, "%s%s", length ? ", " : "", name);
    }
}

tn_status routine_find(const tn_host *host, const char *path, const char *name, routine_entry *entry)
{
    char table[LONGEST_NAME], others[256];
    void *handle = open_library(host, path);
    if (!handle) return TN_INVALID;
    (void)tn_print_cut(table, sizeof table, "tn_routine_%s", name);
    entry->table = dlsym(handle, table);
    entry->varsub = entry->table ? NULL : find_varsub(handle, name);
    if (entry->table &&
        (entry->table->struct_size < offsetof(tn_routine_table, values) || !entry->table->value))
        return tn_refuse(host, "function", "`%s` of `%s` is no table of tenon/routine.h", table, path);
    if (entry->table &&
        entry->table->struct_size >= offsetof(tn_routine_table, values) + sizeof entry->values)
        entry->values = entry->table->values;
    if (entry->table || entry->varsub) return TN_OK;
    list_functions(handle, others, sizeof others);
    return tn_refuse(host, "function", "`%s` has no function `%s`; it has %s", path, name,
                     others[0] ? others : "none that others can call");
}
