/* test_refusals.c - plugins that are refused, and why. */
#include "plugin/test_registry.h"

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
}

static void another_interface_is_refused_naming_both(void **state)
{
    (void)state;
    assert_refused("-DMAJOR=2", "built for interface 2.0, this kernel offers 1.0");
    assert_refused("-DMAJOR=0", "built for interface 0.0, this kernel offers 1.0");
    assert_refused("-DMAIN=tn_plugin_main", "built for the interface of version 0.1: build it again");
}

static void an_incomplete_library_is_refused(void **state)
{
    (void)state;
    assert_refused("-DMAIN=some_other_function", "does not export tn_plugin_library");
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
    assert_refused("-DOFFSET=4", "offset 4 is not a multiple of 8");
    assert_refused("-DKIND=99", "parameter \"stiffness\" of \"spring\" is of unknown kind 99");
    assert_refused("-DKIND=TN_KIND_ROTATION -DOFFSET=16", "72 bytes at offset 16");
    assert_refused("-DKIND=TN_KIND_CHOICE", "lists no choices");
    assert_refused("-DSTANDARD=-5",
                   "parameter \"stiffness\" of \"spring\": default -5 is out of its range from 0 to inf");
    assert_refused("-DSTANDARD=0 -DFLAGS=TN_ABOVE_LOW", "default 0 is out of its range");
    assert_refused("-DUNIT='\"Nxyz\"'", "the unit of \"stiffness\" of \"spring\": ");
    assert_refused(
        "-DUNIT='\"N; mm\"'",
        "the unit \"mm\" of \"stiffness\" of \"spring\" is not an SI unit: it is 0.001 times the SI unit");
    assert_refused("-DTYPE_SIZE=8", "a struct_size of 8 bytes");
    assert_refused("-DTYPE_SIZE=100000", "a struct_size of 100000 bytes");
    assert_refused("-DNAME='\"\"'", "has no name");
    assert_refused("-DMORE='{\"element\", &first},'", "is listed twice");
    assert_refused("-DMORE='{\"marker\", &clock},'",
                   "parameter \"angle\" of marker \"clock\" cannot change with time");
    assert_refused("-DFLAGS=TN_SYMMETRIC", "is not a symmetric matrix: 6 reals are");
    assert_refused(
        "-DMORE='{\"element\", &(const tn_element_type){.struct_size = sizeof(tn_element_type), .name = "
        "\"x\", .summary = \"s\", .synonyms = (const tn_synonym[]){{\"k\", \"stiffness\", NULL}, {NULL, "
        "NULL, NULL}}}},'",
        "\"x\" has no parameter or port \"stiffness\", which others call \"k\"");
    /* one bad type spoils the library: a solver that cannot advance beside a good element */
    assert_refused("-DMORE='{\"element\", &second}, {\"solver\", &(const tn_solver_type){.struct_size = "
                   "sizeof(tn_solver_type), .name = \"s\", .summary = \"s\"}},'",
                   "solver \"s\" has no function `advance`");
    /* files of a writer cannot lie elsewhere */
    assert_refused("-DMORE='{\"element\", &second}, {\"writer\", &(const tn_writer_type){.struct_size = "
                   "sizeof(tn_writer_type), .name = \"w\", .summary = \"w\", .endings = (const char "
                   "*const[]){\".csv\", \"/../x\", NULL}}},'",
                   "ending \"/../x\" of writer \"w\" is not like \".csv\"");
}

static void a_parameter_of_which_its_kind_is_not_capable_is_refused(void **state)
{
    (void)state;
    assert_refused("-DCOUNT=0", "cannot have a count of 0");
    assert_refused("-DKIND=TN_KIND_LIST -DCOUNT=2", "cannot have a count of 2");
    assert_refused(
        "-DKIND=TN_KIND_LIST -DFLAGS=TN_DYNAMIC",
        "parameter \"stiffness\" of \"spring\" cannot change with time: only reals and functions can");
    assert_refused(
        "-DCOUNT=2 -DFLAGS=TN_MOVES",
        "parameter \"stiffness\" of \"spring\" cannot move with a part: 3 reals or a rotation can");
    assert_refused("-DKIND=TN_KIND_ROTATION -DFLAGS=TN_TURNS", "cannot turn with a part: 3 reals can");
    assert_refused("-DCOUNT=3 -DFLAGS=TN_TURNS+TN_MOVES", "either moves or turns with a part");
    assert_refused("-DCOUNT=3 -DFLAGS=TN_TURNS+TN_DYNAMIC", "is placed once: it cannot change with time");
    assert_refused("-DFLAGS=TN_DYNAMIC -DCAPABILITIES='TN_HAS(constraint, .constraint = measure)'",
                   "parameter \"stiffness\" of constraint \"spring\" cannot change with time: its rows have "
                   "tn_time(context) for that");
    assert_refused("-DKIND=TN_KIND_CALLABLE -DDETAIL='\"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q\"'",
                   "parameter \"stiffness\" of \"spring\" has 17 arguments, 16 are the most");
}

