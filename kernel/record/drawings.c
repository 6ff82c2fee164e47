/* drawings.c - the drawings of a model: shapes, drawings by types (tenon/draft/drawing.h), and defaults for types without any */
#include "record/scene.h"

#include <math.h>
#include <string.h>

/* Lengths that were left open, as shares of the size of the model. */
static const double standard_size[][3] = {
    [TN_DRAWN_SHAPE] = {0.0, 0.0, 0.0},     [TN_DRAWN_ROD] = {0.01, 0.0, 0.0},
    [TN_DRAWN_COIL] = {0.025, 0.004, 0.0},  [TN_DRAWN_DAMPER] = {0.015, 0.0, 0.0},
    [TN_DRAWN_LINE] = {0.0, 0.0, 0.0},      [TN_DRAWN_SLIDE] = {0.1, 0.0, 0.0},
    [TN_DRAWN_HINGE] = {0.1, 0.0, 0.0},     [TN_DRAWN_BALL] = {0.015, 0.0, 0.0},
    [TN_DRAWN_SLEEVE] = {0.025, 0.05, 0.0}, [TN_DRAWN_DISC] = {0.05, 0.01, 0.0},
    [TN_DRAWN_FRAME] = {0.05, 0.0, 0.0},    [TN_DRAWN_ARROW] = {0.1, 0.0, 0.0}};
enum { TURNS = 8 };                 /* of a coil spring */
enum { FEW = 20 };                  /* drawings of a kind; more of them are smaller, */
static const double smallest = 0.1; /* but not by more than this factor */
static const double of_body = 0.02; /* of the size of the model: half an edge of the default box of a body */

typedef struct sink {
    tn_drawing_sink table; /* first */
    tn_scene *scene;
    uint32_t item;
    const char *fault;    /* what is wrong with a drawing */
    bool stands_for_body; /* the element is a body without shapes */
} sink;

/* A drawing with all lengths, without a place. */
static tn_recorded_drawing complete(const tn_scene *scene, const char *name, const tn_drawing *drawing)
{
    tn_recorded_drawing to = {
        .struct_size = sizeof to,
        .name = name,
        .drawing = {.struct_size = sizeof to.drawing, .kind = drawing->kind, .shape = drawing->shape}};
    tn_drawing *own = &to.drawing;
    memcpy(own->axis, drawing->axis, sizeof own->axis);
    memcpy(own->color, drawing->color, sizeof own->color);
    const double *size = standard_size[own->kind];
    for (int k = 0; k < 3; k++)
        own->size[k] = drawing->size[k] > 0.0 ? drawing->size[k] : size[k] * scene->size;
    if (own->kind == TN_DRAWN_COIL && !(drawing->size[2] > 0.0)) own->size[2] = TURNS;
    if (own->axis[0] == 0.0 && own->axis[1] == 0.0 && own->axis[2] == 0.0) own->axis[2] = 1.0;
    if (own->kind == TN_DRAWN_SHAPE && own->shape.kind == TN_PLANE)
        for (int k = 0; k < 2; k++)
            if (!(own->shape.size[k] > 0.0)) own->shape.size[k] = scene->size;
    own->shape.struct_size = sizeof own->shape;
    return to;
}

enum { WORDS = sizeof(tn_recorded_drawing) / sizeof(uint64_t) };
_Static_assert((int)WORDS <= (int)TN_PACKED_MOST, "a drawing fits");
_Static_assert(sizeof(tn_recorded_drawing) % sizeof(uint64_t) == 0, "it consists of whole words");

/* What all that is recorded has in common, and most lines have: their axis, and the axes of their places. */
static const union {
    tn_recorded_drawing drawing;
    uint64_t word[WORDS];
} usual = {.drawing = {.struct_size = sizeof(tn_recorded_drawing),
                       .drawing = {.struct_size = sizeof(tn_drawing),
                                   .axis = {0.0, 0.0, 1.0},
                                   .shape = {.struct_size = sizeof(tn_shape)}},
                       .place = {{.quaternion = {1.0}}, {.quaternion = {1.0}}}}};

static void add(tn_scene *scene, const tn_recorded_drawing *drawing)
{
    scene->drawing.usual = usual.word;
    tn_packed_add(&scene->drawing, drawing, WORDS);
    scene->drawings++;
}

void tn_scene_next_drawing(void *scene, tn_recorded_drawing *drawing)
{
    tn_packed_next(&((tn_scene *)scene)->drawing, drawing, WORDS);
}

/* ---- drawings by types ---------------------------------------------------------------------------------------------- */

