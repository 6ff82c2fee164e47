"""The kinds of random models: model(kind, seed) gives always the same one."""

import math
from copy import deepcopy

import coordinates
import numpy as np
import expressions as x
from algebra import about
from generator import GRAVITIES, ROWS, SYSTEM, Generator

SIZES = 1, 2, 2, 3, 3, 4, 5, 6, 8


def free(g, count):
    """bodies and mass points that float, on springs, bushings and forces between them"""
    g.model["_floats"] = True
    for k in range(max(2, count)):
        g.mass_point() if k > 1 and g.chance(0.25) else g.body()
    for _ in range(2 * count):
        g.load()


def tree(g, count):
    """bodies on joints of all kinds, each on the ground or on an earlier one"""
    some_gravity(g)
    g.tree(count)
    loads(g, count)


def loop(g, count):
    """a tree with more joints between its bodies"""
    some_gravity(g)
    g.tree(max(2, count))
    for _ in range(g.random.randint(1, 3)):
        first, last = g.random.sample(list(g.pose), 2)
        kind = g.random.choice(["spherical", "universal", "distance", "distance", "planar", "generic", "cylindrical"])
        if last != "ground" and g.rows + ROWS[kind] < g.coordinates - 1:
            g.join(first, last, kind)
    loads(g, count)


def planar(g, _count):
    """closed chains of hinges and slides in a plane that stands anyhow: redundant rows"""
    some_gravity(g)
    axes, origin = g.rotation(), g.vector(0.5)

    def at(x, y):
        return origin + axes @ np.array([x, y, g.between(-0.3, 0.3)])

    start, previous = (0.0, 0.0), "ground"
    for _ in range(g.random.randint(1, 2)):
        places = [start]
        for _ in range(g.random.choice([3, 3, 4])):
            places.append((places[-1][0] + g.between(0.15, 0.5), places[-1][1] + g.between(-0.5, 0.5)))
        bodies = [g.body(at(*place), spin=1.0) for place in places[1:]]
        chain = [previous, *bodies, "ground"]
        slide = g.random.randrange(len(chain) - 1) if g.chance(0.4) else -1
        for k, place in enumerate(places):
            first, last = (chain[k + 1], chain[k]) if chain[k + 1] == "ground" else chain[k : k + 2]
            turned = axes @ about("z", g.between(-3, 3)) if k == slide else axes
            g.join(first, last, "prismatic" if k == slide else "revolute", at(*place), turned)
        start, previous = places[-1], g.random.choice(bodies)
    for _ in range(g.random.randint(0, 3)):
        g.load("spring")


def doubled(g, count):
    """a tree in which some joints stand twice"""
    tree(g, count)
    for joint in list(g.joints):
        if joint["type"] != "distance" and g.chance(0.6):
            more = {key: value for key, value in joint.items() if key not in ("name", "type", "markers")}
            g.add(joint["type"], "j", markers=deepcopy(joint["markers"]), **more)


def coupled(g, count):
    """a tree of joints with coordinates, and masses with one: gears, equations, springs, drives and forces between them"""
    some_gravity(g)
    g.tree(count, ["revolute", "revolute", "prismatic", "cylindrical", "universal", "planar"], points=0)
    free_ones = [joint["name"] for joint in g.joints] + [g.line() for _ in range(g.random.randint(1, 3))]
    g.random.shuffle(free_ones)
    while len(free_ones) > 1 and g.coordinates - g.rows > 1 and g.chance(0.9):
        couple(g, free_ones)
    if g.chance(0.4):
        # of a body that is free otherwise, so that nothing contradicts it
        body = g.body()
        there = g.frame_at(body, g.pose[body][0] + g.vector(0.2), np.eye(3))
        value = 0.3 * x.function("SIN", 4.0 * x.TIME)
        drive(g, "velocity", value, {"markers": ["base", there], "direction": g.vector()})
    loads(g, 2)
    lines = [e["name"] for e in g.model["element"] if e["type"] in ("mass_1d", "rotor_1d")]
    for _ in range(g.random.randint(0, 2)):
        push(g, [coordinate(g, name) for name in g.random.choices([joint["name"] for joint in g.joints] + lines, k=2)])


