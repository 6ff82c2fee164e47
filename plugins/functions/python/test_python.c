/* test_python.c - functions of scripts as the kernel calls them: numbers, derivatives, questions, exceptions */
#define TN_PRELUDE TENON_SOURCE_DIR "/plugins/functions/python/prelude.py"
#include "ids.c"
#include "laws.c"
#include "interpreter.c"
#include "prelude.c"
#include "python.c"

#include "../../solvers/test_host.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static char script_file[] = "/tmp/tenon_python_XXXXXX";

/* A script with this text, in place of the one before. */
static const char *write_script(const char *text)
{
    FILE *file = fopen(script_file, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return script_file;
}

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

/* An instance with the defaults of the keys. */
static python instance_of(const char *text)
{
    return (python){.script = write_script(text), .step = 1.0, .limit = 10.0};
}

static double value_of(const python *self, const double *x)
{
    double value = 0.0;
    assert_int_equal(python_value(self, x, &value, NULL, NULL), TN_OK);
    return value;
}

/* ---- numbers with derivatives ------------------------------------------------------------------------------ */

/* Bodies of f(x, y), at numbers where they are smooth. */
static const struct {
    const char *body;
    double x, y;
} laws[] = {
    {"x + y + 1 + x", 0.3, 0.7},
    {"2 - x - (y - 3) - (x - y)", 0.3, 0.7},
    {"x*y*2 + 3*x", 0.3, 0.7},
    {"x/y + x/2 + 3/y", 0.3, 0.7},
    {"x**3 + x**-2 + x**0.5 + x**0", 0.3, 0.7},
    {"x**y + 2**x + y**x", 0.3, 0.7},
    {"(-x)**3 - x**y", 0.3, 2.0},
    {"0**x + x", 0.3, 0.0},
    {"x % 0.7 + 5 % y + x % y", 2.3, 0.4},
    {"(x // 1)*y + divmod(x, 1)[1] + divmod(7, y)[1]", 2.3, 0.4},
    {"-x + (+y) + abs(x - y) + abs(x)", 0.3, 0.7},
    {"min(x, y)*max(x, y, 0.1)", 0.3, 0.7},
    {"int(x)*y + round(x)*y + round(y, 1)*x", 2.3, 0.41},
    {"sum([x, y, x*y])", 0.3, 0.7},
    {"x if x > 0.2 and y >= 0.2 and x < 1 and x <= 2 and x != y else 0", 0.3, 0.7},
    {"acos(x) + asin(y) + atan(x*y)", 0.3, 0.7},
    {"acosh(1 + x) + asinh(y) + atanh(x)", 0.3, 0.7},
    {"sin(x)*cos(y) + tan(x)", 0.3, 0.7},
    {"sinh(x)*cosh(y) + tanh(x)", 0.3, 0.7},
    {"exp(x) + exp2(y) + expm1(x*y)", 0.3, 0.7},
    {"log(x) + log(y, 3) + log(3, x) + log(x, y) + log10(x) + log2(y) + log1p(x)", 0.3, 0.7},
    {"sqrt(x) + cbrt(y) + pow(x, y) + pow(x, 2) + pow(2, y)", 0.3, 0.7},
    {"hypot(x, y, 1) + dist([x, 1], [2, y])", 0.3, 0.7},
    {"atan2(x, y) + atan2(1, x) + atan2(y, 2)", -0.3, 0.7},
    {"fabs(-x)*copysign(x, -1)*copysign(2, y)", 0.3, 0.7},
    {"fmod(x, y) + remainder(x, y) + fmod(x, 0.5)", 2.3, 0.9},
    {"modf(x)[0] + modf(x)[1]*y + frexp(x)[0] + ldexp(y, 2)", 2.3, 0.9},
    {"fsum([x, y, 1]) + prod([x, y, 2]) + degrees(x) + radians(y)", 0.3, 0.7},
    {"erf(x) + erfc(y) + gamma(x) + lgamma(y)", 0.3, 0.7},
    {"gamma(x) + lgamma(y)", -0.3, -1.7},
    {"floor(x)*y + ceil(y)*x + trunc(x)*y", 2.3, 0.7},
    {"x*isfinite(y) + isnan(x) + isclose(x, 0.3)*y", 0.3, 0.7},
    {"3.5", 0.3, 0.7},
};

static python law(const char *body, bool dual)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "from math import *\nimport math as m\ndef f(x, y):\n    return %s + 0*m.sin(x)\n", body);
    python self = instance_of(text);
    self.function = "f";
    self.arguments = 2;
    self.dual = dual;
    return self;
}

