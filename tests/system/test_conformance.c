/* test_conformance.c - what a run cannot see, since the results of a wrong law look like results: the conformance checks fail
 * for a type with such a fault, and say which one it is */
#define _GNU_SOURCE
#include "harness.h"

#include <sys/stat.h>

/* The checks of a type of tests/system/plugins/ with a fault, in a folder of its own. */
static tn_outcome check_type(const char *source, const char *fault)
{
    const char *text = tn_read(tn_format(TENON_SOURCE_DIR "/tests/system/plugins/%s.c", source));
    const char *folder = tn_scratch_path(NULL);
    assert_int_equal(mkdir(folder, 0777), 0);
    const char *plugin = tn_build_text("faulty", tn_format("#define %s\n%s", fault, text));
    assert_int_equal(rename(plugin, tn_format("%s/faulty.so", folder)), 0);
    return tn_await(
        tn_start("env", TN_WORDS(tn_format("TENON_PLUGINS=%s", folder), getenv("TENON_CONFORMANCE"))));
}

static void check_fault(const char *source, const char *fault, const char *check, const char *words)
{
    const tn_outcome outcome = check_type(source, fault);
    const char *said = tn_format("%s%s", outcome.output, outcome.errors);
    if (outcome.status == 0 || outcome.status > 128)
        fail_msg("%s: status %d\n%s", fault, outcome.status, said);
    tn_check_holds(said, TN_WORDS(tn_format("[  FAILED  ] faulty: %s", check), words));
}

static void test_types_without_fault(void **state)
{
    (void)state;
    static const char *const sources[][2] = {
        {"faulty_connector", "NO_FAULT"},
        {"faulty_constraint", "NO_FAULT"},
        {"faulty_marker", "NO_FAULT"},
        {"faulty_body", "NO_FAULT"},
        {"faulty_chain", "NO_FAULT"},
        {"faulty_chain", "BENT"},
        {"faulty_follower", "NO_FAULT"},
        {"helix", "NO_FAULT"},
        {"dish", "NO_FAULT"},
    };
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
        const tn_outcome outcome = check_type(sources[k][0], sources[k][1]);
        if (outcome.status != 0)
            fail_msg("%s, %s:\n%s%s", sources[k][0], sources[k][1], outcome.output, outcome.errors);
    }
}

static void test_forces(void **state)
{
    (void)state;
    const char *source = "faulty_connector";
    check_fault(source, "ONE_SIDED", "wrenches are in balance", "forces add up to ");
    check_fault(source, "PULLS_ALONG_X", "indifferent to the observer's axes", "for a turned observer");
    check_fault(source, "COUNTS", "same bits in any order and size of batch",
                "has other bits in a reversed batch");
    check_fault(source, "WRONG_TANGENT", "tangent of the force is exact", "tangent 100000, differences ");
    check_fault(source, "WRONG_POTENTIAL", "forces follow from the potential", "rate of the potential");
    check_fault(source, "CREATES", "dissipates no negative power", "dissipates -3 W");
}

static void test_memory(void **state)
{
    (void)state;
    const char *source = "faulty_connector", *results = "writes all results and no input";
    check_fault(source, "BEHIND", results, "wrote beyond the end of an array of ");
    check_fault(source, "IN_FRONT", results, "wrote in front of an array of ");
    check_fault(source, "OUTPUT_BEHIND", results, "wrote beyond the end of an array of ");
    check_fault(source, "WRITES_STATES", results, "wrote beyond the end of an array of 0 bytes");
    check_fault(source, "WRITES_DATA", results, "wrote beyond the end of an array of 0 bytes");
    check_fault(source, "CHANGES_POSE", results, "an input array was changed");
    check_fault(source, "CHANGES_PARAMETER", results, "an input array was changed");
}

static void test_constraints(void **state)
{
    (void)state;
    check_fault("faulty_constraint", "READS_PLAIN_TIME", "rate and bias are time derivatives", ": rate is ");
    check_fault("faulty_constraint", "IS_A_SQUARE", "rows hold something where they vanish",
                "its derivatives vanish where it is zero");
}

