/* control_models.h - tables of models with blocks of control systems */
#ifndef TN_TEST_CONTROL_MODELS_H
#define TN_TEST_CONTROL_MODELS_H

#define MASS(name, mass, position)                                        \
    "[[element]]\nname = '" name "'\ntype = 'mass_1d'\nmass = " mass "\n" \
    "position = " position "\n"
#define FORCE(name, on, value) \
    "[[element]]\nname = '" name "'\ntype = 'coordinate_force'\nmarkers = [" on "]\nvalue = \"" value "\"\n"
#define BLOCK(name, type, keys) "[[element]]\nname = '" name "'\ntype = '" type "'\n" keys "\n"
#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\nexpression = \"" expression "\"\n"

#endif
