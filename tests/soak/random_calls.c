/* random_calls.c - random calls of the library, most of them sensible, many of them not: every one returns, with a status.
 *
 * usage: random_calls CONFIGS SEED CALLS. Made for a library that was built with sanitizers (library.py). */
#include <tenon/tenon.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MODELS = 3, MOST = 100000 };

static const char *const files[] = {"seeds/input.toml",     "seeds/conditions.toml",
                                    "seeds/bicycle.toml",   "seeds/reference_variable_robot.toml",
                                    "seeds/mecanum.toml",   "seeds/revolute.toml",
                                    "seeds/generic.toml",   "first/spring_damper.toml",
                                    "first/rigid_body.toml"};
static const char *const words[] = {"crank",      "torque",   "x",    "spring.stiffness", "spring.damping",
                                    "",           "a.b",      "mass", "element",          "mass.mass",
                                    "mass_point", "\xC3\xA9", "[",    "sensor",           "x=VX(rod)",
                                    "y=1/0",      "z=time",   "k=("};
#define COUNT(list) ((uint32_t)(sizeof(list) / sizeof *(list)))

static uint64_t state;
static const char *configs;
static double numbers[MOST];
static int32_t starts[MOST], rows[MOST];

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static const char *draw_word(void) { return words[draw(COUNT(words))]; }

static double draw_number(void)
{
    static const double odd[] = {0.0, (double)NAN, (double)INFINITY, -1.0, 1e300, 1e-9};
    return draw(2) ? odd[draw(COUNT(odd))] : draw(1000) / 500.0 - 1.0;
}

static tenon_status open_model(tenon_model **model)
{
    char path[1024];
    const char *sensor = draw_word();
    const tenon_options options = {sizeof options, .check_only = draw(8) == 0, .sensors = &sensor,
                                   .sensor_count = draw(4) == 0};
    if (draw(10) == 0) return tenon_build_begin("built", NULL, NULL, model);
    (void)snprintf(path, sizeof path, "%s/%s", configs, files[draw(COUNT(files))]);
    return tenon_open_file(path, &options, model);
}

static tenon_status build(tenon_model *model)
{
    const char *list[] = {draw_word(), draw_word()};
    switch (draw(8)) {
    case 0:
        return tenon_build_item(model, draw(2) ? "element" : draw_word(), draw_word(), draw_word());
    case 1:
        return tenon_build_number(model, draw_word(), draw_number());
    case 2:
        return tenon_build_value(model, draw_word(), draw_word());
    case 3:
        return tenon_build_texts(model, draw_word(), list, draw(3));
    case 4:
        return tenon_build_matrix(model, draw_word(), numbers, draw(3), draw(3));
    case 5:
        return tenon_build_place(model, draw(2) ? "program.c" : NULL, draw(10), draw(10));
    case 6:
        return tenon_build_toml(model) ? TENON_OK : TENON_REFUSED;
    default:
        return tenon_build_end(model);
    }
}

static tenon_status read_matrix(tenon_model *model)
{
    const int32_t which = (int32_t)draw(6) - 1;
    uint32_t height = 0, width = 0;
    size_t entries = 0;
    const tenon_status status = tenon_matrix_sizes(model, which, &height, &width, &entries);
    if (status != TENON_OK || (size_t)height * width > MOST || entries > MOST || width >= MOST) return status;
    return draw(2) ? tenon_matrix(model, which, numbers)
                   : tenon_matrix_columns(model, which, starts, rows, numbers);
}

static tenon_status move(tenon_model *model)
{
    tenon_sizes sizes = {.size = sizeof sizes};
    tenon_status status = tenon_sizes_of(model, &sizes);
    if (status == TENON_OK) status = tenon_state(model, numbers, numbers + MOST / 2);
    if (status != TENON_OK || !sizes.velocities) return status;
    numbers[MOST / 2 + draw((uint32_t)sizes.velocities)] += 0.01 * draw_number();
    return tenon_set_state(model, draw(2) ? numbers : NULL, numbers + MOST / 2);
}

