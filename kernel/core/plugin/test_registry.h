/* test_registry.h - plugins that are compiled from one text, and the registries that find them. */
#ifndef TN_TEST_REGISTRY_H
#define TN_TEST_REGISTRY_H

#include "config/plugin_texts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef TN_SDK_INCLUDE
#define TN_SDK_INCLUDE TENON_SOURCE_DIR "/sdk/include"
#endif

/* A plugin with one element; every -D of a test spoils one thing. */
static const char plugin_text[] =
    "#include <tenon/descriptors.h>\n"
    "#ifndef NAME\n#define NAME \"spring\"\n#endif\n"
    "#ifndef MAJOR\n#define MAJOR TN_ABI_MAJOR\n#endif\n"
    "#ifndef MINOR\n#define MINOR TN_ABI_MINOR\n#endif\n"
    "#ifndef LICENCE\n#define LICENCE \"MIT\"\n#endif\n"
    "#ifndef LIBRARY_SIZE\n#define LIBRARY_SIZE sizeof(tn_library)\n#endif\n"
    "#ifndef TYPE_SIZE\n#define TYPE_SIZE sizeof(tn_element_type)\n#endif\n"
    "#ifndef KIND\n#define KIND TN_KIND_REAL\n#endif\n"
    "#ifndef OFFSET\n#define OFFSET 0\n#endif\n"
    "#ifndef KEY\n#define KEY \"stiffness\"\n#endif\n"
    "#ifndef PORT\n#define PORT \"markers\"\n#endif\n"
    "#ifndef COUNT\n#define COUNT 1\n#endif\n"
    "#ifndef FLAGS\n#define FLAGS 0\n#endif\n"
    "#ifndef UNIT\n#define UNIT \"N/m\"\n#endif\n"
    "#ifndef STANDARD\n#define STANDARD 1\n#endif\n"
    "#ifndef DETAIL\n#define DETAIL NULL\n#endif\n"
    "#ifndef CALLED\n#define CALLED \"f\"\n#endif\n"
    "#ifndef ARGUMENTS\n#define ARGUMENTS 1\n#endif\n"
    "#ifndef LEFT_OUT\n#define LEFT_OUT 0\n#endif\n"
    "#ifndef DATA_OF\n#define DATA_OF NULL\n#endif\n"
    "#ifndef VALUE\n#define VALUE value\n#endif\n"
    "#ifndef PORTS\n#define PORTS ports\n#endif\n"
    "#ifndef POINTS_FROM\n#define POINTS_FROM 0\n#endif\n"
    "#ifndef CAPABILITIES\n#define CAPABILITIES TN_HAS(force, .force = measure)\n#endif\n"
    "#ifndef MORE\n#define MORE\n#endif\n"
    "#ifndef ROWS\n#define ROWS .flags = 0\n#endif\n"
    "#ifndef MAIN\n#define MAIN tn_plugin_library\n#endif\n"
    "#ifdef UNRESOLVED\n"
    "TN_EXPORT tn_status prepare(const tn_host *host, void *instance);\n"
    "#else\n"
    "static tn_status prepare(const tn_host *host, void *instance)\n"
    "{ (void)host; (void)instance; return TN_OK; }\n"
    "#endif\n"
    "static const tn_parameter parameters[] = {{KEY, \"meaning\", "
    "UNIT, DETAIL, STANDARD, 0, TN_UNBOUNDED, OFFSET, KIND, COUNT, 0, FLAGS, 0}, {0}};\n"
    "TN_UNUSED static const tn_port ports[] = {{PORT, \"meaning\", TN_POINT, 1, 2, POINTS_FROM}, {0}};\n"
    "TN_UNUSED static tn_status measure(tn_batch *batch) { (void)batch; return TN_OK; }\n"
    "TN_UNUSED static const tn_output none[] = {{0}}, one[] = {{\"angle\", \"meaning\", \"rad\", 1, 0}, "
    "{0}},\n"
    "    no_unit[] = {{\"angle\", \"meaning\", NULL, 1, 0}, {0}}, three[] = {{\"place\", \"meaning\", \"m\", "
    "3, 0}, "
    "{0}};\n"
    "#define ELEMENT(type_name) {.struct_size = TYPE_SIZE, .name = type_name, "
    ".summary = \"test\", .parameters = parameters, .ports = PORTS, .instance_size = 80, "
    ".prepare = prepare, TN_CAPABILITIES(CAPABILITIES), ROWS}\n"
    "static const tn_element_type first = ELEMENT(NAME);\n"
    "TN_UNUSED static const tn_element_type second = ELEMENT(\"second\");\n"
    "static const tn_parameter changing[] = {{\"angle\", \"meaning\", \"rad\", NULL, 0, 0, 1, 0, "
    "TN_KIND_REAL, 1, 0, "
    "TN_DYNAMIC, 0}, {0}};\n"
    "#ifndef MARKER\n#define MARKER .kind = TN_POINT\n#endif\n#ifndef MEASURED\n#define MEASURED\n#endif\n"
    "TN_UNUSED static const tn_marker_type place = {.struct_size = sizeof(tn_marker_type), "
    ".name = \"place\", .summary = \"test\", .ports = ports, TN_CAPABILITIES(TN_HAS(kinematics, .kinematics "
    "= measure MEASURED)), MARKER};\n"
    "TN_UNUSED static const tn_marker_type clock = {.struct_size = sizeof(tn_marker_type), .name = "
    "\"clock\", "
    ".summary = \"test\", .parameters = changing, .instance_size = 16};\n"
    "TN_UNUSED static tn_status value(const void *instance, const double *x, double *y, double *first, "
    "double *second)\n"
    "{ (void)instance; (void)first; (void)second; *y = *x; return TN_OK; }\n"
    "TN_UNUSED static const tn_function_type function = {.struct_size = sizeof(tn_function_type), "
    ".arguments = ARGUMENTS, .optional = LEFT_OUT, .name = CALLED, .summary = \"test\", .value = VALUE, "
    ".data_of = DATA_OF};\n"
    "#ifndef FORM\n#define FORM TN_MEASURE_MARKER\n#endif\n#ifndef COMPONENT\n#define COMPONENT "
    "TN_FORCE_X\n#endif\n"
    "TN_UNUSED static const tn_measure_type weight = {.struct_size = sizeof(tn_measure_type), "
    ".name = CALLED, .summary = \"test\", .form = FORM, .component = COMPONENT};\n"
    "static const tn_type types[] = {{\"element\", &first}, MORE {NULL, NULL}};\n"
    "static const tn_library library = {LIBRARY_SIZE, MAJOR, MINOR, 0, "
    "\"library\", \"1.2.3\", LICENCE, \"test\", types};\n"
    "TN_EXPORT const tn_library *MAIN(void);\n"
    "const tn_library *MAIN(void) { return &library; }\n";