static void derivatives_are_those_of_the_value(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(laws); k++) {
        test_host host;
        test_host_begin(&host);
        python self = law(laws[k].body, true);
        if (prepare_python(&host.table, &self) != TN_OK) fail_msg("%s: %s", laws[k].body, host.message);
        const double x[] = {laws[k].x, laws[k].y};
        double value = 0.0, first[2] = {0}, second[4] = {0};
        assert_int_equal(python_value(&self, x, &value, first, second), TN_OK);
        assert_true(value == value_of(&self, x));
        for (int i = 0; i < 2; i++) {
            const double h = 1e-3;
            double at[4];
            for (int j = 0; j < 4; j++) {
                double moved[] = {x[0], x[1]};
                moved[i] += h * (double[]){-2.0, -1.0, 1.0, 2.0}[j];
                at[j] = value_of(&self, moved);
            }
            const double slope = (at[0] - 8.0 * at[1] + 8.0 * at[2] - at[3]) / (12.0 * h);
            if (!(fabs(slope - first[i]) <= 2e-8 * (1.0 + fabs(slope))))
                fail_msg("%s: derivative %d is %.12g, not %.12g", laws[k].body, i, first[i], slope);
        }
        assert_true(second[1] == second[2] && isfinite(second[0]) && isfinite(second[3]));
        release_python(&host.table, &self);
        test_host_end(&host);
    }
}

static void a_script_without_duals_has_the_same_values(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(laws); k += 3) {
        test_host host;
        test_host_begin(&host);
        python exact = law(laws[k].body, true), plain = law(laws[k].body, false);
        assert_int_equal(prepare_python(&host.table, &exact), TN_OK);
        assert_int_equal(prepare_python(&host.table, &plain), TN_OK);
        const double x[] = {laws[k].x, laws[k].y};
        double value = 0.0, other = 1.0, first[2] = {0}, slope[2] = {0};
        assert_int_equal(python_value(&exact, x, &value, first, NULL), TN_OK);
        assert_int_equal(python_value(&plain, x, &other, slope, NULL), TN_OK);
        assert_true(value == other);
        for (int i = 0; i < 2; i++)
            assert_true(fabs(first[i] - slope[i]) <= 1e-7 * (1.0 + fabs(slope[i])));
        release_python(&host.table, &exact);
        release_python(&host.table, &plain);
        test_host_end(&host);
    }
}

static void second_derivatives_are_differences_of_exact_ones(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    python self = law("sin(x)*y*y", true);
    assert_int_equal(prepare_python(&host.table, &self), TN_OK);
    const double x[] = {0.3, 0.7};
    double value = 0.0, first[2] = {0}, second[4] = {0};
    assert_int_equal(python_value(&self, x, &value, first, second), TN_OK);
    assert_true(first[0] == cos(0.3) * 0.7 * 0.7);
    assert_true(fabs(second[0] + sin(0.3) * 0.49) < 1e-10 && fabs(second[1] - 2.0 * cos(0.3) * 0.7) < 1e-10);
    assert_true(fabs(second[3] - 2.0 * sin(0.3)) < 1e-10);
    release_python(&host.table, &self);
    test_host_end(&host);
}

/* A derivative that does not exist is nan, and no other one becomes so. */
static void a_kink_spoils_its_own_derivative_only(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    python self = law("sqrt(x) + 2*y", true);
    assert_int_equal(prepare_python(&host.table, &self), TN_OK);
    const double x[] = {0.0, 0.7};
    double value = 0.0, first[2] = {0};
    assert_int_equal(python_value(&self, x, &value, first, NULL), TN_OK);
    assert_true(isnan(first[0]) && first[1] == 2.0);
    release_python(&host.table, &self);
    test_host_end(&host);
}

