/* trial_element.c - elements and markers in the models that types are tried in (see trial_element.h)
 *
 * Of an element there are several instances, on bodies of their own: a batch of one would hide who mistakes one instance
 * for another. */
#include "cli/trial_element.h"

#include "config/standard.h"

#include <string.h>

/* ---- bodies ---------------------------------------------------------------------------------------------- */

enum { INSTANCES = 3, MOST_FILLED = 2 };
static const char *const names[INSTANCES] = {"tried", "second", "resting"};

static uint32_t fill_of(const tn_port *ports, const tn_port *port, tn_trial_ports how)
{
    const bool is_last = !(port + 1)->name;
    const bool filled = how == TN_TRIAL_PORTS_FILLED || (how == TN_TRIAL_FIRST_PORT && port == ports) ||
                        (how == TN_TRIAL_LAST_PORT && is_last);
    if (!filled || port->minimum >= MOST_FILLED) return port->minimum;
    return port->maximum < MOST_FILLED ? port->maximum : MOST_FILLED;
}

/* What a marker of a port is: the name of the body that it stands for. */
static void write_carrier_name(FILE *to, uint32_t kind, unsigned group, unsigned number)
{
    const char *word = kind == TN_COORDINATE ? "slide" : tn_is_node(kind) ? "node" : "body";
    (void)fprintf(to, "%s_%u_%u", word, group, number);
}

static void write_carrier(FILE *to, uint32_t kind, unsigned group, unsigned number, bool together)
{
    const double k = together ? 0.0 : number + 1.0;
    (void)fputs("\n[[element]]\nname = \"", to);
    write_carrier_name(to, kind, group, number);
    if (kind == TN_COORDINATE)
        (void)fprintf(to, "\"\ntype = \"" TN_TRIAL_SLIDE "\"\nmass = 2\nposition = %g\nvelocity = %g\n",
                      0.25 * k, 0.125 * k);
    else if (tn_is_node(kind))
        (void)fprintf(to,
                      "\"\ntype = \"" TN_TRIAL_NODE
                      "\"\nmass = 2\nposition = [%g, %g, %g]\nvelocity = [%g, %g, %g]\n",
                      0.75 * k, 3.0 * group + 0.25 * k * k, 1.0 + 0.125 * k, 0.25 * k, -0.5 * k, 0.125 * k);
    else
        (void)fprintf(to,
                      "\"\ntype = \"" TN_TRIAL_BODY
                      "\"\nmass = 2\ninertia = [0.2, 0.3, 0.4]\nposition = [%g, %g, %g]\n"
                      "rotation = { axis = [1, 2, 3], angle = %g }\nvelocity = [%g, %g, %g]\n"
                      "angular_velocity = [%g, %g, %g]\n",
                      0.75 * k, 3.0 * group + 0.25 * k * k, 1.0 + 0.125 * k, 0.25 * k, 0.25 * k, -0.5 * k,
                      0.125 * k, 0.5 * k, 0.25 * k, -0.75 * k);
}

/* The bodies of all ports; returns the number of markers. */
static unsigned write_carriers(FILE *to, const tn_port *ports, const tn_trial_shape *shape, unsigned group,
                               bool together)
{
    unsigned number = 0;
    for (const tn_port *port = ports; port && port->name; port++)
        for (uint32_t k = fill_of(ports, port, shape->ports); k > 0; k--)
            write_carrier(to, port->kind, group, number++, together);
    return number;
}

static void write_ports(FILE *to, const tn_port *ports, const tn_trial_shape *shape, unsigned group)
{
    unsigned number = 0;
    for (const tn_port *port = ports; port && port->name; port++) {
        const uint32_t count = fill_of(ports, port, shape->ports);
        if (!count) continue;
        (void)fprintf(to, "%s = %s", port->name, port->maximum == 1 ? "" : "[");
        for (uint32_t k = 0; k < count; k++) {
            (void)fputs(k ? ", \"" : "\"", to);
            write_carrier_name(to, port->kind, group, number++);
            (void)fputs("\"", to);
        }
        (void)fputs(port->maximum == 1 ? "\n" : "]\n", to);
    }
}

/* The same markers as arguments of an expression. */
static void write_arguments(FILE *to, const tn_port *ports, const tn_trial_shape *shape, unsigned group)
{
    unsigned number = 0;
    for (const tn_port *port = ports; port && port->name; port++)
        for (uint32_t k = fill_of(ports, port, shape->ports); k > 0; k--) {
            (void)fputs(number ? ", " : "", to);
            write_carrier_name(to, port->kind, group, number++);
        }
}

/* ---- what acts on the type ------------------------------------------------------------------------------- */

#define ANCHOR "{ element = \"ground\", position = [0.5, 0.25, 3] }"

