#!/usr/bin/env python3
"""Holds the table of kernel/README.md against the sources: which folders there are, which others each includes, how many lines it
has. usage: check.py SOURCE_DIR"""
import pathlib
import re
import sys

kernel = pathlib.Path(sys.argv[1]) / "kernel"
SLACK = 0.9  # of the stated number of lines, below which the table is out of date
faults = []


def words(cell):
    return [word for word in re.split(r"[ ,`]+", cell) if word]


def rows():
    for line in (kernel / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and re.fullmatch(r"`[a-z/]+`", cells[0]):
            yield words(cells[0])[0], set(words(cells[2])), int(cells[3])


def sources(place):
    return [path for path in sorted((kernel / place).iterdir())
            if path.suffix in (".c", ".h", ".cpp") and not path.name.startswith("test_")]


def lines(path):
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    return sum(1 for line in re.sub(r"//.*", "", text).splitlines() if line.strip())


table = list(rows())
seen = []
for place, uses, limit in table:
    folder = place.split("/")[-1]
    if not uses <= set(seen):
        faults.append(f"kernel/README.md: {folder} uses {sorted(uses - set(seen))}, which stand below it")
    used = set()
    for path in sources(place):
        for included in re.findall(r'#include "([a-z]+)/[^"]+"', path.read_text()):
            if included in ("tenon", folder):
                continue
            used.add(included)
            if included not in uses:
                faults.append(f"{path}: includes a header of {included}, which {folder} does not use")
    if uses - used:
        faults.append(f"kernel/README.md: {folder} does not use {sorted(uses - used)}")
    count = sum(map(lines, sources(place)))
    if not limit * SLACK <= count <= limit:
        faults.append(f"kernel/README.md: {folder} has {count} lines, not about and at most {limit}")
    seen.append(folder)

folders = {str(path.parent.relative_to(kernel)) for path in kernel.rglob("*.h")}
stated = {place for place, _, _ in table}
if folders != stated:
    faults.append(f"kernel/README.md: the table and the folders differ in {sorted(folders ^ stated)}")
core = sum(sum(map(lines, sources(place))) for place in stated if place.startswith("core/"))
if core > 9000:
    faults.append(f"kernel/core has {core} lines, more than 9000")
if len(table) < 2:
    faults.append("kernel/README.md: there is no table")
print("\n".join(faults))
sys.exit(1 if faults else 0)
