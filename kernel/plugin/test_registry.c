/* test_registry.c - which plugins are loaded, refused and skipped, and why. The plugins are compiled here. */
#include "plugin/registry.h"

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
    "#include <tenon/plugin.h>\n"
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
    "#ifndef DETAIL\n#define DETAIL NULL\n#endif\n"
    "#ifndef CALLED\n#define CALLED \"f\"\n#endif\n"
    "#ifndef ARGUMENTS\n#define ARGUMENTS 1\n#endif\n"
    "#ifndef LEFT_OUT\n#define LEFT_OUT 0\n#endif\n"
    "#ifndef DATA_OF\n#define DATA_OF NULL\n#endif\n"
    "#ifndef VALUE\n#define VALUE value\n#endif\n"
    "#ifndef PORTS\n#define PORTS ports\n#endif\n"
    "#ifndef COORDINATES\n#define COORDINATES NULL\n#endif\n"
    "#ifndef MEASURE\n#define MEASURE NULL\n#endif\n"
    "#ifndef MORE\n#define MORE\n#endif\n"
    "#ifndef ROWS\n#define ROWS .flags = 0\n#endif\n"
    "#ifndef MAIN\n#define MAIN tn_plugin_main\n#endif\n"
    "#ifdef UNRESOLVED\n"
    "TN_EXPORT tn_status prepare(const tn_host *host, void *instance);\n"
    "#else\n"
    "static tn_status prepare(const tn_host *host, void *instance)\n"
    "{ (void)host; (void)instance; return TN_OK; }\n"
    "#endif\n"
    "static const tn_parameter parameters[] = {{KEY, \"meaning\", "
    "\"N/m\", DETAIL, 1, 0, TN_UNBOUNDED, OFFSET, KIND, COUNT, 0, FLAGS, 0}, {0}};\n"
    "TN_UNUSED static const tn_port ports[] = {{PORT, \"meaning\", TN_POINT, 1, 2, 0}, {0}};\n"
    "TN_UNUSED static tn_status measure(tn_batch *batch) { (void)batch; return TN_OK; }\n"
    "TN_UNUSED static const tn_output none[] = {{0}}, one[] = {{\"angle\", \"meaning\", \"rad\", 1, 0}, "
    "{0}},\n"
    "    no_unit[] = {{\"angle\", \"meaning\", NULL, 1, 0}, {0}}, three[] = {{\"place\", \"meaning\", \"m\", "
    "3, 0}, "
    "{0}};\n"
    "#define ELEMENT(type_name) {.struct_size = TYPE_SIZE, .name = type_name, "
    ".summary = \"test\", .parameters = parameters, .ports = PORTS, .instance_size = 80, "
    ".prepare = prepare, .coordinates = COORDINATES, .coordinate = MEASURE, ROWS}\n"
    "static const tn_element_type first = ELEMENT(NAME);\n"
    "TN_UNUSED static const tn_element_type second = ELEMENT(\"second\");\n"
    "static const tn_parameter changing[] = {{\"angle\", \"meaning\", \"rad\", NULL, 0, 0, 1, 0, "
    "TN_KIND_REAL, 1, 0, "
    "TN_DYNAMIC, 0}, {0}};\n"
    "#ifndef MARKER\n#define MARKER .kind = TN_POINT\n#endif\n"
    "TN_UNUSED static const tn_marker_type place = {.struct_size = sizeof(tn_marker_type), "
    ".name = \"place\", .summary = \"test\", .ports = ports, .kinematics = measure, MARKER};\n"
    "TN_UNUSED static const tn_marker_type clock = {.struct_size = sizeof(tn_marker_type), .name = "
    "\"clock\", "
    ".summary = \"test\", .parameters = changing, .instance_size = 16};\n"
    "TN_UNUSED static tn_status value(const void *instance, const double *x, double *y, double *first, "
    "double *second)\n"
    "{ (void)instance; (void)first; (void)second; *y = *x; return TN_OK; }\n"
    "TN_UNUSED static const tn_function_type function = {.struct_size = sizeof(tn_function_type), "
    ".arguments = ARGUMENTS, .optional = LEFT_OUT, .name = CALLED, .summary = \"test\", .value = VALUE, "
    ".data_of = DATA_OF};\n"
    "static const tn_type types[] = {{\"element\", &first}, MORE {NULL, NULL}};\n"
    "static const tn_library library = {LIBRARY_SIZE, MAJOR, MINOR, 0, "
    "\"library\", \"1.2.3\", LICENCE, \"test\", types};\n"
    "TN_EXPORT const tn_library *MAIN(void);\n"
    "const tn_library *MAIN(void) { return &library; }\n";

