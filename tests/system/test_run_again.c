/* test_run_again.c - the run.toml of a model in several files can be run from anywhere, with the same results */
#include "parts.h"

#include <sys/stat.h>

/* A folder with all that names files: parts, data, parts with data, values that name data, repeats with data. */
static const char *write_folder(void)
{
    (void)mkdir(tn_scratch_path("my models"), 0700);
    (void)mkdir(tn_scratch_path("my models/\"parts\" \xC3\xBC"), 0700);
#define BELOW(name) "my models/\"parts\" \xC3\xBC/" name
    (void)tn_write(BELOW("a.csv"), "t,x,y\n0,1,0\n1,2,3\n2,5,1\n");
    (void)tn_write(BELOW("b_0.csv"), "0 1\n1 2\n2 4\n");
    (void)tn_write(BELOW("b_1.csv"), "0 3\n1 2\n2 5\n");
    (void)tn_write(
        BELOW("swing.toml"),
        "[part]\nuses = ['far']\n[parameters]\nk = 100\n[[signal]]\nname = 'near'\nfile = 'a.csv'\n" MASS(
            "[1.2, 0, 0]") SPRING("force = 'spline(near, time) + spline(far, time)'\n") POSITION("mass"));
    (void)tn_write(BELOW("more.toml"), "[[signal]]\nname = 'far'\nfile = 'a.csv'\ncolumns = [0, 2]\n");
    return tn_write(
        "my models/model.toml",
        "[include]\nfiles = ['\"parts\" \xC3\xBC/more.toml']\n[parameters]\nm = 2\n"
        "[[part]]\nname = 'a'\nfile = '\"parts\" \xC3\xBC/swing.toml'\nparameters = { k = '100/m' }\n"
        "[[part]]\nname = 'b'\nfile = '\"parts\" \xC3\xBC/swing.toml'\n"
        "set = { 'signal.near.file' = '\"parts\" \xC3\xBC/b_1.csv', 'element.mass.mass' = 3 }\n"
        "[[signal]]\nname = 'm'\nx = [0, 1, 2]\ny = [0, 1, '4 [mm]']\n"
        "[[repeat]]\ncount = 2\nvariable = 'm_'\n"
        "[[repeat.signal]]\nname = 'c{m_}'\nfile = '\"parts\" \xC3\xBC/b_{m_}.csv'\ncolumns = ['0*m_', 1]\n"
        "[[repeat.element]]\nname = 'r{m_}'\ntype = 'mass_point'\nmass = 'm + m_'\nid = '10 + m_'\n"
        "position = { value = ['m_', 0, 0], unit = 'mm' }\n"
        "[[repeat.element]]\nname = 'push{m_}'\ntype = 'force'\nmarkers = ['r{m_}']\n"
        "value = ['spline(c{m_}, time + m_) + spline(m, m_) + spline(a.near, m_)', 0, 0]\n"
        "[[repeat.sensor]]\nname = 'r{m_}'\nelement = 'r{m_}'\noutput = 'position'\n" SOLVER);
}

static void run_toml_can_be_run_anywhere(void **state)
{
    (void)state;
    const char *model = write_folder();
    const char *const sets[][7] = {
        {NULL},
        {"--expanded", NULL},
        {"--set", "part.a.signal.near.file=\"parts\" \xC3\xBC/b_0.csv", "--set", "element.a.mass.mass=1.5",
         NULL},
        {"--expanded", "--set", "part.a.parameters.k=1 [N/mm]", "--set", "part.b.position=[1, 2, 3]", NULL},
        {"--set", "signal.m.y=[0, 2, \"8 [mm]\"]", "--set", "part.b.element.spring.stiffness=k*2", NULL}};
    const char *first = NULL;
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        const char *results = tn_run_file(model, sets[k]),
                   *again = tn_run_file(tn_format("%s/run.toml", results), NULL);
        assert_string_equal(tn_sensor_text(results), tn_sensor_text(again));
        if (k == 0) first = tn_sensor_text(results);
        if (k == 1) assert_string_equal(tn_sensor_text(results), first);
        if (k > 1) assert_string_not_equal(tn_sensor_text(results), first);
        assert_string_equal(tn_sensor_text(tn_run_file(tn_format("%s/run.toml", again), NULL)),
                            tn_sensor_text(again));
    }
}

/* The file that `--expanded` leaves behind has no repeats and the same results as the model. */
static void check_expanded(const char *model)
{
    const char *results = tn_run_file(model, TN_WORDS("--expanded")),
               *again = tn_run_file(tn_format("%s/run.toml", results), NULL);
    assert_null(strstr(tn_read(tn_format("%s/run.toml", results)), "[[repeat"));
    assert_string_equal(tn_sensor_text(results), tn_sensor_text(again));
    assert_string_equal(tn_sensor_text(results), tn_sensor_text(tn_run_file(model, NULL)));
}

