"""Compares the scene of the test recording (tests/support/test_recording.h) with its formulas. usage: check_motion.py FOLDER FRAMES"""
import math
import pathlib
import sys

from read_glb import Scene, turn

scene, frames = Scene(pathlib.Path(sys.argv[1]) / "scene.glb"), int(sys.argv[2])


def near(a, b, within, what):
    assert len(a) == len(b) and all(abs(x - y) <= within for x, y in zip(a, b)), (what, a, b)


root = scene.json["scenes"][0]["nodes"]
assert len(root) == 1
near(turn(scene.at(root[0], "rotation", 0), (0, 0, 1)), (0, 1, 0), 1e-8, "z is up")
arm, bob, wheel = (scene.node(name) for name in ("arm", "bob", "car.wheel"))
assert scene.parent[wheel] == scene.node("car") and scene.parent[scene.node("car")] == root[0]
times = scene.times()
assert len(times) == frames and times[0] == 0 and abs(times[-1] - 10) < 1e-6
assert (bob, "rotation") not in scene.channels
(coil,) = scene.drawn("spring")
assert scene.parent[coil] == root[0]
points = scene.points(coil)[0]
low, high = min(p[2] for p in points), max(p[2] for p in points)
last = None
for k, t in enumerate(times):
    near(scene.at(arm, "translation", k), (0.5 * math.cos(t), 0, -0.5 * math.sin(t)), 1e-6, t)
    near(scene.at(bob, "translation", k), (0.2 * math.sin(3 * t), 0, -1), 1e-6, t)
    near(turn(scene.at(arm, "rotation", k), (1, 0, 0)), (math.cos(t), 0, -math.sin(t)), 1e-4, t)
    rotation = scene.at(wheel, "rotation", k)
    if last:
        assert sum(a * b for a, b in zip(last, rotation)) >= 0, "a quaternion changes its sign"
    last = rotation
    # the ends of the spring are at its places
    for end, place in ((-1, (math.cos(t), 0, -math.sin(t))), (1, (0.2 * math.sin(3 * t), 0, -1))):
        half = 0.5 * (high - low - 0.02) * scene.at(coil, "scale", k)[2]
        at = turn(scene.at(coil, "rotation", k), (0, 0, end * half))
        near([a + b for a, b in zip(at, scene.at(coil, "translation", k))], place, 0.01, ("spring", t))
# shapes ride on their bodies, with their colours
(box,) = scene.drawn("arm")
assert scene.parent[box] == arm
points, corners = scene.points(box)
near([max(p[k] for p in points) for k in range(3)], (0.5, 0.05, 0.05), 1e-7, "box")
material = scene.json["materials"][scene.json["meshes"][scene.nodes[box]["mesh"]]["primitives"][0]["material"]]
near(material["pbrMetallicRoughness"]["baseColorFactor"], (0.6038, 0.2140, 0.0100, 1), 1e-3, "colour")
assert scene.parent[scene.drawn("hinge")[0]] == scene.node("ground")
