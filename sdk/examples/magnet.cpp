// magnet.cpp - two magnets in C++: their moments along z, attraction or repulsion by 1/r^4 where one stands above the other, from a table
// of measured factors that the element owns as an object of C++
#include <tenon/author.h>

#if TN_VALUES
#include <memory>
#include <vector>
#endif

struct measured_factors; // an object that lives as long as its instance

#define MAGNET(P)                                                                                     \
    P(REAL, strength, "N m^4", TN_REQUIRED, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "positive attracts")    \
    P(LIST, factors, "", 0, "of its temperature, the mean of which counts; none: 1")                  \
    P(PRIVATE, measured_factors *, table)                                                             \
    P(PRIVATE, double, factor)
TN_PARAMETERS(magnet, MAGNET)

TN_FORCE(magnet, TN_POINT, 2)
{
    const tn_vec3 line = tn_subtract(marker[1].position, marker[0].position);
    const tn_real square = tn_dot(line, line), length = tn_sqrt(square);
    if (tn_value(length) == 0.0) return tn_retry(context, "the magnets coincide");
    wrench[0].force = tn_scale(self->factor * self->strength / (square * square * length), line);
    wrench[1].force = tn_negate(wrench[0].force);
    return TN_OK;
}

#if TN_VALUES

struct measured_factors {
    std::vector<double> value;
    double mean() const
    {
        double sum = 0.0;
        for (double one : value)
            sum += one;
        return value.empty() ? 1.0 : sum / static_cast<double>(value.size());
    }
};

// No exception may leave a function that the kernel calls.
static tn_status magnet_prepare(const tn_host *, void *instance) noexcept
try {
    magnet *self = static_cast<magnet *>(instance);
    if (!self->table) self->table = std::make_unique<measured_factors>().release();
    self->table->value.assign(self->factors.value, self->factors.value + self->factors.count);
    self->factor = self->table->mean();
    return TN_OK;
} catch (...) {
    return TN_OUT_OF_MEMORY;
}

static void magnet_release(const tn_host *, void *instance) noexcept { delete static_cast<magnet *>(instance)->table; }

TN_PORTS(magnet, {"markers", "the two magnets", TN_POINT, 2, 2, 0})
TN_ELEMENT(magnet, .summary = "force between two magnets", .formula = "f = strength/r^4",
           TN_CAPABILITIES(TN_HAS_FORCE(magnet)), .release = magnet_release, .ports = magnet_ports,
           .prepare = magnet_prepare)
TN_LIBRARY("magnet", "1.0.0", "Apache-2.0", "magnets", {TN_ELEMENT_KIND, &magnet_type})

#endif
