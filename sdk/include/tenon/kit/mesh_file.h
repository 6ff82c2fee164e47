/* tenon/kit/mesh_file.h - reads surfaces from files: STL, binary or as text, and OBJ.
 *
 *     tn_triangles hull = {0};
 *     char why[TN_MESH_WHY];
 *     tn_status status = tn_read_mesh("hull.stl", &hull, why); ... tn_triangles_free(&hull);
 *
 * Of OBJ files, vertices and faces are read; faces with more than three corners are cut into triangles from their first corner. Of STL
 * files, all solids are read. Triangles share no points, and their normals follow from their corners.
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_MESH_FILE_H
#define TENON_KIT_MESH_FILE_H

#include "tenon/kit/triangles.h"
#include "tenon/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>

enum {
    TN_MESH_WHY = 512,                 /* bytes of a reason */
    TN_MESH_MOST_BYTES = 1 << 30,      /* of a file */
    TN_MESH_MOST_TRIANGLES = 10000000, /* pictures with more are of no use */
    TN_STL_HEAD = 84, /* of a binary STL file: a text of 80 bytes and the number of triangles */
    TN_STL_FACET = 50
};

typedef struct tn_mesh_reader {
    const char *path;
    char *text; /* the file, and a zero behind it */
    size_t bytes;
    size_t line; /* 0: the file has none */
    tn_triangles *to;
    char *why;
    float *vertex; /* of OBJ [vertices][3] */
    size_t vertices, vertex_room;
} tn_mesh_reader;

static inline TN_PRINTF(2, 3) tn_status tn_mesh_refuse(tn_mesh_reader *reader, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (reader->line > 0)
        (void)snprintf(reader->why, TN_MESH_WHY, "%.280s:%zu: %s", reader->path, reader->line, text);
    else
        (void)snprintf(reader->why, TN_MESH_WHY, "%.280s: %s", reader->path, text);
    return TN_INVALID;
}