static void a_derivative_is_never_lost_silently(void **state)
{
    (void)state;
    static const char *const bodies[] = {"float(x)", "m.trunc(x) + float(y)", "2.0.__add__(float(x))"};
    for (size_t k = 0; k < COUNT(bodies); k++) {
        test_host host;
        test_host_begin(&host);
        python self = law(bodies[k], true);
        assert_int_equal(prepare_python(&host.table, &self), TN_OK);
        double value = 0.0, first[2] = {0};
        assert_int_equal(python_value(&self, (const double[]){0.3, 0.7}, &value, first, NULL), TN_INVALID);
        assert_non_null(strstr(host.message, "a conversion to float loses derivatives"));
        release_python(&host.table, &self);
        test_host_end(&host);
    }
}

/* ---- derivatives that the script gives --------------------------------------------------------------------- */

static void a_script_may_give_its_derivatives(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    python self = instance_of("def f(x, v, k):\n    return k*x*v, [k*v, k*x]\n"
                              "def few(x, v, k):\n    return k*x*v, [k*v]\n");
    self.function = "f";
    self.arguments = 2;
    self.parameters = "USER(3)";
    assert_int_equal(prepare_python(&host.table, &self), TN_OK);
    double value = 0.0, first[2] = {0};
    assert_int_equal(python_value(&self, (const double[]){2.0, 5.0}, &value, first, NULL), TN_OK);
    assert_true(value == 30.0 && first[0] == 15.0 && first[1] == 6.0);
    release_python(&host.table, &self);
    self.function = "few";
    assert_int_equal(prepare_python(&host.table, &self), TN_OK);
    assert_int_equal(python_value(&self, (const double[]){2.0, 5.0}, &value, first, NULL), TN_INVALID);
    assert_non_null(strstr(host.message, "it returns 1 derivatives instead of 2"));
    release_python(&host.table, &self);
    test_host_end(&host);
}

/* ---- questions --------------------------------------------------------------------------------------------- */

static const char energy[] =
    "def VARSUB(id, time, par, npar, dflag, iflag):\n"
    "    [vm, errflg] = py_sysfnc(\"VM\", [par[0]])\n"
    "    [w, errflg] = py_sysary(\"RVEL\", (par[0],))\n"
    "    x = sysfnc('DX', 'tip', 7)\n"
    "    z = sysfnc('DZ(tip)')\n"
    "    assert npar == 2 and not dflag in (0.5, 2)\n"
    "    return 0.0 if iflag else vm + 10*w[0] + 100*w[1] + 1000*w[2] + 1e4*x + 1e5*z + 1e6*time\n";

static void questions_become_readings(void **state)
{
    (void)state;
    static const char *const texts[] = {"VM(1011)",   "WX(1011)", "WY(1011)", "WZ(1011)",
                                        "DX(tip, 7)", "DZ(tip)",  "TIME"};
    for (int dual = 0; dual < 2; dual++) {
        test_host host;
        test_host_begin(&host);
        python self = instance_of(energy);
        self.parameters = "USER (1011, 4)";
        self.dual = dual;
        assert_int_equal(prepare_python(&host.table, &self), TN_OK);
        for (uint32_t k = 0; k < COUNT(texts); k++)
            assert_string_equal(python_reads(&host.table, &self, k), texts[k]);
        assert_null(python_reads(&host.table, &self, COUNT(texts)));
        const double x[] = {1, 2, 3, 4, 5, 6, 7};
        double value = 0.0, first[7] = {0};
        assert_int_equal(python_value(&self, x, &value, first, NULL), TN_OK);
        assert_true(value == 7654321.0);
        for (int k = 0; k < 7; k++)
            assert_true(fabs(first[k] / pow(10.0, k) - 1.0) < (dual ? 1e-15 : 1e-2));
        release_python(&host.table, &self);
        test_host_end(&host);
    }
}

static void declared_readings_are_numbers_of_the_function(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    python self =
        instance_of("def f(x, reading, k):\n    return x + 10*reading + 100*k + 1000*sysfnc('VM', 3)\n");
    const char *const reads[] = {"DX(tip)"};
    self.function = "f";
    self.arguments = 1;
    self.reads = (tn_texts){reads, 1};
    self.parameters = "4";
    assert_int_equal(prepare_python(&host.table, &self), TN_OK);
    assert_string_equal(python_reads(&host.table, &self, 0), "DX(tip)");
    assert_string_equal(python_reads(&host.table, &self, 1), "VM(3)");
    assert_null(python_reads(&host.table, &self, 2));
    assert_true(value_of(&self, (const double[]){1.0, 2.0, 3.0}) == 3421.0);
    release_python(&host.table, &self);
    test_host_end(&host);
}