#define COORDINATES(what) "-DCAPABILITIES='TN_HAS(coordinates, .coordinates = " what ")'"

static void coordinates_that_cannot_be_measured_are_refused(void **state)
{
    (void)state;
    assert_refused(COORDINATES("one"), "element \"spring\" has no function `coordinate`");
    assert_refused(COORDINATES("none, .coordinate = measure"),
                   "the coordinates of \"spring\" are an empty list");
    assert_refused(COORDINATES("one, .coordinate = measure") " -DPORTS=NULL",
                   "element \"spring\" has coordinates, but no ports");
    assert_refused(COORDINATES("no_unit, .coordinate = measure"),
                   "coordinate \"angle\" of \"spring\" has no unit");
    assert_refused(COORDINATES("three, .coordinate = measure"),
                   "coordinate \"place\" of \"spring\" has size 3, not 1");
}

static void what_is_said_of_coordinates_fits_no_other_marker(void **state)
{
    (void)state;
#define PLACE(fields) "-DMORE='{\"marker\", &place},' -DMARKER='" fields "'"
    assert_refused(PLACE(".kind = TN_ANY"), "marker \"place\" delivers an unknown kind 4");
    assert_refused(PLACE(".kind = TN_NODE_OF(6)"), "marker \"place\" delivers an unknown kind 1539");
    assert_refused(PLACE(".kind = TN_FRAME") " -DMEASURED=\", .unit = \\\"m\\\"\"",
                   "is not a coordinate: it cannot have a unit");
    assert_refused(PLACE(".flags = TN_COUNTS_TURNS"), "is not a coordinate: it cannot count turns");
    assert_refused(PLACE(".flags = TN_QUASI_COORDINATE"),
                   "is not a coordinate: it cannot be a quasi-coordinate");
    assert_refused(PLACE(".kind = TN_COORDINATE, .flags = TN_QUASI_COORDINATE | TN_COUNTS_TURNS"),
                   "is a quasi-coordinate: it cannot count turns");
}

static void points_behind_points_are_refused(void **state)
{
    (void)state;
    assert_refused("-DPOINTS_FROM=1",
                   "port \"markers\" of \"spring\" takes points from number 1 on, but not any marker");
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
                   "function \"f\" has 1 arguments, so 1 of them cannot be optional");
    assert_refused(FUNCTION "-DLEFT_OUT=2",
                   "function \"f\" has 1 arguments, so 2 of them cannot be optional");
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
}

#define MEASURE "-DMORE='{\"measure\", &weight},' "

static void a_measure_that_asks_for_nothing_is_refused(void **state)
{
    (void)state;
    assert_refused(MEASURE "-DFORM=0", "measure \"f\" has no form that this kernel knows");
    assert_refused(MEASURE "-DFORM=9", "measure \"f\" has no form that this kernel knows");
    assert_refused(MEASURE "-DCOMPONENT=0", "measure \"f\" does not name a component of force or torque");
    assert_refused(MEASURE "-DCOMPONENT=9", "measure \"f\" does not name a component of force or torque");
    assert_refused(MEASURE "-DFORM=TN_MEASURE_FORCE",
                   "measure \"f\" names a component, but its calls do that");
    assert_refused(MEASURE "-DCALLED='\"sin\"'",
                   "measure \"sin\" has a name that expressions use themselves");
    char reason[256];
    make_directory("measure");
    compile("measure/f.so", MEASURE "-DFORM=TN_MEASURE_VARIABLE -DCOMPONENT=0");
    tn_registry *registry = registry_with("measure");
    assert_non_null(tn_registry_find(registry, TN_MEASURE_KIND, "f", reason, sizeof reason));
}

