/* test_drawings.c - pictures of all models of configs/ show every body and every connector, at sizes that fit the model */
#define _GNU_SOURCE
#include "recordings.h"

#include <ftw.h>
#include <math.h>

enum { MODELS = 2, MOST_MODELS = 256 };
static const char *models[MOST_MODELS];
static size_t count;

static int add(const char *path, TN_UNUSED const struct stat *status, int kind, struct FTW *position)
{
    if (kind != FTW_F || !tn_is_model(path) || position->level > MODELS || strstr(path, "/benchmarks/"))
        return 0;
    if (count == MOST_MODELS) return 1;
    models[count++] = tn_format("%s", path);
    return 0;
}

static int find_models(void **state)
{
    if (tn_scratch_open(state) != 0) return 1;
    return nftw(TENON_SOURCE_DIR "/configs", add, 16, FTW_PHYS) == 0 && count > 0 ? 0 : 1;
}

/* Models run to their first row only, but for those with several solvers. */
static tn_recording *record(const char *path, const char *results)
{
    tn_outcome outcome =
        tn_tenon(TN_WORDS("run", path, "--trust", "--expanded", "--quiet", "--out", results, "--set",
                          "solver.end_time=1e-3", "--set", "output.writers=['csv']"));
    if (outcome.status != 0)
        outcome = tn_tenon(TN_WORDS("run", path, "--trust", "--expanded", "--quiet", "--out", results));
    if (outcome.status != 0) fail_msg("%s: exit %d: %s", path, outcome.status, outcome.errors);
    return tn_record_open(results);
}

static void expect_size(const char *path, const tn_recording *run, const tn_recorded_drawing *drawn)
{
    const bool is_shape = drawn->drawing.kind == TN_DRAWN_SHAPE;
    const double *size = is_shape ? drawn->drawing.shape.size : drawn->drawing.size;
    if (is_shape && drawn->drawing.shape.kind == TN_MESH) return; /* factors */
    for (int k = 0; k < (drawn->drawing.kind == TN_DRAWN_COIL ? 2 : 3); k++)
        if (!(size[k] >= 0.0 && size[k] <= 2.0 * run->size * (1.0 + 1e-12)) &&
            !(is_shape && !drawn->is_default))
            fail_msg("%s: `%s` is %g m large, the model %g m", path, drawn->name, size[k], run->size);
    if (is_shape && drawn->is_default)
        for (int k = 0; k < 3; k++)
            assert_true(size[k] > 0.0);
}

static bool shows_track(const tn_recording *run, uint32_t track)
{
    for (uint32_t k = 0; k < run->drawings; k++)
        if (run->drawing[k].place[0].track == track) return true;
    return false;
}

static bool shows(const tn_recording *run, const char *name)
{
    for (uint32_t k = 0; k < run->drawings; k++)
        if (strcmp(run->drawing[k].name, name) == 0) return true;
    return false;
}

/* One-coordinate bodies are nowhere; arrows show applied forces; contacts act where shapes touch; others act on coordinates, or prescribe a
 * motion. */
static bool is_unseen(const char *type)
{
    static const char *const unseen[] = {"force", "torque",  "contact",     "motion",
                                         "gear",  "mass_1d", "coordinate_", "rotor_1d"};
    for (size_t k = 0; k < sizeof unseen / sizeof unseen[0]; k++)
        if (strncmp(type, unseen[k], strlen(unseen[k])) == 0) return true;
    return false;
}

/* What is no body and acts on no markers, such as a block of a control system, stands nowhere in space. */
static bool has_a_place(const char *type)
{
    enum { MOST_TYPES = 64 };
    static struct {
        const char *type;
        bool has_a_place;
    } known[MOST_TYPES];
    static size_t types;
    for (size_t k = 0; k < types; k++)
        if (strcmp(known[k].type, type) == 0) return known[k].has_a_place;
    const tn_outcome told = tn_tenon(TN_WORDS("describe", type, "--json"));
    if (told.status != 0) return true; /* of a plugin beside its model */
    assert_true(types < MOST_TYPES);
    known[types].type = type;
    known[types].has_a_place = strstr(told.output, "\"ports\"") || strstr(told.output, "tenon.body/1");
    return known[types++].has_a_place;
}

/* ---- elements of the model, whether they have wrenches or not ------------------------------------------------- */

