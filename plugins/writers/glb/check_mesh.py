"""Checks that the tetrahedron of test_glb.c, stretched along x and mirrored in z, has normals that point outwards. usage: check_mesh.py FOLDER"""
import pathlib
import sys

from read_glb import Scene

scene = Scene(pathlib.Path(sys.argv[1]) / "scene.glb")
points, corners = scene.points(scene.drawn("arm")[0])
assert len(corners) == 12
volume = 0
for k in range(0, 12, 3):
    a, b, c = (points[i] for i in corners[k:k + 3])
    volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
assert abs(volume - 1 / 3) < 1e-6, volume
assert max(p[0] for p in points) == 2 and min(p[2] for p in points) == -1