static char root[] = "/tmp/tenon-test-registry-XXXXXX";

/* root/name, in one of several buffers so that a call can use two. */
static const char *path_of(const char *name)
{
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", root, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *stream = fopen(path_of(name), "w");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
}

static void compile(const char *name, const char *definitions)
{
    char command[2048];
    (void)snprintf(command, sizeof command,
                   "${CC:-cc} -std=gnu17 -shared -fPIC -fvisibility=hidden -I%s %s %s -o %s", TN_SDK_INCLUDE,
                   definitions, path_of("plugin.c"), path_of(name));
    assert_int_equal(system(command), 0);
}

static void make_directory(const char *name) { assert_int_equal(mkdir(path_of(name), 0700), 0); }

/* Plugins that several tests use: good/spring.so, and front/spring.so of another licence. */
static int set_up(void **state)
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

static int tear_down(void **state)
{
    (void)state;
    char command[64];
    (void)snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

/* A registry that searches only the given directory below root. */
static tn_registry *registry_with(const char *directory)
{
    tn_registry *registry = tn_registry_new("/nowhere/tenon");
    assert_non_null(registry);
    assert_true(tn_registry_add_directory(registry, path_of(directory)));
    return registry;
}

static const tn_plugin_file *file_named(const tn_registry *registry, const char *name)
{
    for (size_t i = 0; i < tn_registry_file_count(registry); i++)
        if (!strcmp(tn_registry_file(registry, i)->path, path_of(name))) return tn_registry_file(registry, i);
    fail_msg("%s is not in the report", name);
    return NULL;
}

static void assert_reason(const tn_registry *registry, const char *file, tn_verdict verdict, const char *part)
{
    const tn_plugin_file *found = file_named(registry, file);
    assert_int_equal(found->verdict, verdict);
    assert_null(found->library);
    assert_non_null(found->reason);
    if (!strstr(found->reason, part)) fail_msg("%s: \"%s\" does not say \"%s\"", file, found->reason, part);
}

/* ---- what is loaded ---- */

static void a_type_is_found_by_the_name_of_its_file(void **state)
{
    (void)state;
    char reason[256] = "";
    tn_registry *registry = registry_with("good");
    assert_int_equal(tn_registry_file_count(registry), 0); /* nothing is opened before it is asked for */

    const tn_element_type *type =
        tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason);
    assert_non_null(type);
    assert_string_equal(type->name, "spring");
    const tn_plugin_file *file = tn_registry_file_of(registry, type);
    assert_int_equal(file->verdict, TN_LOADED);
    assert_string_equal(file->library->version, "1.2.3");
    assert_null(file->reason);

    assert_null(tn_registry_find(registry, TN_MARKER_KIND, "spring", reason, sizeof reason));
    assert_non_null(strstr(reason, "holds the element \"spring\", but no marker"));
    tn_registry_free(registry);
}

static void the_hash_is_fnv_1a_of_the_file(void **state)
{
    (void)state;
    char reason[256];
    tn_registry *registry = registry_with("good");
    const void *type = tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason);
    uint64_t expected = UINT64_C(0xcbf29ce484222325);
    FILE *stream = fopen(path_of("good/spring.so"), "rb");
    assert_non_null(stream);
    for (int byte; (byte = fgetc(stream)) != EOF;)
        expected = (expected ^ (uint64_t)byte) * UINT64_C(0x100000001b3);
    fclose(stream);
    assert_true(tn_registry_file_of(registry, type)->hash == expected);
    tn_registry_free(registry);
}

