// linear_spring.cpp - a spring between two points, f = stiffness (L - reference_length), with its exact tangent, written in
// C++ against the plain structs of the interface. No exception may leave a function that the kernel calls.
//
// c++ -std=c++20 -O2 -fPIC -shared -fvisibility=hidden -ffp-contract=off linear_spring.cpp -o linear_spring.so
#include <tenon/plugin.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

namespace
{

struct linear_spring {
    double stiffness, reference_length;
};

const linear_spring &instance(const tn_batch &batch, uint32_t i)
{
    return *static_cast<const linear_spring *>(tn_instance(&batch, i));
}

bool is_active(const tn_batch &batch, uint32_t i) { return !batch.active || batch.active[i]; }

// The wrenches on the two points of one instance.
std::span<double, 6> wrench(const tn_batch &batch, uint32_t i)
{
    return std::span<double, 6>(batch.wrench + std::size_t{6} * i, 6);
}

// The line from the first point to the second: its length, its direction, and the force along it.
struct spring_line {
    double length, direction[3], force;
};

// Nothing where the points coincide: there is no direction.
std::optional<spring_line> look(const tn_batch &batch, uint32_t i)
{
    const linear_spring &self = instance(batch, i);
    const tn_marker_place *place = batch.marker + std::size_t{2} * i;
    const double *first = batch.pose + place[0].pose, *second = batch.pose + place[1].pose;
    spring_line line{};
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        line.direction[k] = second[k] - first[k];
        square += line.direction[k] * line.direction[k];
    }
    line.length = std::sqrt(square);
    if (line.length == 0.0) return std::nullopt;
    for (double &component : line.direction)
        component /= line.length;
    line.force = self.stiffness * (line.length - self.reference_length);
    return line;
}

// The first instance that has no force is told; the kernel takes a shorter step.
tn_status refuse(const tn_batch &batch, uint32_t i, tn_status before)
{
    if (before == TN_OK && batch.failure)
        *batch.failure = {i, TN_RETRY, "its two points coincide: at length zero it has no direction"};
    return TN_RETRY;
}

// A positive force pulls the points together.
void write_wrench(std::span<double, 6> to, const spring_line &line)
{
    for (std::size_t k = 0; k < 3; k++) {
        to[k] = line.force * line.direction[k];
        to[3 + k] = -to[k];
    }
}

tn_status force(tn_batch *batch)
{
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < batch->count; i++) {
        std::ranges::fill(wrench(*batch, i), 0.0);
        if (!is_active(*batch, i)) continue;
        if (const auto line = look(*batch, i))
            write_wrench(wrench(*batch, i), *line);
        else
            status = refuse(*batch, i, status);
    }
    return status;
}

// K = df/dp of the force on the first point by the second one's position: f/L (I - e e^T) + k e e^T.
void write_tangent(const spring_line &line, double stiffness, double *tangent, std::size_t stride)
{
    const double across = line.force / line.length;
    for (std::size_t r = 0; r < 3; r++)
        for (std::size_t c = 0; c < 3; c++) {
            const double along = line.direction[r] * line.direction[c];
            const double k = across * ((r == c ? 1.0 : 0.0) - along) + stiffness * along;
            tangent[r * stride + c] = -k;
            tangent[r * stride + 3 + c] = k;
            tangent[(3 + r) * stride + c] = k;
            tangent[(3 + r) * stride + 3 + c] = -k;
        }
}

// Rows are the six numbers of the two wrenches. Of the columns only those of poses are not zero.
tn_status force_tangent(tn_batch *batch)
{
    tn_status status = TN_OK;
    const std::size_t stride = batch->tangent_stride;
    const uint32_t poses = tn_first_column(batch, TN_POSE_COLUMNS);
    for (uint32_t i = 0; i < batch->count; i++) {
        double *tangent = batch->tangent + 6 * stride * i;
        std::fill_n(tangent, 6 * stride, 0.0);
        std::ranges::fill(wrench(*batch, i), 0.0);
        if (!is_active(*batch, i)) continue;
        if (const auto line = look(*batch, i)) {
            write_wrench(wrench(*batch, i), *line);
            if (poses != TN_NO_COLUMN)
                write_tangent(*line, instance(*batch, i).stiffness, tangent + poses, stride);
        } else {
            status = refuse(*batch, i, status);
        }
    }
    return status;
}

// Constants, so that nothing runs when the library is loaded. Tables end with an entry whose name is NULL.
constexpr tn_parameter parameters[] = {{.name = "stiffness",
                                        .meaning = "force per stretch",
                                        .unit = "N/m",
                                        .high = TN_UNBOUNDED,
                                        .offset = offsetof(linear_spring, stiffness),
                                        .kind = TN_KIND_REAL,
                                        .count = 1,
                                        .flags = TN_REQUIRED},
                                       {.name = "reference_length",
                                        .meaning = "length without force",
                                        .unit = "m",
                                        .high = TN_UNBOUNDED,
                                        .offset = offsetof(linear_spring, reference_length),
                                        .kind = TN_KIND_REAL,
                                        .count = 1,
                                        .flags = TN_REQUIRED},
                                       {}};

constexpr tn_port ports[] = {
    {.name = "markers", .meaning = "the two end points", .kind = TN_POINT, .minimum = 2, .maximum = 2}, {}};

// What it can do besides: a list of tables by their keys, which ends with an empty entry.
constexpr tn_force_capability forces = {
    .struct_size = sizeof(tn_force_capability), .force = force, .force_tangent = force_tangent};

constexpr tn_capability capabilities[] = {{TN_FORCE_KEY, &forces}, {}};

constexpr tn_element_type type = {.struct_size = sizeof(tn_element_type),
                                  .name = "linear_spring",
                                  .parameters = parameters,
                                  .instance_size = sizeof(linear_spring),
                                  .summary = "spring between two points",
                                  .formula = "f = stiffness (L - reference_length)",
                                  .capabilities = capabilities,
                                  .ports = ports};

constexpr tn_type types[] = {{TN_ELEMENT_KIND, &type}, {}};

constexpr tn_library library = {.struct_size = sizeof(tn_library),
                                .abi_major = TN_ABI_MAJOR,
                                .abi_minor = TN_ABI_MINOR,
                                .name = "linear_spring",
                                .version = "1.0.0",
                                .licence = "Apache-2.0",
                                .summary = "linear spring in C++",
                                .types = types};

} // namespace

// The one exported function.
extern "C" TN_EXPORT const tn_library *tn_plugin_library(void);
const tn_library *tn_plugin_library(void) { return &library; }
