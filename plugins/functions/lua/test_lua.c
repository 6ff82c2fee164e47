/* test_lua.c - functions of scripts as the kernel calls them: numbers, derivatives, questions, errors, threads */
#include "lanes.c"
#include "lua.c"

#include "../../solvers/test_host.h"

#include <pthread.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static char script_file[] = "/tmp/tenon_lua_XXXXXX";

static int set_up(void **state)
{
    (void)state;
    const int file = mkstemp(script_file);
    return file < 0 || close(file);
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(script_file);
}

/* An instance with the defaults of the keys, of a script with this text. */
static source instance_of(const char *text, const char *function, int arguments)
{
    FILE *file = fopen(script_file, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return (source){
        .script = script_file, .function = function, .arguments = arguments, .step = 1.0, .limit = 10.0};
}

static void prepare(test_host *host, source *self)
{
    if (prepare_lua(&host->table, self) != TN_OK) fail_msg("%s", host->message);
}

static double value_of(const source *self, const double *x)
{
    double value = 0.0;
    assert_int_equal(source_value(self, x, &value, NULL, NULL), TN_OK);
    return value;
}

static void numbers_go_in_and_out(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    source self = instance_of(
        "function f(x, reading, k) return x + 10*reading + 100*k + 1000*sysfnc('VM', 3) end", "f", 1);
    const char *const reads[] = {"DX(tip)"};
    self.reads = (tn_texts){reads, 1};
    self.parameters = "4";
    prepare(&host, &self);
    assert_string_equal(source_reads(&host.table, &self, 0), "DX(tip)");
    assert_string_equal(source_reads(&host.table, &self, 1), "VM(3)");
    assert_null(source_reads(&host.table, &self, 2));
    assert_true(value_of(&self, (const double[]){1.0, 2.0, 3.0}) == 3421.0);
    double value = 0.0, first[3] = {0};
    assert_int_equal(source_value(&self, (const double[]){1.0, 2.0, 3.0}, &value, first, NULL), TN_OK);
    assert_true(fabs(first[0] - 1.0) < 1e-6 && fabs(first[1] - 10.0) < 1e-6 &&
                fabs(first[2] - 1000.0) < 1e-5);
    release_lua(&host.table, &self);
    test_host_end(&host);
}

static void questions_become_readings(void **state)
{
    (void)state;
    static const char *const texts[] = {"VM(1011)",   "WX(1011)", "WY(1011)", "WZ(1011)",
                                        "DX(tip, 7)", "DZ(tip)",  "TIME"};
    test_host host;
    test_host_begin(&host);
    source self =
        instance_of("function VARSUB(id, time, par, npar, dflag, iflag)\n"
                    "  local vm, errflg = sysfnc('VM', par[1])\n"
                    "  local w = sysary('RVEL', {par[1]})\n"
                    "  local x, z = sysfnc('DX', 'tip', 7), sysfnc('DZ(tip)')\n"
                    "  assert(errflg == 0 and npar == 2 and (dflag == false or dflag == true))\n"
                    "  return iflag and 0 or vm + 10*w[1] + 100*w[2] + 1000*w[3] + 1e4*x + 1e5*z + 1e6*time\n"
                    "end",
                    NULL, 0);
    self.parameters = "USER (1011, 4)";
    prepare(&host, &self);
    for (uint32_t k = 0; k < COUNT(texts); k++)
        assert_string_equal(source_reads(&host.table, &self, k), texts[k]);
    assert_null(source_reads(&host.table, &self, COUNT(texts)));
    assert_true(value_of(&self, (const double[]){1, 2, 3, 4, 5, 6, 7}) == 7654321.0);
    release_lua(&host.table, &self);
    test_host_end(&host);
}

static void a_script_may_give_its_derivatives(void **state)
{
    (void)state;
    static const char text[] = "function f(x, v, k) return k*x*v, k*v, k*x end\n"
                               "function listed(x, v, k) return k*x*v, {k*v, k*x} end\n"
                               "function few(x, v, k) return k*x*v, k*v end\n"
                               "function word(x, v, k) return k*x*v, k*v, 'fast' end\n";
    static const char *const names[] = {"f", "listed"};
    static const struct {
        const char *name, *problem;
    } wrong[] = {{"few", "it returns 1 derivatives instead of 2"}, {"word", "derivative 2 is not a number"}};
    test_host host;
    test_host_begin(&host);
    double value = 0.0, first[2] = {0}, second[4] = {0};
    for (int k = 0; k < 2; k++) {
        source self = instance_of(text, names[k], 2);
        self.parameters = "USER(3)";
        prepare(&host, &self);
        assert_int_equal(source_value(&self, (const double[]){2.0, 5.0}, &value, first, second), TN_OK);
        assert_true(value == 30.0 && first[0] == 15.0 && first[1] == 6.0);
        assert_true(fabs(second[1] - 3.0) < 1e-9 && fabs(second[0]) < 1e-9 && second[1] == second[2]);
        release_lua(&host.table, &self);
    }
    for (int k = 0; k < 2; k++) {
        source self = instance_of(text, wrong[k].name, 2);
        self.parameters = "USER(3)";
        const bool ready = prepare_lua(&host.table, &self) == TN_OK;
        assert_true(ready &&
                    source_value(&self, (const double[]){2.0, 5.0}, &value, first, NULL) == TN_INVALID);
        assert_non_null(strstr(host.message, wrong[k].problem));
        release_lua(&host.table, &self);
    }
    test_host_end(&host);
}

static void instances_are_apart(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    source a = instance_of("function f(x, k) scale = scale or k; return x*scale end", "f", 1), b = a;
    a.parameters = "2";
    b.parameters = "3";
    prepare(&host, &a);
    prepare(&host, &b);
    assert_true(value_of(&a, (const double[]){1.0}) == 2.0 && value_of(&b, (const double[]){1.0}) == 3.0);
    release_lua(&host.table, &a);
    assert_true(value_of(&b, (const double[]){1.0}) == 3.0);
    release_lua(&host.table, &b);
    test_host_end(&host);
}

static void what_is_printed_is_a_message(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    source self = instance_of("print('loaded', 1)\nfunction f(x) print('x =', x); return x end", "f", 1);
    prepare(&host, &self);
    (void)value_of(&self, (const double[]){0.25});
    assert_non_null(strstr(host.message, ": x =\t0.25"));
    release_lua(&host.table, &self);
    test_host_end(&host);
}

/* ---- what cannot be trusted -------------------------------------------------------------------------------- */

/* A script whose function is refused, when it is prepared. */
static const struct {
    const char *text, *problem;
} refused[] = {
    {"function f(x) return x + end", ":1: unexpected symbol near 'end'"},
    {"g = nil + 1", ":1: attempt to perform arithmetic on a nil value"},
    {"function g(x) return x end", "has no global function `f`"},
    {"f = 3", "is not a function"},
    {"function f(x) return nil end", "it returns nil instead of a number"},
    {"function f(x) return end", "it returns nothing instead of a number"},
    {"function f(x) return y.z end", ":1: attempt to index a nil value (global 'y')"},
    {"function f(x) error({}) end", "an error without words"},
    {"function f(x) return sysfnc('VM', 1.5) end", ":1: 1.5 is neither a name nor an id"},
    {"function f(x) return sysary('VELO', 1)[1] end", "there is no such array"},
    {"sysfnc('VM', 1)", "a question outside of a call from the model"},
    {"n = 0\nfunction f(x) n = n + 1; return n end", "it keeps something from call to call"},
    {"local old = 0\nfunction f(x) local y = old; old = x; return y end",
     "it keeps something from call to call"},
    {"local born = os.clock()\nfunction f(x) return born end", "it keeps something from call to call"},
    {"function f(x) while x > 0 do end return x end", "has not ended within"},
    {"function f(x) while x > 0 do pcall(function() while true do end end) end return x end",
     "has not ended within"},
    {"function f(x) return coroutine.wrap(function() while x > 0 do end return x end)() end",
     "has not ended within"},
    {"while true do end", "it has not ended within 0.2 s"},
    {"function f(x) return #string.rep('x', (1 << 31) - 1) end", "more memory"},
};

static void what_cannot_be_trusted_is_refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(refused); k++) {
        test_host host;
        test_host_begin(&host);
        source self = instance_of(refused[k].text, "f", 1);
        self.limit = 0.2;
        const tn_status status = prepare_lua(&host.table, &self);
        if (status != TN_INVALID || !strstr(host.message, refused[k].problem))
            fail_msg("%s: status %d, `%s`", refused[k].text, (int)status, host.message);
        test_host_end(&host);
    }
}