static const struct {
    const char *type;
    tn_drawing_kind kind;
} joints[] = {{"revolute", TN_DRAWN_HINGE},    {"prismatic", TN_DRAWN_SLIDE},
              {"cylindrical", TN_DRAWN_HINGE}, {"spherical", TN_DRAWN_BALL},
              {"universal", TN_DRAWN_HINGE},   {"planar", TN_DRAWN_DISC},
              {"fixed", TN_DRAWN_FRAME},       {"distance", TN_DRAWN_ROD},
              {"generic", TN_DRAWN_FRAME},     {"linear_bushing", TN_DRAWN_SLEEVE}};
enum { JOINTS = sizeof joints / sizeof *joints };
static size_t seen[JOINTS];

/* The text behind `key = "`; "" where the table has none. */
static const char *text_of(const char *table, const char *key)
{
    const char *end = strstr(table, "\n\n"), *at = strstr(table, tn_format("\n%s = \"", key));
    if (!at || (end && at > end)) return "";
    at = strchr(at, '"') + 1;
    return tn_format("%.*s", (int)strcspn(at, "\""), at);
}

static const tn_recorded_drawing *find_drawing(const tn_recording *run, const char *name)
{
    for (uint32_t k = 0; k < run->drawings; k++)
        if (strcmp(run->drawing[k].name, name) == 0) return &run->drawing[k];
    return NULL;
}

static bool is_body(const tn_recording *run, const char *name)
{
    for (uint32_t k = 0; k < run->tracks; k++)
        if (run->track[k].is_body && strcmp(run->track[k].name, name) == 0) return true;
    return false;
}

/* What a joint looks like tells what it lets free. */
static void expect_kind(const char *path, const tn_recorded_drawing *drawn, const char *type)
{
    for (size_t k = 0; k < JOINTS; k++) {
        if (strcmp(joints[k].type, type) != 0) continue;
        seen[k]++;
        if (drawn->drawing.kind != (uint32_t)joints[k].kind)
            fail_msg("%s: `%s`, a %s, is drawn as %u", path, drawn->name, type, drawn->drawing.kind);
        const double *axis = drawn->drawing.axis, length = hypot(hypot(axis[0], axis[1]), axis[2]);
        const bool has_axis = joints[k].kind == TN_DRAWN_HINGE || joints[k].kind == TN_DRAWN_SLIDE ||
                              joints[k].kind == TN_DRAWN_DISC;
        if (has_axis && !(fabs(length - 1.0) < 1e-9))
            fail_msg("%s: the axis of `%s` is %g long", path, drawn->name, length);
    }
}

/* All tables [[element]] of run.toml, with repeats expanded; those of parts are in other files. */
static void expect_elements(const char *path, const tn_recording *run, const char *text)
{
    static const char heading[] = "\n[[element]]";
    for (const char *table = strstr(text, heading); table; table = strstr(table + 1, heading)) {
        const char *name = text_of(table + 1, "name"), *type = text_of(table + 1, "type");
        if (!name[0] || !type[0] || is_unseen(type) || !has_a_place(type)) continue;
        if (is_body(run, name)) continue; /* its shapes have names of their own */
        const tn_recorded_drawing *drawn = find_drawing(run, name);
        if (!drawn) fail_msg("%s: nothing is drawn of `%s`, a %s", path, name, type);
        expect_kind(path, drawn, type);
    }
}

static void all_models_show_their_elements(void **state)
{
    (void)state;
    size_t boxes = 0;
    for (size_t m = 0; m < count; m++) {
        const char *results = tn_scratch_path(NULL);
        tn_recording *run = record(models[m], results);
        expect_elements(models[m], run, tn_read(tn_format("%s/run.toml", results)));
        for (uint32_t k = 0; k < run->drawings; k++) {
            expect_size(models[m], run, &run->drawing[k]);
            boxes += run->drawing[k].is_default && run->drawing[k].drawing.shape.kind == TN_BOX;
        }
        for (uint32_t k = 0; k < run->tracks; k++)
            if (run->track[k].is_body && !shows_track(run, k))
                fail_msg("%s: nothing is drawn of `%s`", models[m], run->track[k].name);
        for (uint32_t k = 0; k < run->wrenches; k++)
            if (!is_unseen(run->wrench[k].type) && !shows(run, run->wrench[k].element))
                fail_msg("%s: nothing is drawn of `%s`, a %s", models[m], run->wrench[k].element,
                         run->wrench[k].type);
        tn_recording_close(run);
    }
    assert_true(boxes > 0);
    for (size_t k = 0; k < JOINTS; k++)
        if (seen[k] == 0) fail_msg("no model has a %s", joints[k].type);
}

