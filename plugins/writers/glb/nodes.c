/* nodes.c - the tree of nodes: the root, which turns z up to y up; the ground; parts of the model; tracks, and drawings on them */
#include "glb.h"

static uint32_t add_node(glb_scene *of, uint32_t parent, const char *name, size_t length)
{
    if (!TN_MAKE_ROOM(of->node, of->node_room, of->nodes + 1)) {
        of->status = tn_worse(of->status, TN_OUT_OF_MEMORY);
        return 0;
    }
    const uint32_t added = (uint32_t)of->nodes++;
    of->node[added] = (glb_node){.name = name,
                                 .name_length = length,
                                 .first_child = GLB_NONE,
                                 .last_child = GLB_NONE,
                                 .next = GLB_NONE,
                                 .mesh = GLB_NONE,
                                 .pose = {[3] = 1.0},
                                 .stretch = 1.0};
    if (parent == GLB_NONE) return added;
    glb_node *above = &of->node[parent];
    if (above->last_child == GLB_NONE)
        above->first_child = added;
    else
        of->node[above->last_child].next = added;
    above->last_child = added;
    return added;
}

/* The node of a part of the model, "front.left" of "front.left.wheel", below those of the parts that it belongs to; the root for "". */
static uint32_t node_of_part(glb_scene *of, const char *name, size_t length)
{
    if (length == 0) return 0;
    for (size_t k = of->groups; k-- > 0;) { // successive tracks mostly belong to the same part
        const glb_node *node = &of->node[of->group[k]];
        if (node->name_length == length && !memcmp(node->name, name, length)) return of->group[k];
    }
    size_t outer = length;
    while (outer > 0 && name[outer - 1] != '.')
        outer--;
    const uint32_t parent = node_of_part(of, name, outer > 0 ? outer - 1 : 0);
    const uint32_t added = add_node(of, parent, name, length);
    if (!TN_MAKE_ROOM(of->group, of->group_room, of->groups + 1))
        of->status = tn_worse(of->status, TN_OUT_OF_MEMORY);
    else
        of->group[of->groups++] = added;
    return added;
}

static uint32_t material_of(glb_scene *of, const double *color)
{
    for (size_t k = 0; k < of->materials; k++)
        if (!memcmp(of->material[k], color, sizeof of->material[k])) return (uint32_t)k;
    if (!TN_MAKE_ROOM(of->material, of->material_room, of->materials + 1)) {
        of->status = tn_worse(of->status, TN_OUT_OF_MEMORY);
        return 0;
    }
    memcpy(of->material[of->materials], color, sizeof of->material[0]);
    return (uint32_t)of->materials++;
}

static uint32_t mesh_of(glb_scene *of, const tn_scene_part *part)
{
    const glb_mesh wanted = {part->surface, material_of(of, part->color)};
    for (size_t k = of->meshes; k-- > 0;)
        if (of->mesh[k].surface == wanted.surface && of->mesh[k].material == wanted.material)
            return (uint32_t)k;
    if (!TN_MAKE_ROOM(of->mesh, of->mesh_room, of->meshes + 1)) {
        of->status = tn_worse(of->status, TN_OUT_OF_MEMORY);
        return GLB_NONE;
    }
    of->mesh[of->meshes] = wanted;
    return (uint32_t)of->meshes++;
}

static void add_part(glb_scene *of, const tn_scene_part *part, glb_motion **between)
{
    const char *name = of->recording->drawing[part->drawing].name;
    const uint32_t parent = part->between                    ? 0
                            : part->track == TN_GROUND_TRACK ? of->ground
                                                             : of->motion[part->track].node;
    const uint32_t node = add_node(of, parent, name, strlen(name)), mesh = mesh_of(of, part);
    if (of->status != TN_OK) return;
    of->node[node].mesh = mesh;
    if (part->between)
        (*between)++->node = node;
    else
        memcpy(of->node[node].pose, part->pose, sizeof part->pose);
}

