"""Vectors and rotations."""

import math

import numpy as np

AXES = {"x": 0, "y": 1, "z": 2}


def cross_matrix(a):
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def exponential(turn):
    """The rotation about the axis and by the length of a vector."""
    angle = math.sqrt(turn @ turn)
    matrix = cross_matrix(turn)
    if angle < 1e-8:
        return np.eye(3) + matrix + 0.5 * matrix @ matrix
    return np.eye(3) + math.sin(angle) / angle * matrix + (1 - math.cos(angle)) / angle**2 * matrix @ matrix


def about(axis, angle):
    turn = np.zeros(3)
    turn[AXES[axis]] = angle
    return exponential(turn)


def of_quaternion(q):
    w, x, y, z = q
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )
