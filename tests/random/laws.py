"""Forces of springs, dampers, bushings, discs and of what is given, as configs and plugin pages define them."""

import math

import coordinates
import numpy as np
from algebra import about, cross
from expressions import Expression


def number(state, value):
    return value.value(state) if isinstance(value, Expression) else float(value)


def numbers(state, values):
    return np.array([number(state, value) for value in values])


class Loads:
    """Forces and torques on the bodies (about their centres of mass), forces on lines, and the potential energy."""

    def __init__(self, state):
        inventory = state.inventory
        self.state = state
        self.force, self.torque = np.zeros((inventory.bodies, 3)), np.zeros((inventory.bodies, 3))
        self.line, self.potential = np.zeros(inventory.lines), 0.0

    def push(self, marker, force):
        """At a marker; what is the mean of several points passes it on to them."""
        for weight, body, place in self.state.inventory.shares(marker)[0]:
            self.force[body] += weight * force
            self.torque[body] += cross(self.state.R[body] @ place, weight * force)

    def push_at(self, body, point, force):
        self.force[body] += force
        self.torque[body] += cross(point - self.state.c[body], force)

    def turn(self, marker, torque):
        self.torque[self.state.body_of(marker)] += torque

    def act_along(self, gradient, force):
        """A generalized force on a coordinate with this gradient."""
        count = 6 * self.state.inventory.bodies
        by_body = force * gradient[:count].reshape(-1, 6)
        self.force += by_body[:, :3]
        self.torque += by_body[:, 3:]
        self.line += force * gradient[count:]

    def pair(self, first, last, force):
        """`force` at the origin of `last`, its opposite at the same place on the body of `first`."""
        point = self.state.point(last)
        self.push(last, force)
        self.push_at(self.state.body_of(first), point, -force)


def gravity(loads, model):
    state, inventory = loads.state, loads.state.inventory
    weight = inventory.mass[:, None] * np.array(model["model"]["gravity"], dtype=float)
    loads.force += weight
    loads.potential -= (weight * state.c).sum()


def spring_damper(loads, e):
    state, (first, last) = loads.state, e["markers"]
    way = state.point(last) - state.point(first)
    length = math.sqrt(way @ way)
    along = way / length
    stretch = length - e["reference_length"]
    rate = along @ (state.velocity(last) - state.velocity(first)) - e.get("velocity_offset", 0.0)
    if "force_function" in e:
        force = e["stiffness"] * stretch + e["_cubic"] * stretch**3 + e["damping"] * rate
    else:
        force = e["stiffness"] * stretch + e["damping"] * rate + number(state, e.get("force", 0.0))
        loads.potential += 0.5 * e["stiffness"] * stretch**2
    loads.push(first, force * along)
    loads.push(last, -force * along)


def cartesian_spring_damper(loads, e):
    state, (first, last) = loads.state, e["markers"]
    axes, way = state.axes(first), state.point(last) - state.point(first)
    u = axes.T @ way - np.array(e["offset"])
    rate = axes.T @ (state.velocity(last) - state.velocity(first) - cross(state.spin(first), way))
    stiffness, damping = np.array(e["stiffness"]), np.array(e["damping"])
    loads.potential += 0.5 * (stiffness * u * u).sum()
    loads.pair(first, last, -axes @ (stiffness * u + damping * rate))


def linear_bushing(loads, e):
    state, (first, last) = loads.state, e["markers"]
    F, M = state.axes(first), state.axes(last)
    turn, way = F.T @ M, state.point(last) - state.point(first)
    qx, qy, qz = math.atan2(-turn[1, 2], turn[2, 2]), math.asin(turn[0, 2]), math.atan2(-turn[0, 1], turn[0, 0])
    # columns: what the angular velocity is made of, per rate of each angle
    basis = np.column_stack([[1.0, 0.0, 0.0], about("x", qx)[:, 1], turn[:, 2]])
    rates = np.linalg.solve(basis, F.T @ (state.spin(last) - state.spin(first)))
    seen = F.T @ (state.velocity(last) - state.velocity(first) - cross(state.spin(first), way))
    q, qdot = np.concatenate([[qx, qy, qz], F.T @ way]), np.concatenate([rates, seen])
    stiffness = np.array(e["stiffness"])
    f = -(stiffness * q + np.array(e["damping"]) * qdot)
    loads.potential += 0.5 * (stiffness * q * q).sum()
    torque = F @ np.linalg.solve(basis.T, f[:3])
    loads.pair(first, last, F @ f[3:])
    loads.turn(last, torque)
    loads.turn(first, -torque)


def torsional_spring_damper(loads, e):
    state, (first, last) = loads.state, e["markers"]
    A, B = state.axes(first), state.axes(last)
    angle = math.atan2(A[:, 1] @ B[:, 0], A[:, 0] @ B[:, 0])
    angle = coordinates.with_turns(angle, state.shown(f"{e['name']}_angle")[0]) - e["reference_angle"]
    lean = A[:, 2] @ B[:, 0]
    axis = (A[:, 2] - lean * B[:, 0]) / (1 - lean**2)
    rate = axis @ (state.spin(last) - state.spin(first))
    torque = e["stiffness"] * angle + e["damping"] * rate
    if "torque_function" in e:
        torque += e["_cubic"] * angle**3
    else:
        loads.potential += 0.5 * e["stiffness"] * angle**2
    loads.turn(first, torque * axis)
    loads.turn(last, -torque * axis)


