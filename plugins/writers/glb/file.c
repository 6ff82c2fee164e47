/* file.c - the file: a header, the JSON text, and the buffer that it describes; all numbers little endian */
#include "glb.h"

static const size_t bytes_of[GLB_VIEWS] = {4, 12, 0, 8}; /* of an element; 0: see its type */

/* Adds an accessor of `count` elements to a view. `rest` of its text begins with the type of the components. */
uint32_t glb_add_accessor(glb_scene *of, glb_view_kind kind, const void *data, size_t count, const char *rest)
{
    glb_view *view = &of->view[kind];
    const size_t size = bytes_of[kind] > 0 ? bytes_of[kind] : strstr(rest, "VEC3") ? 12 : 4;
    if (!TN_MAKE_ROOM(view->piece, view->room, view->pieces + 1)) {
        of->status = tn_worse(of->status, TN_OUT_OF_MEMORY);
        return 0;
    }
    glb_print(&of->accessor_text,
              "%s{\"bufferView\":@%d,\"byteOffset\":%llu,\"count\":%zu,\"componentType\":%s}",
              of->accessors > 0 ? "," : "", (int)kind, (unsigned long long)view->bytes, count, rest);
    view->piece[view->pieces++] = (struct glb_piece){data, count * size};
    view->bytes += count * size;
    return (uint32_t)of->accessors++;
}

/* From sRGB to linear colour. */
static double to_linear(double shown)
{
    return shown <= 0.04045 ? shown / 12.92 : pow((shown + 0.055) / 1.055, 2.4);
}

void glb_make_materials(const glb_scene *of, glb_text *to)
{
    for (size_t k = 0; k < of->materials; k++) {
        const double *color = of->material[k];
        glb_print(to,
                  "%s{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.6g,%.6g,%.6g,%.6g],"
                  "\"metallicFactor\":0,\"roughnessFactor\":0.7},\"doubleSided\":true%s}",
                  k > 0 ? "," : "", to_linear(color[0]), to_linear(color[1]), to_linear(color[2]), color[3],
                  color[3] < 1.0 ? ",\"alphaMode\":\"BLEND\"" : "");
    }
}

static bool is_zero(const double *number, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (number[k] != 0.0) return false;
    return true;
}

static void print_node(const glb_scene *of, const glb_node *node, glb_text *to)
{
    const double *p = node->pose;
    glb_print(to, "{\"name\":");
    glb_quote(to, node->name, node->name_length);
    if (!is_zero(p, 3)) glb_print(to, ",\"translation\":[%.9g,%.9g,%.9g]", p[0], p[1], p[2]);
    if (!is_zero(p + 4, 3)) glb_print(to, ",\"rotation\":[%.9g,%.9g,%.9g,%.9g]", p[4], p[5], p[6], p[3]);
    if (node->stretch != 1.0) glb_print(to, ",\"scale\":[1,1,%.9g]", node->stretch);
    if (node->mesh != GLB_NONE) glb_print(to, ",\"mesh\":%u", node->mesh);
    if (node->first_child != GLB_NONE) {
        glb_print(to, ",\"children\":[");
        for (uint32_t k = node->first_child; k != GLB_NONE; k = of->node[k].next)
            glb_print(to, "%u%s", k, of->node[k].next != GLB_NONE ? "," : "");
        glb_print(to, "]");
    }
    glb_print(to, "}");
}

/* Prints a list unless it is empty. */
static void print_list(glb_text *to, const char *name, glb_text *list)
{
    if (list->length > 0) glb_print(to, ",\"%s\":[%s]", name, list->text);
    to->lacks_memory = to->lacks_memory || list->lacks_memory;
}

