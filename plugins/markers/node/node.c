/* node.c - a node of an element: coordinates that belong together */
#include <tenon/author.h>

#define NODE(P) P(TEXT, node, 0, "name of the node; optional if the element has only one")

TN_PARAMETERS(node, NODE)

#if TN_VALUES

static tn_status node_local_pose(const void *instance, tn_attachment *attachment)
{
    attachment->node = ((const node *)instance)->node;
    return TN_OK;
}

TN_SYNONYMS(node, {"marker_node", NULL, NULL}, {"grid_point", NULL, NULL})
TN_MARKER(node, .summary = "a node of an element: coordinates that belong together",
          .formula = "q, dq/dt [n];  generalized forces f on it have the power f . dq/dt",
          .literature = "Shabana: Dynamics of Multibody Systems, 5th ed., Cambridge University Press, 2020, "
                        "chapter 6 (finite element formulation: nodal coordinates)",
          .synonyms = node_synonyms, .kind = TN_NODE,
          TN_CAPABILITIES(TN_HAS(place, .local_pose = node_local_pose)))

TN_LIBRARY("node", "1.0.0", "Apache-2.0", "marker: node of an element", {TN_MARKER_KIND, &node_type})

#endif