static tenon_status read_all(tenon_model *model)
{
    tenon_message message = {.size = sizeof message};
    for (size_t k = 0; k <= tenon_name_count(model); k++)
        (void)tenon_name(model, k), (void)tenon_type(model, k);
    for (size_t k = 0; k <= tenon_sensor_count(model); k++)
        (void)tenon_sensor_name(model, k), (void)tenon_sensor_unit(model, k);
    for (size_t k = 0; k < tenon_message_count(model); k++)
        if (tenon_message_at(model, k, &message) != TENON_OK) return TENON_FAILED;
    return tenon_reason(model) ? tenon_message_at(model, tenon_message_count(model), &message) : TENON_OK;
}

static char kept[1 << 20]; /* the state saved last, of any model */
static size_t kept_size;

static tenon_status keep(tenon_model *model)
{
    size_t size = 0;
    const tenon_status status = tenon_save(model, kept, sizeof kept, &size);
    if (status == TENON_OK) kept_size = size;
    return status;
}

/* As they were, cut off, or altered. */
static tenon_status put_back(tenon_model *model)
{
    const size_t size = draw(4) || !kept_size ? kept_size : draw((uint32_t)kept_size);
    char *altered = draw(4) || !kept_size ? NULL : &kept[draw((uint32_t)kept_size)];
    if (altered) *altered ^= 1;
    const tenon_status status = tenon_restore(model, kept, size);
    if (altered) *altered ^= 1;
    return status;
}

static tenon_status call(tenon_model *model)
{
    const double three[] = {draw_number(), draw_number(), draw_number()};
    const char *list[] = {draw_word(), draw_word()};
    uint32_t freedoms = 0, redundant = 0;
    size_t found = 0;
    switch (draw(24)) {
    case 0:
    case 1:
    case 2:
        return tenon_step(model);
    case 3:
        return tenon_step_to(model, tenon_time(model) + 0.01 * draw_number());
    case 4:
        return draw(10) ? TENON_OK : tenon_run(model);
    case 5:
        return tenon_set_input(model, draw(3), draw_number());
    case 6:
        return tenon_set_parameter(model, draw_word(), three, draw(4));
    case 7:
        return tenon_parameter(model, draw_word(), numbers, draw(5), &found);
    case 8:
        return tenon_sensor_find(model, draw_word(), &found);
    case 9:
        return tenon_sensor_value(model, draw(9), numbers);
    case 10:
        return tenon_sensor_values(model, numbers);
    case 11:
        return move(model);
    case 12:
        return tenon_accelerations(model, numbers);
    case 13:
        return tenon_multipliers(model, numbers);
    case 14:
        return read_matrix(model);
    case 15:
        return tenon_check(model, &freedoms, &redundant);
    case 16:
        return tenon_start(model);
    case 17:
        return tenon_add_sensors(model, list, draw(3));
    case 18:
        return read_all(model);
    case 19:
        return keep(model);
    case 20:
    case 21:
        return put_back(model);
    default:
        return build(model);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    tenon_model *models[MODELS] = {NULL};
    unsigned long of_status[TENON_OUT_OF_MEMORY + 1] = {0};
    configs = argv[1];
    state = strtoull(argv[2], NULL, 10);
    for (unsigned long k = strtoul(argv[3], NULL, 10); k-- > 0;) {
        tenon_model **model = &models[draw(MODELS)];
        if (*model && draw(40) == 0) {
            tenon_close(*model);
            *model = NULL;
        }
        of_status[*model ? call(*model) : open_model(model)]++;
    }
    for (uint32_t k = 0; k < MODELS; k++)
        tenon_close(models[k]);
    printf("%lu calls done, %lu refused, %lu after errors\n", of_status[TENON_OK] + of_status[TENON_ENDED],
           of_status[TENON_REFUSED], of_status[TENON_INVALID] + of_status[TENON_FAILED]);
    return of_status[TENON_OUT_OF_MEMORY] != 0;
}