/* The markers of an element, which its group has taken over. */
static const uint32_t *markers_of(const tn_scene *scene, uint32_t item, uint32_t *count)
{
    const tn_group *group = &scene->assembly->group[scene->assembly->group_of[item]];
    *count = group->batch.marker_count;
    return group->marker + (size_t)scene->assembly->index_of[item] * *count;
}

static bool joins_two(uint32_t kind)
{
    return kind == TN_DRAWN_ROD || kind == TN_DRAWN_COIL || kind == TN_DRAWN_DAMPER || kind == TN_DRAWN_LINE;
}

static bool find_place(sink *own, uint32_t at, uint32_t number, tn_recorded_place *place)
{
    uint32_t count = 0;
    if (at == TN_AT_ELEMENT) return tn_scene_place_body(own->scene, own->item, place);
    const uint32_t *marker = markers_of(own->scene, own->item, &count);
    if (at > TN_AT_START || number >= count) return false;
    return at == TN_AT_START ? tn_scene_start(own->scene, marker[number], place)
                             : tn_scene_place(own->scene, marker[number], place);
}

static bool are_finite(const tn_drawing *drawing)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += 0.0 * drawing->axis[k] + 0.0 * drawing->size[k] + 0.0 * drawing->position[k] +
               0.0 * drawing->shape.size[k];
    for (int k = 0; k < 9; k++)
        sum += 0.0 * drawing->rotation[k];
    return sum == 0.0;
}