static char root[] = "/tmp/tenon-test-registry-XXXXXX";

/* root/name, in one of several buffers so that a call can use two. */
TN_UNUSED static const char *path_of(const char *name)
{
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", root, name);
    return path;
}

TN_UNUSED static void write_file(const char *name, const char *text)
{
    FILE *stream = fopen(path_of(name), "w");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
}

TN_UNUSED static void compile(const char *name, const char *definitions)
{
    char command[2048];
    (void)snprintf(command, sizeof command,
                   "${CC:-cc} -std=gnu17 -shared -fPIC -fvisibility=hidden -I%s %s %s -o %s", TN_SDK_INCLUDE,
                   definitions, path_of("plugin.c"), path_of(name));
    assert_int_equal(system(command), 0);
}

TN_UNUSED static void make_directory(const char *name) { assert_int_equal(mkdir(path_of(name), 0700), 0); }

/* Plugins that several tests use: good/spring.so, and front/spring.so of another licence. */
TN_UNUSED static int set_up(void **state)
{
    (void)state;
    unsetenv("TENON_PLUGIN_PATH");
    if (!mkdtemp(root)) return 1;
    write_file("plugin.c", plugin_text);
    make_directory("good");
    compile("good/spring.so", "");
    make_directory("front");
    compile("front/spring.so", "-DLICENCE='\"first\"'");
    return 0;
}

TN_UNUSED static int tear_down(void **state)
{
    (void)state;
    char command[64];
    (void)snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

/* A registry that searches only the given directory below root. */
TN_UNUSED static tn_registry *registry_with(const char *directory)
{
    tn_registry *registry = tn_registry_new("/nowhere/tenon", tn_reader_loading);
    assert_non_null(registry);
    assert_true(tn_registry_add_directory(registry, path_of(directory)));
    return registry;
}

TN_UNUSED static const tn_plugin_file *file_named(const tn_registry *registry, const char *name)
{
    for (size_t i = 0; i < tn_registry_file_count(registry); i++)
        if (!strcmp(tn_registry_file(registry, i)->path, path_of(name))) return tn_registry_file(registry, i);
    fail_msg("%s is not in the report", name);
    return NULL;
}

TN_UNUSED static void assert_reason(const tn_registry *registry, const char *file, tn_verdict verdict,
                                    const char *part)
{
    const tn_plugin_file *found = file_named(registry, file);
    assert_int_equal(found->verdict, verdict);
    assert_null(found->library);
    assert_non_null(found->reason);
    if (!strstr(found->reason, part)) fail_msg("%s: \"%s\" does not say \"%s\"", file, found->reason, part);
}

#endif
