"""Constraints: what they hold at zero, the directions in which they can react, and the reactions that results show."""

import coordinates
import numpy as np
from laws import Contact, Loads, number

JOINTS = "revolute", "spherical", "universal", "cylindrical", "prismatic", "planar", "fixed", "generic", "distance"
BY_VELOCITY = "velocity", "acceleration"


def note_start(state, e):
    """What is held at its first value unless it is given."""
    if e["type"] == "distance":
        way = state.point(e["markers"][1]) - state.point(e["markers"][0])
        e["_length"] = e.get("length", np.sqrt(way @ way))
    if e["type"] == "gear":
        first, last = (coordinates.value(state, marker) for marker in e["markers"])
        e["_offset"] = e.get("offset", first - e["ratio"] * last)


def is_constraint(element):
    hard = element["type"] == "reference_variable" and element.get("_constraint")
    others = "gear", "coordinate_constraint", "motion", "rolling_disc_constraint"
    return element["type"] in JOINTS + others or hard


# ---- joints


def joint_rows(state, e):
    first, last = e["markers"]
    d = state.point(last) - state.point(first)
    kind = e["type"]
    if kind == "spherical":
        return d
    if kind == "distance":
        return np.array([np.sqrt(d @ d) - e["_length"]])
    A, B = state.axes(first), state.axes(last)
    side, cosines = A.T @ d, A.T @ B  # cosines[i, j]: of axis i of the first with axis j of the last
    no_turn = cosines[1, 2], cosines[2, 0], cosines[0, 1]
    parallel = cosines[0, 2], cosines[1, 2]
    rows = {
        "revolute": lambda: [*d, *parallel],
        "universal": lambda: [*d, cosines[0, 1]],
        "fixed": lambda: [*d, *no_turn],
        "cylindrical": lambda: [side[0], side[1], *parallel],
        "prismatic": lambda: [side[1], side[2], *no_turn],
        "planar": lambda: [side[2], *parallel],
        "generic": lambda: generic_rows(side, cosines, no_turn, e["locked"]),
    }
    return np.array(rows[kind]())


def generic_rows(side, cosines, no_turn, locked):
    rows = [side[k] for k in range(3) if locked[k]]
    turns = [k for k in range(3) if locked[3 + k]]
    if len(turns) == 2:
        (free,) = {0, 1, 2} - set(turns)
        return rows + [cosines[k, free] for k in turns]
    return rows + [no_turn[k] for k in turns]


# ---- what is held at zero


def driven(state, e):
    """The coordinate of a motion."""
    if "joint" in e:
        return coordinates.value(state, joint_marker(e))
    return coordinates.along(state, e["markers"], e["direction"])


def joint_marker(e):
    return {"element": e["joint"], "coordinate": e["coordinate"]}


def position_rows(state, e):
    kind = e["type"]
    if kind in JOINTS:
        return joint_rows(state, e)
    if kind == "gear":
        first, last = (coordinates.value(state, marker) for marker in e["markers"])
        return np.array([first - e["ratio"] * last - e["_offset"]])
    if kind == "coordinate_constraint":
        terms = (factor * coordinates.value(state, m) for factor, m in zip(e["factors"], e["markers"]))
        return np.array([sum(terms) - e["offset"]])
    if kind == "motion" and e["level"] == "displacement":
        return np.array([driven(state, e) - number(state, e["value"])])
    if kind == "rolling_disc_constraint":
        return np.array([Contact(state, e).gap])
    if kind == "reference_variable":
        return np.array([e["expression"].value(state)])
    return np.zeros(0)


def velocity_rows(state, e):
    """Of constraints that hold velocities only."""
    if e["type"] == "motion" and e["level"] in BY_VELOCITY:
        return state.rate(lambda s: driven(s, e)) - e["_rate"].value(state)
    if e["type"] == "rolling_disc_constraint":
        contact = Contact(state, e)
        return np.array([contact.slip @ contact.lateral, contact.slip @ contact.forward])
    return np.zeros(0)


# ---- directions and reactions


def bodies_of(state, e):
    inventory = state.inventory
    if e["type"] in ("gear", "coordinate_constraint"):
        return sorted({body for marker in e["markers"] for body in coordinates.bodies_of(inventory, marker)})
    if e["type"] == "motion" and "joint" in e:
        return coordinates.bodies_of(inventory, joint_marker(e))
    return inventory.bodies_of(e["_reads"] if e["type"] == "reference_variable" else e["markers"])


def flat(loads):
    """Generalized forces, without those on the ground and the torques on points."""
    by_body = np.concatenate([loads.force, loads.torque], axis=1)
    by_body[0] = 0.0
    by_body[loads.state.inventory.point, 3:] = 0.0
    return np.concatenate([by_body.ravel(), loads.line])


def directions(state, e):
    """[rows][6 bodies + lines]: what the constraint can do."""
    bodies = bodies_of(state, e)
    if e["type"] == "motion":
        return state.gradient(lambda s: driven(s, e), bodies)
    if e["type"] != "rolling_disc_constraint":
        return state.gradient(lambda s: position_rows(s, e), bodies)
    contact, rows = Contact(state, e), []
    for direction in contact.normal, contact.lateral, contact.forward:
        loads = Loads(state)
        loads.push_at(contact.disc, contact.point, direction)
        loads.push_at(contact.plane, contact.point, -direction)
        rows.append(flat(loads))
    return np.array(rows)


def reaction(state, e, directions):
    """What the results show it to exert on bodies and lines."""
    name, loads = e["name"], Loads(state)
    if e["type"] == "gear":
        return directions[0] * (state.shown(f"{name}_force")[0] / -e["ratio"])
    if e["type"] == "coordinate_constraint":
        return directions[0] * (state.shown(f"{name}_force")[0] / e["factors"][-1])
    if e["type"] == "motion":
        return directions[0] * state.shown(f"{name}_effort")[0]
    if e["type"] == "reference_variable":
        return directions[0] * state.shown(f"{name}_multiplier")[0]
    first, last = e["markers"]
    point, force, torque = state.point(last), state.shown(f"{name}_force"), state.shown(f"{name}_torque")
    for marker, sign in (last, 1.0), (first, -1.0):
        ((_, body, _),) = state.inventory.shares(marker)[0]
        loads.push_at(body, point, sign * force)
        loads.torque[body] += sign * torque
    return flat(loads)