/* Prints views that are not empty; their numbers replace "@0", "@1" in the accessors. */
static void print_views(glb_scene *of, glb_text *to)
{
    static const char *const use[GLB_VIEWS] = {",\"target\":34963", ",\"byteStride\":12,\"target\":34962", "",
                                               ""};
    int number[GLB_VIEWS], views = 0;
    uint64_t offset = 0;
    glb_print(to, ",\"bufferViews\":[");
    for (int k = 0; k < GLB_VIEWS; k++) {
        number[k] = views;
        if (of->view[k].bytes == 0) continue;
        glb_print(to, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu%s}", views++ > 0 ? "," : "",
                  (unsigned long long)offset, (unsigned long long)of->view[k].bytes, use[k]);
        offset += of->view[k].bytes;
    }
    glb_print(to, "],\"buffers\":[{\"byteLength\":%llu}]", (unsigned long long)offset);
    for (char *at = of->accessor_text.text; at && (at = strchr(at, '@'));) {
        at[0] = (char)('0' + number[at[1] - '0']);
        at[1] = ' ';
    }
}

static void print_json(glb_scene *of, glb_text *to)
{
    const tn_recording *r = of->recording;
    glb_text materials = {0};
    glb_print(to, "{\"asset\":{\"version\":\"2.0\",\"generator\":");
    glb_quote(to, r->program, strlen(r->program));
    glb_print(to, "},\"extras\":{\"title\":");
    glb_quote(to, r->title, strlen(r->title));
    glb_print(to, ",\"status\":");
    glb_quote(to, r->status, strlen(r->status));
    glb_print(to, ",\"start_time\":%.17g},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[", of->start);
    for (size_t k = 0; k < of->nodes; k++) {
        if (k > 0) glb_print(to, ",");
        print_node(of, &of->node[k], to);
    }
    glb_print(to, "]");
    glb_make_materials(of, &materials);
    print_list(to, "materials", &materials);
    free(materials.text);
    print_list(to, "meshes", &of->mesh_text);
    if (of->samplers > 0)
        glb_print(to, ",\"animations\":[{\"name\":\"motion\",\"samplers\":[%s],\"channels\":[%s]}]",
                  of->sampler_text.text, of->channel_text.text);
    to->lacks_memory = to->lacks_memory || of->sampler_text.lacks_memory || of->channel_text.lacks_memory;
    if (of->accessors > 0) print_views(of, to);
    print_list(to, "accessors", &of->accessor_text);
    glb_print(to, "}");
    while (to->length % 4 != 0 && !to->lacks_memory)
        glb_print(to, " ");
}

static void put_word(tn_result_file *file, uint64_t word)
{
    const unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8),
                                    (unsigned char)(word >> 16), (unsigned char)(word >> 24)};
    (void)tn_result_write(file, bytes, sizeof bytes);
}

static void put_buffer(const glb_scene *of, tn_result_file *file, uint64_t bytes)
{
    if (bytes == 0) return;
    put_word(file, bytes);
    put_word(file, 0x004E4942); /* "BIN" */
    for (size_t k = 0; k < GLB_VIEWS; k++)
        for (size_t i = 0; i < of->view[k].pieces; i++)
            (void)tn_result_write(file, of->view[k].piece[i].data, of->view[k].piece[i].bytes);
}

tn_status glb_write(glb_scene *of, const char *folder)
{
    tn_result_file file;
    glb_text json = {0};
    print_json(of, &json);
    uint64_t buffer = 0;
    for (size_t k = 0; k < GLB_VIEWS; k++)
        buffer += of->view[k].bytes;
    const uint64_t bytes = 12 + 8 + json.length + (buffer > 0 ? 8 + buffer : 0);
    if (json.lacks_memory) of->status = TN_OUT_OF_MEMORY;
    if (of->status == TN_OK && bytes > UINT32_MAX) {
        tn_say(of->host, TN_ERROR,
               "glb: the scene has %llu bytes, and files of this kind at most 4294967295: set a smaller "
               "`most_frames`",
               (unsigned long long)bytes);
        of->status = TN_FATAL;
    }
    if (of->status == TN_OK) {
        if (tn_result_open(&file, of->host, "glb", folder, "scene.glb") == TN_OK) {
            put_word(&file, 0x46546C67); /* "glTF" */
            put_word(&file, 2);
            put_word(&file, bytes);
            put_word(&file, json.length);
            put_word(&file, 0x4E4F534A); /* "JSON" */
            (void)tn_result_write(&file, json.text, json.length);
            put_buffer(of, &file, buffer);
        }
        of->status = tn_result_close(&file);
    }
    free(json.text);
    return of->status;
}
