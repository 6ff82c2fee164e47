/* header.c - the fields of the first block (see header.h) */
#include "record/header.h"

#include <string.h>

enum { MOST = 1 << 24 }; /* tracks, wrenches or columns: no run has more */

static void code_place(tn_codec *codec, tn_recorded_place *place)
{
    TN_CODE(codec, place->track);
    TN_CODE(codec, place->position);
    TN_CODE(codec, place->quaternion);
}

static void code_track(tn_codec *codec, tn_recorded_track *track)
{
    track->struct_size = sizeof *track;
    tn_code_text(codec, &track->name);
    tn_code_text(codec, &track->type);
    TN_CODE(codec, track->is_body);
    TN_CODE(codec, track->has_rotation);
}

static void code_shape(tn_codec *codec, tn_shape *shape)
{
    shape->struct_size = sizeof *shape;
    TN_CODE(codec, shape->kind);
    TN_CODE(codec, shape->size);
    TN_CODE(codec, shape->color);
    TN_CODE(codec, shape->visible);
    tn_code_text(codec, &shape->mesh);
    if (codec->reads && !shape->mesh[0]) shape->mesh = NULL;
}

static void code_drawing(tn_codec *codec, tn_recorded_drawing *drawing)
{
    tn_drawing *own = &drawing->drawing;
    drawing->struct_size = sizeof *drawing;
    own->struct_size = sizeof *own;
    tn_code_text(codec, &drawing->name);
    TN_CODE(codec, drawing->is_default);
    TN_CODE(codec, own->kind);
    TN_CODE(codec, own->axis);
    TN_CODE(codec, own->size);
    TN_CODE(codec, own->color);
    code_shape(codec, &own->shape);
    for (int k = 0; k < 2; k++)
        code_place(codec, &drawing->place[k]);
}

static void code_wrench(tn_codec *codec, tn_recorded_wrench *wrench)
{
    wrench->struct_size = sizeof *wrench;
    tn_code_text(codec, &wrench->element);
    tn_code_text(codec, &wrench->type);
    code_place(codec, &wrench->place);
}

static void code_column(tn_codec *codec, tn_recorded_column *column)
{
    column->struct_size = sizeof *column;
    const char **const text[] = {&column->name,    &column->unit,     &column->sensor,
                                 &column->subject, &column->quantity, &column->description};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        tn_code_text(codec, text[k]);
    TN_CODE(codec, column->component);
    TN_CODE(codec, column->components);
}

static void code_table(tn_codec *codec, tn_recorded_table *table)
{
    table->struct_size = sizeof *table;
    tn_code_text(codec, &table->name);
    tn_recorded_column *column = tn_code_array(codec, &table->columns, table->column, sizeof *column);
    table->column = column;
    for (uint32_t c = 0; c < table->columns; c++)
        code_column(codec, &column[c]);
}

/* ---- checks after reading ------------------------------------------------------------------------------------ */

static bool is_place(const tn_recording *recording, const tn_recorded_place *place)
{
    return place->track == TN_GROUND_TRACK || place->track < recording->tracks;
}

static bool is_good(const tn_recording *recording)
{
    bool good = recording->tracks < MOST && recording->wrenches < MOST && recording->tables < MOST;
    for (uint32_t k = 0; k < recording->drawings; k++) {
        const tn_recorded_drawing *drawing = &recording->drawing[k];
        good = good && is_place(recording, &drawing->place[0]) && is_place(recording, &drawing->place[1]) &&
               drawing->drawing.kind <= TN_DRAWN_ARROW && drawing->drawing.shape.kind <= TN_MESH;
    }
    for (uint32_t k = 0; k < recording->wrenches; k++)
        good = good && is_place(recording, &recording->wrench[k].place);
    for (uint32_t k = 0; k < recording->tables; k++)
        good = good && recording->table[k].columns > 0 && recording->table[k].columns < MOST;
    return good;
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

static void code_tracks(tn_recording *recording, tn_codec *codec)
{
    tn_recorded_track *track = tn_code_array(codec, &recording->tracks, recording->track, sizeof *track);
    recording->track = track;
    for (uint32_t k = 0; k < recording->tracks; k++)
        code_track(codec, &track[k]);
}

static void code_drawings(tn_recording *recording, tn_codec *codec)
{
    tn_recorded_drawing *drawing =
        tn_code_array(codec, &recording->drawings, recording->drawing, sizeof *drawing);
    recording->drawing = drawing;
    for (uint32_t k = 0; k < recording->drawings; k++)
        code_drawing(codec, &drawing[k]);
}

static void code_wrenches(tn_recording *recording, tn_codec *codec)
{
    tn_recorded_wrench *wrench =
        tn_code_array(codec, &recording->wrenches, recording->wrench, sizeof *wrench);
    recording->wrench = wrench;
    for (uint32_t k = 0; k < recording->wrenches; k++)
        code_wrench(codec, &wrench[k]);
}

static void code_tables(tn_recording *recording, tn_codec *codec)
{
    tn_recorded_table *table = tn_code_array(codec, &recording->tables, recording->table, sizeof *table);
    recording->table = table;
    for (uint32_t k = 0; k < recording->tables; k++)
        code_table(codec, &table[k]);
}

static void code_fields(tn_recording *recording, tn_codec *codec)
{
    const char **const text[] = {&recording->title, &recording->program, &recording->model_text};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        tn_code_text(codec, text[k]);
    double *const number[] = {&recording->start_time, &recording->size, &recording->length_tolerance,
                              &recording->angle_tolerance};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++)
        TN_CODE(codec, *number[k]);
}

void tn_header_code(tn_recording *recording, tn_codec *codec)
{
    code_fields(recording, codec);
    code_tracks(recording, codec);
    code_drawings(recording, codec);
    code_wrenches(recording, codec);
    code_tables(recording, codec);
    if (codec->reads && (codec->lacks || codec->used != codec->size || !is_good(recording)))
        codec->lacks = true;
}

void tn_header_write(tn_recording *recording, const tn_header_lists *lists, tn_codec *codec)
{
    tn_recorded_drawing drawing;
    tn_recorded_wrench wrench;
    code_fields(recording, codec);
    code_tracks(recording, codec);
    TN_CODE(codec, recording->drawings);
    for (uint32_t k = 0; k < recording->drawings; k++) {
        lists->drawing(lists->data, &drawing);
        code_drawing(codec, &drawing);
    }
    TN_CODE(codec, recording->wrenches);
    for (uint32_t k = 0; k < recording->wrenches; k++) {
        lists->wrench(lists->data, &wrench);
        code_wrench(codec, &wrench);
    }
    code_tables(recording, codec);
}

uint32_t tn_frame_words(const tn_recording *recording)
{
    uint32_t words = 1;
    for (uint32_t k = 0; k < recording->tracks; k++)
        words += recording->track[k].has_rotation ? 7 : 3;
    return words;
}