static void an_older_shorter_type_is_filled_up_with_null(void **state)
{
    (void)state;
    char reason[256];
    make_directory("old");
    compile("old/spring.so", "-DTYPE_SIZE='offsetof(tn_element_type, prepare)'");
    tn_registry *registry = registry_with("old");
    const tn_element_type *type =
        tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason);
    assert_non_null(type);
    assert_int_equal(type->instance_size, 80);
    assert_null(type->prepare); /* it is there in memory, but beyond struct_size */
    assert_null(type->rigid_motion);
    tn_registry_free(registry);
}

static void a_library_may_hold_several_types(void **state)
{
    (void)state;
    char reason[256];
    make_directory("several");
    compile("several/spring.so", "-DMORE='{\"element\", &second}, {\"gizmo\", &second},'");
    tn_registry *registry = registry_with("several");
    assert_null(tn_registry_find(registry, TN_ELEMENT_KIND, "second", reason, sizeof reason));
    assert_non_null(tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason));
    assert_non_null(tn_registry_find(registry, TN_ELEMENT_KIND, "second", reason, sizeof reason));
    const tn_plugin_file *file = file_named(registry, "several/spring.so");
    assert_int_equal(file->verdict, TN_LOADED);
    assert_non_null(strstr(file->reason, "\"gizmo\"")); /* a note, not a refusal */
    tn_registry_free(registry);
}

static void the_program_brings_its_own_directory(void **state)
{
    (void)state;
    char reason[256];
    make_directory("bin");
    make_directory("bin/plugins");
    compile("bin/plugins/spring.so", "");
    tn_registry *registry = tn_registry_new(path_of("bin/tenon"));
    assert_non_null(tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason));
    assert_true(tn_registry_trusts(registry, path_of("bin/plugins/spring.so")));
    assert_false(tn_registry_trusts(registry, path_of("good/spring.so")));
    assert_false(tn_registry_trusts(registry, path_of("bin/plugins/../../good/spring.so")));
    tn_registry_free(registry);
}

static void the_environment_adds_directories(void **state)
{
    (void)state;
    char reason[256], variable[1024];
    (void)snprintf(variable, sizeof variable, "%s::%s", path_of("absent"), path_of("good"));
    setenv("TENON_PLUGIN_PATH", variable, 1);
    tn_registry *registry = tn_registry_new("/nowhere/tenon");
    unsetenv("TENON_PLUGIN_PATH");
    assert_non_null(tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason));
    assert_reason(registry, "absent", TN_SKIPPED, "No such file");
    tn_registry_free(registry);
}

static void a_link_of_a_type_beside_its_library_is_the_library(void **state)
{
    (void)state;
    char reason[256];
    make_directory("linked");
    compile("linked/springs.so", "-DMORE='{\"element\", &second},'");
    assert_int_equal(symlink("springs.so", path_of("linked/second.so")), 0);
    assert_int_equal(symlink("second.so", path_of("linked/spring.so")), 0);
    assert_int_equal(symlink("round.so", path_of("linked/round.so")), 0);

    tn_registry *registry = registry_with("linked");
    const void *type = tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason);
    assert_string_equal(tn_registry_file_of(registry, type)->path, path_of("linked/springs.so"));
    type = tn_registry_find(registry, TN_ELEMENT_KIND, "second", reason, sizeof reason);
    assert_string_equal(tn_registry_file_of(registry, type)->path, path_of("linked/springs.so"));
    tn_registry_load_all(registry, NULL);
    assert_int_equal(tn_registry_file_count(registry), 2);
    assert_int_equal(file_named(registry, "linked/springs.so")->verdict, TN_LOADED);
    assert_reason(registry, "linked/round.so", TN_REFUSED, "symbolic link");
    tn_registry_free(registry);
}