static void test_rows_that_read_unknowns(void **state)
{
    (void)state;
    const char *source = "faulty_follower", *rows = "rows are the derivatives of the residuals",
               *motion = "rate and bias are time derivatives",
               *stiffness = "stiffness is the derivative of the reactions";
    check_fault(source, "HOLDS_UNKNOWNS", rows, "entry 1: row times direction is ");
    check_fault(source, "READS_PLAIN_TIME", motion, "entry 1: rate is ");
    check_fault(source, "LEAVES_OUT_BIAS", motion, "entry 0: bias is 0, differences give ");
    check_fault(source, "LEAVES_OUT_STIFFNESS", stiffness, ": stiffness times direction is 0, ");
    check_fault(source, "READS_VELOCITY", "unknowns of rows do not depend on velocities",
                "equation 0 depends on velocities");
    check_fault(source, "HAS_STATES", "unknowns of rows are few, and it has no states",
                "its rows read unknowns, and it has states");
}

static void test_markers(void **state)
{
    (void)state;
    check_fault("faulty_marker", "WRONG_VELOCITY", "twist is the rate of the pose", ", rate of the pose ");
}

static void test_bodies(void **state)
{
    (void)state;
    check_fault("faulty_body", "WRONG_JACOBIAN", "jacobian of markers gives their twist",
                "jacobian times v is ");
    check_fault("faulty_body", "WRONG_TWIST", "twist of markers is the rate of their pose",
                ", rate of the pose ");
    check_fault("faulty_body", "WRONG_PULL_BACK", "pull-back is the transpose of the jacobian",
                ", jacobian^T wrench ");
    check_fault("faulty_body", "KEEPS_LITTLE", "twist of markers is the rate of their pose",
                "bind says that 16 bytes of the data matter, but the poses are others without the rest");
    check_fault("faulty_body", "KEEPS_MORE", "twist of markers is the rate of their pose",
                "bind says that 32 bytes of the data matter, and there are 24");
}

static void test_bodies_that_list_entries(void **state)
{
    (void)state;
    const char *source = "faulty_chain", *list = "list of entries is sound",
               *mass = "mass matrix is symmetric and positive",
               *tangent = "tangent of the force on itself is exact";
    check_fault(source, "LISTS_TWICE", list, "(0, 0) is listed twice");
    check_fault(source, "LISTS_ONE_SIDE", list, "and the entry that mirrors it one is not listed");
    check_fault(source, "LISTS_OUTSIDE", list, "entry 1 of the list is (0, ");
    check_fault(source, "ASYMMETRIC", mass, ", its mirror image ");
    check_fault(source, "INDEFINITE", mass, " is not positive definite");
    check_fault(source, "WRONG_ENTRY", tangent, "row 2 column 1: tangent -1, differences ");
    check_fault(source, "READS_FURTHER", tangent, " by differences, but its entry is not listed");
    check_fault(source, "BENT_INDEFINITE", tangent, "by accelerations it is not positive definite");
    check_fault(source, "WRITES_ALL", tangent, " where nothing else is asked for, else ");
}

static void test_markers_of_some_coordinates(void **state)
{
    (void)state;
    const char *source = "faulty_chain";
    check_fault(source, "WRONG_FIRST", "jacobian of markers gives their twist", "jacobian times v is ");
    check_fault(source, "BEYOND", "jacobian of markers gives their twist", "bind tells of the coordinates ");
    check_fault(source, "FORGETS_NEIGHBOUR", "pull-back is the transpose of the jacobian",
                ", jacobian^T wrench ");
    check_fault(source, "WRONG_PULL_BACK_DERIVATIVE", "derivatives of twist and pull-back are exact",
                "pull_back_derivative of marker ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_without_fault),
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_constraints),
        cmocka_unit_test(test_rows_that_read_unknowns),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_bodies_that_list_entries),
        cmocka_unit_test(test_markers_of_some_coordinates),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
