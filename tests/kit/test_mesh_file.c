/* test_mesh_file.c - STL and OBJ files of other programs; errors are reported with their lines */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tenon/kit/mesh_file.h>

#include <unistd.h>

static char path[64];

static void write_file(const char *ending, const void *bytes, size_t size)
{
    (void)snprintf(path, sizeof path, "/tmp/tenon_mesh_%d%s", (int)getpid(), ending);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void expect_triangles(const char *ending, const void *bytes, size_t size, size_t triangles)
{
    char why[TN_MESH_WHY];
    tn_triangles mesh = {0};
    write_file(ending, bytes, size);
    if (tn_read_mesh(path, &mesh, why) != TN_OK) fail_msg("%s", why);
    assert_int_equal(mesh.triangles, triangles);
    assert_int_equal(mesh.points, 3 * triangles);
    /* the first one is that of the unit corners of x and y, seen from above */
    static const float corner[9] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f};
    assert_memory_equal(mesh.point, corner, sizeof corner);
    assert_true(mesh.normal[0] == 0.0f && mesh.normal[1] == 0.0f && mesh.normal[2] == 1.0f);
    tn_triangles_free(&mesh);
    (void)unlink(path);
}

static void expect_reason(const char *ending, const void *bytes, size_t size, const char *reason)
{
    char why[TN_MESH_WHY];
    tn_triangles mesh = {0};
    write_file(ending, bytes, size);
    assert_int_equal(tn_read_mesh(path, &mesh, why), TN_INVALID);
    assert_memory_equal(why, path, strlen(path));
    if (strcmp(why + strlen(path), reason) != 0) fail_msg("%s in place of %s", why + strlen(path), reason);
    tn_triangles_free(&mesh);
    (void)unlink(path);
}

#define TEXT(text) text, sizeof text - 1

#define FACET                                                                                \
    "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1.0e0 0\n " \
    "endloop\nendfacet\n"

static void test_text_stl(void **state)
{
    (void)state;
    expect_triangles(".stl", TEXT("solid a name\n" FACET "endsolid a name\n"), 1);
    expect_triangles(".STL", TEXT("SOLID\r\n" FACET FACET "ENDSOLID\r\nsolid two\n" FACET "endsolid"), 3);
    expect_reason(".stl", TEXT("solid\n" FACET), ":8: the file is cut off: there is no `endsolid`");
    expect_reason(".stl", TEXT("solid\n" FACET "facet normal 0 0 1\nouter loop\nvertex 0 0 0\n"),
                  ":11: the file is cut off within the facet that begins in line 9");
    expect_reason(".stl", TEXT("solid\nfacet\nouter loop\nvertex 0 0 1e999\n"), ":4: '1e999' is not finite");
    expect_reason(".stl", TEXT("solid\nfacet\nouter loop\nvertex 0 nan 0\n"), ":4: 'nan' is not finite");
    expect_reason(".stl", TEXT("solid\nfacet\nouter loop\nvertex 0 1\n"),
                  ":4: three numbers are expected, there are 2");
    expect_reason(".stl", TEXT("solid\nfacet\nouter loop\nvertex 0 1 2,5\n"), ":4: '2,5' is no number");
    expect_reason(".stl", TEXT("solid\nfacet\nouter loop\nvertex 0 1 2\nendfacet"),
                  ":5: a facet with 1 corners in place of 3");
    expect_reason(".stl", TEXT("solid\nhello\n"), ":2: 'hello' in place of `facet` or `endsolid`");
    expect_reason(".stl", TEXT("solid\nendsolid\n"), ": it has no triangles");
}

/* Two triangles in a file that begins like a text file. */
static void test_binary_stl(void **state)
{
    (void)state;
    unsigned char file[TN_STL_HEAD + 2 * TN_STL_FACET] = "solid of some CAD program";
    static const float corner[9] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f};
    const float bad = (float)NAN;
    file[80] = 2;
    for (size_t k = 0; k < 2; k++)
        memcpy(file + TN_STL_HEAD + k * TN_STL_FACET + 12, corner, sizeof corner);
    expect_triangles(".stl", file, sizeof file, 2);
    expect_reason(".stl", file, sizeof file - 1,
                  ": the file is cut off: 2 triangles take 184 bytes, and it has 183");
    expect_reason(".stl", file, 50, ": it is too short for an STL file");
    memcpy(file + TN_STL_HEAD + TN_STL_FACET + 12, &bad, sizeof bad);
    expect_reason(".stl", file, sizeof file, ": triangle 2 of 2 has a corner that is not finite");
    file[80] = 0;
    expect_reason(".stl", file, TN_STL_HEAD, ": it has no triangles");
    file[83] = 0xff;
    expect_reason(".stl", file, sizeof file,
                  ": the file is cut off: 4278190080 triangles take 213909504084 bytes, and it has 184");
}

