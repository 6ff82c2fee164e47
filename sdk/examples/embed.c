/* embed.c - two slider-cranks in one program, stepped side by side: cc embed.c $(pkg-config --cflags --libs tenon) -lpthread
 *
 * usage: embed slider_crank.toml */
#include <tenon/tenon.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 500, CHANGE_AT = 250 };

/* The slider-crank with a torque on its crank that the program sets. */
static const char driven[] = "[include]\nfiles = ['%s']\n"
                             "[[input]]\nname = 'torque'\nunit = 'N m'\nvalue = 0\n"
                             "[[element]]\nname = 'motor'\ntype = 'torque'\nmarkers = 'crank'\n"
                             "value = [0, 0, 'torque']\n";

typedef struct crank {
    const char *file, *stiffness; /* "path=value", as for `tenon run --set` */
    double angle[STEPS];          /* rad, after each step */
} crank;

static void check(tenon_model *model, tenon_status status)
{
    if (status == TENON_OK) return;
    fprintf(stderr, "%s\n", model ? tenon_reason(model) : "out of memory");
    exit(1);
}

/* Steps a model and reads a sensor at every step; half-way its damper gets stronger, and its motor begins. */
static void *turn(void *data)
{
    crank *self = data;
    const double damping = 3.0; /* N s/m */
    const tenon_options options = {
        .size = sizeof options, .overrides = &self->stiffness, .override_count = 1};
    tenon_model *model = NULL;
    size_t angle = 0, torque = 0;
    char text[4096];
    if (snprintf(text, sizeof text, driven, self->file) >= (int)sizeof text) exit(1);
    check(model, tenon_open_text(text, "driven.toml", NULL, &options, &model));
    check(model, tenon_sensor_find(model, "crank", &angle));
    check(model, tenon_input_find(model, "torque", &torque));
    for (int k = 0; k < STEPS; k++) {
        if (k == CHANGE_AT) check(model, tenon_set_parameter(model, "spring.damping", &damping, 1));
        if (k == CHANGE_AT) check(model, tenon_set_input(model, torque, 0.5));
        check(model, tenon_step(model));
        check(model, tenon_sensor_value(model, angle, &self->angle[k]));
    }
    tenon_close(model);
    return NULL;
}

int main(int argc, char **argv)
{
    static crank soft, stiff, soft_alone, stiff_alone;
    pthread_t other;
    if (argc != 2) return 2;
    soft = soft_alone = (crank){.file = argv[1], .stiffness = "element.spring.stiffness=1"};
    stiff = stiff_alone = (crank){.file = argv[1], .stiffness = "element.spring.stiffness=5"};
    if (pthread_create(&other, NULL, turn, &soft) != 0) return 1;
    turn(&stiff);
    if (pthread_join(other, NULL) != 0) return 1;
    turn(&soft_alone);
    turn(&stiff_alone);
    for (int k = 0; k < STEPS; k++) /* to the last bit */
        if (soft.angle[k] != soft_alone.angle[k] || stiff.angle[k] != stiff_alone.angle[k]) return 1;
    printf("the crank stands at %.12g rad with the soft spring, at %.12g rad with the stiff one\n",
           soft.angle[STEPS - 1], stiff.angle[STEPS - 1]);
    return 0;
}