/* Capabilities: those of others are left out, the kernel's own are all known or refused. */
static void capabilities_that_cannot_be_right_are_refused(void **state)
{
    (void)state;
#define CAPABILITIES(list) "-DCAPABILITIES='" list "'"
#define RAW(key, table) CAPABILITIES("{\"" key "\", " table "}")
    assert_refused(
        CAPABILITIES("TN_HAS(energy, .potential = measure)"),
        "element \"spring\" has the port \"markers\", but no capability that reads its markers, such as "
        "\"tenon.force/1\"");
    assert_refused(
        RAW("tenon.force/2", "&(const tn_force_capability){.struct_size = 8}"),
        "capability \"tenon.force/2\" of element \"spring\" is of another version: this kernel knows "
        "\"tenon.force/1\"");
    assert_refused(
        RAW("tenon.froce/1", "&(const tn_force_capability){.struct_size = 8}"),
        "element \"spring\" has an unknown capability \"tenon.froce/1\": did you mean \"tenon.force/1\"?");
    assert_refused(RAW("tenon.force/1", "NULL"), "has no table");
    assert_refused(RAW("tenon.force/1", "&(const tn_force_capability){.struct_size = 4}"),
                   "has a struct_size of 4 bytes");
    assert_refused(RAW("tenon.force/1", "&(const struct { tn_force_capability now; void *later; }){.now = "
                                        "{.struct_size = sizeof(tn_force_capability) + 8, .force = measure}, "
                                        ".later = (void *)measure}"),
                   "uses fields of a later interface: 32 bytes, this kernel knows 24");
    assert_refused(CAPABILITIES("TN_HAS(force, .force = measure), TN_HAS(force, .force = measure)"),
                   "has the capability \"tenon.force/1\" twice");
    assert_refused(CAPABILITIES("TN_HAS(body, .mass = measure), TN_HAS(constraint, .constraint = measure)"),
                   "has both \"tenon.body/1\" and \"tenon.constraint/1\"");
    assert_refused(
        CAPABILITIES(
            "TN_HAS(force, .force_tangent = measure), TN_HAS(energy, .potential = measure)") " -DPORTS=NULL",
        "element \"spring\" has no function `force`");
    assert_refused(
        CAPABILITIES(
            "TN_HAS(configuration, .rate = measure, .retract = measure)") " -DPORTS=NULL -DROWS='.flags = "
                                                                          "TN_VECTOR_SPACE'",
        "is flagged TN_VECTOR_SPACE: it cannot have \"tenon.configuration/1\"");
}

static void what_a_later_interface_adds_may_stay_unused(void **state)
{
    (void)state;
    char reason[256];
    make_directory("later");
    compile("later/spring.so",
            "-DMINOR=7 " CAPABILITIES(
                "TN_HAS(force, .force = measure), {\"acme.roads/1\", \"any\"}, {\"tenon.energy/1\", "
                "&(const struct { tn_energy_capability now; void *later; }){.now = "
                "{.struct_size = sizeof(tn_energy_capability) + 8}}}"));
    tn_registry *registry = registry_with("later");
    assert_non_null(tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason));
    assert_string_equal(
        tn_registry_file(registry, 0)->reason,
        "capability \"acme.roads/1\" of element \"spring\" is ignored: this kernel does not know it");
}

static void an_unresolved_symbol_is_refused(void **state)
{
    (void)state;
    assert_refused("-DUNRESOLVED", "undefined symbol: prepare");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_interface_is_refused_naming_both),
        cmocka_unit_test(an_incomplete_library_is_refused),
        cmocka_unit_test(a_type_that_cannot_be_right_is_refused),
        cmocka_unit_test(a_parameter_of_which_its_kind_is_not_capable_is_refused),
        cmocka_unit_test(coordinates_that_cannot_be_measured_are_refused),
        cmocka_unit_test(what_is_said_of_coordinates_fits_no_other_marker),
        cmocka_unit_test(points_behind_points_are_refused),
        cmocka_unit_test(a_key_with_two_meanings_is_refused),
        cmocka_unit_test(a_function_that_expressions_cannot_call_is_refused),
        cmocka_unit_test(a_measure_that_asks_for_nothing_is_refused),
        cmocka_unit_test(capabilities_that_cannot_be_right_are_refused),
        cmocka_unit_test(what_a_later_interface_adds_may_stay_unused),
        cmocka_unit_test(an_unresolved_symbol_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