#define VERTICES "# a comment\nv 0 0 0\nv 1 0 0 1.0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvt 0 0\n"

static void test_obj(void **state)
{
    (void)state;
    expect_triangles(".obj",
                     TEXT("mtllib a.mtl\no x\n" VERTICES "usemtl m\ns off\nf 1 2 3\nf 1//1 2/1/1 4/1\n"), 2);
    expect_triangles(".OBJ", TEXT(VERTICES "f -4 -3 -2 -1\r\n"), 2);
    expect_triangles(".obj", TEXT(VERTICES "f 1 2 \\\n 3\nf 1 2 4"), 2);
    expect_reason(".obj", TEXT(VERTICES "f 1 2 5\n"), ":8: there is no vertex 5: 4 were given so far");
    expect_reason(".obj", TEXT(VERTICES "f 1 2 0\n"), ":8: there is no vertex 0: 4 were given so far");
    expect_reason(".obj", TEXT(VERTICES "f 1 2 -5\n"), ":8: there is no vertex -5: 4 were given so far");
    expect_reason(".obj", TEXT(VERTICES "f 1 2 99999999999999999999\n"),
                  ":8: there is no vertex 99999999999999999999: 4 were given so far");
    expect_reason(".obj", TEXT(VERTICES "f 1 2\n"), ":8: a face has at least 3 corners, not 2");
    expect_reason(".obj", TEXT(VERTICES "f 1 x 2\n"), ":8: 'x' is no corner of a face");
    expect_reason(".obj", TEXT("v 0 0 inf\n"), ":1: 'inf' is not finite");
    expect_reason(".obj", TEXT("v 0 0\n"), ":1: three numbers are expected, there are 2");
    expect_reason(".obj", TEXT(VERTICES), ": it has no faces");
}

static void test_files(void **state)
{
    (void)state;
    char why[TN_MESH_WHY];
    tn_triangles mesh = {0};
    expect_reason(".stl", "", 0, ": the file is empty");
    expect_reason(".step", "x", 1, ": meshes are read from files .stl or .obj");
    assert_int_equal(tn_read_mesh("/nowhere/hull.stl", &mesh, why), TN_INVALID);
    assert_string_equal(why, "/nowhere/hull.stl: it cannot be opened: No such file or directory");
    (void)snprintf(path, sizeof path, "/tmp/tenon_mesh_%d.stl", (int)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), TN_MESH_MOST_BYTES + (off_t)1), 0); /* takes no space */
    assert_int_equal(fclose(file), 0);
    assert_int_equal(tn_read_mesh(path, &mesh, why), TN_INVALID);
    assert_non_null(strstr(why, "the file is too large: 1073741825 bytes"));
    (void)unlink(path);
}

/* Files with random errors are refused or read, within their memory. */
static void test_random_files(void **state)
{
    (void)state;
    static const char text[] = "solid\n" FACET "endsolid\n",
                      other[] = VERTICES "f 1 2 3 4\nf 1//1 2/1/1 4/1 \\\n3\n";
    uint64_t random = 1;
    for (int round = 0; round < 1000; round++) {
        char bytes[300], why[TN_MESH_WHY];
        tn_triangles mesh = {0};
        const size_t whole = (round % 2 ? sizeof text : sizeof other) - 1;
        memcpy(bytes, round % 2 ? text : other, whole);
        for (int k = 0; k < 3; k++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bytes[(random >> 33) % whole] = "\0\n\\ -9.v/"[(random >> 20) % 9];
        }
        write_file(round % 2 ? ".stl" : ".obj", bytes,
                   (random >> 40) % 4 ? whole : (random >> 45) % whole + 1);
        const tn_status status = tn_read_mesh(path, &mesh, why);
        assert_true(status == TN_OK || (status == TN_INVALID && why[0]));
        tn_triangles_free(&mesh);
    }
    (void)unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_stl), cmocka_unit_test(test_binary_stl),   cmocka_unit_test(test_obj),
        cmocka_unit_test(test_files),    cmocka_unit_test(test_random_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