static const tn_recorded_drawing *drawn_as(const tn_recording *run, const char *name, uint32_t kind)
{
    for (uint32_t k = 0; k < run->drawings; k++)
        if (strcmp(run->drawing[k].name, name) == 0 && run->drawing[k].drawing.kind == kind)
            return &run->drawing[k];
    fail_msg("`%s` has no drawing of kind %u", name, kind);
    return NULL;
}

static void expect_vector(const double *vector, double x, double y, double z)
{
    const double wanted[] = {x, y, z};
    for (int k = 0; k < 3; k++)
        assert_true(fabs(vector[k] - wanted[k]) < 1e-12);
}

/* Of a body that is turned at the start: what it carries is in its axes, what is fixed in space stands there. */
static void directions_are_those_of_ground_at_the_start(void **state)
{
    (void)state;
    const char *model = "[[element]]\nname = 'arm'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
                        "position = [1, 2, 3]\nrotation = { axis = [0, 0, 1], angle = '90 [deg]' }\n"
                        "[[element]]\nname = 'bead'\ntype = 'mass_point'\nmass = 1\nposition = [1, 2, 4]\n"
                        "[[element]]\nname = 'guide'\ntype = 'fixed_direction'\nmarkers = ['arm', 'bead']\n"
                        "direction = [1, 0, 0]\n"
                        "[[element]]\nname = 'drive'\ntype = 'set_displacement'\nmarkers = ['arm']\n"
                        "direction = [0, 3, 0]\nvalue = 'time'\n"
                        "[solver]\ntype = 'generalized_alpha'\nend_time = 1e-2\nstep = 1e-3\n";
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("turned.toml", model), "--quiet", "--out", results));
    if (outcome.status != 0) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    tn_recording *run = tn_record_open(results);
    const tn_recorded_drawing *guide = drawn_as(run, "guide", TN_DRAWN_SLIDE),
                              *drive = drawn_as(run, "drive", TN_DRAWN_ARROW);
    assert_int_equal(guide->place[0].track, tn_record_track(run, "arm"));
    expect_vector(guide->drawing.axis, 0.0, -1.0, 0.0);
    assert_int_equal(drive->place[0].track, TN_GROUND_TRACK);
    expect_vector(drive->place[0].position, 1.0, 2.0, 3.0);
    expect_vector(drive->drawing.axis, 0.0, 1.0, 0.0);
    tn_recording_close(run);
}

/* Wheels are discs, not the boxes of their masses; a shape without opacity is as good as hidden. */
static void wheels_have_no_boxes_and_clear_shapes_are_hidden(void **state)
{
    (void)state;
    tn_recording *run = record(TENON_SOURCE_DIR "/configs/seeds/bicycle.toml", tn_scratch_path(NULL));
    for (uint32_t k = 0; k < run->drawings; k++)
        assert_false(strstr(run->drawing[k].name, "_wheel") && run->drawing[k].is_default);
    tn_recording_close(run);

    const char *results = tn_scratch_path(NULL);
    const char *model =
        "[[element]]\nname = 'arm'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
        "[[marker]]\nname = 'clear'\ntype = 'shape'\nelement = 'arm'\nkind = 'sphere'\nradius = 1\n"
        "opacity = 0\n[solver]\ntype = 'rk'\nend_time = 1\nstep = 1\n";
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("clear.toml", model), "--quiet", "--out", results));
    if (outcome.status != 0) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    run = tn_record_open(results);
    assert_int_equal(drawn_as(run, "clear", TN_DRAWN_SHAPE)->drawing.shape.visible, 0);
    tn_recording_close(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_models_show_their_elements),
                                       cmocka_unit_test(directions_are_those_of_ground_at_the_start),
                                       cmocka_unit_test(wheels_have_no_boxes_and_clear_shapes_are_hidden)};
    return cmocka_run_group_tests(tests, find_models, tn_scratch_close);
}
