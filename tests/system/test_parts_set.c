/* test_parts_set.c - `--set` reaches everything in a model and in its parts, and tells what it does not find */
#include "parts.h"

static const char stack[] = "[parameters]\nk = 100\n" PART(
    "a", "swing.toml") "parameters = { k = 'k' }\n" PART("b", "deep.toml") MASS("[1.1, 0, 0]") SPRING("")
    POSITION(
        "mass") "[[repeat]]\ncount = 2\n[[repeat.element]]\nname = 'r{i}'\ntype = 'mass_point'\nmass = 1\n"
                "velocity = [1, 0, 0]\n[[repeat.sensor]]\nname = 'r{i}'\nelement = 'r{i}'\noutput = "
                "'position'\n"
                "[[change]]\ntime = 0.1\nelement = 'spring'\nparameter = 'stiffness'\nvalue = 50\n"
                "[[solver]]\ntype = 'rk'\nend_time = 0.1\nstep = 0.01\n"
                "[[solver]]\ntype = 'generalized_alpha'\nend_time = 0.2\nstep = 0.01\n";

static void write_stack(void)
{
    (void)tn_write("swing.toml", SWING);
    (void)tn_write("deep.toml", PART("in", "swing.toml"));
}

static void an_override_reaches_everything(void **state)
{
    (void)state;
    write_stack();
    const tn_csv_table *plain = tn_simulate_parts(stack, NULL);
    const struct {
        const char *set, *column;
    } cases[] = {{"part.a.parameters.k=50", "a.mass.x"},
                 {"part.0.parameters.k=50", "a.mass.x"},
                 {"part.a.element.spring.stiffness=k/2", "a.mass.x"},
                 {"part.0.element.spring.stiffness=0.05 [N/mm]", "a.mass.x"},
                 {"element.a.spring.stiffness=50", "a.mass.x"},
                 {"element.b.in.spring.stiffness=50", "b.in.mass.x"},
                 {"part.b.part.in.element.spring.stiffness=50", "b.in.mass.x"},
                 {"part.b.part.in.parameters={ k = 50 }", "b.in.mass.x"},
                 {"part.a.position=[0.1, 0, 0]", "a.mass.x"},
                 {"part.a.rotation={ axis = [0, 0, 1], angle = 1 }", "a.mass.x"},
                 {"part.a.sensor.mass.output=velocity", "a.mass.x"},
                 {"part.a.sensor.0.output=velocity", "a.mass.x"},
                 {"repeat.0.element.r{i}.velocity=[2, 0, 0]", "r1.x"},
                 {"repeat.0.element.0.velocity=['1 + i', 0, 0]", "r1.x"},
                 {"change.0.value=20", "mass.x"},
                 {"solver.1.step=0.02", "mass.x"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const tn_csv_table *other = tn_simulate_parts(stack, TN_WORDS("--set", cases[k].set));
        if (tn_value_at(other, cases[k].column, 0.2) == tn_value_at(plain, cases[k].column, 0.2))
            fail_msg("%s changes nothing", cases[k].set);
    }
    /* what means the same gives the same */
    tn_check_equal(tn_simulate_parts(stack, TN_WORDS("--set", "parameters.k=50")),
                   tn_simulate_parts(stack, TN_WORDS("--set", "element.spring.stiffness=50", "--set",
                                                     "part.a.parameters.k=50")));
    tn_check_equal(tn_simulate_parts(stack, TN_WORDS("--set", "element.a.spring.stiffness=30", "--set",
                                                     "part.a.element.spring.stiffness=100")),
                   plain);
}

static void a_wrong_override_says_so(void **state)
{
    (void)state;
    write_stack();
    const char *model = tn_write("parts.toml", stack);
    const struct {
        const char *set, *error;
    } wrong[] = {
        {"part.c.parameters.k=3", ": error: \"part\" has no item named \"c\""},
        {"part.2.parameters.k=3", ": error: \"part\" has no item named \"2\""},
        {"part.a.parameters.kk=3", ":1:1: error: the part has no parameter `kk`"},
        {"part.a.positon=[1, 0, 0]", ":1:1: error: unknown key `positon`: did you mean `position`?"},
        {"part.a=3",
         ": error: \"part\" is an array: an item is chosen by its name or number, and a key must follow"},
        {"part=3", ":1:1: error: `part` is an array of tables: write [[part]]"},
        {"part.a.element.spring.stifness=3",
         ":1:1: error: unknown key `stifness`: did you mean `stiffness`? (in part `a`)"},
        {"part.a.element.sprng.stiffness=3",
         ":1:1: error: \"element\" has no item named \"sprng\": did you mean \"spring\"?"},
        {"element.a.sprng.stiffness=3",
         ":1:1: error: \"element\" has no item named \"sprng\": did you mean \"spring\"?"},
        {"element.sprin.stiffness=3",
         ": error: \"element\" has no item named \"sprin\": did you mean \"spring\"?"},
        {"part.a.element.spring.stiffness=soft", ":1:1: error: unknown name `soft` (in part `a`)"},
        {"part.b.part.out.parameters.k=3", ":1:1: error: \"part\" has no item named \"out\""},
        {"part.a.solver.step=3",
         ":1:1: error: `solver` belongs in the file of the model, not in that of a part"},
        {"part.a.set=3", ":1:1: error: `set` is a table of values by path"},
        {"include.files=['x.toml']", ": error: [include] has been read already: change it in the file"},
        {"part.a.include.files=['x']", ":1:1: error: [include] has been read already"},
        {"part.a.file=none.toml", ":1:1: error: `"},
        {"change.1.value=3", ": error: \"change\" has no item named \"1\""},
        {"solver.2.step=3", ": error: \"solver\" has no item named \"2\""},
        {"solver.step=3", ": error: \"solver\" is an array: an item is chosen by its name or number"},
        {"repeat.0.element.q.mass=3", ": error: \"repeat.0.element\" has no item named \"q\""}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const tn_outcome outcome = tn_tenon(TN_WORDS("check", model, "--set", wrong[k].set));
        if (outcome.status != 2) fail_msg("%s is accepted", wrong[k].set);
        const char *path = tn_format("--set %.*s", (int)strcspn(wrong[k].set, "="), wrong[k].set);
        tn_check_holds(outcome.errors, TN_WORDS(tn_format("%s%s", path, wrong[k].error)));
    }
    /* without any part there is none to be set */
    model = tn_write("parts.toml", MASS("[1, 0, 0]") SOLVER);
    const tn_outcome none = tn_tenon(TN_WORDS("check", model, "--set", "part.a.parameters.k=3"));
    assert_int_equal(none.status, 2);
    tn_check_holds(none.errors, TN_WORDS("\"part\" has no item named \"a\""));
    /* without any element of its own the model has those of its parts only */
    model = tn_write("parts.toml", PART("left", "swing.toml") SOLVER);
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", model, "--set", "element.lef.spring.stiffness=3"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("\"element\" has no item named \"lef\": did you mean \"left\"?"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_override_reaches_everything),
        cmocka_unit_test(a_wrong_override_says_so),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
