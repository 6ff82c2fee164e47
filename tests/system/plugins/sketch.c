/* sketch.c - an element that only draws itself (tenon/draft/drawing.h) */
#include <tenon/author.h>
#if TN_VALUES
#include <tenon/draft/drawing.h>
#endif

#define SKETCH(P) P(INTEGER, fault, 0, 0, 0, 3, "what is wrong with its drawings")

TN_PARAMETERS(sketch, SKETCH)

TN_FORCE(sketch, TN_FRAME, 2)
{
    (void)self, (void)marker, (void)context, (void)wrench;
    return TN_OK;
}

#if TN_VALUES

enum { NO_MARKER = 1, NO_KIND, NO_NUMBER };

static tn_status draw(TN_UNUSED const tn_host *host, const void *instance, const tn_drawing_sink *sink)
{
    const int64_t fault = ((const sketch *)instance)->fault;
    tn_drawing coil = {.struct_size = sizeof coil, .kind = TN_DRAWN_COIL, .size = {0.05 * sink->size}};
    coil.place[1].marker = fault == NO_MARKER ? 2 : 1;
    if (fault == NO_NUMBER) coil.axis[1] = (double)NAN;
    const tn_drawing box = {.struct_size = sizeof box,
                            .kind = fault == NO_KIND ? 77 : TN_DRAWN_SHAPE,
                            .place = {{.marker = 1}},
                            .position = {0.0, 0.0, 1.0},
                            .rotation = {1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0},
                            .shape = {.kind = TN_BOX, .size = {1.0, 1.0, 1.0}, .visible = 1}};
    const tn_status status = sink->add(sink, &coil);
    return status == TN_OK ? sink->add(sink, &box) : status;
}

TN_PORTS(sketch, {"markers", "its ends", TN_FRAME, 2, 2, 0})
TN_ELEMENT(sketch, .summary = "a drawing",
           TN_CAPABILITIES(TN_HAS_FORCE(sketch), TN_HAS(drawing, .draw = draw)), .ports = sketch_ports)
TN_LIBRARY("sketch", "1.0.0", "Apache-2.0", "an element that is drawn", {TN_ELEMENT_KIND, &sketch_type})

#endif