def coordinate_spring_damper(loads, e):
    state, markers = loads.state, e["markers"]
    terms = [(1.0, markers[-1])] + ([(-1.0, markers[0])] if len(markers) > 1 else [])
    u = sum(sign * coordinates.value(state, marker) for sign, marker in terms) - e["offset"]
    rate = sum(sign * coordinates.rate(state, marker) for sign, marker in terms)
    loads.potential += 0.5 * e["stiffness"] * u * u
    for sign, marker in terms:
        loads.act_along(coordinates.gradient(state, marker), -sign * (e["stiffness"] * u + e["damping"] * rate))


def coordinate_force(loads, e):
    value = number(loads.state, e["value"])
    for marker, sign in zip(e["markers"], (1.0, -1.0)):
        loads.act_along(coordinates.gradient(loads.state, marker), sign * value)


def given_value(state, e):
    value = numbers(state, e["value"])
    frame = e["markers"][0] if e.get("local") else e.get("axes")
    return state.axes(frame) @ value if frame else value


def force(loads, e):
    state, value = loads.state, given_value(loads.state, e)
    loads.push(e["markers"][0], value)
    if len(e["markers"]) > 1:
        loads.push(e["markers"][1], -value)
        loads.turn(e["markers"][0], cross(state.point(e["markers"][1]) - state.point(e["markers"][0]), value))


def torque(loads, e):
    value = given_value(loads.state, e)
    for marker, sign in zip(e["markers"], (1.0, -1.0)):
        loads.turn(marker, sign * value)


def soft_constraint(loads, e):
    state, expression = loads.state, e["expression"]
    bodies = state.inventory.bodies_of(e["_reads"])
    gradient = state.gradient(expression.value, bodies)[0]
    g, rate = expression.value(state), state.rate(expression.value)[0]
    loads.act_along(gradient, -e["penalty"] * g - e["penalty1"] * rate)


class Contact:
    """Of a thin disc with a plane."""

    def __init__(self, state, e):
        plane, disc = e["markers"]
        self.plane, self.disc = state.body_of(plane), state.body_of(disc)
        self.normal, axis = state.axes(plane)[:, 2], state.axes(disc)[:, 0]
        forward = cross(axis, self.normal)
        self.forward = forward / np.linalg.norm(forward)
        self.lateral = cross(self.normal, self.forward)
        self.centre = state.point(disc)
        self.point = self.centre + e["disc_radius"] * cross(axis, self.forward)
        self.gap = self.normal @ (self.point - state.point(plane))
        self.slip = self.seen(state, self.point)

    def seen(self, state, point):
        """How fast the disc moves against the plane at a point."""
        at = [state.v[body] + cross(state.w[body], point - state.c[body]) for body in (self.disc, self.plane)]
        return at[0] - at[1]


def rolling_disc(loads, e):
    contact = Contact(loads.state, e)
    if contact.gap >= 0:
        return
    normal = max(0.0, -(e["contact_stiffness"] * contact.gap + e["contact_damping"] * (contact.slip @ contact.normal)))
    loads.potential += 0.5 * e["contact_stiffness"] * contact.gap**2
    slip = np.array([contact.slip @ contact.lateral, contact.slip @ contact.forward])
    size = math.sqrt(slip @ slip)
    total = normal * contact.normal
    if size > 0:
        share = min(1.0, size / e["dry_friction_proportional_zone"])
        angle = e.get("dry_friction_angle", 0.0)
        Q = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        friction = np.array(e["dry_friction"]) + np.array(e.get("viscous_friction", [0.0, 0.0])) * size
        lateral, forward = -normal * share * (2 - share) / size * (Q.T @ (friction * (Q @ slip)))
        total = total + lateral * contact.lateral + forward * contact.forward
    resistance = contact.seen(loads.state, contact.centre)
    resistance = resistance - (resistance @ contact.normal) * contact.normal
    resistance = -e.get("rolling_friction_viscous", 0.0) * normal * resistance
    for body, sign in (contact.disc, 1.0), (contact.plane, -1.0):
        loads.push_at(body, contact.point, sign * total)
        loads.push_at(body, contact.centre, sign * resistance)


LAWS = {
    law.__name__: law
    for law in (
        spring_damper,
        cartesian_spring_damper,
        linear_bushing,
        torsional_spring_damper,
        coordinate_spring_damper,
        coordinate_force,
        force,
        torque,
        rolling_disc,
    )
}


def applied(state, model):
    loads = Loads(state)
    gravity(loads, model)
    for element in model["element"]:
        if element["type"] in LAWS:
            LAWS[element["type"]](loads, element)
        elif element.get("autobalance") == "penalty":
            soft_constraint(loads, element)
    return loads
