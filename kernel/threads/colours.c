/* colours.c - colours of blocks that share bodies (see colours.h) */
#include "threads/colours.h"

enum { MOST_COLOURS = 63 };

/* The bodies of one block, and which colours the blocks before it have that share one of them. */
typedef struct colouring {
    tn_body_function body;
    const void *data;
    uint32_t legs;
    uint64_t *taken; /* [bodies] colours of the blocks so far that have this body, a bit for each */
} colouring;

static uint64_t see_block(const colouring *c, size_t first, size_t last, uint64_t colour)
{
    uint64_t taken = 0;
    for (size_t i = first; i < last; i++)
        for (uint32_t leg = 0; leg < c->legs; leg++) {
            const uint32_t body = c->body(c->data, i, leg);
            if (body == TN_NONE) continue;
            c->taken[body] |= colour;
            taken |= c->taken[body];
        }
    return taken;
}

/* The lowest colour for each block that none of its neighbours before it has; how many there are, 0: too many. */
static uint32_t choose_colours(const colouring *c, size_t count, uint8_t *colour)
{
    uint32_t colours = 0;
    for (size_t first = 0, k = 0; first < count; first += TN_BLOCK, k++) {
        const size_t last = first + TN_BLOCK < count ? first + TN_BLOCK : count;
        const uint32_t lowest = (uint32_t)__builtin_ctzll(~see_block(c, first, last, 0));
        if (lowest >= MOST_COLOURS) return 0;
        (void)see_block(c, first, last, UINT64_C(1) << lowest);
        colour[k] = (uint8_t)lowest;
        if (lowest >= colours) colours = lowest + 1;
    }
    return colours;
}

static tn_colours *sort_blocks(tn_assembly *assembly, uint32_t count, const uint8_t *colour, uint32_t blocks)
{
    tn_colours *colours = tn_assembly_new(assembly, 1, sizeof *colours);
    *colours = (tn_colours){.count = count,
                            .start = tn_assembly_new(assembly, count + 1u, sizeof *colours->start),
                            .block = tn_assembly_new(assembly, blocks, sizeof *colours->block)};
    uint32_t next = 0;
    for (uint32_t c = 0; c < count; c++) {
        for (uint32_t k = 0; k < blocks; k++)
            if (colour[k] == c) colours->block[next++] = k;
        colours->start[c + 1] = next;
    }
    return colours;
}

tn_colours *tn_colours_find(tn_assembly *assembly, size_t count, uint32_t legs, size_t bodies,
                            tn_body_function body, const void *data)
{
    const size_t blocks = (count + TN_BLOCK - 1) / TN_BLOCK;
    if (blocks < TN_FEWEST_BLOCKS) return NULL;
    const colouring c = {body, data, legs, tn_new(bodies, sizeof(uint64_t))};
    uint8_t *colour = tn_new(blocks, 1);
    const uint32_t colours = choose_colours(&c, count, colour);
    tn_colours *found = NULL;
    if (colours && 2 * colours <= blocks) found = sort_blocks(assembly, colours, colour, (uint32_t)blocks);
    tn_free(colour);
    tn_free(c.taken);
    return found;
}

/* ---- calls ----------------------------------------------------------------------------------------------- */

typedef struct colour_call {
    const uint32_t *block;
    size_t count;
    tn_block_task task;
    void *data;
} colour_call;

static void call_blocks_of_colour(void *data, size_t from, size_t to)
{
    const colour_call *c = data;
    for (size_t k = from; k < to; k++) {
        const size_t first = (size_t)c->block[k] * TN_BLOCK, last = first + TN_BLOCK;
        c->task(c->data, first, last < c->count ? last : c->count);
    }
}

void tn_colours_run(const tn_assembly *assembly, const tn_colours *colours, size_t count, tn_block_task task,
                    void *data)
{
    const tn_host *host = &assembly->model->host;
    for (uint32_t c = 0; c < colours->count; c++) {
        const uint32_t first = colours->start[c];
        colour_call call = {colours->block + first, count, task, data};
        host->parallel_for(host, colours->start[c + 1] - first, 1, call_blocks_of_colour, &call);
    }
}
