/* center.c - the weighted mean of several points */
#include <tenon/author.h>

enum { MOST_MARKERS = 16 };

#define CENTER(P) \
    P(LIST, weights, "", 0, "w_i, one for every marker, not negative, not all zero; default: equal")

TN_PARAMETERS(center, CENTER)

TN_KINEMATICS(center, TN_POINT, TN_POINT, MOST_MARKERS)
{
    const uint32_t count = tn_port_count(context, 0);
    const double *weight = self->weights.value;
    double sum = 0.0;
    for (uint32_t k = 0; k < count; k++)
        sum += self->weights.count ? weight[k] : 1.0;
    for (uint32_t k = 0; k < count; k++) {
        const double share = (self->weights.count ? weight[k] : 1.0) / sum;
        out->position = tn_add(out->position, tn_scale(tn_constant(share), marker[k].position));
        out->velocity = tn_add(out->velocity, tn_scale(tn_constant(share), marker[k].velocity));
    }
    return TN_OK;
}

#if TN_VALUES

TN_PORTS(center, {"markers", "the points", TN_POINT, 1, MOST_MARKERS, 0})

static tn_status center_prepare(const tn_host *host, void *instance)
{
    const center *self = instance;
    double sum = 0.0;
    for (uint64_t k = 0; k < self->weights.count; k++) {
        if (!(self->weights.value[k] >= 0.0))
            return tn_refuse(host, "weights", "a weight is not negative: %g", self->weights.value[k]);
        sum += self->weights.value[k];
    }
    if (self->weights.count && !(sum > 0.0 && sum < HUGE_VAL))
        return tn_refuse(host, "weights", "the sum of the weights is %g: it must be larger than 0", sum);
    return TN_OK;
}

static tn_status center_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    const center *self = instance;
    if (!self->weights.count || self->weights.count == layout->marker_count) return TN_OK;
    return tn_refuse(host, "weights", "%llu weights for %u markers", (unsigned long long)self->weights.count,
                     layout->marker_count);
}

TN_SYNONYMS(center, {"centre", NULL, NULL}, {"mean", NULL, NULL}, {"super_element_position", NULL, NULL})
TN_MARKER(center, .summary = "the weighted mean of several points",
          .formula = "p = sum(w_i p_i)/sum(w_i),  v = sum(w_i v_i)/sum(w_i) = dp/dt\n"
                     "force w_i F/sum(w) on marker i                      for a force F on the center",
          .literature = "Goldstein, Poole, Safko: Classical Mechanics, 3rd ed., Addison-Wesley, 2002, "
                        "section 1.2 (center of mass)",
          .synonyms = center_synonyms, .flags = TN_CONSTANT_SHARES, .kind = TN_POINT,
          TN_CAPABILITIES(TN_HAS(kinematics, TN_KINEMATICS_FIELDS(center), .layout = center_layout)),
          .ports = center_ports, .prepare = center_prepare)

TN_LIBRARY("center", "1.0.0", "Apache-2.0", "marker: weighted mean of points", {TN_MARKER_KIND, &center_type})

#endif