/* Connects the ground to a marker, as a name in quotes or in place. */
static void write_spring(FILE *to, const char *type, const char *marker, unsigned number)
{
    const bool has_axes = !strcmp(type, TN_TRIAL_BUSHING),
               is_scalar = !strcmp(type, TN_TRIAL_COORDINATE_SPRING);
    (void)fprintf(to, "\n[[element]]\nname = \"spring_%u\"\ntype = \"%s\"\nmarkers = [%s%s]\n", number, type,
                  is_scalar ? "" : ANCHOR ", ", marker);
    (void)fputs(has_axes ? "stiffness = [5, 6, 7, 8, 9, 10]\ndamping = [1, 1, 1, 1, 1, 1]\n"
                         : "stiffness = 20\ndamping = 1\n",
                to);
}

/* What a marker on an element is connected by: frames, points, coordinates, or nothing. */
static const char *const springs[] = {TN_TRIAL_BUSHING, TN_TRIAL_SPRING, TN_TRIAL_COORDINATE_SPRING, NULL};
enum { OF_FRAMES, OF_POINTS, OF_COORDINATES, NO_SPRING };

/* A marker off the reference point, where a body can have one: on it itself none of its functions might be called. */
static void write_rider(FILE *to, const char *name, unsigned use, unsigned number)
{
    char marker[128];
    (void)snprintf(marker, sizeof marker,
                   use == OF_COORDINATES ? "\"%s\"" : "{ element = \"%s\", position = [0.125, 0.25, 0.5] }",
                   name);
    write_spring(to, springs[use], marker, number);
}

static void write_coordinates(FILE *to, const tn_loaded_element *type, const char *name, unsigned number)
{
    char marker[256];
    for (const tn_output *c = type->coordinates; c && c->name; c++) {
        (void)snprintf(marker, sizeof marker, "{ element = \"%s\", coordinate = \"%s\" }", name, c->name);
        write_spring(to, TN_TRIAL_COORDINATE_SPRING, marker, number++);
    }
}

static void write_use(FILE *to, const tn_loaded_element *type, const tn_trial_shape *shape, const char *name,
                      unsigned group)
{
    if (type->bind && shape->use != NO_SPRING) write_rider(to, name, shape->use, group);
    /* those of connectors: an instance has a few, the springs are numbered by instance */
    if (!type->bind && shape->use == 0) write_coordinates(to, type, name, 100 * (group + 1));
}

/* ---- sensors and changes --------------------------------------------------------------------------------- */

static void write_outputs(FILE *to, const tn_loaded_element *type, const char *name, unsigned group)
{
    unsigned number = 0;
    for (const tn_output *output = type->outputs; output && output->name; output++)
        (void)fprintf(to, "\n[[sensor]]\nname = \"output_%u_%u\"\nelement = \"%s\"\noutput = \"%s\"\n", group,
                      number++, name, output->name);
    if (type->is_variable)
        (void)fprintf(to, "\n[[sensor]]\nname = \"variable_%u\"\nexpression = \"VARVAL(%s)\"\n", group, name);
}

static void write_changes(FILE *to, const tn_parameter *table)
{
    for (const tn_parameter *p = table; p && p->name; p++) {
        if (!tn_trial_can_change(p)) continue;
        (void)fprintf(to,
                      "\n[[change]]\ntime = 0.004\nelement = \"%s\"\nparameter = \"%s\"\nvalue = ", names[0],
                      p->name);
        tn_trial_write_other(to, p);
        (void)fputs("\n", to);
    }
}

static void write_rest(FILE *to, const char *name)
{
    (void)fprintf(to,
                  "\n[[change]]\ntime = 0.006\nelement = \"%s\"\nactive = false\n"
                  "\n[[change]]\ntime = 0.008\nelement = \"%s\"\nactive = true\n",
                  name, name);
}

/* ---- elements -------------------------------------------------------------------------------------------- */

/* What its dynamic parameters read besides the time: a force may read the motion of its own markers. */
static const char *motion_of(const tn_loaded_element *type, const tn_trial_shape *shape, unsigned group,
                             char *text, size_t size)
{
    const tn_port *port = type->ports;
    while (port && port->name && !fill_of(type->ports, port, shape->ports))
        port++;
    text[0] = '\0';
    if (!port || !port->name || type->constraint || type->flags & TN_DRIVEN) return text;
    const char *motion = port->kind == TN_COORDINATE ? " + 0.01*COORD(slide_%u_0)"
                         : tn_is_node(port->kind)    ? " + 0.01*DX(node_%u_0)"
                                                     : " + 0.01*DX(body_%u_0)";
    (void)snprintf(text, size, motion, group);
    return text;
}

/* Joints are held best where their bodies stand together; a law along a line has none there. */
bool tn_trial_stand_together(const tn_trial_subject *subject, const tn_trial_shape *shape)
{
    const bool is_element = !strcmp(subject->kind->key, TN_ELEMENT_KIND);
    return shape->swapped != (is_element && ((const tn_loaded_element *)subject->type)->constraint);
}

