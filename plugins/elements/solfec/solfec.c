/* solfec.c - the library of the constraints of Solfec */
#include <tenon/author.h>

TN_ELSEWHERE(tn_element_type, fixed_point)
TN_ELSEWHERE(tn_element_type, fixed_direction)
TN_ELSEWHERE(tn_element_type, set_displacement)
TN_ELSEWHERE(tn_element_type, set_velocity)
TN_ELSEWHERE(tn_element_type, set_acceleration)
TN_ELSEWHERE(tn_element_type, rigid_link)
TN_ELSEWHERE(tn_element_type, put_spring)

TN_LIBRARY("solfec", "1.0.0", "Apache-2.0",
           "constraints in local frames: points, directions, motions, links, springs",
           {TN_ELEMENT_KIND, &fixed_point_type}, {TN_ELEMENT_KIND, &fixed_direction_type},
           {TN_ELEMENT_KIND, &set_displacement_type}, {TN_ELEMENT_KIND, &set_velocity_type},
           {TN_ELEMENT_KIND, &set_acceleration_type}, {TN_ELEMENT_KIND, &rigid_link_type},
           {TN_ELEMENT_KIND, &put_spring_type})
