/* test_multifrontal.c - what is particular to fronts: large structures, rows of constraints in front of bodies, and parts that join; what
 * every linear solver has to do is in tests/linear */
#include "components.c"

#include "../../solvers/test_host.h"
#include "../test_matrix.h"

#include <tenon/descriptors.h>
#include <tenon/draft/linear.h>

#include <dlfcn.h>
#include <math.h>

enum { EDGE = 9, NODES = EDGE * EDGE * EDGE, AXES = 4, MOST = NODES * AXES };

/* A lattice of nodes with AXES unknowns each, three of motion and one of something else, joined to their six neighbours. */
typedef struct lattice {
    tn_matrix matrix;
    int32_t start[MOST + 1], row[MOST * 7 * AXES];
    double value[MOST * 7 * AXES];
} lattice;

static bool are_joined(int a, int b)
{
    const int dx = abs(a % EDGE - b % EDGE), dy = abs(a / EDGE % EDGE - b / EDGE % EDGE),
              dz = abs(a / (EDGE * EDGE) - b / (EDGE * EDGE));
    return dx + dy + dz <= 1;
}

static void make_lattice(lattice *l)
{
    int32_t count = 0;
    for (int j = 0; j < MOST; j++) {
        l->start[j] = count;
        const int steps[] = {-EDGE * EDGE, -EDGE, -1, 0, 1, EDGE, EDGE * EDGE}, node = j / AXES;
        for (int s = 0; s < 7; s++) {
            const int other = node + steps[s];
            if (other < 0 || other >= NODES || !are_joined(node, other)) continue;
            for (int axis = 0; axis < AXES; axis++)
                l->row[count++] = other * AXES + axis;
        }
    }
    l->start[MOST] = count;
    l->matrix = (tn_matrix){sizeof(tn_matrix), MOST, l->start, l->row, l->value};
}

/* Stiff, unsymmetric by a little. `constrained`: every fourth unknown is a multiplier with nothing on its diagonal. `apart`: two of the four
 * axes have nothing to do with the others. */
static void fill_lattice(lattice *l, uint32_t seed, bool constrained, bool apart)
{
    for (int j = 0; j < MOST; j++)
        for (int32_t e = l->start[j]; e < l->start[j + 1]; e++) {
            const int i = l->row[e];
            const bool multipliers = constrained && i % AXES == 3 && j % AXES == 3;
            l->value[e] = i == j ? 30.0 : test_random(&seed);
            if (multipliers) l->value[e] = 0.0;
            if (constrained && i / AXES == j / AXES && i != j && (i % AXES == 3 || j % AXES == 3))
                l->value[e] = 3.0;
            if (apart && (i % AXES < 2) != (j % AXES < 2)) l->value[e] = 0.0;
        }
}

static const tn_linear_type *find_type(void)
{
    void *file = dlopen(TENON_PLUGINS "/multifrontal.so", RTLD_NOW | RTLD_LOCAL);
    if (!file) fail_msg("%s", dlerror());
    const tn_library *(*get)(void) = NULL;
    void *symbol = dlsym(file, "tn_plugin_library");
    memcpy(&get, &symbol, sizeof get);
    return get()->types[0].type;
}

static void factor_and_check(const tn_linear_type *type, void *self, const lattice *l)
{
    static double x[MOST], left[MOST];
    double largest = 0.0, terms = 0.0;
    for (int i = 0; i < MOST; i++)
        x[i] = left[i] = sin(1.0 + i);
    assert_int_equal(type->factor(self, &l->matrix), TN_OK);
    assert_int_equal(type->solve(self, x), TN_OK);
    for (int j = 0; j < MOST; j++)
        for (int32_t e = l->start[j]; e < l->start[j + 1]; e++) {
            left[l->row[e]] -= l->value[e] * x[j];
            terms = fmax(terms, fabs(l->value[e] * x[j]));
        }
    for (int i = 0; i < MOST; i++)
        largest = fmax(largest, fabs(left[i]));
    assert_true(largest <= 1e-12 * terms);
}

static void estimate(const tn_linear_type *type, void *self, double *entries, double *operations)
{
    const tn_estimate_capability *known = tn_capability_of(type->capabilities, TN_ESTIMATE_KEY);
    assert_int_equal(known->estimate(self, entries, operations), TN_OK);
}

static void test_lattices_are_solved_to_round_off(void **state)
{
    (void)state;
    static lattice l;
    const tn_linear_type *type = find_type();
    make_lattice(&l);
    for (int constrained = 0; constrained < 2; constrained++) {
        test_host host;
        void *self = NULL;
        double entries, operations;
        test_host_begin(&host);
        assert_int_equal(type->create(&host.table, NULL, &l.matrix, &self), TN_OK);
        for (uint32_t seed = 1; seed <= 2; seed++) {
            fill_lattice(&l, seed, constrained, false);
            factor_and_check(type, self, &l);
        }
        estimate(type, self, &entries, &operations);
        assert_true(entries < 1.6e6); /* nested dissection: a tenth of all */
        type->destroy(self);
        test_host_end(&host);
    }
}

/* Each part has factors of its own, until they join. */
static void test_parts_have_fewer_entries_until_they_join(void **state)
{
    (void)state;
    static lattice l;
    const tn_linear_type *type = find_type();
    test_host host;
    void *self = NULL;
    double apart, together, operations;
    test_host_begin(&host);
    make_lattice(&l);
    assert_int_equal(type->create(&host.table, NULL, &l.matrix, &self), TN_OK);
    fill_lattice(&l, 1, false, true);
    factor_and_check(type, self, &l);
    estimate(type, self, &apart, &operations);
    fill_lattice(&l, 2, false, false);
    factor_and_check(type, self, &l);
    estimate(type, self, &together, &operations);
    assert_true(apart < 0.6 * together);
    fill_lattice(&l, 3, false, true); /* still one part: it may join again */
    factor_and_check(type, self, &l);
    estimate(type, self, &apart, &operations);
    assert_true(apart == together);
    type->destroy(self);
    test_host_end(&host);
}

static void test_parts_are_found_and_given_up_after_many_renewals(void **state)
{
    (void)state;
    int32_t part[4];
    const int32_t start[] = {0, 2, 4, 6, 8}, row[] = {0, 1, 0, 1, 2, 3, 1, 3};
    double value[] = {1, 0, 0, 1, 1, 0, 0, 1};
    const tn_matrix matrix = {sizeof matrix, 4, start, row, value};
    tn_components c = {.part = part};
    assert_true(tn_components_find(&c, &matrix));
    assert_int_equal(c.count, 4);
    assert_int_equal(c.between_count, 4);
    value[5] = 1.0;
    assert_false(tn_components_hold(&c, &matrix));
    assert_true(tn_components_find(&c, &matrix));
    assert_int_equal(c.count, 3);
    assert_int_equal(part[2], part[3]);
    assert_true(tn_components_hold(&c, &matrix));
    c.renewals = TN_MOST_RENEWALS;
    assert_true(tn_components_find(&c, &matrix));
    assert_int_equal(c.count, 1);
    assert_int_equal(c.between_count, 0);
    c.part = NULL;
    tn_components_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lattices_are_solved_to_round_off),
        cmocka_unit_test(test_parts_have_fewer_entries_until_they_join),
        cmocka_unit_test(test_parts_are_found_and_given_up_after_many_renewals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
