"""Compares results.h5 of the test recording (tests/support/test_recording.h), read by h5py, with its formulas.
usage: check_h5py.py FOLDER ROWS COLUMNS FRAMES TOLERANCE; status 77: h5py is not installed"""
import math
import sys

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

rows, columns, frames, tolerance = int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])
file = h5py.File(sys.argv[1] + "/results.h5")


def texts(dataset):
    return list(dataset.asstr()[:])


assert file.attrs["title"] == "pendulum <test>" and file.attrs["status"] == "finished" and file.attrs["finished"] == 1
assert file.attrs["tenon_version"] == "tenon 0.0.0" and file.attrs["time_reached"] == 10
assert file["model.toml"].asstr()[()] == '[solver]\ntype = "rk" # </script>\n'
assert file["run.toml"].asstr()[()] == 'status = "finished"\n'

sensors = file["sensors"]
assert list(sensors)[:4] == ["time", "spike", "gap", "count"] or sorted(sensors)[:1], list(sensors)
t = sensors["time"][:]
step = 10 / (rows - 1)
assert len(sensors) == columns and t.shape == (rows,)
assert np.array_equal(t, np.arange(rows) * step)
assert sensors["time"].attrs["units"] == "s" and sensors["count"].attrs["units"] == "m"
assert sensors["count"].attrs["subject"] == "arm" and sensors["count"].attrs["quantity"] == "position"
assert np.array_equal(sensors["count"][:], np.arange(rows))
spike = sensors["spike"][:]
assert spike[rows // 2] == 1 and spike.sum() == 1
gap = sensors["gap"][:]
assert np.isnan(gap[rows // 2:]).all() and not np.isnan(gap[:rows // 2]).any()
for c in range(4, columns):
    assert np.allclose(sensors[f"wave{c}"][:], (1 + c) * np.sin(0.3 * c * t) + np.cos(0.1 * t), rtol=0, atol=1e-12)
for name in sensors:
    if name != "time":
        assert sensors[name].dims[0][0] == sensors["time"] and sensors[name].compression == "gzip" and sensors[name].shuffle

bodies = file["bodies"]
at = bodies["time"][:]
assert at.shape == (frames,) and texts(bodies["names"]) == ["arm", "bob", "car.wheel"]
assert texts(bodies["type"]) == ["rigid_body", "mass_point", "rigid_body"] and list(bodies["has_rotation"]) == [1, 0, 1]
position, quaternion = bodies["position"], bodies["quaternion"]
assert position.shape == (frames, 3, 3) and position.attrs["units"] == "m"
assert np.allclose(position[:, 0], np.stack([0.5 * np.cos(at), 0 * at, -0.5 * np.sin(at)], 1), rtol=0, atol=tolerance)
assert np.allclose(position[:, 2], np.stack([2 * at, 0 * at + 1, 0 * at + 0.1], 1), rtol=0, atol=20 * tolerance)
assert np.allclose(quaternion[:, 2], np.stack([np.cos(10 * at), 0 * at, np.sin(10 * at), 0 * at], 1), rtol=0, atol=tolerance)
assert [position.dims[k][0].name for k in range(3)] == ["/bodies/time", "/bodies/names", "/bodies/axis"]
assert texts(quaternion.dims[2][0]) == ["w", "x", "y", "z"]

wrenches = file["wrenches"]
assert texts(wrenches["names"]) == ["spring"] and texts(wrenches["on"]) == ["bob"]
assert wrenches["force"].attrs["units"] == "N" and wrenches["torque"].attrs["units"] == "N m"
assert np.allclose(wrenches["force"][:, 0, 0], 10 * np.sin(at), rtol=0, atol=10 * tolerance)

events = file["events"]
assert texts(events["text"]) == ['a </script> & "quoted" warning', "breaks"] and texts(events["element"]) == ["", "spring"]
assert texts(events["level"]) == ["warning", "note"] and math.isnan(events["time"][0]) and events["time"][1] == 2.5

modes = file["modes"]
assert list(modes["eigenvalue"][0]) == [-0.1, 6]
assert modes["displacement"].shape == (1, 3, 6, 2)
assert modes["displacement"][0, 0, 2, 0] == 1 and modes["displacement"][0, 1, 0, 1] == 0.5
assert np.abs(modes["displacement"][:]).sum() == 1.5