def push(g, markers):
    """Along one coordinate or between two, by what both do."""
    first, last = markers
    value = g.factor(0.5, 2) * x.function("SIN", x.coordinate(last) + 3.0 * x.TIME) - 0.3 * x.rate(first)
    value = value + 0.5 * x.function("TANH", x.rate(last))
    g.add("coordinate_force", "f", markers=markers[: g.random.randint(1, 2)], value=value)


def coordinate(g, name):
    element = next(e for e in g.model["element"] if e["name"] == name)
    choices = coordinates.OF_JOINT.get(element["type"])
    if not choices or (len(choices) == 1 and g.chance(0.5)):
        return name
    return {"element": name, "coordinate": g.random.choice(choices)}


def couple(g, free_ones):
    first, kind = free_ones.pop(), g.random.choice(["gear", "equation", "spring", "drive", "drive"])
    if kind == "drive":
        joint = next((j for j in g.joints if j["name"] == first), None)
        if joint:
            drive_joint(g, joint)
        return
    markers = [coordinate(g, first), coordinate(g, free_ones.pop())]
    if kind == "gear":
        g.rows += 1
        g.add("gear", "c", markers=markers, ratio=g.factor(0.3, 2))
    elif kind == "spring":
        keys = {"stiffness": g.between(2, 30), "damping": g.between(0, 1), "offset": g.between(-0.3, 0.3)}
        g.add("coordinate_spring_damper", "c", markers=markers[: g.random.randint(1, 2)], **keys)
    else:
        lines = [e for e in g.model["element"] if e["type"] in ("mass_1d", "rotor_1d")]
        line = next((e for e in lines if e["name"] in markers), None)
        if line and markers[0] != markers[1]:
            other = next((m for m in markers if m != line["name"]), None)
            first_angle = start_value(g, other)
            factors = [1.0, g.factor(0.3, 2)]
            place = line.get("position", line.get("angle"))
            g.rows += 1
            offset = factors[0] * place + factors[1] * first_angle
            g.add("coordinate_constraint", "c", markers=[line["name"], other], factors=factors, offset=offset)


def drive_joint(g, joint):
    target = {"joint": joint["name"], "coordinate": g.random.choice(coordinates.OF_JOINT[joint["type"]])}
    level = g.random.choice(["displacement", "velocity", "acceleration"])
    size, rate, mean = g.factor(0.5, 2), g.factor(2, 8), g.factor()
    if level == "displacement":
        start = start_value(g, {"element": joint["name"], "coordinate": target["coordinate"]})
        drive(g, level, 0.2 * size * x.function("SIN", rate * x.TIME) + start, target)
    else:
        drive(g, level, size * x.function("SIN", rate * x.TIME) + mean, target, integral=(size, rate, mean))


def start_value(g, marker):
    """Of a coordinate where the model starts."""
    name = marker if isinstance(marker, str) else marker["element"]
    element = next(e for e in g.model["element"] if e["name"] == name)
    if element["type"] not in coordinates.OF_JOINT:
        return element.get("position", element.get("angle"))
    which = coordinates.OF_JOINT[element["type"]][0] if isinstance(marker, str) else marker["coordinate"]
    (p, A), (q, B) = (world_frame(g, m) for m in element["markers"])
    if which in ("translation", "x", "y"):
        axis = {"x": 0, "y": 1}.get(which, 2 if element["type"] == "cylindrical" else 0)
        return float(A[:, axis] @ (q - p))
    if which == "angle":
        return math.atan2(A[:, 1] @ B[:, 0], A[:, 0] @ B[:, 0])
    if which == "angle_1":
        return math.atan2(A[:, 2] @ B[:, 1], A[:, 1] @ B[:, 1])
    return math.atan2(A[:, 0] @ B[:, 2], A[:, 0] @ B[:, 0])


def world_frame(g, marker):
    place, turn = g.pose[marker["element"]]
    return place + turn @ marker["position"], turn @ marker["rotation"]


def drive(g, level, value, target, integral=None):
    keys = {"value": value, "level": level, "_rate": value}
    if level == "acceleration":
        size, rate, mean = integral
        start = keys["initial_velocity"] = g.factor()
        cosine = x.function("COS", rate * x.TIME)
        keys["_rate"] = start + mean * x.TIME + (size / rate) * (x.constant(1.0) - cosine)
    g.rows += 1
    g.add("motion", "c", **target, **keys)