/* A repeat variable is replaced in expressions, and neither in units nor in the names of signals. */
static void expanding_leaves_units_and_names(void **state)
{
    (void)state;
    const char *model =
        tn_write("units.toml", "[[signal]]\nname = 'm'\nx = [0, 1, 2, 3]\ny = [0, 1, 4, 2]\n"
                               "[[repeat]]\ncount = 3\nvariable = 'm'\n"
                               "[[repeat.element]]\nname = 'p{m}'\ntype = 'mass_point'\nmass = '1 + m [kg]'\n"
                               "position = ['10*m [m]', 0, '2*m']\n"
                               "velocity = { value = ['m', '1e1*m', 0], unit = 'm/s' }\n"
                               "[[repeat.sensor]]\nname = 'p{m}'\nelement = 'p{m}'\noutput = 'position'\n"
                               "[[repeat.sensor]]\nname = 's{m}'\nexpression = 'spline(m, m + time) + Spline "
                               "(m,m) + LinSpl(cubspl(m*time, 0, m), 0, m) + max(m, m, m)'\n" SOLVER);
    check_expanded(model);
}

/* Nor the names of what expressions read, for which numbers may stand, too. */
static void expanding_leaves_what_expressions_read(void **state)
{
    (void)state;
    const char *model = tn_write(
        "reading.toml",
        "[[element]]\nname = 'm'\nid = 1\ntype = 'mass_point'\nmass = 1\nvelocity = [1, 2, 0]\n"
        "[[element]]\nname = 'v'\nid = 3\ntype = 'reference_variable'\nexpression = 'DX(m) + time'\n"
        "[[repeat]]\ncount = 2\nvariable = 'm'\n"
        "[[repeat.element]]\nname = 'v_{m}'\nid = '1 - m'\ntype = 'reference_variable'\n"
        "expression = 'm + Dx (m) + 10*DY(m, 0, ground)*m + VARVAL(v) + VARVAL(3)'\n"
        "[[repeat.sensor]]\nname = 's{m}'\nexpression = 'm + DX(m) + VARVAL(0)'\n"
        "[[repeat.sensor]]\nname = 't{m}'\nexpression = 'VARVAL(v_{m}) + VARVAL({m}) + DX(1)'\n" SOLVER);
    check_expanded(model);
}

/* Forces, variables, sensors and changes that read the motion, inside and outside of parts, by name and id. */
static void models_that_read_their_motion_can_be_run_again(void **state)
{
    (void)state;
    (void)tn_write("spin.toml", "[part]\nuses = ['ball']\n"
                                "[[element]]\nname = 'spin'\nid = 5\ntype = 'rigid_body'\nmass = 1\n"
                                "inertia = [1, 1, 1]\nangular_velocity = [0, 0, 8]\n"
                                "[[element]]\nname = 'w'\nid = 5\ntype = 'reference_variable'\n"
                                "expression = 'DX(ball, spin, 5)'\n"
                                "[[element]]\nname = 'turn'\ntype = 'torque'\nmarkers = 'spin'\n"
                                "value = [0, 0, '-2*VARVAL(5)']\n"
                                "[[sensor]]\nname = 'turns'\nexpression = 'AZ(spin)'\n");
    const char *model = tn_write(
        "reading_parts.toml",
        "[parameters]\nk = 3\n[[part]]\nname = 'p'\nfile = 'spin.toml'\n"
        "[[element]]\nname = 'ball'\nid = 5\ntype = 'mass_point'\nmass = 1\nvelocity = [1, 2, 0]\n"
        "[[element]]\nname = 'v_0'\nid = 0\ntype = 'reference_variable'\nexpression = 'AZ(p.spin, ground)'\n"
        "[[repeat]]\ncount = 3\nvariable = 'i'\n"
        "[[repeat.element]]\nname = 'v_{i+1}'\nid = '{i+1}'\ntype = 'reference_variable'\n"
        "expression = 'VARVAL({i}) + i*DX(5) + k*VARVAL(p.w)'\n"
        "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = 'ball'\n"
        "value = ['-VARVAL(v_3) + DX(ball, p.spin)', 0, 'TIME [N]']\n"
        "[[change]]\ntime = 0.1\nelement = 'push'\nparameter = 'value'\n"
        "value = ['-0.5*VARVAL(3)', '2*DY(ball)', 0]\n"
        "[[sensor]]\nname = 'last'\nexpression = 'VARVAL(3)'\n" SOLVER);
    const char *results = tn_run_file(model, NULL), *expanded = tn_run_file(model, TN_WORDS("--expanded"));
    const char *const others[] = {expanded, tn_run_file(tn_format("%s/run.toml", results), NULL),
                                  tn_run_file(tn_format("%s/run.toml", expanded), NULL)};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        assert_string_equal(tn_sensor_text(others[k]), tn_sensor_text(results));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_toml_can_be_run_anywhere),
        cmocka_unit_test(expanding_leaves_units_and_names),
        cmocka_unit_test(expanding_leaves_what_expressions_read),
        cmocka_unit_test(models_that_read_their_motion_can_be_run_again),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
