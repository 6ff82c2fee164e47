"""Rows of results against the laws of mechanics, from positions, velocities, accelerations and reactions as they are shown.

check() gives the largest misfit of each kind:

    equations   m a and the change of spin, less all forces and the reactions shown; against the largest of them
    directions  of the reactions shown: what a constraint could not exert; against the same
    position    constraints, m and rad
    velocity    their rates
    work        power of the reactions of constraints that do not drive, against the powers of all
    kinetic, potential, momentum, spin    sensors of the whole system
    balance     of energy, against the largest energy
    variable    equations of variables
    start       change of momenta at the start that constraints could not have brought about
    kept        momentum and spin of what floats freely, against the sums of their parts
"""

import constraints
import laws
import numpy as np
from algebra import cross
from state import State

LIMITS = {
    "equations": 1e-4,  # what Newton's method leaves
    "directions": 1e-6,
    "position": 1e-9,
    "velocity": 1e-3,
    "work": 1e-3,
    "kinetic": 1e-9,
    "potential": 1e-9,
    "momentum": 1e-9,
    "spin": 1e-9,
    "balance": 5e-3,
    "variable": 1e-8,
    "start": 1e-8,
    "kept": 1e-4,
}
# explicit methods solve for accelerations and reactions, and project velocities, to round-off
LIMITS_OF_EXPLICIT = {"equations": 1e-8, "velocity": 1e-7, "work": 1e-8}
# laws of contact and friction are iterated to a thousandth of a newton
LIMITS_OF_ROLLING = {"equations": 1e-3}


def limit(kind, explicit, what):
    special = LIMITS_OF_EXPLICIT if explicit else LIMITS_OF_ROLLING if kind == "rolling" else {}
    return special.get(what, LIMITS[what])


def motion_of(state):
    return np.concatenate([np.concatenate([state.v, state.w], axis=1).ravel(), state.xv])


def spins(state):
    """Moments of inertia in ground axes, and the spin of every body about its centre of mass."""
    inertia = np.einsum("bij,bjk,blk->bil", state.R, state.inventory.inertia, state.R)
    return inertia, np.einsum("bij,bj->bi", inertia, state.w)


def inertial_forces(state):
    inventory = state.inventory
    inertia, spin = spins(state)
    loads = laws.Loads(state)
    loads.force += inventory.mass[:, None] * state.a
    loads.torque += np.einsum("bij,bj->bi", inertia, state.e) + np.cross(state.w, spin)
    loads.line += inventory.line_mass * state.xa
    return constraints.flat(loads)


def unexplained(directions, vector):
    """What of a vector is no combination of the directions."""
    if not len(directions):
        return vector
    weights = np.linalg.lstsq(directions.T, vector, rcond=1e-11)[0]
    return vector - directions.T @ weights


class Misfits(dict):
    def add(self, what, value, scale=1.0):
        size = float(np.max(np.abs(value), initial=0.0)) / scale
        self[what] = max(self.get(what, 0.0), size if np.isfinite(size) else np.inf)


def check_row(misfits, state, model):
    loads = laws.applied(state, model)
    inertial, given, motion = inertial_forces(state), constraints.flat(loads), motion_of(state)
    scale = max(1.0, abs(inertial).max(), abs(given).max())
    powers = max(1.0, abs(inertial * motion).max(), abs(given * motion).max())
    rest, everything = inertial - given, []
    for e in filter(constraints.is_constraint, model["element"]):
        directions = constraints.directions(state, e)
        reaction = constraints.reaction(state, e, directions)
        rest = rest - reaction
        everything.append(directions)
        misfits.add("directions", unexplained(directions, reaction), scale)
        misfits.add("position", constraints.position_rows(state, e))
        if len(constraints.position_rows(state, e)):
            misfits.add("velocity", state.rate(lambda s, e=e: constraints.position_rows(s, e)))
        misfits.add("velocity", constraints.velocity_rows(state, e))
        if e["type"] != "motion":
            misfits.add("work", reaction @ motion, max(powers, abs(reaction * motion).max()))
    misfits.add("equations", rest, scale)
    check_sums(misfits, state, loads)
    check_variables(misfits, state, model)
    return np.concatenate(everything) if everything else np.zeros((0, len(motion)))