/* Two instances of one script share nothing. */
static void instances_are_apart(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    python a = instance_of("scale = {}\ndef f(x, k):\n    return x*scale.setdefault('k', k)\n"), b = a;
    a.function = b.function = "f";
    a.arguments = b.arguments = 1;
    a.parameters = "2";
    b.parameters = "3";
    assert_int_equal(prepare_python(&host.table, &a), TN_OK);
    assert_int_equal(prepare_python(&host.table, &b), TN_OK);
    assert_true(value_of(&a, (const double[]){1.0}) == 2.0 && value_of(&b, (const double[]){1.0}) == 3.0);
    release_python(&host.table, &a);
    assert_true(value_of(&b, (const double[]){1.0}) == 3.0);
    release_python(&host.table, &b);
    test_host_end(&host);
}

static void what_is_printed_is_a_message(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    python self = instance_of("print('loaded')\ndef f(x):\n    print('x =', x, end='')\n    return x\n");
    self.function = "f";
    self.arguments = 1;
    assert_int_equal(prepare_python(&host.table, &self), TN_OK);
    (void)value_of(&self, (const double[]){0.25});
    assert_non_null(strstr(host.message, ": x = 0.25"));
    /* not in calls for derivatives */
    double value = 0.0, first[1] = {0};
    assert_int_equal(python_value(&self, (const double[]){0.5}, &value, first, NULL), TN_OK);
    assert_null(strstr(host.message, "x = 0.5000"));
    release_python(&host.table, &self);
    test_host_end(&host);
}

/* ---- threads ----------------------------------------------------------------------------------------------- */

static void *call_often(void *data)
{
    for (int k = 0; k < 2000; k++)
        if (value_of(data, (const double[]){k}) != 2.0 * k) return data;
    return NULL;
}

static void any_thread_may_call(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    python self = instance_of("def f(x):\n    return 2*x\n");
    self.function = "f";
    self.arguments = 1;
    assert_int_equal(prepare_python(&host.table, &self), TN_OK);
    pthread_t thread[3];
    for (int k = 0; k < 3; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, call_often, &self), 0);
    assert_null(call_often(&self));
    for (int k = 0; k < 3; k++) {
        void *failed;
        assert_int_equal(pthread_join(thread[k], &failed), 0);
        assert_null(failed);
    }
    release_python(&host.table, &self);
    test_host_end(&host);
}

/* An exception that ends a late call does not reach the next one. */
static void an_endless_loop_ends(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    python self = instance_of("def f(x):\n    while x > 1:\n        try:\n            while True: pass\n"
                              "        except Exception: pass\n    return x\n");
    self.function = "f";
    self.arguments = 1;
    self.limit = 0.15;
    assert_int_equal(prepare_python(&host.table, &self), TN_OK);
    double value = 0.0;
    for (int k = 0; k < 2; k++) {
        assert_int_equal(python_value(&self, (const double[]){2.0}, &value, NULL, NULL), TN_INVALID);
        assert_non_null(strstr(host.message, "in f: it has not ended within its limit of time"));
        assert_true(value_of(&self, (const double[]){0.5}) == 0.5);
    }
    release_python(&host.table, &self);
    test_host_end(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_the_value),
        cmocka_unit_test(a_script_without_duals_has_the_same_values),
        cmocka_unit_test(second_derivatives_are_differences_of_exact_ones),
        cmocka_unit_test(a_kink_spoils_its_own_derivative_only),
        cmocka_unit_test(a_derivative_is_never_lost_silently),
        cmocka_unit_test(a_script_may_give_its_derivatives),
        cmocka_unit_test(questions_become_readings),
        cmocka_unit_test(declared_readings_are_numbers_of_the_function),
        cmocka_unit_test(instances_are_apart),
        cmocka_unit_test(what_is_printed_is_a_message),
        cmocka_unit_test(any_thread_may_call),
        cmocka_unit_test(an_endless_loop_ends),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