static void the_link_of_a_type_stands_in_the_place_of_its_directory(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        tn_registry *registry = registry_with(first ? "good" : "linked");
        assert_true(tn_registry_add_directory(registry, path_of(first ? "linked" : "good")));
        tn_registry_load_all(registry, NULL);
        const char *later = first ? "good/spring.so" : "linked/springs.so";
        assert_non_null(
            strstr(file_named(registry, later)->reason, first ? "linked/springs.so, which is found first"
                                                              : "good/spring.so, which is found first"));
        tn_registry_free(registry);
    }
}

/* ---- what is refused ---- */

/* Compiles a spoilt plugin and checks that it is refused with this reason and that nothing of it is used. */
static void assert_refused(const char *definitions, const char *part)
{
    static unsigned count;
    char directory[32], file[64], reason[1024];
    (void)snprintf(directory, sizeof directory, "bad%u", count++);
    (void)snprintf(file, sizeof file, "%s/spring.so", directory);
    make_directory(directory);
    compile(file, definitions);
    tn_registry *registry = registry_with(directory);
    assert_null(tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason));
    if (!strstr(reason, part)) fail_msg("\"%s\" does not say \"%s\"", reason, part);
    assert_reason(registry, file, TN_REFUSED, part);
    assert_null(tn_registry_find(registry, TN_ELEMENT_KIND, "second", reason, sizeof reason));
    tn_registry_free(registry);
}

static void another_interface_is_refused_naming_both(void **state)
{
    (void)state;
    assert_refused("-DMAJOR=2", "built for interface 2.1, this kernel offers 1.1");
    assert_refused("-DMINOR=7", "built for interface 1.7, this kernel offers 1.1");
    assert_refused("-DMAJOR=0", "built for interface 0.1, this kernel offers 1.1");
}

static void an_incomplete_library_is_refused(void **state)
{
    (void)state;
    assert_refused("-DMAIN=some_other_function", "does not export tn_plugin_main");
    assert_refused("-DLICENCE='\"\"'", "has no licence");
    assert_refused("-DLIBRARY_SIZE=24", "its struct_size is 24 bytes");
    assert_refused("-DLIBRARY_SIZE=4", "its struct_size of 4 bytes");
}

static void a_type_that_cannot_be_right_is_refused(void **state)
{
    (void)state;
    assert_refused("-DOFFSET=80",
                   "parameter \"stiffness\" of \"spring\": 8 bytes at offset 80 leave its instance");
    assert_refused("-DOFFSET=4294967288u", "leave its instance of 80");
    assert_refused("-DOFFSET=4", "offset 4 is no multiple of 8");
    assert_refused("-DKIND=99", "parameter \"stiffness\" of \"spring\" is of unknown kind 99");
    assert_refused("-DKIND=TN_KIND_ROTATION -DOFFSET=16", "72 bytes at offset 16");
    assert_refused("-DKIND=TN_KIND_CHOICE", "lists no choices");
    assert_refused("-DTYPE_SIZE=8", "a struct_size of 8 bytes");
    assert_refused("-DTYPE_SIZE=100000", "a struct_size of 100000 bytes");
    assert_refused("-DNAME='\"\"'", "has no name");
    assert_refused("-DMORE='{\"element\", &first},'", "is there twice");
    assert_refused("-DMORE='{\"marker\", &clock},'",
                   "parameter \"angle\" of marker \"clock\" cannot change with time");
    /* one bad type spoils the library: a solver that cannot advance beside a good element */
    assert_refused(
        "-DMORE='{\"element\", &second}, {\"solver\", &(const tn_solver_type){sizeof(tn_solver_type), 0, "
        "\"s\", \"s\"}},'",
        "solver \"s\" has no function `advance`");
}

