"""The bodies of a model, and their state at one row of results: positions, velocities and accelerations of markers."""

import numpy as np
from algebra import cross, exponential, of_quaternion

BODIES = "rigid_body", "mass_point"
LINES = {"mass_1d": "mass", "rotor_1d": "inertia"}


class Inventory:
    """What stays: masses, centres of mass, markers. Body 0 is the ground."""

    def __init__(self, model):
        self.model = model
        self.number, self.line = {"ground": 0}, {}
        self.mass, self.com, self.inertia, self.point, self.line_mass = [0.0], [np.zeros(3)], [np.zeros((3, 3))], [False], []
        self.element = {element["name"]: element for element in model["element"]}
        self.marker = {marker["name"]: marker for marker in model["marker"]}
        for element in model["element"]:
            if element["type"] in BODIES:
                self.add_body(element)
            elif element["type"] in LINES:
                self.line[element["name"]] = len(self.line_mass)
                self.line_mass.append(element[LINES[element["type"]]])
        self.mass, self.com, self.inertia = np.array(self.mass), np.array(self.com), np.array(self.inertia)
        self.line_mass = np.array(self.line_mass, dtype=float)
        self.bodies, self.lines = len(self.mass), len(self.line_mass)
        self.cache = {}

    def add_body(self, element):
        self.number[element["name"]] = len(self.mass)
        self.mass.append(element["mass"])
        self.com.append(np.array(element.get("com", np.zeros(3)), dtype=float))
        self.point.append(element["type"] == "mass_point")
        xx, yy, zz, xy, xz, yz = element.get("inertia", [0.0] * 6)
        self.inertia.append(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))

    def shares(self, marker):
        """(weight, body, place from its centre of mass) of the points that a marker is the mean of; axes in the last body."""
        key = marker if isinstance(marker, str) else id(marker)
        if key not in self.cache:
            self.cache[key] = self.find_shares(marker), marker  # kept alive, as its id is the key
        return self.cache[key][0]

    def find_shares(self, marker):
        if isinstance(marker, str):
            marker = self.marker.get(marker, {"element": marker})
        if marker.get("type") == "center":
            weights = np.array(marker["weights"]) / sum(marker["weights"])
            parts = [(w, *share) for w, of in zip(weights, marker["markers"]) for share in self.shares(of)[0]]
            return [(w * inner, body, place) for w, inner, body, place in parts], None
        body = self.number[marker["element"]]
        place = np.array(marker.get("position", np.zeros(3)), dtype=float) - self.com[body]
        return [(1.0, body, place)], (body, np.array(marker.get("rotation", np.eye(3)), dtype=float))

    def bodies_of(self, markers):
        return sorted({body for marker in markers for _, body, _ in self.shares(marker)[0]})


class State:
    def __init__(self, inventory):
        self.inventory = inventory

    @classmethod
    def at_row(cls, inventory, columns, row):
        """From the sensors of every body: r position, q quaternion, v velocity, w angular velocity, a and e accelerations."""
        state = cls(inventory)
        count = inventory.bodies
        state.time, state.row = float(columns["time"][row][0]), {name: column[row] for name, column in columns.items()}
        state.c, state.v, state.w, state.a, state.e = (np.zeros((count, 3)) for _ in range(5))
        state.R = np.array([np.eye(3)] * count)
        for name, body in inventory.number.items():
            if body == 0:
                continue
            r, v, a = (state.row[f"{name}_{what}"] for what in "rva")
            if inventory.point[body]:
                state.c[body], state.v[body], state.a[body] = r, v, a
                continue
            R, w, e = of_quaternion(state.row[f"{name}_q"]), state.row[f"{name}_w"], state.row[f"{name}_e"]
            arm = R @ inventory.com[body]
            state.R[body], state.w[body], state.e[body] = R, w, e
            state.c[body], state.v[body] = r + arm, v + cross(w, arm)
            state.a[body] = a + cross(e, arm) + cross(w, cross(w, arm))
        state.x, state.xv, state.xa = (
            np.array([state.row[f"{name}_{what}"][0] for name in inventory.line]) for what in "rva"
        )
        return state

    def shown(self, sensor):
        return self.row[sensor]

    # ---- neighbours

    def copy(self):
        other = State(self.inventory)
        other.__dict__.update(self.__dict__)
        other.c, other.R, other.x = self.c.copy(), self.R.copy(), self.x.copy()
        return other

    def after(self, seconds):
        """Where it is shortly before or behind, as its velocities go."""
        other = self.copy()
        other.time += seconds
        other.c += seconds * self.v
        other.x += seconds * self.xv
        for body in range(1, self.inventory.bodies):
            other.R[body] = exponential(seconds * self.w[body]) @ self.R[body]
        return other

    def displaced(self, coordinate, by):
        """With one coordinate of gradient() changed."""
        other = self.copy()
        body, direction = divmod(coordinate, 6)
        if body >= self.inventory.bodies:
            other.x[coordinate - 6 * self.inventory.bodies] += by
        elif direction < 3:
            other.c[body, direction] += by
        else:
            turn = np.zeros(3)
            turn[direction - 3] = by
            other.R[body] = exponential(turn) @ self.R[body]
        return other

    def gradient(self, function, bodies, step=1e-5):
        """Derivatives [rows][6 bodies + lines] of a function of the configuration, by moving and turning bodies."""
        size = 6 * self.inventory.bodies + self.inventory.lines
        columns = {}
        places = [6 * body + k for body in bodies if body for k in range(3 if self.inventory.point[body] else 6)]
        for place in [*places, *range(6 * self.inventory.bodies, size)]:
            above, below = (np.atleast_1d(function(self.displaced(place, by))) for by in (step, -step))
            columns[place] = (above - below) / (2 * step)
        rows = len(next(iter(columns.values()))) if columns else 0
        result = np.zeros((rows, size))
        for place, column in columns.items():
            result[:, place] = column
        return result

    def rate(self, function, step=1e-5):
        """Time derivative of a function of configuration and time along the motion."""
        above, below = (np.atleast_1d(function(self.after(by))) for by in (step, -step))
        return (above - below) / (2 * step)

    # ---- markers

    def point(self, marker):
        return sum(w * (self.c[body] + self.R[body] @ place) for w, body, place in self.inventory.shares(marker)[0])

    def velocity(self, marker):
        return sum(
            w * (self.v[body] + cross(self.w[body], self.R[body] @ place))
            for w, body, place in self.inventory.shares(marker)[0]
        )

    def acceleration(self, marker):
        total = np.zeros(3)
        for w, body, place in self.inventory.shares(marker)[0]:
            arm, spin = self.R[body] @ place, self.w[body]
            total += w * (self.a[body] + cross(self.e[body], arm) + cross(spin, cross(spin, arm)))
        return total

    def body_of(self, marker):
        return self.inventory.shares(marker)[1][0]

    def axes(self, marker):
        body, rotation = self.inventory.shares(marker)[1]
        return self.R[body] @ rotation

    def spin(self, marker):
        return self.w[self.body_of(marker)]

    def angular_acceleration(self, marker):
        return self.e[self.body_of(marker)]