static void an_error_names_its_line(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    source self = instance_of(
        "function f(x)\n  if x > 1 then\n    error('too fast')\n  end\n  return x/x\nend", "f", 1);
    prepare(&host, &self);
    double value = 0.0;
    assert_int_equal(source_value(&self, (const double[]){2.0}, &value, NULL, NULL), TN_INVALID);
    assert_non_null(strstr(host.message, ":3: too fast"));
    assert_int_equal(source_value(&self, (const double[]){0.0}, &value, NULL, NULL), TN_RETRY); /* nan */
    assert_true(value_of(&self, (const double[]){0.5}) == 1.0);
    release_lua(&host.table, &self);
    test_host_end(&host);
}

/* A question that comes with certain numbers only. */
static void the_same_questions_are_asked_in_all_calls(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    source self = instance_of("function f(x) return x > 1 and sysfnc('VM', 3) or x end", "f", 1);
    prepare(&host, &self);
    double value = 0.0;
    assert_int_equal(source_value(&self, (const double[]){2.0}, &value, NULL, NULL), TN_INVALID);
    assert_non_null(
        strstr(host.message, ":1: it asks for `VM(3)`, which it has not asked for in its first call"));
    release_lua(&host.table, &self);
    test_host_end(&host);
}

/* ---- threads ----------------------------------------------------------------------------------------------- */

static void *call_often(void *data)
{
    for (int k = 0; k < 5000; k++)
        if (value_of(data, (const double[]){k}) != 2.0 * k) return data;
    return NULL;
}

static void threads_may_call_one_instance(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    source self = instance_of("function f(x) return 2*x end", "f", 1);
    prepare(&host, &self);
    pthread_t thread[4];
    for (int k = 0; k < 4; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, call_often, &self), 0);
    assert_null(call_often(&self));
    for (int k = 0; k < 4; k++) {
        void *failed;
        assert_int_equal(pthread_join(thread[k], &failed), 0);
        assert_null(failed);
    }
    release_lua(&host.table, &self);
    test_host_end(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_go_in_and_out),
        cmocka_unit_test(questions_become_readings),
        cmocka_unit_test(a_script_may_give_its_derivatives),
        cmocka_unit_test(instances_are_apart),
        cmocka_unit_test(what_is_printed_is_a_message),
        cmocka_unit_test(what_cannot_be_trusted_is_refused),
        cmocka_unit_test(an_error_names_its_line),
        cmocka_unit_test(the_same_questions_are_asked_in_all_calls),
        cmocka_unit_test(threads_may_call_one_instance),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
