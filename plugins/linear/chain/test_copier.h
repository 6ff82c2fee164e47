/* test_copier.h - hands the state of a solver over to another one. Behind chain.c. */
#ifndef TENON_TEST_COPIER_H
#define TENON_TEST_COPIER_H

enum { STATE_ROOM = 1 << 24 };

typedef struct copier {
    tn_state_visitor visitor;
    size_t used;
    char byte[STATE_ROOM];
} copier;

static inline void copy_bytes(tn_state_visitor *visitor, void *data, size_t size)
{
    copier *c = (copier *)(void *)visitor;
    assert_true(c->used + size <= STATE_ROOM);
    if (visitor->restores)
        memcpy(data, c->byte + c->used, size);
    else
        memcpy(c->byte + c->used, data, size);
    c->used += size;
}

/* The matrix has a pattern, and no values: these may be others by then, or none. */
static inline void copy_state(copier *copy, void *from, void *to, const tn_matrix *matrix)
{
    const tn_matrix pattern = {sizeof pattern, matrix->size, matrix->column_start, matrix->row, NULL};
    *copy = (copier){.visitor = {sizeof(tn_state_visitor), 0, copy_bytes}};
    assert_int_equal(state_of_chain(from, &pattern, &copy->visitor), TN_OK);
    const size_t size = copy->used;
    copy->used = 0;
    copy->visitor.restores = 1;
    assert_int_equal(state_of_chain(to, &pattern, &copy->visitor), TN_OK);
    assert_int_equal(copy->used, size);
}

#endif