def check_sums(misfits, state, loads):
    inventory = state.inventory
    _, spin = spins(state)
    momentum = inventory.mass[:, None] * state.v
    kinetic = 0.5 * ((momentum * state.v).sum() + (spin * state.w).sum() + (inventory.line_mass * state.xv**2).sum())
    scale = max(1.0, kinetic, abs(loads.potential))
    misfits.add("kinetic", state.shown("kinetic_energy")[0] - kinetic, scale)
    misfits.add("potential", state.shown("potential_energy")[0] - loads.potential, scale)
    whole = spin.sum(axis=0) + np.cross(state.c, momentum).sum(axis=0)
    misfits.add("momentum", state.shown("momentum") - momentum.sum(axis=0), max(1.0, abs(momentum).max()))
    misfits.add("spin", state.shown("angular_momentum") - whole, max(1.0, abs(whole).max()))


def check_variables(misfits, state, model):
    for e in model["element"]:
        if e["type"] != "reference_variable" or e.get("_constraint") or e.get("integral") or "penalty" in e:
            continue
        value = e["expression"].value(state)
        misfits.add("variable", value if e.get("implicit") else value - state.shown(f"{e['name']}_value")[0])


def check_start(misfits, state, model, directions):
    """Velocities as given do not fit the constraints; these changed them."""
    inventory, given = state.inventory, state.copy()
    given.v, given.w, given.xv = state.v.copy(), state.w.copy(), state.xv.copy()
    for name, body in inventory.number.items():
        if body:
            e = inventory.element[name]
            given.w[body] = state.R[body] @ np.array(e.get("angular_velocity", [0.0] * 3))
            arm = state.R[body] @ inventory.com[body]
            given.v[body] = np.array(e["velocity"]) + cross(given.w[body], arm)
            misfits.add("start", state.c[body] - np.array(e["position"]) - arm)
    for name, line in inventory.line.items():
        e = inventory.element[name]
        given.xv[line] = e.get("velocity", e.get("speed"))
    change = laws.Loads(state)
    change.force += inventory.mass[:, None] * (state.v - given.v)
    change.torque += spins(state)[1] - spins(given)[1]
    change.line += inventory.line_mass * (state.xv - given.xv)
    change = constraints.flat(change)
    misfits.add("start", unexplained(directions, change), max(1.0, abs(change).max()))


def check_whole(misfits, columns, model):
    balance = columns["energy_balance"][:, 0]
    energies = [abs(columns[f"{kind}_energy"]).max() for kind in ("kinetic", "potential", "dissipated", "supplied")]
    misfits.add("balance", balance - balance[0], max(1.0, *energies))
    if model["_floats"]:
        for sums in "momentum", "angular_momentum":
            misfits.add("kept", columns[sums] - columns[sums][0], max(1.0, abs(columns[sums]).max()))


def rows_depend(model, inventory, columns):
    """Whether rows of constraints depend on each other at the start."""
    state = State.at_row(inventory, columns, 0)
    directions = [constraints.directions(state, e) for e in model["element"] if constraints.is_constraint(e)]
    every = np.concatenate(directions) if directions else np.zeros((0, 1))
    return len(every) > 0 and np.linalg.matrix_rank(every, tol=1e-9) < len(every)


def check(model, inventory, columns, rows=4):
    """`columns`: name -> [rows][size] of what generator.add_sensors() asks for."""
    misfits = Misfits()
    for row in np.unique(np.linspace(0, len(columns["time"]) - 1, rows).astype(int)):
        state = State.at_row(inventory, columns, row)
        if row == 0:
            for e in model["element"]:
                constraints.note_start(state, e)
        directions = check_row(misfits, state, model)
        if row == 0:
            check_start(misfits, state, model, directions)
    check_whole(misfits, columns, model)
    return misfits
