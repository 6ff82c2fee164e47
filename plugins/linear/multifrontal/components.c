/* components.c - parts of a model that have nothing to do with each other at present, such as motion in a plane and out of it
 *
 * The pattern that a model announces joins all coordinates of bodies. Where the entries between some of them are zero, the matrix
 * falls apart, and each part has factors of its own: far fewer in all. */
#include "multifrontal.h"

#include <stdlib.h>

static int32_t top_of(int32_t *up, int32_t i)
{
    while (up[i] != i)
        i = up[i] = up[up[i]];
    return i;
}

static void join(int32_t *up, int32_t i, int32_t j)
{
    const int32_t a = top_of(up, i), b = top_of(up, j);
    if (a < b)
        up[b] = a;
    else
        up[a] = b;
}

/* Numbers the parts by their first unknowns, which stand for them: a part is -1 - number until all have it. */
static void number_parts(tn_components *c, int32_t size)
{
    c->count = 0;
    for (int32_t i = 0; i < size; i++) {
        const int32_t up = c->part[i];
        c->part[i] = up == i ? -1 - c->count++ : c->part[up];
    }
    for (int32_t i = 0; i < size; i++)
        c->part[i] = -1 - c->part[i];
}

/* Counts the entries between parts, and lists them where there is a list. */
static int32_t list_between(const tn_components *c, const tn_matrix *A, int32_t *list)
{
    int32_t count = 0;
    for (int32_t j = 0; j < (int32_t)A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            if (c->part[A->row[e]] == c->part[j]) continue;
            if (list) list[count] = e;
            count++;
        }
    return count;
}

bool tn_components_list(tn_components *c, const tn_matrix *A)
{
    free(c->between);
    c->between = NULL;
    c->between_count = list_between(c, A, NULL);
    if (!c->between_count) return true;
    c->between = malloc((size_t)c->between_count * sizeof *c->between);
    if (c->between) (void)list_between(c, A, c->between);
    return c->between != NULL;
}

bool tn_components_find(tn_components *c, const tn_matrix *A)
{
    const int32_t size = (int32_t)A->size;
    const bool all = c->renewals++ >= TN_MOST_RENEWALS;
    for (int32_t i = 0; i < size; i++)
        c->part[i] = i;
    for (int32_t j = 0; j < size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            if (A->value[e] != 0.0 || all) join(c->part, A->row[e], j);
    for (int32_t i = 0; i < size; i++)
        c->part[i] = top_of(c->part, i);
    number_parts(c, size);
    return tn_components_list(c, A);
}

bool tn_components_hold(const tn_components *c, const tn_matrix *A)
{
    for (int32_t k = 0; k < c->between_count; k++)
        if (A->value[c->between[k]] != 0.0) return false;
    return true;
}

void tn_components_free(tn_components *c)
{
    free(c->part);
    free(c->between);
    *c = (tn_components){0};
}
