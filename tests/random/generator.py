"""What random models are made of: bodies, joints, loads, expressions. kinds.py puts them together.

Bodies stand at random places, and joints are made to fit them: a frame on each, with joint coordinates that are not zero where the
joint has some. Velocities are random, too, and do not fit: the start has to make them.
"""

import math
import random

import numpy as np
import expressions as x
from algebra import about, of_quaternion

ROWS = {
    "revolute": 5,
    "spherical": 3,
    "universal": 4,
    "cylindrical": 4,
    "prismatic": 5,
    "planar": 3,
    "fixed": 6,
    "distance": 1,
    "generic": 6, # at most
}
JOINTS = ["revolute"] * 3 + ["spherical", "universal", "cylindrical", "prismatic", "planar", "fixed", "distance"] + ["generic"] * 2
OPEN = np.zeros(3), np.eye(3)
SYSTEM = "kinetic_energy", "potential_energy", "dissipated_energy", "supplied_energy", "energy_balance", "momentum", "angular_momentum"
GRAVITIES = [0.0, 0.0, -9.81], [3.0, -5.0, 6.0], [0.0, 0.0, 0.0]


class Generator:
    def __init__(self, kind, seed):
        self.random = random.Random(f"{kind} {seed}")
        self.model = {
            "model": {"name": f"{kind} {seed}", "gravity": [0.0, 0.0, 0.0]},
            "marker": [{"name": "base", "type": "frame", "element": "ground"}],
            "element": [],
            "sensor": [],
            "_floats": False,
        }
        self.pose, self.points, self.joints = {"ground": OPEN}, set(), []
        self.counts, self.rows, self.coordinates = {}, 0, 0

    # ---- numbers

    def between(self, low, high):
        return self.random.uniform(low, high)

    def chance(self, probability):
        return self.random.random() < probability

    def vector(self, size=1.0):
        return np.array([self.between(-size, size) for _ in range(3)])

    def rotation(self):
        q = np.array([self.random.gauss(0, 1) for _ in range(4)])
        return of_quaternion(q / np.linalg.norm(q))

    def tilt(self, *axes, most=0.8):
        turn = np.eye(3)
        for axis in axes:
            turn = turn @ about(axis, self.between(-most, most))
        return turn

    def name(self, letter):
        self.counts[letter] = self.counts.get(letter, 0) + 1
        return f"{letter}{self.counts[letter]}"

    def add(self, kind, letter, **keys):
        element = {"name": self.name(letter), "type": kind, **keys}
        self.model["element"].append(element)
        return element

    # ---- bodies

    def body(self, place=None, axes=None, spin=2.0, **keys):
        place = self.vector(0.8) if place is None else np.array(place)
        axes = self.rotation() if axes is None else axes
        mass = math.exp(self.between(-1.2, 1.2))
        # of some points of equal mass, so that products of inertia are there and moments are possible
        points = [self.vector(0.25) for _ in range(8)]
        J = 1e-2 * np.eye(3) + sum(mass / 8 * ((p @ p) * np.eye(3) - np.outer(p, p)) for p in points)
        element = self.add(
            "rigid_body",
            "b",
            mass=mass,
            inertia=[J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]],
            com=self.vector(0.15),
            position=place,
            rotation=axes,
            velocity=self.vector(0.3),
            angular_velocity=self.vector(spin),
        )
        element.update(keys)
        self.pose[element["name"]] = place, axes
        self.coordinates += 6
        return element["name"]

    def mass_point(self):
        place = self.vector(0.8)
        mass = math.exp(self.between(-1.2, 1.2))
        element = self.add("mass_point", "p", mass=mass, position=place, velocity=self.vector(0.5))
        self.pose[element["name"]] = place, np.eye(3)
        self.points.add(element["name"])
        self.coordinates += 3
        return element["name"]

    def line(self):
        if self.chance(0.5):
            keys = {"mass": self.between(0.2, 3), "position": self.between(-0.3, 0.3), "velocity": self.between(-1, 1)}
            element = self.add("mass_1d", "s", **keys)
        else:
            keys = {"inertia": self.between(0.02, 0.3), "angle": self.between(-0.3, 0.3), "speed": self.between(-3, 3)}
            element = self.add("rotor_1d", "s", **keys)
        self.coordinates += 1
        return element["name"]

    def rigid(self):
        return [name for name in self.pose if name not in self.points]

    def moving(self):
        return [name for name in self.pose if name != "ground"]

    # ---- markers

    def frame_at(self, body, place, axes):
        """A marker on a body where it is in space."""
        at, turn = self.pose[body]
        return {"element": body, "position": turn.T @ (place - at), "rotation": turn.T @ axes}

    def somewhere(self, body, frame):
        if body in self.points:
            return body
        marker = {"element": body, "position": self.vector(0.3)}
        return marker | ({"rotation": self.rotation()} if frame else {})

    def any_marker(self, frame=False, ground=True):
        names = self.rigid() if frame else list(self.pose)
        return self.somewhere(self.random.choice([name for name in names if ground or name != "ground"]), frame)

    def place_of(self, marker):
        if isinstance(marker, str):
            return self.pose[marker][0]
        place, turn = self.pose[marker["element"]]
        return place + turn @ marker["position"]

    def pair(self, frame=False):
        """Two markers on two bodies, some way from each other."""
        ground = not self.model["_floats"]
        while True:
            one, other = self.any_marker(frame, ground), self.any_marker(frame, ground)
            owners = [m if isinstance(m, str) else m["element"] for m in (one, other)]
            if owners[0] != owners[1] and np.linalg.norm(self.place_of(one) - self.place_of(other)) > 0.3:
                return [one, other]

    def declared(self):
        """A frame on a body, by name."""
        body = self.random.choice([name for name in self.rigid() if name != "ground"])
        marker = {"name": self.name("m"), "type": "frame"} | self.somewhere(body, True)
        self.model["marker"].append(marker)
        return marker["name"]

    def reference(self):
        return "base" if self.chance(0.5) else self.declared()

    # ---- joints

    def join(self, first, last, kind=None, place=None, axes=None):
        """Places `first` and `last` as they stand; the joint's origin is at `place`."""
        kind = kind or self.random.choice(JOINTS)
        if last in self.points or first in self.points:
            kind = "distance" if first in self.points else self.random.choice(["distance", "spherical"])
        if kind == "distance":
            markers = [self.somewhere(first, False), self.somewhere(last, False)]
            if np.linalg.norm(self.place_of(markers[0]) - self.place_of(markers[1])) < 0.1:
                return None
            return self.note_joint("distance", markers, 1)
        axes = self.rotation() if axes is None else axes
        if last in self.points:
            place = self.pose[last][0]
            return self.note_joint(kind, [self.frame_at(first, place, axes), last], ROWS[kind])
        place = self.pose[last][0] + self.vector(0.3) if place is None else place
        keys, shift, turn = self.free_motion(kind)
        there = self.frame_at(last, place + axes @ shift, axes @ turn)
        rows = sum(keys["locked"]) if keys else ROWS[kind]
        return self.note_joint(kind, [self.frame_at(first, place, axes), there], rows, **keys)

    def note_joint(self, kind, markers, rows, **keys):
        joint = self.add(kind, "j", markers=markers, **keys)
        self.rows += rows
        self.joints.append(joint)
        return joint["name"]

    def free_motion(self, kind):
        """Where the last frame may be in the first one."""
        slide, angle = self.between(-0.2, 0.2), about("z", self.between(-1.2, 1.2))
        if kind == "generic":
            return self.free_motion_of_generic()
        shift, turn = {
            "revolute": (np.zeros(3), angle),
            "spherical": (np.zeros(3), self.rotation()),
            "universal": (np.zeros(3), self.tilt("x", "y")),
            "cylindrical": (np.array([0.0, 0.0, slide]), angle),
            "prismatic": (np.array([slide, 0.0, 0.0]), np.eye(3)),
            "planar": (np.array([slide, self.between(-0.2, 0.2), 0.0]), angle),
            "fixed": OPEN,
        }[kind]
        return {}, shift, turn

    def free_motion_of_generic(self):
        locked = [self.chance(0.6) for _ in range(6)]
        if not any(locked):
            locked[self.random.randrange(6)] = True
        shift = np.array([0.0 if held else self.between(-0.2, 0.2) for held in locked[:3]])
        turns = [k for k in range(3) if locked[3 + k]]
        if not turns:
            turn = self.rotation()
        elif len(turns) == 1:
            # what keeps y0 . z1 at zero for rx, and so on around
            k = turns[0]
            turn = self.tilt("yzx"[k], "zxy"[k])
        elif len(turns) == 2:
            (free,) = {0, 1, 2} - set(turns)
            turn = self.tilt("xyz"[free], most=1.2)
        else:
            turn = np.eye(3)
        return {"locked": locked}, shift, turn

    def tree(self, count, kinds=None, points=0.1):
        for _ in range(count):
            body = self.mass_point() if self.chance(points) and len(self.rigid()) > 1 else self.body()
            while not self.join(self.random.choice([n for n in self.pose if n != body]), body, kinds and self.random.choice(kinds)):
                pass

    # ---- expressions

    def atom(self):
        """A function of markers, of the size of one."""
        i, j, k, l = self.declared(), self.reference(), self.reference(), self.reference()
        axis = self.random.choice("xyz")
        return self.random.choice(
            [
                lambda: x.way(axis, i, j, k),
                lambda: x.speed(axis, i, j, k, l),
                lambda: x.spin(axis, i, j, k),
                lambda: x.distance(i, "base"),
                lambda: x.departure(i, "base"),
                lambda: x.sine_of_pitch(i, j),
            ]
        )()

    def factor(self, low=0.2, high=1.0):
        return round(self.random.choice([1, -1]) * self.between(low, high), 4)

    def expression(self, size):
        return self.random.choice(
            [
                lambda: size * self.factor() * x.function("SIN", self.factor(2, 9) * x.TIME + self.factor()),
                lambda: size * self.factor() * self.atom(),
                lambda: size * x.function("TANH", self.factor() * self.atom() + self.factor() * self.atom()),
                lambda: self.factor() * x.ramp(0.05, 0.35, size),
                lambda: size * self.factor() * x.function("ATAN", self.atom() * self.atom()),
                lambda: size * self.factor() * self.atom() * x.function("COS", 3.0 * x.TIME),
                lambda: x.constant(size * self.factor()).over(x.constant(1.0) + self.atom().squared()),
            ]
        )()

    # ---- loads

    def load(self, kind=None):
        loads = [self.spring] * 3 + [self.cartesian, self.bushing, self.torsional, self.force, self.torque, self.centred]
        getattr(self, kind)() if kind else self.random.choice(loads)()

    def spring(self):
        markers = self.pair()
        length = np.linalg.norm(self.place_of(markers[0]) - self.place_of(markers[1]))
        keys = {"stiffness": self.between(5, 40), "damping": self.between(0, 2)}
        keys["reference_length"] = length * self.between(0.85, 1.1)
        way = self.random.random()
        if way < 0.3:
            cubic = keys["_cubic"] = round(self.between(10, 200), 3)
            keys["force_function"] = f"stiffness*deltaL + {cubic}*deltaL**3 + damping*deltaL_t"
        elif way < 0.6:
            keys["force"] = 2.0 * x.function("SIN", 5.0 * x.TIME)
            keys["velocity_offset"] = 0.1
        self.add("spring_damper", "f", markers=markers, **keys)

    def centred(self):
        markers = [*self.pair(), self.any_marker(ground=not self.model["_floats"])]
        center = {"name": self.name("m"), "type": "center", "markers": markers, "weights": [1.0, self.between(0.2, 3), 2.0]}
        self.model["marker"].append(center)
        other = self.any_marker(ground=not self.model["_floats"])
        weights = np.array(center["weights"]) / sum(center["weights"])
        middle = sum(w * self.place_of(m) for w, m in zip(weights, markers))
        length = np.linalg.norm(middle - self.place_of(other))
        if length > 0.3:
            keys = {"stiffness": self.between(5, 40), "damping": self.between(0, 2)}
            keys["reference_length"] = length * self.between(0.85, 1.1)
            self.add("spring_damper", "f", markers=[center["name"], other], **keys)

    def two_rigid(self):
        """The ground or a body, and another body; None when all else floats alone."""
        last = self.random.choice([name for name in self.rigid() if name != "ground"])
        first = [name for name in self.rigid() if name != last and (name != "ground" or not self.model["_floats"])]
        return (self.random.choice(first), last) if first else None

    def fitting_frames(self, first, last, lean, apart):
        place, axes = self.pose[last][0] + self.vector(0.2), self.rotation()
        return [self.frame_at(first, place, axes), self.frame_at(last, place + self.vector(apart), axes @ lean)]

    def cartesian(self):
        if two := self.two_rigid():
            keys = {"stiffness": self.vector(90) + 110, "damping": self.vector(1.5) + 1.5, "offset": self.vector(0.03)}
            markers = self.fitting_frames(*two, self.tilt("x", "y", most=0.3), 0.05)
            self.add("cartesian_spring_damper", "f", markers=markers, **keys)

    def bushing(self):
        if two := self.two_rigid():
            stiffness = [self.between(1, 10) for _ in range(3)] + [self.between(20, 200) for _ in range(3)]
            damping = [self.between(0, 0.3) for _ in range(3)] + [self.between(0, 3) for _ in range(3)]
            markers = self.fitting_frames(*two, self.tilt("x", "y", most=0.3), 0.05)
            self.add("linear_bushing", "f", markers=markers, stiffness=stiffness, damping=damping)

    def torsional(self):
        if two := self.two_rigid():
            markers = self.fitting_frames(*two, self.tilt("x", most=0.3) @ self.tilt("z", most=1.0), 0.2)
            keys = {"stiffness": self.between(0.5, 3), "damping": self.between(0, 0.2)}
            keys["reference_angle"] = self.between(-0.5, 0.5)
            if self.chance(0.3):
                keys["_cubic"] = 0.5
                keys["torque_function"] = "stiffness*angle + 0.5*angle**3 + damping*angle_t"
            self.add("torsional_spring_damper", "f", markers=markers, **keys)

    def given(self, kind, size):
        pairwise = self.model["_floats"] or self.chance(0.4)
        markers = self.pair(frame=True) if pairwise else [self.any_marker(frame=True, ground=False)]
        value = [self.expression(size) if self.chance(0.7) else self.between(-size, size) for _ in range(3)]
        axes = {"local": True} if self.chance(0.4) else {"axes": self.reference()}
        self.add(kind, "f", markers=markers, value=value, **axes)

    def force(self):
        self.given("force", 1.0)

    def torque(self):
        self.given("torque", 0.05)
