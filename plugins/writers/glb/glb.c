/* glb.c - the writer glb: an animated scene of a run, scene.glb, in binary glTF 2.0 */
#include "glb.h"

#include "tenon/author.h"

#define GLB(P) TN_MOTION_PARAMETERS(P, 3000, 10000000)

TN_PARAMETERS(glb, GLB)

static void release(glb_scene *of)
{
    tn_scene_free(&of->scene);
    free(of->time);
    free(of->motion);
    free(of->numbers);
    free(of->rotations);
    free(of->node);
    free(of->group);
    free(of->mesh);
    free(of->material);
    free(of->accessor_of);
    for (size_t k = 0; k < GLB_VIEWS; k++)
        free(of->view[k].piece);
    free(of->mesh_text.text);
    free(of->accessor_text.text);
    free(of->sampler_text.text);
    free(of->channel_text.text);
}

static tn_status convert(const tn_host *host, const void *instance, const tn_recording *const *recording,
                         uint32_t count, const char *folder)
{
    const glb *settings = instance;
    if (count != 1) return TN_UNSUPPORTED;
    glb_scene of = {.host = host, .recording = recording[0]};
    tn_status status = glb_read_motion(&of, settings->rate, (uint64_t)settings->most_frames);
    if (status == TN_OK) glb_make_meshes(&of);
    if (of.status == TN_OK) glb_make_animation(&of);
    if (of.status == TN_OK) (void)glb_write(&of, folder);
    status = tn_worse(status, of.status);
    if (status == TN_OUT_OF_MEMORY)
        tn_say(host, TN_ERROR,
               "glb: there is not enough memory for a scene of %u tracks: set a smaller `most_frames`",
               recording[0]->tracks);
    release(&of);
    return status;
}

TN_WRITER(glb, .summary = "an animated scene: scene.glb (glTF 2.0), with bodies, shapes and connectors",
          .formula =
              "y up; x, y, z of the model become x, z, -y of the scene; positions linear, rotations the "
              "shortest between frames",
          .literature = "Khronos Group: glTF 2.0 Specification, 2021 (ISO/IEC 12113:2022)",
          TN_CAPABILITIES(TN_HAS(conversion, .most = 1, .convert = convert, .stem = "scene")))
TN_LIBRARY("glb", "1.0.0", "Apache-2.0", "writer of animated scenes", {TN_WRITER_KIND, &glb_type})
