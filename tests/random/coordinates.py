"""Coordinates of joints and of what has one coordinate only."""

import math

import numpy as np

OF_JOINT = {
    "revolute": ["angle"],
    "prismatic": ["translation"],
    "cylindrical": ["angle", "translation"],
    "universal": ["angle_1", "angle_2"],
    "planar": ["x", "y", "angle"],
}
ANGLES = "angle", "angle_1", "angle_2"


def joint_of(inventory, marker):
    """The element of a coordinate marker, and the name of its coordinate."""
    name = marker if isinstance(marker, str) else marker["element"]
    element = inventory.element[name]
    if element["type"] not in OF_JOINT:
        return element, "coordinate"
    asked = None if isinstance(marker, str) else marker.get("coordinate")
    return element, asked or OF_JOINT[element["type"]][0]


def bodies_of(inventory, marker):
    element, _ = joint_of(inventory, marker)
    return inventory.bodies_of(element["markers"]) if element["type"] in OF_JOINT else []


def with_turns(angle, shown):
    """The turns are those of the results; the rest is not."""
    return angle + 2 * math.pi * round((shown - angle) / (2 * math.pi))


def value(state, marker):
    element, name = joint_of(state.inventory, marker)
    if name == "coordinate":
        return state.x[state.inventory.line[element["name"]]]
    first, last = element["markers"]
    A, B = state.axes(first), state.axes(last)
    if name in ANGLES:
        if name == "angle":
            sine, cosine = A[:, 1] @ B[:, 0], A[:, 0] @ B[:, 0]
        elif name == "angle_1":
            sine, cosine = A[:, 2] @ B[:, 1], A[:, 1] @ B[:, 1]
        else:
            sine, cosine = A[:, 0] @ B[:, 2], A[:, 0] @ B[:, 0]
        return with_turns(math.atan2(sine, cosine), state.shown(f"{element['name']}_{name}")[0])
    axis = {"x": 0, "y": 1}.get(name, 2 if element["type"] == "cylindrical" else 0)
    return A[:, axis] @ (state.point(last) - state.point(first))


def rate(state, marker):
    return state.rate(lambda s: value(s, marker))[0]


def gradient(state, marker):
    return state.gradient(lambda s: value(s, marker), bodies_of(state.inventory, marker))[0]


def along(state, markers, direction):
    """What a motion between two markers drives."""
    direction = np.array(direction, dtype=float)
    direction /= np.linalg.norm(direction)
    return (state.axes(markers[0]) @ direction) @ (state.point(markers[1]) - state.point(markers[0]))
