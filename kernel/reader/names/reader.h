/* reader.h - the names of a model as its file tells them: of items, parts, signals; and what is known while it is read
 *
 * The tables of the file fill it (tables/), calls in expressions look names up in it (values/). */
#ifndef TN_READER_H
#define TN_READER_H

#include "config/fill.h"
#include "model/builder.h"

struct tn_block;

/* The model itself, or a part of it: a file used once, under a name of its own. */
typedef struct tn_part {
    const char *name;            /* with those around it, "front.left"; "" for the model itself */
    const struct tn_part *outer; /* NULL for the model itself */
    const char *path;            /* of its file, the same whatever way led there */
    const tn_toml *root, *table; /* of its file; the [[part]] that asks for it */
    const tn_toml *uses;         /* names around it that it may use; NULL for none */
    tn_parameters parameters;
    struct tn_block *signals;
    bool moved, turned; /* position, rotation are given */
    double position[3], rotation[9];
} tn_part;

/* Data with a name that expressions call a function with: a [[signal]], or a function without any. */
typedef struct tn_signal {
    tn_routine routine; /* must be the first field */
    tn_model *model;
    const tn_loaded_function *type;
    void *instance;
    uint32_t arguments; /* of a call */
    /* the instance as the model gives it, before prepare(); NULL without data of its own */
    const void *given;
    const char *problem; /* why there is no value ... */
    const char *refusal; /* ... or none with these arguments, */
    const char *told;    /* which the function has told by itself */
    const char *wrong;   /* why it cannot be called at all, or NULL */
    const char *name;    /* with its table; NULL for a function without data */
    const tn_toml *table;
    /* the next function that uses the same data; without instance when they do not suit it */
    struct tn_signal *sharing;
} tn_signal;

/* What has numbers of its own. */
typedef enum tn_item_class {
    TN_PLACES, /* bodies and markers */
    TN_VARIABLES,
    TN_BLOCKS,      /* whose outputs expressions read, by their numbers */
    TN_FORCES,      /* connectors without constraints, */
    TN_CONSTRAINTS, /* and with them */
    TN_ITEM_CLASSES
} tn_item_class;

/* A sensor, or one of its numbers: TN_NONE for all of several; both TN_NONE: there is none. */
typedef struct tn_sensor_place {
    uint32_t sensor, component;
} tn_sensor_place;

/* The names of a model as its file tells them, and what is known while it is read. */
typedef struct tn_reader {
    tn_model *model;
    tn_document *document;
    tn_diagnostics *diagnostics;
    tn_source source;
    struct tn_block *root;
    tn_names sensor_names, part_names, signal_names, signal_ids, input_names;
    struct tn_numbered {
        tn_names names;
        uint32_t *item; /* [names.count]; TN_NONE: several connectors have it */
        size_t capacity;
    } ids[TN_ITEM_CLASSES];
    const tn_part *part;  /* the current one */
    bool reading_signals; /* of the current part: those behind are not known yet */
    tn_signal **signal;   /* by number in signal_names */
    size_t signal_capacity, signal_id_capacity;
    uint32_t *signal_of_id;     /* by number in signal_ids */
    uint32_t unmade_signal;     /* its data are being read, or TN_NONE */
    struct tn_named_pair *pair; /* of materials: tables/material_pairs.c */
    size_t pair_count, pair_capacity;
    struct tn_sensor_index {
        tn_names names; /* of sensors, then of the columns of those that have several */
        tn_sensor_place *place;
        size_t capacity;
        bool built;
    } sensors;
    struct tn_listed_wish *listed; /* sensors of all elements: tables/system_sensors.c */
    size_t listed_count;
    struct tn_figure_plan *figures; /* statistics and expectations (figures/figures.h) */
    bool trust;                     /* [plugins] may name any file */
    bool incomplete; /* some names are not known because of errors: that others miss them is no news */
} tn_reader;

/* Who hears of a model that is read. reports.c */
tn_reports tn_reader_reports(tn_reader *reader);

/* part_names.c: makes a part the current one; NULL does nothing. Returns the one before. */
const tn_part *tn_part_enter(tn_model *model, const tn_part *part);
/* The name in full of something that is called `name` in the current part. */
const char *tn_part_name(tn_model *model, const char *name);
/* The number of what `name` means in the current part: its own things, then those around it that it uses. */
uint32_t tn_part_find(const tn_model *model, const tn_names *names, const char *name);
/* Offers names as the current part calls them; one of them. */
void tn_part_offer(const tn_model *model, const tn_names *names, tn_nearest *search);
void tn_part_offer_one(const tn_model *model, const char *name, tn_nearest *search);
/* True when something around the current part is called so. */
bool tn_part_is_outside(tn_model *model, const char *name);
/* What is wrong with a parameter of another part; false when it is none. */
bool tn_part_explain_parameter(const tn_model *model, const char *name, char *message, size_t size);
/* True when something is called so in the current part, or stands there without being declared. */
bool tn_part_has(tn_model *model, const char *name);

/* Enters the number of an item; one that is taken is reported at `place`. item_names.c */
void tn_item_add_id(tn_model *model, uint32_t item, const char *id, tn_place place);
/* sensor_names.c, once all sensors are made: the sensor or column of a name in the current part; the nearest name, as
 * tn_source_guess, behind a search; the name of a column. */
tn_sensor_place tn_sensor_find(tn_model *model, const char *name);
const char *tn_sensor_guess(tn_model *model, const char *name);
const char *tn_sensor_column_name(tn_arena *arena, const tn_sensor *sensor, uint32_t component);
/* The item of a name; one that exists without being declared is made. TN_NONE after reporting at `node`. item_names.c */
uint32_t tn_item_find(tn_model *model, const char *name, const tn_toml *node);
/* The item that is called so in an expression, by its name or its id within its class; TN_NONE after reporting. item_names.c */
uint32_t tn_item_of_argument(tn_model *model, const tn_item_argument *argument, tn_item_class wanted,
                             const tn_toml *node);

#endif
