/* balls.c - balls, or corners of cubes, on a floor, and balls among each other: points of contact (tenon/draft/contacts.h) */
#include <tenon/author.h>
#if TN_VALUES
#include <tenon/draft/contacts.h>

#include <math.h>
#include <string.h>

#define BALLS(P)                                                                                         \
    P(REAL, radius, "m", TN_REQUIRED, 0, 0, TN_UNBOUNDED, "of all balls, or half the edge of all cubes") \
    P(REAL, friction, "", 0, 0, -TN_UNBOUNDED, TN_UNBOUNDED, "coefficient of friction")                  \
    P(REAL, restitution, "", 0, 0, -TN_UNBOUNDED, TN_UNBOUNDED, "coefficient of restitution")            \
    P(INTEGER, cubes, 0, 0, 0, 1, "1: the corners of cubes touch the floor, and nothing else does")      \
    P(INTEGER, silent, 0, 0, 0, 1, "1: there are no points of contact")                                  \
    P(INTEGER, mistake, 0, 0, 0, 7,                                                                      \
      "that it makes, for tests: 1 order, 2 the same point twice, 3 marker, "                            \
      "4 length of normals, 5 writes where it reads, 6 writes data in `points`, 7 refuses")

TN_PARAMETERS(balls, BALLS)

TN_PORTS(balls, {"floor", "its z axis points up", TN_FRAME, 1, 1, 0},
         {"balls", "their centres", TN_FRAME, 1, 31, 0})

enum { COUNT, IMPULSE, SLIP, FLOOR, LAST };
TN_OUTPUTS(balls, [COUNT] = {"count", "points", "", 1, 0},
           [IMPULSE] = {"impulse", "sum along the normals", "N s", 1, 0},
           [SLIP] = {"slip", "the fastest", "m/s", 1, 0},
           [FLOOR] = {"on_floor", "force and moment on the floor", "", 6, 0},
           [LAST] = {"on_last", "force and moment on the last ball", "", 6, 0})

static tn_status balls_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nd = 3;
    return TN_OK;
}

static uint32_t balls_has_contacts(const void *instance) { return !((const balls *)instance)->silent; }

/* The point of a marker at `place` against the plane of the floor. */
static double height_of(const double *floor, const double *place)
{
    return (place[0] - floor[0]) * floor[5] + (place[1] - floor[1]) * floor[8] +
           (place[2] - floor[2]) * floor[11];
}

static void add_on_floor(const balls *self, const double *floor, const double *place, double radius,
                         double margin, tn_contact_point *point, tn_contact_list *list)
{
    const double height = height_of(floor, place);
    point->gap = height - radius;
    if (point->gap > margin) return;
    for (int c = 0; c < 3; c++) {
        point->normal[c] = floor[5 + 3 * c] * (self->mistake == 4 ? 1.1 : 1.0);
        point->position[c] = place[c] - 0.5 * (height + radius) * floor[5 + 3 * c];
    }
    if (self->mistake == 1) point->feature = 100 - point->feature;
    if (self->mistake == 3) point->second = 77;
    list->add(list, point);
    if (self->mistake == 2) list->add(list, point);
}

static void add_corners(const balls *self, const double *floor, const double *cube, double margin,
                        tn_contact_point point, tn_contact_list *list)
{
    for (uint32_t corner = 0; corner < 8; corner++) {
        double place[3];
        for (int c = 0; c < 3; c++) {
            place[c] = cube[c];
            for (int e = 0; e < 3; e++)
                place[c] += (corner >> e & 1 ? 1.0 : -1.0) * self->radius * cube[3 + 3 * c + e];
        }
        point.feature = corner;
        add_on_floor(self, floor, place, 0.0, margin, &point, list);
    }
}

static void add_pair(const balls *self, const double *first, const double *second, double margin,
                     tn_contact_point *point, tn_contact_list *list)
{
    double way[3], square = 0.0;
    for (int c = 0; c < 3; c++) {
        way[c] = first[c] - second[c];
        square += way[c] * way[c];
    }
    const double distance = sqrt(square);
    point->gap = distance - 2.0 * self->radius;
    if (point->gap > margin) return;
    for (int c = 0; c < 3; c++) {
        point->normal[c] = way[c] / distance;
        point->position[c] = 0.5 * (first[c] + second[c]);
    }
    list->add(list, point);
}

static tn_status balls_points(tn_batch *batch, uint32_t instance, double margin, tn_contact_list *list)
{
    const balls *self = tn_instance(batch, instance);
    const tn_marker_place *marker = batch->marker + instance * batch->marker_count;
    const double *floor = batch->pose + marker[0].pose;
    if (self->mistake == 5) ((double *)batch->pose)[marker[0].pose] += 1.0;
    if (self->mistake == 6) batch->d[3 * instance] = 1.0;
    if (self->mistake == 7 && batch->time > 0.05) {
        *batch->failure = (tn_failure){instance, TN_RETRY, "it does not want to"};
        return TN_RETRY;
    }
    for (uint32_t i = 1; i < batch->marker_count; i++) {
        const double *ball = batch->pose + marker[i].pose;
        tn_contact_point point = {
            .first = i, .friction = self->friction, .restitution = self->restitution, .threshold = 1e-9};
        if (self->cubes) {
            add_corners(self, floor, ball, margin, point, list);
            continue;
        }
        add_on_floor(self, floor, ball, self->radius, margin, &point, list);
        for (uint32_t j = i + 1; j < batch->marker_count; j++) {
            point.second = j;
            add_pair(self, ball, batch->pose + marker[j].pose, margin, &point, list);
        }
    }
    return TN_OK;
}

static tn_status balls_settled(tn_batch *batch, uint32_t instance, uint32_t count,
                               const tn_contact_point *point, const double *impulse, const double *slip,
                               double length)
{
    (void)point, (void)length;
    double *data = batch->d + 3 * instance;
    data[COUNT] = count;
    data[IMPULSE] = data[SLIP] = 0.0;
    for (uint32_t k = 0; k < count; k++) {
        data[IMPULSE] += impulse[3 * k];
        data[SLIP] = fmax(data[SLIP], hypot(slip[2 * k], slip[2 * k + 1]));
    }
    return TN_OK;
}

static tn_status balls_output(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const size_t n = batch->first + i;
        const double *wrench = batch->wrench + n * batch->wrench_size;
        if (batch->output < FLOOR) batch->value[i] = batch->d[3 * n + batch->output];
        for (uint32_t c = 0; batch->output >= FLOOR && c < 6; c++)
            batch->value[6 * i + c] = wrench[c + (batch->output == LAST ? batch->wrench_size - 6 : 0)];
    }
    return TN_OK;
}

static const tn_contacts_capability balls_contacts = {.struct_size = sizeof balls_contacts,
                                                      .has_contacts = balls_has_contacts,
                                                      .points = balls_points,
                                                      .settled = balls_settled};

TN_ELEMENT(balls, .summary = "balls on a floor", .formula = "none",
           TN_CAPABILITIES({TN_CONTACTS_KEY, &balls_contacts}), .ports = balls_ports,
           .outputs = balls_outputs, .layout = balls_layout, .output = balls_output)

TN_LIBRARY("balls", "1.0.0", "Apache-2.0", "balls", {TN_ELEMENT_KIND, &balls_type})
#endif