static void a_parameter_of_which_its_kind_is_not_capable_is_refused(void **state)
{
    (void)state;
    assert_refused("-DCOUNT=0", "cannot have a count of 0");
    assert_refused("-DKIND=TN_KIND_LIST -DCOUNT=2", "cannot have a count of 2");
    assert_refused("-DKIND=TN_KIND_LIST -DFLAGS=TN_DYNAMIC",
                   "parameter \"stiffness\" of \"spring\" cannot change with time: only reals can");
    assert_refused(
        "-DCOUNT=2 -DFLAGS=TN_MOVES",
        "parameter \"stiffness\" of \"spring\" cannot move with a part: 3 reals or a rotation can");
    assert_refused("-DKIND=TN_KIND_ROTATION -DFLAGS=TN_TURNS", "cannot turn with a part: 3 reals can");
    assert_refused("-DCOUNT=3 -DFLAGS=TN_TURNS+TN_MOVES", "either moves or turns with a part");
    assert_refused("-DCOUNT=3 -DFLAGS=TN_TURNS+TN_DYNAMIC", "is placed once: it cannot change with time");
    assert_refused("-DFLAGS=TN_DYNAMIC -DROWS='.constraint = measure'",
                   "parameter \"stiffness\" of constraint \"spring\" cannot change with time: its rows have "
                   "tn_time(context) for that");
    assert_refused("-DKIND=TN_KIND_CALLABLE -DDETAIL='\"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q\"'",
                   "parameter \"stiffness\" of \"spring\" has 17 arguments, 16 are the most");
}

static void coordinates_that_cannot_be_measured_are_refused(void **state)
{
    (void)state;
    assert_refused("-DCOORDINATES=one", "element \"spring\" has no function `coordinate`");
    assert_refused("-DCOORDINATES=none -DMEASURE=measure", "the coordinates of \"spring\" are an empty list");
    assert_refused("-DCOORDINATES=one -DMEASURE=measure -DPORTS=NULL",
                   "element \"spring\" has coordinates, but no ports");
    assert_refused("-DCOORDINATES=no_unit -DMEASURE=measure",
                   "coordinate \"angle\" of \"spring\" has no unit");
    assert_refused("-DCOORDINATES=three -DMEASURE=measure",
                   "coordinate \"place\" of \"spring\" has size 3, not 1");
}

static void what_is_said_of_coordinates_fits_no_other_marker(void **state)
{
    (void)state;
#define PLACE(fields) "-DMORE='{\"marker\", &place},' -DMARKER='" fields "'"
    assert_refused(PLACE(".kind = TN_ANY"), "marker \"place\" delivers an unknown kind 3");
    assert_refused(PLACE(".kind = TN_FRAME, .unit = \"m\""), "is no coordinate: it cannot have a unit");
    assert_refused(PLACE(".flags = TN_COUNTS_TURNS"), "is no coordinate: it cannot count turns");
    assert_refused(PLACE(".flags = TN_QUASI_COORDINATE"),
                   "is no coordinate: it cannot be a quasi-coordinate");
    assert_refused(PLACE(".kind = TN_COORDINATE, .flags = TN_QUASI_COORDINATE | TN_COUNTS_TURNS"),
                   "is a quasi-coordinate: it cannot count turns");
}

static void a_key_with_two_meanings_is_refused(void **state)
{
    (void)state;
    assert_refused("-DKEY='\"when\"'", "key `when` of element \"spring\" would have two meanings");
    assert_refused("-DPORT='\"active\"'", "key `active` of element \"spring\" would have two meanings");
    assert_refused("-DKEY=PORT", "key `markers` of element \"spring\" would have two meanings");
}

#define FUNCTION "-DMORE='{\"function\", &function},' "

static void a_function_that_expressions_cannot_call_is_refused(void **state)
{
    (void)state;
    assert_refused(FUNCTION "-DVALUE=NULL", "function \"f\" has no function `value`");
    assert_refused(FUNCTION "-DARGUMENTS=0", "function \"f\" cannot have 0 arguments: 1 to 16");
    assert_refused(FUNCTION "-DARGUMENTS=17", "function \"f\" cannot have 17 arguments: 1 to 16");
    assert_refused(FUNCTION "-DLEFT_OUT=1",
                   "function \"f\" has 1 arguments, so 1 of them cannot be left out");
    assert_refused(FUNCTION "-DLEFT_OUT=2",
                   "function \"f\" has 1 arguments, so 2 of them cannot be left out");
    assert_refused(FUNCTION "-DCALLED='\"sin\"'",
                   "function \"sin\" has a name that expressions use themselves");
    assert_refused(FUNCTION "-DCALLED='\"time\"'", "function \"time\" has a name that expressions use");
    assert_refused(FUNCTION "-DCALLED='\"Map\"'",
                   "function \"Map\" cannot be called: its name needs lower-case");
    assert_refused(FUNCTION "-DCALLED='\"my map\"'", "function \"my map\" cannot be called");
    assert_refused(FUNCTION "-DDATA_OF='\"spline\"'",
                   "function \"f\" takes the data of \"spline\": its first arguments are x and z");

    char reason[256];
    make_directory("function");
    compile("function/f.so", FUNCTION "-DARGUMENTS=16 -DLEFT_OUT=15");
    tn_registry *registry = registry_with("function");
    assert_non_null(tn_registry_find(registry, TN_FUNCTION_KIND, "f", reason, sizeof reason));
    tn_registry_free(registry);
}