static void turn_shape(const tn_drawing *drawing, tn_recorded_place *place)
{
    static const double none[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    bool turns = false;
    for (int k = 0; k < 9; k++)
        turns = turns || drawing->rotation[k] != 0.0;
    tn_scene_shift(place, drawing->position, turns ? drawing->rotation : none);
}

/* From ground axes to those of its place; where these are not known it stays. */
static void turn_axis(const sink *own, tn_drawing *drawing)
{
    uint32_t count = 0;
    double rotation[9], axis[3];
    if (!drawing->ground_axis || drawing->place[0].at != TN_AT_MARKER) return;
    const uint32_t *marker = markers_of(own->scene, own->item, &count);
    if (!tn_scene_axes(own->scene, marker[drawing->place[0].marker], rotation)) return;
    memcpy(axis, drawing->axis, sizeof axis);
    for (int k = 0; k < 3; k++)
        drawing->axis[k] = rotation[k] * axis[0] + rotation[3 + k] * axis[1] + rotation[6 + k] * axis[2];
}

static tn_status add_drawing(const tn_drawing_sink *table, const tn_drawing *handed)
{
    sink *own = (sink *)(uintptr_t)table;
    tn_recorded_place place[2];
    tn_drawing copy = {0}; // of an earlier version it is shorter
    memcpy(&copy, handed, handed->struct_size < sizeof copy ? handed->struct_size : sizeof copy);
    const tn_drawing *drawing = &copy;
    if (drawing->kind > TN_DRAWN_ARROW)
        own->fault = "of an unknown kind";
    else if (drawing->kind == TN_DRAWN_SHAPE && drawing->shape.kind > TN_MESH)
        own->fault = "with a shape of an unknown kind";
    else if (!are_finite(drawing))
        own->fault = "with a number that is not finite";
    else if (!find_place(own, drawing->place[0].at, drawing->place[0].marker, &place[0]) ||
             (joins_two(drawing->kind) &&
              !find_place(own, drawing->place[1].at, drawing->place[1].marker, &place[1])))
        own->fault = "at a marker that it does not have, or that is neither a point nor a frame";
    if (own->fault) return TN_INVALID;
    if (!joins_two(drawing->kind)) place[1] = place[0];
    if (drawing->kind == TN_DRAWN_SHAPE) turn_shape(drawing, &place[0]);
    turn_axis(own, &copy);
    tn_recorded_drawing to =
        complete(own->scene, tn_item_name(own->scene->assembly->model, own->item), &copy);
    memcpy(to.place, place, sizeof place);
    to.drawing.shape.visible = 1;
    to.is_default =
        own->stands_for_body && drawing->place[0].at == TN_AT_ELEMENT && place[0].track != TN_GROUND_TRACK;
    add(own->scene, &to);
    return TN_OK;
}

static tn_status attempt(const tn_drawing_sink *table, const tn_drawing *drawing)
{
    return tn_attempt_status(add_drawing(table, drawing));
}

/* Calls `draw` of the type; false after a message. */
static bool draw_by_type(tn_scene *scene, uint32_t item)
{
    tn_model *model = scene->assembly->model;
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    const tn_location *at = model->item[item].origin->at;
    sink own = {.table = {.struct_size = sizeof own.table, .size = scene->size, .add = attempt},
                .scene = scene,
                .item = item,
                .stands_for_body = type->bind != NULL};
    const tn_batch *batch = &scene->assembly->group[scene->assembly->group_of[item]].batch;
    own.table.markers = batch->marker_count;
    own.table.marker_kind = batch->marker_kind;
    own.table.self = &own;
    const tn_status status = tn_call_setup(model, at, tn_item_name(model, item), type, draw, &model->host,
                                           tn_item_instance(model, item), &own.table);
    if (own.fault)
        return tn_model_error(model, at->place, "`%s`: %s hands over a drawing %s", tn_item_name(model, item),
                              tn_registry_culprit(model->registry, type, "draw").words, own.fault);
    return status == TN_OK;
}

/* ---- defaults ------------------------------------------------------------------------------------------------ */

/* A small box, or a ball for a point. */
static void draw_body(tn_scene *scene, uint32_t item)
{
    tn_recorded_place place;
    if (!tn_scene_place_body(scene, item, &place) || place.track == TN_GROUND_TRACK) return;
    const bool is_frame = scene->track[place.track].has_rotation;
    const double half = of_body * scene->size;
    tn_drawing drawing = {.kind = TN_DRAWN_SHAPE,
                          .shape = {.kind = is_frame ? TN_BOX : TN_SPHERE, .visible = 1}};
    for (int k = 0; k < 3; k++)
        drawing.shape.size[k] = is_frame ? 2.0 * half : k == 0 ? half : 0.0;
    tn_recorded_drawing to = complete(scene, tn_item_name(scene->assembly->model, item), &drawing);
    to.is_default = 1;
    to.place[0] = to.place[1] = place;
    add(scene, &to);
}

/* Lines from the first marker to the others; none for elements that act where shapes of their markers touch. */
static void draw_connector(tn_scene *scene, uint32_t item)
{
    const tn_model *model = scene->assembly->model;
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    uint32_t count = 0;
    const uint32_t *marker = markers_of(scene, item, &count);
    tn_recorded_place first, other;
    if (type->shapes || type->points || count < 2 || !tn_scene_place(scene, marker[0], &first)) return;
    for (uint32_t k = 1; k < count; k++) {
        if (!tn_scene_place(scene, marker[k], &other)) continue;
        tn_recorded_drawing to =
            complete(scene, tn_item_name(model, item), &(tn_drawing){.kind = TN_DRAWN_LINE});
        to.place[0] = first;
        to.place[1] = other;
        add(scene, &to);
    }
}

/* ---- shapes ---------------------------------------------------------------------------------------------------------- */

/* The place of a declared marker, also of one that no element uses. */
static bool place_shape(tn_scene *scene, uint32_t item, const tn_loaded_marker *type,
                        tn_recorded_place *place)
{
    tn_model *model = scene->assembly->model;
    const uint32_t known = model->item[item].marker[TN_FRAME], host = model->item[item].host;
    if (known != TN_NONE) return tn_scene_place(scene, known, place);
    const tn_loaded_element *body = model->use[model->item[host].use].element;
    tn_attachment bound = {.struct_size = sizeof bound,
                           .kind = TN_FRAME,
                           .rotation = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0},
                           .data = tn_arena_new(&scene->arena, body->attachment_size + 1),
                           .alias_pose = -1,
                           .alias_twist = -1};
    const char *name = tn_item_name(model, item);
    return tn_call_for(name, type, local_pose, tn_item_instance(model, item), &bound) == TN_OK &&
           tn_call_for(tn_item_name(model, host), body, bind, &model->host, tn_item_instance(model, host),
                       &bound) == TN_OK &&
           tn_scene_place_bound(scene, host, name, &bound, place);
}

static bool draw_shape(tn_scene *scene, uint32_t item, bool *has_shape)
{
    tn_model *model = scene->assembly->model;
    const tn_loaded_marker *type = model->use[model->item[item].use].marker;
    tn_drawing drawing = {.kind = TN_DRAWN_SHAPE, .shape = {.struct_size = sizeof(tn_shape)}};
    tn_recorded_place place;
    if (tn_call_setup(model, model->item[item].origin->at, tn_item_name(model, item), type, shape,
                      &model->host, tn_item_instance(model, item), &drawing.shape) != TN_OK)
        return false;
    if (!place_shape(scene, item, type, &place)) return true;
    has_shape[model->item[item].host] = true;
    memcpy(drawing.color, drawing.shape.color, sizeof drawing.color);
    tn_recorded_drawing to = complete(scene, tn_item_name(model, item), &drawing);
    to.place[0] = to.place[1] = place;
    add(scene, &to);
    return true;
}

