"""A model whose cases crash, spin or have no value, as its parameter `whim` says, and the plugin that does so."""

import pathlib
import subprocess

import runs

KILLS = 20  # of drivers
MODEL = """[parameters]
k = "100 [N/m]"
whim = 0
[[element]]
name = "mass"
type = "mass_point"
mass = 1
position = [1.1, 0, 0]
[[element]]
name = "spring"
type = "spring_damper"
markers = ["ground", "mass"]
stiffness = "k"
[[element]]
name = "whims"
type = "whims"
markers = "mass"
whim = "whim"
[[sensor]]
name = "x"
element = "mass"
output = "position"
[solver]
type = "rk"
end_time = 1
"""


def write(folder, solver):
    """Writes model.toml, with more lines for its solver, and whims.so into a folder."""
    folder = pathlib.Path(folder)
    (folder / "model.toml").write_text(MODEL + solver)
    subprocess.run(
        ["cc", "-std=gnu17", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-I", runs.SOURCE / "sdk/include",
         runs.SOURCE / "tests/system/plugins/whims.c", "-o", folder / "whims.so", "-lm"],
        check=True)  # fmt: skip
