/* head.c - the model in the head of a page: texts, tracks, drawings with the files of their meshes, events, modes. */
#include "report.h"

#include "tenon/kit/mesh_file.h"

static void put_place(tn_bytes *json, const tn_recorded_place *place)
{
    tn_put(json, "[%lld", place->track == TN_GROUND_TRACK ? -1LL : (long long)place->track);
    for (int k = 0; k < 7; k++) {
        tn_put(json, ",");
        tn_put_number(json, k < 3 ? place->position[k] : place->quaternion[k - 3]);
    }
    tn_put(json, "]");
}

static void put_tracks(tn_bytes *json, const tn_recording *recording)
{
    tn_put(json, ",\"tracks\":[");
    for (uint32_t k = 0; k < recording->tracks; k++) {
        const tn_recorded_track *track = recording->track + k;
        tn_put(json, "%s{\"body\":%u,\"rotates\":%u", k ? "," : "", track->is_body != 0,
               track->has_rotation != 0);
        tn_put_pair(json, "name", track->name);
        tn_put_pair(json, "type", track->type);
        tn_put(json, "}");
    }
    tn_put(json, "]");
}

static void put_wrenches(tn_bytes *json, const tn_recording *recording)
{
    tn_put(json, ",\"wrenches\":[");
    for (uint32_t k = 0; k < recording->wrenches; k++) {
        tn_put(json, "%s{\"place\":", k ? "," : "");
        put_place(json, &recording->wrench[k].place);
        tn_put_pair(json, "element", recording->wrench[k].element);
        tn_put_pair(json, "type", recording->wrench[k].type);
        tn_put(json, "}");
    }
    tn_put(json, "]");
}

static void put_events(tn_bytes *json, const tn_recording *recording)
{
    tn_put(json, ",\"events\":[");
    for (uint32_t k = 0; k < recording->events; k++) {
        const tn_recorded_event *event = recording->event + k;
        tn_put(json, "%s{\"level\":%u,\"time\":", k ? "," : "", event->level);
        tn_put_number(json, event->time);
        tn_put_pair(json, "element", event->element);
        tn_put_pair(json, "text", event->text);
        tn_put(json, "}");
    }
    tn_put(json, "]");
}

/* ---- drawings ---------------------------------------------------------------------------------------------------- */

/* The corners of its triangles, nine floats each, as bytes from the lowest: files are read by the kit, as for other pictures. */
static bool put_triangles(tn_bytes *json, tn_bytes *store, const tn_triangles *mesh)
{
    const size_t count = 9 * mesh->triangles;
    unsigned char *bytes = malloc(4 * count + 1);
    if (!bytes) return false;
    for (size_t k = 0; k < count; k++) {
        uint32_t bits;
        memcpy(&bits, &mesh->point[3 * (size_t)mesh->corner[k / 3] + k % 3], sizeof bits);
        for (size_t b = 0; b < 4; b++)
            bytes[4 * k + b] = (unsigned char)(bits >> 8 * b);
    }
    tn_put(json, ",\"triangles\":{\"count\":%zu,", mesh->triangles);
    const bool complete = tn_put_packed(json, store, bytes, 4 * count);
    tn_put(json, "}");
    free(bytes);
    return complete;
}

static bool is_same_mesh(const tn_recording *recording, uint32_t one, uint32_t other)
{
    const tn_drawing *a = &recording->drawing[one].drawing, *b = &recording->drawing[other].drawing;
    return b->kind == TN_DRAWN_SHAPE && b->shape.kind == TN_MESH && b->shape.mesh &&
           strcmp(a->shape.mesh, b->shape.mesh) == 0;
}

static tn_status put_mesh(tn_bytes *json, tn_bytes *store, const tn_host *host, const tn_recording *recording,
                          uint32_t k)
{
    const tn_recorded_drawing *drawing = recording->drawing + k;
    const char *path = drawing->drawing.shape.mesh;
    tn_put_pair(json, "mesh", path);
    for (uint32_t before = 0; path && before < k; before++)
        if (is_same_mesh(recording, k, before)) return tn_put(json, ",\"as\":%u", before), TN_OK;
    tn_triangles mesh = {0};
    char why[TN_MESH_WHY] = "no file is given";
    const tn_status read = path ? tn_read_mesh(path, &mesh, why) : TN_INVALID;
    if (read == TN_INVALID)
        tn_say(host, TN_WARNING, "report: the mesh of `%s` cannot be read: %s; the page shows a box",
               drawing->name, why);
    const bool complete = read == TN_INVALID || (read == TN_OK && put_triangles(json, store, &mesh));
    tn_triangles_free(&mesh);
    return complete ? TN_OK : TN_OUT_OF_MEMORY;
}