static void write_instance(FILE *to, const tn_trial_subject *subject, const tn_trial_shape *shape,
                           tn_trial_extra extra, unsigned group)
{
    const tn_loaded_element *type = subject->type;
    const bool connects = type->ports && type->ports->name;
    tn_trial_values values = shape->values;
    char motion[64];
    const unsigned markers =
        write_carriers(to, type->ports, shape, group, tn_trial_stand_together(subject, shape));
    if (markers) values.length = markers; /* a list often has a number for each */
    if (extra == TN_TRIAL_DYNAMIC) values.motion = motion_of(type, shape, group, motion, sizeof motion);
    (void)fprintf(to, "\n[[element]]\nname = \"%s\"\ntype = \"%s\"\n", names[group], type->name);
    tn_trial_write_values(to, type->parameters, &values, "", "\n");
    write_ports(to, type->ports, shape, group);
    if (connects && group + 1 == INSTANCES) (void)fputs("active = false\n", to);
}

void tn_trial_write_element(FILE *to, const tn_trial_subject *subject, const tn_trial_shape *shape,
                            tn_trial_extra extra)
{
    const tn_loaded_element *type = subject->type;
    const bool is_present = type->flags & TN_PRESENT, connects = type->ports && type->ports->name;
    if (is_present) write_carrier(to, TN_FRAME, 0, 0, false); /* a system without bodies has no motion */
    for (unsigned group = 0; group < (is_present ? 1 : INSTANCES); group++) {
        const char *name = is_present ? type->name : names[group];
        if (!is_present) write_instance(to, subject, shape, extra, group);
        write_use(to, type, shape, name, group);
        if (!shape->silent) write_outputs(to, type, name, group);
    }
    if (extra != TN_TRIAL_CHANGES) return;
    write_changes(to, type->parameters);
    if (connects) write_rest(to, names[1]);
}

/* ---- markers --------------------------------------------------------------------------------------------- */

static void write_marker_outputs(FILE *to, uint32_t kind)
{
    static const char *const outputs[] = {"position", "velocity", "rotation", "angular_velocity"};
    for (unsigned k = 0; k < (kind == TN_FRAME ? 4u : 2u); k++)
        (void)fprintf(to, "\n[[sensor]]\nname = \"output_%u\"\nmarker = \"tried\"\noutput = \"%s\"\n", k,
                      outputs[k]);
}

static void write_declaration(FILE *to, const tn_loaded_marker *type, const tn_trial_values *values)
{
    (void)fprintf(to, "\n[[marker]]\nname = \"tried\"\ntype = \"%s\"\n", type->name);
    tn_trial_write_values(to, type->parameters, values, "", "\n");
}

/* It rides on a body, or on what has one coordinate. */
static void write_riding(FILE *to, const tn_loaded_marker *type, const tn_trial_shape *shape)
{
    const uint32_t kind = shape->use == 0 && type->kind != TN_COORDINATE ? TN_FRAME : TN_COORDINATE;
    write_carrier(to, kind, 0, 0, false);
    write_declaration(to, type, &shape->values);
    (void)fputs("element = \"", to);
    write_carrier_name(to, kind, 0, 0);
    (void)fputs("\"\n", to);
}

/* An element and a sensor read it by its name as a function of expressions. */
static void write_reading(FILE *to, const tn_loaded_marker *type, const tn_trial_shape *shape)
{
    write_spring(to, TN_TRIAL_SPRING, "\"body_0_0\"", 0);
    (void)fprintf(to, "force = \"0.01*%s(", type->name);
    write_arguments(to, type->ports, shape, 0);
    (void)fprintf(to, ")\"\n\n[[sensor]]\nname = \"value\"\nexpression = \"%s(", type->name);
    write_arguments(to, type->ports, shape, 0);
    (void)fputs(")\"\n", to);
}

/* Of a marker all values are changed at once. */
static void write_moves(FILE *to, const tn_parameter *table)
{
    bool begun = false;
    for (const tn_parameter *p = table; p && p->name; p++) {
        if (!tn_trial_can_change(p)) continue;
        (void)fprintf(to, "%s%s = ", begun ? "" : "\n[[change]]\ntime = 0.004\nmarker = \"tried\"\n",
                      p->name);
        tn_trial_write_other(to, p);
        (void)fputs("\n", to);
        begun = true;
    }
}

void tn_trial_write_marker(FILE *to, const tn_trial_subject *subject, const tn_trial_shape *shape,
                           tn_trial_extra extra)
{
    static const char *const spring[] = {TN_TRIAL_SPRING, TN_TRIAL_BUSHING, TN_TRIAL_COORDINATE_SPRING};
    const tn_loaded_marker *type = subject->type;
    tn_trial_shape own = *shape;
    if (!type->ports) {
        write_riding(to, type, &own);
    } else {
        const unsigned markers =
            write_carriers(to, type->ports, shape, 0, tn_trial_stand_together(subject, shape));
        if (markers) own.values.length = markers;
        if (shape->use % 2) {
            write_reading(to, type, &own);
            return;
        }
        write_declaration(to, type, &own.values);
        write_ports(to, type->ports, &own, 0);
    }
    write_spring(to, spring[type->kind], "\"tried\"", 0);
    if (type->kind != TN_COORDINATE && !shape->silent) write_marker_outputs(to, type->kind);
    if (extra == TN_TRIAL_CHANGES) write_moves(to, type->parameters);
}