static void an_unresolved_symbol_is_refused(void **state)
{
    (void)state;
    assert_refused("-DUNRESOLVED", "undefined symbol: prepare");
}

/* ---- what is no plugin at all ---- */

static void every_file_is_reported(void **state)
{
    (void)state;
    char reason[1024];
    make_directory("mixed");
    make_directory("mixed/folder.so");
    write_file("mixed/text.so", "just some text\n");
    write_file("mixed/empty.so", "");
    write_file("mixed/README", "hello\n");
    compile("mixed/spring.so", "");
    assert_int_equal(symlink("spring.so", path_of("mixed/twin.so")), 0);
    assert_int_equal(symlink("/nowhere/at/all.so", path_of("mixed/broken.so")), 0);

    tn_registry *registry = registry_with("mixed");
    tn_registry_load_all(registry, NULL);
    assert_int_equal(tn_registry_file_count(registry), 7);
    assert_reason(registry, "mixed/folder.so", TN_SKIPPED, "a directory");
    assert_reason(registry, "mixed/text.so", TN_REFUSED, "cannot be opened");
    assert_reason(registry, "mixed/empty.so", TN_REFUSED, "file too short");
    assert_reason(registry, "mixed/README", TN_SKIPPED, "does not end in .so");
    assert_reason(registry, "mixed/broken.so", TN_REFUSED, "symbolic link to \"/nowhere/at/all.so\"");
    assert_reason(registry, "mixed/twin.so", TN_SKIPPED, "the same file as");
    assert_int_equal(file_named(registry, "mixed/spring.so")->verdict, TN_LOADED);
    assert_null(tn_registry_find(registry, TN_ELEMENT_KIND, "broken", reason, sizeof reason));
    assert_non_null(strstr(reason, "symbolic link"));
    tn_registry_free(registry);
}

static void an_unreadable_file_is_refused(void **state)
{
    (void)state;
    if (geteuid() == 0) skip(); /* root reads everything */
    make_directory("locked");
    compile("locked/spring.so", "");
    assert_int_equal(chmod(path_of("locked/spring.so"), 0), 0);
    tn_registry *registry = registry_with("locked");
    tn_registry_load_all(registry, NULL);
    assert_reason(registry, "locked/spring.so", TN_REFUSED, "Permission denied");
    tn_registry_free(registry);
}

static void a_name_never_leads_out_of_the_directories(void **state)
{
    (void)state;
    char reason[256];
    tn_registry *registry = registry_with("front");
    assert_null(tn_registry_find(registry, TN_ELEMENT_KIND, "../good/spring", reason, sizeof reason));
    assert_null(tn_registry_find(registry, TN_ELEMENT_KIND, "", reason, sizeof reason));
    assert_int_equal(tn_registry_file_count(registry), 0);
    tn_registry_free(registry);
}

/* ---- who wins ---- */

static void the_first_directory_wins_and_the_later_file_is_skipped(void **state)
{
    (void)state;
    char reason[256];
    tn_registry *registry = registry_with("good");
    assert_true(tn_registry_add_directory(registry, path_of("front")));
    tn_registry_load_all(registry, NULL);
    const void *type = tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason);
    assert_string_equal(tn_registry_file_of(registry, type)->library->licence, "first");
    assert_reason(registry, "good/spring.so", TN_SKIPPED, "element \"spring\" comes from");
    tn_registry_free(registry);
}