static tn_status put_drawing(tn_bytes *json, tn_bytes *store, const tn_host *host,
                             const tn_recording *recording, uint32_t k)
{
    const tn_recorded_drawing *recorded = recording->drawing + k;
    const tn_drawing *drawing = &recorded->drawing;
    const bool is_shape = drawing->kind == TN_DRAWN_SHAPE;
    tn_status status = TN_OK;
    tn_put(json, "%s{\"kind\":%u,\"standard\":%u,\"places\":[", k ? "," : "", drawing->kind,
           recorded->is_default != 0);
    put_place(json, recorded->place);
    tn_put(json, ",");
    put_place(json, recorded->place + 1);
    tn_put(json, "],\"axis\":");
    tn_put_numbers(json, drawing->axis, 3);
    tn_put_name(json, "size");
    tn_put_numbers(json, is_shape ? drawing->shape.size : drawing->size, 3);
    tn_put_name(json, "color");
    // a shape has a colour of its own, unless it is the default of a type
    tn_put_numbers(json, is_shape && drawing->shape.color[3] > 0.0 ? drawing->shape.color : drawing->color,
                   4);
    tn_put_pair(json, "name", recorded->name);
    if (is_shape)
        tn_put(json, ",\"shape\":%u,\"visible\":%u", drawing->shape.kind, drawing->shape.visible != 0);
    if (is_shape && drawing->shape.kind == TN_MESH) status = put_mesh(json, store, host, recording, k);
    tn_put(json, "}");
    return status;
}

static tn_status put_drawings(tn_bytes *json, tn_bytes *store, const tn_host *host,
                              const tn_recording *recording)
{
    tn_status status = TN_OK;
    tn_put(json, ",\"drawings\":[");
    for (uint32_t k = 0; status == TN_OK && k < recording->drawings; k++)
        status = put_drawing(json, store, host, recording, k);
    tn_put(json, "]");
    return status;
}

/* ---- modes --------------------------------------------------------------------------------------------------------- */

/* Displacements are at most 1: steps of 2^-20 suffice. */
static tn_status put_modes(tn_bytes *json, tn_bytes *store, const tn_recording *recording)
{
    const size_t count = 12 * (size_t)recording->tracks;
    int32_t *code = malloc((count + 1) * sizeof *code);
    unsigned char *planes = malloc((count + 1) * sizeof *code);
    bool complete = code && planes;
    tn_put(json, ",\"modes\":[");
    for (uint32_t m = 0; complete && m < recording->modes; m++) {
        const tn_recorded_mode *mode = recording->mode + m;
        const tn_code_scale scale = {0.0, 0x1p-20};
        for (size_t k = 0; k < count; k++)
            code[k] = isfinite(mode->displacement[k]) ? tn_code_of(scale, mode->displacement[k]) : 0;
        tn_code_planes32(code, count, planes);
        tn_put(json, "%s{\"time\":", m ? "," : "");
        tn_put_number(json, mode->time);
        tn_put_name(json, "eigenvalue");
        tn_put_numbers(json, mode->eigenvalue, 2);
        tn_put(json, ",\"displacement\":{\"codec\":\"d2\",\"origin\":0,\"step\":%.17g,", scale.step);
        complete = tn_put_packed(json, store, planes, 4 * count);
        tn_put(json, "}}");
    }
    tn_put(json, "]");
    free(code);
    free(planes);
    return complete ? TN_OK : TN_OUT_OF_MEMORY;
}

/* ---- all ----------------------------------------------------------------------------------------------------------- */

void tn_put_course(tn_bytes *json, const tn_recording *recording)
{
    tn_put(json, "{\"start\":");
    tn_put_number(json, recording->start_time);
    tn_put_name(json, "end");
    tn_put_number(json, recording->time_reached);
    tn_put_name(json, "lower");
    tn_put_numbers(json, recording->lower, 3);
    tn_put_name(json, "upper");
    tn_put_numbers(json, recording->upper, 3);
    tn_put_pair(json, "status", recording->status);
    tn_put_pair(json, "run", recording->run_text);
    put_events(json, recording);
}

tn_status tn_put_model(tn_bytes *json, tn_bytes *store, const tn_host *host, const tn_recording *recording)
{
    tn_put_course(json, recording);
    tn_put_name(json, "size");
    tn_put_number(json, recording->size);
    tn_put_pair(json, "title", recording->title);
    tn_put_pair(json, "program", recording->program);
    tn_put_pair(json, "model", recording->model_text);
    put_tracks(json, recording);
    put_wrenches(json, recording);
    tn_status status = put_drawings(json, store, host, recording);
    if (status == TN_OK) status = put_modes(json, store, recording);
    return status;
}
