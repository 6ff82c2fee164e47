"""Checks that a scene has the names of test_odd_names(). usage: check_names.py FOLDER"""
import pathlib
import sys

from read_glb import Scene

scene = Scene(pathlib.Path(sys.argv[1]) / "scene.glb")
for name in ("a/b \"quoted\" <&> 'x'", "B\u00e4r.\u8eca", "line\nbreak\\.]]>"):
    scene.node(name)
assert scene.parent[scene.node("B\u00e4r.\u8eca")] == scene.node("B\u00e4r")
assert scene.json["extras"]["title"] == "</script> & \"title\" \u20ac"
