/* markers.h - batches of elements, and markers on bodies or made of other markers, at one state. */
#ifndef TN_MARKERS_H
#define TN_MARKERS_H

#include "system/assembly.h"

/* A batch of instances with these sizes, without instances yet; its layout and kinds of markers live as long as the model. groups.c */
tn_batch tn_new_batch(tn_model *model, const tn_use *use, const tn_layout *sizes);
/* groups.c: sorts the instances into groups; false after reporting. stations.c: markers and their memory. */
bool tn_groups_build(tn_assembly *assembly);
void tn_stations_build(tn_assembly *assembly);
/* False after reporting a body that lacks a function which its markers need. */
bool tn_stations_check(tn_assembly *assembly);
/* derived_groups.c: sorts the markers made of others into groups, before the elements; points them at the state. */
bool tn_derived_build(tn_assembly *assembly);
void tn_derived_place(tn_assembly *assembly);
/* The number of bodies that a runtime marker depends on, and the item of each. */
uint32_t tn_leg_count(const tn_assembly *assembly, uint32_t marker);
uint32_t tn_leg_item(const tn_assembly *assembly, uint32_t marker, uint32_t leg);
/* derived_evaluate.c: poses, twists and their tangents; passes the wrenches on to the markers that they are made of. */
tn_status tn_derived_evaluate(tn_assembly *assembly);
void tn_derived_pass_on(const tn_assembly *assembly);
/* Poses and twists of a group into `value`, or its tangent, with the markers that `batch` has. */
tn_status tn_derived_kinematics(const tn_derived *derived, tn_batch *batch);
tn_status tn_derived_tangent(const tn_derived *derived, tn_batch *batch);
/* The tangent of a batch at the last evaluation, unless it is complete; that by poses, too, where `poses`. */
tn_status tn_derived_find_tangent(const tn_assembly *assembly, tn_derived *derived, bool poses);
/* gather.c: lists which slots every marker sums; then sums them. */
void tn_gather_build(tn_assembly *assembly);
void tn_gather_run(const tn_assembly *assembly);

#endif
