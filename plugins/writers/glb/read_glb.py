"""Reads scene.glb, independently of Tenon: nodes, and their poses in a frame. Used by the tests."""
import json
import struct


class Scene:
    def __init__(self, path):
        data = open(path, "rb").read()
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data)), (magic, version, length, len(data))
        size, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON" and size % 4 == 0
        self.json = json.loads(data[20:20 + size])
        self.buffer = b""
        if 20 + size < len(data):
            bytes_, kind = struct.unpack_from("<I4s", data, 20 + size)
            assert kind == b"BIN\0" and 28 + size + bytes_ == len(data)
            self.buffer = data[28 + size:]
        self.nodes = self.json["nodes"]
        self.parent = {child: k for k, node in enumerate(self.nodes) for child in node.get("children", [])}
        self.channels = {}
        for animation in self.json.get("animations", []):
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                key = channel["target"]["node"], channel["target"]["path"]
                assert key not in self.channels
                self.channels[key] = self.numbers(sampler["input"]), self.numbers(sampler["output"])

    def numbers(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        components = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        letter, scale = {5126: ("f", 1.0), 5122: ("h", 32767.0), 5125: ("I", 1)}[accessor["componentType"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        flat = struct.unpack_from(f"<{components * accessor['count']}{letter}", self.buffer, start)
        if components == 1:
            return list(flat)
        return [tuple(x / scale for x in flat[k:k + components]) for k in range(0, len(flat), components)]

    def node(self, name):
        found = [k for k, node in enumerate(self.nodes) if node.get("name") == name and "mesh" not in node]
        assert len(found) == 1, (name, found)
        return found[0]

    def drawn(self, name):
        return [k for k, node in enumerate(self.nodes) if node.get("name") == name and "mesh" in node]

    def at(self, node, path, frame):
        if (node, path) in self.channels:
            return self.channels[node, path][1][frame]
        return tuple(self.nodes[node].get(path, (0, 0, 0, 1) if path == "rotation" else (1, 1, 1) if path == "scale" else (0, 0, 0)))

    def times(self):
        inputs = [times for times, _ in self.channels.values()]
        assert all(times == inputs[0] for times in inputs)
        return inputs[0] if inputs else []

    def points(self, node):
        primitive = self.json["meshes"][self.nodes[node]["mesh"]]["primitives"][0]
        return self.numbers(primitive["attributes"]["POSITION"]), self.numbers(primitive["indices"])


def turn(q, v):
    x, y, z, w = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
            v[2] + w * t[2] + x * t[1] - y * t[0]]
