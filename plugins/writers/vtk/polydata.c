/* polydata.c - a .vtp file: an outline in XML, then the arrays, each after the number of its bytes */
#include "vtk.h"

static const char *const sections[VTK_PLACES] = {"PointData", "Points", "Verts",
                                                 "Lines",     "Polys",  "FieldData"};

void vtk_add(vtk_polydata *to, vtk_place place, const char *type, const char *name, uint32_t components,
             const void *data, uint64_t bytes)
{
    if (to->arrays < sizeof to->array / sizeof *to->array)
        to->array[to->arrays++] = (vtk_array){place, type, name, components, data, bytes, 0};
}

static void print_array(tn_result_file *file, const vtk_array *array, uint64_t offset)
{
    (void)tn_result_print(file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%u\"", array->type,
                          array->name, array->components);
    if (array->tuples > 0)
        (void)tn_result_print(file, " NumberOfTuples=\"%llu\"", (unsigned long long)array->tuples);
    (void)tn_result_print(file, " format=\"appended\" offset=\"%llu\"/>\n", (unsigned long long)offset);
}

static void print_section(tn_result_file *file, const vtk_polydata *of, vtk_place place)
{
    uint64_t offset = 0;
    (void)tn_result_print(file, "<%s>\n", sections[place]);
    for (size_t k = 0; k < of->arrays; k++) {
        if (of->array[k].place == place) print_array(file, &of->array[k], offset);
        offset += sizeof(uint64_t) + of->array[k].bytes;
    }
    (void)tn_result_print(file, "</%s>\n", sections[place]);
}

static void print_outline(tn_result_file *file, const vtk_polydata *of)
{
    const uint16_t one = 1;
    const bool little = *(const unsigned char *)&one == 1;
    (void)tn_result_print(
        file,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%s\" "
        "header_type=\"UInt64\">\n<PolyData>\n",
        little ? "LittleEndian" : "BigEndian");
    print_section(file, of, VTK_FIELD_DATA);
    (void)tn_result_print(file,
                          "<Piece NumberOfPoints=\"%llu\" NumberOfVerts=\"%llu\" NumberOfLines=\"%llu\" "
                          "NumberOfPolys=\"%llu\">\n",
                          (unsigned long long)of->points, (unsigned long long)of->vertices,
                          (unsigned long long)of->lines, (unsigned long long)of->polygons);
    for (int place = 0; place < VTK_FIELD_DATA; place++)
        print_section(file, of, (vtk_place)place);
    (void)tn_result_print(file, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

tn_status vtk_write_polydata(const tn_host *host, const char *folder, const char *name,
                             const vtk_polydata *of)
{
    tn_result_file file;
    if (tn_result_open(&file, host, "vtk", folder, name) != TN_OK) return TN_FATAL;
    print_outline(&file, of);
    for (size_t k = 0; k < of->arrays; k++) {
        (void)tn_result_write(&file, &of->array[k].bytes, sizeof of->array[k].bytes);
        (void)tn_result_write(&file, of->array[k].data, (size_t)of->array[k].bytes);
    }
    (void)tn_result_print(&file, "\n</AppendedData>\n</VTKFile>\n");
    return tn_result_close(&file);
}