def variables(g, count):
    """a tree with variables: plain ones, loops, equations, integrals, soft and hard constraints; forces that read them"""
    some_gravity(g)
    g.tree(count)
    loads(g, count)
    made = [name for _ in range(g.random.randint(1, 3)) if (name := variable(g))]
    for name in made:
        value = [0.7 * x.variable(name), 0.2, x.function("TANH", x.variable(name))]
        g.add("force", "f", markers=[g.any_marker(frame=True, ground=False)], value=value, axes="base")


def variable(g):
    name, kind = g.name("v"), g.random.choice(["plain", "loop", "equation", "integral", "integral", "soft", "hard"])
    own = x.variable(name)
    if kind in ("soft", "hard"):
        return constraint(g, name, kind)
    if kind == "plain":
        keys = {"expression": g.expression(1.0)}
    elif kind == "loop":
        other = g.name("v")
        keys = {"expression": x.constant(1.0) - 0.4 * x.variable(other) + 0.3 * g.atom()}
        back = (own + x.function("SIN", own)) * (1 / 3)
        g.model["element"].append({"name": other, "type": "reference_variable", "expression": back})
    elif kind == "equation":
        keys = {"expression": own.cubed() + own - g.atom(), "implicit": True}
    else:
        keys = {"expression": g.expression(1.0) - 2.0 * own, "integral": True, "initial_value": g.factor()}
    g.model["element"].append({"name": name, "type": "reference_variable", **keys})
    return name


def constraint(g, name, kind):
    """On a surface through where a marker starts."""
    marker = g.declared()
    declared = next(m for m in g.model["marker"] if m["name"] == marker)
    place, c = g.place_of(declared), [g.factor() for _ in range(3)]
    X, Y, Z = (x.way(axis, marker, "base", "base") for axis in "xyz")
    height = float(c[0] * place[0] + c[1] * place[1] + c[2] * place[2] * place[0])
    surface = c[0] * X + c[1] * Y + c[2] * Z * X - height
    keys = {"_reads": [marker], "implicit": True, "expression": surface}
    if kind == "soft":
        keys |= {"autobalance": "penalty", "penalty": g.between(20, 80), "penalty1": g.between(0, 3)}
    else:
        keys["_constraint"] = True
    g.model["element"].append({"name": name, "type": "reference_variable", **keys})
    return None


RADIUS, CONTACT_STIFFNESS = 0.25, 3000.0


def rolling(g, _count):
    """discs on the ground, ideal or with friction, alone or with a hub between them"""
    g.model["model"]["gravity"] = [0.0, 0.0, -9.81]
    wheels = g.random.choice([1, 1, 2, 3, 4])
    ideal = wheels < 3 and g.chance(0.4)
    discs = [disc(g, place, axes) for place, axes in stand(g, wheels)]
    if wheels > 1:
        hub = g.body([0.0, 0.0, RADIUS + 0.2], spin=0.0, velocity=np.zeros(3))
        for name in discs:
            place, axes = g.pose[name]
            g.join(hub, name, "revolute", place, axes @ about("y", math.pi / 2))
    for name in discs:
        contact(g, name, ideal)
    if not ideal:
        settle(g, len(discs))
    if wheels > 1:
        g.torque()


def stand(g, wheels):
    if wheels == 1:
        axes = about("z", g.between(-3, 3)) @ about("y", g.between(-0.3, 0.3)) @ about("x", g.between(-3, 3))
        # the lowest point of a disc that leans is nearer
        return [(np.array([0.0, 0.0, RADIUS * math.sqrt(1 - axes[2, 0] ** 2)]), axes)]
    heading, stands = g.between(-3, 3), []
    for k in range(wheels):
        angle = 2 * math.pi * k / wheels
        steer = g.between(-0.4, 0.4) if wheels < 3 else 0.0
        place = np.array([0.6 * math.cos(angle), 0.6 * math.sin(angle), RADIUS])
        stands.append((place, about("z", heading + steer) @ about("x", g.between(-3, 3))))
    return stands


