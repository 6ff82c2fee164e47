"""Expressions of the motion: each is a text for the model and a function of a state (state.py) that gives the same value."""

import math

import coordinates
from algebra import AXES, cross


class Expression:
    def __init__(self, text, value):
        self.text, self.value = text, value

    def __add__(self, other):
        other = constant(other)
        return Expression(f"({self.text} + {other.text})", lambda s: self.value(s) + other.value(s))

    def __sub__(self, other):
        other = constant(other)
        return Expression(f"({self.text} - {other.text})", lambda s: self.value(s) - other.value(s))

    def __mul__(self, other):
        other = constant(other)
        return Expression(f"{self.text}*{other.text}", lambda s: self.value(s) * other.value(s))

    __radd__, __rmul__ = __add__, __mul__

    def over(self, other):
        return Expression(f"{self.text}/({other.text})", lambda s: self.value(s) / other.value(s))

    def cubed(self):
        return Expression(f"({self.text})**3", lambda s: self.value(s) ** 3)

    def squared(self):
        return Expression(f"({self.text})**2", lambda s: self.value(s) ** 2)


def constant(number):
    if isinstance(number, Expression):
        return number
    return Expression(f"({float(number)!r})", lambda s: float(number))


TIME = Expression("time", lambda s: s.time)


def function(name, argument):
    python = {"SIN": math.sin, "COS": math.cos, "TANH": math.tanh, "EXP": math.exp, "ATAN": math.atan}[name]
    return Expression(f"{name}({argument.text})", lambda s: python(argument.value(s)))


def ramp(start, end, high):
    """From 0 to `high` with two smooth derivatives."""

    def value(state):
        u = min(1.0, max(0.0, (state.time - start) / (end - start)))
        return high * u**3 * (10 - 15 * u + 6 * u * u)

    return Expression(f"STEP5(time, {start!r}, 0, {end!r}, {high!r})", value)


# ---- markers: seen from J, along the axes of K, with rates as L sees them


def way(x, i, j, k):
    def value(s):
        return s.axes(k)[:, AXES[x]] @ (s.point(i) - s.point(j))

    return Expression(f"D{x.upper()}({i}, {j}, {k})", value)


def speed(x, i, j, k, l):
    def value(s):
        seen = s.velocity(i) - s.velocity(j) - cross(s.spin(l), s.point(i) - s.point(j))
        return s.axes(k)[:, AXES[x]] @ seen

    return Expression(f"V{x.upper()}({i}, {j}, {k}, {l})", value)


def spin(x, i, j, k):
    return Expression(f"W{x.upper()}({i}, {j}, {k})", lambda s: s.axes(k)[:, AXES[x]] @ (s.spin(i) - s.spin(j)))


def distance(i, j):
    def value(s):
        d = s.point(i) - s.point(j)
        return math.sqrt(d @ d)

    return Expression(f"DM({i}, {j})", value)


def departure(i, j):
    def value(s):
        d = s.point(i) - s.point(j)
        return d @ (s.velocity(i) - s.velocity(j)) / math.sqrt(d @ d)

    return Expression(f"VR({i}, {j})", value)


def sine_of_pitch(i, j):
    return Expression(f"SIN(PITCH({i}, {j}))", lambda s: s.axes(i)[:, 0] @ s.axes(j)[:, 2])


def acceleration(x, i, k):
    return Expression(f"ACC{x.upper()}({i}, {k}, {k})", lambda s: s.axes(k)[:, AXES[x]] @ s.acceleration(i))


def angular_acceleration(x, i, k):
    return Expression(f"WDT{x.upper()}({i}, {k}, {k})", lambda s: s.axes(k)[:, AXES[x]] @ s.angular_acceleration(i))


def reaction(x, joint, k):
    """On the last marker of a joint."""
    component = 2 + AXES[x]

    def value(s):
        return s.axes(k)[:, AXES[x]] @ s.shown(f"{joint}_force")

    return Expression(f"JOINT({joint}, 1, {component}, {k})", value)


def coordinate(marker):
    return Expression(f"COORD({named(marker)})", lambda s: coordinates.value(s, marker))


def rate(marker):
    return Expression(f"RATE({named(marker)})", lambda s: coordinates.rate(s, marker))


def named(marker):
    return marker if isinstance(marker, str) else f"{marker['element']}, {marker['coordinate']}"


def variable(name):
    return Expression(f"VARVAL({name})", lambda s: float(s.shown(f"{name}_value")[0]))