/* Adds a triangle of three consecutive points with its normal, which is arbitrary where it has no area. */
static inline tn_status tn_mesh_add(tn_mesh_reader *reader, const float *corner[3])
{
    tn_triangles *to = reader->to;
    double u[3], v[3], at[3][3];
    if (to->triangles >= TN_MESH_MOST_TRIANGLES)
        return tn_mesh_refuse(reader, "it has more than %d triangles", TN_MESH_MOST_TRIANGLES);
    for (size_t k = 0; k < 3; k++)
        for (size_t d = 0; d < 3; d++)
            at[k][d] = (double)corner[k][d];
    for (size_t d = 0; d < 3; d++) {
        u[d] = at[1][d] - at[0][d];
        v[d] = at[2][d] - at[0][d];
    }
    double normal[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (size_t d = 0; d < 3; d++)
        normal[d] = length > 0.0 ? normal[d] / length : d == 2 ? 1.0 : 0.0;
    for (size_t k = 0; k < 3; k++)
        tn_add_point(to, at[k], normal);
    tn_add_triangle(to, to->points - 3, to->points - 2, to->points - 1);
    return to->lacks_memory ? TN_OUT_OF_MEMORY : TN_OK;
}

/* ---- the file ------------------------------------------------------------------------------------------------ */

static inline tn_status tn_mesh_load_open(tn_mesh_reader *reader, FILE *file)
{
    struct stat status;
    if (fstat(fileno(file), &status) != 0) return tn_mesh_refuse(reader, "%s", strerror(errno));
    if (!S_ISREG(status.st_mode)) return tn_mesh_refuse(reader, "it is no regular file");
    if (status.st_size == 0) return tn_mesh_refuse(reader, "the file is empty");
    if (status.st_size > TN_MESH_MOST_BYTES)
        return tn_mesh_refuse(reader, "the file is too large: %lld bytes, at most %d are read",
                              (long long)status.st_size, TN_MESH_MOST_BYTES);
    reader->bytes = (size_t)status.st_size;
    if (!(reader->text = malloc(reader->bytes + 1))) return TN_OUT_OF_MEMORY;
    reader->text[reader->bytes] = 0;
    if (fread(reader->text, 1, reader->bytes, file) == reader->bytes) return TN_OK;
    return tn_mesh_refuse(reader, "it cannot be read: %s",
                          ferror(file) ? strerror(errno) : "it is shorter than before");
}

static inline tn_status tn_mesh_load(tn_mesh_reader *reader)
{
    FILE *file = fopen(reader->path, "rbe");
    if (!file) return tn_mesh_refuse(reader, "it cannot be opened: %s", strerror(errno));
    const tn_status status = tn_mesh_load_open(reader, file);
    (void)fclose(file);
    return status;
}

/* ---- words of text ------------------------------------------------------------------------------------------- */

/* The line at `*at`, ended by a zero; *at becomes the next one; NULL at the end. A backslash at the end continues a line. */
static inline char *tn_mesh_line(tn_mesh_reader *reader, char **at)
{
    char *const end = reader->text + reader->bytes, *const line = *at, *to = line;
    if (line >= end) return NULL;
    reader->line++;
    for (;;) {
        char *stop = memchr(to, '\n', (size_t)(end - to));
        if (!stop) return *at = end, line;
        char *last = stop > line && stop[-1] == '\r' ? stop - 1 : stop;
        if (last == line || last[-1] != '\\') return *stop = 0, *at = stop + 1, line;
        memset(last - 1, ' ', (size_t)(stop + 1 - (last - 1)));
        to = stop + 1;
    }
}

static inline bool tn_mesh_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The next word of a line, ended by a zero; NULL: there is none. */
static inline char *tn_mesh_word(char **at)
{
    while (tn_mesh_is_space(**at))
        ++*at;
    if (!**at) return NULL;
    char *word = *at;
    while (**at && !tn_mesh_is_space(**at))
        ++*at;
    if (**at) *(*at)++ = 0;
    return word;
}

/* Three numbers of a line. */
static inline tn_status tn_mesh_numbers(tn_mesh_reader *reader, char **at, float *number)
{
    for (int k = 0; k < 3; k++) {
        char *word = tn_mesh_word(at), *end = NULL;
        if (!word) return tn_mesh_refuse(reader, "three numbers are expected, there are %d", k);
        number[k] = strtof(word, &end);
        if (end == word || *end) return tn_mesh_refuse(reader, "'%.40s' is no number", word);
        if (!isfinite(number[k])) return tn_mesh_refuse(reader, "'%.40s' is not finite", word);
    }
    return TN_OK;
}

/* ---- STL ----------------------------------------------------------------------------------------------------- */

static inline uint32_t tn_mesh_word_of(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline tn_status tn_read_binary_stl(tn_mesh_reader *reader)
{
    const uint32_t count = tn_mesh_word_of(reader->text + TN_STL_HEAD - 4);
    if (count == 0) return tn_mesh_refuse(reader, "it has no triangles");
    if (count > TN_MESH_MOST_TRIANGLES)
        return tn_mesh_refuse(reader, "it has %u triangles, more than %d", count, TN_MESH_MOST_TRIANGLES);
    if (!tn_triangles_reserve(reader->to, 3 * (size_t)count, count)) return TN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        float number[9];
        for (size_t k = 0; k < 9; k++) {
            const uint32_t bits =
                tn_mesh_word_of(reader->text + TN_STL_HEAD + (size_t)i * TN_STL_FACET + 12 + 4 * k);
            memcpy(&number[k], &bits, sizeof bits);
            if (!isfinite(number[k]))
                return tn_mesh_refuse(reader, "triangle %u of %u has a corner that is not finite", i + 1,
                                      count);
        }
        const tn_status status = tn_mesh_add(reader, (const float *[]){number, number + 3, number + 6});
        if (status != TN_OK) return status;
    }
    return TN_OK;
}

/* The corners of a facet, up to `endfacet`; words `outer` and `endloop` are skipped. */
static inline tn_status tn_read_facet(tn_mesh_reader *reader, char **at)
{
    const size_t begin = reader->line;
    float number[9];
    size_t corners = 0;
    char *line;
    while ((line = tn_mesh_line(reader, at))) {
        char *word = tn_mesh_word(&line);
        if (!word || !strcasecmp(word, "outer") || !strcasecmp(word, "endloop")) continue;
        if (!strcasecmp(word, "endfacet")) {
            if (corners != 3)
                return tn_mesh_refuse(reader, "a facet with %zu corners in place of 3", corners);
            return tn_mesh_add(reader, (const float *[]){number, number + 3, number + 6});
        }
        if (strcasecmp(word, "vertex") != 0)
            return tn_mesh_refuse(reader, "'%.40s' within a facet, in place of `vertex` or `endfacet`", word);
        if (corners == 3) return tn_mesh_refuse(reader, "a facet with more than 3 corners");
        const tn_status status = tn_mesh_numbers(reader, &line, number + 3 * corners++);
        if (status != TN_OK) return status;
    }
    return tn_mesh_refuse(reader, "the file is cut off within the facet that begins in line %zu", begin);
}

static inline tn_status tn_read_text_stl(tn_mesh_reader *reader)
{
    char *at = reader->text, *line;
    bool inside = false;
    while ((line = tn_mesh_line(reader, &at))) {
        char *word = tn_mesh_word(&line);
        if (!word) continue;
        if (!strcasecmp(word, "solid") || !strcasecmp(word, "endsolid")) {
            inside = !strcasecmp(word, "solid");
        } else if (!strcasecmp(word, "facet")) {
            const tn_status status = tn_read_facet(reader, &at);
            if (status != TN_OK) return status;
        } else {
            return tn_mesh_refuse(reader, "'%.40s' in place of `facet` or `endsolid`", word);
        }
    }
    if (inside) return tn_mesh_refuse(reader, "the file is cut off: there is no `endsolid`");
    reader->line = 0;
    return reader->to->triangles > 0 ? TN_OK : tn_mesh_refuse(reader, "it has no triangles");
}

/* Text files begin with `solid`; so do some binary files, which are recognised by their length. */
static inline tn_status tn_read_stl(tn_mesh_reader *reader)
{
    const uint64_t count = reader->bytes >= TN_STL_HEAD ? tn_mesh_word_of(reader->text + TN_STL_HEAD - 4) : 0;
    const uint64_t wanted = TN_STL_HEAD + TN_STL_FACET * count;
    size_t start = 0;
    while (tn_mesh_is_space(reader->text[start]))
        start++;
    if (reader->bytes >= TN_STL_HEAD && reader->bytes == wanted) return tn_read_binary_stl(reader);
    if (!strncasecmp(reader->text + start, "solid", 5) && !memchr(reader->text, 0, reader->bytes))
        return tn_read_text_stl(reader);
    if (reader->bytes < TN_STL_HEAD) return tn_mesh_refuse(reader, "it is too short for an STL file");
    if (reader->bytes > wanted && count > 0) return tn_read_binary_stl(reader); // padded
    return tn_mesh_refuse(reader, "the file is cut off: %llu triangles take %llu bytes, and it has %zu",
                          (unsigned long long)count, (unsigned long long)wanted, reader->bytes);
}

/* ---- OBJ ----------------------------------------------------------------------------------------------------- */

/* The vertex of a corner, "7", "7/2", "7//3" or "-1"; NULL, with a reason, where there is none. */
static inline const float *tn_mesh_vertex(tn_mesh_reader *reader, const char *word)
{
    char *end = NULL;
    errno = 0;
    const long long number = strtoll(word, &end, 10), count = (long long)reader->vertices;
    if (end == word || (*end && *end != '/'))
        return (void)tn_mesh_refuse(reader, "'%.40s' is no corner of a face", word), NULL;
    const long long index = number < 0 ? count + number : number - 1;
    if (errno || index < 0 || index >= count)
        return (void)tn_mesh_refuse(reader, "there is no vertex %.40s: %lld were given so far", word, count),
               NULL;
    return reader->vertex + 3 * (size_t)index;
}

static inline tn_status tn_read_face(tn_mesh_reader *reader, char *line)
{
    const float *corner[3] = {NULL, NULL, NULL};
    int corners = 0;
    for (char *word; (word = tn_mesh_word(&line)); corners++) {
        const float *next = tn_mesh_vertex(reader, word);
        if (!next) return TN_INVALID;
        if (corners == 0) {
            corner[0] = next;
            continue;
        }
        corner[1] = corner[2];
        corner[2] = next;
        const tn_status status = corners >= 2 ? tn_mesh_add(reader, corner) : TN_OK;
        if (status != TN_OK) return status;
    }
    return corners >= 3 ? TN_OK : tn_mesh_refuse(reader, "a face has at least 3 corners, not %d", corners);
}

static inline tn_status tn_read_obj(tn_mesh_reader *reader)
{
    char *at = reader->text, *line;
    while ((line = tn_mesh_line(reader, &at))) {
        char *word = tn_mesh_word(&line);
        tn_status status = TN_OK;
        if (word && !strcmp(word, "v")) {
            if (!TN_MAKE_ROOM(reader->vertex, reader->vertex_room, 3 * (reader->vertices + 1)))
                return TN_OUT_OF_MEMORY;
            status = tn_mesh_numbers(reader, &line, reader->vertex + 3 * reader->vertices++);
        } else if (word && !strcmp(word, "f")) {
            status = tn_read_face(reader, line);
        }
        if (status != TN_OK) return status;
    }
    reader->line = 0;
    return reader->to->triangles > 0 ? TN_OK : tn_mesh_refuse(reader, "it has no faces");
}

/* ---- both formats ---------------------------------------------------------------------------------------------------- */

/* Adds the triangles of a file, whose format is that of its ending. TN_INVALID with a reason in `why` [TN_MESH_WHY], which begins with the path
 * and the line, or TN_OUT_OF_MEMORY. */
static inline tn_status tn_read_mesh(const char *path, tn_triangles *to, char *why)
{
    tn_mesh_reader reader = {.path = path, .to = to, .why = why};
    const char *dot = strrchr(path, '.');
    const bool stl = dot && !strcasecmp(dot, ".stl"), obj = dot && !strcasecmp(dot, ".obj");
    why[0] = 0;
    if (!stl && !obj) return tn_mesh_refuse(&reader, "meshes are read from files .stl or .obj");
    tn_status status = tn_mesh_load(&reader);
    if (status == TN_OK) status = stl ? tn_read_stl(&reader) : tn_read_obj(&reader);
    if (status == TN_OUT_OF_MEMORY) (void)tn_mesh_refuse(&reader, "there is not enough memory for it");
    free(reader.text);
    free(reader.vertex);
    return status;
}

#endif
