"""The JSON Schema of `tenon schema` and `tenon check` say the same about models: configs/ and right/ are right for
both, every file of wrong/ is wrong for both. Models of structure/ lean on files and on the types of signals.c, so
the schema alone judges their structure.

usage: test_schema.py TENON SOURCE_DIR PLUGIN_DIR
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tomllib

from jsonschema import Draft202012Validator

tenon, source, plugins = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
here = source / "tests" / "schema"
RIGHT, WRONG = 0, 2  # exit status of `tenon check`


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


def read_schema(*words):
    schema = read("schema", *words)
    Draft202012Validator.check_schema(schema)
    return schema


def undescribed(schema):
    """Definitions of types that `tenon describe --json` does not list, and the other way round."""
    types = read("describe", "--json", "--plugin-path", plugins)
    sections = {"element": "element", "marker": "marker", "solver": "solver", "function": "signal"}
    listed = {f"{sections[type['kind']]}.{type['name']}" for type in types
              if type["kind"] in sections and (type["kind"] != "function" or "parameters" in type)}
    return listed ^ {name for name in schema["$defs"] if "." in name}


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


def judge(validator, path, expected, asks_program):
    """The ways in which the verdicts on a model are not the expected ones."""
    said = complaint(validator, path)
    if expected == RIGHT and said:
        yield f"{path}: the schema refuses it: {said}"
    if expected == WRONG and not said:
        yield f"{path}: the schema accepts it"
    if not asks_program:
        return
    check = subprocess.run([tenon, "check", path], capture_output=True, text=True)
    if check.returncode != expected:
        yield f"{path}: `tenon check` exits with {check.returncode}, not {expected}\n{check.stderr}"


def main():
    schema, with_signals = read_schema(), read_schema("--plugin-path", plugins)
    installed, extended = Draft202012Validator(schema), Draft202012Validator(with_signals)
    failures = [f"no definition {name}" for name in dangling(with_signals, with_signals)]
    failures += [f"{name} is not in both lists of types" for name in undescribed(with_signals)]
    folders = [
        (installed, source / "configs", "*/*.toml", RIGHT, True, 10),
        (installed, here / "right", "*.toml", RIGHT, True, 10),
        (installed, here / "wrong", "*.toml", WRONG, True, 40),
        (extended, here / "structure" / "right", "*.toml", RIGHT, False, 5),
        (extended, here / "structure" / "wrong", "*.toml", WRONG, False, 20),
    ]
    count = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for validator, folder, pattern, expected, asks_program, least in folders:
            paths = sorted(folder.glob(pattern))
            if len(paths) < least:
                failures.append(f"{folder}: {len(paths)} models, not {least} or more")
            for found in pool.map(lambda path: list(judge(validator, path, expected, asks_program)), paths):
                failures += found
            count += len(paths)
    print(*failures, f"{count} models, {len(failures)} failures", sep="\n")
    return 1 if failures else 0


sys.exit(main())