static void a_file_of_the_name_beats_a_library_opened_before(void **state)
{
    (void)state;
    char reason[256];
    make_directory("both");
    compile("both/a.so", "-DNAME='\"a\"' -DMORE='{\"element\", &second},'");
    compile("both/second.so", "-DNAME='\"second\"'");
    for (int opened_before = 0; opened_before < 2; opened_before++) {
        tn_registry *registry = registry_with("both");
        if (opened_before)
            assert_non_null(tn_registry_find(registry, TN_ELEMENT_KIND, "a", reason, sizeof reason));
        const void *type = tn_registry_find(registry, TN_ELEMENT_KIND, "second", reason, sizeof reason);
        assert_string_equal(tn_registry_file_of(registry, type)->path, path_of("both/second.so"));
        tn_registry_free(registry);
    }
}

static void a_mapping_comes_first_and_never_falls_back(void **state)
{
    (void)state;
    char reason[1024];
    tn_registry *registry = registry_with("good");
    tn_registry_map(registry, "spring", path_of("front/spring.so"));
    const void *type = tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason);
    assert_string_equal(tn_registry_file_of(registry, type)->path, path_of("front/spring.so"));

    compile("other.so", "-DNAME='\"other\"'");
    tn_registry_map(registry, "spring", path_of("other.so"));
    assert_null(tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason));
    assert_non_null(strstr(reason, "holds no element \"spring\""));
    tn_registry_free(registry);
}

static void names_are_offered_without_opening_files(void **state)
{
    (void)state;
    tn_nearest search;
    tn_registry *registry = registry_with("good");
    tn_nearest_start(&search, "sprnig");
    tn_registry_offer(registry, TN_ELEMENT_KIND, &search);
    assert_string_equal(search.best, "spring");
    assert_int_equal(tn_registry_file_count(registry), 0);

    /* once the file is open it is known to be no marker */
    tn_registry_load_all(registry, NULL);
    tn_nearest_start(&search, "sprnig");
    tn_registry_offer(registry, TN_MARKER_KIND, &search);
    assert_null(search.best);
    tn_registry_free(registry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_type_is_found_by_the_name_of_its_file),
        cmocka_unit_test(the_hash_is_fnv_1a_of_the_file),
        cmocka_unit_test(an_older_shorter_type_is_filled_up_with_null),
        cmocka_unit_test(a_library_may_hold_several_types),
        cmocka_unit_test(a_link_of_a_type_beside_its_library_is_the_library),
        cmocka_unit_test(the_link_of_a_type_stands_in_the_place_of_its_directory),
        cmocka_unit_test(the_program_brings_its_own_directory),
        cmocka_unit_test(the_environment_adds_directories),
        cmocka_unit_test(another_interface_is_refused_naming_both),
        cmocka_unit_test(an_incomplete_library_is_refused),
        cmocka_unit_test(a_type_that_cannot_be_right_is_refused),
        cmocka_unit_test(a_parameter_of_which_its_kind_is_not_capable_is_refused),
        cmocka_unit_test(coordinates_that_cannot_be_measured_are_refused),
        cmocka_unit_test(what_is_said_of_coordinates_fits_no_other_marker),
        cmocka_unit_test(a_key_with_two_meanings_is_refused),
        cmocka_unit_test(a_function_that_expressions_cannot_call_is_refused),
        cmocka_unit_test(an_unresolved_symbol_is_refused),
        cmocka_unit_test(every_file_is_reported),
        cmocka_unit_test(an_unreadable_file_is_refused),
        cmocka_unit_test(a_name_never_leads_out_of_the_directories),
        cmocka_unit_test(the_first_directory_wins_and_the_later_file_is_skipped),
        cmocka_unit_test(a_file_of_the_name_beats_a_library_opened_before),
        cmocka_unit_test(a_mapping_comes_first_and_never_falls_back),
        cmocka_unit_test(names_are_offered_without_opening_files),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
