/* vtk.c - the writer vtk, for ParaView: vtk.pvd lists files of frames, vtk_000000.vtp with bodies and vtk_surfaces_000000.vtp with
 * their surfaces */
#include "vtk.h"

#include "tenon/author.h"

#define VTK(P)                            \
    TN_MOTION_PARAMETERS(P, 300, 1000000) \
    P(BOOLEAN, surfaces, 0, 1, "also write surfaces of shapes and connectors")

TN_PARAMETERS(vtk, VTK)

typedef struct vtk_writing {
    const tn_host *host;
    const char *folder;
    tn_result_file list;
    vtk_bodies bodies;
    vtk_surfaces surfaces;
    bool has_surfaces;
    uint64_t frames, unknown; /* unknown: frames with forces that are not finite */
    double first_unknown;
} vtk_writing;

/* A frame, and its lines in the list. */
static tn_status write_frame(vtk_writing *work, const tn_motion *motion)
{
    char name[64];
    (void)snprintf(name, sizeof name, "vtk_%06llu.vtp", (unsigned long long)work->frames);
    tn_status status = vtk_bodies_write(&work->bodies, work->host, work->folder, name, motion);
    (void)tn_result_print(&work->list,
                          "<DataSet timestep=\"%.17g\" part=\"0\" name=\"bodies\" file=\"%s\"/>\n",
                          motion->time, name);
    if (status == TN_OK && work->has_surfaces) {
        (void)snprintf(name, sizeof name, "vtk_surfaces_%06llu.vtp", (unsigned long long)work->frames);
        status = vtk_surfaces_write(&work->surfaces, work->host, work->folder, name, motion);
        (void)tn_result_print(&work->list,
                              "<DataSet timestep=\"%.17g\" part=\"1\" name=\"surfaces\" file=\"%s\"/>\n",
                              motion->time, name);
    }
    work->frames++;
    if (!tn_motion_knows_wrenches(motion) && work->unknown++ == 0) work->first_unknown = motion->time;
    return tn_worse(status, work->list.status);
}

/* Each frame repeats the topology, so that the files are large. */
static void warn_of_size(const vtk_writing *work, const tn_motion *motion)
{
    const tn_recording *recording = motion->recording;
    const vtk_surfaces *surfaces = &work->surfaces;
    const double bytes =
        200.0 * recording->tracks + 19.0 * (double)surfaces->points + 16.0 * (double)surfaces->triangles;
    const double all = bytes * (double)motion->count;
    if (all > 2e9)
        tn_say(work->host, TN_WARNING,
               "vtk: the files take about %.1f GB: a smaller `most_frames`, or `surfaces = false`, makes "
               "less of them",
               1e-9 * all);
}

static void warn_of_forces(const vtk_writing *work)
{
    if (work->unknown > 0)
        tn_say(work->host, TN_WARNING,
               "vtk: forces of %llu of %llu frames, the first at %.6g s, are not finite or not recorded: "
               "they are written as NaN",
               (unsigned long long)work->unknown, (unsigned long long)work->frames, work->first_unknown);
}

static tn_status write_frames(vtk_writing *work, tn_motion *motion)
{
    tn_status status = tn_motion_next(motion);
    if (status == TN_OK && !motion->ended && work->has_surfaces)
        status = vtk_surfaces_make(&work->surfaces, work->host, motion->recording, motion->pose);
    if (status == TN_OK && !motion->ended) warn_of_size(work, motion);
    while (status == TN_OK && !motion->ended) {
        status = write_frame(work, motion);
        if (status == TN_OK) status = tn_motion_next(motion);
    }
    warn_of_forces(work);
    if (status == TN_OK && work->frames == 0)
        tn_say(work->host, TN_WARNING, "vtk: there is no frame: vtk.pvd is empty");
    return status;
}

static tn_status write_all(vtk_writing *work, tn_motion *motion)
{
    tn_status status = tn_result_open(&work->list, work->host, "vtk", work->folder, "vtk.pvd");
    (void)tn_result_print(&work->list,
                          "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n"
                          "<Collection>\n");
    if (status == TN_OK) status = write_frames(work, motion);
    (void)tn_result_print(&work->list, "</Collection>\n</VTKFile>\n");
    return tn_worse(status, tn_result_close(&work->list));
}

static tn_status convert(const tn_host *host, const void *instance, const tn_recording *const *recording,
                         uint32_t count, const char *folder)
{
    const vtk *settings = instance;
    if (count != 1) return TN_UNSUPPORTED;
    vtk_writing work = {.host = host, .folder = folder, .has_surfaces = settings->surfaces};
    tn_motion motion;
    tn_status status =
        tn_motion_begin(&motion, host, recording[0], settings->rate, (uint64_t)settings->most_frames);
    if (status == TN_OK) status = vtk_bodies_make(&work.bodies, recording[0]);
    if (status == TN_OK) status = write_all(&work, &motion);
    if (status == TN_OUT_OF_MEMORY) tn_say(host, TN_ERROR, "vtk: there is not enough memory for a frame");
    tn_motion_end(&motion);
    vtk_bodies_free(&work.bodies);
    vtk_surfaces_free(&work.surfaces);
    return status;
}

TN_WRITER(
    vtk, .summary = "frames for ParaView: vtk.pvd, bodies as points with rotations and forces, and surfaces",
    .formula =
        "force: the sum of the recorded forces on a body; torque: that of their torques about its origin",
    .literature = "Kitware: VTK XML file formats, in the VTK User's Guide, 11th edition, 2010",
    TN_CAPABILITIES(TN_HAS(conversion, .most = 1, .convert = convert)))
TN_LIBRARY("vtk", "1.0.0", "Apache-2.0", "writer of frames for ParaView", {TN_WRITER_KIND, &vtk_type})
