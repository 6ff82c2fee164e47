/* hash.c - sums of bytes, SHA-256 by libmd: what a case depends on, in 32 bytes */
#include "cases/cases.h"

#include <sha2.h>
#include <stdio.h>
#include <string.h>

struct tn_hashing {
    SHA2_CTX context;
};

tn_hashing *tn_hash_begin(void)
{
    tn_hashing *hashing = tn_new(1, sizeof *hashing);
    SHA256Init(&hashing->context);
    return hashing;
}

void tn_hash_add(tn_hashing *hashing, const void *bytes, size_t size)
{
    SHA256Update(&hashing->context, bytes, size);
}

void tn_hash_add_text(tn_hashing *hashing, const char *text)
{
    tn_hash_add(hashing, text, strlen(text) + 1); /* with its end, so that "ab" "c" is not "a" "bc" */
}

bool tn_hash_add_file(tn_hashing *hashing, const char *path)
{
    char piece[4096];
    FILE *file = fopen(path, "rbe");
    if (!file) return false;
    for (size_t count; (count = fread(piece, 1, sizeof piece, file)) > 0;)
        tn_hash_add(hashing, piece, count);
    const bool good = !ferror(file);
    (void)fclose(file);
    tn_hash_add_text(hashing, ""); /* where it ends */
    return good;
}

tn_case_hash tn_hash_end(tn_hashing *hashing)
{
    tn_case_hash hash;
    SHA256Final(hash.byte, &hashing->context);
    tn_free(hashing);
    return hash;
}

void tn_hash_print(const tn_case_hash *hash, char text[2 * TN_HASH_SIZE + 1])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t k = 0; k < TN_HASH_SIZE; k++) {
        text[2 * k] = digits[hash->byte[k] >> 4];
        text[2 * k + 1] = digits[hash->byte[k] & 15];
    }
    text[(size_t)2 * TN_HASH_SIZE] = '\0';
}

static int digit(char letter)
{
    return letter >= '0' && letter <= '9'   ? letter - '0'
           : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
                                            : -1;
}

bool tn_hash_read(const char *text, tn_case_hash *hash)
{
    for (size_t k = 0; k < TN_HASH_SIZE; k++) {
        const int high = digit(text[2 * k]), low = high < 0 ? -1 : digit(text[2 * k + 1]);
        if (low < 0) return false;
        hash->byte[k] = (unsigned char)(high << 4 | low);
    }
    return true;
}

tn_case_hash tn_case_hash_of(const tn_cases *cases, const double *value)
{
    tn_hashing *hashing = tn_hash_begin();
    tn_hash_add(hashing, cases->base.byte, sizeof cases->base.byte);
    for (uint32_t k = 0; k < cases->variables; k++) {
        const tn_case_variable *variable = &cases->variable[k];
        const tn_case_level *level = variable->levels ? &variable->level[(size_t)value[k]] : NULL;
        char number[64];
        (void)snprintf(number, sizeof number, "%a [", value[k]);
        tn_hash_add_text(hashing, variable->name);
        for (size_t o = 0; level && o < level->overrides; o++)
            tn_hash_add_text(hashing, level->override[o]);
        if (!level) tn_hash_add_text(hashing, number);
        tn_hash_add_text(hashing, variable->unit);
    }
    return tn_hash_end(hashing);
}
