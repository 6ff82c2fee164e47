/* embed.c - two slider-cranks in one program, stepped side by side: cc embed.c $(pkg-config --cflags --libs tenon) -lpthread
 *
 * usage: embed slider_crank.toml */
#include <tenon/tenon.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 500 };

/* The slider-crank with a torque on its crank that the program sets. */
static const char driven[] =
    "[include]\nfiles = ['%s']\n[[input]]\nname = 'torque'\nunit = 'N m'\nvalue = 0\n"
    "[[element]]\nname = 'motor'\ntype = 'torque'\nmarkers = 'crank'\n"
    "value = [0, 0, 'torque']\n";
static char model_text[4096];

typedef struct crank {
    const char *stiffness; /* "path=value", as for `tenon run --set` */
    double angle[STEPS];   /* rad, after each step */
} crank;

static void check(tenon_model *model, tenon_status status)
{
    if (status != TENON_OK) exit(fprintf(stderr, "%s\n", tenon_reason(model)) > 0);
}

/* Steps a model and reads a sensor at every step; half-way its damper gets stronger, and its motor begins. */
static void *turn(void *data)
{
    crank *self = data;
    const tenon_options options = {
        .size = sizeof options, .overrides = &self->stiffness, .override_count = 1};
    tenon_model *model = NULL;
    size_t angle, torque;
    const tenon_status opened = tenon_open_text(model_text, "driven.toml", NULL, &options, &model);
    check(model, opened);
    check(model, tenon_sensor_find(model, "crank", &angle));
    check(model, tenon_input_find(model, "torque", &torque));
    for (int k = 0; k < STEPS; k++) {
        if (k == STEPS / 2) check(model, tenon_set_parameter(model, "spring.damping", &(double){3.0}, 1));
        if (k == STEPS / 2) check(model, tenon_set_input(model, torque, 0.5));
        check(model, tenon_step(model));
        check(model, tenon_sensor_value(model, angle, &self->angle[k]));
    }
    tenon_close(model);
    return NULL;
}

int main(int argc, char **argv)
{
    static crank one[4]; /* two side by side, and both alone */
    pthread_t other;
    if (argc != 2 || snprintf(model_text, sizeof model_text, driven, argv[1]) >= (int)sizeof model_text)
        return 2;
    for (int k = 0; k < 4; k++)
        one[k].stiffness = k % 2 ? "element.spring.stiffness=5" : "element.spring.stiffness=1";
    if (pthread_create(&other, NULL, turn, &one[0]) != 0) return 1;
    turn(&one[1]);
    if (pthread_join(other, NULL) != 0) return 1;
    turn(&one[2]);
    turn(&one[3]);
    for (int k = 0; k < STEPS; k++) /* to the last bit */
        if (one[0].angle[k] != one[2].angle[k] || one[1].angle[k] != one[3].angle[k]) return 1;
    printf("the crank stands at %.12g rad with the soft spring, at %.12g rad with the stiff one\n",
           one[0].angle[STEPS - 1], one[1].angle[STEPS - 1]);
    return 0;
}
