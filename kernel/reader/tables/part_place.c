/* part_place.c - the place of a part moves what is in it */
#include "tables/tables.h"

static void turn_vector(const double *R, double *x)
{
    const double from[3] = {x[0], x[1], x[2]};
    for (int i = 0; i < 3; i++)
        x[i] = R[3 * i] * from[0] + R[3 * i + 1] * from[1] + R[3 * i + 2] * from[2];
}

/* Moves one parameter; what is not given (NaN) stays so. */
static void move_parameter(const tn_part *part, const tn_parameter *parameter, double *value)
{
    if (parameter->kind == TN_KIND_ROTATION) {
        if (part->turned) tn_rotation_multiply(part->rotation, value, value);
        return;
    }
    if (part->turned) turn_vector(part->rotation, value);
    for (int i = 0; parameter->flags & TN_MOVES && part->moved && i < 3; i++)
        value[i] += part->position[i];
}

void tn_part_place(tn_model *model, const tn_location *at, const tn_loaded_element *type, void *instance)
{
    bool has_place = false;
    for (const tn_part *part = model->reader->part; part; part = part->outer) {
        if (!part->moved && !part->turned) continue;
        for (const tn_parameter *p = type->parameters; p && p->name; p++) {
            const bool vector = p->kind == TN_KIND_REAL && p->count == 3;
            if (!(p->flags & (TN_MOVES | TN_TURNS)) || !(vector || p->kind == TN_KIND_ROTATION)) continue;
            has_place = true;
            move_parameter(part, p, (double *)(void *)((char *)instance + p->offset));
        }
        if (!has_place && type->rigid_motion)
            tn_source_error_at(&model->reader->source, at->place,
                               "`%s` does not mark any parameter as its place: it cannot move with the part",
                               type->name);
    }
}