static bool draw_element(tn_scene *scene, uint32_t item, const bool *has_shape)
{
    const tn_model *model = scene->assembly->model;
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    if (has_shape[item]) return true;
    if (type->draw) return draw_by_type(scene, item);
    if (type->bind)
        draw_body(scene, item);
    else
        draw_connector(scene, item);
    return true;
}

/* ---- all together ---------------------------------------------------------------------------------------------------- */

/* Whether a length was left open. */
static bool is_standard(const tn_scene *scene, const tn_drawing *drawing, int k)
{
    return drawing->size[k] > 0.0 && drawing->size[k] == standard_size[drawing->kind][k] * scene->size;
}

/* What drawings ask of each other. */
typedef struct crowd {
    bool *has_disc; /* [tracks] */
    bool discs;     /* there are some */
    size_t count[TN_DRAWN_ARROW + 1];
} crowd;

static void see_all(tn_scene *scene, crowd *seen)
{
    tn_packed_rewind(&scene->drawing);
    for (size_t k = 0; k < scene->drawings; k++) {
        tn_recorded_drawing next;
        tn_scene_next_drawing(scene, &next);
        const uint32_t kind = next.drawing.kind, track = next.place[0].track;
        seen->count[kind]++;
        if (kind == TN_DRAWN_DISC && !is_standard(scene, &next.drawing, 0) && track != TN_GROUND_TRACK)
            seen->has_disc[track] = seen->discs = true;
    }
}

/* Goes through all drawings, and keeps those that `revise`, which may change them, says. */
static void revise_all(tn_scene *scene, bool (*revise)(const tn_scene *, crowd *, tn_recorded_drawing *),
                       crowd *seen)
{
    const size_t count = scene->drawings;
    size_t used = 0;
    scene->drawings = 0;
    tn_packed_rewind(&scene->drawing);
    for (size_t k = 0; k < count; k++) {
        tn_recorded_drawing drawing;
        tn_scene_next_drawing(scene, &drawing);
        if (!revise(scene, seen, &drawing)) continue;
        used = tn_packed_put(&scene->drawing, used, &drawing, WORDS);
        scene->drawings++;
    }
    scene->drawing.used = used;
}

/* A wheel is to be seen as one: what stands for its body by its masses goes. */
static bool is_no_body_of_disc(TN_UNUSED const tn_scene *scene, crowd *seen, tn_recorded_drawing *drawing)
{
    const bool goes = drawing->is_default && seen->has_disc[drawing->place[0].track];
    if (goes) seen->count[drawing->drawing.kind]--;
    return !goes;
}

/* The joints and springs of a long chain would hide all else. */
static bool shrink_in_crowd(const tn_scene *scene, crowd *seen, tn_recorded_drawing *recorded)
{
    tn_drawing *drawing = &recorded->drawing;
    const double factor = fmax(smallest, fmin(1.0, FEW / (double)seen->count[drawing->kind]));
    for (int i = 0; i < 3; i++)
        if (is_standard(scene, drawing, i)) drawing->size[i] *= factor;
    return true;
}

static void revise_drawings(tn_scene *scene)
{
    crowd seen = {.has_disc = tn_new(scene->tracks + 1, sizeof *seen.has_disc)};
    see_all(scene, &seen);
    if (seen.discs) revise_all(scene, is_no_body_of_disc, &seen);
    revise_all(scene, shrink_in_crowd, &seen);
    tn_free(seen.has_disc);
}

bool tn_scene_draw(tn_scene *scene)
{
    const tn_model *model = scene->assembly->model;
    bool good = true, *has_shape = tn_new(model->names.count + 1, sizeof *has_shape);
    for (uint32_t k = 0; k < model->names.count; k++) {
        const tn_item *item = &model->item[k];
        const tn_loaded_marker *type = item->index == TN_NONE ? NULL : model->use[item->use].marker;
        if (type && type->shape && item->host != TN_NONE) good = draw_shape(scene, k, has_shape) && good;
    }
    for (uint32_t k = 0; k < model->names.count; k++)
        if (model->item[k].index != TN_NONE && model->use[model->item[k].use].element)
            good = draw_element(scene, k, has_shape) && good;
    revise_drawings(scene);
    tn_free(has_shape);
    return good;
}
