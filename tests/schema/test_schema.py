"""The JSON Schema of `tenon schema` and `tenon check` say the same about models: configs/ and right/ are right for
both, every file of wrong/ is wrong for both, by the same mistake. The files of parts/ are parts, which cannot be
checked alone: `tenon check` gets a model that uses them. files/ has what models and parts lean on. studies/ has the same of studies, for the
schema of `tenon schema --study` and `tenon study --dry`.

usage: test_schema.py TENON SOURCE_DIR PLUGIN_DIR [--verbose]    (what both say of every model)
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

from jsonschema import Draft202012Validator

tenon, source, plugins = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
here = source / "tests" / "schema"
RIGHT, WRONG = 0, 2  # exit status of `tenon check`
MODEL, PART, STUDY = range(3)

# What a part is used in: it may use `road` and `frame`.
AROUND = """
[[marker]]
name = "road"
type = "frame"
element = "ground"
[[marker]]
name = "frame"
type = "frame"
element = "ground"
[[part]]
name = "tested"
file = {path}
"""


def once(pairs):
    """An object without a key that it has twice."""
    keys = [key for key, value in pairs]
    twice = {key for key in keys if keys.count(key) > 1}
    return dict(pairs) if not twice else sys.exit(f"{twice} stand twice in one object of JSON")


def no_number(word):
    sys.exit(f"{word} is no number of JSON")


def read(*words):
    """What a command prints, as strict JSON."""
    said = subprocess.run([tenon, *words], capture_output=True, text=True, check=True)
    return json.loads(said.stdout, parse_constant=no_number, object_pairs_hook=once)


# keys of tables by the kinds of types that they have
SECTIONS = {"element": "element", "marker": "marker", "solver": "solver", "function": "signal"}
STUDY_SECTIONS = {"design": "design", "executor": "execute"}


def undescribed(schema, kind):
    """Definitions of types that `tenon describe --json` does not list, and the other way round."""
    sections = STUDY_SECTIONS if kind == STUDY else SECTIONS
    types = read("describe", "--json", "--plugin-path", plugins)
    listed = {f"{sections[type['kind']]}.{type['name']}" for type in types
              if type["kind"] in sections and (type["kind"] != "function" or "parameters" in type)}
    return listed ^ {name for name in schema["$defs"] if "." in name}


def keyless(schema):
    """Keys that `tenon describe --json` lists of a type and its definition lacks."""
    missing = set()
    for type in read("describe", "--json", "--plugin-path", plugins):
        section = (SECTIONS | STUDY_SECTIONS).get(type["kind"], type["kind"])
        definition = schema["$defs"].get(f"{section}.{type['name']}")
        lists = [name for name in type if name.startswith("parameters") or name == "ports"]
        for entry in [entry for name in lists for entry in type[name] if definition]:
            if entry["name"].split(".")[0] not in definition["properties"]:
                missing.add(f"{type['name']} without {entry['name']}")
    return missing


def dangling(schema, node):
    """References of the schema to definitions that are not there."""
    if isinstance(node, list):
        return [name for child in node for name in dangling(schema, child)]
    if not isinstance(node, dict):
        return []
    found = [name for child in node.values() for name in dangling(schema, child)]
    name = node.get("$ref", "#/$defs/name").removeprefix("#/$defs/")
    return found + [name] * (name not in schema["$defs"])


def complaint(validator, path):
    """What the schema has against a model, or None."""
    with open(path, "rb") as file:
        error = next(validator.iter_errors(tomllib.load(file)), None)
    return error and f"{error.json_path}: {error.message[:200]}"


def check(path, kind):
    """Exit status and messages of `tenon check` for a model, or for one with this part; of a study that is not carried out."""
    command = [tenon, "check", "--trust", "--plugin-path", plugins]
    if kind == STUDY:
        return subprocess.run([tenon, "study", path, "--dry", "--plugin-path", plugins], capture_output=True, text=True)
    if kind == MODEL:
        return subprocess.run([*command, path], capture_output=True, text=True)
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as model:
        model.write(AROUND.format(path=json.dumps(str(path))))
        model.flush()
        return subprocess.run([*command, model.name], capture_output=True, text=True)


def judge(validator, path, expected, kind):
    """The ways in which the verdicts on a model are not the expected ones."""
    said, checked = complaint(validator, path), check(path, kind)
    if expected == RIGHT and said:
        yield f"{path}: the schema refuses it: {said}"
    if expected == WRONG and not said:
        yield f"{path}: the schema accepts it"
    if checked.returncode != expected:
        yield f"{path}: `tenon check` exits with {checked.returncode}, not {expected}\n{checked.stderr}"
    elif expected == WRONG and f"{path}:" not in checked.stderr:
        yield f"{path}: `tenon check` finds the mistake elsewhere:\n{checked.stderr}"
    if "--verbose" in sys.argv:
        print(f"{path}\n    {said}\n    {checked.stderr.strip()}")


def main():
    schema, study = read("schema", "--plugin-path", plugins), read("schema", "--study", "--plugin-path", plugins)
    for one in (schema, study):
        Draft202012Validator.check_schema(one)
    validators = [Draft202012Validator(schema)] * 2 + [Draft202012Validator(study)]
    failures = [f"no definition {name}" for one in (schema, study) for name in dangling(one, one)]
    failures += [f"{name} is not in both lists of types" for name in undescribed(schema, MODEL)]
    failures += [f"{name} is not in both lists of types" for name in undescribed(study, STUDY)]
    failures += keyless(schema) | keyless(study)
    folders = [
        (source / "configs", "*/*.toml", RIGHT, MODEL, 10),
        (here / "right", "*.toml", RIGHT, MODEL, 20),
        (here / "wrong", "*.toml", WRONG, MODEL, 150),
        (here / "parts" / "right", "*.toml", RIGHT, PART, 3),
        (here / "parts" / "wrong", "*.toml", WRONG, PART, 7),
        (source / "configs", "studies/*_study.toml", RIGHT, STUDY, 7),
        (here / "studies" / "right", "*.toml", RIGHT, STUDY, 5),
        (here / "studies" / "wrong", "*.toml", WRONG, STUDY, 35),
    ]
    count = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for folder, pattern, expected, kind, least in folders:
            # a study is no model
            paths = sorted(path for path in folder.glob(pattern)
                           if kind == STUDY or not path.name.endswith("_study.toml"))
            if len(paths) < least:
                failures.append(f"{folder}: {len(paths)} models, not {least} or more")
            for found in pool.map(lambda path: list(judge(validators[kind], path, expected, kind)), paths):
                failures += found
            count += len(paths)
    print(*failures, f"{count} models, {len(failures)} failures", sep="\n")
    return 1 if failures else 0


sys.exit(main())