/* Without any frame the poses of tracks are unknown, and drawings on them are left out. */
static bool is_known(const glb_scene *of, const tn_scene_part *part, const double *first)
{
    const tn_recorded_drawing *drawing = &of->recording->drawing[part->drawing];
    return first || (drawing->place[0].track == TN_GROUND_TRACK &&
                     (!part->between || drawing->place[1].track == TN_GROUND_TRACK));
}

/* Motions of tracks first, then those of parts between two places, in the order of the parts. */
static bool make_motions(glb_scene *of, const double *first)
{
    of->motions = of->recording->tracks;
    for (size_t k = 0; k < of->scene.parts; k++)
        of->motions += of->scene.part[k].between && is_known(of, &of->scene.part[k], first);
    of->motion = calloc(of->motions + 1, sizeof *of->motion);
    return of->motion != NULL;
}

void glb_make_nodes(glb_scene *of, const double *first)
{
    if (!make_motions(of, first)) {
        of->status = TN_OUT_OF_MEMORY;
        return;
    }
    const uint32_t root = add_node(of, GLB_NONE, of->recording->title, strlen(of->recording->title));
    if (of->status != TN_OK) return;
    memcpy(of->node[root].pose + 3, (double[]){sqrt(0.5), -sqrt(0.5), 0.0, 0.0}, 4 * sizeof(double));
    of->ground = add_node(of, root, "ground", 6);
    for (uint32_t k = 0; first && k < of->recording->tracks && of->status == TN_OK; k++) {
        const char *name = of->recording->track[k].name, *dot = strrchr(name, '.');
        const uint32_t parent = node_of_part(of, name, dot ? (size_t)(dot - name) : 0);
        if (of->status == TN_OK) of->motion[k].node = add_node(of, parent, name, strlen(name));
    }
    glb_motion *between = of->motion + of->recording->tracks;
    for (size_t k = 0; k < of->scene.parts && of->status == TN_OK; k++)
        if (is_known(of, &of->scene.part[k], first)) add_part(of, &of->scene.part[k], &between);
}

/* ---- meshes -------------------------------------------------------------------------------------------------- */

/* Points, normals and corners of a surface, as three accessors; the number of the first one. */
static uint32_t add_surface(glb_scene *of, const tn_triangles *surface)
{
    char range[300];
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t k = 0; k < 3 * surface->points; k++) {
        low[k % 3] = fminf(low[k % 3], surface->point[k]);
        high[k % 3] = fmaxf(high[k % 3], surface->point[k]);
    }
    (void)snprintf(range, sizeof range,
                   "5126,\"type\":\"VEC3\",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]", (double)low[0],
                   (double)low[1], (double)low[2], (double)high[0], (double)high[1], (double)high[2]);
    const uint32_t first = glb_add_accessor(of, GLB_POINTS, surface->point, surface->points, range);
    (void)glb_add_accessor(of, GLB_POINTS, surface->normal, surface->points, "5126,\"type\":\"VEC3\"");
    (void)glb_add_accessor(of, GLB_CORNERS, surface->corner, 3 * surface->triangles,
                           "5125,\"type\":\"SCALAR\"");
    return first;
}

void glb_make_meshes(glb_scene *of)
{
    of->accessor_of = malloc((of->scene.surfaces + 1) * sizeof *of->accessor_of);
    if (!of->accessor_of) of->status = TN_OUT_OF_MEMORY;
    for (size_t k = 0; k < of->scene.surfaces && of->status == TN_OK; k++)
        of->accessor_of[k] = GLB_NONE;
    for (size_t k = 0; k < of->meshes && of->status == TN_OK; k++) {
        const glb_mesh *mesh = &of->mesh[k];
        uint32_t *accessor = &of->accessor_of[mesh->surface];
        if (*accessor == GLB_NONE) *accessor = add_surface(of, &of->scene.surface[mesh->surface]);
        glb_print(&of->mesh_text,
                  "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%u,\"NORMAL\":%u},\"indices\":%u,"
                  "\"material\":%u}]}",
                  k > 0 ? "," : "", *accessor, *accessor + 1, *accessor + 2, mesh->material);
    }
}
