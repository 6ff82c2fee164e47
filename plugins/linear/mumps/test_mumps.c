/* test_mumps.c - the inertia of symmetric matrices; what every linear solver has to do is in tests/linear */
#include "mumps.c"

#include "../../solvers/test_host.h"
#include "../test_matrix.h"

enum { LINKS = 30, SIZE = 2 * LINKS };

/* Masses on springs, each tied by a constraint to the one before: LINKS positive and LINKS negative eigenvalues. */
static void make_chain(test_sparse *m, double stiffness)
{
    int32_t count = 0;
    memset(m, 0, sizeof *m);
    for (int32_t j = 0; j < SIZE; j++) {
        m->start[j] = count;
        for (int32_t i = 0; i < SIZE; i++) {
            const bool masses = i < LINKS && j < LINKS, rows = i >= LINKS && j >= LINKS;
            const int32_t mass = i < j ? i : j, link = (i < j ? j : i) - LINKS;
            double value = 0.0;
            if (masses && i == j) value = 2.0 + stiffness;
            if (masses && abs(i - j) == 1) value = -0.5 * stiffness;
            if (!masses && !rows && mass == link) value = 1.0;
            if (!masses && !rows && mass + 1 == link) value = -1.0;
            if (value == 0.0 && i != j) continue;
            m->row[count] = i;
            m->value[count++] = value;
        }
    }
    m->start[SIZE] = count;
    m->matrix = (tn_matrix){sizeof(tn_matrix), SIZE, m->start, m->row, m->value};
}

static void check_inertia(const test_sparse *m, void *self, uint32_t positive, uint32_t negative,
                          uint32_t zero)
{
    uint32_t found[3] = {0};
    assert_int_equal(mumps_type.factor(self, &m->matrix), TN_OK);
    assert_int_equal(inertias.inertia(self, &found[0], &found[1], &found[2]), TN_OK);
    assert_int_equal(found[0], positive);
    assert_int_equal(found[1], negative);
    assert_int_equal(found[2], zero);
}

static void test_each_constraint_has_a_negative_eigenvalue(void **state)
{
    (void)state;
    static test_sparse m;
    test_host host;
    void *self = NULL;
    test_host_begin(&host);
    make_chain(&m, 10.0);
    assert_int_equal(mumps_type.create(&host.table, NULL, &m.matrix, &self), TN_OK);
    check_inertia(&m, self, LINKS, LINKS, 0);
    mumps_type.destroy(self);
    test_host_end(&host);
}

/* A column under a load: its stiffness has one more negative eigenvalue behind each critical load. */
static void test_a_negative_eigenvalue_more_behind_each_critical_load(void **state)
{
    (void)state;
    static test_sparse m;
    test_host host;
    void *self = NULL;
    test_host_begin(&host);
    test_sparse_pattern(&m, SIZE, 0);
    int32_t count = 0;
    for (int32_t j = 0; j < SIZE; j++) {
        m.start[j] = count;
        for (int32_t i = j > 0 ? j - 1 : 0; i <= j + 1 && i < SIZE; i++)
            m.row[count++] = i;
    }
    m.start[SIZE] = count;
    assert_int_equal(mumps_type.create(&host.table, NULL, &m.matrix, &self), TN_OK);
    for (uint32_t critical = 0; critical < 5; critical++) {
        /* eigenvalues of the chain of springs are 2 - 2 cos(k pi / (SIZE + 1)) */
        const double pi = acos(-1.0), load = 2.0 - 2.0 * cos((critical + 0.5) * pi / (SIZE + 1));
        for (int32_t j = 0; j < SIZE; j++)
            for (int32_t e = m.start[j]; e < m.start[j + 1]; e++)
                m.value[e] = m.row[e] == j ? 2.0 - load : -1.0;
        check_inertia(&m, self, SIZE - critical, critical, 0);
    }
    mumps_type.destroy(self);
    test_host_end(&host);
}

static void test_unsymmetric_matrices_have_no_inertia(void **state)
{
    (void)state;
    static test_sparse m;
    test_host host;
    uint32_t found[3];
    void *self = NULL;
    test_host_begin(&host);
    make_chain(&m, 10.0);
    assert_int_equal(mumps_type.create(&host.table, NULL, &m.matrix, &self), TN_OK);
    assert_int_equal(inertias.inertia(self, &found[0], &found[1], &found[2]),
                     TN_FATAL); /* nothing was factorised */
    m.value[1] *= 1.5;
    assert_int_equal(mumps_type.factor(self, &m.matrix), TN_OK);
    assert_int_equal(inertias.inertia(self, &found[0], &found[1], &found[2]), TN_UNSUPPORTED);
    mumps_type.destroy(self);
    test_host_end(&host);
}

static void test_descriptor_names_the_licence_of_the_library(void **state)
{
    (void)state;
    assert_non_null(strstr(tn_plugin_library()->summary, "CeCILL-C"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_constraint_has_a_negative_eigenvalue),
        cmocka_unit_test(test_a_negative_eigenvalue_more_behind_each_critical_load),
        cmocka_unit_test(test_unsymmetric_matrices_have_no_inertia),
        cmocka_unit_test(test_descriptor_names_the_licence_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