def disc(g, place, axes):
    velocity = np.array([g.between(-0.5, 0.5), g.between(-0.5, 0.5), 0.0])
    name = g.body(place, axes, spin=4.0, com=np.zeros(3), velocity=velocity)
    element = next(e for e in g.model["element"] if e["name"] == name)
    along = element["mass"] * RADIUS**2 / 2
    element["inertia"] = [along, 0.525 * along, 0.525 * along, 0.0, 0.0, 0.0]
    return name


def contact(g, name, ideal):
    markers = ["base", {"element": name, "position": np.zeros(3), "rotation": np.eye(3)}]
    if ideal:
        g.add("rolling_disc_constraint", "c", markers=markers, disc_radius=RADIUS)
        return
    keys = {"contact_stiffness": CONTACT_STIFFNESS, "contact_damping": 60.0, "dry_friction": [0.6, 0.4]}
    keys["dry_friction_proportional_zone"] = g.between(0.2, 0.6)
    if g.chance(0.3):
        keys |= {"rolling_friction_viscous": 0.05, "viscous_friction": [0.02, 0.05]}
    if g.chance(0.3):
        keys["dry_friction_angle"] = g.between(-1, 1)
    g.add("rolling_disc", "c", markers=markers, disc_radius=RADIUS, **keys)


def settle(g, discs):
    """Sinks everything by about what the contacts give way under the weight."""
    bodies = [e for e in g.model["element"] if e["type"] == "rigid_body"]
    sink = np.array([0.0, 0.0, sum(e["mass"] for e in bodies) / discs * 9.81 / CONTACT_STIFFNESS])
    for element in bodies:
        element["position"] = element["position"] - sink
        g.pose[element["name"]] = element["position"], g.pose[element["name"]][1]


def feedback(g, count):
    """a tree with forces that read accelerations and reactions"""
    tree(g, count)
    readable = "revolute", "spherical", "universal", "cylindrical", "prismatic"
    joints = [joint["name"] for joint in g.joints if joint["type"] in readable]
    for _ in range(g.random.randint(1, 2)):
        marker = g.declared()

        def term():
            axis = g.random.choice("xyz")
            choices = [
                -round(g.between(0.05, 0.3), 3) * x.acceleration(axis, marker, "base"),
                0.02 * x.angular_acceleration(axis, marker, "base"),
            ]
            if joints:
                choices.append(0.1 * x.reaction(axis, g.random.choice(joints), "base"))
            return g.random.choice(choices)

        g.add("force", "f", markers=[marker], value=[term(), 0.5, term()], axes="base")


def some_gravity(g):
    g.model["model"]["gravity"] = g.random.choice(GRAVITIES)


def loads(g, most):
    for _ in range(g.random.randint(0, most + 1)):
        g.load()


KINDS = {kind.__name__: kind for kind in (free, tree, loop, planar, doubled, coupled, variables, rolling, feedback)}

OUTPUTS = {
    "rigid_body": {
        "r": "position",
        "q": "quaternion",
        "v": "velocity",
        "w": "angular_velocity",
        "a": "acceleration",
        "e": "angular_acceleration",
    },
    "mass_point": {"r": "position", "v": "velocity", "a": "acceleration"},
    "mass_1d": {"r": "coordinate", "v": "velocity", "a": "acceleration"},
    "rotor_1d": {"r": "coordinate", "v": "velocity", "a": "acceleration"},
    "gear": {"force": "force"},
    "coordinate_constraint": {"force": "force"},
    "motion": {"effort": "effort"},
    "reference_variable": {"value": "value", "multiplier": "multiplier"},
    "torsional_spring_damper": {"angle": "angle"},
    "rolling_disc_constraint": {"force": "force", "torque": "torque"},
}


def outputs(element):
    if element["type"] in ROWS:
        angles = coordinates.OF_JOINT.get(element["type"], [])
        return {"force": "force", "torque": "torque"} | {angle: angle for angle in angles}
    return OUTPUTS.get(element["type"], {})


def add_sensors(model):
    """All that checker.py wants to see."""
    for element in model["element"]:
        for what, output in outputs(element).items():
            sensor = {"name": f"{element['name']}_{what}", "element": element["name"], "output": output}
            model["sensor"].append(sensor)
    model["sensor"] += [{"name": name, "system": name} for name in SYSTEM]


def model(kind, seed):
    generator = Generator(kind, seed)
    KINDS[kind](generator, generator.random.choice(SIZES))
    add_sensors(generator.model)
    return generator.model
