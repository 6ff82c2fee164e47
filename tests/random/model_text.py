"""Models as dictionaries: as TOML, and turned and shifted in space. Keys that begin with `_` are for the checker only."""

import copy

import numpy as np
from expressions import Expression


def value_text(value):
    if isinstance(value, Expression):
        return f'"{value.text}"'
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return "{ " + ", ".join(pairs(value, " = ")) + " }"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(value_text(item) for item in value) + "]"
    return repr(value.item() if isinstance(value, np.generic) else value)


def pairs(table, between):
    return [f"{key}{between}{value_text(value)}" for key, value in table.items() if not key.startswith("_")]


def text(model):
    lines = []
    for name, content in model.items():
        if name.startswith("_"):
            continue
        heading = f"[[{name}]]" if isinstance(content, list) else f"[{name}]"
        for table in content if isinstance(content, list) else [content]:
            lines += [heading, *pairs(table, " = "), ""]
    return "\n".join(lines)


def turned(model, turn, shift):
    """All of it elsewhere: bodies, gravity and what is fixed to the ground. Expressions read it against `base`, which goes along."""
    model = copy.deepcopy(model)

    def place(table):
        table["position"] = shift + turn @ np.array(table.get("position", np.zeros(3)))
        table["rotation"] = turn @ np.array(table.get("rotation", np.eye(3)))

    model["model"]["gravity"] = turn @ np.array(model["model"]["gravity"])
    for element in model["element"]:
        if "velocity" in element and "position" in element and element["type"] != "mass_1d":
            element["position"] = shift + turn @ np.array(element["position"])
            element["velocity"] = turn @ np.array(element["velocity"])
            if element["type"] == "rigid_body":
                element["rotation"] = turn @ np.array(element["rotation"])
        for marker in element.get("markers", []):
            if isinstance(marker, dict) and marker["element"] == "ground":
                place(marker)
    for marker in model["marker"]:
        if marker.get("element") == "ground":
            place(marker)
        for part in marker.get("markers", []):
            if isinstance(part, dict) and part["element"] == "ground":
                place(part)
    return model
