/* embed.c - two slider-cranks in one program, stepped side by side: cc embed.c $(pkg-config --cflags --libs tenon) -lpthread
 *
 * usage: embed configs/seeds/input.toml */
#include <tenon/tenon.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct crank {
    const char *file, *stiffness; /* the model; "path=value", as for `tenon run --set` */
    double angle[500];            /* rad, after each step */
} crank;

static void check(tenon_model *model, tenon_status status)
{
    if (status != TENON_OK) exit(fprintf(stderr, "%s\n", tenon_reason(model)) > 0);
}

/* Steps a model and reads a sensor at every step; half-way its damper gets stronger, and its motor begins. */
static void *turn(void *data)
{
    crank *self = data;
    const tenon_options options = {sizeof options, .overrides = &self->stiffness, .override_count = 1};
    tenon_model *model = NULL;
    size_t angle, torque;
    const tenon_status opened = tenon_open_file(self->file, &options, &model);
    check(model, opened);
    check(model, tenon_sensor_find(model, "crank", &angle));
    check(model, tenon_input_find(model, "torque", &torque));
    for (int k = 0; k < 500; k++) {
        if (k == 250) check(model, tenon_set_parameter(model, "spring.damping", &(double){3.0}, 1));
        if (k == 250) check(model, tenon_set_input(model, torque, 0.5));
        check(model, tenon_step(model));
        check(model, tenon_sensor_value(model, angle, &self->angle[k]));
    }
    tenon_close(model);
    return NULL;
}

int main(int argc, char **argv)
{
    static const char soft[] = "element.spring.stiffness=1", stiff[] = "element.spring.stiffness=5";
    crank both[2] = {{argv[argc - 1], soft, {0}}, {argv[argc - 1], stiff, {0}}}, alone[2];
    memcpy(alone, both, sizeof both);
    pthread_t other;
    if (pthread_create(&other, NULL, turn, &both[1]) != 0) return 1;
    turn(&both[0]);
    if (pthread_join(other, NULL) != 0) return 1;
    turn(&alone[0]);
    turn(&alone[1]);
    printf("the crank stands at %.12g rad with the soft spring, at %.12g rad with the stiff one\n",
           both[0].angle[499], both[1].angle[499]);
    return memcmp(both, alone, sizeof both) != 0; /* to the last bit */
}
